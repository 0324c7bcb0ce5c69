"""Profiles in ClickHouse: a folder with the engine in this process, or a server.

    jfrtree.clickhouse.load("app.jfr", db="jfrtree.chdb", labels={"service": "cart"})
    with jfrtree.clickhouse.connect("jfrtree.chdb") as connection:
        connection.flamegraph("cpu", start="-1h", where={"service": "cart"})

Servers are given as `http://HOST:8123` or `https://USER@HOST:8443/?database=NAME` and are spoken to by
libcurl. Folders need chdb (`pip install 'jfrtree[clickhouse]'`), else the library libchdb.so. What lies in
the tables is described in docs/clickhouse.md of the project.
"""

from __future__ import annotations

import math as _math
import os as _os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from ._catalogue import Catalogue, LoadResult
from ._connection import Connection, source_of
from ._engine import find_engine
from ._errors import UsageError
from ._files import check_output
from ._follow import follow
from ._info import Problem
from ._options import Path, Progress, core_path
from ._progress import reporting
from ._rows import row_options
from ._statements import schema, sql
from ._warn import warn

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._recording import Recording, Source
    from ._rows import RowOptions

__all__ = ["Catalogue", "Connection", "LoadResult", "connect", "follow", "load", "rows", "schema",
           "sql"]


def connect(
    place: Path = "jfrtree.chdb",
    *,
    database: str | None = None,
    user: str | None = None,
    password: str | None = None,
    compression: str = "zstd",
    ca_file: Path | None = None,
    chdb_library: Path | None = None,
    create: bool = False,
    connect_timeout: float = 10,
    timeout: float = 600,
    limits: Mapping[str, int] | None = None,
) -> Connection:
    """Connects to a folder or, where `place` is a URL, to a server.

    A folder that is not there is made by the first `load` or `create_tables`. The engine opens one
    folder at a time in a process, and a folder is open in one process at a time; several connections
    of a process may have the same one open. Until the connection is closed, others wait.

    `database` goes before that of the URL (default: `default`). User and password of the URL go before
    `user` and `password`, and these before the environment's CLICKHOUSE_USER and CLICKHOUSE_PASSWORD; a
    password counts for its user only. They are in no message. `compression` of what is sent is `zstd`, `lz4`, `gzip` or `none`, `ca_file`
    holds certificates to trust. Within `connect_timeout` seconds a server must be reached, and never be
    silent for `timeout` seconds (0: for ever). `chdb_library` names a libchdb.so that
    is used in place of the package chdb. `create` makes the database that the server lacks. `limits` bounds what a profile may cost, as in `jfrtree.open`.

    Raises DatabaseError, UsageError for what is no URL.
    """
    name = _os.fsdecode(place)
    if not name:
        raise UsageError("place: needs a folder or a URL", code="bad_argument")
    if not 0 < connect_timeout <= 86_400:
        raise UsageError(f"connect_timeout: {connect_timeout} is no number of seconds above 0",
                         code="bad_argument")
    if not 0 <= timeout <= 864_000:
        raise UsageError(f"timeout: {timeout} is no number of seconds", code="bad_argument")
    environment = _os.environ if _core.is_url(name) else {}
    options = {
        "place": name,
        "database": database,
        "user": user if user or password else environment.get("CLICKHOUSE_USER"),
        "password": password or environment.get("CLICKHOUSE_PASSWORD"),
        "compression": compression,
        "ca_file": None if ca_file is None else _os.fsdecode(ca_file),
        "chdb_library": None if chdb_library is None else _os.fsdecode(chdb_library),
        "create_database": bool(create),
        "connect_timeout_ms": max(1, round(connect_timeout * 1000)),
        "timeout_s": _math.ceil(timeout),
    }
    engine = None if _core.is_url(name) else find_engine()
    return Connection(options, engine, limits)


def load(
    source: Recording | Source | Iterable[Source],
    db: Path | Connection = "jfrtree.chdb",
    *,
    labels: Mapping[str, str] | None = None,
    label_from_path: str | None = None,
    create: bool | None = None,
    force: bool = False,
    cluster: str | None = None,
    retries: int = 5,
    progress: Progress = None,
    threads: int | None = None,
    **options: Unpack[RowOptions],
) -> LoadResult:
    """Loads recordings into a folder, a server or a connection, each chunk once.

    `source` is a recording, or what `jfrtree.open` takes, also a list: files and folders of a call go
    into common batches. `labels` are for all inputs and go before those of the recording and of
    `label_from_path`, a regular expression of RE2 whose named groups label each input by its path
    (`"(?P<service>[a-z]+)-[0-9]+[.]jfr"`). The label `service` (else `default`) is a column of its own.

    A ledger keeps each chunk from counting twice, however often, by whomever and by how many at once it
    is loaded; a load that was cut short never shows and is undone by the next. `force` loads chunks anew
    in place of what is there. `create` makes the database and the tables that are not there, which is the
    default in a folder.
    `cluster` names that of the server's configuration on whose shards the tables lie. Failures that may
    pass are tried again `retries` times, with waits that double from 250 ms.

    Rows are sums by `bucket` (`"10s"`, a length of time from 1 s to 1 d, or timedelta); `kinds` and the
    other options of `Recording.profile` choose samples and shape frames, which are normalised unless
    `normalize=False`. `by_thread` and `thread_group` fill the column `thread`. `model="otel_profiles"`
    is the table of OpenTelemetry's exporter.

    The GIL is released. Ctrl-C ends a load within a tenth of a second (with libchdb.so in place of chdb:
    after the statement that runs) and leaves nothing that counts. Raises DatabaseError, UsageError,
    FormatError, LimitError, IoError; warns of problems.
    """
    if isinstance(db, Connection):
        return db.load(source, labels=labels, label_from_path=label_from_path, create=create,
                       force=force, cluster=cluster, retries=retries, progress=progress,
                       threads=threads, **options)
    with connect(db, create=bool(create)) as connection:
        return connection.load(source, labels=labels, label_from_path=label_from_path, create=create,
                               force=force, cluster=cluster, retries=retries, progress=progress,
                               threads=threads, **options)


def rows(
    source: Recording | Source | Iterable[Source],
    path: Path | None = None,
    *,
    table: str = "samples",
    format: str = "native",
    labels: Mapping[str, str] | None = None,
    label_from_path: str | None = None,
    progress: Progress = None,
    threads: int | None = None,
    **options: Unpack[RowOptions],
) -> bytes | None:
    """Rows of a table, `samples`, `stacks` or `bytes` (those of `io`), for `INSERT INTO profile_samples FORMAT Native`: as bytes,
    or in a file that is seen when it is whole.

    `format` is `native`, `rowbinary`, `tsv` or `jsoneachrow`. The other options are those of `load`. The
    rows belong to no load (their `load_id` is 0): nothing keeps them from counting twice.
    Raises UsageError, FormatError, LimitError, IoError; warns of problems.

    >>> import jfrtree
    >>> rows = jfrtree.clickhouse.rows("jdk17-few-stacks.jfr", format="tsv", bucket="1d")
    >>> len(rows.splitlines())
    109
    """
    recording, opened = source_of(source, threads)
    given = {**row_options(options), "labels": dict(labels or {}),
             "label_from_path": label_from_path}
    target = None if path is None else core_path(path)
    if path is not None:
        check_output(path, recording._inputs)
    try:
        with reporting(recording._progress if progress is None else progress) as report:
            written, result = _core.write_rows(recording._opened(), table, format, target, given,
                                               report)
    finally:
        if opened:
            recording.close()
    warn(map(Problem._from_core, result["found"]), set())
    return written


def _belong_here() -> None:
    for name in __all__:
        globals()[name].__module__ = __name__


_belong_here()
