"""The oldest engine that is supported, 24.8, and an older one, by the program itself."""

import json

import pytest
from old_engine import OldEngine
from program import TESTDATA, load, run, start, stored_sums, sums_of
from queries import ask, make_tables, sql_of, sql_tree, stacks, tree
from ranges import RANGES, check_range, make_hours
from test_queries import of_recordings

KINDS = TESTDATA / "jdk17-kinds.jfr"
CHUNKS = TESTDATA / "jdk17-chunks.jfr"


@pytest.fixture
def oldest(tmp_path):
    engine = OldEngine("24.8", tmp_path)
    yield engine
    engine.stop()


def test_it_is_the_oldest(oldest):
    assert oldest.query("SELECT version()").startswith("24.8.")


@pytest.mark.parametrize("compression", ["zstd", "lz4"])
def test_a_recording_comes_back_exactly(oldest, compression):
    text = load(CHUNKS, oldest.url, "--create", "--compression", compression)
    assert "4 chunks" in text
    assert stored_sums(oldest) == sums_of(CHUNKS)
    assert "skipped 4 chunks" in load(CHUNKS, oldest.url)


def test_loads_are_replaced_and_undone(oldest):
    load(CHUNKS, oldest.url, "--create", "--bucket", "1h")
    assert "(4 replaced)" in load(CHUNKS, oldest.url, "--force", "--bucket", "1s")
    assert stored_sums(oldest) == sums_of(CHUNKS)
    # As after a crash between the samples and the end, of a loader that is gone. Rows of the loads
    # that were replaced may still be there: the engine ends before it has deleted them.
    oldest.query("CREATE TABLE crashed ENGINE = MergeTree ORDER BY () AS SELECT * REPLACE (if(load_id "
                 "IN (SELECT load_id FROM profile_hidden_loads), 'replaced', 'started') AS state, "
                 "now64(6) - INTERVAL 2 HOUR AS changed) FROM profile_chunks LIMIT 1 BY load_id")
    oldest.query("TRUNCATE TABLE profile_chunks")
    oldest.query("INSERT INTO profile_chunks SELECT * FROM crashed")
    assert not stored_sums(oldest)
    assert "undid 4 loads" in load(CHUNKS, oldest.url)
    assert stored_sums(oldest) == sums_of(CHUNKS)


def test_two_loaders_at_once_count_once(oldest):
    load(CHUNKS, oldest.url, "--create", "-p", "lock")
    oldest.query("TRUNCATE TABLE profile_chunks")
    loaders = [start("clickhouse", "load", CHUNKS, "--db", oldest.url) for _ in range(3)]
    for loader in loaders:
        _, messages = loader.communicate(timeout=120)
        assert loader.returncode == 0, messages
    assert stored_sums(oldest) == sums_of(CHUNKS)


def test_rows_of_each_format(oldest, tmp_path):
    make_tables(oldest)
    for form, name in {"native": "Native", "rowbinary": "RowBinary", "tsv": "TSV",
                       "jsoneachrow": "JSONEachRow"}.items():
        for table in ("stacks", "samples"):
            path = tmp_path / f"{table}.{form}"
            run("clickhouse", "rows", CHUNKS, "--table", table, "--format", form, "-o", path)
            oldest.query(f"TRUNCATE TABLE profile_{table}")
            oldest.query(f"INSERT INTO profile_{table} FROM INFILE '{path}' FORMAT {name}")
        assert stored_sums(oldest) == sums_of(CHUNKS)


@pytest.mark.parametrize("recording", [CHUNKS, KINDS],
                         ids=lambda path: path.stem)
def test_profiles_and_trees(oldest, recording):
    load(recording, oldest.url, "--create", "--by-thread", "--label", "service=cart")
    assert stacks(oldest, "-p", "all") == of_recordings(recording)
    assert stacks(oldest, "-p", "all", "--by-thread") == \
        of_recordings(recording, arguments=["--by-thread"])
    kind = "cpu" if recording == CHUNKS else "exceptions"
    for options in ([], ["--by-thread"], ["--where", "service=cart"], ["--max-stacks", "2"]):
        arguments = ["-p", kind, "--sample-type", "count", *options]
        assert sql_tree(oldest, sql_of(*arguments)) == \
            tree(oldest, kind, "--sample-type", "count", *options)
    whole = tree(oldest, kind, "--sample-type", "count")
    wide = sql_tree(oldest, sql_of("-p", kind, "--sample-type", "count", "--min-width", "20"))
    assert wide == [row for row in whole if row[1] >= whole[0][1] * 0.2]
    official = sql_of("-p", kind, "--sample-type", "count", "--macros", "official")
    assert sql_tree(oldest, official.replace("$__fromTime", "toDateTime(1)").replace(
        "$__toTime", "toDateTime(4000000000)")) == whole
    if "live" in {row[0] for row in of_recordings(recording)}:
        assert sql_tree(oldest, sql_of("-p", "live", "--sample-type", "count")) == \
            tree(oldest, "live", "--sample-type", "count")


def test_other_commands(oldest):
    load(CHUNKS, oldest.url, "--create", "--label", "version=1", "--label", "host=h'1")
    load(KINDS, oldest.url, "--label", "version=2")
    sides = ["--where", "version=1", "--other-where", "version=2"]
    for arguments in (["--format", "stacks", "-p", "cpu"], ["--format", "collapsed", "-p", "park"]):
        assert ask(oldest, "diff", "-q", *sides, *arguments) == \
            run("diff", CHUNKS, KINDS, "-q", *arguments)
    ours = json.loads(ask(oldest, "top", "-p", "park", "-n", "0", "--json"))
    assert ours == json.loads(run("top", CHUNKS, KINDS, "-q", "-p", "park", "-n", "0", "--json",
                                  "--normalize"))
    listed = json.loads(ask(oldest, "list", "--json"))
    assert {each["source"] for each in listed["recordings"]} == {str(CHUNKS), str(KINDS)}
    assert ("host", "h'1") in {(each["key"], each["value"]) for each in listed["labels"]}
    assert "stored are the kinds" in ask(oldest, "top", "-p", "wall", code=1)


@pytest.fixture(scope="module")
def seven_hours(tmp_path_factory):
    engine = OldEngine("24.8", tmp_path_factory.mktemp("oldest"))
    make_hours(engine)
    yield engine
    engine.stop()


@pytest.mark.parametrize("arguments,tables", RANGES[3:5])
def test_ranges_of_time(seven_hours, arguments, tables):
    check_range(seven_hours, arguments, tables)


def test_an_older_engine_is_refused(tmp_path):
    engine = OldEngine("23.10", tmp_path)
    try:
        version = engine.query("SELECT version()").strip()
        assert version.startswith("23.10.")
        for text in (load(CHUNKS, engine.url, "--create", code=1),
                     ask(engine, "top", code=1), ask(engine, "list", code=1)):
            assert f"is ClickHouse {version}; 24.8 or newer is needed" in text
        assert engine.query("SHOW TABLES") == ""
    finally:
        engine.stop()
