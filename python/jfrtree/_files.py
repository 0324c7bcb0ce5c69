"""Files that are seen when they are whole."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path as _Path

from ._errors import IoError
from ._options import Path


@contextmanager
def whole_file(path: Path) -> Iterator[_Path]:
    """A path beside the one given, renamed to it at the end; gone after an exception. What the
    system refuses is an IoError."""
    target = _Path(os.fspath(path))
    beside = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        yield beside
        os.replace(beside, target)
    except OSError as error:
        if isinstance(error, IoError):
            raise
        raise IoError._from_os(error, str(target)) from None
    finally:
        beside.unlink(missing_ok=True)
