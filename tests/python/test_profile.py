"""Profiles against what the JDK reads, and the options of reading."""

import datetime
import json
import re

import expected
import pytest

import jfrtree


def by_stack(profile):
    return {stack: count for stack, count, _ in profile}


@pytest.mark.parametrize("name, kind, event", [
    ("jdk17-mixed.jfr", "cpu", "jdk.ExecutionSample"),
    ("jdk25-mixed.jfr", "cpu", "jdk.ExecutionSample"),
    ("jdk17-names.jfr", "cpu", "jdk.ExecutionSample"),
    ("jdk17-chunks.jfr", "cpu", "jdk.ExecutionSample"),
    ("jdk25-lambdas.jfr", "cpu", "jdk.ExecutionSample"),
    ("jdk17-mixed.jfr", "lock", "jdk.JavaMonitorEnter"),
    ("jdk17-mixed.jfr", "park", "jdk.ThreadPark"),
])
def test_stacks_are_those_that_the_jdk_reads(testdata, name, kind, event):
    profile = jfrtree.open(testdata / name).profile(kind, class_leaf=False, truncated_frame=False)
    jdk = {stack: count for stack, (count, _) in
           expected.stacks(testdata, name, event).items()}
    assert by_stack(profile) == jdk
    assert profile.count == sum(jdk.values())


def test_numbers(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    jdk = expected.types(testdata, "jdk17-mixed.jfr")
    profile = recording.profile("lock")
    assert profile.kind == "lock"
    assert profile.count == profile.event_count == 85
    assert profile.total == jdk["jdk.JavaMonitorEnter"]["durationNs"]
    assert profile.totals == {str(profile.sample_types[0]): 85,
                              str(profile.sample_types[1]): profile.total}
    assert sum(value for _, _, value in profile) == profile.total
    assert profile.events == ("jdk.JavaMonitorEnter",)
    assert not profile.is_snapshot and not profile.has_thread_frame
    # By construction 12 waits end in countAll, and the class of the monitor is the leaf.
    assert [count for stack, count, _ in profile if stack[-2].endswith("countAll")] == [12]


def test_event(testdata):
    recording = jfrtree.open(testdata / "jdk17-events.jfr")
    profile = recording.profile(event="example.Checkout", value_field="size")
    # payByCard 100 + ... + 109, payByInvoice 1000 + ... + 1009
    assert sorted(value for _, _, value in profile) == [1045, 10045]
    with pytest.raises(jfrtree.UsageError, match="value_field"):
        recording.profile(value_field="size")
    with pytest.raises(jfrtree.UsageError, match="contradict"):
        recording.profile("cpu", event="example.Checkout")
    with pytest.raises(jfrtree.UsageError):
        recording.profile(event="example.Checkout", value_field="nothing")


def test_the_first_kind_is_the_default(testdata):
    assert jfrtree.open(testdata / "jdk17-mixed.jfr").profile().kind == "cpu"
    assert jfrtree.open(testdata / "jdk25-cputime.jfr").profile().kind == "cpu-time"


def test_all_kinds_in_one_pass(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    profiles = recording.read_profiles()
    assert list(profiles) == list(recording.profiles)
    for kind, profile in profiles.items():
        assert profile.count == recording.profiles[kind].samples
        assert profile.total == recording.profiles[kind].total
    assert list(recording.read_profiles(["lock", "cpu"])) == ["cpu", "lock"]
    assert profiles["alloc"].left_out[0].event == "jdk.ObjectAllocationSample"
    assert profiles["cpu"].left_out == ()


def test_an_absent_kind_says_what_there_is(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    with pytest.raises(jfrtree.ProfileNotFound, match="cpu, alloc, lock") as caught:
        recording.profile("wall")
    assert isinstance(caught.value, KeyError)
    assert caught.value.available == tuple(recording.profiles)
    with pytest.raises(jfrtree.UsageError, match="nothing; known are cpu"):
        recording.profile("nothing")
    empty = jfrtree.open(testdata / "jdk17-events.jfr")
    with pytest.raises(jfrtree.ProfileNotFound, match="example.Checkout"):
        empty.profile(thread="nobody", kind="lock")


def test_threads_as_testdata_says(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    known = {"reporting-1": 158, "persistence-1": 140, "persistence-2": 128, "pricing-3": 71,
             "main": 68}
    for name, count in known.items():
        assert recording.profile("cpu", thread=f"^{name}$").count == count
    both = recording.profile("cpu", thread=["^persistence-1$", re.compile("^persistence-2$")])
    assert both.count == 140 + 128
    assert recording.profile("cpu", thread=re.compile("^MAIN$", re.IGNORECASE)).count == 68
    by_thread = recording.profile("cpu", by_thread=True)
    assert by_thread.has_thread_frame
    sums = {}
    for stack, count, _ in by_thread:
        name = stack[0].split(" tid=")[0].strip("[]")
        sums[name] = sums.get(name, 0) + count
    assert {name: sums[name] for name in known} == known
    folded = recording.profile("cpu", fold_thread_names=True)
    persistence = sum(count for stack, count, _ in folded if stack[0] == "[persistence-*]")
    assert persistence == 140 + 128
    grouped = recording.profile("cpu", thread_group=r"(persistence)-\d+")
    assert sum(count for stack, count, _ in grouped if stack[0] == "[persistence]") == 268


def test_filters_of_stacks(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    jdk = expected.stacks(testdata, "jdk17-mixed.jfr", "jdk.ExecutionSample")
    pattern = r"OrderStore\."
    with_it = sum(count for stack, (count, _) in jdk.items()
                  if any(re.search(pattern, frame) for frame in stack))
    assert 0 < with_it < 755
    assert recording.profile("cpu", include=pattern).count == with_it
    assert recording.profile("cpu", exclude=[pattern]).count == 755 - with_it
    focused = recording.profile("cpu", focus=pattern)
    assert focused.count == with_it
    assert all(re.search(pattern, stack[0]) for stack, _, _ in focused)
    short = recording.profile("cpu", depth=2)
    assert short.count == 755 and max(len(stack) for stack, _, _ in short) == 2
    assert by_stack(recording.profile("cpu", skip=1)).keys() <= {
        stack[1:] or stack for stack in jdk}


@pytest.mark.parametrize("middle", [
    "+2s",
    datetime.timedelta(seconds=2),
    "start of the recording",
    "nanoseconds",
])
def test_times(testdata, middle):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    if middle == "start of the recording":
        middle = recording.info.start + datetime.timedelta(seconds=2)
    elif middle == "nanoseconds":
        middle = recording.info.start_ns + 2_000_000_000
    before = recording.profile("cpu", end=middle)
    after = recording.profile("cpu", start=middle)
    assert before.count + after.count == 755
    assert 0 < before.count < 755


def test_times_from_the_end(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    by_text = recording.profile("cpu", start="-1s")
    assert recording.profile("cpu", start=datetime.timedelta(seconds=-1)).count == by_text.count
    end = recording.info.end_ns - 1_000_000_000
    assert recording.profile("cpu", start=end).count == by_text.count
    assert recording.profile("cpu", start="+1s", end="+1s").count == 0


def test_min_duration(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    # Inventory.countAll waits 15 ms at least, see testdata/README.md.
    long = recording.profile("lock", min_duration="15ms")
    assert long.count == recording.profile(
        "lock", min_duration=datetime.timedelta(milliseconds=15)).count
    assert 0 < long.count < 85
    assert all(value >= 15_000_000 * count for _, count, value in long)


@pytest.mark.parametrize("options, error, text", [
    ({"start": datetime.datetime(2026, 1, 1)}, jfrtree.UsageError, "time zone"),
    ({"start": "yesterday"}, jfrtree.UsageError, "start: "),
    ({"start": object()}, TypeError, "start: "),
    ({"start": "+3s", "end": "+2s"}, jfrtree.UsageError, "end"),
    ({"min_duration": "12"}, jfrtree.UsageError, "min_duration: "),
    ({"min_duration": 12}, TypeError, "min_duration: "),
    ({"include": "("}, jfrtree.UsageError, "include"),
    ({"include": ""}, jfrtree.UsageError, "include: "),
    ({"include": 3}, TypeError, "include: "),
    ({"include": [re.compile(b"x")]}, TypeError, "bytes"),
    ({"depth": 0}, jfrtree.UsageError, "depth: "),
    ({"skip": -1}, jfrtree.UsageError, "skip: "),
    ({"simple": True, "slashes": True}, jfrtree.UsageError, "slashes"),
    ({"context": "spanId"}, jfrtree.UsageError, "NAME=VALUE"),
    ({"compat": "jmc"}, jfrtree.UsageError, "jfrconv"),
    ({"leak": True}, jfrtree.UsageError, "native-mem"),
    ({"sample_type": "bytes"}, jfrtree.UsageError, "samples"),
    ({"min_width": 101}, jfrtree.UsageError, "min_width"),
    ({"max_nodes": -1}, jfrtree.UsageError, "max_nodes"),
])
def test_wrong_options(mixed, options, error, text):
    with pytest.raises(error, match=re.escape(text)):
        jfrtree.open(mixed).profile("cpu", **options)


def test_unknown_options_are_type_errors(mixed):
    recording = jfrtree.open(mixed)
    with pytest.raises(TypeError, match="colour"):
        recording.profile("cpu", colour="red")
    with pytest.raises(TypeError, match="colour"):
        recording.read_profiles(colour="red")
    with pytest.raises(TypeError, match="colour"):
        recording.profile("cpu").to_collapsed(colour="red")


def test_frame_texts(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")

    def frames(**options):
        return {frame for stack, _, _ in recording.profile("lock", **options) for frame in stack}

    assert "com.example.orders.OrderStore.commit" in frames()
    assert "OrderStore.commit" in frames(simple=True)
    assert "com/example/orders/OrderStore.commit" in frames(slashes=True)
    assert any(re.fullmatch(r"com\.example\.orders\.OrderStore\.commit:\d+", frame)
               for frame in frames(lines=True))
    assert any(frame.startswith("com.example.orders.OrderStore.commit(")
               for frame in frames(signatures=True))
    assert "java.base/java.lang.Thread.run" in frames(modules=True)
    assert not any("0x" in frame for frame in frames(normalize=True))


def test_top(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    jdk = expected.stacks(testdata, "jdk17-mixed.jfr", "jdk.ExecutionSample")
    selfs, totals = {}, {}
    for stack, (count, _) in jdk.items():
        selfs[stack[-1]] = selfs.get(stack[-1], 0) + count
        for frame in set(stack):
            totals[frame] = totals.get(frame, 0) + count
    rows = recording.profile("cpu").top(0).to_pylist()
    assert {row["frame"]: row["total"] for row in rows} == totals
    assert {row["frame"]: row["self"] for row in rows if row["self"]} == selfs
    assert [row["self"] for row in rows] == sorted((row["self"] for row in rows), reverse=True)
    five = recording.profile("cpu").top(5, by="total").to_pylist()
    assert [row["total"] for row in five] == sorted(totals.values(), reverse=True)[:5]
    assert five[0]["total_share"] == five[0]["total"] / 755
    with pytest.raises(jfrtree.UsageError, match="'width'"):
        recording.profile("cpu").top(5, by="width")


def test_texts_of_profiles(testdata):
    profile = jfrtree.open(testdata / "jdk17-mixed.jfr").profile("cpu")
    jdk = expected.stacks(testdata, "jdk17-mixed.jfr", "jdk.ExecutionSample")
    lines = dict(line.rsplit(" ", 1) for line in profile.to_collapsed().splitlines())
    assert {key: int(number) for key, number in lines.items()} == {
        ";".join(stack): count for stack, (count, _) in jdk.items()}
    rows = [json.loads(line) for line in profile.to_stacks().splitlines()]
    assert {tuple(row["stack"]): row["count"] for row in rows} == {
        stack: count for stack, (count, _) in jdk.items()}
    tree = profile.to_tree(max_nodes=0)
    assert (tree["name"], tree["total"]) == ("total", 755)
    roots = {stack[0] for stack in jdk}
    assert [child["name"] for child in tree["children"]] == sorted(roots)
    nested = profile.to_nested_set()
    assert nested[0] == {"level": 0, "value": 755, "self": 0, "label": "total"}
    assert profile.to_flamebearer()["flamebearer"]["numTicks"] == 755
    assert profile.to_bytes("collapsed").decode() == profile.to_collapsed()


def test_sample_types(testdata):
    recording = jfrtree.open(testdata / "jdk17-mixed.jfr")
    profile = recording.profile("lock")
    assert profile.to_tree()["total"] == profile.total == 357_563_926
    assert profile.to_tree(sample_type="count")["total"] == 85
    counted = recording.profile("lock", sample_type="count", max_nodes=3)
    assert counted.to_tree()["total"] == 85
    assert counted.default_sample_type == counted.sample_types[0]
    assert len(counted.to_nested_set()) < len(counted.to_nested_set(max_nodes=0))
    reverse = profile.to_tree(reverse=True)
    assert "com.example.orders.Inventory" in {child["name"] for child in reverse["children"]}


def test_write(mixed, tmp_path):
    profile = jfrtree.open(mixed).profile("lock")
    profile.write(tmp_path / "lock.collapsed")
    assert (tmp_path / "lock.collapsed").read_text() == profile.to_collapsed()
    profile.write(str(tmp_path / "anything"), "tree")
    assert json.loads((tmp_path / "anything").read_text()) == profile.to_tree()
    with pytest.raises(jfrtree.UsageError, match="names no format"):
        profile.write(tmp_path / "lock.xyz")
    with pytest.raises(jfrtree.UsageError, match="'xyz'"):
        profile.write(tmp_path / "lock", "xyz")
    with pytest.raises(FileNotFoundError):
        profile.write(tmp_path / "no folder" / "lock.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["anything", "lock.collapsed"]


def test_a_name_with_everything(testdata):
    # The names of the program in testdata/src/Names.java.
    frames = {frame for stack, _, _ in jfrtree.open(testdata / "jdk17-names.jfr").profile("cpu")
              for frame in stack}
    assert any("Prüfer" in frame for frame in frames)
    assert any("𝒳" in frame for frame in frames)


def test_reprs(mixed):
    recording = jfrtree.open(mixed)
    assert repr(recording) == "<Recording 'jdk17-mixed.jfr'>"
    assert repr(recording.profile("cpu")) == "<Profile 'cpu': 755 samples, 320 stacks>"
    assert "357,563,926" in repr(recording.profile("lock"))
    assert repr(recording.profile("lock").top(2)).startswith("<Table of 2 rows: frame, self")
    recording.info  # noqa: B018
    assert "1 chunks; cpu 755" in repr(recording)
