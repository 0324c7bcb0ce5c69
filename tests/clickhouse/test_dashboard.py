"""The queries of the Grafana dashboard, with its variables filled in, on profiles that were loaded."""

import csv
import json
import os
import pathlib

import pytest

from grafana_variables import dashboard, filled, run, sql_of
from tree_server import Server

RECORDING = pathlib.Path(os.environ["JFRTREE_TESTDATA"]) / "jdk17-mixed.jfr"


@pytest.fixture(scope="module")
def recorded():
    chunk = json.loads(run("info", "--json", RECORDING))
    return chunk["start_ns"] // 1_000_000_000, chunk["end_ns"] // 1_000_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = Server(tmp_path_factory.mktemp("server"))
    run("clickhouse", "load", RECORDING, "--db", f"http://127.0.0.1:{made.port}/", "--create",
        "--label", "service=cart", "--label", "zone=it's", "-q")
    yield made
    made.close()


def values(recorded, hours=1, **more):
    start, end = recorded
    middle = (start + end) // 2
    return {"__from": (middle - hours * 1800) * 1000, "__to": (middle + hours * 1800) * 1000,
            "__interval_ms": 60000, "service": "cart", "kind": "cpu", "number": "count",
            "label": None, "shift": 86400, "stacks": 5000, "min_share": 0, **more}


def expected(kind, number, *options):
    text = run("convert", RECORDING, "-p", kind, "--sample-type", number, "--normalize",
               "--format", "nested-set", "--max-nodes", "0", "-q", *options)
    return [list(row) for row in csv.reader(text.splitlines())][1:]


@pytest.mark.parametrize("source", ["official", "altinity"])
@pytest.mark.parametrize("kind, chosen, number", [
    ("cpu", "count", "count"), ("alloc", "value", "value"), ("lock", "value", "value"),
    ("cpu", "auto", "count"), ("lock", "auto", "value"), ("lock", "count", "count")])
def test_flame_graph_is_that_of_convert(server, recorded, source, kind, chosen, number):
    sql = sql_of(dashboard("--datasource", source), "Flame graph")
    rows = server.rows(filled(sql, **values(recorded, kind=kind, number=chosen)))
    assert rows == expected(kind, number)


def test_samples_of_unknown_value_are_drawn(server, recorded):
    """Their value is 0: a recording whose sampling period is not told, beside one where it is."""
    second = sum(recorded) // 2
    for kind in ("wall", "example.Event"):
        server.query(
            "INSERT INTO profile_samples (service, kind, ts, stack_hash, count, value) SELECT "
            f"'cart', '{kind}', toDateTime({second}), stack_hash, number + 1, 100 * number FROM "
            "(SELECT stack_hash, rowNumberInAllBlocks() AS number FROM profile_stacks LIMIT 2)")
        sql = sql_of(dashboard(), "Flame graph")
        for chosen, total in (("auto", 3), ("count", 3), ("value", 100)):
            rows = server.rows(filled(sql, **values(recorded, kind=kind, number=chosen)))
            assert rows[0][1] == str(total)
        tree = run("clickhouse", "flamegraph", "-p", kind, "--sql", "-o", "-", "--where",
                   "service=cart")
        assert server.rows(tree)[0][1] == "3"
        tree = run("clickhouse", "flamegraph", "-p", kind, "--sql", "--sample-type", "value",
                   "-o", "-", "--where", "service=cart")
        assert server.rows(tree)[0][1] == "100"


@pytest.mark.parametrize("hours", [1, 7, 400])
def test_coarse_sums_have_the_same_totals(server, recorded, hours):
    sql = sql_of(dashboard(), "Flame graph")
    rows = server.rows(filled(sql, **values(recorded, hours)))
    assert rows == expected("cpu", "count")


def test_snapshots_are_not_summed_over_time(server, recorded):
    kinds = {kind for kind, in server.rows("SELECT DISTINCT kind FROM profile_samples")}
    if "live" not in kinds:
        pytest.skip("the recording has no old objects")
    sql = sql_of(dashboard(), "Flame graph")
    for hours in (1, 400):
        rows = server.rows(filled(sql, **values(recorded, hours, kind="live")))
        assert rows[0][1] == expected("live", "count")[0][1]


def test_other_is_exact(server, recorded):
    sql = sql_of(dashboard(), "Flame graph")
    rows = server.rows(filled(sql, **values(recorded, stacks=1)))
    whole = expected("cpu", "count")
    assert rows[0] == whole[0]
    kept = [row for row in rows if row[0] == "1"]
    assert sum(int(row[1]) for row in kept) == int(whole[0][1])
    assert "(other)" in [row[3] for row in kept]


def test_least_share_leaves_out_small_nodes(server, recorded):
    sql = sql_of(dashboard(), "Flame graph")
    rows = server.rows(filled(sql, **values(recorded, min_share=20)))
    whole = expected("cpu", "count")
    assert rows == [row for row in whole if int(row[1]) * 100 >= int(whole[0][1]) * 20]


def test_labels_choose(server, recorded):
    sql = sql_of(dashboard(), "Flame graph")
    assert server.rows(filled(sql, **values(recorded, label="zone=it's"))) == expected("cpu", "count")
    assert server.rows(filled(sql, **values(recorded, label="zone=x"))) == [["0", "0", "0", "total"]]


def test_nothing_stored_is_a_root(server, recorded):
    sql = sql_of(dashboard(), "Flame graph")
    for change in ({"service": "none"}, {"kind": "none"}, {"__to": 1000, "__from": 0}):
        assert server.rows(filled(sql, **{**values(recorded), **change})) == [
            ["0", "0", "0", "total"]]


def test_comparison_has_both_sides(server, recorded):
    sql = sql_of(dashboard(), "Compared")
    whole = expected("cpu", "count")
    rows = server.rows(filled(sql, **values(recorded)))
    assert [[row[0], row[4], row[5], row[3]] for row in rows] == whole
    assert {(row[1], row[2]) for row in rows} == {("0", "0")}
    later = values(recorded)
    later["__from"] += 86400_000
    later["__to"] += 86400_000
    assert [row[:4] for row in server.rows(filled(sql, **later))] == whole


def test_trend_sums_to_the_total(server, recorded):
    sql = sql_of(dashboard(), "$kind of")
    total = int(expected("cpu", "count")[0][1])
    for hours, seconds in ((1, 60), (7, 60), (400, 3600)):
        rows = server.rows(filled(sql, **values(recorded, hours)))
        assert round(sum(float(row[1]) for row in rows) * seconds) == total


def test_methods_are_those_of_top(server, recorded):
    top = json.loads(run("top", RECORDING, "-p", "cpu", "--normalize", "--json", "-n", "100000"))
    sql = sql_of(dashboard(), "Hottest")
    found = {row[0]: (int(row[1]), int(row[2])) for row in server.rows(filled(sql, **values(recorded)))}
    methods = {each["frame"]: each for each in top["rows"]}
    assert len(found) == min(100, len(methods))
    for name, (own, total) in found.items():
        assert (methods[name]["self"], methods[name]["total"]) == (own, total)


def test_variables_list_what_is_stored(server, recorded):
    found = {}
    for variable in dashboard()["templating"]["list"]:
        if variable["type"] == "query":
            found[variable["name"]] = [
                row[0] for row in server.rows(filled(variable["query"], **values(recorded)))]
    assert found["service"] == ["cart"]
    assert {"cpu", "alloc"} <= set(found["kind"])
    assert found["label"] == ["zone=it\\'s"]
    assert len(server.rows(filled(sql_of(dashboard(), "Recordings"), **values(recorded)))) == 1


def test_queries_may_name_their_database(server, recorded):
    server.query("CREATE DATABASE `other one`")
    sql = sql_of(dashboard("--database", "default"), "Flame graph")
    assert server.rows(filled(sql, **values(recorded))) == expected("cpu", "count")
    text = run("clickhouse", "dashboard", "--database", "other one")
    assert "`other one`.profile_stacks" in text and " profile_stacks" not in text
