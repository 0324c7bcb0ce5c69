#!/usr/bin/env python3
"""Asks the JDK's own `jfr` tool to read the recordings that the tests are built with.

usage: jdk_reads_scenarios.py MAKE_RECORDING [JFR...]

Without JFR: the tools of all JDKs under /usr/lib/jvm, else the one in PATH. Exit code 77 when there
is none.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

# Events that `jfr print --json` must show, by type. Chosen by hand from what add_usual_events() in
# scenarios.cpp writes.
SAMPLE = "jdk.ExecutionSample"
USUAL_JDK = {
    SAMPLE: 1,
    "jdk.ActiveSetting": 1,
    "jdk.JVMInformation": 1,
    "jdk.ObjectAllocationInNewTLAB": 1,
    "jdk.ObjectAllocationOutsideTLAB": 1,
    "jdk.ObjectAllocationSample": 1,
    "jdk.JavaMonitorEnter": 1,
    "jdk.JavaMonitorWait": 1,
    "jdk.ThreadPark": 1,
    "jdk.NativeMethodSample": 1,
}
USUAL_PROFILER = {
    name: USUAL_JDK[name]
    for name in USUAL_JDK
    if name not in ("jdk.ObjectAllocationSample", "jdk.JavaMonitorWait", "jdk.NativeMethodSample")
}
EXPECTED = {
    "minimal": {"my.Ev": 1},
    "three_samples": {SAMPLE: 3},
    "jdk17": USUAL_JDK,
    "jdk25": {**USUAL_JDK, "jdk.CPUTimeSample": 2},
    "async_profiler_2": USUAL_PROFILER,
    "async_profiler_4": {**USUAL_PROFILER, "profiler.WallClockSample": 1},
    "datadog": {
        "datadog.ExecutionSample": 1,
        "datadog.MethodSample": 1,
        "datadog.ObjectSample": 1,
        "jdk.ActiveSetting": 1,
        "jdk.JVMInformation": 1,
    },
    "several_checkpoints": {SAMPLE: 100},
    "no_samples": {"jdk.ActiveSetting": 1},
    "odd_names": {SAMPLE: 8},
    # Format 1.0: the tool shows the names as they are recorded.
    "jdk9": {
        "com.oracle." + name: count
        for name, count in USUAL_JDK.items()
        if name != "jdk.ObjectAllocationSample"
    },
}
LEAVES = {
    "three_samples": ["run", "idle", "run"],
    "odd_names": ["<init>", "</script>", 'quote"back\\slash\ttab\nline', "nul\0byte"],
}


def jfr_tools():
    found = {os.path.realpath(path) for path in glob.glob("/usr/lib/jvm/*/bin/jfr")}
    if not found and shutil.which("jfr"):
        found = {os.path.realpath(shutil.which("jfr"))}
    return sorted(found)


def events_of(tool, path):
    output = subprocess.run(
        [tool, "print", "--json", "--stack-depth", "2048", path],
        check=True, capture_output=True, text=True).stdout
    return json.loads(output)["recording"]["events"]


def summary_of(tool, path):
    """Counts per event type, without metadata and checkpoints, which are not compared."""
    output = subprocess.run([tool, "summary", path], check=True, capture_output=True, text=True)
    counts = {}
    for line in output.stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1].isdigit() and words[2].isdigit() and int(words[1]) > 0:
            counts[words[0]] = int(words[1])
    return {name: count for name, count in counts.items()
            if name.split(".")[-1].lower() not in ("metadata", "checkpoint")}


def check(tool, make_recording, folder):
    failures = []
    for name, expected in EXPECTED.items():
        path = os.path.join(folder, name + ".jfr")
        subprocess.run([make_recording, name, path], check=True)
        try:
            printed = events_of(tool, path)
            summary = summary_of(tool, path)
        except subprocess.CalledProcessError as error:
            failures.append(f"{tool}: {name}: {error.stdout[-300:]}{error.stderr[-300:]}")
            continue
        counts = {}
        for event in printed:
            counts[event["type"]] = counts.get(event["type"], 0) + 1
        if counts != expected:
            failures.append(f"{tool}: {name}: print has {counts}, expected {expected}")
        if summary != expected:
            failures.append(f"{tool}: {name}: summary has {summary}, expected {expected}")
        leaves = [event["values"]["stackTrace"]["frames"][0]["method"]["name"]
                  for event in printed if event["type"] == SAMPLE]
        wanted = LEAVES.get(name, [])
        if leaves[:len(wanted)] != wanted:
            failures.append(f"{tool}: {name}: leaf frames {leaves}, expected {wanted}")
    return failures


def main():
    make_recording = sys.argv[1]
    tools = sys.argv[2:] or jfr_tools()
    if not tools:
        print("SKIPPED: no jfr tool found")
        return 77
    failures = []
    for tool in tools:
        with tempfile.TemporaryDirectory() as folder:
            failures += check(tool, make_recording, folder)
        print(f"{tool}: {len(EXPECTED)} recordings read")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
