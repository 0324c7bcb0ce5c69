"""Numbers and texts as recordings hold them (JFR format, compressed integers)."""

from __future__ import annotations

import struct

_LONGEST_VARINT = 9


def varint(value: int, width: int = 1) -> bytes:
    """The number as a varint of at least ``width`` bytes (1 to 9); negative ones are 64 bits."""
    bits = value & 0xFFFF_FFFF_FFFF_FFFF
    out = bytearray()
    while len(out) < _LONGEST_VARINT - 1:
        if bits < 0x80 and len(out) + 1 >= width:
            out.append(bits)
            return bytes(out)
        out.append(bits & 0x7F | 0x80)
        bits >>= 7
    out.append(bits)
    return bytes(out)


def narrow(value: int, bits: int) -> bytes:
    """A signed number of a field of 16 or 32 bits."""
    return varint(value & ((1 << bits) - 1))


def boolean(value: bool) -> bytes:
    return b"\x01" if value else b"\x00"


def string(text: str | None, encoding: int | None = None) -> bytes:
    """A text behind its encoding: 0 null, 1 empty, 3 UTF-8, 4 UTF-16 units, 5 Latin-1."""
    if text is None:
        return b"\x00"
    if encoding is None:
        encoding = 3 if text else 1
    if encoding == 1:
        return b"\x01"
    if encoding == 4:
        units = struct.unpack(f"<{len(text.encode('utf-16-le')) // 2}H", text.encode("utf-16-le"))
        return b"\x04" + varint(len(units)) + b"".join(varint(unit) for unit in units)
    if encoding == 5:
        data = text.encode("latin-1")
        return b"\x05" + varint(len(data)) + data
    data = _modified_utf8(text)
    return b"\x03" + varint(len(data)) + data


def _modified_utf8(text: str) -> bytes:
    """As a JVM writes it: NUL as two bytes, characters beyond the basic plane as surrogates."""
    out = bytearray()
    for unit in struct.unpack(
        f"<{len(text.encode('utf-16-le')) // 2}H", text.encode("utf-16-le")
    ):
        if 0 < unit < 0x80:
            out.append(unit)
        elif unit < 0x800:
            out += bytes((0xC0 | unit >> 6, 0x80 | unit & 0x3F))
        else:
            out += bytes((0xE0 | unit >> 12, 0x80 | unit >> 6 & 0x3F, 0x80 | unit & 0x3F))
    return bytes(out)


def record(type_id: int, payload: bytes, size_width: int = 1) -> bytes:
    """A record: its size, which counts itself, its type, and what it holds."""
    rest = varint(type_id) + payload
    for width in range(size_width, _LONGEST_VARINT + 1):
        size = varint(width + len(rest), width)
        if len(size) == width:
            return size + rest
    raise ValueError("the record is too large")
