"""A chunk of a recording: constant pools, events, metadata and header."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence

from ._bytes import boolean, narrow, record, string, varint
from ._types import EVENT, Field, Type

HEADER_BYTES = 68

Frame = tuple[str, str, int, str]
"""Class in Java's spelling, method, line, frame type."""


class ChunkWriter:
    """Collects the events of one chunk; constants are stored when they are first used.

    Ids of types and constants are drawn at random, as far apart as those of real recordings.
    """

    def __init__(
        self,
        choice: random.Random,
        types: Sequence[Type],
        *,
        start_ns: int,
        duration_ns: int,
        start_ticks: int,
        ticks_per_second: int,
    ) -> None:
        self._choice = choice
        self.start_ns = start_ns
        self.duration_ns = duration_ns
        self.start_ticks = start_ticks
        self.ticks_per_second = ticks_per_second
        self._types = list(types)
        # 0 and 1 are no types of fields. Ids differ from chunk to chunk as from JVM to JVM.
        ids = choice.sample(range(20, 400), len(self._types))
        self._type_ids = {kind.name: number for kind, number in zip(self._types, ids, strict=True)}
        self._pools: dict[str, dict[object, tuple[int, bytes]]] = {}
        self._next_keys: dict[str, int] = {}
        self._records: list[bytes] = []

    def type_id(self, name: str) -> int:
        return self._type_ids[name]

    def ticks(self, at_ns: int) -> int:
        """A moment in ticks; exact for whole microseconds."""
        return self.start_ticks + self.duration_ticks(at_ns - self.start_ns)

    def duration_ticks(self, duration_ns: int) -> int:
        return duration_ns * self.ticks_per_second // 1_000_000_000

    # Constants: each returns the key of an entry.

    def _key(self, pool: str, what: object, value: bytes) -> int:
        entries = self._pools.setdefault(pool, {})
        known = entries.get(what)
        if known is not None:
            return known[0]
        key = self._next_keys.get(pool) or self._random_base(pool)
        self._next_keys[pool] = key + self._choice.choice((1, 1, 1, 3))
        entries[what] = (key, value)
        return key

    def _random_base(self, pool: str) -> int:
        if pool == "jdk.types.Symbol":
            return self._choice.choice((1, 1 << 24, 1 << 38))
        return self._choice.choice((1, 17, 140_571, 1 << 33))

    def text_constant(self, pool: str, text: str) -> int:
        """An entry of a type that is one text, such as a symbol or a thread state."""
        encoding = self._choice.choice((3, 3, 4)) if text else None
        return self._key(pool, text, string(text, encoding))

    def java_class(self, name: str) -> int:
        """A class by its name in Java, e.g. ``com.example.A`` or ``byte[]``."""
        symbol = self.text_constant("jdk.types.Symbol", internal_name(name))
        package = 0
        if "." in name and not name.endswith("]"):
            package_name = name.rpartition(".")[0].replace(".", "/")
            package_symbol = self.text_constant("jdk.types.Symbol", package_name)
            package = self._key("jdk.types.Package", package_name, varint(package_symbol))
        value = varint(symbol) + varint(package) + narrow(1, 32) + boolean(False)
        return self._key("java.lang.Class", name, value)

    def method(self, class_name: str, name: str) -> int:
        value = (
            varint(self.java_class(class_name))
            + varint(self.text_constant("jdk.types.Symbol", name))
            + varint(self.text_constant("jdk.types.Symbol", "()V"))
            + narrow(1, 32)
            + boolean(False)
        )
        return self._key("jdk.types.Method", (class_name, name), value)

    def stack_trace(self, frames: Sequence[Frame], *, truncated: bool = False) -> int:
        """A stack, root first."""
        value = boolean(truncated) + varint(len(frames))
        for class_name, method, line, frame_type in reversed(frames):
            value += varint(self.method(class_name, method))
            value += narrow(line, 32) + narrow(-1 if line < 0 else line * 3, 32)
            value += varint(self.text_constant("jdk.types.FrameType", frame_type))
        return self._key("jdk.types.StackTrace", (tuple(frames), truncated), value)

    def thread(self, name: str, java_id: int, os_id: int) -> int:
        value = string(name) + varint(os_id) + string(name) + varint(java_id)
        return self._key("java.lang.Thread", (name, java_id), value)

    # Records

    def event(self, type_name: str, payload: bytes) -> None:
        """An event whose fields are written in the order that its type declares."""
        width = self._choice.choice((1, 1, 4, 5))
        self._records.append(record(self.type_id(type_name), payload, width))

    def to_bytes(self) -> bytes:
        """The chunk. Its events are in no order, its constants in one or several checkpoints."""
        self._choice.shuffle(self._records)
        parts = self._split_pools(self._choice.choice((1, 1, 2, 4)))
        every = max(1, len(self._records) // len(parts))
        out = bytearray(HEADER_BYTES)
        checkpoint = 0
        written = 0
        for number, pools in enumerate(parts):
            is_last = number + 1 == len(parts)
            end = len(self._records) if is_last else min(len(self._records), written + every)
            for event in self._records[written:end]:
                out += event
            written = end
            position = len(out)
            delta = checkpoint - position if checkpoint else 0
            out += self._checkpoint(pools, delta)
            checkpoint = position
        metadata = len(out)
        out += self._metadata()
        out[:HEADER_BYTES] = self._header(len(out), checkpoint, metadata)
        return bytes(out)

    def _split_pools(self, parts: int) -> list[dict[str, list[tuple[int, bytes]]]]:
        split: list[dict[str, list[tuple[int, bytes]]]] = [{} for _ in range(parts)]
        for pool, entries in self._pools.items():
            for entry in entries.values():
                self._choice.choice(split).setdefault(pool, []).append(entry)
        return split

    def _checkpoint(self, pools: dict[str, list[tuple[int, bytes]]], delta: int) -> bytes:
        payload = varint(self.start_ticks) + varint(0) + varint(delta) + b"\x00"
        payload += varint(len(pools))
        for pool, entries in pools.items():
            self._choice.shuffle(entries)
            width = self._choice.choice((1, 4))
            payload += varint(self.type_id(pool)) + varint(len(entries), width)
            payload += b"".join(varint(key) + value for key, value in entries)
        return record(1, payload, self._choice.choice((1, 8)))

    def _header(self, size: int, checkpoint: int, metadata: int) -> bytes:
        return struct.pack(
            ">4sHHqqqqqqqBBH",
            b"FLR\x00",
            2,
            1,
            size,
            checkpoint,
            metadata,
            self.start_ns,
            self.duration_ns,
            self.start_ticks,
            self.ticks_per_second,
            0,
            0,
            1,
        )

    def _metadata(self) -> bytes:
        strings = _Strings()
        classes = [self._class_element(strings, kind) for kind in self._types]
        metadata = strings.element("metadata", [], classes)
        region = strings.element("region", [("locale", "en_US"), ("gmtOffset", "0")], [])
        root = strings.element("root", [], [metadata, region])
        payload = varint(self.start_ticks) + varint(0) + varint(1)
        payload += varint(len(strings.texts))
        payload += b"".join(string(text) for text in strings.texts) + root
        return record(0, payload, 4)

    def _class_element(self, strings: _Strings, kind: Type) -> bytes:
        attributes = [("name", kind.name), ("id", str(self.type_id(kind.name)))]
        if kind.super_type is not None:
            attributes.append(("superType", kind.super_type))
        if kind.is_simple:
            attributes.append(("simpleType", "true"))
        children = [self._field_element(strings, member) for member in kind.fields]
        if kind.label is not None and kind.super_type == EVENT:
            children.append(self._annotation_element(strings, "jdk.jfr.Label", kind.label))
        return strings.element("class", attributes, children)

    def _field_element(self, strings: _Strings, member: Field) -> bytes:
        attributes = [("name", member.name), ("class", str(self.type_id(member.type)))]
        if member.is_constant:
            attributes.append(("constantPool", "true"))
        if member.is_array:
            attributes.append(("dimension", "1"))
        children = [
            self._annotation_element(strings, name, value) for name, value in member.annotations
        ]
        return strings.element("field", attributes, children)

    def _annotation_element(self, strings: _Strings, name: str, value: str | None) -> bytes:
        attributes = [("class", str(self.type_id(name)))]
        if value is not None:
            attributes.append(("value", value))
        return strings.element("annotation", attributes, [])


class _Strings:
    """The texts of a metadata event, each once, and elements that refer to them."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]

    def element(
        self, name: str, attributes: Sequence[tuple[str, str]], children: Sequence[bytes]
    ) -> bytes:
        out = varint(self.number(name)) + varint(len(attributes))
        for key, value in attributes:
            out += varint(self.number(key)) + varint(self.number(value))
        return out + varint(len(children)) + b"".join(children)


_PRIMITIVES = {
    "boolean": "Z",
    "byte": "B",
    "char": "C",
    "double": "D",
    "float": "F",
    "int": "I",
    "long": "J",
    "short": "S",
}


def internal_name(name: str) -> str:
    """A class name as symbols spell it: ``com/example/A``, ``[B``, ``[[Ljava/lang/String;``."""
    dimensions = 0
    while name.endswith("[]"):
        name = name[:-2]
        dimensions += 1
    slashed = name.replace(".", "/")
    if dimensions == 0:
        return slashed
    return "[" * dimensions + _PRIMITIVES.get(name, f"L{slashed};")


__all__ = ["ChunkWriter", "Frame", "internal_name"]
