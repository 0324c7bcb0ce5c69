"""Rows that the program writes, as the engine reads them."""

import json

import pytest
from program import TESTDATA, run, stored_sums, sums_of

FORMATS = {"native": "Native", "rowbinary": "RowBinary", "tsv": "TSV",
           "jsoneachrow": "JSONEachRow"}
ODD_VALUE = "it's \"quoted\" \\ and\ttabbed\n😀"
RECORDINGS = ["jdk17-mixed.jfr", "jdk17-names.jfr", "jdk25-kinds.jfr", "jdk25-virtual.jfr"]


def statements(model="hashed", *options):
    text = run("clickhouse", "schema", "--model", model, *options)
    lines = [line for line in text.splitlines() if not line.startswith("--")]
    return [part.strip() for part in "\n".join(lines).split(";\n") if part.strip(" ;\n")]


def fill(recording, folder, row_format, tables, *options):
    inserts = []
    for argument, table in tables:
        path = folder / f"{table}.{row_format}"
        run("clickhouse", "rows", recording, *argument, "--format", row_format, "-o", path,
            *options)
        inserts.append(f"INSERT INTO {table} FROM INFILE '{path}' FORMAT {FORMATS[row_format]}")
    return inserts


HASHED = [(["--table", "stacks"], "profile_stacks"), (["--table", "samples"], "profile_samples")]
OTEL = [(["--model", "otel_profiles"], "otel_profiles")]


@pytest.mark.parametrize("row_format", FORMATS)
def test_every_profile_comes_back_exactly(embedded, tmp_path, row_format):
    recording = TESTDATA / "jdk17-mixed.jfr"
    embedded.query(*statements(), *fill(recording, tmp_path, row_format, HASHED))
    expected = sums_of(recording)
    assert expected and stored_sums(embedded) == expected


@pytest.mark.parametrize("name", RECORDINGS)
def test_names_of_all_recordings_come_back(embedded, tmp_path, name):
    embedded.query(*statements(), *fill(TESTDATA / name, tmp_path, "native", HASHED))
    stored = {key: number for key, number in stored_sums(embedded).items()
              if key[0][0] != "live"}
    assert stored == {key: number for key, number in sums_of(TESTDATA / name).items()
                      if key[0][0] != "live"}


@pytest.mark.parametrize("row_format", FORMATS)
def test_labels_arrive_unchanged(embedded, tmp_path, row_format):
    rows = fill(TESTDATA / "jdk17-chunks.jfr", tmp_path, row_format, HASHED[1:],
                "--label", f"odd={ODD_VALUE}", "--label", "service=cart", "--label", "a.b=")
    found = embedded.query(
        *statements(), *rows,
        "SELECT DISTINCT service, toJSONString(labels) FROM profile_samples "
        "FORMAT JSONCompactEachRow")
    (service, labels), = [json.loads(line) for line in found.splitlines()]
    assert service == "cart"
    assert json.loads(labels) == {"a.b": "", "odd": ODD_VALUE}


@pytest.mark.parametrize("row_format", FORMATS)
def test_otel_rows_are_leaf_first_and_parallel(embedded, tmp_path, row_format):
    recording = TESTDATA / "jdk17-mixed.jfr"
    found = embedded.query(
        *statements("otel_profiles"),
        *fill(recording, tmp_path, row_format, OTEL, "--label", "service=cart"),
        "SELECT ProfileAttributes['jfr.kind'], toJSONString(arrayReverse(FunctionNames)), "
        "sumIf(Values[1], SampleUnit = 'count'), any(ServiceName), "
        "min(length(FunctionNames) = length(Addresses) AND length(Addresses) = "
        "length(LineNumbers) AND length(FileNames) = length(MappingFileNames)) "
        "FROM otel_profiles WHERE SampleType NOT IN ('exceptions') GROUP BY 1, 2 "
        "FORMAT JSONCompactEachRow")
    counts = {}
    for line in found.splitlines():
        kind, frames, count, service, is_parallel = json.loads(line)
        assert (service, is_parallel) == ("cart", 1)
        counts[kind, json.dumps(json.loads(frames), ensure_ascii=False)] = int(count)
    assert counts == {key[0]: number for key, number in sums_of(recording).items()
                      if key[1] == "count"}


def test_rows_by_thread_have_the_thread_in_a_column(embedded, tmp_path):
    recording = TESTDATA / "jdk17-mixed.jfr"
    found = embedded.query(
        *statements(), *fill(recording, tmp_path, "native", HASHED[1:], "--fold-thread-names"),
        "SELECT kind, thread, sum(count) FROM profile_samples GROUP BY kind, thread "
        "FORMAT JSONCompactEachRow")
    stored = {(kind, thread): int(count)
              for kind, thread, count in map(json.loads, found.splitlines())}
    expected = {}
    output = run("convert", recording, "-p", "all", "--fold-thread-names", "--format", "stacks")
    for line in output.splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            key = (row["kind"], row["thread"])
            expected[key] = expected.get(key, 0) + row["count"]
    assert stored == expected


def test_the_engine_and_the_program_agree_on_buckets(embedded, tmp_path):
    rows = fill(TESTDATA / "jdk17-mixed.jfr", tmp_path, "native", HASHED[1:], "--bucket", "1s")
    buckets = embedded.query(
        *statements(), *rows, "SELECT uniq(ts), min(ts) >= toDateTime('2020-01-01') "
        "FROM profile_samples").split()
    assert int(buckets[0]) > 1 and buckets[1] == "1"


def test_rollups_and_catalogue_follow_the_rows(embedded, tmp_path):
    rows = fill(TESTDATA / "jdk25-kinds.jfr", tmp_path, "native", HASHED, "--bucket", "1s",
                "--label", "service=cart", "--label", "zone=b")
    embedded.query(*statements("hashed", "--retention", "10000"), *rows)
    sums = "SELECT kind, sum(count), sum(value) FROM {} WHERE kind != 'live' GROUP BY kind " \
           "ORDER BY kind"
    assert embedded.query(sums.format("profile_samples_1h")) == \
        embedded.query(sums.format("profile_samples"))
    assert embedded.query("SELECT count() FROM profile_samples_1h WHERE kind = 'live'") == "0\n"
    kinds = embedded.query("SELECT arraySort(kinds) FROM profile_services").strip()
    stored = embedded.query("SELECT arraySort(groupUniqArray(kind)) FROM profile_samples").strip()
    assert kinds == stored
    assert embedded.query("SELECT service, key, value FROM profile_labels") == "cart\tzone\tb\n"
    assert embedded.query("SELECT kind FROM profile_kinds WHERE is_snapshot") == "live\n"
