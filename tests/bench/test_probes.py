"""The probes of bench/probes against what the JDK's own reader counts, and against the program."""

import json
import os
import pathlib
import subprocess

import pytest

TESTDATA = pathlib.Path(os.environ["JFRTREE_TESTDATA"])
PROGRAM = pathlib.Path(os.environ["JFRTREE_PROGRAM"])
ALLOCATIONS = ("jdk.ObjectAllocationInNewTLAB", "jdk.ObjectAllocationOutsideTLAB")
# Healthy ones; the probes refuse what is unfinished.
RECORDINGS = ("jdk17-mixed.jfr", "jdk17-chunks.jfr", "jdk17-events.jfr", "jdk25-mixed.jfr")


def probe(name, recording):
    done = subprocess.run([PROGRAM.parent / name, recording], check=True, capture_output=True,
                          text=True)
    return {key: int(number) for key, number in map(str.split, done.stdout.splitlines())}


@pytest.mark.parametrize("name", RECORDINGS)
def test_counts_are_those_of_the_jdk(name):
    expected = json.loads((TESTDATA / "expected" / name / "counts.json").read_text())
    types = [expected["types"][event] for event in ALLOCATIONS if event in expected["types"]]
    assert probe("probe_sizes", TESTDATA / name)["events"] == sum(expected["eventsPerChunk"])
    fields = probe("probe_fields", TESTDATA / name)
    assert fields["allocations"] == sum(sums["count"] for sums in types)
    assert fields["bytes"] == sum(sums["weightSum"] for sums in types)
    assert fields["constants"] > 0


@pytest.mark.parametrize("name", RECORDINGS)
def test_counts_are_those_of_the_program(name):
    done = subprocess.run([PROGRAM, "info", "--json", TESTDATA / name], check=True,
                          capture_output=True, text=True)
    info = json.loads(done.stdout)
    assert probe("probe_sizes", TESTDATA / name)["events"] == sum(info["events"].values())
    fields = probe("probe_fields", TESTDATA / name)
    assert fields["allocations"] == sum(info["events"].get(event, 0) for event in ALLOCATIONS)
    totals = [p["total"] for p in info["profiles"] if p["kind"] == "alloc"]
    assert fields["bytes"] == sum(totals)


def test_recordings_with_and_without_allocations_are_tried():
    assert probe("probe_fields", TESTDATA / "jdk17-mixed.jfr")["allocations"] == 1908 + 135
    assert probe("probe_fields", TESTDATA / "jdk17-chunks.jfr")["allocations"] == 0


@pytest.mark.parametrize("name", ("probe_sizes", "probe_fields"))
@pytest.mark.parametrize("length", (0, 67, 1000))
def test_what_is_not_whole_is_refused(name, length, tmp_path):
    cut = tmp_path / "cut.jfr"
    cut.write_bytes((TESTDATA / "jdk17-mixed.jfr").read_bytes()[:length])
    done = subprocess.run([PROGRAM.parent / name, cut], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{name}: ")
