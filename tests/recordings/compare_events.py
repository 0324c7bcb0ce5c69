"""Compares the rows of `jfrtree events` with what the JDK's `jfr print --json` shows of the same
events, field by field.

Usage: compare_events.py PROGRAM TESTDATA RECORDINGS; exit code 77 when there is no JDK.

The JDK's reader carries metadata and constants from chunk to chunk, so recordings of one chunk are
compared. It sorts events by their end, jfrtree keeps the order of the file: rows are sorted first.
Times differ by a nanosecond where the JDK computes in floating point.
"""

import glob
import gzip
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from datetime import datetime, timezone

SKIPPED = 77
PRIMITIVES = {"B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long",
              "S": "short", "Z": "boolean"}

# The first ones lie in testdata/.
RECORDINGS = [
    "jdk17-mixed.jfr",
    "jdk17-events.jfr",
    "jdk25-mixed.jfr",
    "jdk25-virtual.jfr",
    "jdk25-cputime.jfr",
    "moditect_jfr-analytics__data-types.jfr",
    "openjdk_jmc__jdk21.jfr",
    "ocadaruma_jfrs__recording-2_1.jfr",
    "openjdk_jmc__openjdk8u302ea.jfr",
    "grafana_jfr-parser__cortex-dev-01__kafka-0__cpu_lock0_alloc0__0.jfr.gz",
    "openjdk_jmc__9u0.jfr",
]
MOST_EVENTS = 5000  # of a type that is compared


def newest_jfr_tool():
    tools = glob.glob("/usr/lib/jvm/*/bin/jfr")
    if not tools and shutil.which("jfr"):
        tools = [shutil.which("jfr")]
    return max(tools, key=lambda path: int(re.findall(r"\d+", path + " 0")[0]), default=None)


def java_name(internal):
    dimensions = len(internal) - len(internal.lstrip("["))
    element = internal[dimensions:]
    if dimensions:
        element = PRIMITIVES.get(element, element.removeprefix("L").removesuffix(";"))
    return element.replace("/", ".") + "[]" * dimensions


def class_text(value):
    if value is None or value["name"] is None:
        return None
    return java_name(value["name"])


def frame_text(frame, is_profiler):
    method = frame["method"]
    if method is None:
        return "?"
    if is_profiler and frame["type"] in ("Native", "C++", "Kernel"):
        return method["name"]  # the class is the library
    class_name = class_text(method["type"])
    return ("?" if class_name is None else class_name) + "." + method["name"]


def nanoseconds_of_time(text):
    match = re.fullmatch(
        r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)", text)
    year, month, day, hour, minute = map(int, match.groups()[:5])
    second, fraction, zone = int(match[6] or 0), (match[7] or "").ljust(9, "0"), match[8]
    moment = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc)
    offset = 0
    if zone != "Z":
        offset = (int(zone[1:3]) * 3600 + int(zone[4:6]) * 60) * (-1 if zone[0] == "-" else 1)
    seconds = (moment - datetime(1970, 1, 1, tzinfo=timezone.utc))
    return (seconds.days * 86400 + seconds.seconds - offset) * 10**9 + int(fraction)


def nanoseconds_of_span(text):
    match = re.fullmatch(r"(-?)P(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?"
                         r"(?:(-?)(\d+)(?:\.(\d{1,9}))?S)?)?", text)
    days, hours, minutes = (int(match[i] or 0) for i in (2, 3, 4))
    seconds = int(match[6] or 0) * 10**9 + int((match[7] or "").ljust(9, "0"))
    if match[5] == "-":
        seconds = -seconds
    nanoseconds = ((days * 24 + hours) * 60 + minutes) * 60 * 10**9 + seconds
    return nanoseconds if -2**63 < nanoseconds < 2**63 else None


def normal_value(value, column, is_profiler):
    """A value of the JDK as the column has it."""
    kind = column["type"]
    if value is None:
        return None
    # Long.MIN_VALUE is "not available", Long.MAX_VALUE of a span "forever": both are null. The tool
    # shows them as a point in time before the year 0, and as spans beyond 64 bits.
    if kind == "timestamp":
        return None if value.startswith("-") else nanoseconds_of_time(value)
    if kind == "duration":
        return nanoseconds_of_span(value)
    if kind == "text" and isinstance(value, dict):
        return class_text(value)
    if kind == "stack":
        return [frame_text(frame, is_profiler) for frame in reversed(value["frames"])]
    # Half a character is none.
    return re.sub("[\ud800-\udfff]", "\ufffd", value) if isinstance(value, str) else value


def jdk_row(values, columns, is_profiler):
    row = {}
    for column in columns:
        value = values
        for part in column["name"].split("."):
            value = value.get(part) if isinstance(value, dict) else None
        row[column["name"]] = normal_value(value, column, is_profiler)
    return row


def our_row(row, columns):
    # The name of the type stands in front, so a field of that name got another one.
    values = {"type" if name == "type#2" else name: value for name, value in row.items()}
    for column in columns:
        if column["type"] == "timestamp" and values[column["name"]]:
            values[column["name"]] = nanoseconds_of_time(values[column["name"]])
    return values


def is_same(one, other, kind):
    if one is None or other is None:
        return one is None and other is None
    if kind in ("timestamp", "duration"):
        return abs(one - other) <= 1
    if kind == "float32":
        return struct.pack("f", one) == struct.pack("f", other)
    if isinstance(other, str) and "\ufffd" in other:
        # The JDK's reader does not join the surrogates of names that HotSpot writes.
        one = re.sub("[\U00010000-\U0010ffff]", "\ufffd\ufffd", one)
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def sort_key(columns):
    plain = [c["name"] for c in columns if c["type"] not in ("timestamp", "duration", "float32")]
    times = [c["name"] for c in columns if c["type"] in ("timestamp", "duration")]
    return lambda row: (json.dumps([row[name] for name in plain]),
                        [-1 if row[name] is None else row[name] for name in times])


def compare_rows(ours, theirs, columns):
    if len(ours) != len(theirs):
        yield f"{len(ours)} rows, not {len(theirs)}"
        return
    key = sort_key(columns)
    for one, other in zip(sorted(ours, key=key), sorted(theirs, key=key)):
        for column in columns:
            name = column["name"]
            if not is_same(one[name], other[name], column["type"]):
                yield f"{name}: {one[name]!r}, not {other[name]!r}"


def compare_type(rows, columns, events, is_profiler):
    rows = [our_row(row, columns) for row in rows]
    if any(list(row) != [column["name"] for column in columns] for row in rows):
        yield "columns in another order than listed"
        return
    heads = {column["name"].split(".")[0] for column in columns}
    if heads != set(events[0]):
        yield f"fields without columns: {set(events[0]) ^ heads}"
    yield from compare_rows(
        rows, [jdk_row(event, columns, is_profiler) for event in events], columns)


def output_of(*command):
    return subprocess.run(command, capture_output=True, check=True).stdout


def compare_recording(program, tool, path):
    listing = json.loads(output_of(program, "events", path, "--json"))["types"]
    is_profiler = any(entry["name"].startswith("profiler.") for entry in listing)
    columns = {entry["name"]: entry["columns"] for entry in listing
               if 0 < entry["count"] <= MOST_EVENTS}
    rows = {name: [] for name in columns}
    for line in output_of(program, "events", path, *columns).decode().split("\n"):
        if line:
            row = json.loads(line)
            rows[row.pop("type")].append(row)
    events = {name: [] for name in columns}
    printed = output_of(tool, "print", "--json", "--stack-depth", "2048", "--events",
                        ",".join(columns), path)
    for event in json.loads(printed)["recording"]["events"]:
        events[event["type"]].append(event["values"])
    for name in columns:
        if not events[name]:
            yield f"{name}: the JDK shows none"
            continue
        differences = compare_type(rows[name], columns[name], events[name], is_profiler)
        for difference in list(differences)[:3]:
            yield f"{name}: {difference}"
    print(f"{path.name}: {len(columns)} event types compared with {tool}")


def find(name, testdata, recordings, folder):
    path = next((p for p in (testdata / name, recordings / name) if p.exists()), None)
    if path is None or path.suffix != ".gz":
        return path
    plain = pathlib.Path(folder) / path.stem
    plain.write_bytes(gzip.decompress(path.read_bytes()))
    return plain


def main():
    program, testdata, recordings = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    tool = newest_jfr_tool()
    if tool is None:
        print("SKIPPED: there is no JDK with the tool jfr")
        return SKIPPED
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in RECORDINGS:
            path = find(name, testdata, recordings, folder)
            if path is None:
                print(f"{name}: absent, not compared")
                continue
            for difference in compare_recording(program, tool, path):
                print(f"FAILED: {name}: {difference[:600]}")
                failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
