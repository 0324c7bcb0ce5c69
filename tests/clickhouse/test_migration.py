"""Tables of an older schema: schema-1.sql is what the program of that time printed."""

import pathlib

from program import TESTDATA, load, run, stored_sums, sums_of

CHUNKS = TESTDATA / "jdk17-chunks.jfr"
KINDS = TESTDATA / "jdk17-kinds.jfr"
SCHEMA_1 = [statement for statement in
            (pathlib.Path(__file__).parent / "schema-1.sql").read_text().split(";\n")
            if statement.strip()]
TABLES = ("SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE "
          "'profile%' AND (name LIKE '%1m%' OR comment = 'jfrtree schema 1') AND engine != 'View'")


def rows_of(recording, tmp_path):
    """Statements that insert a recording as rows of no load."""
    for table in ("stacks", "samples"):
        target = tmp_path / f"{table}.native"
        run("clickhouse", "rows", recording, "--table", table, "-o", target)
        yield f"INSERT INTO profile_{table} FROM INFILE '{target}' FORMAT Native"


def test_a_folder_of_schema_1_is_changed_by_the_next_load(embedded, tmp_path):
    embedded.query(*SCHEMA_1, *rows_of(CHUNKS, tmp_path))
    text = run("clickhouse", "list", "--db", embedded.folder, library=embedded.library, code=1)
    assert "has the jfrtree schema 1" in text and "load --create changes tables" in text
    assert "profile_samples_1m\n" in embedded.query(TABLES)
    load(KINDS, embedded.folder, library=embedded.library)
    assert stored_sums(embedded) == sums_of(CHUNKS) + sums_of(KINDS)
    assert embedded.query(TABLES) == ""
    hours = "SELECT sum(count), sum(value) FROM {} WHERE kind != 'live'"
    assert embedded.query(hours.format("profile_samples_1h")) == \
        embedded.query(hours.format("profile_samples"))
    codec = embedded.query("SELECT compression_codec FROM system.columns WHERE name = 'load_id' "
                           "AND table = 'profile_samples'")
    assert codec == "CODEC(ZSTD(6))\n"
    assert "skipped" in load(KINDS, embedded.folder, library=embedded.library)


def test_a_server_of_schema_1_is_changed_when_asked_to(server):
    for statement in SCHEMA_1:
        server.query(statement)
    text = load(KINDS, server.url, code=1)
    assert "has the jfrtree schema 1" in text and "--create changes the tables" in text
    assert "profile_samples_1m\n" in server.query(TABLES)
    # As if it had been cut short: what is done already is done again.
    server.query("DROP VIEW profile_samples_to_1m")
    server.query("DROP VIEW profile_labels")
    load(KINDS, server.url, "--create")
    assert stored_sums(server) == sums_of(KINDS)
    assert server.query(TABLES) == ""


def test_a_newer_schema_is_refused(server):
    load(KINDS, server.url, "--create")
    server.query("ALTER TABLE profile_samples MODIFY COMMENT 'jfrtree schema 99'")
    text = load(KINDS, server.url, "--create", code=1)
    assert "has the jfrtree schema 99" in text and "use a newer program" in text
