"""A ClickHouse database that holds profiles."""

from __future__ import annotations

import os as _os
import threading as _threading
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict

from . import _core
from ._catalogue import ArrowCore, Catalogue, LoadResult, parameter_text
from ._comparison import Comparison
from ._errors import DatabaseError, ProfileNotFound, UsageError
from ._flamegraph import FlameGraph
from ._info import Problem
from ._options import (
    TREE_KEYS,
    check_number,
    query_options,
    texts,
    tree_options,
    where_pairs,
)
from ._profile import Profile, write_profiles
from ._progress import reporting
from ._recording import Recording
from ._recording import open as _open
from ._rows import row_options
from ._statements import by_count, schema_options, sql
from ._table import Table
from ._warn import warn

if TYPE_CHECKING:
    import datetime as _datetime
    from types import TracebackType

    from typing_extensions import Self, Unpack

    from ._engine import Engine
    from ._options import Progress, Time, Where
    from ._recording import Source
    from ._rows import RowOptions


class QueryOptions(TypedDict, total=False):
    """Keywords that say which samples of a database count, and what is made of them."""

    start: Time | None
    """The start of the range of time: `"-1h"` is before now, `"now"` now, ISO 8601 with a zone,
    numbers since the epoch, datetime with a zone; a timedelta is from now."""
    end: Time | None
    """Its end; `"+10m"`, or a timedelta above 0, is behind the start."""
    where: Where
    """What must fit: `service`, `thread`, and any other key, which is a label, with a value or
    several that are alternatives. None or an empty text: the label is not there."""
    by_thread: bool
    """The thread, or its group, as far as it was loaded, is the first frame."""
    max_stacks: int
    """The largest so many stacks of a kind stay, all others are `(other)`; default: a million."""
    sample_type: str | None
    reverse: bool
    min_width: float
    max_nodes: int | None


def source_of(
    source: Recording | Source | Iterable[Source], threads: int | None
) -> tuple[Recording, bool]:
    """A recording, and whether it was opened for this."""
    if not isinstance(source, Recording):
        return _open(source, threads=threads), True
    if threads is not None:
        raise UsageError("threads: the recording has those it was opened with",
                         code="bad_argument")
    return source, False


class Connection:
    """A folder or a server with profiles, made by `jfrtree.clickhouse.connect`.

    Any thread may use it, one after the other: calls wait for each other. `with` closes it. After a
    fork, and in `multiprocessing`, connect anew.

    Methods that read profiles take the keywords `start`, `end` (buckets of time that begin in the
    range count whole), `where`, `by_thread`, `max_stacks`, and those of `Recording.profile` that
    shape trees. They raise ProfileNotFound with the kinds and times that are stored, DatabaseError
    (`missing_table` where nothing was loaded yet), LimitError and UsageError.
    """

    __slots__ = ("_closed", "_core", "_engine", "_limits", "_lock", "_options", "place")

    place: str
    """The folder, or the URL without user and password."""

    def __init__(
        self, options: dict[str, Any], engine: Engine | None, limits: Mapping[str, int] | None
    ) -> None:
        self._options = options
        self._engine = engine
        self._limits = dict(limits or {})
        self._lock = _threading.Lock()
        self._core: _core.Database | None = None
        self._closed = False
        self.place = options["place"]
        if _core.is_url(self.place) or _os.path.exists(self.place):
            self.place = self._opened().name

    def _opened(self, make: bool = False) -> _core.Database:
        with self._lock:
            if self._closed:
                raise UsageError("the connection was closed", code="bad_argument")
            if self._core is None:
                place = self._options["place"]
                if not (make or _core.is_url(place) or _os.path.exists(place)):
                    raise DatabaseError(f"{place}: there is no such folder; load() makes it",
                                        fault="missing_table", code="io_error", file=place)
                self._core = _core.Database(self._options, self._engine)
            return self._core

    def profile(
        self,
        kind: str | None = None,
        *,
        start: Time | None = None,
        end: Time | None = None,
        where: Where = None,
        by_thread: bool = False,
        max_stacks: int = 1_000_000,
        sample_type: str | None = None,
        reverse: bool = False,
        min_width: float = 0,
        max_nodes: int | None = None,
    ) -> Profile:
        """Reads a profile back; by default of the first kind there is.

        Stacks, counts and values are those that `Recording.profile` gives with `normalize=True`, but
        that `events` is empty and `event_count` the count. Sums are made in the
        database, stacks are read afterwards; texts are bound as parameters, never pasted.
        """
        if kind is not None and not isinstance(kind, str):
            raise TypeError(f"kind: expected str, not {type(kind).__name__}")
        options: QueryOptions = {
            "start": start, "end": end, "where": where, "by_thread": by_thread,
            "max_stacks": max_stacks, "sample_type": sample_type, "reverse": reverse,
            "min_width": min_width, "max_nodes": max_nodes,
        }
        read = self._read([] if kind is None else [kind], options, only_first=True)
        return next(iter(read.values()))

    def profiles(
        self, kinds: Iterable[str] | None = None, **options: Unpack[QueryOptions]
    ) -> dict[str, Profile]:
        """Reads several profiles back, by kind: those asked for, by default all there are."""
        if isinstance(kinds, str):
            raise TypeError("kinds: expected several, profile() reads one")
        named = None if kinds is None else list(kinds)
        if named == []:
            raise UsageError("kinds: an empty list names nothing; None means all",
                             code="bad_argument")
        return self._read(named or [], options)

    def kinds(
        self, *, start: Time | None = None, end: Time | None = None, where: Where = None
    ) -> list[str]:
        """The kinds that have samples, in the order in which a default is looked for."""
        return self._opened().query_kinds(query_options(start, end, where, 1))

    def flamegraph(
        self,
        kind: str | Iterable[str] | None = None,
        *,
        title: str | None = None,
        height: int = 600,
        **options: Unpack[QueryOptions],
    ) -> FlameGraph:
        """A flame graph that shows itself in a notebook: of a kind, or one page with several; by
        default with all there are."""
        kinds = [kind] if isinstance(kind, str) else kind
        profiles = list(self.profiles(kinds, **options).values())
        text = profiles[0]._title if title is None else title
        html = write_profiles([one._core for one in profiles], "html", None,
                              {**profiles[0]._tree, "title": text})
        return FlameGraph(html.decode(), text, height)

    def top(
        self, kind: str | None = None, n: int = 20, by: str = "self",
        **options: Unpack[QueryOptions],
    ) -> Table:
        """The methods with the most `self` (or `total`), as `Profile.top`."""
        return self.profile(kind, **options).top(n, by)

    def diff(
        self,
        kind: str | None = None,
        *,
        other_start: Time | None = None,
        other_end: Time | None = None,
        other_where: Where = None,
        absolute: bool = False,
        per_second: bool = False,
        **options: Unpack[QueryOptions],
    ) -> Comparison:
        """Compares what `start`, `end` and `where` choose (before) with another range of time or
        other labels (after).

        `other_start` and `other_end` together are in place of the range, `other_where` in place of
        what `where` says of its keys; what is not given is the same on both sides. `kind` is by
        default the first that both sides have. `absolute` and `per_second` are those of
        `jfrtree.diff`. Raises ProfileNotFound when a side has no samples of the kind.
        """
        if other_start is None and other_end is None and other_where is None:
            raise UsageError("other_start, other_end, other_where: one of them must say what to "
                             "compare with", code="bad_argument")
        if absolute and per_second:
            raise UsageError("absolute and per_second contradict each other", code="bad_argument")
        sides = options, self._other_side(options, other_start, other_end, other_where)
        if kind is None:
            kinds = [self.kinds(start=side.get("start"), end=side.get("end"),
                                where=side.get("where")) for side in sides]
            common = [one for one in kinds[0] if one in kinds[1]]
            if not common:
                raise ProfileNotFound(
                    f"{self.place}: no kind has samples on both sides: "
                    f"{', '.join(kinds[0]) or 'none'} and {', '.join(kinds[1]) or 'none'}",
                    code="profile_not_found", file=self.place)
            kind = common[0]
        left, right = (self.profile(kind, **side) for side in sides)
        names = _side_text(sides[0], "before"), _side_text(sides[1], "after")
        how = "absolute" if absolute else "per_second" if per_second else "share"
        return Comparison(left, right, how, names)

    @staticmethod
    def _other_side(
        options: QueryOptions, start: Time | None, end: Time | None, where: Where
    ) -> QueryOptions:
        other = options.copy()
        if start is not None or end is not None:
            other["start"], other["end"] = start, end
        changed = where_pairs(where, "other_where")
        keys = {key for key, _ in changed}
        merged: dict[str, list[str]] = {}
        for key, value in where_pairs(options.get("where")):
            if key not in keys:
                merged.setdefault(key, []).append(value)
        for key, value in changed:
            merged.setdefault(key, []).append(value)
        other["where"] = merged
        return other

    def catalogue(
        self,
        *,
        services: str | Iterable[str] | None = None,
        start: Time | None = None,
        end: Time | None = None,
        recordings: int = 1000,
    ) -> Catalogue:
        """Recordings, services, kinds and labels that are stored, as tables: of all services or of
        some, of all times or those that have something in the range. No samples are read.

        Of recordings the newest `recordings` are listed (0: all), of which there may be millions.
        """
        check_number(recordings, "recordings", 0)
        options = {
            "services": texts(services), "most_recordings": recordings,
            **query_options(start, end, None, 1),
        }
        return Catalogue._from_core(self._opened().query_catalogue(options))

    def sql(
        self,
        kind: str,
        *,
        start: Time | None = None,
        end: Time | None = None,
        where: Where = None,
        by_thread: bool = False,
        macros: str | None = None,
        max_stacks: int = 10_000,
        sample_type: str | None = None,
        min_width: float = 0,
        database: str | None = None,
        settings: bool = True,
    ) -> str:
        """The statement of `jfrtree.clickhouse.sql`: a flame graph for Grafana."""
        return sql(kind, start=start, end=end, where=where, by_thread=by_thread, macros=macros,
                   max_stacks=max_stacks, sample_type=sample_type, min_width=min_width,
                   database=database, settings=settings)

    def query(self, sql: str, parameters: Mapping[str, Any] | None = None) -> Table:
        """Runs a query of your own and gives its result as a table. Needs pyarrow
        (`pip install 'jfrtree[arrow]'`); `execute` does not.

        `parameters` are the values of `{name:Type}` in the query: str, int, float, bool, Decimal,
        date and datetime; they are bound by the server, never pasted. The query has no FORMAT. A column of DateTime comes as ClickHouse writes it for Arrow, in seconds since the
        epoch; `toDateTime64(ts, 0)` makes times of it.
        """
        ArrowCore.check()
        return Table(ArrowCore(self.execute(sql.rstrip().rstrip(";") + "\nFORMAT ArrowStream",
                                            parameters)))

    def execute(self, sql: str, parameters: Mapping[str, Any] | None = None) -> bytes:
        """Runs any statement; what it gives, tab-separated, or as its FORMAT says."""
        values = {name: parameter_text(value) for name, value in (parameters or {}).items()}
        return self._opened().query(sql, values)

    def load(
        self,
        source: Recording | Source | Iterable[Source],
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
        """Loads recordings, as `jfrtree.clickhouse.load`."""
        given: dict[str, Any] = {
            **row_options(options), "labels": _labels(labels), "label_from_path": label_from_path,
            "create": create, "force": force, "cluster": cluster, "retries": retries,
        }
        recording, opened = source_of(source, threads)
        try:
            with reporting(recording._progress if progress is None else progress) as report:
                result = self._opened(make=True).load(recording._opened(), given, report)
        finally:
            if opened:
                recording.close()
        loaded = LoadResult._from_core(result)
        warn(loaded.problems, set() if opened else recording._known_problems)
        return loaded

    def create_tables(
        self,
        *,
        model: str = "hashed",
        cluster: str | None = None,
        retention: int | _datetime.timedelta | None = None,
    ) -> None:
        """Makes the tables and views of `jfrtree.clickhouse.schema` that are not there."""
        self._opened(make=True).create_tables(schema_options(model, cluster, None, retention))

    def close(self) -> None:
        """Gives the folder or the connection back; profiles that were read stay usable."""
        with self._lock:
            core, self._core, self._closed = self._core, None, True
        if core is not None:
            core.close()

    def _read(
        self, kinds: list[str], options: QueryOptions, only_first: bool = False
    ) -> dict[str, Profile]:
        known = QueryOptions.__annotations__
        for name in options:
            if name not in known:
                raise TypeError(f"no option is called {name!r}")
        tree = tree_options({key: one for key, one in options.items() if key in TREE_KEYS})
        query = query_options(options.get("start"), options.get("end"), options.get("where"),
                              options.get("max_stacks", 1_000_000))
        query.update(kinds=kinds, by_thread=options.get("by_thread", False), only_first=only_first,
                     by_count=by_count(options.get("sample_type")), limits=self._limits)
        try:
            result = self._opened().query_profiles(query)
        except ProfileNotFound as error:
            error.available = tuple(self.kinds())
            raise
        findings = tuple(map(Problem._from_core, result["found"]))
        warn(findings, set())
        labels = [f"{key}={value}" for key, value in query["where"]]
        times = _times_text(options)
        tree.update(labels=labels, notes=[times] if times else [])
        title = ", ".join(labels) or self.place
        profiles = (Profile(one, title=title, tree=tree, findings=findings)
                    for one in result["profiles"])
        return {profile.kind: profile for profile in profiles}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Connection cannot be pickled: send what connect() takes, and connect in "
                        "the other process")

    def __repr__(self) -> str:
        return f"<Connection {self.place!r}{', closed' if self._closed else ''}>"


def _labels(labels: Mapping[str, str] | None) -> dict[str, str]:
    if isinstance(labels, str):
        raise TypeError("labels: expected a mapping of str to str, not str")
    given = dict(labels or {})
    for pair in given.items():
        if not all(isinstance(text, str) for text in pair):
            raise TypeError("labels: keys and values are str")
    if "" in given:
        raise UsageError("labels: a key is empty", code="bad_argument")
    return given


def _times_text(options: QueryOptions) -> str:
    start, end = options.get("start"), options.get("end")
    ends = [f"{word} {time}" for word, time in (("from", start), ("to", end)) if time is not None]
    return " ".join(ends)


def _side_text(options: QueryOptions, otherwise: str) -> str:
    pairs = [f"{key}={value}" for key, value in where_pairs(options.get("where"))]
    return " ".join([*pairs, _times_text(options)]).strip() or otherwise
