"""The embedded ClickHouse of the package chdb, for the extension module."""

from __future__ import annotations

import importlib.util
import re
import secrets
import threading
from typing import Any

# Bytes that are handed to the engine at once.
PIECE = 1 << 20


class EngineFailure(Exception):
    """What the engine said, or with a `fault` of DatabaseError what is to be said."""

    def __init__(self, text: str, fault: str = "") -> None:
        super().__init__(text)
        self.fault = fault


def _is_there() -> bool:
    try:
        spec = importlib.util.find_spec("chdb")
    except (ImportError, ValueError):
        return False
    # A folder of that name in the path would be a package without a file.
    return spec is not None and spec.origin is not None


def find_engine() -> Engine | None:
    """The engine, or None where chdb is not installed."""
    return Engine() if _is_there() else None


class Engine:
    """Opens folders. The extension module calls it from its threads, one at a time, but for
    `interrupt`."""

    def __init__(self) -> None:
        # Statements carry it, so that these can be ended and no others of the process.
        self.mark = f"/* jfrtree {secrets.token_hex(8)} */ "
        self.stopped = threading.Event()
        self._folder = ""

    def __call__(self, folder: str) -> Session:
        try:
            from chdb import session
        except ImportError as error:
            raise EngineFailure(f"the installed chdb cannot be imported: {error}",
                                "no_library") from None
        if not hasattr(session.Session, "send_insert"):
            raise EngineFailure("the installed chdb is too old to be written to: "
                                "pip install --upgrade 'jfrtree[clickhouse]'", "no_library")
        self._folder = folder
        return Session(self, _open(session, folder))

    def interrupt(self) -> None:
        """Ends the statement that runs, from another thread."""
        self.stopped.set()
        from chdb import session

        killer = _open(session, self._folder)
        try:
            text = self.mark.strip()
            killer.query(f"KILL QUERY WHERE startsWith(query, '{text}') ASYNC", "TabSeparated")
        finally:
            killer.close()


def _open(module: Any, folder: str) -> Any:
    # What stands behind a question mark would be settings.
    if "?" in folder:
        raise EngineFailure("chdb takes no folder with a question mark in its name", "in_use")
    try:
        return module.Session(folder)
    except Exception as error:
        text = str(error)
        other = re.search(r"already initialized with path '([^']*)'", text)
        if other:
            raise EngineFailure(
                f"cannot be opened: this process has {other[1]} open, and the engine opens one "
                "folder at a time; close that first, or use another process", "in_use") from None
        if "Error initializing EmbeddedServer" in text:
            raise EngineFailure(
                "cannot be opened: another process uses it, or it is no folder of a database that "
                "may be written", "in_use") from None
        raise EngineFailure(text) from None


class Session:
    """A folder that is open."""

    def __init__(self, engine: Engine, session: Any) -> None:
        self._engine = engine
        self._session = session
        engine.stopped.clear()

    def query(self, sql: bytes, parameters: dict[str, str]) -> bytes:
        # As bytes: paths of recordings need not be text.
        marked = self._engine.mark.encode() + sql
        result = self._session.query(marked, "TabSeparated", params=parameters or None)
        found: bytes = result.bytes()
        return found

    def insert(self, sql: bytes, native: memoryview) -> None:
        with self._session.send_insert(sql, "Native") as stream:
            for begin in range(0, len(native), PIECE):
                if self._engine.stopped.is_set():
                    raise EngineFailure("the insert was given up")
                stream.append(bytes(native[begin : begin + PIECE]))
            stream.finish()

    def close(self) -> None:
        self._session.close()
