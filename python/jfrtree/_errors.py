"""Exceptions and warnings. Everything this package raises on purpose is an `Error`, but for
TypeError (an argument of a wrong type) and what callbacks and file objects raise."""

from __future__ import annotations

import errno as _errno
import os as _os
from typing import Any

from ._words import in_python

__all__ = [
    "DatabaseError",
    "Error",
    "FormatError",
    "IoError",
    "LimitError",
    "ProfileNotFound",
    "RecordingWarning",
    "UsageError",
]


class Error(Exception):
    """Base of all errors of this package. `str()` is one line for a person.

    `code` is a stable word such as `"truncated_chunk"`; `file`, `chunk` (from 1) and `offset` (a
    byte position in the decompressed input) are None where they do not apply.
    """

    def __init__(
        self,
        message: str = "",
        *,
        code: str | None = None,
        file: str | None = None,
        chunk: int | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.file = file
        self.chunk = chunk
        self.offset = offset

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class FormatError(Error):
    """The input is no recording that can be read, or `strict` met its first problem."""


class LimitError(Error):
    """A limit on what hostile input may cost was reached; `jfrtree.limits` lists them."""


class ProfileNotFound(Error, KeyError):
    """The recording has no samples of the kind or event type asked for.

    `available` holds the kinds that have samples.
    """

    available: tuple[str, ...] = ()


class UsageError(Error, ValueError):
    """An argument is wrong: an unknown kind, a pattern that is none, options that contradict."""


class DatabaseError(Error):
    """A ClickHouse database could not do what was asked. `file` is its folder, or its URL without
    user and password; no message holds a password.

    `fault` is one of `no_library` (neither chdb nor libchdb.so is there, or no libcurl),
    `unreachable`, `busy` (also after all retries), `denied` (user, password, rights),
    `missing_table`, `read_only`, `in_use` (another process has the folder, or this one has another
    folder), `too_old` (the server, or the schema of its tables), `disk_full`, `no_keeper` (of a
    cluster) and `query` (refused).
    """

    def __init__(self, message: str = "", *, fault: str = "query", **place: Any) -> None:
        super().__init__(message, **place)
        self.fault = fault


class IoError(Error, OSError):
    """The operating system refused to open, read or write. `errno`, `strerror` and `filename` are
    those of OSError, None where they are not known."""

    @classmethod
    def _from_os(cls, error: OSError, path: str) -> IoError:
        kind = _KINDS_OF_IO_ERROR.get(error.errno, cls)
        reason = error.strerror or str(error)
        made = kind(f"{path}: {reason}", code="io_error", file=path)
        made.errno = error.errno
        made.strerror = reason
        made.filename = path
        return made


    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_io_error, (self.args, dict(self.__dict__), self.errno, self.strerror,
                                   self.filename)


class _FileNotFound(IoError, FileNotFoundError):
    pass


class _NoPermission(IoError, PermissionError):
    pass


class _IsADirectory(IoError, IsADirectoryError):
    pass


_KINDS_OF_IO_ERROR: dict[int | None, type[IoError]] = {
    _errno.ENOENT: _FileNotFound,
    _errno.EACCES: _NoPermission,
    _errno.EPERM: _NoPermission,
    _errno.EISDIR: _IsADirectory,
}
# They are IoErrors to whoever sees one.
for _kind in _KINDS_OF_IO_ERROR.values():
    _kind.__name__ = _kind.__qualname__ = "IoError"
    _kind.__module__ = "jfrtree"


def _restore_io_error(
    args: tuple[Any, ...], state: dict[str, Any], errno: int | None, strerror: str | None,
    filename: str | None,
) -> IoError:
    made = _KINDS_OF_IO_ERROR.get(errno, IoError)(*args)
    made.__dict__.update(state)
    made.errno = errno
    made.strerror = strerror
    made.filename = filename
    return made


class RecordingWarning(UserWarning):
    """Bytes or samples of a recording could not be used; the rest was."""


_BY_NAME: dict[str, type[Error]] = {
    "FormatError": FormatError,
    "LimitError": LimitError,
    "IoError": IoError,
    "ProfileNotFound": ProfileNotFound,
    "UsageError": UsageError,
}


def _from_core(
    name: str,
    code: str,
    severity: str,
    file: str | None,
    chunk: int | None,
    offset: int | None,
    count: int,
    message: str,
    text: str,
    fault: str = "",
) -> Error:
    """Makes an exception of what the extension module threw."""
    del severity, count
    if name == "IoError":
        for number in (_errno.ENOENT, _errno.EACCES, _errno.EISDIR, _errno.ENOSPC, _errno.EPERM):
            if message.endswith(_os.strerror(number)):
                made = IoError._from_os(OSError(number, _os.strerror(number)), file or "")
                made.args = (text,)
                return made
    text = in_python(message, text)[1]
    if name == "DatabaseError":
        return DatabaseError(text, code=code, file=file, fault=fault)
    kind = _BY_NAME.get(name, Error)
    return kind(text, code=code, file=file, chunk=chunk, offset=offset)
