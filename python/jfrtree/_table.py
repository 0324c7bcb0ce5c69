"""Tables in the layout of Apache Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._unpicklable import Unpicklable

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["Table"]


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

    __slots__ = ("_core",)

    def __init__(self, core: Any) -> None:
        self._core = core

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

    def __repr__(self) -> str:
        return f"<Table of {len(self):,} rows: {', '.join(self.column_names)}>"
