"""Following folders whose recordings go into a database."""

from __future__ import annotations

import os as _os
import time as _time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from . import _core
from ._catalogue import LoadResult
from ._connection import Connection, _labels
from ._errors import DatabaseError, UsageError
from ._options import Length, Path, length_text
from ._rows import row_options
from ._warn import warn

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._rows import RowOptions

# Of each of problems, notes and messages the result keeps so many, the newest.
_MOST_KEPT = 1000
_LONGEST_WAIT_SECONDS = 30.0

News = Callable[[LoadResult], object]
_NOTHING = LoadResult(0, 0, 0, 0, 0, 0, 0, 0, {}, (), (), ())


def follow(
    folders: Path | Iterable[Path],
    db: Path | Connection = "jfrtree.chdb",
    *,
    poll: Length = "5s",
    settle: Length = "60s",
    until_idle: Length = None,
    news: News | None = None,
    labels: Mapping[str, str] | None = None,
    label_from_path: str | None = None,
    create: bool | None = None,
    cluster: str | None = None,
    retries: int | None = None,
    threads: int | None = None,
    limits: Mapping[str, int] | None = None,
    **options: Unpack[RowOptions],
) -> LoadResult:
    """Loads each chunk of folders as soon as it is finished, once: those of the repositories of
    running JVMs, and of recordings that are put there. docs/clickhouse-follow.md of the project
    says when a chunk is finished, and what is done when something goes wrong.

    Folders are looked at every `poll`, where the system tells of changes at once as well. A file
    that ends in the middle of a chunk is loaded as it is when it has not changed for `settle`. With
    `until_idle` following ends when nothing new was found for so long (`"0"`: when what is there is
    loaded), else with Ctrl-C or with what `news` raises. Each is text (`"10s"`) or timedelta.

    `news` is called, in the thread that called this, after each batch and when there is something
    to say, with what was loaded, found and said since the last call, which may be no chunk at all.
    Returned are the sums, with the newest 1,000 of `problems`, `notes` and `messages`.

    The other options are those of `load`. Without `retries` a server that is away is waited for
    without end, also at the start. `start` and `end` are absolute.

    The GIL is released. Ctrl-C ends following after the batch at hand, which a server has 10 seconds
    for; `news` is told of that batch, and KeyboardInterrupt raised. Nothing is lost: the next call
    finds by the ledger what is to be done. Other calls of a connection wait for the end: connect
    anew for them. Raises DatabaseError, UsageError, IoError for a folder that is not there; warns of
    problems.
    """
    named = [folders] if isinstance(folders, (str, _os.PathLike)) else list(folders)
    given: dict[str, Any] = {
        **row_options(options), "labels": _labels(labels), "label_from_path": label_from_path,
        "create": create, "cluster": cluster, "retries": retries, "threads": threads,
        "limits": dict(limits or {}), "folders": [_os.fsencode(one) for one in named],
        "poll": length_text(poll, "poll"), "settle": length_text(settle, "settle"),
        "until_idle": length_text(until_idle, "until_idle"),
    }
    if threads is not None and threads < 1:
        raise UsageError(f"threads: {threads} is below 1", code="bad_argument")
    if news is not None and not callable(news):
        raise TypeError("news: expected a function that takes a LoadResult")
    _core.check_follow(given)  # before a server is waited for
    told = _Told(news)
    with _opened(db, bool(create), retries, told) as connection:
        connection._opened(make=True).follow(given, told)
    return told.result()


class _Told:
    """Sums what was told, and tells it."""

    def __init__(self, news: News | None) -> None:
        self._news = news
        self._sum = _NOTHING
        self._kept: dict[str, deque[Any]] = {
            name: deque(maxlen=_MOST_KEPT) for name in ("problems", "notes", "messages")
        }

    def __call__(self, core: Mapping[str, Any]) -> None:
        self.tell(LoadResult._from_core(core))

    def tell(self, more: LoadResult) -> None:
        for name, kept in self._kept.items():
            kept.extend(getattr(more, name))
        numbers = {one.name: getattr(self._sum, one.name) + getattr(more, one.name)
                   for one in fields(LoadResult) if isinstance(getattr(more, one.name), int)}
        samples = dict(self._sum.samples)
        for kind, count in more.samples.items():
            samples[kind] = samples.get(kind, 0) + count
        self._sum = replace(self._sum, samples=samples, **numbers)
        warn(more.problems, set())
        if self._news is not None:
            self._news(more)

    def result(self) -> LoadResult:
        return replace(self._sum, problems=tuple(self._kept["problems"]),
                       notes=tuple(self._kept["notes"]), messages=tuple(self._kept["messages"]))


def _opened(
    db: Path | Connection, create: bool, retries: int | None, told: _Told
) -> AbstractContextManager[Connection]:
    """A connection; one that was made for this is closed at the end."""
    from .clickhouse import connect

    if isinstance(db, Connection):
        return nullcontext(db)
    if retries is not None or not _core.is_url(_os.fsdecode(db)):
        return connect(db, create=create)
    seconds = 0.25
    begin = _time.monotonic()
    waited = False
    while True:
        try:
            connection = connect(db, create=create)
            break
        except DatabaseError as error:
            if error.fault not in ("unreachable", "busy"):
                raise
            if not waited:
                told.tell(replace(_NOTHING, messages=(f"{error}; trying again until it works",)))
            waited = True
        _time.sleep(seconds)
        seconds = min(2 * seconds, _LONGEST_WAIT_SECONDS)
    if waited:
        text = f"the database works again after {_time.monotonic() - begin:.0f} s"
        told.tell(replace(_NOTHING, messages=(text,)))
    return connection
