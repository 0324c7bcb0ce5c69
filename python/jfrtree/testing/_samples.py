"""The events of each kind: what they hold, and what they count for."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from ._bytes import boolean, narrow, string, varint
from ._chunk import ChunkWriter
from ._names import Names

PERIOD_NS = 20_000_000
"""The sampling period that the recordings name."""


@dataclass(frozen=True)
class Choices:
    """Where what is random comes from."""

    choice: random.Random
    names: Names


@dataclass(frozen=True)
class Head:
    """The fields that all events have, as they are written."""

    start: bytes
    thread: bytes
    stack: bytes


@dataclass(frozen=True)
class Made:
    """An event of a kind. Without a value that is its duration."""

    event: str
    payload: bytes
    value: int | None = None
    leaf: str | None = None
    extra: int = 0


def _cpu(choices: Choices, writer: ChunkWriter, head: Head, _: bytes) -> Made:
    state = varint(writer.text_constant("jdk.types.ThreadState", "STATE_RUNNABLE"))
    payload = head.start + head.thread + head.stack + state
    return Made("jdk.ExecutionSample", payload, PERIOD_NS)


def _cpu_time(choices: Choices, writer: ChunkWriter, head: Head, _: bytes) -> Made:
    period_ns = 1_000 * choices.choice.randrange(1, 50_000)
    payload = head.start + head.stack + head.thread + boolean(False)
    payload += varint(writer.duration_ticks(period_ns)) + boolean(False)
    return Made("jdk.CPUTimeSample", payload, period_ns)


def _alloc(choices: Choices, writer: ChunkWriter, head: Head, _: bytes) -> Made:
    leaf = choices.names.allocated_class()
    size = choices.choice.randrange(16, 1 << choices.choice.randrange(5, 34))
    payload = head.start + head.thread + head.stack + varint(writer.java_class(leaf))
    if choices.choice.random() < 0.5:
        return Made("jdk.ObjectAllocationOutsideTLAB", payload + varint(size), size, leaf)
    buffer = size + choices.choice.randrange(1 << 20)
    payload += varint(size) + varint(buffer)
    return Made("jdk.ObjectAllocationInNewTLAB", payload, buffer, leaf)


def _lock(choices: Choices, writer: ChunkWriter, _: Head, lasting: bytes) -> Made:
    leaf = choices.names.class_name()
    address = varint(choices.choice.getrandbits(48))
    payload = lasting + varint(writer.java_class(leaf)) + varint(0) + address
    return Made("jdk.JavaMonitorEnter", payload, leaf=leaf)


def _park(choices: Choices, writer: ChunkWriter, _: Head, lasting: bytes) -> Made:
    leaf = "java.util.concurrent.locks.ReentrantLock$NonfairSync"
    payload = lasting + varint(writer.java_class(leaf)) + varint(-1) + varint(0)
    return Made("jdk.ThreadPark", payload, leaf=leaf)


def _wait(choices: Choices, writer: ChunkWriter, _: Head, lasting: bytes) -> Made:
    leaf = choices.names.class_name()
    payload = lasting + varint(writer.java_class(leaf)) + boolean(choices.choice.random() < 0.5)
    return Made("jdk.JavaMonitorWait", payload, leaf=leaf)


def _io(choices: Choices, writer: ChunkWriter, _: Head, lasting: bytes) -> Made:
    size = choices.choice.randrange(1, 1 << 20)
    if choices.choice.random() < 0.5:
        payload = lasting + string("/data/orders.csv") + varint(size) + boolean(False)
        return Made("jdk.FileRead", payload, extra=size)
    payload = lasting + string("db.example.com") + narrow(5432, 32) + varint(size)
    return Made("jdk.SocketWrite", payload, extra=size)


def _exceptions(choices: Choices, writer: ChunkWriter, head: Head, _: bytes) -> Made:
    leaf = choices.choice.choice(("java.lang.IllegalStateException", "java.io.IOException"))
    payload = head.start + head.thread + head.stack
    payload += string(choices.choice.choice((None, "", "no luck", "Unglück"))) + varint(
        writer.java_class(leaf)
    )
    return Made("jdk.JavaExceptionThrow", payload, 1, leaf)


Maker = Callable[[Choices, ChunkWriter, Head, bytes], Made]
"""Makes an event of its head, or of the head of events that last."""

MAKERS: dict[str, Maker] = {
    "cpu": _cpu,
    "cpu-time": _cpu_time,
    "alloc": _alloc,
    "lock": _lock,
    "park": _park,
    "wait": _wait,
    "io": _io,
    "exceptions": _exceptions,
}
