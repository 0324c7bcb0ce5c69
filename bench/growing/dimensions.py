"""What grows, what stays as it is meanwhile, and which commands are run on it."""

import dataclasses
import os

CONVERT = ("convert", "--quiet", "--format")


@dataclasses.dataclass(frozen=True)
class Command:
    name: str
    arguments: tuple

    def line(self, program, recording):
        # What it costs to keep the output is the business of the file system.
        return [str(program), *self.arguments, str(recording), "-o", os.devnull]


def convert(output_format, *options, name=None):
    return Command(name or output_format, (*CONVERT, output_format, *options))


COLLAPSED = convert("collapsed")
INFO = Command("info", ("info", "--quiet"))
TOP = Command("top", ("top", "--quiet", "-n", "0"))
# The shape of the tree decides what these cost. No node is left out.
TREES = (
    COLLAPSED,
    convert("collapsed", "--reverse", name="collapsed, reversed"),
    convert("stacks"),
    convert("html", "--max-nodes", "0"),
    convert("flamebearer", "--max-nodes", "0"),
    convert("nested-set", "--max-nodes", "0"),
    convert("tree", "--max-nodes", "0"),
    convert("tree", "--max-nodes", "1000", name="tree, cut"),
    TOP,
    INFO,
)


@dataclasses.dataclass(frozen=True)
class Dimension:
    name: str
    says: str
    grown: tuple
    """The numbers of the shape that are set to each of the sizes."""
    sizes: tuple
    fixed: dict
    commands: tuple = (COLLAPSED,)

    def shape(self, size):
        """Arguments of make_shape."""
        numbers = {**self.fixed, **{name: size for name in self.grown}}
        return [f"{name}={number}" for name, number in numbers.items()]


def doubled(largest, times=5):
    return tuple(largest >> shift for shift in range(times, -1, -1))


DIMENSIONS = (
    Dimension("events", "Events on the same 100 stacks.", ("events",), doubled(4_000_000),
              {"stacks": 100}, (COLLAPSED, INFO)),
    Dimension("stacks", "Stacks of 32 frames, one event each.", ("events", "stacks"),
              doubled(262_144), {"depth": 32, "symbols": 1024}, (COLLAPSED, TOP)),
    Dimension("depth", "Frames of each of 32 stacks that part at the leaf.", ("depth",),
              doubled(102_400), {"events": 32, "stacks": 32, "symbols": 4096}, TREES),
    Dimension("children", "Children of one node, each a method of its own, one event each.",
              ("children", "stacks", "events", "symbols"), doubled(128_000), {"depth": 4}, TREES),
    Dimension("symbols", "Methods, each of a class of its own, in the same 64,000 stacks.",
              ("symbols",), doubled(64_000), {"events": 64_000, "stacks": 64_000, "depth": 16},
              (COLLAPSED, TOP)),
    Dimension("chunks", "Chunks, each with its metadata and 16 stacks; the same 65,536 events.",
              ("chunks",), doubled(2048), {"events": 65_536, "stacks": 16}, (COLLAPSED, INFO)),
    Dimension("checkpoints",
              "Checkpoints of one chunk over which the same 16,384 stacks are spread.",
              ("checkpoints",), doubled(736),
              {"events": 16_384, "stacks": 16_384, "depth": 16, "symbols": 1024}),
    Dimension("threads", "Threads, each with all of 16 stacks; `--by-thread`; the same 163,840 events.",
              ("threads",), doubled(10_240), {"events": 163_840, "stacks": 16},
              (convert("collapsed", "--by-thread"), convert("html", "--by-thread"))),
    Dimension("types", "Types of event; the same 65,536 samples and as many other events.",
              ("types",), doubled(2048), {"events": 65_536, "stacks": 16}, (COLLAPSED, INFO)),
    Dimension("kinds",
              "Profile kinds, each with all of 16,384 stacks of 32 frames; the same 262,144 events.",
              ("kinds",), (1, 2, 4),
              {"events": 262_144, "stacks": 16_384, "depth": 32, "symbols": 1024},
              (convert("stacks", "--profile", "all"), convert("html", "--profile", "all"))),
)
