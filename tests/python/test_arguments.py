"""What is given wrong is said by the name of the argument."""

import pytest

import jfrtree


@pytest.fixture
def recording(mixed):
    return jfrtree.open(mixed)


@pytest.mark.parametrize(("options", "error", "text"), [
    ({"tid": "x"}, TypeError, "tid"),
    ({"tid": -1}, TypeError, "tid"),
    ({"skip": 2**64}, TypeError, "skip"),
    ({"depth": 2**64}, TypeError, "depth"),
    ({"by_thread": "no"}, TypeError, "by_thread"),
    ({"lines": "x"}, TypeError, "lines"),
    ({"event": ""}, jfrtree.UsageError, "event"),
    ({"event": 5}, TypeError, "event"),
    ({"kind": ""}, jfrtree.UsageError, "kind"),
])
def test_of_profile(recording, options, error, text):
    with pytest.raises(error, match=text):
        recording.profile(**options)


@pytest.mark.parametrize("options", [
    {"threads": 10**20}, {"limits": {"chunk_bytes": -1}}, {"limits": {"chunk_bytes": 2**64}},
])
def test_of_open(mixed, options):
    with pytest.raises(TypeError, match=next(iter(options))):
        jfrtree.open(mixed, **options)


def test_several_profiles_are_kinds(recording):
    for arguments in ({"event": "jdk.ThreadPark"}, {"kinds": []}):
        with pytest.raises(jfrtree.UsageError, match=next(iter(arguments))):
            recording.read_profiles(**arguments)
        with pytest.raises(jfrtree.UsageError, match=next(iter(arguments))):
            recording.flamegraph(**arguments)
    with pytest.raises(jfrtree.UsageError, match="columns"):
        recording.events("jdk.ThreadPark", columns=[])


def test_a_diff_of_events(recording):
    comparison = jfrtree.diff(recording, recording, event="jdk.ThreadPark")
    assert comparison.kind == "jdk.ThreadPark"
    assert comparison.left.count == recording.info.events["jdk.ThreadPark"]


def test_a_file_needs_a_path(recording, capfd):
    with pytest.raises(TypeError, match="path"):
        recording.profile("cpu").write(None, "html")
    assert capfd.readouterr().out == ""


def test_readers_of_streams_raise_what_is_wrong_with_the_input(mixed, tmp_path):
    pytest.importorskip("pyarrow")
    pytest.importorskip("polars")
    data = mixed.read_bytes()
    events = jfrtree.open(data + data[:300_000], strict=True).events("jdk.ThreadPark")
    for read in (events.to_arrow, events.to_polars, events.to_pandas,
                 lambda: list(events.batches()),
                 lambda: events.write_parquet(tmp_path / "events.parquet")):
        with pytest.raises(jfrtree.FormatError) as raised:
            read()
        assert raised.value.chunk == 2
    assert list(tmp_path.iterdir()) == []
