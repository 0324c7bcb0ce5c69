"""Recordings: where samples and events come from."""

from __future__ import annotations

import os as _os
import stat as _stat
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, Union

from . import _core
from ._errors import IoError, ProfileNotFound, UsageError
from ._flamegraph import FlameGraph
from ._info import (
    EventField,
    EventType,
    LeftOut,
    Problem,
    ProfileInfo,
    RecordingInfo,
    Setting,
)
from ._options import (
    TREE_KEYS,
    Context,
    Length,
    Path,
    Patterns,
    ProfileOptions,
    Progress,
    Texts,
    Times,
    TreeOptions,
    check_number,
    profile_options,
    times,
    tree_options,
)
from ._profile import Profile, write_profiles
from ._progress import reporting
from ._table import EventTable
from ._unpicklable import Unpicklable
from ._warn import warn

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self, Unpack

__all__ = ["Recording", "Source", "open"]


class Readable(Protocol):
    """A binary file object."""

    def read(self, size: int, /) -> bytes: ...


Source = Union[Path, bytes, bytearray, memoryview, BinaryIO, Readable]
Labels = Union[Mapping[str, str], Sequence[Mapping[str, str]], None]


class Recording(Unpicklable):
    """One or several inputs that are read as one recording.

    Made by `jfrtree.open`. Nothing is kept of what was read but what `info` says: each profile is a
    pass over the files, which are not to change meanwhile. Any thread may use it.
    """

    __slots__ = (
        "_core", "_info", "_inputs", "_known_problems", "_progress", "_threads", "labels", "name",
    )

    name: str
    """The first input's name, and how many more there are."""
    labels: tuple[dict[str, str], ...]
    """The labels of each input."""

    def __init__(
        self, core: _core.Recording, names: Sequence[str], labels: Iterable[Mapping[str, str]],
        progress: Progress, threads: int, inputs: tuple[bytes, ...],
    ) -> None:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        self.name = (_os.path.basename(names[0].rstrip("/")) or names[0]) + more
        self.labels = tuple(dict(one) for one in labels)
        self._core: _core.Recording | None = core
        self._info: RecordingInfo | None = None
        self._known_problems: set[str] = set()
        self._progress = progress
        self._threads = threads
        self._inputs = inputs

    @property
    def info(self) -> RecordingInfo:
        """Chunks, time, producer, events, profiles and problems; read once.

        Raises FormatError, LimitError, IoError; warns of problems.
        """
        if self._info is None:
            info = RecordingInfo._from_core(self._summarize())
            warn(info.problems, self._known_problems)
            self._info = info
        return self._info

    def _summarize(self, settings: bool = False) -> dict[str, Any]:
        core = self._opened()
        with reporting(self._progress) as report:
            return core.summarize(False, settings, report)

    @property
    def profiles(self) -> dict[str, ProfileInfo]:
        """The kinds that have samples, in the order in which a default is looked for."""
        return dict(self.info.profiles)

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings that were in force, by event type; read each time."""
        return tuple(Setting(*row) for row in self._summarize(settings=True)["settings"])

    @property
    def event_types(self) -> dict[str, EventType]:
        """The event types that the recording declares, by name, with their fields; read each time.
        """
        with reporting(self._progress) as report:
            rows = self._opened().event_types(report)
        return {
            name: EventType(name, label, count, tuple(map(EventField._from_core, columns)))
            for name, label, count, columns in rows
        }

    def profile(
        self,
        kind: str | None = None,
        *,
        event: str | None = None,
        value_field: str | None = None,
        sample_type: str | None = None,
        leak: bool = False,
        compat: str | None = None,
        start: Times = None,
        end: Times = None,
        thread: Patterns = None,
        tid: int | Iterable[int] | None = None,
        state: Texts = None,
        include: Patterns = None,
        exclude: Patterns = None,
        focus: Patterns = None,
        min_duration: Length = None,
        skip: int = 0,
        depth: int | None = None,
        context: Context = None,
        span: Patterns = None,
        class_leaf: bool | None = None,
        truncated_frame: bool = True,
        by_thread: bool = False,
        fold_thread_names: bool = False,
        thread_group: Patterns = None,
        lines: bool = False,
        bci: bool = False,
        signatures: bool = False,
        simple: bool = False,
        slashes: bool = False,
        modules: bool = False,
        frame_types: bool = False,
        libraries: bool = False,
        normalize: bool = False,
        hide_hidden: bool = False,
        reverse: bool = False,
        min_width: float = 0,
        max_nodes: int | None = None,
        progress: Progress = None,
    ) -> Profile:
        """Reads one profile.

        `kind` is one of `jfrtree.kinds` that the recording has samples of (see `profiles`); default:
        the first of them. `event` names an event type with a stack trace instead, `value_field` its
        numeric field that is the value (default: `duration` if it has one).

        Which samples: `start` and `end` (start ≤ time < end) take what the command line takes
        (`"+10s"`, `"-1m"`, ISO 8601 with a zone, numbers since the epoch), datetime with a zone, and
        timedelta (behind the start of the recording; a negative one before its end). `thread`,
        `include`, `exclude`, `focus`, `span` and `thread_group` are regular expressions of RE2, found
        anywhere in a text, or lists of them; compiled patterns too. `min_duration` is text (`"10ms"`)
        or timedelta. Several options must all fit, of several values of one option one.

        How frames read: `lines`, `bci`, `signatures`, `simple`, `slashes`, `modules`, `frame_types`,
        `libraries`, `normalize`, `hide_hidden`; which synthetic ones there are: `class_leaf`,
        `truncated_frame`, `by_thread`, `fold_thread_names`, `thread_group`. `sample_type`, `reverse`,
        `min_width` and `max_nodes` are the defaults of what is made from the profile.
        docs/filters.md and docs/frames.md of the project describe them.

        Raises ProfileNotFound, UsageError, FormatError, LimitError, IoError; warns of problems.

        >>> import jfrtree
        >>> recording = jfrtree.open("jdk17-mixed.jfr")
        >>> recording.profile("cpu").count
        755
        >>> recording.profile("cpu", thread="^reporting-1$").count
        158
        >>> recording.profile(event="jdk.ThreadSleep").total
        50075678
        """
        given = {
            key: value for key, value in locals().items()
            if key not in ("self", "kind", "event", "progress")
        }
        return self._read_one(kind, event, given, progress)

    def _read_one(
        self, kind: str | None, event: str | None, options: dict[str, Any], progress: Progress
    ) -> Profile:
        if kind is not None and event is not None:
            raise UsageError("kind and event contradict each other", code="bad_argument")
        for name, value in (("kind", kind), ("event", event)):
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{name}: expected str, not {type(value).__name__}")
            if value == "":
                raise UsageError(f"{name}: an empty name names nothing", code="bad_argument")
        if not event and options.get("value_field"):
            raise UsageError("value_field: needs event, kinds have values of their own",
                             code="bad_argument")
        if options.get("leak") and kind != "native-mem":
            raise UsageError("leak: needs the kind native-mem, others have nothing that is freed",
                             code="bad_argument")
        if options.get("compat") and kind is None:
            raise UsageError("compat: needs a kind", code="bad_argument")
        kinds = [kind] if kind is not None else []
        read = self._read(kinds, event, options, progress)
        return next(iter(read.values()))

    def read_profiles(
        self,
        kinds: Iterable[str] | None = None,
        *,
        progress: Progress = None,
        **options: Unpack[ProfileOptions],
    ) -> dict[str, Profile]:
        """Reads several profiles in one pass, by kind: those asked for, by default all that have
        samples. Options and errors are those of `profile`."""
        if isinstance(kinds, str):
            raise TypeError("kinds: expected several, profile() reads one")
        if "event" in options:
            raise UsageError("event: profile() reads the events of a type", code="bad_argument")
        wanted = _named(kinds, "kinds")
        return self._read(wanted, None, dict(options), progress)

    def _read(
        self, kinds: list[str], event: str | None, options: dict[str, Any], progress: Progress
    ) -> dict[str, Profile]:
        core = self._opened()
        given = profile_options({**options, "event": event})
        tree = tree_options({key: options[key] for key in TREE_KEYS if key in options})
        if options.get("compat"):
            tree["raw_frames"] = True
        wanted = self._progress if progress is None else progress
        try:
            with reporting(wanted) as report:
                result = core.read_profiles({**given, "kinds": kinds}, report)
        except ProfileNotFound as error:
            error.available = tuple(self.info.profiles)
            raise
        if not result["profiles"]:
            self._raise_empty(result["event_types_with_stacks"])
        findings = tuple(map(Problem._from_core, result["found"]))
        left_out = [LeftOut(*row) for row in result["left_out"]]
        warn(findings, self._known_problems)
        tree["threads"] = self._threads
        profiles = (
            Profile(
                one, title=self.name, tree=tree, findings=findings, inputs=self._inputs,
                left_out=tuple(row for row in left_out if row.kind == one.kind),
            )
            for one in result["profiles"]
        )
        return {profile.kind: profile for profile in profiles}

    def _raise_empty(self, event_types: list[str]) -> None:
        text = f"{self.name}: no samples of any profile kind"
        if event_types:
            text += "; event= takes one of the types with stack traces: " + ", ".join(event_types)
        else:
            text += " and no event with a stack trace"
        raise ProfileNotFound(text, code="profile_not_found")

    def events(
        self,
        *types: str,
        columns: Iterable[str] | None = None,
        start: Times = None,
        end: Times = None,
        stacks: bool = True,
        lines: bool = False,
        simple: bool = False,
        libraries: bool = False,
        normalize: bool = False,
        hide_hidden: bool = False,
        max_rows: int | None = None,
        progress: Progress = None,
    ) -> EventTable:
        """The events of some types as a table, with a column for each field.

        In a name `*` stands for any characters, but not for types that may hold secrets (system
        properties, environment variables, command lines): these are read by their whole name only.
        Of several types, the first column is `type`, and the others are those of all. `columns`
        chooses some, in this order; a name stands for everything below it too. `start` and `end` are
        those of `profile`. `stacks=False` leaves stack traces out, `lines` and the other options of
        frames shape them. `max_rows` is the most rows there are.

        Raises UsageError for a type or column that the recording does not declare, FormatError,
        LimitError, IoError; warns of problems.

        >>> import jfrtree
        >>> recording = jfrtree.open("jdk17-mixed.jfr")
        >>> recording.events("jdk.ThreadSleep", columns=["duration", "time"]).to_pylist()
        [{'duration': datetime.timedelta(microseconds=50075), 'time': datetime.timedelta(microseconds=50000)}]
        """
        if not types:
            raise UsageError("which events? event_types lists the types", code="bad_argument")
        for name in types:
            if not isinstance(name, str):
                raise TypeError(f"an event type is a str, not {type(name).__name__}")
        if isinstance(columns, str):
            raise TypeError("columns: expected several names, as ['duration']")
        check_number(max_rows, "max_rows", 0)
        options = {
            "types": list(types), "columns": _named(columns, "columns"), "stacks": stacks,
            "start": times(start, "start"), "end": times(end, "end"), "lines": lines,
            "simple": simple, "libraries": libraries, "normalize": normalize,
            "hide_hidden": hide_hidden, "max_rows": max_rows,
        }
        wanted = self._progress if progress is None else progress
        return EventTable(_core.EventTable(self._opened(), options), wanted, inputs=self._inputs)

    def flamegraph(
        self,
        kinds: Iterable[str] | None = None,
        *,
        title: str | None = None,
        height: int = 600,
        **options: Unpack[ProfileOptions],
    ) -> FlameGraph:
        """One page with the flame graphs of several kinds, by default of all that have samples."""
        tree, rest = _split(dict(options))
        profiles = list(self.read_profiles(kinds, **rest).values())
        text = self.name if title is None else title
        html = write_profiles([one._core for one in profiles], "html", None,
                              {**tree_options(tree), "title": text})
        return FlameGraph._of(html.decode(), text, height, self._inputs)

    def close(self) -> None:
        """Gives back buffers and temporary files; profiles that were read stay usable."""
        self._core = None

    def _opened(self) -> _core.Recording:
        if self._core is None:
            raise UsageError("the recording was closed", code="bad_argument")
        return self._core

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._core is None:
            return f"<Recording {self.name!r}, closed>"
        if self._info is None:
            return f"<Recording {self.name!r}>"
        kinds = ", ".join(f"{one.kind} {one.samples:,}" for one in self._info.profiles.values())
        return f"<Recording {self.name!r}: {len(self._info.chunks):,} chunks; {kinds or 'no samples'}>"


def _named(names: Iterable[str] | None, option: str) -> list[str]:
    """The names given; none where nothing was said, which means all."""
    given = None if names is None else list(names)
    if given == []:
        raise UsageError(f"{option}: an empty list names nothing; None means all",
                         code="bad_argument")
    return given or []


def _split(options: dict[str, Any]) -> tuple[TreeOptions, ProfileOptions]:
    tree: Any = {key: value for key, value in options.items() if key in TREE_KEYS}
    rest: Any = {key: value for key, value in options.items() if key not in TREE_KEYS}
    return tree, rest


def open(
    source: Source | Iterable[Source],
    *,
    strict: bool = False,
    threads: int | None = None,
    limits: Mapping[str, int] | None = None,
    progress: Progress = None,
    labels: Labels = None,
) -> Recording:
    """Opens a recording: the path of a file or folder, bytes, a binary file object, or a list of
    these, which are read as one.

    A folder stands for the recordings in it. gzip, zstd, LZ4 and zip are recognised by content;
    collapsed stacks are read too, as the kind `collapsed`. Bytes (and what else has a buffer: mmap,
    memoryview, arrays) are not copied, and kept until the recording is closed. A file object is read
    to its end now, from where it stands.

    With `strict` the first problem is a FormatError. `threads` is how many work at most, by default
    the cores there are; results do not depend on it. `limits` sets bounds on hostile input by their
    names in `jfrtree.limits`. `progress` is True for a bar, or called with the bytes done and the
    bytes in all (0: unknown) during each reading. `labels` is a dict for all inputs, or a list with
    one for each.

    Raises IoError (which is also a FileNotFoundError where there is no such file), FormatError when a
    single input is empty or no recording from its first bytes, UsageError.

    >>> import jfrtree
    >>> recording = jfrtree.open("jdk17-mixed.jfr")
    >>> recording.info.start.isoformat(timespec="seconds")[:4], len(recording.info.chunks)
    ('2026', 1)
    >>> list(recording.profiles)[:3]
    ['cpu', 'alloc', 'lock']
    """
    sources = _list(source)
    if not sources:
        raise UsageError("an empty list is no recording", code="bad_argument")
    if threads is not None and threads < 1:
        raise UsageError(f"threads: {threads} is below 1", code="bad_argument")
    each = _labels(labels, len(sources))
    options = {"strict": bool(strict), "threads": threads, "limits": dict(limits or {})}
    core = _core.Recording(options)
    names = [_add(core, one, index if len(sources) > 1 else None, each[index])
             for index, one in enumerate(sources)]
    core.check_start()
    inputs = tuple(path for one in sources for path in _path_of(one))
    return Recording(core, names, each, progress, threads or 0, inputs)


def _list(source: Any) -> list[Any]:
    if _is_path(source) or _is_buffer(source) or hasattr(source, "read"):
        return [source]
    if isinstance(source, Iterable) and not isinstance(source, Mapping):
        return list(source)
    raise TypeError("expected a path, bytes, a binary file object or a list of these, "
                    f"not {type(source).__name__}")


def _is_path(source: Any) -> bool:
    return isinstance(source, (str, _os.PathLike))


def _path_of(source: Any) -> list[bytes]:
    """Where an input lies, in whatever folder the process is later: of a path or a file object."""
    if _is_path(source):
        return [_os.path.abspath(_os.fsencode(source))]
    name = getattr(source, "name", None) if hasattr(source, "read") else None
    if isinstance(name, (str, bytes, _os.PathLike)) and _os.path.isfile(name):
        return [_os.path.abspath(_os.fsencode(name))]
    return []


def _is_buffer(source: Any) -> bool:
    try:
        memoryview(source).release()
    except TypeError:
        return False
    return True


def _labels(labels: Labels, count: int) -> list[dict[str, str]]:
    many = [labels or {}] * count if labels is None or isinstance(labels, Mapping) else list(labels)
    if len(many) != count:
        raise UsageError(f"labels: {len(many)} dicts for {count} inputs", code="bad_argument")
    for one in many:
        for pair in one.items():
            if not all(isinstance(text, str) for text in pair):
                raise TypeError("labels: keys and values are str")
    return [dict(one) for one in many]


def _add(core: _core.Recording, source: Any, index: int | None, labels: dict[str, str]) -> str:
    """Adds one input; returns its name."""
    number = "" if index is None else f" {index + 1}"
    if _is_path(source):
        return _add_path(core, source, labels)
    if _is_buffer(source):
        name = f"<{type(source).__name__}{number}>"
        core.add_buffer(source, name, labels)
        return name
    if hasattr(source, "read"):
        given = getattr(source, "name", None)
        name = given if isinstance(given, str) else f"<{type(source).__name__}{number}>"
        core.add_file_object(source, name, labels)
        return name
    raise TypeError("expected a path, bytes or a binary file object, "
                    f"not {type(source).__name__}")


def _add_path(core: _core.Recording, source: Path, labels: dict[str, str]) -> str:
    path = _os.fsencode(source)
    name = _os.fsdecode(path)
    try:
        mode = _os.stat(path).st_mode
        if _stat.S_ISREG(mode) or _stat.S_ISDIR(mode):
            core.add_path(b"./-" if path == b"-" else path, labels)
        else:
            # A pipe can be read once, and a recording is read as often as somebody asks.
            with _os.fdopen(_os.open(path, _os.O_RDONLY), "rb") as file:
                core.add_file_object(file, name, labels)
    except OSError as error:
        if isinstance(error, IoError):
            raise
        raise IoError._from_os(error, name) from None
    return name
