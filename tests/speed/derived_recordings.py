"""Recordings of one chunk that differ from another one in a single part of what they cost.

`start_of` keeps the metadata and the first event: the process, the metadata, one sample.
`with_repeated_events` has more events and nothing else more.
"""

import struct

HEADER_BYTES = 68
METADATA = 0
CHECKPOINT = 1


def read_varint(data, position):
    """Value and the position behind it."""
    value = 0
    for index in range(9):
        byte = data[position + index]
        if index == 8:
            return value | byte << 56, position + 9
        value |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            return value, position + index + 1
    raise AssertionError("not reached")


def records(data):
    """Type and bytes of each record of the first chunk."""
    (chunk_bytes,) = struct.unpack_from(">q", data, 8)
    position = HEADER_BYTES
    while position < chunk_bytes:
        size, behind = read_varint(data, position)
        kind, _ = read_varint(data, behind)
        yield kind, data[position:position + size]
        position += size


def start_of(data):
    metadata = event = None
    for kind, record in records(data):
        if kind == METADATA:
            metadata = record
        elif kind != CHECKPOINT and event is None:
            event = record
    body = event + metadata
    header = bytearray(data[:HEADER_BYTES])
    # Chunk size, offset of the checkpoint (none), offset of the metadata.
    struct.pack_into(">qqq", header, 8, HEADER_BYTES + len(body), 0, HEADER_BYTES + len(event))
    return bytes(header) + body


def with_repeated_events(data, times):
    """The copies stand behind everything else, so that no offset changes."""
    events = b"".join(
        record for kind, record in records(data) if kind not in (METADATA, CHECKPOINT))
    header = bytearray(data[:HEADER_BYTES])
    body = data[HEADER_BYTES:] + events * (times - 1)
    struct.pack_into(">q", header, 8, HEADER_BYTES + len(body))
    return bytes(header) + body
