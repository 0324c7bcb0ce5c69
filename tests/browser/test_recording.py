"""Pages that the program makes from recordings, against its other formats and the JDK's numbers."""

import gzip
import json
import subprocess
from collections import Counter

import pytest
from recordings import PROGRAM, TESTDATA, convert

pytestmark = pytest.mark.skipif(not PROGRAM, reason="JFRTREE_PROGRAM is not set")


def preorder(tree):
    """[(name, total, start)…] of a tree in the order of a page's nodes."""
    nodes = []
    waiting = [(tree, 0)]
    while waiting:
        node, start = waiting.pop()
        nodes.append((node["name"], node["total"], start))
        children = node.get("children", [])
        starts = []
        for child in children:
            starts.append(start)
            start += child["total"]
        waiting += reversed(list(zip(children, starts)))
    return nodes


def sample_types(page):
    return page.run("return [...document.getElementById('sample-type').options].map(o => o.text)")


@pytest.mark.parametrize("recording, kind", [
    ("jdk17-mixed.jfr", "cpu"),
    ("jdk17-mixed.jfr", "alloc"),
    ("jdk25-mixed.jfr", "lock"),
    ("jdk17-names.jfr", "cpu"),
    ("jdk25-cputime.jfr", "cpu-time"),
])
def test_bars_are_as_wide_as_the_tree_says(open_file, tmp_path, recording, kind):
    path = tmp_path / "page.html"
    path.write_bytes(convert(recording, "--format", "html", "--max-nodes", "0"))
    page = open_file(path, fragment=f"#kind={kind}&layout=icicle")
    assert page.state["kind"] == kind
    for sample_type in sample_types(page):
        page.choose("#sample-type", sample_type)
        tree = json.loads(convert(recording, "--format", "tree", "--max-nodes", "0", "-p", kind,
                                  "--sample-type", sample_type))
        if tree["total"] == 0:
            assert page.text("#message").startswith(f"No {sample_type} in this profile.")
            continue
        nodes = preorder(tree)
        assert page.hook("nodes") == len(nodes)
        boxes = page.hook("boxes")
        assert len(boxes) > 10
        edge = boxes[0]["x"]
        for box in boxes:
            name, total, start = nodes[box["node"]]
            assert box["name"] == name
            assert box["w"] == pytest.approx(total / tree["total"] * page.width, abs=0.01)
            assert box["x"] - edge == pytest.approx(start / tree["total"] * page.width, abs=0.01)


def test_the_table_has_the_numbers_of_the_jdk(open_file, tmp_path):
    stacks = TESTDATA / "expected" / "jdk17-mixed.jfr" / "jdk.ExecutionSample.stacks.gz"
    selfs, totals = Counter(), Counter()
    for line in gzip.open(stacks, "rt", encoding="utf-8"):
        count, _, *frames = line.rstrip("\n").split("\t")
        selfs[frames[-1]] += int(count)
        for frame in set(frames):
            totals[frame] += int(count)
    path = tmp_path / "page.html"
    # The tree is cut to almost nothing; the table is not.
    path.write_bytes(convert("jdk17-mixed.jfr", "--format", "html", "-p", "cpu",
                             "--sample-type", "count", "--max-nodes", "8"))
    page = open_file(path)
    while page.element("#more").is_displayed():
        page.click("#more")
    rows = {name: (int(own.replace(",", "")), int(total.replace(",", "")))
            for name, own, _, total, _ in page.rows()}
    rows.pop("[truncated]", None)
    assert rows == {frame: (selfs[frame], totals[frame]) for frame in totals}
    assert page.hook("nodes") < 40
    assert page.text("#detail-numbers").endswith(f"{sum(selfs.values()):,} (100%)")


def test_every_profile_of_the_recording_is_in_the_page(open_file, tmp_path):
    info = json.loads(subprocess.run(
        [PROGRAM, "info", "--json", str(TESTDATA / "jdk17-mixed.jfr")],
        check=True, capture_output=True, timeout=60).stdout)
    path = tmp_path / "page.html"
    path.write_bytes(convert("jdk17-mixed.jfr", "--format", "html"))
    page = open_file(path)
    kinds = page.run("return [...document.getElementById('kind').options].map(o => o.text)")
    assert kinds == [profile["kind"] for profile in info["profiles"]]
    assert len(kinds) >= 3
    for profile in info["profiles"]:
        page.choose("#kind", profile["kind"])
        page.choose("#sample-type", profile["sample_types"][0]["name"])
        assert f"{profile['samples']:,} (100%)" in page.text("#detail-numbers")
