"""Doubles small recordings twice in one direction after the other and counts instructions: no step
of a run may take more than its share of the size.

Of the counts at n, 2n and 4n the second difference divided by the first is 2 where the cost is
linear, a little more for sorting, and 4 where it is quadratic. What a run costs anyway drops out,
and the ratio depends neither on the machine nor on the compiler.

Usage: doubling.py MAKE_SHAPE; environment: JFRTREE_PROGRAM
"""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import instructions

# Linear steps and sorting come to 1.9 to 2.1; a quadratic part that is a quarter of the linear one
# at 4n reaches this.
LARGEST_RATIO = 2.3
COLLAPSED = ("convert", "--format", "collapsed")
HTML = ("convert", "--format", "html")
FLAMEBEARER = ("convert", "--format", "flamebearer", "--max-nodes", "0")
INFO = ("info",)


@dataclasses.dataclass(frozen=True)
class Growth:
    name: str
    grown: tuple
    smallest: int
    fixed: dict
    commands: tuple

    def sizes(self):
        return [self.smallest << doubled for doubled in range(3)]

    def shape(self, size):
        numbers = {**self.fixed, **{name: size for name in self.grown}}
        return [f"{name}={number}" for name, number in numbers.items()]


GROWTHS = (
    Growth("events", ("events",), 40_000, {"stacks": 20}, (COLLAPSED,)),
    Growth("stacks", ("events", "stacks"), 1000, {"depth": 16}, (COLLAPSED,)),
    Growth("depth", ("depth",), 4000, {"events": 8, "stacks": 8},
           (HTML, (*COLLAPSED, "--reverse"))),
    Growth("children", ("children", "stacks", "events", "symbols"), 2000, {"depth": 4},
           (HTML, FLAMEBEARER)),
    Growth("symbols", ("symbols",), 1000, {"events": 4000, "stacks": 4000}, (COLLAPSED,)),
    Growth("threads", ("threads",), 500, {"events": 8000, "stacks": 4},
           ((*COLLAPSED, "--by-thread"),)),
    Growth("chunks", ("chunks",), 16, {"events": 256, "stacks": 4}, (COLLAPSED,)),
    Growth("checkpoints", ("checkpoints", "stacks", "events"), 1000, {}, (COLLAPSED,)),
    Growth("types", ("types",), 128, {"events": 2048, "stacks": 4}, (INFO,)),
)


def ratio(counts):
    """How much more the second doubling costs than the first; 0 where that costs nothing."""
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    return second / first if first > 0 else 0.0


def count(program, command, recording, folder):
    profile = folder / "cachegrind.out"
    instructions.valgrind(
        "cachegrind", ["--cache-sim=no", f"--cachegrind-out-file={profile}"],
        [program, *command, "--quiet", "--threads", "1", recording, "-o", folder / "output"])
    return int(re.search(r"^summary: (\d+)", profile.read_text(), re.MULTILINE)[1])


def measure(make_shape, growth, folder):
    """[(command, counts)…]"""
    recordings = []
    for size in growth.sizes():
        recordings.append(folder / f"{growth.name}-{size}.jfr")
        subprocess.run([make_shape, recordings[-1], *growth.shape(size)], check=True)
    for command in growth.commands:
        yield command, [count(os.environ["JFRTREE_PROGRAM"], command, recording, folder)
                        for recording in recordings]


def main():
    if shutil.which("valgrind", path=instructions.ENVIRONMENT["PATH"]) is None:
        print("SKIPPED: valgrind is not installed (scripts/setup --test installs it)")
        return instructions.SKIPPED
    steep = []
    with tempfile.TemporaryDirectory() as folder:
        for growth in GROWTHS:
            for command, counts in measure(sys.argv[1], growth, pathlib.Path(folder)):
                name = f"{growth.name}: {' '.join(command)}"
                found = ratio(counts)
                print(f"{name:<60}{'  '.join(f'{number:>12,}' for number in counts)}  {found:.2f}",
                      flush=True)
                if found > LARGEST_RATIO:
                    steep.append(name)
    if steep:
        print(f"FAILED: more than {LARGEST_RATIO} for {'; '.join(steep)}")
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
