"""Queries of recordings in SQL, by DuckDB."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

from . import _core
from ._recording import Recording
from ._recording import open as _open

if TYPE_CHECKING:
    import duckdb

    from ._recording import Source

__all__ = ["sql"]

# What is a text, a name or a comment is passed over, so that a call inside of it is none.
_TOKEN = re.compile(
    r"""
    (?P<call>\b(?P<table>events|samples|stacks|tree|top)\s*\(\s*
        '(?P<name>(?:[^']|'')*)'\s*\))
    | '(?:[^']|'')*'
    | "(?:[^"]|"")*"
    | --[^\n]*
    | /\*.*?\*/
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


# Of tables in a connection of the caller's: queries of other recordings have their own.
_numbers = itertools.count(1)


class _Rows:
    """A table as DuckDB gets it: lengths of time are whole nanoseconds, its own are coarser."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _core.plain_durations(self._table.__arrow_c_stream__())


def sql(
    query: str,
    recording: Recording | Source | list[Source],
    *,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> duckdb.DuckDBPyRelation:
    """Runs a query of DuckDB on what a recording holds. Needs `pip install duckdb`.

    In the query these are tables, for one recording or what `jfrtree.open` takes:

    - `events('jdk.GCPhasePause')`: the events of a type;
    - `samples('cpu')`, `stacks('cpu')`, `tree('cpu')`, `top('cpu')`: the tables of a profile.

    Times are TIMESTAMPTZ, in UTC; lengths of time are integers, in nanoseconds; nested structs are
    STRUCT, stack traces lists. Each table is read when the query runs, once for each time it is
    named. The result is a relation of DuckDB: print it, or `.df()`, `.pl()`, `.fetchall()`.
    `connection` is one to use instead of a new one, so that its tables may be joined; those of the
    recording stay in it by names of their own, such as "samples('cpu') #1".

    Raises ImportError without DuckDB, UsageError for an event type that the recording does not
    declare, ProfileNotFound, and what DuckDB raises.

    >>> import jfrtree
    >>> pauses = jfrtree.sql(
    ...     "select count(*), sum(sumOfPauses) from events('jdk.GarbageCollection')",
    ...     "jdk17-mixed.jfr",
    ... )
    >>> pauses.fetchall()[0][0]
    35
    """
    try:
        import duckdb
    except ImportError as error:
        raise ImportError(
            f"duckdb is needed for this: pip install duckdb ({error})", name="duckdb"
        ) from None
    opened = recording if isinstance(recording, Recording) else _open(recording)
    used = connection if connection is not None else duckdb.connect()
    names: dict[tuple[str, str], str] = {}

    def replace(match: re.Match[str]) -> str:
        if match["call"] is None:
            return match[0]
        key = (match["table"].lower(), match["name"].replace("''", "'"))
        if key not in names:
            number = "" if connection is None else f" #{next(_numbers)}"
            names[key] = f"{key[0]}('{key[1]}'){number}"
            used.register(names[key], _Rows(_table(opened, *key)))
        return '"' + names[key].replace('"', '""') + '"'

    return used.sql(_TOKEN.sub(replace, query))


def _table(recording: Recording, table: str, name: str) -> Any:
    if table == "events":
        return recording.events(name)
    profile = recording.profile(name)
    return profile.top(0) if table == "top" else getattr(profile, table)
