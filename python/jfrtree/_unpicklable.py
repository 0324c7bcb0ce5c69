"""Objects that live in one process."""

from __future__ import annotations

from typing import NoReturn


class Unpicklable:
    """Says why it cannot be pickled, and what to do."""

    __slots__ = ()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} cannot be pickled: send the path, and open the "
                        "recording in the other process; or send a pandas or Arrow table")
