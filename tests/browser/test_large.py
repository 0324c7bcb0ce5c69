"""Trees that are very wide or very deep."""

import time

import pytest
from make_page import Profile, write_page
from recordings import PROGRAM, convert

FIRST_DRAW_SECONDS = 60
# Some 30 on a machine with nothing else to do, minutes if it took the square of the frames.
LINEAR_MILLISECONDS = 3000
ROW_HEIGHT = 20


def test_a_hundred_thousand_frames_beside_each_other(open_file, tmp_path):
    stacks = {(f"p{i % 97}.Class{i % 1000}.method{i}",): [1] for i in range(100_000)}
    path = write_page(tmp_path / "wide.html", "wide", [Profile("cpu", stacks)])
    began = time.monotonic()
    page = open_file(path)
    assert time.monotonic() - began < FIRST_DRAW_SECONDS
    assert page.hook("nodes") == 100_001
    # Each bar is far narrower than a pixel: only the root is drawn as one, the rest as slivers.
    assert list(page.boxes()) == ["total"]
    row_y = page.boxes()["total"]["y"] - ROW_HEIGHT
    painted = page.run("""
        const canvas = document.getElementById('canvas');
        const line = canvas.getContext('2d').getImageData(
            0, arguments[0] + 9, canvas.width, 1).data;
        let count = 0;
        for (let x = 0; x < canvas.width; ++x) if (line[4 * x + 3] > 0) ++count;
        return count;""", row_y)
    assert painted == pytest.approx(page.width, abs=3)


def test_a_bushy_tree_of_a_hundred_thousand_frames_is_laid_out_in_time(open_file, tmp_path):
    stacks = {(f"a.A.m{i}", f"b.B.m{j}", f"c.C.m{k}"): [1 + (i * j + k) % 7]
              for i in range(20) for j in range(50) for k in range(100)}
    page = open_file(write_page(tmp_path / "bushy.html", "bushy", [Profile("cpu", stacks)]))
    assert page.hook("nodes") == 1 + 20 + 20 * 50 + 20 * 50 * 100
    milliseconds = page.run("""
        const before = performance.now();
        for (let i = 0; i < 20; ++i) window.jfrtree.boxes;
        return (performance.now() - before) / 20;""")
    assert milliseconds < LINEAR_MILLISECONDS
    expected = sum(values[0] for stack, values in stacks.items() if stack[0] == "a.A.m3")
    whole = sum(values[0] for values in stacks.values())
    assert page.boxes()["a.A.m3"]["w"] == pytest.approx(page.width * expected / whole, abs=0.01)


def milliseconds(page, action):
    """The median of five times an action takes; it may use i, the number of the turn."""
    return page.run("""
        const action = new Function('i', arguments[0]);
        const times = [];
        for (let i = 0; i < 5; ++i) {
          const before = performance.now();
          action(i);
          times.push(performance.now() - before);
        }
        return times.sort((a, b) => a - b)[2];""", action)


def test_zooming_and_searching_in_a_hundred_thousand_frames_takes_no_square_of_them(open_file, tmp_path):
    stacks = {(f"a.A.m{i}", f"b.B.m{j}", f"c.C.m{i}x{j}x{k}"): [1 + (i * j + k) % 7]
              for i in range(20) for j in range(50) for k in range(100)}
    page = open_file(write_page(tmp_path / "bushy.html", "bushy", [Profile("cpu", stacks)]))
    assert milliseconds(page, "jfrtree.zoomTo(1 + i % 2)") < LINEAR_MILLISECONDS
    assert milliseconds(page, "jfrtree.search(`m${i}`)") < LINEAR_MILLISECONDS
    assert milliseconds(page, "jfrtree.zoomTo(1 + i % 2)") < LINEAR_MILLISECONDS
    found = page.run("return jfrtree.search('m19')")
    expected = sum(values[0] for stack, values in stacks.items()
                   if any("m19" in frame for frame in stack))
    whole = sum(values[0] for values in stacks.values())
    assert found["share"] == found["atMost"] == pytest.approx(expected / whole)


def test_the_table_is_filled_anew_only_when_it_changes(open_page):
    page = open_page([Profile("cpu", {("a.A.run", "b.B.run"): [1], ("c.C.run",): [1]})])
    page.run("window.firstRow = document.querySelector('#rows tr')")
    page.run("jfrtree.zoomTo(1)")
    assert page.run("return document.querySelector('#rows tr') === window.firstRow")
    page.run("jfrtree.search('c.C')")
    assert page.run("return document.querySelector('#rows tr') !== window.firstRow")
    assert [row[0] for row in page.rows()] == ["c.C.run"]
    page.run("jfrtree.search('')")
    assert [row[0] for row in page.rows()] == ["b.B.run", "c.C.run", "a.A.run"]


@pytest.mark.skipif(not PROGRAM, reason="JFRTREE_PROGRAM is not set")
def test_the_program_leaves_a_wide_tree_whole(open_file, tmp_path):
    stacks = tmp_path / "wide.collapsed"
    stacks.write_text("".join(f"p{i % 97}.Class.method{i} {1 + i % 3}\n" for i in range(50_000)))
    path = tmp_path / "wide.html"
    path.write_bytes(convert(stacks, "--format", "html"))
    page = open_file(path)
    assert page.hook("nodes") == 50_001
    assert not page.element("#cut").is_displayed()
    # method7 has 2; the numbers add up to 16,666 * (1 + 2 + 3) + 1 + 2.
    found = page.run("return jfrtree.search('p7.Class.method7', 'whole')")
    assert found["share"] == found["atMost"] == pytest.approx(2 / 99_999)
    assert found["nodes"] == 1


@pytest.mark.parametrize("layout", ["flame", "icicle"])
def test_depth_two_thousand_scrolls(open_file, tmp_path, layout):
    stack = tuple(f"deep.Down.level{i}" for i in range(1, 2001))
    path = write_page(tmp_path / "deep.html", "deep", [Profile("cpu", {stack: [7]})])
    page = open_file(path, fragment=f"#layout={layout}")
    view = page.run("return document.getElementById('scroller').clientHeight")
    assert page.hook("contentHeight") == pytest.approx(2001 * ROW_HEIGHT, abs=20)
    assert "total" in page.boxes()
    assert len(page.boxes()) <= view / ROW_HEIGHT + 2
    # The far end is one scroll away, and only what is seen is drawn.
    page.run("const s = document.getElementById('scroller');"
             "s.scrollTop = arguments[0] ? 0 : s.scrollHeight", layout == "flame")
    page.settle()
    boxes = page.boxes()
    assert "deep.Down.level2000" in boxes
    assert "total" not in boxes
    assert len(boxes) <= view / ROW_HEIGHT + 2
    assert 0 <= boxes["deep.Down.level2000"]["y"] <= view - ROW_HEIGHT
    assert boxes["deep.Down.level2000"]["w"] == pytest.approx(page.width)
    # The canvas stays as large as the view.
    assert page.run("return document.getElementById('canvas').clientHeight") == view


def test_a_hit_far_down_is_scrolled_to(open_file, tmp_path):
    stack = tuple(f"deep.Down.level{i}" for i in range(1, 2001))
    page = open_file(write_page(tmp_path / "deep.html", "deep", [Profile("cpu", {stack: [7]})]))
    page.run("window.jfrtree.search('level1234', 'text')")
    page.click("#next-hit")
    page.settle()
    assert page.text("#detail-name") == "deep.Down.level1234"
    assert "deep.Down.level1234" in page.boxes()
