"""Queries of recordings by DuckDB."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import jfrtree

duckdb = pytest.importorskip("duckdb")


def test_events_are_a_table(testdata: Path) -> None:
    rows = jfrtree.sql(
        "select count(*), sum(duration), min(startTime) < max(startTime) "
        "from EVENTS( 'jdk.ThreadPark' )",
        testdata / "jdk17-mixed.jfr",
    ).fetchall()
    counts = json.loads((testdata / "expected/jdk17-mixed.jfr/counts.json").read_text())
    park = counts["types"]["jdk.ThreadPark"]
    assert rows == [(park["count"], park["durationNs"], True)]


def test_tables_of_profiles_join(testdata: Path) -> None:
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    rows = jfrtree.sql(
        "select sum(value), count(*) from samples('alloc') join stacks('alloc') using (stack_id)",
        recording,
    ).fetchall()
    profile = recording.profile("alloc")
    assert rows == [(profile.total, len(profile))]
    for query in ("select total from tree('alloc') where level = 0",
                  "select sum(self) from top('alloc')"):
        assert jfrtree.sql(query, recording).fetchall() == [(profile.total,)]


def test_one_table_twice(testdata: Path) -> None:
    rows = jfrtree.sql(
        "select count(*) from events('jdk.GarbageCollection') a "
        "join events('jdk.GarbageCollection') b using (gcId)",
        testdata / "jdk17-mixed.jfr",
    ).fetchall()
    assert rows == [(35,)]


def test_texts_and_comments_hold_no_tables(testdata: Path) -> None:
    query = """
      select 'events(''x'')', "count(*)"   -- from events('nothing')
      from (select count(*) from events('jdk.ThreadSleep')) /* top('nothing') */
    """
    rows = jfrtree.sql(query.replace('"count(*)"', '"count_star()"'), testdata / "jdk17-mixed.jfr")
    assert rows.fetchall() == [("events('x')", 1)]


def test_a_connection_brings_its_tables(testdata: Path) -> None:
    connection = duckdb.connect()
    connection.sql("create table names as select 'lock' kind, 85 expected")
    rows = jfrtree.sql(
        "select expected - (select sum(count) from samples('lock')) from names",
        testdata / "jdk17-mixed.jfr",
        connection=connection,
    )
    assert rows.fetchall() == [(0,)]


def test_what_is_not_there(testdata: Path) -> None:
    with pytest.raises(jfrtree.UsageError, match="example"):
        jfrtree.sql("from events('example.Nothing')", testdata / "jdk17-mixed.jfr")
    with pytest.raises(jfrtree.ProfileNotFound):
        jfrtree.sql("from samples('wall')", testdata / "jdk17-mixed.jfr")
    with pytest.raises(duckdb.Error):
        jfrtree.sql("from nowhere", testdata / "jdk17-mixed.jfr")


def test_recordings_in_one_connection_stay_apart(testdata: Path) -> None:
    connection = duckdb.connect()
    query = "select sum(count) from samples('cpu')"
    paths = [testdata / "jdk17-mixed.jfr", testdata / "jdk25-mixed.jfr"]
    first, second = (jfrtree.sql(query, path, connection=connection) for path in paths)
    counts = [jfrtree.open(path).profile("cpu").count for path in paths]
    assert [first.fetchall()[0][0], second.fetchall()[0][0]] == counts
