"""Files that are seen when they are whole."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path as _Path

from ._errors import IoError, UsageError
from ._options import Path


_ENDINGS = (".jfr", ".jfr.gz", ".jfr.zst", ".jfr.lz4", ".jfr.zip")


def check_output(path: Path, inputs: Iterable[bytes]) -> None:
    """Raises UsageError where a file that was read would be overwritten."""
    target = os.fsencode(path)
    if not os.path.isfile(target):
        return
    for one in inputs:
        if not os.path.exists(one):
            continue
        if os.path.isdir(one):
            above = os.path.dirname(os.path.abspath(target))
            is_input = target.endswith(tuple(map(os.fsencode, _ENDINGS))) and any(
                os.path.samefile(folder, one) for folder in (above, os.path.dirname(above)))
        else:
            is_input = os.path.isfile(one) and os.path.samefile(target, one)
        if is_input:
            raise UsageError(
                f"path: {os.fsdecode(target)!r} is the same file as an input, which would be "
                "overwritten; choose another name", code="bad_argument")


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
