"""Tables of an older schema: schema-N.sql is what the program of that time printed."""

import pathlib

from program import TESTDATA, load, run, stored_sums, sums_of

CHUNKS = TESTDATA / "jdk17-chunks.jfr"
KINDS = TESTDATA / "jdk17-kinds.jfr"


def statements_of(version):
    text = (pathlib.Path(__file__).parent / f"schema-{version}.sql").read_text()
    return [statement for statement in text.split(";\n") if statement.strip()]


SCHEMA_1 = statements_of(1)
TABLES = ("SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE "
          "'profile%' AND (name LIKE '%1m%' OR comment = 'jfrtree schema 1') AND engine != 'View'")


HOURS = "SELECT sum(count), sum(value) FROM {} WHERE kind != 'live'"


def hours_are_those_of_the_rows(database):
    return database.query(HOURS.format("profile_samples_1h")) == \
        database.query(HOURS.format("profile_samples"))


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
    assert hours_are_those_of_the_rows(embedded)
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


def test_a_folder_of_schema_2_is_changed_by_the_next_load(embedded, tmp_path):
    embedded.query(*statements_of(2), *rows_of(CHUNKS, tmp_path))
    load(KINDS, embedded.folder, library=embedded.library)
    assert stored_sums(embedded) == sums_of(CHUNKS) + sums_of(KINDS)
    assert hours_are_those_of_the_rows(embedded)


def test_a_server_of_schema_2_is_changed_when_asked_to(server):
    """A view of schema 2 left as it was would count the hours of each load twice."""
    for statement in statements_of(2):
        server.query(statement)
    text = load(KINDS, server.url, code=1)
    assert "has the jfrtree schema 2" in text and "--create changes the tables" in text
    assert server.query("SELECT count() FROM profile_samples") == "0\n"
    load(KINDS, server.url, "--create")
    assert stored_sums(server) == sums_of(KINDS)
    assert hours_are_those_of_the_rows(server)
    assert "load_id < 9223372036854775808" in server.query("SHOW CREATE TABLE profile_samples_to_1h")


def test_a_newer_schema_is_refused(server):
    load(KINDS, server.url, "--create")
    server.query("ALTER TABLE profile_samples MODIFY COMMENT 'jfrtree schema 99'")
    text = load(KINDS, server.url, "--create", code=1)
    assert "has the jfrtree schema 99" in text and "use a newer program" in text
