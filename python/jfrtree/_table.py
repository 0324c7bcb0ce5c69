"""Tables in the layout of Apache Arrow."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._files import check_output, whole_file
from ._info import Problem
from ._options import Path, Progress
from ._progress import reporting
from ._unpicklable import Unpicklable
from ._warn import warn_rows

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["EventTable", "Table"]


def _missing(package: str, extra: str, error: ImportError) -> ImportError:
    return ImportError(f"{package} is needed for this: pip install 'jfrtree[{extra}]' ({error})",
                       name=package)


class Table(Unpicklable):
    """A table in memory that others read without a copy.

    Whatever knows Arrow's C stream takes it as it is: `pandas.DataFrame.from_arrow(table)`,
    `polars.DataFrame(table)`, `pyarrow.table(table)`, `duckdb.sql("from table")`. Without any of
    them, `to_pylist` gives plain rows.

    >>> import jfrtree
    >>> top = jfrtree.open("jdk17-mixed.jfr").profile("lock").top(1)
    >>> top.column_names
    ['frame', 'self', 'total', 'self_share', 'total_share']
    >>> top.to_pylist()[0]["self"]
    182593252
    """

    __slots__ = ("_core", "_inputs")

    def __init__(self, core: Any, *, inputs: tuple[bytes, ...] = ()) -> None:
        self._core = core
        self._inputs = inputs

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A PyCapsule with a new ArrowArrayStream. The schema asked for is not looked at."""
        return self._core.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """A PyCapsule with the ArrowSchema, a struct with a child for each column."""
        return self._core.__arrow_c_schema__()

    @property
    def column_names(self) -> list[str]:
        return list(self._core.column_names)

    def __len__(self) -> int:
        return int(self._core.num_rows)

    def to_pylist(self, *, nanoseconds: bool = False) -> list[dict[str, Any]]:
        """One dict a row: int, float, bool, str, None, list and dict.

        Times are datetime in UTC, lengths of time timedelta, both cut to microseconds; with
        `nanoseconds` they are int (since the epoch), exact.
        """
        rows: list[dict[str, Any]] = self._core.to_pylist(nanoseconds)
        return rows

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows of `to_pylist`."""
        return iter(self.to_pylist())

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow.Table. Needs `pip install 'jfrtree[arrow]'`."""
        try:
            import pyarrow
        except ImportError as error:
            raise _missing("pyarrow", "arrow", error) from None
        return pyarrow.table(self)

    def batches(self) -> Iterator[pyarrow.RecordBatch]:
        """The record batches one after the other. Needs `pip install 'jfrtree[arrow]'`."""
        try:
            import pyarrow
        except ImportError as error:
            raise _missing("pyarrow", "arrow", error) from None
        yield from pyarrow.RecordBatchReader.from_stream(self)

    def to_polars(self) -> polars.DataFrame:
        """A polars.DataFrame. Needs `pip install 'jfrtree[polars]'`."""
        try:
            import polars
        except ImportError as error:
            raise _missing("polars", "polars", error) from None
        return polars.DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame. Needs `pip install 'jfrtree[pandas]'`.

        With pyarrow texts that repeat are categories; without it they are plain objects.
        """
        try:
            import pandas
        except ImportError as error:
            raise _missing("pandas", "pandas", error) from None
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            return pandas.DataFrame(self.to_pylist(), columns=self.column_names)
        return self.to_arrow().to_pandas()

    def write_parquet(self, path: Path) -> None:
        """Writes a Parquet file, a batch in memory at a time. Needs `pip install 'jfrtree[arrow]'`.

        The file is seen when it is whole. A recording that the table was read from is not
        overwritten. Raises IoError, UsageError.
        """
        check_output(path, self._inputs)
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as error:
            raise _missing("pyarrow", "arrow", error) from None
        reader = pyarrow.RecordBatchReader.from_stream(self)
        with whole_file(path) as beside:
            with pyarrow.parquet.ParquetWriter(str(beside), reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)

    def __repr__(self) -> str:
        return f"<Table of {len(self):,} rows: {', '.join(self.column_names)}>"


def parquet_bytes(table: Table) -> bytes:
    """A Parquet file. Needs pyarrow."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise _missing("pyarrow", "arrow", error) from None
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table.to_arrow(), sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data


class EventTable(Table):
    """The events of some types, one row each, in the order of the recording.

    Nothing is held: each use is a pass over the recording, read while it is taken, with the GIL
    released. Going through it, and `batches`, hold one batch at a time. Fields of structs are struct
    columns in Arrow and dicts in `to_pylist`; times are timestamp[ns, UTC], lengths of time
    duration[ns]; a stack trace is the list of its frames, root first.

    >>> import jfrtree
    >>> events = jfrtree.open("jdk17-mixed.jfr").events("jdk.GarbageCollection")
    >>> len(events)
    35
    >>> sum(row["duration"] for row in events.to_pylist(nanoseconds=True))
    104871587
    """

    __slots__ = ("_length", "_progress", "problems")

    problems: tuple[Problem, ...]
    """What the last pass through Python found that could not be read."""

    def __init__(
        self, core: Any, progress: Progress = None, *, inputs: tuple[bytes, ...] = ()
    ) -> None:
        super().__init__(core, inputs=inputs)
        self._length: int | None = None
        self._progress = progress
        self.problems = ()

    def __len__(self) -> int:
        if self._length is None:
            self._length = int(self._core.count_rows())
        return self._length

    def __bool__(self) -> bool:
        return True

    @contextlib.contextmanager
    def _own_errors(self) -> Iterator[None]:
        """What readers of Arrow's streams raise of an input knows its text alone: reading once more
        raises what it was."""
        try:
            yield
        except ImportError:
            raise
        except Exception:
            self._core.count_rows()
            raise

    def to_arrow(self) -> pyarrow.Table:
        with self._own_errors():
            return super().to_arrow()

    def to_polars(self) -> polars.DataFrame:
        with self._own_errors():
            return super().to_polars()

    def batches(self) -> Iterator[pyarrow.RecordBatch]:
        with self._own_errors():
            yield from super().batches()

    def write_parquet(self, path: Path) -> None:
        check_output(path, self._inputs)  # before anything is read
        with self._own_errors():
            super().write_parquet(path)

    to_arrow.__doc__ = Table.to_arrow.__doc__
    to_polars.__doc__ = Table.to_polars.__doc__
    batches.__doc__ = Table.batches.__doc__
    write_parquet.__doc__ = Table.write_parquet.__doc__

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows of `to_pylist`, a batch of them in memory at a time."""
        return self._rows(False)

    def to_pylist(self, *, nanoseconds: bool = False) -> list[dict[str, Any]]:
        return list(self._rows(nanoseconds))

    to_pylist.__doc__ = Table.to_pylist.__doc__

    def _rows(self, nanoseconds: bool) -> Iterator[dict[str, Any]]:
        rows = self._core.rows(nanoseconds)
        count = 0
        with reporting(self._progress) as report:
            while (batch := rows.next(report)) is not None:
                count += len(batch)
                yield from batch
        self._length = count
        found = rows.problems
        self.problems = tuple(one for one in map(Problem._from_core, found) if not one.is_note)
        warn_rows(found)

    def __repr__(self) -> str:
        return f"<EventTable: {', '.join(self.column_names)}>"
