#!/usr/bin/env python3
"""Compares frames with all their parts with what `jfr print --json` of the JDK says of them.

Usage: check_frames.py PROGRAM TESTDATA; exit code 77 when the tool `jfr` is absent.
"""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
RECORDINGS = {
    "jdk17-lambdas.jfr": "example.Call",
    "jdk25-lambdas.jfr": "example.Call",
    "jdk17-mixed.jfr": "jdk.ExecutionSample",
    "jdk25-mixed.jfr": "jdk.ExecutionSample",
    "jdk25-virtual.jfr": "jdk.VirtualThreadPinned",
}
SUFFIXES = {"Interpreted": "_[0]", "JIT compiled": "_[j]", "Inlined": "_[i]", "Native": "_[n]"}
PRIMITIVES = {"B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long",
              "S": "short", "Z": "boolean"}
PARAMETER = re.compile(r"(\[*)(?:L([^;]*);|([BCDFIJSZ]))")


def signature(descriptor):
    parameters = descriptor[1:descriptor.index(")")]
    return "(" + ", ".join(
        (PRIMITIVES[primitive] if primitive else name.rsplit("/", 1)[-1]) + "[]" * len(dimensions)
        for dimensions, name, primitive in PARAMETER.findall(parameters)) + ")"


def parts(frame):
    """Module, class, method, descriptor, line, bytecode index and type of a frame."""
    method = frame["method"]
    package = method["type"].get("package") or {}
    module = (package.get("module") or {}).get("name") or ""
    return (module, method["type"]["name"], method["name"], method["descriptor"],
            frame["lineNumber"], frame["bytecodeIndex"], frame["type"])


def in_full(frame):
    module, type_name, name, descriptor, line, index, kind = parts(frame)
    text = f"{module}/" if module else ""
    text += type_name.replace("/", ".") + "." + name + signature(descriptor)
    text += f":{line}" if line > 0 else ""
    text += f"@{index}" if kind != "Native" and index >= 0 else ""
    return text + SUFFIXES[kind]


def in_internal_form(frame):
    _, type_name, name, descriptor, *_ = parts(frame)
    # Packages of hidden classes are printed with dots.
    type_name = re.sub(r"\.(?!\d)", "/", type_name)
    return f"{type_name}.{name}{descriptor}"


VARIANTS = (
    (["--lines", "--bci", "--signatures", "--modules", "--frame-types"], in_full),
    (["--slashes", "--signatures"], in_internal_form),
)


def recorded_stacks(recording, event):
    done = subprocess.run(["jfr", "print", "--json", "--stack-depth", "2048", "--events", event,
                           str(recording)], capture_output=True, text=True, check=True)
    events = json.loads(done.stdout)["recording"]["events"]
    return [event["values"]["stackTrace"]["frames"] for event in events
            if event["values"]["stackTrace"]]


def own_stacks(program, recording, event, options):
    done = subprocess.run([program, "convert", recording, "--event", event, "--format", "stacks",
                           "--no-class-leaf", "--no-truncated-frame", *options],
                          capture_output=True, text=True, check=True)
    stacks = collections.Counter()
    for line in done.stdout.splitlines():
        row = json.loads(line)
        stacks[tuple(row["stack"])] += row["count"]
    stacks.pop(("[no stack]",), None)
    return stacks


def main():
    program, testdata = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which("jfr"):
        print("SKIPPED: the tool jfr of a JDK is not in the path")
        return SKIPPED
    failures = []
    for name, event in RECORDINGS.items():
        recorded = recorded_stacks(testdata / name, event)
        if not recorded:
            failures.append(f"{name}: jfr prints no stacks of {event}")
        for options, text in VARIANTS:
            expected = collections.Counter(
                tuple(map(text, reversed(frames))) for frames in recorded)
            actual = own_stacks(program, testdata / name, event, options)
            for stack in sorted(expected.keys() | actual.keys()):
                if expected[stack] != actual[stack]:
                    failures.append(f"{name} {' '.join(options)}: {actual[stack]} instead of "
                                    f"{expected[stack]}: {' > '.join(stack)[-600:]}")
                    break
        print(f"{name}: {len(recorded)} events")
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
