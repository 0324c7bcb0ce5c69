"""What a recording holds, as plain data."""

from __future__ import annotations

import datetime as _datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ._words import in_python

__all__ = [
    "ChunkInfo",
    "EventField",
    "EventType",
    "FileInfo",
    "Format",
    "Kind",
    "LeftOut",
    "Limit",
    "Problem",
    "ProfileInfo",
    "RecordingInfo",
    "SampleType",
    "Setting",
]

_EPOCH = _datetime.datetime(1970, 1, 1, tzinfo=_datetime.timezone.utc)


def to_datetime(ns: int) -> _datetime.datetime:
    """Nanoseconds since the epoch as a datetime in UTC, which holds microseconds."""
    return _EPOCH + _datetime.timedelta(microseconds=ns // 1000)


def to_timedelta(ns: int) -> _datetime.timedelta:
    return _datetime.timedelta(microseconds=ns // 1000)


class SampleType(NamedTuple):
    """One number that every sample of a profile has, e.g. `alloc_space` in `bytes`."""

    name: str
    unit: str

    def __str__(self) -> str:
        return f"{self.name}/{self.unit}"


class Kind(NamedTuple):
    """A profile kind that can be asked for by name."""

    name: str
    description: str
    is_snapshot: bool
    """A state at a moment, which is never summed over time."""
    has_class_leaf: bool
    """Stacks end with the class of the object, unless `class_leaf=False`."""


class Format(NamedTuple):
    """An output format."""

    name: str
    endings: tuple[str, ...]
    """File endings that stand for it."""
    description: str
    holds_several_profiles: bool


class Limit(NamedTuple):
    """A bound on what hostile or damaged input may cost."""

    name: str
    default: int
    description: str


@dataclass(frozen=True)
class Problem:
    """Something that was found in an input and that reading survived.

    A note (`is_note`) says something about healthy input; anything else means that bytes or samples
    could not be used. Equal findings of one chunk are one, with their number in `count`.
    """

    code: str
    """A stable word, e.g. `"truncated_chunk"`."""
    file: str | None
    chunk: int | None
    """From 1 within the file."""
    offset: int | None
    """Byte position in the decompressed file: the first place."""
    count: int
    message: str
    is_note: bool = False
    text: str = field(default="", repr=False)
    """All of it in one line."""

    def __str__(self) -> str:
        return self.text

    @classmethod
    def _from_core(cls, row: Sequence[Any]) -> Problem:
        code, severity, file, chunk, offset, count, message, text = row
        message, text = in_python(message, text)
        return cls(code, file, chunk, offset, count, message, severity == "note", text)


@dataclass(frozen=True)
class LeftOut:
    """Events that a kind could have counted and did not."""

    kind: str
    event: str
    count: int
    reason: str


class Setting(NamedTuple):
    """A setting that was in force while the recording was made."""

    event: str
    name: str
    value: str


@dataclass(frozen=True)
class ChunkInfo:
    """One chunk of a file. Times are nanoseconds since the epoch and lengths in nanoseconds."""

    file: str
    number: int
    offset: int
    bytes: int
    version: str
    start_ns: int
    duration_ns: int
    ticks_per_second: int
    state: str
    """`complete`, `empty`, `unfinished` or `truncated`."""
    producer: str
    events: int
    problems: int

    @property
    def finished(self) -> bool:
        """Whether the writer completed it and all of it is there."""
        return self.state == "complete"

    @property
    def start(self) -> _datetime.datetime:
        return to_datetime(self.start_ns)

    @property
    def end(self) -> _datetime.datetime:
        return to_datetime(self.start_ns + self.duration_ns)

    @property
    def duration(self) -> _datetime.timedelta:
        return to_timedelta(self.duration_ns)


@dataclass(frozen=True)
class FileInfo:
    """One input. `path` is its name where it is no file."""

    path: str
    bytes: int
    """As it lies on disk."""
    container: str
    """`plain`, `gzip`, `zstd`, `lz4` or `zip`."""
    chunks: tuple[ChunkInfo, ...] = field(repr=False)


@dataclass(frozen=True)
class ProfileInfo:
    """A kind that has samples."""

    kind: str
    events: tuple[str, ...]
    """Names of the event types its samples come from."""
    event_count: int
    samples: int
    """Sum of the counts: an event may stand for several samples."""
    total: int | None
    """Sum of the value, in the unit of `sample_types[1]`; None where unknown or without a value."""
    sample_types: tuple[SampleType, ...]
    default_sample_type: SampleType
    totals: tuple[int | None, ...]
    """One sum for each sample type."""
    left_out: tuple[LeftOut, ...]

    @classmethod
    def _from_core(cls, row: Mapping[str, Any]) -> ProfileInfo:
        types = tuple(SampleType(*pair) for pair in row["sample_types"])
        totals = (row["samples"], row["total"], *row["further_totals"])
        return cls(
            kind=row["kind"],
            events=tuple(row["events"]),
            event_count=row["event_count"],
            samples=row["samples"],
            total=row["total"],
            sample_types=types,
            default_sample_type=types[row["default_sample_type"]],
            totals=totals[: len(types)],
            left_out=tuple(LeftOut(*one) for one in row["left_out"]),
        )


@dataclass(frozen=True)
class RecordingInfo:
    """What `jfrtree info` says. No stacks are decoded for it.

    Times are in UTC; `*_ns` are exact, in nanoseconds (since the epoch). They are None where no
    chunk was read, as for collapsed stacks.
    """

    files: tuple[FileInfo, ...]
    chunks: tuple[ChunkInfo, ...] = field(repr=False)
    """Those of all files."""
    start_ns: int | None
    end_ns: int | None
    producer: str
    """E.g. `OpenJDK 64-Bit Server VM 17.0.15+6`; empty where unknown."""
    events: dict[str, int] = field(repr=False)
    """Events by the name of their type, of types that have one at least."""
    profiles: dict[str, ProfileInfo] = field(repr=False)
    notes: tuple[Problem, ...] = field(repr=False)
    problems: tuple[Problem, ...]

    @property
    def start(self) -> _datetime.datetime | None:
        return None if self.start_ns is None else to_datetime(self.start_ns)

    @property
    def end(self) -> _datetime.datetime | None:
        return None if self.end_ns is None else to_datetime(self.end_ns)

    @property
    def duration_ns(self) -> int | None:
        if self.start_ns is None or self.end_ns is None:
            return None
        return self.end_ns - self.start_ns

    @property
    def duration(self) -> _datetime.timedelta | None:
        return None if self.duration_ns is None else to_timedelta(self.duration_ns)

    @classmethod
    def _from_core(cls, summary: Mapping[str, Any]) -> RecordingInfo:
        files = tuple(
            FileInfo(
                path=file["path"],
                bytes=file["bytes"],
                container=file["container"],
                chunks=tuple(ChunkInfo(file=file["path"], **chunk) for chunk in file["chunks"]),
            )
            for file in summary["files"]
        )
        findings = [
            Problem._from_core(row)
            for row in (*summary["found"], *summary["notes"], *summary["problems"])
        ]
        profiles = [ProfileInfo._from_core(row) for row in summary["profiles"]]
        return cls(
            files=files,
            chunks=tuple(chunk for file in files for chunk in file.chunks),
            start_ns=summary["start_ns"],
            end_ns=summary["end_ns"],
            producer=summary["producer"],
            events=dict(summary["events"]),
            profiles={profile.kind: profile for profile in profiles},
            notes=tuple(one for one in findings if one.is_note),
            problems=tuple(one for one in findings if not one.is_note),
        )


@dataclass(frozen=True)
class EventField:
    """A field of an event type, or of a struct inside it: `name` is the path, joined by dots."""

    name: str
    type: str
    """E.g. `int64`, `text`, `timestamp`, `duration`, `stack`, `list`."""
    label: str
    unit: str
    """What a number counts, e.g. `bytes`, `ns`; empty: nothing in particular."""
    elements: tuple[EventField, ...] = ()
    """Of a list: one for plain values, else the fields of its structs."""

    @classmethod
    def _from_core(cls, row: Mapping[str, Any]) -> EventField:
        elements = tuple(cls._from_core(element) for element in row["elements"])
        return cls(row["name"], row["type"], row["label"], row["unit"], elements)


@dataclass(frozen=True)
class EventType:
    """An event type that the recording declares."""

    name: str
    label: str
    count: int
    """Events of this type."""
    fields: tuple[EventField, ...] = field(repr=False)
