"""Profiles: all samples of one kind, summed by stack."""

from __future__ import annotations

import json as _json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import UsageError
from ._files import check_output
from ._flamegraph import FlameGraph
from ._info import LeftOut, Problem, SampleType
from ._options import (
    Path,
    TreeOptions,
    check_number,
    check_title,
    core_path,
    find_format,
    formats,
    tree_options,
)
from ._table import Table, parquet_bytes
from ._unpicklable import Unpicklable

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Profile"]


def write_profiles(
    profiles: list[_core.Profile],
    format: str,
    path: Path | None,
    options: Mapping[str, Any],
) -> bytes:
    """Writes a file, or gives its bytes where no path is given."""
    target = None if path is None else core_path(path)
    written = _core.write_profiles(profiles, format, target, dict(options))
    return written or b""


class Profile(Unpicklable):
    """All samples of one kind (or event type), summed by stack. Never changes; any thread may use
    it, and it needs neither the recording nor its files any more.

    Going through it gives tuples (stack, count, value): the frames root first, how many samples,
    and the sum of their values in the unit of `sample_types[1]`, None where unknown. Stacks are
    sorted.

    >>> import jfrtree
    >>> profile = jfrtree.open("jdk17-mixed.jfr").profile("lock")
    >>> profile.count, profile.total, str(profile.sample_types[1])
    (85, 357563926, 'delay/nanoseconds')
    >>> sum(count for stack, count, value in profile)
    85
    """

    __slots__ = ("_core", "_tree", "_title", "_inputs", "left_out", "notes", "problems")

    left_out: tuple[LeftOut, ...]
    """Events that the kind could have counted and did not, with the reason."""
    notes: tuple[Problem, ...]
    """What reading found and what is no fault."""
    problems: tuple[Problem, ...]
    """What could not be read."""

    def __init__(
        self,
        core: _core.Profile,
        *,
        title: str = "",
        tree: Mapping[str, Any] | None = None,
        left_out: tuple[LeftOut, ...] = (),
        findings: tuple[Problem, ...] = (),
        inputs: tuple[bytes, ...] = (),
    ) -> None:
        self._core = core
        self._title = title
        self._tree = dict(tree or {})
        self._inputs = inputs
        self.left_out = left_out
        self.notes = tuple(one for one in findings if one.is_note)
        self.problems = tuple(one for one in findings if not one.is_note)
        if self._tree.get("sample_type"):
            core.find_sample_type(self._tree["sample_type"])

    @property
    def kind(self) -> str:
        """Name of the kind, or of the event type."""
        return self._core.kind

    @property
    def sample_types(self) -> tuple[SampleType, ...]:
        """The numbers of every sample: the count, the value unless there is none, and what else."""
        return tuple(SampleType(*pair) for pair in self._core.sample_types)

    @property
    def default_sample_type(self) -> SampleType:
        """The one that is shown unless another is asked for."""
        wanted = self._tree.get("sample_type")
        index = self._core.find_sample_type(wanted) if wanted else self._core.default_sample_type
        return self.sample_types[index]

    @property
    def count(self) -> int:
        """Number of samples."""
        return self._core.count

    @property
    def event_count(self) -> int:
        """Number of events: one may stand for several samples."""
        return self._core.event_count

    @property
    def events(self) -> tuple[str, ...]:
        """Names of the event types that the samples come from."""
        return tuple(self._core.events)

    @property
    def total(self) -> int | None:
        """Sum of the value, in the unit of `sample_types[1]`; None where unknown or without one."""
        totals = self._core.totals
        return totals[1] if len(totals) > 1 else None

    @property
    def totals(self) -> dict[str, int | None]:
        """The sum of each sample type, by its full name; None where unknown."""
        return dict(zip(map(str, self.sample_types), self._core.totals))

    @property
    def is_snapshot(self) -> bool:
        """A state at a moment (`live`), which is never summed over time."""
        return self._core.is_snapshot

    @property
    def has_thread_frame(self) -> bool:
        """Whether the first frame of every stack is the thread."""
        return self._core.has_thread_frame

    def __len__(self) -> int:
        """Number of different stacks."""
        return len(self._core)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], int, int | None]]:
        return iter(self._core)

    @property
    def samples(self) -> Table:
        """One row per stack and thread: `stack_id` (see `stacks`), `thread` (None without
        `by_thread`), `count`, `value` (None where unknown), and `bytes` for `io`."""
        return Table(_core.samples_table(self._core), inputs=self._inputs)

    @property
    def stacks(self) -> Table:
        """The stacks, each once: `stack_id`, and `frames`, root first."""
        return Table(_core.stacks_table(self._core), inputs=self._inputs)

    @property
    def tree(self) -> Table:
        """The call tree, depth-first: `node`, `parent` (None for the root), `level`, `frame`,
        `self` and `total` of the default sample type."""
        return self.to_tree_table()

    def to_tree_table(self, **options: Unpack[TreeOptions]) -> Table:
        """The call tree as `tree`, of another sample type, reversed or cut (default: whole)."""
        given = {"max_nodes": 0, **self._options(options)}
        return Table(_core.tree_table(self._core, given), inputs=self._inputs)

    def top(self, n: int = 20, by: str = "self", *, sample_type: str | None = None) -> Table:
        """The methods with the most `self` (or `total`) of a sample type, at most `n` (0: all).

        Columns: `frame`, `self`, `total`, and `self_share` and `total_share` from 0 to 1. A method
        counts once a stack towards its total, however often it recurs.
        """
        if by not in ("self", "total"):
            raise UsageError(f"by: {by!r} is neither 'self' nor 'total'", code="bad_argument")
        if n is None:
            raise TypeError("n: expected int, not None; 0 means all")
        check_number(n, "n", 0)
        chosen = sample_type or self._tree.get("sample_type") or ""
        return Table(_core.top_table(self._core, n, chosen, by == "total"), inputs=self._inputs)

    def flamegraph(
        self, *, title: str | None = None, height: int = 600, **options: Unpack[TreeOptions]
    ) -> FlameGraph:
        """An interactive flame graph that shows itself in a notebook."""
        text = self._title if title is None else title
        html = self._to_text("html", {**options, "title": text})
        return FlameGraph._of(html, text or self.kind, height, self._inputs)

    def write(
        self,
        path: Path,
        format: str | None = None,
        *,
        title: str | None = None,
        **options: Unpack[TreeOptions],
    ) -> None:
        """Writes a file in a format of `jfrtree.formats`, by default the one that its ending names.

        `parquet` (.parquet) is another, for which pyarrow is needed. The file is seen when it is
        whole; an interrupted or failed call leaves none. Only html has a `title`. A file that the
        profile was read from is not overwritten. Raises IoError, UsageError.
        """
        if path is None:
            raise TypeError("path: expected a path, not None; to_bytes() gives what is written")
        chosen = find_format(path, format, formats, "parquet")
        check_title(title, chosen)
        check_output(path, self._inputs)
        if chosen == "parquet":
            self._parquet_table(options).write_parquet(path)
            return
        given = self._options(options)
        given["title"] = self._title if title is None else title
        write_profiles([self._core], chosen, path, given)

    def to_bytes(self, format: str, **options: Unpack[TreeOptions]) -> bytes:
        """What `write` would put into a file."""
        chosen = find_format("", format, formats, "parquet")
        if chosen == "parquet":
            return parquet_bytes(self._parquet_table(options))
        given = {**self._options(options), "title": self._title}
        return write_profiles([self._core], chosen, None, given)

    def _parquet_table(self, options: Mapping[str, Any]) -> Table:
        if options:
            raise UsageError("parquet holds every stack whole, not a tree", code="bad_argument")
        return Table(_core.profiles_table([self._core]), inputs=self._inputs)

    def to_collapsed(self, **options: Unpack[TreeOptions]) -> str:
        """One line a stack, `root;...;leaf N`."""
        return self._to_text("collapsed", options)

    def to_stacks(self) -> str:
        """JSON lines, one object a stack, without any loss."""
        return write_profiles([self._core], "stacks", None, {}).decode()

    def to_flamebearer(self, **options: Unpack[TreeOptions]) -> dict[str, Any]:
        """Pyroscope's flamebearer, as `json.loads` gives it."""
        result: dict[str, Any] = _json.loads(self._to_text("flamebearer", options))
        return result

    def to_nested_set(self, **options: Unpack[TreeOptions]) -> list[dict[str, Any]]:
        """Rows `level`, `value`, `self`, `label` for Grafana's flame graph panel, depth-first."""
        result: list[dict[str, Any]] = _json.loads(self._to_text("nested-set-json", options))
        return result

    def to_grafana(self, **options: Unpack[TreeOptions]) -> Any:
        """Grafana's data frames with a flame graph, as `json.loads` gives them."""
        return _json.loads(self._to_text("grafana", options))

    def to_tree(self, **options: Unpack[TreeOptions]) -> dict[str, Any]:
        """Nested dicts `name`, `self`, `total`, `children`, the root called `total`."""
        result: dict[str, Any] = _json.loads(self._to_text("tree", options))
        return result

    def to_html(self, **options: Unpack[TreeOptions]) -> str:
        """The page of `flamegraph`."""
        return self._to_text("html", options)

    def _options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        title = {"title": options["title"]} if options.get("title") else {}
        given = {key: value for key, value in options.items() if key != "title"}
        return {**self._tree, **tree_options(given), **title}

    def _to_text(self, format: str, options: Mapping[str, Any]) -> str:
        given = {"title": self._title, **self._options(options)}
        return write_profiles([self._core], format, None, given).decode()

    def __repr__(self) -> str:
        total = self.default_sample_type
        number = self.totals[str(total)]
        shown = "" if total == self.sample_types[0] or number is None else f", {number:,} {total}"
        return f"<Profile {self.kind!r}: {self.count:,} samples, {len(self):,} stacks{shown}>"
