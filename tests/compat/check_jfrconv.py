#!/usr/bin/env python3
"""Compares `jfrtree convert --compat jfrconv` with what the converter of async-profiler prints.

Every recording of JFRTREE_RECORDINGS is converted by both, for CPU, wall clock, allocation, lock
and malloc profiles, as samples, as totals and by thread. The lines must be the same once the marks
that the converter puts behind frames (`_[0] _[j] _[i] _[k] _[1]`) are stripped, in any order. Where the
converter is wrong is written down in FAULTS with the reason (and in docs/compat-jfrconv.md); these
are looked at too: it must still be wrong, and jfrtree must count what the JDK's reader found.

Usage: check_jfrconv.py PROGRAM REPOSITORY RECORDINGS; exit code 77 when Java, the converter or the
recordings are absent. scripts/setup --test fetches the converter; JFRTREE_JFRCONV names another one.
"""

import collections
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
MARK = re.compile(r"_\[[0jik1]\](?=;| \d+$)")
KINDS = ("cpu", "wall", "alloc", "lock", "native-mem")
# Options of the converter, and of jfrtree.
VARIANTS = (([], []), (["--total"], ["--sample-type", "value"]), (["--threads"], ["--by-thread"]))

CONTEXT = "a fork of async-profiler writes a field contextId that the converter does not skip"
# Recording: kinds that the converter cannot convert and what it says, and why.
FAULTS = {
    "grafana_jfr-parser__dump1.jfr": (("cpu", "wall"), "invalid event size", CONTEXT),
    "grafana_jfr-parser__example.jfr": (("cpu", "wall", "alloc", "lock"), "invalid event size",
                                        CONTEXT),
    "openjdk_jmc__9u0.jfr": (KINDS, "Unsupported JFR version: 1.0", "it reads format 2 only"),
}
# Neither program reads these: cut after 100 bytes, and of format 0.9.
UNREADABLE = ("ocadaruma_jfrs__invalid.jfr", "openjdk_jmc__8u60.jfr")
# Samples that the converter counts and jfrtree leaves out.
STACK_OF_ANOTHER_CHUNK = {("openjdk_jmc__flush_metadata.jfr", "lock"): 1}
EVENTS = {
    "cpu": (),  # no recording of FAULTS has the state STATE_DEFAULT
    "wall": ("jdk.ExecutionSample", "jdk.NativeMethodSample", "profiler.WallClockSample"),
    "alloc": ("jdk.ObjectAllocationInNewTLAB", "jdk.ObjectAllocationOutsideTLAB",
              "jdk.ObjectAllocationSample"),
    "lock": ("jdk.JavaMonitorEnter", "jdk.ThreadPark"),
    "native-mem": ("profiler.Malloc",),
}


def find_converter(repository):
    named = os.environ.get("JFRTREE_JFRCONV")
    if named:
        return pathlib.Path(named)
    for folder in ("build/compat", "build/bench/peers/java/lib"):
        for jar in sorted(repository.glob(f"{folder}/jfr-converter-4.*.jar")):
            return jar
    return None


def sums(text):
    """Numbers by stack. The converter may write a stack twice, by how its frames were executed."""
    stacks = collections.Counter()
    for line in text.split("\n"):
        if line:
            stack, number = MARK.sub("", line).rsplit(" ", 1)
            stacks[stack] += int(number)
    return stacks


class Comparison:
    def __init__(self, program, jar, folder, results):
        self.program = program
        self.jar = jar
        self.folder = folder
        self.results = results
        self.failures = []
        self.compared = 0

    def converter(self, kind, options, files, output):
        command = ["java", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8", "-cp", str(self.jar),
                   "one.convert.Main", "--" + kind.replace("-", ""), *options, "-o", "collapsed"]
        return subprocess.run([*command, *map(str, files), str(output)], capture_output=True,
                              text=True, timeout=600)

    def own(self, kind, options, file):
        done = subprocess.run(
            [self.program, "convert", str(file), "--compat", "jfrconv", "-p", kind, "--format",
             "collapsed", *options], capture_output=True, timeout=600)
        # Without samples jfrtree says so, the converter writes an empty file.
        is_empty = done.returncode == 1 and b"no samples of the kind" in done.stderr
        if done.returncode != 0 and not is_empty:
            return None
        return sums(done.stdout.decode())

    def fail(self, what, text):
        self.failures.append(f"{' '.join(map(str, what))}: {text}")

    def compare(self, files):
        for kind in KINDS:
            for theirs, ours in VARIANTS:
                whole = [file for file in files if kind not in FAULTS.get(file.name, ((),))[0]]
                output = self.results / (kind + "".join(theirs))
                output.mkdir()
                done = self.converter(kind, theirs, whole, output)
                if done.returncode != 0:
                    self.fail((kind, *theirs), f"the converter failed: {done.stderr[:300]}")
                    continue
                for file in whole:
                    name = output / (file.stem + ".collapsed")
                    self.compare_one((file.name, kind, *theirs), sums(name.read_text("utf-8")),
                                     self.own(kind, ours, file))

    def compare_one(self, what, expected, actual):
        if actual is None:
            self.fail(what, "jfrtree failed")
            return
        self.compared += sum(1 for _ in expected)
        if what[:2] in STACK_OF_ANOTHER_CHUNK:
            # It keeps the constants of earlier chunks: the stack is that of another chunk's sample.
            only_theirs = expected - actual
            if len(only_theirs) != STACK_OF_ANOTHER_CHUNK[what[:2]] or actual - expected:
                self.fail(what, f"differs otherwise than expected: {dict(only_theirs)}")
            return
        for stack in sorted(expected.keys() | actual.keys()):
            if expected[stack] != actual[stack]:
                self.fail(what, f"{actual[stack]} instead of {expected[stack]}: {stack[-300:]}")
                return

    def check_faults(self, files, known_counts):
        for name, (kinds, message, _reason) in FAULTS.items():
            for kind in kinds:
                what = (name, kind)
                done = self.converter(kind, [], [files[name]], self.results / "fault.collapsed")
                if done.returncode == 0 or message not in done.stderr:
                    self.fail(what, "the converter reads it now: remove it from FAULTS")
                types = known_counts(name)
                expected = sum(types.get(event, {}).get("withStack", 0) for event in EVENTS[kind])
                own = self.own(kind, [], files[name])
                if own is None or sum(own.values()) != expected:
                    self.fail(what, f"jfrtree counts {own and sum(own.values())}, not {expected}")

    def check_unreadable(self, files):
        for name in UNREADABLE:
            done = self.converter("cpu", [], [files[name]], self.results / "fault.collapsed")
            if done.returncode == 0 or self.own("cpu", [], files[name]) is not None:
                self.fail((name,), "one of the programs reads it now")


def unpack(recordings, folder):
    files = {}
    for path in sorted(recordings.iterdir()):
        name = path.name.removesuffix(".gz")
        if not name.endswith(".jfr"):
            continue
        target = folder / name
        if path.name.endswith(".gz"):
            target.write_bytes(gzip.decompress(path.read_bytes()))
        else:
            target.write_bytes(path.read_bytes())
        files[name] = target
    return files


def known_types(recordings, name):
    """What the JDK's reader found in a recording, by event type of the current names."""
    folder = next(recordings.glob(f"expected/{name}*"))
    types = json.loads((folder / "counts.json").read_text())["types"]
    return {event.removeprefix("com.oracle."): known for event, known in types.items()}


def missing(repository, recordings):
    if not shutil.which("java"):
        return "java is not in the path"
    if not find_converter(repository):
        return "the converter is absent; scripts/setup --test fetches it"
    if not recordings.is_dir():
        return f"{recordings} is absent; set JFRTREE_RECORDINGS to a folder of recordings"
    return None


def main():
    program, repository, recordings = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    reason = missing(repository, recordings)
    if reason:
        print(f"SKIPPED: {reason}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "raw").mkdir()
        files = unpack(recordings, folder / "raw")
        comparison = Comparison(program, find_converter(repository), folder / "raw", folder)
        comparison.compare([file for name, file in files.items() if name not in UNREADABLE])
        comparison.check_faults(files, lambda name: known_types(recordings, name))
        comparison.check_unreadable(files)
    for failure in comparison.failures[:20]:
        print(f"FAILED: {failure}")
    print(f"{comparison.compared} stacks compared, {len(comparison.failures)} differences")
    return 1 if comparison.failures or comparison.compared < 10000 else 0


if __name__ == "__main__":
    sys.exit(main())
