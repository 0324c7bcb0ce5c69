"""Random recordings, and what is in them."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from ._bytes import narrow, string, varint
from ._chunk import ChunkWriter, Frame
from ._names import Names, NameStyle
from ._samples import MAKERS, PERIOD_NS, Choices, Head
from ._types import BASE_TYPES, SAMPLE_TYPES

KINDS = tuple(MAKERS)
"""The kinds that can be generated."""

_FREQUENCIES = (1_000_000_000, 2_000_000_000, 2_500_000_000, 4_000_000_000, 500_000_000)
_FRAME_TYPES = ("Interpreted", "JIT compiled", "Inlined")


@dataclass(frozen=True)
class Sums:
    """The sums of some samples; ``value`` is in bytes or nanoseconds, as the kind has it."""

    count: int
    value: int

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.count + other.count, self.value + other.value)


@dataclass(frozen=True)
class Sample:
    """One event that is a sample.

    ``stack`` is root first and has no synthetic frames; ``leaf`` is the class that a kind such as
    ``alloc`` shows as one (``None``: the kind has none). ``extra`` is the third number of ``io``,
    bytes, and 0 otherwise. Times are ns since the epoch.
    """

    kind: str
    event: str
    start_ns: int
    duration_ns: int
    thread: str
    stack: tuple[str, ...]
    leaf: str | None
    value: int
    extra: int = 0


@dataclass(frozen=True)
class Recording:
    """A generated recording: its bytes, and what a correct reader finds in them."""

    data: bytes = field(repr=False)
    samples: tuple[Sample, ...] = field(repr=False)
    events: dict[str, int]
    """Events by type, those that are no samples too."""
    chunks: int
    start_ns: int
    end_ns: int

    def stacks(
        self, kind: str, *, class_leaf: bool = True, by_thread: bool = False
    ) -> dict[tuple[str, ...], Sums]:
        """The sums by stack of a kind, as `jfrtree.Recording.profile` gives them.

        With ``by_thread`` the first frame of each stack is ``[NAME tid=N]``.
        """
        sums: dict[tuple[str, ...], Sums] = defaultdict(lambda: Sums(0, 0))
        for sample in self.samples:
            if sample.kind != kind:
                continue
            stack = sample.stack or ("[no stack]",)
            if by_thread:
                stack = (f"[{sample.thread}]", *stack)
            if class_leaf and sample.leaf is not None:
                stack = (*stack, sample.leaf)
            sums[stack] += Sums(1, sample.value)
        return dict(sums)

    def totals(self) -> dict[str, Sums]:
        """The sums of each kind that has samples."""
        sums: dict[str, Sums] = defaultdict(lambda: Sums(0, 0))
        for sample in self.samples:
            sums[sample.kind] += Sums(1, sample.value)
        return dict(sums)

    def write(self, path: str | PathLike[str]) -> Path:
        """Writes the bytes to a file, which is replaced."""
        target = Path(path)
        target.write_bytes(self.data)
        return target


@dataclass(frozen=True)
class _Thread:
    name: str
    java_id: int
    os_id: int

    @property
    def frame(self) -> str:
        return f"{self.name} tid={self.os_id}"


class _Generator:
    def __init__(self, choice: random.Random, names: Names, threads: Sequence[_Thread]) -> None:
        self.choice = choice
        self.names = names
        self.threads = threads
        self.samples: list[Sample] = []
        self.events: Counter[str] = Counter()

    def chunk(
        self,
        kinds: Sequence[str],
        stacks: Sequence[tuple[Frame, ...]],
        samples: int,
        start_ns: int,
        duration_ns: int,
    ) -> bytes:
        frequency = self.choice.choice(_FREQUENCIES)
        writer = ChunkWriter(
            self.choice,
            [*BASE_TYPES, *SAMPLE_TYPES.values()],
            start_ns=start_ns,
            duration_ns=duration_ns,
            start_ticks=self.choice.choice((0, 1_000, 1 << 40)),
            ticks_per_second=frequency,
        )
        self._describe(writer, start_ns)
        for _ in range(samples):
            at_ns = start_ns + 1_000 * self.choice.randrange(max(1, duration_ns // 1_000))
            self._sample(writer, self.choice.choice(kinds), self.choice.choice(stacks), at_ns)
        self._collections(writer, start_ns, duration_ns)
        return writer.to_bytes()

    def _event(self, writer: ChunkWriter, name: str, payload: bytes) -> None:
        writer.event(name, payload)
        self.events[name] += 1

    def _describe(self, writer: ChunkWriter, start_ns: int) -> None:
        at = varint(writer.ticks(start_ns))
        sampler = writer.type_id("jdk.ExecutionSample")
        setting = at + varint(sampler) + string("period") + string(f"{PERIOD_NS // 10**6} ms")
        self._event(writer, "jdk.ActiveSetting", setting)
        self._event(
            writer,
            "jdk.JVMInformation",
            at
            + string("Generated VM", 4)
            + string("17")
            + varint(1_700_000_000_000)
            + varint(4711),
        )

    def _collections(self, writer: ChunkWriter, start_ns: int, duration_ns: int) -> None:
        for number in range(self.choice.randrange(4)):
            pause_ns = 1_000 * self.choice.randrange(1, 50_000)
            at_ns = start_ns + 1_000 * self.choice.randrange(max(1, duration_ns // 1_000))
            pause = varint(writer.duration_ticks(pause_ns))
            self._event(
                writer,
                "jdk.GarbageCollection",
                varint(writer.ticks(at_ns))
                + pause
                + narrow(number, 32)
                + varint(writer.text_constant("jdk.types.GCName", "G1New"))
                + varint(writer.text_constant("jdk.types.GCCause", "G1 Evacuation Pause"))
                + pause
                + pause,
            )

    def _sample(
        self, writer: ChunkWriter, kind: str, frames: tuple[Frame, ...], at_ns: int
    ) -> None:
        thread = self.choice.choice(self.threads)
        head = Head(
            varint(writer.ticks(at_ns)),
            varint(writer.thread(thread.name, thread.java_id, thread.os_id)),
            varint(writer.stack_trace(frames)),
        )
        duration_ns = 0
        if kind in ("lock", "park", "wait", "io"):
            duration_ns = 1_000 * self.choice.randrange(1, 1_000_000)
        lasting = (
            head.start + varint(writer.duration_ticks(duration_ns)) + head.thread + head.stack
        )
        made = MAKERS[kind](Choices(self.choice, self.names), writer, head, lasting)
        self._event(writer, made.event, made.payload)
        value = duration_ns if made.value is None else made.value
        self.samples.append(
            Sample(
                kind,
                made.event,
                at_ns,
                duration_ns,
                thread.frame,
                tuple(f"{name}.{method}" for name, method, _, _ in frames),
                made.leaf,
                value,
                made.extra,
            )
        )


def random_recording(
    seed: int = 0,
    *,
    kinds: Iterable[str] = KINDS,
    chunks: int = 2,
    samples: int = 1_000,
    stacks: int = 100,
    depth: tuple[int, int] = (1, 30),
    threads: int = 4,
    names: NameStyle = "plain",
    start_ns: int = 1_700_000_000_000_000_000,
    duration_ns: int = 60_000_000_000,
) -> Recording:
    """A valid recording of random contents, the same for the same arguments.

    Args:
        seed: Another seed gives another recording.
        kinds: Kinds of `KINDS` that samples are drawn from.
        chunks: Chunks, each with ids, a clock and an order of its own.
        samples: Samples in all chunks together.
        stacks: Different stacks that samples are drawn from.
        depth: Least and largest number of frames of a stack.
        threads: Threads that samples are drawn from.
        names: ``"plain"``, ``"deep"`` packages, or ``"hostile"``: quotes, semicolons, markup,
            control characters and letters of many scripts.
        start_ns: Start, ns since the epoch.
        duration_ns: Length of the recording, in ns; chunks share it evenly.

    Returns:
        The bytes, and what is in them, known from generating and not from reading.

    Raises:
        ValueError: A number is out of range, or a kind cannot be generated.

    >>> from jfrtree import testing
    >>> recording = testing.random_recording(7, kinds=["alloc"], samples=50)
    >>> recording.totals()["alloc"].count
    50
    >>> recording.data[:4]
    b'FLR\\x00'
    """
    chosen = tuple(kinds)
    unknown = [kind for kind in chosen if kind not in MAKERS]
    if not chosen or unknown:
        raise ValueError(f"kinds are some of {', '.join(KINDS)}, not {unknown or 'none'}")
    least, largest = depth
    if not 0 <= least <= largest:
        raise ValueError("depth is the least and the largest number of frames")
    if chunks < 1 or samples < 0 or stacks < 1 or threads < 1:
        raise ValueError("a recording has a chunk, a stack and a thread at least")
    if duration_ns < 1_000 * chunks or start_ns % 1_000 or start_ns < 0:
        raise ValueError("chunks last a microsecond at least, and start at a whole one")
    choice = random.Random(seed)
    pool = Names(choice, names)
    made_stacks = [_stack(choice, pool, choice.randint(least, largest)) for _ in range(stacks)]
    made_threads = [
        _Thread(pool.thread_name(number), number + 1, 20_000 + 7 * number)
        for number in range(threads)
    ]
    generator = _Generator(choice, pool, made_threads)
    chunk_ns = duration_ns // chunks // 1_000 * 1_000
    shares = [samples // chunks + (number < samples % chunks) for number in range(chunks)]
    data = b"".join(
        generator.chunk(chosen, made_stacks, share, start_ns + number * chunk_ns, chunk_ns)
        for number, share in enumerate(shares)
    )
    return Recording(
        data,
        tuple(generator.samples),
        dict(generator.events),
        chunks,
        start_ns,
        start_ns + chunks * chunk_ns,
    )


def _stack(choice: random.Random, names: Names, depth: int) -> tuple[Frame, ...]:
    return tuple(
        (
            names.class_name(),
            names.method_name(),
            choice.choice((-1, choice.randrange(1, 2_000))),
            choice.choice(_FRAME_TYPES),
        )
        for _ in range(depth)
    )
