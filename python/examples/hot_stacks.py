"""Prints the methods in which a profile of a recording spends most, by way of the program jfrtree.

usage: hot_stacks.py PROGRAM RECORDING KIND [HOW_MANY]
"""

import collections
import json
import subprocess
import sys


def run(program, *arguments):
    """Returns what the program writes. Exit code 3: done, but the recording has problems."""
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):
        sys.exit(done.returncode)
    return done.stdout


def unit_of(program, recording, kind):
    """The unit of the kind's value, from its sample types."""
    profiles = json.loads(run(program, "info", "--json", recording))["profiles"]
    types = {profile["kind"]: profile["sample_types"] for profile in profiles}
    return types[kind][-1]["unit"]


def values_by_leaf(program, recording, kind):
    """Sums the values of all stacks by the method at their leaf."""
    values = collections.Counter()
    lines = run(program, "convert", recording, "-p", kind, "--format", "stacks", "--no-class-leaf")
    for line in lines.splitlines():
        sample = json.loads(line)
        values[sample["stack"][-1]] += sample.get("value", 0)
    return values


def main():
    program, recording, kind, *how_many = sys.argv[1:]
    values = values_by_leaf(program, recording, kind)
    unit = unit_of(program, recording, kind)
    for method, value in values.most_common(int(how_many[0]) if how_many else 10):
        print(f"{value} {unit} in {method}")


if __name__ == "__main__":
    main()
