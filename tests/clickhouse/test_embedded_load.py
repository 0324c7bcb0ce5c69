"""Loading into a folder with the embedded engine."""

import pytest
from program import TESTDATA, load, run, stored_sums, sums_of
from queries import schema_statements

CHUNKS = TESTDATA / "jdk17-chunks.jfr"


def test_a_recording_that_is_loaded_twice_counts_once(embedded):
    first = load(CHUNKS, embedded.folder, library=embedded.library)
    assert "4 chunks" in first and "skipped" not in first
    second = load(CHUNKS, embedded.folder, library=embedded.library)
    assert "skipped 4 chunks" in second and "0 chunks" in second
    assert stored_sums(embedded) == sums_of(CHUNKS)


def test_a_recording_that_is_given_twice_counts_once(embedded):
    text = load(CHUNKS, embedded.folder, CHUNKS, library=embedded.library)
    assert "skipped 4 chunks" in text
    assert stored_sums(embedded) == sums_of(CHUNKS)


def test_force_replaces_what_is_there(embedded):
    load(CHUNKS, embedded.folder, "--bucket", "1h", library=embedded.library)
    text = load(CHUNKS, embedded.folder, "--force", "--bucket", "1s", library=embedded.library)
    assert "4 chunks (4 replaced)" in text
    assert stored_sums(embedded) == sums_of(CHUNKS)
    # The rows of the first load are gone from all tables, not only hidden.
    for table in ("profile_samples", "profile_samples_1h"):
        assert embedded.query(f"SELECT uniq(load_id) FROM {table}") == "4\n"


def test_a_load_that_was_cut_short_does_not_show_and_is_undone(embedded):
    load(CHUNKS, embedded.folder, library=embedded.library)
    # As after a crash between the samples and the end: all chunks are only started.
    embedded.query(
        "INSERT INTO profile_chunks SELECT * REPLACE ('started' AS state, now64(6) AS changed) "
        "FROM (SELECT * FROM profile_chunks WHERE state = 'committed')")
    assert not stored_sums(embedded)
    text = load(CHUNKS, embedded.folder, library=embedded.library)
    assert "undid 4 loads" in text and "4 chunks" in text
    assert stored_sums(embedded) == sums_of(CHUNKS)
    assert embedded.query("SELECT uniq(load_id) FROM profile_samples") == "4\n"
    assert embedded.query("SELECT count() FROM profile_loads WHERE last_state = 'replaced'") == "4\n"


def test_both_models_lie_side_by_side(embedded):
    load(CHUNKS, embedded.folder, library=embedded.library)
    text = load(CHUNKS, embedded.folder, "--model", "otel_profiles", library=embedded.library)
    assert "4 chunks" in text and "skipped" not in text
    again = load(CHUNKS, embedded.folder, "--model", "otel_profiles", library=embedded.library)
    assert "skipped 4 chunks" in again
    total = sum(number for key, number in sums_of(CHUNKS).items() if key[1] == "count")
    counted = embedded.query("SELECT sum(Values[1]) FROM otel_profiles WHERE SampleUnit = 'count'")
    assert int(counted) == total


def test_what_the_ledger_tells_of_chunks(embedded):
    load(CHUNKS, embedded.folder, "--label", "service=cart", "--label", "host=h1",
         library=embedded.library)
    recordings = embedded.query(
        "SELECT service, source, host, chunks, samples, start < end FROM profile_recordings")
    total = sum(number for key, number in sums_of(CHUNKS).items() if key[1] == "count")
    assert recordings == f"cart\t{CHUNKS}\th1\t4\t{total}\t1\n"
    assert embedded.query("SELECT count() FROM profile_hidden_loads") == "0\n"


def test_without_the_engine_the_program_says_how_to_get_it(tmp_path):
    text = load(CHUNKS, tmp_path / "db", code=1, library=tmp_path / "absent.so")
    assert "libchdb.so" in text and "scripts/setup --clickhouse" in text


def test_a_folder_of_other_files_is_left_alone(embedded, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    for command in (["load", CHUNKS], ["top"], ["list"]):
        text = run("clickhouse", *command, "--db", tmp_path, library=embedded.library, code=1)
        assert "holds other files and no database" in text
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_tables_of_another_schema_are_refused(embedded):
    embedded.query("CREATE TABLE profile_samples (x UInt8) ENGINE = Memory "
                   "COMMENT 'jfrtree schema 0'")
    text = load(CHUNKS, embedded.folder, code=1, library=embedded.library)
    assert "jfrtree schema 0" in text


def test_usage_errors_name_the_option():
    assert "--bucket" in run("clickhouse", "load", CHUNKS, "--bucket", "500ms", code=2)
    assert "--db" in run("clickhouse", "load", CHUNKS, "--db", "", code=2)
    text = run("clickhouse", "load", CHUNKS, "--db", "ftp://user:secret@host/", code=2)
    assert "http" in text and "secret" not in text


@pytest.mark.parametrize("made", [1, 2, 5, 6, 8, 12])
def test_tables_that_were_made_in_part_are_made_whole(embedded, made):
    """As after a crash while the tables were made: what is missing is made, then rows come."""
    embedded.query(*list(schema_statements())[:made])
    load(CHUNKS, embedded.folder, library=embedded.library)
    assert stored_sums(embedded) == sums_of(CHUNKS)
    hours = "SELECT sum(count) FROM {} WHERE kind NOT IN (SELECT kind FROM profile_kinds WHERE is_snapshot)"
    assert embedded.query(hours.format("profile_samples_1h")) == \
        embedded.query(hours.format("profile_samples"))
    assert "cpu" in run("clickhouse", "list", "--db", embedded.folder, library=embedded.library)


def test_hours_are_the_sums_of_their_rows_once(embedded, tmp_path):
    """By load, stack and labels; the view adds rows of no load, and only these."""
    load(TESTDATA / "jdk25-kinds.jfr", embedded.folder, "--bucket", "1s", "--by-thread", "--label",
         "zone=b", library=embedded.library)
    load(CHUNKS, embedded.folder, library=embedded.library)
    rows = tmp_path / "rows.native"
    run("clickhouse", "rows", TESTDATA / "jdk17-mixed.jfr", "--table", "samples", "-o", rows)
    embedded.query(f"INSERT INTO profile_samples FROM INFILE '{rows}' FORMAT Native")
    keys = "service, kind, {} AS hour, stack_hash, labels, load_id"
    sums = "SELECT {}, sum(count), sum(value), {} FROM {} WHERE kind != 'live' GROUP BY ALL ORDER BY ALL"
    from_rows = embedded.query(sums.format(
        keys.format("toStartOfHour(ts)"), "0, ''", "profile_samples"))
    assert len(from_rows.splitlines()) > 500
    assert embedded.query(sums.format(
        keys.format("ts"), "process, thread", "profile_samples_1h")) == from_rows
    assert embedded.query("SELECT count() = uniqExact(service, kind, ts, stack_hash, "
                          "labels, load_id) FROM profile_samples_1h WHERE load_id != 0") == "1\n"
