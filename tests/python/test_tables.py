"""Tables through Arrow's capsules, with those who read them and without."""

import datetime
import json
import subprocess

import expected
import pytest

import jfrtree


@pytest.fixture
def recording(mixed):
    return jfrtree.open(mixed)


def test_samples_and_stacks(recording, testdata):
    profile = recording.profile("cpu", class_leaf=False)
    assert profile.samples.column_names == ["stack_id", "thread", "count", "value"]
    stacks = {row["stack_id"]: tuple(row["frames"]) for row in profile.stacks.to_pylist()}
    found = {stacks[row["stack_id"]]: row["count"] for row in profile.samples.to_pylist()}
    jdk = expected.stacks(testdata, "jdk17-mixed.jfr", "jdk.ExecutionSample")
    assert found == {stack: count for stack, (count, _) in jdk.items()}
    threads = recording.profile("cpu", by_thread=True).samples.to_pylist()
    # testdata/README.md: reporting-1 has 158 samples.
    assert sum(row["count"] for row in threads
               if row["thread"].startswith("reporting-1 tid=")) == 158


def test_tree(recording):
    profile = recording.profile("lock")
    rows = profile.tree.to_pylist()
    assert rows[0]["frame"] == "total" and rows[0]["parent"] is None
    assert rows[0]["total"] == sum(row["self"] for row in rows) == 357_563_926
    for row in rows:
        children = [other for other in rows if other["parent"] == row["node"]]
        assert row["total"] == row["self"] + sum(child["total"] for child in children)
        assert all(child["level"] == row["level"] + 1 for child in children)
    counted = profile.to_tree_table(sample_type="count", reverse=True).to_pylist()
    assert counted[0]["total"] == 85
    assert len(profile.to_tree_table(max_nodes=3)) < len(rows)


def test_events_are_those_of_the_jdk(testdata):
    """Every field of example.AllTypes as `jfr print --json` of JDK 25 writes it."""
    rows = jfrtree.open(testdata / "jdk17-events.jfr").events("example.AllTypes").to_pylist()
    path = testdata / "expected" / "jdk17-events.jfr" / "example.AllTypes.json"
    jdk = [event["values"] for event in json.loads(path.read_text())["recording"]["events"]]
    assert len(rows) == len(jdk) == 12
    plain = [key for key, value in jdk[0].items()
             if isinstance(value, (bool, int, str)) and key not in ("startTime", "duration")]
    assert len(plain) >= 5
    for row, values in zip(rows, jdk):
        for key in plain:
            if isinstance(values[key], (bool, int)):
                assert row[key] == values[key], key


def test_event_rows(recording, testdata):
    events = recording.events("jdk.GarbageCollection")
    jdk = expected.types(testdata, "jdk17-mixed.jfr")["jdk.GarbageCollection"]
    assert len(events) == jdk["count"] == 35
    rows = events.to_pylist(nanoseconds=True)
    assert sum(row["duration"] for row in rows) == jdk["durationNs"]
    assert min(row["startTime"] for row in rows) == jdk["firstNs"]
    assert max(row["startTime"] for row in rows) == jdk["lastNs"]
    first = next(iter(events))
    assert first["startTime"] == datetime.datetime.fromtimestamp(
        rows[0]["startTime"] // 1000 / 1e6, datetime.timezone.utc)
    assert first["duration"] == datetime.timedelta(microseconds=rows[0]["duration"] // 1000)
    assert isinstance(first["name"], str)


def test_columns_of_events(recording):
    events = recording.events("jdk.JavaMonitorEnter", columns=["duration", "monitorClass"])
    assert events.column_names == ["duration", "monitorClass"]
    rows = events.to_pylist(nanoseconds=True)
    by_class = {}
    for row in rows:
        by_class[row["monitorClass"]] = by_class.get(row["monitorClass"], 0) + row["duration"]
    # testdata/README.md
    assert by_class["com.example.orders.OrderStore"] == 170_571_921
    assert by_class["com.example.orders.Inventory"] == 182_593_252
    assert "stackTrace" in recording.events("jdk.JavaMonitorEnter").column_names
    without = recording.events("jdk.JavaMonitorEnter", stacks=False).column_names
    assert not any(name.startswith("stackTrace") for name in without)


def test_several_types(recording):
    events = recording.events("jdk.ThreadStart", "jdk.ThreadEnd")
    assert events.column_names[0] == "type"
    types = [row["type"] for row in events]
    assert (types.count("jdk.ThreadStart"), types.count("jdk.ThreadEnd")) == (28, 25)
    assert len(recording.events("jdk.Thread*")) == 28 + 25 + 388 + 1
    assert len(recording.events("jdk.ThreadPark", max_rows=7)) == 7
    middle = recording.info.start_ns + 2_000_000_000
    before = recording.events("jdk.ThreadPark", end=middle)
    after = recording.events("jdk.ThreadPark", start=middle)
    assert len(before) + len(after) == 388
    assert len(before.to_pylist()) == len(before) > 0


def test_wrong_events(recording):
    with pytest.raises(jfrtree.UsageError, match="did you mean jdk.ThreadPark"):
        recording.events("jdk.ThreadPrak")
    with pytest.raises(jfrtree.UsageError, match="nothing"):
        recording.events("jdk.ThreadPark", columns=["nothing"]).to_pylist()
    with pytest.raises(jfrtree.UsageError, match="event_types"):
        recording.events()
    with pytest.raises(TypeError):
        recording.events(3)
    with pytest.raises(TypeError, match="columns"):
        recording.events("jdk.ThreadPark", columns="duration")


def test_problems_of_events(testdata):
    events = jfrtree.open(testdata / "jdk17-unfinished.jfr").events("jdk.ExecutionSample")
    jdk = expected.counts(testdata, "jdk17-unfinished.jfr")
    with pytest.warns(jfrtree.RecordingWarning, match="never finished"):
        assert len(events.to_pylist()) == jdk["jdk.ExecutionSample"]
    assert [problem.code for problem in events.problems] == ["unfinished_chunk"]


def test_pyarrow(recording):
    pyarrow = pytest.importorskip("pyarrow")
    profile = recording.profile("lock")
    table = pyarrow.table(profile.top(0))
    assert table.to_pylist() == profile.top(0).to_pylist()
    assert table.equals(profile.top(0).to_arrow())
    events = recording.events("jdk.JavaMonitorEnter")
    arrow = events.to_arrow()
    assert arrow.num_rows == 85
    assert arrow.schema.field("startTime").type == pyarrow.timestamp("ns", "UTC")
    assert arrow.schema.field("duration").type == pyarrow.duration("ns")
    assert pyarrow.compute.sum(arrow["duration"].cast("int64")).as_py() == 357_563_926
    assert sum(batch.num_rows for batch in events.batches()) == 85
    assert pyarrow.schema(events) == arrow.schema
    flat = [{**row, "startTime": None, "duration": None} for row in events]
    assert [{**row, "startTime": None, "duration": None}
            for row in arrow.drop_columns(["startTime", "duration"]).to_pylist()] == flat


def test_a_stream_may_be_left_before_its_end(testdata):
    pyarrow = pytest.importorskip("pyarrow")
    recording = jfrtree.open([(testdata / "jdk17-few-stacks.jfr").read_bytes()] * 50)
    for _ in range(5):
        reader = pyarrow.RecordBatchReader.from_stream(
            recording.events("jdk.ObjectAllocationSample", "jdk.ExecutionSample"))
        assert reader.read_next_batch().num_rows > 0
        del reader
    # A capsule that nobody takes is let go.
    recording.events("jdk.ExecutionSample").__arrow_c_stream__()


def test_pandas(recording):
    pandas = pytest.importorskip("pandas")
    frame = recording.events("jdk.JavaMonitorEnter").to_pandas()
    assert len(frame) == 85
    assert frame["duration"].sum() == pandas.Timedelta(357_563_926, "ns")
    top = recording.profile("lock").top(3).to_pandas()
    assert list(top["self"]) == [182_593_252, 170_571_921, 4_398_753]


def test_polars(recording):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(recording.profile("lock").top(3))
    assert frame["self"].to_list() == [182_593_252, 170_571_921, 4_398_753]
    events = recording.events("jdk.JavaMonitorEnter").to_polars()
    assert events["duration"].dtype == polars.Duration("ns")
    assert events["duration"].sum() == datetime.timedelta(microseconds=357_563)


def test_without_any_other_package(testdata, mixed):
    """A process in which nothing but the package can be imported."""
    import sys

    script = (
        "import sys\n"
        "for name in ('numpy', 'pandas', 'polars', 'pyarrow'): sys.modules[name] = None\n"
        "import jfrtree\n"
        "recording = jfrtree.open(sys.argv[1])\n"
        "print(len(recording.events('jdk.ThreadPark').to_pylist()),\n"
        "      recording.profile('lock').top(1).to_pylist()[0]['self'])\n"
        "for method in ('to_pandas', 'to_polars', 'to_arrow'):\n"
        "    try:\n"
        "        getattr(recording.profile('lock').top(), method)()\n"
        "    except ImportError as error:\n"
        "        print(error)\n")
    done = subprocess.run([sys.executable, "-c", script, str(mixed)], capture_output=True,
                          text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == "388 182593252"
    for line, extra in zip(lines[1:], ("pandas", "polars", "arrow")):
        assert f"pip install 'jfrtree[{extra}]'" in line
