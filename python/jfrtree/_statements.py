"""Statements for ClickHouse that are made here and run elsewhere."""

from __future__ import annotations

import datetime as _datetime
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import UsageError
from ._options import check_number, query_options

if TYPE_CHECKING:
    from ._options import Time, Where


def by_count(sample_type: str | None) -> bool | None:
    """Whether the largest stacks are those with the largest counts; None: as it suits the kind."""
    return None if sample_type is None else sample_type == "count"


def schema(
    *,
    model: str = "hashed",
    cluster: str | None = None,
    database: str | None = None,
    retention: int | _datetime.timedelta | None = None,
    each_shard: bool = False,
) -> str:
    """The statements that make the tables and views, as a script. They can be run again.

    `model` is `hashed` or `otel_profiles`, `cluster` the name of one of the server's configuration,
    `retention` the days (or a timedelta of whole days) after which rows are deleted. With `each_shard`
    they are run on each shard of a cluster that has no Keeper.

    >>> import jfrtree
    >>> "CREATE TABLE IF NOT EXISTS profile_samples" in jfrtree.clickhouse.schema()
    True
    """
    return _core.schema_text(schema_options(model, cluster, database, retention, each_shard))


def schema_options(
    model: str, cluster: str | None, database: str | None, retention: Any,
    each_shard: bool = False,
) -> dict[str, Any]:
    """The same as the extension module takes it."""
    days = retention
    if isinstance(retention, _datetime.timedelta):
        days = retention.days
        if retention != _datetime.timedelta(days=days):
            raise UsageError(f"retention: {retention} is not a number of whole days",
                             code="bad_argument")
    check_number(days, "retention", 1)
    return {"model": model, "cluster": cluster, "database": database, "retention": days,
            "each_shard": each_shard}


def sql(
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
    """One statement that gives a flame graph as Grafana's panel takes it: `level`, `value`, `self` and
    `label` of each box, depth-first. Nothing is run.

    With `macros="official"` (Grafana's own data source) or `"altinity"` the range of time is that of the
    dashboard, else it is `start` and `end` as numbers. Of `max_stacks` stacks, the largest, frames are
    shown, all others are `(other)`. `sample_type` is `count` or `value`; None is the
    count of kinds whose values may be unknown (`cpu`, `wall`, `native`, `live`) and of events, else the
    value. `min_width` leaves out boxes below so many percent. `database` stands in front of the names of tables. `settings=False` is for users
    who may only read (`readonly = 1`) and set nothing: the statement then has no settings that keep its
    memory small.

    >>> import jfrtree
    >>> "{" in jfrtree.clickhouse.sql("cpu", macros="official", where={"service": "o'hara"})
    False
    """
    if sample_type not in (None, "count", "value"):
        raise UsageError("sample_type: with sql 'count' or 'value'", code="bad_argument")
    if macros is not None and (start is not None or end is not None):
        raise UsageError("macros: the range of time is that of Grafana, not of start and end",
                         code="bad_argument")
    if not isinstance(kind, str):
        raise TypeError(f"kind: expected str, not {type(kind).__name__}")
    query = query_options(start, end, where, max_stacks)
    query.update(kinds=[kind], by_thread=by_thread, by_count=by_count(sample_type))
    return _core.tree_sql(query, {"macros": macros, "min_width": min_width, "database": database,
                                   "settings": settings})
