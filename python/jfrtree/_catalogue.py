"""Tables that come from a database: what is stored, and results of SQL."""

from __future__ import annotations

import datetime as _datetime
import decimal as _decimal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._errors import UsageError
from ._info import Problem, to_datetime
from ._table import Table, _missing

if TYPE_CHECKING:
    import pyarrow


class RowsCore:
    """Rows of plain values, with what `Table` asks of a table of the extension module."""

    def __init__(self, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]) -> None:
        self._columns = dict(columns)
        self._rows = [tuple(row) for row in rows]

    @property
    def num_rows(self) -> int:
        return len(self._rows)

    @property
    def column_names(self) -> list[str]:
        return list(self._columns)

    def to_pylist(self, nanoseconds: bool) -> list[dict[str, Any]]:
        def value(one: Any, kind: str) -> Any:
            return to_datetime(one) if kind == "time" and not nanoseconds else one

        return [{name: value(one, kind) for (name, kind), one in zip(self._columns.items(), row)}
                for row in self._rows]

    def _arrow(self) -> pyarrow.Table:
        try:
            import pyarrow
        except ImportError as error:
            raise _missing("pyarrow", "arrow", error) from None
        types = {"time": pyarrow.timestamp("ns", "UTC"), "text": pyarrow.string(),
                 "number": pyarrow.uint64(), "flag": pyarrow.bool_()}
        arrays = [pyarrow.array([row[index] for row in self._rows], types[kind])
                  for index, kind in enumerate(self._columns.values())]
        return pyarrow.table(arrays, names=self.column_names)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._arrow().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._arrow().schema.__arrow_c_schema__()


class ArrowCore:
    """The same of the bytes of an Arrow stream. Needs pyarrow."""

    @staticmethod
    def check() -> None:
        """Raises ImportError, before anything is asked for."""
        try:
            import pyarrow  # noqa: F401
        except ImportError as error:
            raise _missing("pyarrow", "arrow", error) from None

    def __init__(self, data: bytes) -> None:
        import pyarrow

        try:
            self._table = pyarrow.ipc.open_stream(data).read_all()
        except (OSError, pyarrow.ArrowInvalid):
            raise UsageError("query: the answer is no table: give one SELECT without FORMAT; execute "
                             "runs anything", code="bad_argument") from None

    @property
    def num_rows(self) -> int:
        return int(self._table.num_rows)

    @property
    def column_names(self) -> list[str]:
        return list(self._table.column_names)

    def to_pylist(self, nanoseconds: bool) -> list[dict[str, Any]]:
        import pyarrow

        table = self._table
        for index, field in enumerate(table.schema):
            if pyarrow.types.is_timestamp(field.type):
                unit = pyarrow.timestamp("ns" if nanoseconds else "us", field.type.tz or "UTC")
                column = table.column(index).cast(unit, safe=False)
                column = column.cast(pyarrow.int64()) if nanoseconds else column
                table = table.set_column(index, field.name, column)
            elif pyarrow.types.is_map(field.type):
                column = [None if pairs is None else dict(pairs)
                          for pairs in table.column(index).to_pylist()]
                rest = table.drop_columns([field.name]).to_pylist()
                return [{name: one if name == field.name else row[name]
                         for name in table.column_names}
                        for row, one in zip(rest, column)]
        rows: list[dict[str, Any]] = table.to_pylist()
        return rows

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._table.schema.__arrow_c_schema__()


_RECORDINGS = {"service": "text", "source": "text", "host": "text", "process": "number",
               "producer": "text", "chunks": "number", "start": "time", "end": "time",
               "events": "number", "samples": "number"}
_SERVICES = {"service": "text", "first": "time", "last": "time"}
_KINDS = {"service": "text", "kind": "text", "is_snapshot": "flag", "first": "time",
          "last": "time"}
_LABELS = {"service": "text", "key": "text", "value": "text", "first": "time", "last": "time"}


@dataclass(frozen=True)
class Catalogue:
    """What is stored, as tables. Times are in UTC; `first` and `last` are the starts of the first
    and the last bucket of time."""

    recordings: Table
    """`service`, `source`, `host`, `process`, `producer`, `chunks`, `start`, `end`, `events`,
    `samples`: one row for each input and process."""
    services: Table
    """`service`, `first`, `last`."""
    kinds: Table
    """`service`, `kind`, `is_snapshot`, `first`, `last`."""
    labels: Table
    """`service`, `key`, `value`, `first`, `last`: labels other than the service."""
    has_more_recordings: bool
    """Older ones were left out."""

    @classmethod
    def _from_core(cls, rows: Mapping[str, Any]) -> Catalogue:
        services: dict[str, tuple[int, int]] = {}
        for service, _, _, first, last in rows["kinds"]:
            known = services.get(service, (first, last))
            services[service] = min(first, known[0]), max(last, known[1])
        times = [(service, *both) for service, both in services.items()]
        return cls(
            recordings=Table(RowsCore(_RECORDINGS, rows["recordings"])),
            services=Table(RowsCore(_SERVICES, times)),
            kinds=Table(RowsCore(_KINDS, rows["kinds"])),
            labels=Table(RowsCore(_LABELS, rows["labels"])),
            has_more_recordings=rows["has_more_recordings"],
        )


@dataclass(frozen=True)
class LoadResult:
    """What a load did."""

    chunks: int
    """Chunks that were loaded."""
    skipped_chunks: int
    """That were there already."""
    replaced_chunks: int
    """Of those loaded: whose earlier load was replaced (`force`)."""
    left_chunks: int
    """That another loader has begun and goes on with."""
    undone_loads: int
    """Loads that had not come to an end and were undone."""
    sample_rows: int
    stack_rows: int
    bytes: int
    """Of what was inserted, before compression."""
    samples: dict[str, int]
    """Samples of the chunks that were loaded, by kind."""
    problems: tuple[Problem, ...]
    """What could not be read."""
    notes: tuple[Problem, ...]
    messages: tuple[str, ...]
    """What happened on the way: statements that were tried again, chunks of other loaders."""

    @classmethod
    def _from_core(cls, result: Mapping[str, Any]) -> LoadResult:
        findings = [Problem._from_core(row) for row in result["found"]]
        return cls(
            chunks=result["loaded_chunks"],
            skipped_chunks=result["skipped_chunks"],
            replaced_chunks=result["replaced_chunks"],
            left_chunks=result["left_chunks"],
            undone_loads=result["undone_loads"],
            sample_rows=result["sample_rows"],
            stack_rows=result["stack_rows"],
            bytes=result["bytes"],
            samples=dict(result["samples"]),
            problems=tuple(one for one in findings if not one.is_note),
            notes=tuple(one for one in findings if one.is_note),
            messages=tuple(result["messages"]),
        )


def parameter_text(value: Any) -> str:
    """A value of a parameter as ClickHouse reads it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, _datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(_datetime.timezone.utc).replace(tzinfo=None)
        text: str = value.isoformat(" ")
        return text
    if isinstance(value, (int, float, _decimal.Decimal, _datetime.date)):
        return str(value)
    if isinstance(value, (list, tuple, Mapping)):
        raise TypeError("parameters: a list is bound as text, {names:String}, given by json.dumps, "
                        "and read by JSONExtract({names:String}, 'Array(String)')")
    raise TypeError(f"parameters: {type(value).__name__} is no type of a value")
