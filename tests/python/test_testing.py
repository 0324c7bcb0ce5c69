"""Random recordings: the reader finds what the generator put into them, and so does the JDK."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import jfrtree
from jfrtree import testing

SHAPES = {
    "usual": {},
    "one chunk": {"chunks": 1},
    "many chunks": {"chunks": 17, "samples": 500},
    "deep": {"depth": (200, 700), "stacks": 20, "samples": 100},
    "stacks without frames": {"depth": (0, 1), "samples": 200},
    "many threads": {"threads": 300, "samples": 600},
    "one sample": {"samples": 1},
}


def sums(profile: jfrtree.Profile) -> dict[tuple[str, ...], tuple[int, int | None]]:
    return {tuple(stack): (count, value) for stack, count, value in profile}


def expected(recording: testing.Recording, kind: str) -> dict[tuple[str, ...], tuple[int, int]]:
    return {stack: (s.count, s.value) for stack, s in recording.stacks(kind).items()}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("names", ["plain", "deep", "hostile"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_reader_finds_what_was_generated(
    seed: int, names: testing.NameStyle, shape: str
) -> None:
    generated = testing.random_recording(seed, names=names, **SHAPES[shape])
    recording = jfrtree.open(generated.data)
    assert recording.info.problems == []
    assert recording.info.events == generated.events
    assert set(recording.profiles) == set(generated.totals())
    for kind, total in generated.totals().items():
        profile = recording.profile(kind)
        assert (profile.count, profile.total) == (total.count, total.value)
        assert sums(profile) == expected(generated, kind)


def test_a_range_of_time_has_the_samples_that_start_in_it() -> None:
    generated = testing.random_recording(5, samples=2_000, duration_ns=60_000_000_000)
    recording = jfrtree.open(generated.data)
    begin, end = generated.start_ns + 13_000_000_000, generated.start_ns + 29_000_000_000
    for kind in generated.totals():
        within = [s for s in generated.samples if s.kind == kind and begin <= s.start_ns < end]
        profile = recording.profile(kind, start="+13s", end="+29s")
        assert profile.count == len(within)
        assert profile.total == sum(sample.value for sample in within)


def test_equal_arguments_give_equal_bytes() -> None:
    assert testing.random_recording(9).data == testing.random_recording(9).data
    assert testing.random_recording(9).data != testing.random_recording(10).data


@pytest.mark.parametrize(
    "arguments",
    [
        {"kinds": ["cpu", "live"]},
        {"kinds": []},
        {"chunks": 0},
        {"samples": -1},
        {"depth": (5, 4)},
        {"names": "odd"},
        {"start_ns": 5},
        {"duration_ns": 10},
    ],
)
def test_arguments_that_cannot_be_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="."):
        testing.random_recording(**arguments)  # type: ignore[arg-type]


@pytest.mark.skipif(shutil.which("jfr") is None, reason="there is no JDK")
@pytest.mark.parametrize("names", ["plain", "hostile"])
def test_the_jdk_reads_the_same(tmp_path: Path, names: testing.NameStyle) -> None:
    # The JDK mixes up the chunks of a file whose ids differ, so there is one.
    generated = testing.random_recording(4, names=names, chunks=1, depth=(0, 9))
    path = generated.write(tmp_path / "random.jfr")
    summary = subprocess.run(
        ["jfr", "summary", path], capture_output=True, text=True, check=True
    ).stdout
    counts = {m[1]: int(m[2]) for m in re.finditer(r"^ (\S+) +(\d+) +\d+ *$", summary, re.M)}
    for name, count in generated.events.items():
        assert counts[name] == count
    printed = subprocess.run(
        ["jfr", "print", "--json", "--stack-depth", "100", path], capture_output=True, check=True
    ).stdout
    totals: Counter[str] = Counter()
    for event in json.loads(printed)["recording"]["events"]:
        values = event["values"]
        for field in ("tlabSize", "allocationSize"):
            if field in values:
                totals["alloc"] += values[field]
                break
    assert totals["alloc"] == generated.totals()["alloc"].value
