"""Two profiles side by side, and several in one."""

import json

import expected
import pytest

import jfrtree


@pytest.fixture
def before(testdata):
    return jfrtree.open(testdata / "jdk17-mixed.jfr")


@pytest.fixture
def after(testdata):
    return jfrtree.open(testdata / "jdk25-mixed.jfr")


def test_numbers_of_both_sides(before, after, testdata):
    comparison = jfrtree.diff(before.profile("cpu"), after.profile("cpu"))
    assert comparison.kind == "cpu" and comparison.how == "share"
    rows = [json.loads(line) for line in comparison.to_stacks().splitlines()]
    for side, name in (("left", "jdk17-mixed.jfr"), ("right", "jdk25-mixed.jfr")):
        jdk = expected.stacks(testdata, name, "jdk.ExecutionSample")
        found = {tuple(row["stack"]): row[side]["count"] for row in rows if row[side]["count"]}
        assert found == {stack: count for stack, (count, _) in jdk.items()}
    table = comparison.table.to_pylist()
    assert sum(row["self_left"] for row in table) == 755
    assert sum(row["self_right"] for row in table) == 517


def test_recordings(before, after):
    comparison = jfrtree.diff(before, after, "lock")
    assert (comparison.left.count, comparison.right.count) == (85, 72)
    # Classes made at run time are normalised, so that they are equal.
    frames = {row["frame"] for row in comparison.table.to_pylist()}
    assert not any("0x" in frame for frame in frames)
    assert jfrtree.diff(before, after).kind == "cpu"
    kept = jfrtree.diff(before, after, "lock", normalize=False)
    assert any("0x" in row["frame"] for row in kept.table.to_pylist())


def test_a_profile_and_itself(before):
    profile = before.profile("lock")
    for options in ({}, {"absolute": True}, {"per_second": True}):
        comparison = jfrtree.diff(profile, profile, **options)
        assert all(row["self_left"] == row["self_right"] for row in comparison.table.to_pylist())
        for line in comparison.to_collapsed().splitlines():
            _, left, right = line.rsplit(" ", 2)
            assert left == right


def test_collapsed_by_share_and_as_it_is(before, after):
    left, right = before.profile("cpu"), after.profile("cpu")
    raw = [line.rsplit(" ", 2) for line in
           jfrtree.diff(left, right, absolute=True).to_collapsed().splitlines()]
    assert sum(int(row[1]) for row in raw) == 755
    assert sum(int(row[2]) for row in raw) == 517
    scaled = [line.rsplit(" ", 2) for line in jfrtree.diff(left, right).to_collapsed().splitlines()]
    for (stack, _, number), (same, _, share) in zip(raw, scaled):
        assert stack == same
        assert int(share) == round(int(number) * 755 / 517)


def test_outputs(before, after, tmp_path):
    comparison = jfrtree.diff(before, after, "lock")
    comparison.write(tmp_path / "diff.html")
    assert (tmp_path / "diff.html").read_text().startswith("<!DOCTYPE html>")
    graph = comparison.flamegraph()
    assert "jdk17-mixed.jfr" in graph.title and graph.html.startswith("<!DOCTYPE html>")
    double = comparison.to_flamebearer()
    assert double["leftTicks"] > 0 and double["metadata"]["format"] == "double"
    summary = comparison.to_json()
    assert summary["kind"] == "lock"
    assert comparison.to_bytes("json") and "share" in repr(comparison)
    with pytest.raises(jfrtree.UsageError, match="no format"):
        comparison.write(tmp_path / "diff.html", "tree")


def test_what_cannot_be_compared(before, after):
    with pytest.raises(jfrtree.UsageError, match="lock and cpu"):
        jfrtree.diff(before.profile("lock"), after.profile("cpu"))
    with pytest.raises(jfrtree.UsageError, match="thread"):
        jfrtree.diff(before.profile("cpu", by_thread=True), after.profile("cpu"))
    with pytest.raises(jfrtree.UsageError, match="contradict"):
        jfrtree.diff(before, after, absolute=True, per_second=True)
    with pytest.raises(TypeError):
        jfrtree.diff(before, after.profile("cpu"))
    with pytest.raises(jfrtree.ProfileNotFound):
        jfrtree.diff(before, after, "wall")


def test_merge(before, after, testdata):
    together = jfrtree.open([testdata / "jdk17-mixed.jfr", testdata / "jdk25-mixed.jfr"])
    for kind in ("cpu", "alloc", "lock", "park"):
        merged = jfrtree.merge([before.profile(kind), after.profile(kind)])
        read = together.profile(kind)
        assert list(merged) == list(read)
        assert merged.to_collapsed() == read.to_collapsed()
        assert (merged.count, merged.total, merged.events) == (read.count, read.total, read.events)


def test_what_cannot_be_merged(before):
    with pytest.raises(jfrtree.UsageError, match="no profiles"):
        jfrtree.merge([])
    with pytest.raises(jfrtree.UsageError, match="lock"):
        jfrtree.merge([before.profile("cpu"), before.profile("lock")])
    with pytest.raises(TypeError):
        jfrtree.merge([before])
