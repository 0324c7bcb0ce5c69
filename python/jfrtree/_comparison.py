"""Two profiles side by side."""

from __future__ import annotations

import json as _json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import ProfileNotFound, UsageError
from ._files import check_output
from ._flamegraph import FlameGraph
from ._info import SampleType
from ._options import (
    Path,
    ProfileOptions,
    TreeOptions,
    check_title,
    core_path,
    find_format,
    tree_options,
)
from ._profile import Profile
from ._recording import Recording
from ._table import Table
from ._unpicklable import Unpicklable

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Comparison", "diff", "merge"]

diff_formats = tuple(_core.diff_formats)


class Comparison(Unpicklable):
    """Two profiles of one kind: what was measured before (left) and after (right).

    Numbers are compared by their share of each side's total, unless `absolute` or `per_second` was
    asked for.

    >>> import jfrtree
    >>> before = jfrtree.open("jdk17-mixed.jfr").profile("lock")
    >>> comparison = jfrtree.diff(before, before)
    >>> {row["self_left"] - row["self_right"] for row in comparison.table}
    {0}
    """

    __slots__ = ("_core", "_how", "_names", "left", "right")

    left: Profile
    right: Profile

    def __init__(self, left: Profile, right: Profile, how: str, names: tuple[str, str]) -> None:
        self.left = left
        self.right = right
        self._how = how
        self._names = names
        self._core = _core.DiffProfile(left._core, right._core)
        self._core.check_comparison("", how)

    @property
    def _inputs(self) -> tuple[bytes, ...]:
        return (*self.left._inputs, *self.right._inputs)

    @property
    def kind(self) -> str:
        return self.left.kind

    @property
    def how(self) -> str:
        """`share`, `absolute` or `per_second`."""
        return self._how

    @property
    def sample_types(self) -> tuple[SampleType, ...]:
        """Those that both sides have."""
        return tuple(SampleType(*pair) for pair in self._core.sample_types)

    @property
    def table(self) -> Table:
        """All methods, those first whose self changed most: `frame`, `self_left`, `self_right`,
        `total_left`, `total_right`, as they are, whatever the comparison."""
        return self.to_table()

    def to_table(self, *, sample_type: str | None = None) -> Table:
        """The `table` of another sample type than the default."""
        table = _core.diff_table(self._core, sample_type or "", self._how)
        return Table(table, inputs=self._inputs)

    def flamegraph(
        self, *, title: str | None = None, height: int = 600, **options: Unpack[TreeOptions]
    ) -> FlameGraph:
        """A flame graph in the colours of growth and shrinkage, which shows itself in a notebook."""
        text = " → ".join(self._names) if title is None else title
        return FlameGraph._of(self._to_bytes("html", options, text).decode(), text, height,
                              self._inputs)

    def write(
        self,
        path: Path,
        format: str | None = None,
        *,
        title: str | None = None,
        **options: Unpack[TreeOptions],
    ) -> None:
        """Writes a file in a format of `jfrtree.diff_formats`, by default the one that its ending
        names. It is seen when it is whole. A file that a side was read from is not overwritten.
        Raises IoError, UsageError."""
        chosen = find_format(path, format, diff_formats)
        check_title(title, chosen)
        check_output(path, self._inputs)
        self._core.write(chosen, core_path(path), self._options(chosen, options, title))

    def to_bytes(self, format: str, **options: Unpack[TreeOptions]) -> bytes:
        """What `write` would put into a file."""
        return self._to_bytes(find_format("", format, diff_formats), options)

    def to_collapsed(self, **options: Unpack[TreeOptions]) -> str:
        """One line a stack with two numbers, the right one in the measure of the left side."""
        return self._to_bytes("collapsed", options).decode()

    def to_stacks(self) -> str:
        """JSON lines, one object a stack with `left` and `right`."""
        return self._to_bytes("stacks", {}).decode()

    def to_flamebearer(self, **options: Unpack[TreeOptions]) -> dict[str, Any]:
        """Pyroscope's double flamebearer, as `json.loads` gives it."""
        result: dict[str, Any] = _json.loads(self._to_bytes("flamebearer", options))
        return result

    def to_json(self) -> dict[str, Any]:
        """Totals and the methods that changed, as the command line's format `json`."""
        result: dict[str, Any] = _json.loads(self._to_bytes("json", {}))
        return result

    def _options(
        self, format: str, options: Mapping[str, Any], title: str | None = None
    ) -> dict[str, Any]:
        return {
            **tree_options(options),
            "title": " → ".join(self._names) if title is None else title,
            # Where numbers stand as they are there is nothing to compare.
            "comparison": self._how if format in ("html", "collapsed", "json") else "share",
            "names": list(self._names),
        }

    def _to_bytes(
        self, format: str, options: Mapping[str, Any], title: str | None = None
    ) -> bytes:
        return self._core.write(format, None, self._options(format, options, title)) or b""

    def __repr__(self) -> str:
        return (f"<Comparison {self.kind!r} by {self._how}: {self.left.count:,} → "
                f"{self.right.count:,} samples>")


def diff(
    before: Profile | Recording,
    after: Profile | Recording,
    kind: str | None = None,
    *,
    absolute: bool = False,
    per_second: bool = False,
    **options: Unpack[ProfileOptions],
) -> Comparison:
    """Puts two profiles side by side: two of one kind, or those of two recordings.

    Of recordings, `kind` is one that both have (default: the first such), and `options` are those of
    `Recording.profile`; names of generated classes are normalised unless `normalize=False`. Two
    profiles are compared with the names they have: read them with `normalize=True` where lambdas
    and proxies matter.

    By default numbers are compared by share, so that a recording eight times as long shows no
    change; `absolute` takes them as they are, `per_second` by the time that each side recorded.
    Raises UsageError when kinds differ, when one side has thread frames and the other has not, and
    for rates of what has none; ProfileNotFound when a side has no samples of the kind.
    """
    if absolute and per_second:
        raise UsageError("absolute and per_second contradict each other", code="bad_argument")
    how = "absolute" if absolute else "per_second" if per_second else "share"
    if isinstance(before, Recording) and isinstance(after, Recording):
        return _diff_recordings(before, after, kind, how, dict(options))
    if not isinstance(before, Profile) or not isinstance(after, Profile):
        raise TypeError(f"expected two profiles or two recordings, not {type(before).__name__} "
                        f"and {type(after).__name__}")
    if kind is not None or options:
        raise UsageError("kind and options are for recordings; profiles are compared as they are",
                         code="bad_argument")
    if before.kind != after.kind:
        raise UsageError(f"two profiles of one kind are compared, not {before.kind} and "
                         f"{after.kind}", code="bad_argument")
    return Comparison(before, after, how, ("before", "after"))


def _diff_recordings(
    before: Recording, after: Recording, kind: str | None, how: str, options: dict[str, Any]
) -> Comparison:
    if kind is None and options.get("event") is None:
        common = [one for one in before.profiles if one in after.profiles]
        if not common:
            raise ProfileNotFound(
                f"no kind has samples on both sides: {', '.join(before.profiles) or 'none'} and "
                f"{', '.join(after.profiles) or 'none'}", code="profile_not_found")
        kind = common[0]
    given: dict[str, Any] = {"normalize": True, **options}
    left = before.profile(kind, **given)
    right = after.profile(kind, **given)
    return Comparison(left, right, how, (before.name, after.name))


def merge(profiles: Iterable[Profile]) -> Profile:
    """One profile with the samples of several, as if their recordings had been read together.

    They are of one kind and should be read with equal options, which is not checked: stacks are
    equal when their frames read alike. A sample type that one of them lacks is
    dropped, which leaves the count at least. Snapshots (`live`) are added up, which is right for
    those of different processes. Raises UsageError for no profile at all, when kinds differ, and
    when some have thread frames and others have not.

    >>> import jfrtree
    >>> profile = jfrtree.open("jdk17-mixed.jfr").profile("lock")
    >>> jfrtree.merge([profile, profile]).count
    170
    """
    several = list(profiles)
    for one in several:
        if not isinstance(one, Profile):
            raise TypeError(f"expected profiles, not {type(one).__name__}")
    core = _core.merge_profiles([one._core for one in several])
    first = several[0]
    findings = [finding for one in several for finding in (*one.problems, *one.notes)]
    more = f" and {len(several) - 1} more" if len(several) > 1 else ""
    return Profile(
        core,
        title=first._title + more,
        tree=first._tree,
        left_out=tuple(row for one in several for row in one.left_out),
        findings=tuple(dict.fromkeys(findings)),
        inputs=tuple(path for one in several for path in one._inputs),
    )
