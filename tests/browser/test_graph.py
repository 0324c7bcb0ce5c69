"""Drawing and moving about: widths, zoom, history, keys, layouts, sample types."""

import pytest
from make_page import write_page
from samples import RECURSION, SMALL, alloc_profile, cpu_profile
from selenium.webdriver.common.keys import Keys


def assert_box(page, name, x, share):
    """The bar of a frame begins at a share x of the graph's width and is `share` of it wide."""
    box = page.boxes()[name]
    edge = page.boxes()["total"]["x"]
    assert box["x"] - edge == pytest.approx(x * page.width, abs=0.01)
    assert box["w"] == pytest.approx(share * page.width, abs=0.01)


def test_widths_are_shares_of_the_total(open_page):
    page = open_page([cpu_profile()])
    assert_box(page, "total", 0, 1)
    assert_box(page, "app.Main.run", 0.2, 0.8)
    assert_box(page, "app.Main.parse", 0.2, 0.3)
    assert_box(page, "app.Main.print", 0.5, 0.5)
    assert_box(page, "[worker]", 0, 0.2)


def painted_runs(page, y):
    """[(left, right)…] in CSS pixels of what is painted in a line of the canvas."""
    return page.run("""
        const canvas = document.getElementById('canvas');
        const ratio = devicePixelRatio;
        const line = canvas.getContext('2d').getImageData(
            0, Math.round(arguments[0] * ratio), canvas.width, 1).data;
        const runs = [];
        for (let x = 0, from = -1; x <= canvas.width; ++x) {
          const painted = x < canvas.width && line[4 * x + 3] > 0;
          if (painted && from < 0) from = x;
          if (!painted && from >= 0) { runs.push([from / ratio, x / ratio]); from = -1; }
        }
        return runs;""", y)


@pytest.mark.parametrize("ratio", [1, 2])
def test_the_canvas_is_painted_where_the_boxes_are(open_page, ratio):
    page = open_page([cpu_profile()], ratio=ratio)
    assert page.run("return document.getElementById('canvas').width") == pytest.approx(
        ratio * page.run("return document.getElementById('canvas').clientWidth"), abs=1)
    boxes = page.boxes()
    runs = painted_runs(page, boxes["[worker]"]["y"] + 2)
    expected = [boxes["[worker]"], boxes["app.Main.run"]]
    assert len(runs) == len(expected)
    for (left, right), box in zip(runs, expected):
        assert left == pytest.approx(box["x"], abs=0.5 / ratio + 0.01)
        # A gap of one pixel parts a bar from its right neighbour.
        assert right == pytest.approx(box["x"] + box["w"] - 1, abs=0.5 / ratio + 0.01)


def test_click_zooms_and_back_returns(open_page):
    page = open_page([cpu_profile()])
    page.pointer(page.boxes()["app.Main.run"], click=True)
    page.settle()
    assert_box(page, "app.Main.run", 0, 1)
    assert_box(page, "app.Main.parse", 0, 0.375)
    assert_box(page, "app.Main.print", 0.375, 0.625)
    assert "[worker]" not in page.boxes()
    page.click("#back")
    assert_box(page, "app.Main.run", 0.2, 0.8)
    assert_box(page, "[worker]", 0, 0.2)
    page.click("#forward")
    assert_box(page, "app.Main.run", 0, 1)
    page.click("#reset")
    assert_box(page, "app.Main.run", 0.2, 0.8)


def test_the_callers_of_a_zoomed_frame_fill_the_width(open_page):
    page = open_page([cpu_profile()])
    page.run("window.jfrtree.zoomTo(arguments[0])", page.boxes()["app.Main.parse"]["node"])
    assert sorted(page.boxes()) == ["app.Main.parse", "app.Main.run", "total"]
    for name in page.boxes():
        assert_box(page, name, 0, 1)
    # A click on a caller zooms out to it.
    page.pointer(page.boxes()["app.Main.run"], click=True)
    assert_box(page, "app.Main.parse", 0, 0.375)


def test_history_is_a_browsers(open_page):
    page = open_page([cpu_profile()])
    run, parse, print_ = (page.boxes()[f"app.Main.{name}"]["node"]
                          for name in ("run", "parse", "print"))
    for node in (run, parse):
        page.run("window.jfrtree.zoomTo(arguments[0])", node)
    page.press(Keys.ESCAPE)
    assert page.state["zoom"] == run
    page.run("window.jfrtree.zoomTo(arguments[0])", print_)
    assert not page.element("#forward").is_enabled()
    page.press(Keys.BACKSPACE, Keys.BACKSPACE)
    assert page.state["zoom"] == 0
    assert not page.element("#back").is_enabled()
    page.press(Keys.ESCAPE)
    assert page.state["zoom"] == 0


def test_keys_walk_the_tree_and_are_announced(open_page):
    page = open_page([cpu_profile()])
    page.run("document.getElementById('canvas').focus()")
    page.press(Keys.ARROW_UP)
    nodes = {name: box["node"] for name, box in page.boxes().items()}
    assert page.state["selected"] == nodes["app.Main.run"]
    assert "app.Main.run" in page.text("#announcer")
    assert "80 (80.00%)" in page.text("#announcer")
    page.press(Keys.ARROW_LEFT)
    assert page.state["selected"] == nodes["[worker]"]
    page.press(Keys.ARROW_LEFT)
    assert page.state["selected"] == nodes["[worker]"]
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_UP)
    assert page.state["selected"] == nodes["app.Main.print"]
    page.press(Keys.ARROW_LEFT, Keys.ENTER)
    assert page.state["zoom"] == nodes["app.Main.parse"]
    page.press(Keys.ARROW_DOWN)
    assert page.state["selected"] == nodes["app.Main.run"]
    page.press(Keys.HOME)
    assert page.state["zoom"] == 0


def test_flame_has_its_root_at_the_bottom_and_icicle_at_the_top(open_page):
    page = open_page([cpu_profile()])
    boxes = page.boxes()
    assert boxes["total"]["y"] > boxes["app.Main.run"]["y"] > boxes["app.Main.parse"]["y"]
    page.click("#layout")
    assert page.element("#layout").get_attribute("aria-pressed") == "true"
    boxes = page.boxes()
    assert boxes["total"]["y"] < boxes["app.Main.run"]["y"] < boxes["app.Main.parse"]["y"]
    assert "layout=icicle" in page.driver.current_url


def test_tooltip_has_name_self_total_and_shares(open_page):
    page = open_page([cpu_profile()])
    page.run("window.jfrtree.zoomTo(arguments[0])", page.boxes()["app.Main.run"]["node"])
    page.settle()
    page.pointer(page.boxes()["app.Main.parse"], click=False)
    page.settle()
    assert page.element("#tooltip").is_displayed()
    assert page.text("#tooltip bdi") == "app.Main.parse"
    numbers = page.run("return [...document.querySelectorAll('#tooltip dl div')].map("
                       "row => [...row.children].map(cell => cell.textContent))")
    # 30 of 100 in all, and of the 80 of its parent.
    assert numbers == [["Self", "30 (30.00%)"], ["Total", "30 (30.00%)"], ["Of parent", "37.50%"],
                       ["Of zoomed", "37.50%"]]


def test_sample_type_switch_changes_widths_and_units(open_page):
    page = open_page([alloc_profile()])
    assert page.state["type"] == "alloc_space"
    assert_box(page, "app.Main.run", 0, 0.75)
    assert_box(page, "byte[]", 0, 0.5)
    assert "1 MiB" in page.text("#details")
    page.choose("#sample-type", "alloc_objects")
    assert_box(page, "app.Main.run", 0, 0.9)
    assert_box(page, "byte[]", 0, 0.3)
    assert_box(page, "java.lang.String", 0.3, 0.6)
    assert "10 (100%)" in page.text("#details")


def test_profile_switch_keeps_each_profiles_zoom(open_page):
    page = open_page([cpu_profile(), alloc_profile()])
    run = page.boxes()["app.Main.run"]["node"]
    page.run("window.jfrtree.zoomTo(arguments[0])", run)
    page.choose("#kind", "alloc")
    assert page.state["kind"] == "alloc"
    assert page.state["zoom"] == 0
    assert "byte[]" in page.boxes()
    page.choose("#kind", "cpu")
    assert page.state["zoom"] == run


def test_recursive_frames_have_a_bar_each(open_page):
    page = open_page([cpu_profile(RECURSION)])
    widths = sorted(round(box["w"] / page.width, 6) for box in page.hook("boxes")
                    if box["name"] == "t.Tree.walk")
    assert widths == [0.1, 0.2, 0.7]


def test_state_is_kept_in_the_url(open_page, open_file, tmp_path):
    page = open_page([cpu_profile(), alloc_profile()])
    page.choose("#kind", "alloc")
    page.choose("#sample-type", "alloc_objects")
    page.run("window.jfrtree.zoomTo(arguments[0])", page.boxes()["app.Main.run"]["node"])
    page.run("window.jfrtree.search('grow|concat', 'regex')")
    page.click("#layout")
    page.click("#show-table")
    before = page.state
    assert before["zoom"] > 0
    fragment = page.driver.current_url.split("#")[1]
    again = open_file(tmp_path / "page.html", fragment=f"#{fragment}")
    assert again.state == {**before, "selected": -1}
    assert again.text("#matched").startswith("90.00% matched")
    assert not again.element("#methods").is_displayed()


def test_a_link_finds_the_same_path_in_a_page_made_anew(open_page, open_file, tmp_path):
    page = open_page([cpu_profile()])
    page.run("window.jfrtree.zoomTo(arguments[0])", page.boxes()["app.Main.parse"]["node"])
    fragment = "#" + page.driver.current_url.split("#")[1]
    more = {("a.First.one", "a.First.two"): [7], **SMALL}
    again = open_file(write_page(tmp_path / "new.html", "t", [cpu_profile(more)]),
                      fragment=fragment)
    assert again.boxes()["app.Main.parse"]["node"] == again.state["zoom"]
    assert again.state["zoom"] != page_node(fragment)


def page_node(fragment):
    return int(fragment.split("zoom=")[1].split(".")[0])


def test_a_fragment_that_fits_nothing_is_ignored(open_page):
    page = open_page([cpu_profile()],
                     fragment="#kind=none&type=none&zoom=99999.ab&mode=none&layout=%00&q=")
    assert page.state == {"kind": "cpu", "type": "cpu_samples", "query": "", "mode": "text",
                          "zoom": 0, "selected": -1, "layout": "flame", "table": True}


def test_the_page_asks_for_nothing_else(open_page):
    page = open_page([cpu_profile()])
    assert page.run("return performance.getEntriesByType('resource').map(({name}) => name)") == []


def test_a_window_that_changes_its_size(open_page):
    page = open_page([cpu_profile()])
    wide = page.width
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 640, "height": 700, "deviceScaleFactor": 1, "mobile": False})
    page.settle()
    assert page.width < wide
    assert_box(page, "app.Main.run", 0.2, 0.8)


def test_copy_gives_the_name_in_full(open_page):
    page = open_page([cpu_profile()])
    page.run("window.copied = []; Object.defineProperty(navigator, 'clipboard', {value: {"
             "writeText: async (text) => { window.copied.push(text); }}})")
    page.run("window.jfrtree.zoomTo(arguments[0])", page.boxes()["app.Main.parse"]["node"])
    page.click("#copy")
    page.press("c")
    assert page.run("return window.copied") == ["app.Main.parse", "app.Main.parse"]


def test_colour_scheme_follows_the_system_and_can_be_changed(open_page):
    page = open_page([cpu_profile()], dark=True)
    theme = "return document.documentElement.dataset.theme"
    assert page.run(theme) == "dark"
    page.click("#theme")
    assert page.run(theme) == "light"
    page.click("#theme")
    assert page.run(theme) == "dark"


def test_every_control_has_a_name_and_the_canvas_a_description(open_page):
    page = open_page([cpu_profile(), alloc_profile()], notes=["one"])
    controls = page.driver.find_elements("css selector", "header button, header select, "
                                                         "header input, footer button, th button")
    assert len(controls) > 15
    assert [c.get_attribute("id") for c in controls
            if c.is_displayed() and not c.accessible_name] == []
    label = page.element("#canvas").accessible_name
    assert label.startswith("Flame graph, cpu, cpu_samples: total 100. 5 nodes.")


def test_notes_and_help_open(open_page):
    page = open_page([cpu_profile()], notes=["first note", "second note"])
    assert page.text("#notes") == "2 notes"
    page.click("#notes")
    assert page.element("#notes-dialog").is_displayed()
    assert "second note" in page.text("#note-list")
    page.press(Keys.ESCAPE)
    assert not page.element("#notes-dialog").is_displayed()
    page.press("?")
    assert page.element("#help-dialog").is_displayed()
