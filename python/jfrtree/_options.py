"""The options of the command line, as Python values."""

from __future__ import annotations

import datetime as _datetime
import os as _os
import re as _re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict, Union

from . import _core
from ._errors import UsageError

Path = Union[str, "_os.PathLike[str]"]
Progress = Union[bool, Callable[[int, int], object], None]
Pattern = Union[str, "_re.Pattern[str]"]
Patterns = Union[Pattern, Iterable[Pattern], None]
Texts = Union[str, Iterable[str], None]
Time = Union[str, int, float, _datetime.datetime, _datetime.timedelta]
Times = Union[Time, Sequence[Time], None]
Length = Union[str, _datetime.timedelta, None]
Context = Union[str, Iterable[str], Mapping[str, Any], None]
Where = Union[str, Iterable[str], Mapping[str, Union[str, Iterable[str], None]], None]


class ProfileOptions(TypedDict, total=False):
    """The keywords of `Recording.profile` that say which samples count and how frames read."""

    value_field: str | None
    sample_type: str | None
    leak: bool
    compat: str | None
    start: Times
    end: Times
    thread: Patterns
    tid: int | Iterable[int] | None
    state: Texts
    include: Patterns
    exclude: Patterns
    focus: Patterns
    min_duration: Length
    skip: int
    depth: int | None
    context: Context
    span: Patterns
    class_leaf: bool | None
    truncated_frame: bool
    by_thread: bool
    fold_thread_names: bool
    thread_group: Patterns
    lines: bool
    bci: bool
    signatures: bool
    simple: bool
    slashes: bool
    modules: bool
    frame_types: bool
    libraries: bool
    normalize: bool
    hide_hidden: bool
    reverse: bool
    min_width: float
    max_nodes: int | None


class TreeOptions(TypedDict, total=False):
    """What a tree, and what is made from one, looks like."""

    sample_type: str | None
    """`count`, `value`, or the name of a sample type; default: that of the profile."""
    reverse: bool
    """Rooted at the leaves."""
    min_width: float
    """Percent of the total below which nodes are folded into `(other)`."""
    max_nodes: int | None
    """Keep about the largest so many; 0: all; None: the default of the format."""


TREE_KEYS = ("sample_type", "reverse", "min_width", "max_nodes")


def patterns(value: Patterns, option: str) -> list[str]:
    """One pattern or several, as texts."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        items: list[Any] = list(value)
    else:
        items = [] if value is None else [value]
    texts = []
    for item in items:
        if isinstance(item, _re.Pattern):
            item = _inline_flags(item)
        if not isinstance(item, str):
            raise TypeError(f"{option}: expected str or a compiled pattern, "
                            f"not {type(item).__name__}")
        if not item:
            raise UsageError(f"{option}: an empty pattern fits everything", code="bad_argument")
        texts.append(item)
    return texts


def _inline_flags(pattern: _re.Pattern[str]) -> str:
    """The text of a compiled pattern, with the flags that RE2 knows in front of it."""
    if not isinstance(pattern.pattern, str):
        raise TypeError("a pattern of bytes does not fit names, which are text")
    letters = "".join(letter for flag, letter in (
        (_re.IGNORECASE, "i"), (_re.MULTILINE, "m"), (_re.DOTALL, "s")) if pattern.flags & flag)
    if pattern.flags & _re.VERBOSE:
        raise UsageError("a pattern compiled with re.VERBOSE is not understood: "
                         "write it in one line", code="bad_argument")
    return f"(?{letters}){pattern.pattern}" if letters else pattern.pattern


def texts(value: Texts) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


def time_text(value: Any, option: str) -> str:
    """A point in time as the command line writes it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        raise TypeError(f"{option}: a point in time is no bool")
    if isinstance(value, _datetime.datetime):
        if value.tzinfo is None:
            raise UsageError(f"{option}: {value!r} has no time zone; "
                             "add one, as in datetime(..., tzinfo=timezone.utc)",
                             code="bad_argument")
        return f"{_epoch_ns(value)}ns"
    if isinstance(value, _datetime.timedelta):
        ns = _length_ns(value)
        return f"+{ns}ns" if ns >= 0 else f"-{-ns}ns"
    if type(value).__name__ == "datetime64":
        return f"{int(value.astype('datetime64[ns]').astype('int64'))}ns"
    if type(value).__name__ == "timedelta64":
        ns = int(value.astype("timedelta64[ns]").astype("int64"))
        return f"+{ns}ns" if ns >= 0 else f"-{-ns}ns"
    if isinstance(value, float):
        return f"{value:.9f}s"
    if hasattr(value, "__index__"):
        return str(value.__index__())
    raise TypeError(f"{option}: expected str, int, float, datetime or timedelta, "
                    f"not {type(value).__name__}")


def _epoch_ns(value: _datetime.datetime) -> int:
    # What is more exact than a datetime, such as pandas.Timestamp.
    span = value - _datetime.datetime(1970, 1, 1, tzinfo=_datetime.timezone.utc)
    return _length_ns(span)


def _length_ns(value: _datetime.timedelta) -> int:
    whole = (value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds
    return whole * 1000 + int(getattr(value, "nanoseconds", 0))


def times(value: Any, option: str) -> list[str]:
    many = isinstance(value, (list, tuple))
    items = value if many else [] if value is None else [value]
    return [time_text(item, option) for item in items]


def length_text(value: Any, option: str) -> str | None:
    """A length of time as the command line writes it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, _datetime.timedelta):
        if value < _datetime.timedelta(0):
            raise UsageError(f"{option}: {value} is less than nothing", code="bad_argument")
        return f"{_length_ns(value)}ns"
    raise TypeError(f"{option}: expected str, as '10ms', or timedelta, not {type(value).__name__}")


def context_pairs(value: Context, option: str = "context", example: str = "spanId=42",
                  ) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    if isinstance(value, Mapping):
        for name, given in value.items():
            many = isinstance(given, (list, tuple, set, frozenset))
            pairs.extend((name, str(one)) for one in (given if many else [given]))
        return pairs
    for text in texts(value):
        name, equals, given = text.partition("=")
        if not equals or not name:
            raise UsageError(f"{option}: '{text}' is not of the form NAME=VALUE, as in {example}",
                             code="bad_argument")
        pairs.append((name, given))
    return pairs


def _alternatives(value: Any, option: str) -> list[str]:
    items = [value] if value is None or isinstance(value, str) else value
    if not isinstance(items, Iterable):
        raise TypeError(f"{option}: expected str, None or several, not {type(value).__name__}")
    return ["" if one is None else one for one in items]


def where_pairs(value: Where, option: str = "where") -> list[tuple[str, str]]:
    """Keys and values; an empty value, or None, for a label that is not there."""
    if isinstance(value, Mapping):
        value = {key: _alternatives(one, option) for key, one in value.items()}
    pairs = context_pairs(value, option, "service=cart")
    for pair in pairs:
        if not all(isinstance(text, str) for text in pair) or not pair[0]:
            raise TypeError(f"{option}: keys and values are str, keys not empty")
    return list(dict.fromkeys(pairs))


def query_options(start: Any, end: Any, where: Where, max_stacks: Any) -> dict[str, Any]:
    """Which samples of a database, as the extension module takes it."""
    check_number(max_stacks, "max_stacks", 1)
    return {
        "start": None if start is None else time_text(start, "start"),
        "end": None if end is None else time_text(end, "end"),
        "where": where_pairs(where),
        "max_stacks": max_stacks,
    }


def profile_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a profile as the extension module takes them; unknown names are TypeErrors."""
    known = ProfileOptions.__annotations__
    for name in options:
        if name not in known and name != "event":
            raise TypeError(f"no option is called {name!r}")
    result: dict[str, Any] = {key: value for key, value in options.items()
                              if value is not None and key not in TREE_KEYS}
    for key in ("thread", "include", "exclude", "focus", "span", "thread_group"):
        if key in result:
            result[key] = patterns(result[key], key)
    for key in ("start", "end"):
        if key in result:
            result[key] = times(result[key], key)
    if "state" in result:
        result["state"] = texts(result["state"])
    if "tid" in result:
        tid = result["tid"]
        result["tid"] = [tid] if hasattr(tid, "__index__") else list(tid)
    if "min_duration" in result:
        result["min_duration"] = length_text(result["min_duration"], "min_duration")
    if "context" in result:
        result["context"] = context_pairs(result["context"])
    for key in ("skip", "depth"):
        check_number(result.get(key), key, 1 if key == "depth" else 0)
    if result.get("compat") not in (None, "jfrconv"):
        raise UsageError(f"compat: {result['compat']!r} is not known, only 'jfrconv' is",
                         code="bad_argument")
    return result


def check_number(value: Any, option: str, lowest: int) -> None:
    """Raises for what is no whole number, and for one that is too low."""
    if value is None:
        return
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{option}: expected int, not {type(value).__name__}")
    if value.__index__() < lowest:
        raise UsageError(f"{option}: {value} is below {lowest}", code="bad_argument")


def tree_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """What was given of the options of trees; unknown names are TypeErrors."""
    for name in options:
        if name not in TREE_KEYS:
            raise TypeError(f"no option is called {name!r}")
    check_number(options.get("max_nodes"), "max_nodes", 0)
    min_width = options.get("min_width")
    if min_width is not None and not 0 <= min_width <= 100:
        raise UsageError(f"min_width: {min_width} is no percentage", code="bad_argument")
    return {key: value for key, value in options.items() if value is not None}


def find_format(
    path: Path, name: str | None, formats: Sequence[Any], *more: str
) -> str:
    """The format with this name, else the one that the ending of the path stands for. `more` are
    formats that have their name as ending."""
    formats = [*formats, *((one, ["." + one]) for one in more)]
    names = [row[0] for row in formats]
    if name is not None:
        if name not in names:
            raise UsageError(f"format: no format is called {name!r}, the formats are "
                             + ", ".join(names), code="bad_argument")
        return name
    text = _os.fspath(path)
    fitting = [(len(ending), row[0]) for row in formats for ending in row[1]
               if text.endswith(ending)]
    if not fitting:
        raise UsageError(f"the ending of {text!r} names no format, choose one with format=: "
                         + ", ".join(names), code="bad_argument")
    return str(max(fitting)[1])


def core_path(path: Path) -> bytes:
    """A path for the extension module, which takes `-` for standard output."""
    encoded = _os.fsencode(path)
    return b"./-" if encoded == b"-" else encoded


def check_title(title: str | None, format: str) -> None:
    """Raises UsageError for a title where a format has no place for one."""
    if title is not None and format != "html":
        raise UsageError(f"title: {format} has no place for a title, only html has",
                         code="bad_argument")


formats = tuple(_core.formats)
