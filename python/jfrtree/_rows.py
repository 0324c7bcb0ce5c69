"""The options of what is loaded into a database."""

from __future__ import annotations

import datetime as _datetime
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from ._errors import UsageError
from ._options import Context, Length, Patterns, Texts, Times, length_text, profile_options


class RowOptions(TypedDict, total=False):
    """Keywords of `load` and `rows`: which samples, their buckets, and how frames read."""

    model: str
    bucket: str | _datetime.timedelta
    kinds: Iterable[str] | None
    event: str | None
    value_field: str | None
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


def row_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The same as the extension module takes them; unknown names are TypeErrors."""
    known = RowOptions.__annotations__
    for name in options:
        if name not in known:
            raise TypeError(f"no option is called {name!r}")
    given = dict(options)
    own = {"model": given.pop("model", None),
           "bucket": length_text(given.pop("bucket", None), "bucket")}
    kinds = given.pop("kinds", None)
    if isinstance(kinds, str):
        kinds = [kinds]
    named = None if kinds is None else list(kinds)
    if named == [] or named and given.get("event"):
        raise UsageError("kinds: name some, or leave it out for all, or for an event",
                         code="bad_argument")
    return {**profile_options(given), **own, "kinds": named}
