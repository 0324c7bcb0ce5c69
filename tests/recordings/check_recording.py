"""Compares what the program reads from a recording with what is known of it.

The knowledge comes from other readers: RECORDINGS/expected/NAME/counts.json holds the number of
events of each type, and TYPE.stacks.gz each distinct stack of a type with its number of events.

Usage: check_recording.py PROGRAM RECORDINGS NAME; exit code 77 when the recording is absent.
"""

import collections
import gzip
import json
import pathlib
import subprocess
import sys

SKIPPED = 77
NO_STACK = ("[no stack]",)
DANGLING = ("?",)
STACK_OPTIONS = [
    "--format", "stacks", "--no-class-leaf", "--no-truncated-frame", "--libraries",
    "--no-normalize"]


def run(program, *arguments):
    """Returns exit code, standard output and standard error."""
    done = subprocess.run([program, *arguments], capture_output=True, timeout=300)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def canonical_frame(frame):
    # The files write `library.symbol`, and `.symbol` where the library is unknown; the program
    # writes `library!symbol` and `symbol`.
    return frame.replace("!", ".").removeprefix(".")


def expected_stacks(path):
    stacks = collections.Counter()
    # Lines are separated by "\n" alone: names may hold other line breaks.
    for line in gzip.decompress(path.read_bytes()).decode().split("\n"):
        if line:
            count, _weight, *frames = line.split("\t")
            stacks[tuple(map(canonical_frame, filter(None, frames)))] += int(count)
    return stacks


def stacks_of(output, event):
    stacks = collections.Counter()
    for line in output.decode().split("\n"):
        if line:
            row = json.loads(line)
            if row["kind"] != event:
                raise ValueError(f"a row of kind {row['kind']} instead of {event}")
            stacks[tuple(map(canonical_frame, row["stack"]))] += row["count"]
    return stacks


def counter_difference(expected, actual):
    for key in sorted(expected.keys() | actual.keys(), key=str):
        if expected[key] != actual[key]:
            name = key if isinstance(key, str) else " > ".join(key)
            yield f"{actual[key]} instead of {expected[key]}: {name}"


def check_type(program, recording, event, known, stacks_file, is_partial):
    code, output, errors = run(program, "convert", recording, "--event", event, *STACK_OPTIONS)
    if code not in (0, 3):
        return [f"exit code {code}: {errors}"]
    actual = stacks_of(output, event)
    expected = expected_stacks(stacks_file) if known["withStack"] else collections.Counter()
    # The other reader gives no stack for an id without an entry; the program shows `?`.
    dangling = actual.pop(DANGLING, 0) - expected.pop(DANGLING, 0)
    no_stack = actual.pop(NO_STACK, 0) + dangling
    no_stack_known = known["nullStack"] + expected.pop((), 0)
    differences = list(counter_difference(expected, actual))
    if no_stack != no_stack_known and not (is_partial and no_stack > no_stack_known):
        differences.append(f"{no_stack} without stack, not {no_stack_known}")
    duration = sum(json.loads(line).get("value", 0) for line in output.decode().split("\n") if line)
    # The other reader computes each duration in floating point: up to 1 ns away.
    if not is_partial and abs(duration - known["durationNs"]) > known["count"]:
        differences.append(f"{duration} ns, not {known['durationNs']}")
    return differences


def check_unreadable(program, recording, errors):
    """A recording of which the other reader read nothing."""
    code, _, message = run(program, "info", recording, "--json")
    # It stops at pools without entries, which are no fault of the file.
    wanted = 0 if all("must contain at least one element" in error for error in errors) else 1
    if code != wanted or (wanted == 1 and not message):
        return [f"info: exit code {code}, not {wanted}: {message}"]
    return []


def check(program, recording, folder):
    known_file = json.loads((folder / "counts.json").read_text())
    types = known_file["types"]
    # Chunks that the other reader could not read come on top.
    is_partial = bool(known_file["errors"])
    if not types:
        return check_unreadable(program, recording, known_file["errors"])
    code, output, errors = run(program, "info", recording, "--json")
    if code not in (0, 3):
        return [f"info: exit code {code}: {errors}"]
    expected = collections.Counter({name: known["count"] for name, known in types.items()})
    actual = collections.Counter(json.loads(output)["events"])
    if is_partial:
        actual = collections.Counter(
            {name: min(count, expected.get(name, count)) for name, count in actual.items()
             if name in expected})
    failures = [f"info: {text}" for text in counter_difference(expected, actual)]
    for event, known in sorted(types.items()):
        if known["withStack"] or known["nullStack"]:
            file = folder / f"{event}.stacks.gz"
            failures += [f"{event}: {text}" for text in check_type(
                program, recording, event, known, file, is_partial)]
    return failures


def main():
    program, recordings, name = sys.argv[1:]
    recording = pathlib.Path(recordings) / name
    if not recording.exists():
        print(f"SKIPPED: {recording} is absent; set JFRTREE_RECORDINGS to a folder of recordings")
        return SKIPPED
    failures = check(program, recording, pathlib.Path(recordings) / "expected" / name)
    for failure in failures[:20]:
        print(f"FAILED: {name}: {failure[:1000]}")
    if len(failures) > 20:
        print(f"... and {len(failures) - 20} more differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
