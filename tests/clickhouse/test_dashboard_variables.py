"""All queries of the dashboard and of --sql, with whatever labels hold, as users that may only read,
on a cluster and on the oldest engine; results in the panel's own code."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest
from cluster import Cluster
from engine import Server
from grafana_variables import ALL, dashboard, filled, queries, sql_of
from old_engine import OldEngine
from program import TESTDATA, load, run
from queries import ask
from queries import sql_of as statement_of
from queries import sql_tree, stacks, tree

CHUNKS = TESTDATA / "jdk17-chunks.jfr"
KINDS = TESTDATA / "jdk17-kinds.jfr"
MIXED = TESTDATA / "jdk17-mixed.jfr"
HOSTILE = ["it's", "back\\slash", "100 %25 \\n", "\U0001f525 \"quoted\"", "$__all ${kind}", "a,b'"]
PANEL = pathlib.Path(__file__).parent.parent / "grafana" / "panel.mjs"


def values(**more):
    """A week around the recordings of the tests."""
    return {"__from": 1796000000000, "__to": 1796000000000 + 3600_000 * 5 * 24, "__interval_ms": 60000,
            "service": "cart", "kind": "cpu", "number": "count", "label": ALL, "shift": 86400,
            "stacks": 5000, "min_share": 0, **more}


def range_of(*recordings):
    times = [json.loads(run("info", "-q", "--json", each)) for each in recordings]
    return {"__from": min(each["start_ns"] for each in times) // 1_000_000 - 60_000,
            "__to": max(each["end_ns"] for each in times) // 1_000_000 + 60_000}


def rows(database, sql):
    answer = json.loads(database.query(sql + "\nFORMAT JSON"))
    names = [column["name"] for column in answer["meta"]]
    return [tuple(row[name] for name in names) for row in answer["data"]]


def counts(database, *arguments):
    """The tree of `clickhouse flamegraph` as numbers that the dashboard gives."""
    return [(level, value, own, name) for level, value, own, name in
            tree(database, *arguments, "--sample-type", "count")]


def numbers(found):
    return [(int(level), int(value), int(own), name) for level, value, own, name in found]


def in_panel(tmp_path, database, sql):
    """Boxes that Grafana's own code makes of the answer."""
    folder = os.environ.get("JFRTREE_GRAFANA_PANEL", "")
    if not folder or not shutil.which("node"):
        pytest.skip("needs node and JFRTREE_GRAFANA_PANEL, a folder made by tests/grafana/fetch")
    path = tmp_path / "rows.json"
    path.write_text(database.query(sql + "\nFORMAT JSON"))
    shown = subprocess.run(["node", PANEL, folder, path], capture_output=True, text=True, check=True)
    return json.loads(shown.stdout)


def test_both_data_sources_have_the_same_queries():
    assert queries(dashboard("--datasource", "altinity")) == queries(dashboard())


def test_labels_and_services_of_any_text(server):
    for number, text in enumerate(HOSTILE):
        load(CHUNKS if number % 2 else KINDS, server.url, "--create", "--label", f"odd={text}",
             "--label", f"service={text}", "--force")
    texts = queries(dashboard())
    when = range_of(CHUNKS, KINDS)
    # What was loaded last of each recording is there; the lists of values are what a user picks from.
    for file, text, kind in ((CHUNKS, HOSTILE[5], "park"), (KINDS, HOSTILE[4], "wait")):
        services = [row[0] for row in rows(server, filled(texts["service"], **values(**when)))]
        picked = next(each for each in services
                      if each.replace("%5C", "\\").replace("%25", "%") == text)
        labels = rows(server, filled(texts["label"], **values(service=picked, **when)))
        chosen = [each for each, in labels
                  if each.replace("%5C", "\\").replace("%25", "%") == f"odd={text}"]
        assert len(chosen) == 1
        sql = texts["Flame graph: $kind of $service"]
        ours = counts(server, kind, "--where", f"service={text}")
        assert len(ours) > 3
        for label in (chosen[0], chosen, [*chosen, "odd=nothing"], ALL):
            given = values(service=picked, kind=kind, label=label, **when)
            assert numbers(rows(server, filled(sql, **given))) == ours
        given = values(service=picked, kind=kind, label="odd=nothing", **when)
        assert numbers(rows(server, filled(sql, **given))) == [(0, 0, 0, "total")]


def test_backslashes_and_percent_signs(server):
    for text in HOSTILE[1:3]:
        load(KINDS, server.url, "--create", "--label", f"odd={text}", "--label", f"service={text}",
             "--force")
        texts = queries(dashboard())
        when = range_of(KINDS)
        encoded = text.replace("%", "%25").replace("\\", "%5C")
        assert [encoded] == [row[0] for row in rows(server, filled(texts["service"], **values(**when)))
                             if row[0] == encoded]
        for label in (ALL, f"odd={encoded}"):
            given = values(service=encoded, kind="wait", label=label, **when)
            found = rows(server, filled(texts["Flame graph: $kind of $service"], **given))
            assert numbers(found) == counts(server, "wait", "--where", f"service={text}")


@pytest.mark.parametrize("source", ["official", "altinity"])
def test_snapshots_are_those_of_the_program(server, source, tmp_path):
    """Of each process the newest chunk, whatever the times of its objects."""
    load(KINDS, server.url, "--create", "--label", "service=cart", "--bucket", "1s")
    load(TESTDATA / "jdk25-kinds.jfr", server.url, "--label", "service=cart", "--bucket", "1s")
    ours = counts(server, "live")
    assert len(ours) > 3
    when = range_of(KINDS, TESTDATA / "jdk25-kinds.jfr")
    for width in (0, 30 * 86400_000):
        given = values(kind="live", **{**when, "__from": when["__from"] - width})
        sql = filled(sql_of(dashboard("--datasource", source), "Flame graph"), **given)
        assert numbers(rows(server, sql)) == ours
    shown = in_panel(tmp_path, server, sql)
    assert (shown["rows"], shown["root"]) == (len(ours), ours[0][1])


def test_the_panel_takes_all_that_draws(server, tmp_path):
    load(MIXED, server.url, "--create", "--label", "service=cart")
    made = dashboard()
    for title in ("Flame graph", "Compared"):
        for given in (values(**range_of(MIXED)), values(service="nobody"),
                      values(**{"__from": 0, "__to": 0})):
            shown = in_panel(tmp_path, server, filled(sql_of(made, title), **given))
            assert "error" not in shown and shown["rows"] > 0
    for macros in ([], ["--macros", "official"], ["--macros", "altinity"]):
        sql = statement_of("-p", "cpu", "--sample-type", "count", "--no-settings", *macros)
        for name, text in (("$__fromTime", "toDateTime(1)"), ("$__toTime", "toDateTime(4000000000)"),
                           ("$from", "1"), ("$to", "4000000000")):
            sql = sql.replace(name, text)
        assert in_panel(tmp_path, server, sql)["root"] == counts(server, "cpu")[0][1]


USERS = """<clickhouse><users_config>users.xml</users_config>
<user_directories><users_xml><path>{path}</path></users_xml></user_directories></clickhouse>"""
ACCOUNTS = """<clickhouse><profiles><default/><one><readonly>1</readonly></one>
<two><readonly>2</readonly></two>
<given><readonly>1</readonly><max_block_size>1024</max_block_size></given></profiles>
<quotas><default/></quotas><users>
<default><password/><networks><ip>::/0</ip></networks><profile>default</profile></default>
<one><password>o</password><networks><ip>::/0</ip></networks><profile>one</profile></one>
<two><password>t</password><networks><ip>::/0</ip></networks><profile>two</profile></two>
<given><password>g</password><networks><ip>::/0</ip></networks><profile>given</profile></given>
</users></clickhouse>"""


@pytest.fixture(scope="module")
def read_only(library, tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    (folder / "users.xml").write_text(ACCOUNTS)
    (folder / "config.xml").write_text(USERS.format(path=folder / "users.xml"))
    server = Server(library, folder / "db", str(folder / "config.xml"))
    load(MIXED, server.url, "--create", "--label", "service=cart")
    yield server
    server.stop()


class Reader:
    """A user of a server."""

    def __init__(self, server, user, password):
        self.server, self.user, self.password = server, user, password
        self.url = server.url.replace("//", f"//{user}:{password}@")

    def query(self, sql):
        return self.server.query(sql, user=self.user, password=self.password)


@pytest.mark.parametrize("user,password", [("one", "o"), ("two", "t"), ("given", "g")])
def test_users_that_may_only_read(read_only, user, password):
    reader = Reader(read_only, user, password)
    when = range_of(MIXED)
    for name, sql in queries(dashboard()).items():
        found = reader.query(filled(sql, **values(**when)) + "\nFORMAT JSON")
        assert json.loads(found)["rows"] > 0 or name == "label"  # service alone is none
    assert stacks(reader, "-p", "all") == stacks(read_only, "-p", "all")
    assert ask(reader, "top", "-p", "cpu") == ask(read_only, "top", "-p", "cpu")
    assert ask(reader, "list") == ask(read_only, "list")
    arguments = ["-p", "cpu", "--sample-type", "count"]
    ours = counts(read_only, "cpu")
    assert numbers(rows(reader, statement_of(*arguments, "--no-settings"))) == ours
    if user == "one":
        with pytest.raises(RuntimeError, match="max_block_size"):
            rows(reader, statement_of(*arguments))
    else:
        assert numbers(rows(reader, statement_of(*arguments))) == ours
    # And no more than that.
    before = read_only.query("SELECT count(), sum(count) FROM profile_samples")
    for more in ([], ["--create"], ["--force"]):
        text = load(MIXED if "--force" in more else KINDS, reader.url, "--label", "service=cart", *more, code=1)
        assert "readonly" in text and "the user or the table may only be read" in text
    assert read_only.query("SELECT count(), sum(count) FROM profile_samples") == before
    assert read_only.query("SELECT count() FROM profile_hidden_loads") == "0\n"
    with pytest.raises(RuntimeError, match="readonly"):
        reader.query("TRUNCATE TABLE profile_samples")


def test_on_a_cluster(library, tmp_path, embedded):
    cluster = Cluster(library, tmp_path)
    try:
        load(MIXED, cluster.servers[0].url, "--cluster", "two", "--label", "service=cart")
        load(MIXED, embedded.folder, "--label", "service=cart", library=embedded.library)
        when = range_of(MIXED)
        for server in cluster.servers:
            for kind in ("cpu", "live"):
                sql = filled(sql_of(dashboard(), "Flame graph"), **values(kind=kind, **when))
                if kind in {row[0] for row in stacks(server, "-p", "all")}:
                    assert numbers(rows(server, sql)) == counts(embedded, kind)
            for sql in queries(dashboard()).values():
                server.query(filled(sql, **values(**when)))
    finally:
        cluster.stop()


def test_on_the_oldest_engine(tmp_path):
    engine = OldEngine("24.8", tmp_path)
    try:
        load(KINDS, engine.url, "--create", "--label", "service=cart")
        when = range_of(KINDS)
        texts = queries(dashboard())
        for kind in ("live", "exceptions"):
            sql = filled(texts["Flame graph: $kind of $service"], **values(kind=kind, **when))
            assert numbers(rows(engine, sql)) == counts(engine, kind)
        for sql in texts.values():
            engine.query(filled(sql, **values(kind="exceptions", **when)))
    finally:
        engine.stop()


def test_settings_are_left_out_of_statements_only():
    assert "--no-settings: only with --sql" in run("clickhouse", "flamegraph", "--no-settings", "--db",
                                                   "nowhere", "--format", "stacks", code=2)
    whole = statement_of("-p", "cpu")
    assert statement_of("-p", "cpu", "--no-settings") + "SETTINGS max_block_size = 1024\n" == whole
