"""Reading the table of OpenTelemetry's exporter by the statement of the guide."""

import json
import pathlib

from old_engine import OldEngine
from program import TESTDATA, load, run

CHUNKS = TESTDATA / "jdk17-chunks.jfr"
KINDS = TESTDATA / "jdk17-kinds.jfr"
GUIDE = pathlib.Path(__file__).parents[2] / "docs" / "clickhouse-queries.md"
FROM, TO = "2020-01-01 00:00:00", "2100-01-01 00:00:00"


def statement(**values):
    """That of the guide, with its parameters in their places."""
    text = GUIDE.read_text().split("## Tables of OpenTelemetry's exporter")[1]
    sql = text.split("```sql\n")[1].split("```")[0]
    for name, value in {"from": FROM, "to": TO, "service": "default", **values}.items():
        before = sql
        kind = "DateTime64(9)" if name in ("from", "to") else "String"
        sql = sql.replace(f"{{{name}:{kind}}}", f"'{value}'")
        assert sql != before
    return sql


def tree(database, **values):
    answer = json.loads(database.query(statement(**values) + " FORMAT JSONCompact"))
    return [(int(level), int(value), int(own), label) for level, value, own, label in answer["data"]]


def expected(recording, kind, number):
    text = run("convert", recording, "-q", "-p", kind, "--sample-type", number, "--normalize",
               "--format", "nested-set-json", "--max-nodes", "0")
    return [(row["level"], row["value"], row["self"], row["label"]) for row in json.loads(text)]


def check(database):
    load(CHUNKS, database.url, "--create", "--model", "otel_profiles", "--label", "service=cart")
    load(KINDS, database.url, "--model", "otel_profiles", "--label", "service=shop")
    assert "(4 replaced)" in load(CHUNKS, database.url, "--force", "--model", "otel_profiles",
                                  "--label", "service=cart")
    for service, recording, kind, number, name in (
            ("cart", CHUNKS, "cpu", "count", "samples"), ("cart", CHUNKS, "park", "value", "delay"),
            ("shop", KINDS, "exceptions", "count", "samples"), ("shop", KINDS, "io", "value", "io")):
        found = tree(database, service=service, kind=kind, type=name)
        assert found == expected(recording, kind, number) and len(found) > 3


def test_rows_of_ours(server):
    check(server)


def test_rows_of_the_exporter(server):
    """Leaf first, several values in a row, none of our attributes."""
    load(CHUNKS, server.url, "--create", "--model", "otel_profiles")
    server.query("INSERT INTO otel_profiles (Timestamp, SampleType, SampleUnit, ServiceName, "
                 "FunctionNames, Values) VALUES "
                 "('2026-11-30 10:00:00', 'samples', 'count', 'go', ['leaf', 'root'], [1, 2]), "
                 "('2026-11-30 10:00:01', 'samples', 'count', 'go', ['root'], [4]), "
                 "('2026-11-30 10:00:02', 'samples', 'count', 'go', [], [8]), "
                 "('2026-11-30 10:00:02', 'cpu', 'nanoseconds', 'go', ['root'], [16])")
    assert tree(server, service="go", kind="none", type="samples") == [
        (0, 15, 0, "total"), (1, 8, 8, "[no stack]"), (1, 7, 4, "root"), (2, 3, 3, "leaf")]
    assert tree(server, service="nobody", kind="none", type="samples") == [(0, 0, 0, "total")]


def test_on_the_oldest_engine(tmp_path):
    engine = OldEngine("24.8", tmp_path)
    try:
        check(engine)
    finally:
        engine.stop()
