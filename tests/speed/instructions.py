"""Counts the instructions of the program on two small recordings and compares them with recorded counts.

Three counts, by valgrind's callgrind, of `jfrtree convert --format collapsed` with one thread:

  start      of the process, on the metadata and one event of jdk17-few-stacks.jfr
  per event  what this recording with its events ten times costs more than it does as it is
  per frame  what jdk17-many-stacks.jfr costs more than its metadata and one event, by the frames of
             its different stacks

The recordings of the differences are made by derived_recordings.py.

More than 5 % above the recorded count fails; README.md says what the counts depend on.

Usage: instructions.py --compiler "NAME VERSION" --flags FLAGS --fast-bits PROGRAM
Environment: JFRTREE_PROGRAM, JFRTREE_TESTDATA; with JFRTREE_UPDATE_INSTRUCTIONS the counts are recorded.
"""

import argparse
import gzip
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import derived_recordings

SKIPPED = 77
MOST_PERCENT = 5
REPEATED = 10
RECORDED = pathlib.Path(__file__).with_name("instructions.json")
FEW_STACKS = "jdk17-few-stacks.jfr"
MANY_STACKS = "jdk17-many-stacks.jfr"
# Nothing that changes how the libraries are loaded, how they allocate or which functions they choose.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}


class Skip(Exception):
    """The counts cannot be compared here."""


def expected_sizes(testdata, name):
    """Events, frames of the different stacks and allocated bytes, as the JDK's reader counts them."""
    folder = testdata / "expected" / name
    counts = json.loads((folder / "counts.json").read_text())
    stacks = set()
    for path in folder.glob("*.stacks.gz"):
        for line in gzip.open(path, "rt", encoding="utf-8"):
            stacks.add(tuple(filter(None, line.rstrip("\n").split("\t")[2:])))
    weight = sum(entry["weightSum"] for entry in counts["types"].values())
    return sum(counts["eventsPerChunk"]), sum(map(len, stacks)), weight


def valgrind(tool, options, command):
    return subprocess.run(
        ["valgrind", "--quiet", f"--tool={tool}", *options, *command],
        env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout


class Meter:
    def __init__(self, program, testdata, folder):
        self.program = program
        self.testdata = testdata
        self.folder = folder
        self.sizes = {name: expected_sizes(testdata, name) for name in (FEW_STACKS, MANY_STACKS)}

    def count(self, recording, weight=None):
        """Instructions of one run, which must have written allocations of so many bytes."""
        path = self.folder / "recording.jfr"
        path.write_bytes(recording)
        profile = self.folder / "callgrind.out"
        output = valgrind(
            "callgrind", [f"--callgrind-out-file={profile}"],
            [self.program, "convert", path, "--threads", "1", "--format", "collapsed"])
        total = re.search(r"^(?:totals|summary): (\d+)", profile.read_text(), re.MULTILINE)
        written = sum(int(line.rsplit(" ", 1)[1]) for line in output.splitlines())
        if weight not in (None, written):
            raise AssertionError(f"the program wrote allocations of {written} bytes, not {weight}")
        return int(total[1])

    def measure(self):
        few, many = ((self.testdata / name).read_bytes() for name in (FEW_STACKS, MANY_STACKS))
        events, _, few_weight = self.sizes[FEW_STACKS]
        _, frames, many_weight = self.sizes[MANY_STACKS]
        start = self.count(derived_recordings.start_of(few))
        once = self.count(few, few_weight)
        repeated = self.count(
            derived_recordings.with_repeated_events(few, REPEATED), REPEATED * few_weight)
        many_start = self.count(derived_recordings.start_of(many))
        all_stacks = self.count(many, many_weight)
        return {
            "start": start,
            "per event": round((repeated - once) / ((REPEATED - 1) * events), 1),
            "per frame": round((all_stacks - many_start) / frames, 1),
        }


def lowest(measured):
    """Of several runs the lowest of each count: what differs is the seed of the hash maps."""
    return {name: min(run[name] for run in measured) for name in measured[0]}


def percent_above(count, recorded):
    return 100 * (count - recorded) / recorded


def too_high(counts, recorded):
    return [name for name in recorded
            if percent_above(counts[name], recorded[name]) > MOST_PERCENT]


def report(counts, recorded):
    print(f"{'instructions':<14}{'recorded':>14}{'counted':>14}{'change':>10}")
    for name, before in recorded.items():
        change = percent_above(counts[name], before)
        print(f"{name:<14}{before:>14,}{counts[name]:>14,}{change:>+9.1f}%")
    high = too_high(counts, recorded)
    if high:
        print(f"FAILED: {', '.join(high)}: more than {MOST_PERCENT} % above what is recorded.\n"
              "What made the program slower? Where that is wanted, tests/speed/update records the\n"
              "counts of this build; commit tests/speed/instructions.json with the change.")
    elif any(percent_above(counts[name], recorded[name]) < -MOST_PERCENT for name in recorded):
        print("Faster than recorded: tests/speed/update keeps it so.")
    return 1 if high else 0


def conditions(arguments):
    """What the counts depend on."""
    return {
        "machine": platform.machine(),
        "compiler": arguments.compiler,
        "flags": arguments.flags,
        "libc": " ".join(platform.libc_ver()),
    }


def check_conditions(here, recorded):
    for name, value in here.items():
        if value != recorded[name]:
            raise Skip(f"the counts were recorded for {name} '{recorded[name]}', this is '{value}'")


def check_fast_bits(program):
    if valgrind("none", [], [program]).strip() != "fast":
        raise Skip("the counts are those of the fast paths, which valgrind does not offer here "
                   "(the processor has no AVX2 or BMI2)")


def run(arguments):
    if shutil.which("valgrind", path=ENVIRONMENT["PATH"]) is None:
        raise Skip("valgrind is not installed (scripts/setup --test installs it)")
    is_update = "JFRTREE_UPDATE_INSTRUCTIONS" in os.environ
    here = conditions(arguments)
    if not is_update:
        recorded = json.loads(RECORDED.read_text())
        check_conditions(here, recorded["conditions"])
    check_fast_bits(arguments.fast_bits)
    with tempfile.TemporaryDirectory() as folder:
        meter = Meter(os.environ["JFRTREE_PROGRAM"], pathlib.Path(os.environ["JFRTREE_TESTDATA"]),
                      pathlib.Path(folder))
        measured = [meter.measure()]
        if is_update or too_high(measured[0], recorded["instructions"]):
            measured += [meter.measure(), meter.measure()]
    if is_update:
        counts = {"conditions": here, "instructions": lowest(measured)}
        RECORDED.write_text(json.dumps(counts, indent=2) + "\n")
        print(f"Recorded in {RECORDED.name}: {counts['instructions']}")
        return 0
    return report(lowest(measured), recorded["instructions"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flags", required=True)
    parser.add_argument("--fast-bits", required=True)
    try:
        return run(parser.parse_args())
    except Skip as reason:
        print(f"SKIPPED: {reason}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
