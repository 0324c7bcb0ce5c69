"""Reads the program's Arrow files with pyarrow, polars, pandas and DuckDB.

Numbers of events, their first and last time and their durations are compared with what other
readers found (expected/NAME/counts.json), all values with the program's JSON lines, which are
compared with the JDK elsewhere, and the readers with each other.

Usage: check_readers.py PROGRAM TESTDATA RECORDINGS
"""

import datetime
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.compute
import pyarrow.feather
import pyarrow.ipc

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
MOST_ROWS = 20_000  # that are compared value by value


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, timeout=300)


def plain_type(type_):
    """Without dictionaries, and with times as numbers."""
    if pyarrow.types.is_timestamp(type_) or pyarrow.types.is_duration(type_):
        return pyarrow.int64()
    if pyarrow.types.is_dictionary(type_):
        return pyarrow.string()
    if pyarrow.types.is_list(type_) or pyarrow.types.is_large_list(type_):
        return pyarrow.list_(plain_type(type_.value_type))
    if pyarrow.types.is_struct(type_):
        return pyarrow.struct([pyarrow.field(f.name, plain_type(f.type)) for f in type_])
    return type_


def plain_rows(table):
    table = table.slice(0, MOST_ROWS)
    columns = [column.cast(plain_type(column.type)).to_pylist() for column in table.columns]
    return [dict(zip(table.column_names, row)) for row in zip(*columns)]


def flat(row, prefix=""):
    """Fields of structs by their paths, as the JSON lines have them."""
    values = {}
    for name, value in row.items():
        if isinstance(value, dict):
            values.update(flat(value, prefix + name + "."))
        elif isinstance(value, list):
            values[prefix + name] = [flat(v) if isinstance(v, dict) else v for v in value]
        else:
            values[prefix + name] = value
    return values


def nanoseconds(text):
    date, rest = text.removesuffix("Z").split(".")
    moment = datetime.datetime.strptime(date, "%Y-%m-%dT%H:%M:%S")
    seconds = (moment.replace(tzinfo=datetime.timezone.utc) - EPOCH) // datetime.timedelta(seconds=1)
    return seconds * 10**9 + int(rest)


def is_equal(value, expected):
    if isinstance(expected, str) and isinstance(value, int):
        return value == nanoseconds(expected)
    if isinstance(value, float):
        # JSON has neither NaN nor infinities; a float may be written shorter than its double.
        if expected is None:
            return not math.isfinite(value)
        return value == expected or struct.pack("f", value) == struct.pack("f", expected)
    if isinstance(expected, list) and isinstance(value, list):
        return len(value) == len(expected) and all(map(is_equal, value, expected))
    if isinstance(expected, dict) and isinstance(value, dict):
        return all(is_equal(value.get(name), expected[name]) for name in expected)
    return value == expected


class Checker:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.failures = []
        self.tables = 0

    def fail(self, what, *details):
        self.failures.append(f"{what}: " + " ".join(map(str, details))[:500])

    def read(self, what, path):
        """The table, after all readers agreed on it."""
        with pyarrow.ipc.open_file(path) as file:
            table = file.read_all()
        with pyarrow.memory_map(str(path)) as mapped:
            if not pyarrow.ipc.open_file(mapped).read_all().equals(table):
                self.fail(what, "mapped into memory it is another table")
        table.validate(full=True)
        self.tables += 1
        if table.num_columns == 0:
            return table
        rows = plain_rows(table)
        by_polars = polars.read_ipc(path)
        if plain_rows(by_polars.to_arrow(compat_level=polars.CompatLevel.oldest())) != rows:
            # NaN is not equal to itself.
            if "nan" not in str(rows):
                self.fail(what, "polars reads other values")
        frame = pandas.read_feather(path)
        if frame.shape != (table.num_rows, table.num_columns):
            self.fail(what, "pandas reads", frame.shape)
        counted = (
            duckdb.connect().register("events", table).sql("select count(*) from events")
            .fetchall())
        if counted != [(table.num_rows,)]:
            self.fail(what, "DuckDB counts", counted)
        return table

    def check_events(self, recording, name, facts):
        what = f"{recording.name} {name}"
        path = self.folder / "events.arrow"
        done = run(self.program, "events", recording, name, "-q", "--allow-problems", "-o", path)
        if done.returncode != 0:
            return self.fail(what, done.stderr.decode())
        table = self.read(what, path)
        if table.num_rows != facts["count"]:
            self.fail(what, table.num_rows, "rows instead of", facts["count"])
        if "startTime" in table.column_names and facts["count"] > 0:
            times = table["startTime"].cast(pyarrow.int64())
            ends = pyarrow.compute.min_max(times).as_py()
            if (ends["min"], ends["max"]) != (facts["firstNs"], facts["lastNs"]):
                self.fail(what, "times", ends, "instead of", facts["firstNs"], facts["lastNs"])
        if "stackTrace" in table.column_names:
            stacks = table.num_rows - table["stackTrace"].null_count
            if stacks != facts["withStack"]:
                self.fail(what, stacks, "stacks instead of", facts["withStack"])
        self.compare_lines(what, recording, name, table)

    def compare_lines(self, what, recording, name, table):
        done = run(self.program, "events", recording, name, "-q", "--allow-problems",
                   "--limit-rows", str(MOST_ROWS))
        lines = [json.loads(line) for line in done.stdout.decode().split("\n") if line]
        rows = [flat(row) for row in plain_rows(table)]
        if len(lines) != len(rows):
            return self.fail(what, len(rows), "rows,", len(lines), "lines")
        for number, (row, line) in enumerate(zip(rows, lines)):
            del line["type"]
            if "type#2" in line:
                line["type"] = line.pop("type#2")
            for column, expected in line.items():
                # Below a struct that is null, or in another chunk's column, there is no value.
                if not is_equal(row.get(column), expected):
                    return self.fail(what, "row", number, column, row.get(column), expected)

    def check_profiles(self, recording):
        what = f"{recording.name} profiles"
        path = self.folder / "profiles.arrow"
        arguments = [recording, "-q", "--allow-problems", "--by-thread"]
        done = run(self.program, "convert", *arguments, "-o", path)
        lines = run(self.program, "convert", *arguments, "--format", "stacks")
        if done.returncode != lines.returncode:
            return self.fail(what, done.stderr.decode())
        if done.returncode != 0:
            return None  # it has no samples
        rows = []
        for row in plain_rows(self.read(what, path)):
            del row["unit"]
            if row["value"] is None:
                del row["value"]
            if row.get("bytes", 0) is None:
                del row["bytes"]
            rows.append(row)
        expected = [json.loads(line) for line in lines.stdout.decode().split("\n") if line]
        # The lines are sorted by the name of the kind, the table by their own order.
        rows.sort(key=lambda row: row["kind"])
        if rows != expected[:MOST_ROWS]:
            self.fail(what, "are not those of the stacks format", rows[:1], expected[:1])
        return None

    def check_recording(self, recording, counts):
        for name, facts in sorted(counts["types"].items()):
            self.check_events(recording, name, facts)
        self.check_profiles(recording)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(program, pathlib.Path(folder))
        for source in map(pathlib.Path, sys.argv[2:]):
            for path in sorted(source.glob("expected/*/counts.json")):
                counts = json.loads(path.read_text())
                recording = source / path.parent.name
                # Where the other reader gave up, its numbers are no measure.
                if recording.exists() and not counts["errors"]:
                    checker.check_recording(recording, counts)
    for failure in checker.failures:
        print(failure)
    print(f"{checker.tables} tables, {len(checker.failures)} differences")
    return 1 if checker.failures or checker.tables < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
