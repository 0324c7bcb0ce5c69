"""The arithmetic of instructions.py, and the recording that it makes for the start."""

import struct

import pytest

import derived_recordings
import instructions

RECORDED = {"start": 1000, "per event": 200.0}


def test_five_percent_more_are_allowed():
    assert instructions.too_high({"start": 1050, "per event": 210.0}, RECORDED) == []
    assert instructions.too_high({"start": 1051, "per event": 210.0}, RECORDED) == ["start"]
    assert instructions.too_high({"start": 1, "per event": 210.3}, RECORDED) == ["per event"]


def test_report_fails_and_says_what_to_do(capsys):
    assert instructions.report({"start": 1100, "per event": 200.0}, RECORDED) == 1
    said = capsys.readouterr().out
    assert "+10.0%" in said
    assert "FAILED: start:" in said
    assert "tests/speed/update" in said


def test_fewer_instructions_pass(capsys):
    assert instructions.report({"start": 900, "per event": 200.0}, RECORDED) == 0
    assert "tests/speed/update" in capsys.readouterr().out
    assert instructions.report({"start": 990, "per event": 200.0}, RECORDED) == 0
    assert "tests/speed/update" not in capsys.readouterr().out


def test_the_lowest_of_each_count_is_taken():
    runs = [{"start": 3, "per event": 1.5}, {"start": 2, "per event": 1.6}]
    assert instructions.lowest(runs) == {"start": 2, "per event": 1.5}


def test_other_conditions_are_no_comparison():
    recorded = {"compiler": "GNU 12.2.0", "libc": "glibc 2.36"}
    instructions.check_conditions(dict(recorded), recorded)
    with pytest.raises(instructions.Skip, match="libc 'glibc 2.36', this is 'glibc 2.40'"):
        instructions.check_conditions({**recorded, "libc": "glibc 2.40"}, recorded)


def test_without_valgrind_nothing_is_compared(monkeypatch, capsys):
    monkeypatch.setattr(instructions.shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(instructions.sys, "argv",
                        ["instructions.py", "--compiler=", "--flags=", "--fast-bits="])
    assert instructions.main() == instructions.SKIPPED
    assert "SKIPPED: valgrind is not installed" in capsys.readouterr().out


@pytest.mark.parametrize("encoded, value", (
    ("05", 5), ("8001", 128), ("858000", 5), ("ffffffffffffffffff", 2**64 - 1)))
def test_varints(encoded, value):
    data = bytes.fromhex(encoded)
    assert derived_recordings.read_varint(data, 0) == (value, len(data))


CHECKPOINT = b"\x04\x01cc"
EVENTS = [b"\x04\x65e1", b"\x84\x00\x66e"]
METADATA = b"\x05\x00mmm"


def chunk():
    body = CHECKPOINT + EVENTS[0] + METADATA + EVENTS[1]
    offsets = (68 + len(body), 68, 68 + 8)
    header = b"FLR\0\0\2\0\1" + struct.pack(">qqq", *offsets) + bytes(range(36))
    assert len(header) == 68
    return header + body


def test_the_start_is_one_event_and_the_metadata():
    start = derived_recordings.start_of(chunk() + b"another chunk")
    assert start[68:] == EVENTS[0] + METADATA
    assert struct.unpack_from(">qqq", start, 8) == (68 + 9, 0, 68 + 4)
    assert start[:8] == chunk()[:8]
    assert start[32:68] == bytes(range(36))


def test_repeated_events_stand_behind_everything_else():
    repeated = derived_recordings.with_repeated_events(chunk(), 3)
    events = b"".join(EVENTS)
    assert repeated[68:] == chunk()[68:] + events + events
    assert struct.unpack_from(">qqq", repeated, 8) == (len(repeated), 68, 68 + 8)
    assert repeated[32:68] == bytes(range(36))
