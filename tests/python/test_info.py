"""What recordings say about themselves, against what the JDK reads in them."""

import datetime
import struct

import expected
import pytest

import jfrtree

RECORDINGS = ["jdk17-mixed.jfr", "jdk25-mixed.jfr", "jdk17-chunks.jfr", "jdk17-names.jfr",
              "jdk17-events.jfr", "jdk17-kinds.jfr", "jdk25-kinds.jfr", "jdk25-cputime.jfr"]


@pytest.mark.parametrize("name", RECORDINGS)
def test_events_are_those_that_the_jdk_reads(testdata, name, no_warnings):
    info = jfrtree.open(testdata / name).info
    assert info.events == expected.counts(testdata, name)
    assert sum(chunk.events for chunk in info.chunks) == sum(info.events.values())
    assert info.problems == ()


def test_time(testdata):
    info = jfrtree.open(testdata / "jdk17-mixed.jfr").info
    stamps = expected.types(testdata, "jdk17-mixed.jfr")
    first = min(numbers["firstNs"] for numbers in stamps.values())
    last = max(numbers["lastNs"] for numbers in stamps.values())
    assert info.start_ns <= first <= last <= info.end_ns
    assert info.start.tzinfo is datetime.timezone.utc
    assert info.start.timestamp() == pytest.approx(info.start_ns / 1e9)
    assert info.duration == info.end - info.start or abs(
        info.duration - (info.end - info.start)) <= datetime.timedelta(microseconds=1)
    assert info.duration_ns == info.end_ns - info.start_ns
    assert info.chunks[0].start_ns == info.start_ns


def test_chunks(testdata):
    info = jfrtree.open(testdata / "jdk17-chunks.jfr").info
    assert [chunk.number for chunk in info.chunks] == [1, 2, 3, 4]
    assert [chunk.events for chunk in info.chunks] == [83, 112, 132, 145]
    data = (testdata / "jdk17-chunks.jfr").read_bytes()
    for chunk in info.chunks:
        magic, major, minor = struct.unpack_from(">4sHH", data, chunk.offset)
        assert (magic, chunk.version) == (b"FLR\0", f"{major}.{minor}")
        assert chunk.finished
    ends = [chunk.offset + chunk.bytes for chunk in info.chunks]
    assert [chunk.offset for chunk in info.chunks] == [0, *ends[:-1]]
    assert info.files[0].bytes == ends[-1] == (testdata / "jdk17-chunks.jfr").stat().st_size


def test_profiles(testdata):
    profiles = jfrtree.open(testdata / "jdk17-mixed.jfr").profiles
    jdk = expected.types(testdata, "jdk17-mixed.jfr")
    lock = profiles["lock"]
    assert lock.samples == jdk["jdk.JavaMonitorEnter"]["count"]
    assert lock.total == jdk["jdk.JavaMonitorEnter"]["durationNs"]
    assert lock.sample_types[1].unit == "nanoseconds"
    assert lock.default_sample_type == lock.sample_types[1]
    alloc = profiles["alloc"]
    # The TLAB events: sums of tlabSize and of allocationSize in testdata/README.md.
    assert alloc.samples == 1908 + 135
    assert alloc.total == 1_243_862_624 + 18_637_096
    assert [row.event for row in alloc.left_out] == ["jdk.ObjectAllocationSample"]
    assert alloc.left_out[0].count == jdk["jdk.ObjectAllocationSample"]["count"]
    assert list(profiles)[:3] == ["cpu", "alloc", "lock"]


def test_settings(testdata):
    settings = jfrtree.open(testdata / "jdk17-mixed.jfr").settings
    assert ("jdk.ExecutionSample", "period", "1 ms") in settings


def test_event_types(testdata):
    types = jfrtree.open(testdata / "jdk17-events.jfr").event_types
    checkout = types["example.Checkout"]
    assert checkout.count == 20
    assert {"startTime", "duration", "size"} <= {field.name for field in checkout.fields}
    annotated = {field.name: field for field in types["example.Annotated"].fields}
    assert "bytes" in {field.unit for field in annotated.values()}
    read = jfrtree.open(testdata / "jdk17-kinds.jfr").event_types["jdk.FileRead"]
    assert {field.name: field.unit for field in read.fields}["bytesRead"] == "bytes"


def test_problems_are_warnings_once(testdata):
    recording = jfrtree.open(testdata / "jdk17-unfinished.jfr")
    with pytest.warns(jfrtree.RecordingWarning, match="never finished") as caught:
        info = recording.info
    assert len(caught) == 1
    assert caught[0].filename == __file__
    problem = info.problems[0]
    assert problem.code == "unfinished_chunk" and problem.chunk == 1 and not problem.is_note
    assert str(problem) == str(caught[0].message)
    jdk = expected.counts(testdata, "jdk17-unfinished.jfr")
    assert info.events == jdk
    assert not info.chunks[0].finished


def test_problems_of_a_profile(testdata):
    with pytest.warns(jfrtree.RecordingWarning):
        profile = jfrtree.open(testdata / "jdk17-unfinished.jfr").profile("cpu")
    jdk = expected.counts(testdata, "jdk17-unfinished.jfr")
    assert profile.count == jdk["jdk.ExecutionSample"]
    assert [problem.code for problem in profile.problems] == ["unfinished_chunk"]


def test_strict(testdata):
    with pytest.raises(jfrtree.FormatError) as caught:
        jfrtree.open(testdata / "jdk17-unfinished.jfr", strict=True).profile("cpu")
    error = caught.value
    assert (error.code, error.chunk) == ("unfinished_chunk", 1)
    assert error.file.endswith("jdk17-unfinished.jfr")
    assert 0 < error.offset < (testdata / "jdk17-unfinished.jfr").stat().st_size


def test_one_bad_input_among_several(testdata):
    recording = jfrtree.open([testdata / "jdk17-mixed.jfr", b"no recording" * 100])
    with pytest.warns(jfrtree.RecordingWarning, match="<bytes 2>"):
        assert recording.profile("cpu").count == 755


def test_catalogs():
    names = [kind.name for kind in jfrtree.kinds]
    assert names[:5] == ["cpu", "cpu-time", "wall", "alloc", "lock"]
    assert [kind.name for kind in jfrtree.kinds if kind.is_snapshot] == ["live"]
    endings = {ending: format.name for format in jfrtree.formats for ending in format.endings}
    assert endings[".html"] == "html" and endings[".collapsed"] == "collapsed"
    assert jfrtree.__version__.count(".") == 2
