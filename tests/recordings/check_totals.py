"""Compares totals with those that the JDK's reader gave: the values of profile kinds in `jfrtree
info --json`, and the sums of numeric fields by `--event` and `--value-field`.

FOLDER/expected/NAME/counts.json holds for each event type the number of its events, the sum of their
durations, and the sum of their size, weight or samples. What a kind sums is added up from these
here, by a table of its own.

Usage: check_totals.py PROGRAM FOLDER...; exit code 77 when no folder has expected counts.
"""

import json
import pathlib
import subprocess
import sys

SKIPPED = 77

# The event types of a kind and what its value is the sum of.
DURATION, WEIGHT = "durationNs", "weightSum"
VALUES = {
    "lock": (DURATION, ["JavaMonitorEnter"]),
    "park": (DURATION, ["ThreadPark"]),
    "wait": (DURATION, ["JavaMonitorWait", "ThreadSleep"]),
    "io": (DURATION, ["SocketRead", "SocketWrite", "FileRead", "FileWrite", "FileForce"]),
    "pinned": (DURATION, ["VirtualThreadPinned"]),
}
# Of these the first that has events counts.
ALLOCATIONS = [["ObjectAllocationInNewTLAB", "ObjectAllocationOutsideTLAB"],
               ["ObjectAllocationSample"]]
FORMAT_1_TLAB = "com.oracle.jdk.ObjectAllocationInNewTLAB"
# The field whose sum is `weightSum`.
FIELDS = {
    "jdk.ObjectAllocationInNewTLAB": "tlabSize",
    "jdk.ObjectAllocationOutsideTLAB": "allocationSize",
    "jdk.ObjectAllocationSample": "weight",
    "profiler.WallClockSample": "samples",
    "profiler.Malloc": "size",
    "datadog.ExecutionSample": "weight",
    "datadog.MethodSample": "weight",
    "datadog.HeapLiveObject": "size",
    "datadog.ObjectSample": "size",
    # Of these names the known sum is that of the objects, not of their TLABs.
    FORMAT_1_TLAB: "allocationSize",
    "com.oracle.jdk.ObjectAllocationOutsideTLAB": "allocationSize",
}


def program_json(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"{arguments}: exit code {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines() if line] if "stacks" in arguments \
        else json.loads(done.stdout)


def total_of(types, key, names):
    """The sum, and the number of events."""
    found = [known for name, known in types.items()
             if name.split(".")[-1] in names and name.rpartition(".")[0].endswith("jdk")]
    return sum(known.get(key) or 0 for known in found), sum(known["count"] for known in found)


def expected_values(types):
    """Value and number of events by kind, and by how much the value may differ."""
    for kind, (key, names) in VALUES.items():
        value, count = total_of(types, key, names)
        # The other reader computes each duration in floating point: up to 1 ns away.
        yield kind, value, count, count
    for names in ALLOCATIONS:
        value, count = total_of(types, WEIGHT, names)
        if count:
            break
    yield "alloc", value, count, 0
    malloc = types.get("profiler.Malloc", {"count": 0})
    yield "native-mem", malloc.get(WEIGHT) or 0, malloc["count"], 0


def check_kinds(program, recording, types):
    profiles = {profile["kind"]: profile
                for profile in program_json(program, "info", recording, "--json")["profiles"]}
    for kind, value, count, tolerance in expected_values(types):
        profile = profiles.get(kind, {"samples": 0, "total": 0, "events": []})
        is_weighted = any(name.startswith("datadog.") for name in profile["events"])
        if is_weighted or (kind == "alloc" and FORMAT_1_TLAB in types):
            continue  # the known sum is that of sizes without weights, or of objects in TLABs
        if profile["samples"] != count:
            yield f"{kind}: {profile['samples']} samples, not {count}"
        if profile["total"] is None or abs(profile["total"] - value) > tolerance:
            yield f"{kind}: {profile['total']}, not {value}"
    wall = types.get("profiler.WallClockSample")
    if wall and profiles["wall"]["samples"] != wall[WEIGHT]:
        yield f"wall: {profiles['wall']['samples']} samples, not {wall[WEIGHT]}"


def check_fields(program, recording, types):
    for name, field in FIELDS.items():
        known = types.get(name)
        if not known or known.get(WEIGHT) is None:
            continue
        rows = program_json(program, "convert", recording, "--event", name, "--value-field", field,
                            "--format", "stacks", "-q")
        value = sum(row["value"] for row in rows)
        if value != known[WEIGHT]:
            yield f"{name}: the sum of {field} is {value}, not {known[WEIGHT]}"


def check(program, recording, counts):
    known = json.loads(counts.read_text())
    # Where the JDK read a part of the chunks alone, its sums are of that part.
    if known["errors"] or not known["types"]:
        return
    yield from check_kinds(program, recording, known["types"])
    yield from check_fields(program, recording, known["types"])
    print(f"{recording.name}: compared")


def main():
    program = sys.argv[1]
    recordings = [(folder / counts.parent.name, counts)
                  for folder in map(pathlib.Path, sys.argv[2:])
                  for counts in sorted(folder.glob("expected/*/counts.json"))]
    if not recordings:
        print("SKIPPED: no folder has expected/NAME/counts.json")
        return SKIPPED
    failures = 0
    for recording, counts in recordings:
        for difference in check(program, recording, counts):
            print(f"FAILED: {recording.name}: {difference}")
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
