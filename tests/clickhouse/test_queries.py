"""Profiles read back from a database: what they are to equal comes from the recordings themselves,
from SQL over the finest rows, or from arithmetic by hand."""

import json
import os
import pathlib

import pytest
from program import TESTDATA, load, run
from queries import (ask, make_tables, rows_of, sql_of, sql_tree, stacks, stored_load, stored_samples,
                     stored_stack, tree)
from ranges import RANGES, check_range, make_hours

CHUNKS = TESTDATA / "jdk17-chunks.jfr"
KINDS = TESTDATA / "jdk17-kinds.jfr"
MIXED = TESTDATA / "jdk17-mixed.jfr"
HOSTILE = "it's \"a\" \\ back\ttab \U0001f525 ; DROP TABLE profile_samples --"


def recordings():
    folder = pathlib.Path(os.environ.get("JFRTREE_RECORDINGS", "nowhere"))
    is_absent = pytest.mark.skipif(not folder.is_dir(), reason="the recordings are not there")
    shared = ["grafana_jfr-parser__cortex-dev-01__kafka-0__cpu_lock0_alloc0__0.jfr.gz",
              "grafana_jfr-parser__nativemem.jfr.gz"]
    return [CHUNKS, KINDS, TESTDATA / "jdk25-kinds.jfr",
            *(pytest.param(folder / name, marks=is_absent) for name in shared)]


def of_recordings(*files, arguments=()):
    """What `convert` says of recordings."""
    return rows_of(text_of_recordings(*files, arguments=arguments))


def text_of_recordings(*files, arguments=()):
    return run("convert", *files, "-q", "-p", "all", "--normalize", "--format", "stacks", *arguments)


@pytest.mark.parametrize("recording", recordings(), ids=lambda path: path.name.split(".")[0][-24:])
def test_a_recording_reads_back_as_it_is(embedded, recording):
    load(recording, embedded.folder, library=embedded.library)
    text = ask(embedded, "flamegraph", "-q", "-p", "all", "--format", "stacks")
    assert text == text_of_recordings(recording)


def test_a_server_gives_the_same_and_by_thread(server):
    load(MIXED, server.url, "--create", "--by-thread", "--label", "service=cart")
    assert stacks(server, "-p", "all") == of_recordings(MIXED)
    by_thread = of_recordings(MIXED, arguments=["--by-thread"])
    assert stacks(server, "-p", "all", "--by-thread") == by_thread
    thread = next(row[2] for row in by_thread if row[0] == "cpu")
    chosen = [row for row in by_thread if row[2] == thread]
    assert stacks(server, "-p", "all", "--by-thread", "--where", f"thread={thread}") == chosen


def test_hostile_labels_are_found_and_nothing_is_pasted(server):
    load(CHUNKS, server.url, "--create", "--label", f"odd={HOSTILE}", "--label", f"service={HOSTILE}")
    load(KINDS, server.url, "--label", "odd=other", "--label", "service=cart")
    expected = of_recordings(CHUNKS)
    assert stacks(server, "-p", "all", "--where", f"odd={HOSTILE}") == expected
    assert stacks(server, "-p", "all", "--where", f"service={HOSTILE}") == expected
    both = ["--where", f"odd={HOSTILE}", "--where", "odd=other"]
    assert stacks(server, "-p", "all", *both) == of_recordings(CHUNKS, KINDS)
    sql = sql_of("-p", "cpu", "--sample-type", "count", "--where", f"odd={HOSTILE}", "--where",
                 f"service={HOSTILE}")
    assert sql_tree(server, sql) == tree(server, "cpu", "--sample-type", "count")
    for attempt in ("x' OR '1'='1", "x\\", "x\\' OR 1=1 --", "{text0:String}", "$__fromTime"):
        for key in ("service", "thread", "odd", "o'); DROP TABLE profile_samples; --"):
            text = ask(server, "flamegraph", "-p", "cpu", "--format", "stacks", "--where",
                       f"{key}={attempt}", code=1)
            assert "no samples of the kind cpu" in text and "stored are the kinds" in text
    assert server.query("EXISTS TABLE profile_samples") == "1\n"


def test_hostile_labels_in_the_embedded_engine(embedded):
    load(CHUNKS, embedded.folder, "--label", f"odd={HOSTILE}", library=embedded.library)
    assert stacks(embedded, "-p", "all", "--where", f"odd={HOSTILE}") == of_recordings(CHUNKS)
    text = ask(embedded, "top", "--where", "odd=x' OR '1'='1", code=1)
    assert "no samples with odd=x' OR '1'='1" in text


@pytest.fixture(scope="module")
def hours(started_server):
    started_server.query("CREATE DATABASE hours")

    class Hours:
        url = f"{started_server.url}/?database=hours"

        @staticmethod
        def query(sql):
            return started_server.query(sql, database="hours")

    make_hours(Hours)
    return Hours


@pytest.mark.parametrize("arguments,tables", RANGES)
def test_roll_ups_give_the_sums_of_the_finest_rows(hours, arguments, tables):
    check_range(hours, arguments, tables)


def test_the_bytes_of_io_are_those_of_the_recording(server):
    load(KINDS, server.url, "--create")
    load(KINDS, server.url, "--force")
    of_file = json.loads(run("info", KINDS, "-q", "--json"))
    total = next(each["bytes"] for each in of_file["profiles"] if each["kind"] == "io")
    assert total > 0
    lists = {arguments: [json.loads(line) for line in ask(
        server, "flamegraph", "-q", "-p", "io", "--format", "stacks", *arguments).splitlines()]
        for arguments in [(), ("--max-stacks", "2"), ("--from", "2020-01-01T00:00:00Z")]}
    for rows in lists.values():
        assert sum(row["bytes"] for row in rows) == total
    assert len(lists["--max-stacks", "2"]) == 3
    by_bytes = ask(server, "flamegraph", "-q", "-p", "io", "--format", "nested-set-json",
                   "--sample-type", "bytes")
    assert json.loads(by_bytes)[0]["value"] == total


def test_a_range_that_is_empty_or_turned_round(hours):
    same = "2026-11-30T03:00:00Z"
    text = ask(hours, "top", "-p", "wall", "--from", same, "--to", same, code=1)
    assert "no samples of the kind wall from 2026-11-30T03:00:00Z" in text
    assert "of the services made from 2026-11-30T00:00:00Z to 2026-11-30T06:59:" in text
    text = ask(hours, "top", "--from", same, "--to", "2026-11-30T02:00:00Z", code=2)
    assert "before its start" in text
    text = ask(hours, "top", "--from", "+1h", code=2)
    assert "--from: '+1h' has no start to be behind" in text
    # The panel of Grafana needs a root also where there is nothing.
    assert sql_tree(hours, sql_of("-p", "wall", "--from", same, "--to", same)) == [
        (0, 0, 0, "total")]
    behind = stacks(hours, "-p", "wall", "--from", same, "--to", "+1h")
    assert behind == stacks(hours, "-p", "wall", "--from", same, "--to", "2026-11-30T04:00:00Z")


def test_snapshots_are_the_newest_of_each_process_and_never_summed_over_time(server):
    make_tables(server)
    stored_stack(server, 1, ["Main.main", "byte[]"])
    stored_stack(server, 2, ["Main.main", "char[]"])
    # Process 1: an old chunk, a newer one whose objects are of three buckets, one half loaded.
    stored_load(server, 11, "2026-11-30 10:00:00")
    stored_load(server, 12, "2026-11-30 11:00:00")
    stored_load(server, 13, "2026-11-30 12:00:00", state="started")
    # Process 2, one chunk; process 3, rows that belong to no load: their bucket counts.
    stored_load(server, 21, "2026-11-30 09:00:00", process=2)
    stored_samples(
        server,
        ("live", "2026-11-30 11:30:00", 1, 1, 11, 5, 500),
        ("live", "2026-11-30 10:30:00", 1, 1, 12, 1, 10),
        ("live", "2026-11-30 10:40:00", 1, 1, 12, 2, 20),
        ("live", "2026-11-30 11:10:00", 2, 1, 12, 4, 40),
        ("live", "2026-11-30 12:10:00", 1, 1, 13, 99, 99),
        ("live", "2026-11-30 09:10:00", 1, 2, 21, 8, 80),
        ("live", "2026-11-30 09:00:00", 2, 3, 0, 50, 50),
        ("live", "2026-11-30 09:00:10", 2, 3, 0, 16, 160))
    expected = [("live", ["Main.main", "byte[]"], None, 1 + 2 + 8, 10 + 20 + 80),
                ("live", ["Main.main", "char[]"], None, 4 + 16, 40 + 160)]
    assert stacks(server, "-p", "live") == expected
    assert stacks(server) == expected
    assert sql_tree(server, sql_of("-p", "live", "--sample-type", "value")) == tree(server, "live")
    # A range that ends before the newer chunk has samples.
    early = stacks(server, "-p", "live", "--to", "2026-11-30T09:30:00Z", "--where", "service=made")
    assert early == [("live", ["Main.main", "byte[]"], None, 8, 80),
                     ("live", ["Main.main", "char[]"], None, 16, 160)]


def test_loads_that_are_half_done_or_replaced_do_not_count(server):
    make_tables(server)
    stored_stack(server, 1, ["Main.main"])
    for load_id, state in ((1, "started"), (2, "committed"), (3, "replaced")):
        stored_load(server, load_id, "2026-11-30 10:00:00", state)
    stored_samples(server, *(("lock", "2026-11-30 10:00:00", 1, 1, load_id, 10 ** load_id, 7)
                             for load_id in (1, 2, 3)))
    assert stacks(server) == [("lock", ["Main.main"], None, 100, 7)]
    server.query("INSERT INTO profile_chunks SELECT * REPLACE ('replaced' AS state, now64(6) AS "
                 "changed) FROM profile_chunks WHERE load_id = 2")
    assert "no samples" in ask(server, "top", code=1)


def test_stacks_beyond_the_largest_are_in_other_and_the_total_is_exact(hours):
    all_rows = tree(hours, "wall")
    few = tree(hours, "wall", "--max-stacks", "2")
    assert few[0] == all_rows[0]
    leaves = sorted((row for row in all_rows if row[0] == 2), key=lambda row: -row[1])
    other = sum(row[1] for row in leaves[2:])
    assert [row for row in few if row[3] == "(other)"] == [(1, other, other, "(other)")]
    assert sorted(row[3] for row in few if row[0] == 2) == sorted(row[3] for row in leaves[:2])
    assert sql_tree(hours, sql_of("-p", "wall", "--sample-type", "value", "--max-stacks", "2")) == few


def test_one_very_deep_stack_does_not_fill_the_memory(server):
    make_tables(server)
    server.query(
        "INSERT INTO profile_stacks SELECT 'made', number, arrayMap(i -> concat('com.example.Class', "
        "toString(cityHash64(intDiv(number, 1 + (30 - i) * 50), i) % 6000), '.run'), range(30)), "
        "'2026-11-30' FROM numbers(30000)")
    server.query("INSERT INTO profile_stacks SELECT 'made', 30000, arrayMap(i -> "
                 "concat('com.example.Recursion', toString(i % 7), '.descend'), range(20000)), "
                 "'2026-11-30'")
    server.query("INSERT INTO profile_samples SELECT 'made', 'wall', toDateTime('2026-11-30 "
                 "10:00:00', 'UTC'), number, 1, '', map(), 0, 1, 10 FROM numbers(30001)")
    sql = sql_of("-p", "wall", "--sample-type", "value", "--max-stacks", "40000")
    rows = sql_tree(server, sql + ", max_memory_usage = 800000000")
    assert rows[0] == (0, 300010, 0, "total")
    assert max(row[0] for row in rows) == 20000
    assert rows == tree(server, "wall")


# The founding text's way, repaired: each prefix of a stack is a box.
PREFIXES = """
SELECT toUInt32(length(path)) AS level, sum(c) AS value, sumIf(c, leaf) AS self,
  if(empty(path), 'total', path[-1]) AS label
FROM (SELECT arrayJoin(range(toUInt64(0), length(st) + 1)) AS lv, arraySlice(st, 1, lv) AS path, c,
        length(st) = lv AS leaf
      FROM (SELECT sum({number}) AS c, any(if(empty(frames), ['[no stack]'], frames)) AS st
            FROM profile_samples AS samples
            INNER JOIN (SELECT DISTINCT stack_hash, CAST(frames, 'Array(String)') AS frames
                        FROM profile_stacks) AS stacks USING stack_hash
            WHERE kind = '{kind}' GROUP BY stack_hash HAVING c > 0))
GROUP BY path ORDER BY path SETTINGS max_threads = 4"""


@pytest.mark.parametrize("kind,number", [("cpu", "count"), ("exceptions", "count"), ("io", "value"),
                                         ("park", "value"), ("wait", "value")])
def test_the_statement_gives_the_same_tree_row_by_row(server, kind, number):
    load(KINDS, server.url, "--create")
    load(CHUNKS, server.url)
    ours = tree(server, kind, "--sample-type", number)
    arguments = ["-p", kind, "--sample-type", number]
    assert sql_tree(server, sql_of(*arguments)) == ours
    assert sql_tree(server, PREFIXES.format(kind=kind, number=number)) == ours
    official = sql_of(*arguments, "--macros", "official")
    assert "ts >= $__fromTime AND ts < $__toTime" in official
    official = official.replace("$__fromTime", "toDateTime(1)").replace("$__toTime", "now()")
    assert sql_tree(server, official) == ours
    altinity = sql_of(*arguments, "--macros", "altinity")
    assert "ts >= toDateTime($from) AND ts < toDateTime($to)" in altinity
    assert sql_tree(server, altinity.replace("$from", "1").replace("$to", "4000000000")) == ours
    # Small boxes are left out, the others stay as they are.
    wide = sql_tree(server, sql_of(*arguments, "--min-width", "20"))
    assert wide == [row for row in ours if row[1] >= ours[0][1] * 0.2]


def test_top_is_that_of_the_recording(server):
    load(MIXED, server.url, "--create")
    for arguments in (["-p", "alloc"], ["-p", "cpu", "--by", "total"], ["-p", "alloc", "--sample-type", "count"]):
        ours = json.loads(ask(server, "top", "-n", "0", "--json", *arguments))
        assert ours == json.loads(run("top", MIXED, "-q", "-n", "0", "--json", "--normalize", *arguments))
    # The first kind there is, as a table.
    assert ask(server, "top", "-n", "1") == run("top", MIXED, "-q", "-n", "1", "--normalize")


def test_diff_of_two_labels_is_that_of_two_recordings(server):
    load(CHUNKS, server.url, "--create", "--label", "version=1")
    load(KINDS, server.url, "--label", "version=2")
    sides = ["--where", "version=1", "--other-where", "version=2"]
    for arguments in (["--format", "stacks", "-p", "cpu"], ["--format", "stacks", "-p", "park"],
                      ["--format", "collapsed", "-p", "cpu", "--absolute", "--sample-type", "count"],
                      ["--format", "collapsed", "-p", "park"]):
        assert ask(server, "diff", "-q", *sides, *arguments) == \
            run("diff", CHUNKS, KINDS, "-q", *arguments)
    for arguments in (["-p", "cpu"], ["-p", "wait", "--per-second"]):
        summary = json.loads(ask(server, "diff", "-q", *sides, *arguments, "--format", "json"))
        expected = json.loads(run("diff", CHUNKS, KINDS, "-q", *arguments, "--format", "json"))
        assert (summary["left"].pop("name"), summary["right"].pop("name")) == ("version=1", "version=2")
        del expected["left"]["name"], expected["right"]["name"]
        assert summary == expected and summary["rows"]
    text = ask(server, "diff", *sides, "-p", "lock", "--format", "stacks", code=1)
    assert "neither side has lock samples; the left one (version=1) has cpu, park" in text


def test_diff_of_two_ranges(hours):
    first = ["--from", "2026-11-30T01:00:00Z", "--to", "2026-11-30T02:00:00Z"]
    later = ["2026-11-30T03:00:00Z", "2026-11-30T05:00:00Z"]
    text = ask(hours, "diff", "-q", "-p", "wall", *first, "--other-from", later[0], "--other-to",
               later[1], "--format", "stacks")
    left = {tuple(row[1]): row[3] for row in stacks(hours, "-p", "wall", *first)}
    right = {tuple(row[1]): row[3]
             for row in stacks(hours, "-p", "wall", "--from", later[0], "--to", later[1])}
    for line in text.splitlines():
        row = json.loads(line)
        assert row["left"]["count"] == left[tuple(row["stack"])]
        assert row["right"]["count"] == right[tuple(row["stack"])]
    text = ask(hours, "diff", "-p", "wall", "--format", "stacks", code=2)
    assert "--other-from, --other-to, --other-where: one of them" in text


def test_list_tells_what_is_stored(server):
    load(CHUNKS, server.url, "--create", "--label", "service=cart", "--label", "host=h1")
    load(KINDS, server.url, "--label", "service=shop")
    listed = json.loads(ask(server, "list", "--json"))
    info = json.loads(run("info", CHUNKS, "-q", "--json"))
    cart = next(each for each in listed["recordings"] if each["service"] == "cart")
    assert (cart["start_ns"], cart["end_ns"]) == (info["start_ns"], info["end_ns"])
    assert (cart["chunks"], cart["source"], cart["host"]) == (4, str(CHUNKS), "h1")
    assert {each["kind"] for each in listed["kinds"] if each["service"] == "cart"} == \
        {each["kind"] for each in info["profiles"]}
    assert [(each["key"], each["value"]) for each in listed["labels"]] == [("host", "h1")]
    only = json.loads(ask(server, "list", "--json", "--service", "shop"))
    assert {each["service"] for each in only["recordings"] + only["kinds"]} == {"shop"}
    text = ask(server, "list")
    assert "live (snapshot)" in text and "host=h1" in text
    # A value with line feeds stays in its line, exact in JSON.
    load(MIXED, server.url, "--label", "odd=two\nlines\x1b[31m", "--label", "service=odd")
    text = ask(server, "list", "--service", "odd")
    assert [line for line in text.splitlines() if "odd=two" in line][0].count(":") == 4
    assert "\x1b" not in text
    listed = json.loads(ask(server, "list", "--json", "--service", "odd"))
    assert [each["value"] for each in listed["labels"]] == ["two\nlines\x1b[31m"]


def test_list_is_of_services_times_and_the_newest_recordings(server):
    make_tables(server)
    for number, day in enumerate(("27", "28", "29"), start=1):
        stored_load(server, number, f"2026-11-{day} 10:00:00", process=number)
    stored_samples(server, ("lock", "2026-11-29 10:00:00", 1, 3, 3, 1, 1))
    lists = {arguments: json.loads(ask(server, "list", "--json", *arguments)) for arguments in [
        (), ("--recordings", "2"), ("--to", "2026-11-28T12:00:00Z"), ("--service", "made")]}
    processes = {arguments: [int(each["process"]) for each in listed["recordings"]]
                 for arguments, listed in lists.items()}
    assert list(processes.values()) == [[1, 2, 3], [2, 3], [1, 2], [1, 2, 3]]
    assert [listed["has_more_recordings"] for listed in lists.values()] == [
        False, True, False, False]
    assert [len(listed["kinds"]) for listed in lists.values()] == [1, 1, 0, 1]
    assert "and older ones, which --recordings 0 lists" in ask(server, "list", "--recordings", "1")
    message = ask(server, "list", "--service", "cart", code=1)
    assert "nothing of the service is stored; there are: made" in message


def test_rates_are_over_the_time_that_recordings_cover_each_moment_once(server):
    make_tables(server)
    stored_stack(server, 1, ["Main.main"])
    # Seconds 0 to 60, 30 to 50 (inside), 50 to 70, a gap of 20 s, 90 to 100; one not committed.
    for load_id, first, last, state in [(1, 0, 60, "committed"), (2, 30, 50, "committed"),
                                        (3, 50, 70, "committed"), (4, 90, 100, "committed"),
                                        (5, 0, 3600, "started")]:
        stored_load(server, load_id, "2026-11-30 10:00:00", state)
        start = "toDateTime64('2026-11-30 10:00:00', 9, 'UTC')"
        server.query(f"ALTER TABLE profile_chunks UPDATE start = {start} + {first}, "
                     f"end = {start} + {last} WHERE load_id = {load_id} "
                     "SETTINGS mutations_sync = 2")
    stored_samples(server, ("lock", "2026-11-30 10:00:00", 1, 1, 1, 3, 30),
                   ("lock", "2026-11-30 10:01:30", 1, 1, 4, 3, 30))
    diff = json.loads(ask(
        server, "diff", "-q", "-p", "lock", "--per-second", "--format", "json",
        "--from", "2026-11-30T09:00:00Z", "--to", "2026-11-30T11:00:00Z",
        "--other-from", "2026-11-30T10:00:40Z", "--other-to", "2026-11-30T10:01:40Z"))
    spans = [side["span_ns"] for side in (diff["left"], diff["right"])]
    assert spans == [80 * 10 ** 9, (30 + 10) * 10 ** 9]


def test_the_newest_state_of_a_load_counts_before_anything_is_merged(server):
    make_tables(server)
    server.query("SYSTEM STOP MERGES profile_chunks")
    stored_stack(server, 1, ["Main.main"])
    for load_id, states in enumerate([["started", "committed"], ["started"],
                                      ["started", "committed", "replaced"]], start=1):
        for state in states:
            stored_load(server, load_id, "2026-11-30 10:00:00", state)
    stored_samples(server, *(("lock", "2026-11-30 10:00:00", 1, 1, load_id, 10 ** load_id, 7)
                             for load_id in (1, 2, 3)))
    assert stacks(server) == [("lock", ["Main.main"], None, 10, 7)]
    assert server.query("SELECT load_id FROM profile_hidden_loads ORDER BY 1") == "2\n3\n"
    assert server.query("SELECT load_id, last_state FROM profile_loads ORDER BY 1") == \
        "1\tcommitted\n2\tstarted\n3\treplaced\n"
    assert server.query("SELECT chunks FROM profile_recordings") == "1\n"


def test_the_view_by_the_minute_has_the_sums_of_the_finest_rows(hours):
    columns = "service, kind, toStartOfMinute(ts) AS minute, stack_hash, labels, load_id"
    of_rows = hours.query(f"SELECT {columns}, sum(count), sum(value) FROM profile_samples WHERE "
                          f"kind != 'live' GROUP BY {columns.replace(' AS minute', '')} ORDER BY ALL")
    assert of_rows == hours.query(
        "SELECT service, kind, ts, stack_hash, labels, load_id, count, value FROM "
        "profile_samples_1m ORDER BY ALL") != ""
    names = "SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = "
    assert hours.query(f"{names}'profile_samples_1m' ORDER BY position").split() == \
        hours.query(f"{names}'profile_samples_1h' ORDER BY position").split()
