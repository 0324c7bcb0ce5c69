"""Search: what matches, its share by hand arithmetic, hits one after the other."""

import pytest
from samples import RECURSION, alloc_profile, cpu_profile
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait


def search(page, query, mode="text"):
    return page.run("return window.jfrtree.search(...arguments)", query, mode)


@pytest.mark.parametrize("query, mode, share, nodes", [
    ("parse", "text", 0.30, 1),
    ("PARSE", "text", 0.30, 1),
    ("app.Main", "text", 0.80, 3),
    ("pa.se|pr.nt", "regex", 0.80, 2),
    ("^app\\.Main\\.p", "regex", 0.80, 2),
    ("app.Main.run", "whole", 0.80, 1),
    ("app.Main", "whole", 0.0, 0),
    ("total", "text", 0.0, 0),
    ("nothing of this name", "text", 0.0, 0),
])
def test_share_of_what_matches(open_page, query, mode, share, nodes):
    page = open_page([cpu_profile()])
    found = search(page, query, mode)
    assert found["share"] == pytest.approx(share)
    assert found["nodes"] == nodes
    assert found["error"] == ""


def test_a_stack_counts_once_however_often_it_matches(open_page):
    page = open_page([cpu_profile(RECURSION)])
    # 4 + 2 + 1 stacks hold "walk"; its four bars added up would be 0.7 + 0.2 + 0.1.
    found = search(page, "walk")
    assert found["share"] == pytest.approx(0.7)
    assert found["nodes"] == 3
    # "visit" is at the root of 3 samples and inside 1 more.
    assert search(page, "visit")["share"] == pytest.approx(0.4)
    assert search(page, "t.")["share"] == pytest.approx(1.0)


def test_share_follows_the_sample_type(open_page):
    page = open_page([alloc_profile()])
    assert search(page, "grow")["share"] == pytest.approx(0.5)
    page.choose("#sample-type", "alloc_objects")
    assert search(page, "grow")["share"] == pytest.approx(0.3)


def test_share_of_the_zoomed_part(open_page):
    page = open_page([cpu_profile()])
    page.run("window.jfrtree.zoomTo(arguments[0])", page.boxes()["app.Main.run"]["node"])
    search(page, "parse")
    # 30 of 100, and of the 80 that are zoomed to.
    assert page.text("#matched") == "30.00% matched · 37.50% of zoomed · 1 hit"
    search(page, "run")
    assert page.text("#matched") == "80.00% matched · 100% of zoomed · 1 hit"


def test_a_wrong_expression_is_said_and_finds_nothing(open_page):
    page = open_page([cpu_profile()])
    assert search(page, "(", "regex") == {"share": 0, "atMost": 0, "nodes": 0,
                                          "error": "not a regular expression"}
    assert page.text("#matched") == "not a regular expression"
    assert search(page, "(", "text")["error"] == ""


def test_typing_searches_and_escape_clears(open_page):
    page = open_page([cpu_profile()])
    page.press("/")
    page.press("parse")
    WebDriverWait(page.driver, 10).until(lambda _: page.state["query"] == "parse")
    assert page.text("#matched") == "30.00% matched · 1 hit"
    page.press(Keys.ESCAPE)
    assert page.state["query"] == ""
    assert not page.element("#hits").is_displayed()


def test_next_and_previous_hit(open_page):
    page = open_page([cpu_profile()])
    search(page, "app.")
    names = []
    for _ in range(4):
        page.click("#next-hit")
        names.append(page.text("#detail-name"))
    assert names == ["app.Main.run", "app.Main.parse", "app.Main.print", "app.Main.run"]
    assert "1 of 3" in page.text("#matched")
    page.click("#previous-hit")
    assert page.text("#detail-name") == "app.Main.print"
    page.press("n")
    assert page.text("#detail-name") == "app.Main.run"


def test_a_hit_outside_of_the_zoom_is_shown(open_page):
    page = open_page([cpu_profile()])
    boxes = page.boxes()
    page.run("window.jfrtree.zoomTo(arguments[0])", boxes["app.Main.parse"]["node"])
    search(page, "worker")
    page.click("#next-hit")
    assert page.state["selected"] == boxes["[worker]"]["node"]
    assert page.boxes()["[worker]"]["w"] == pytest.approx(0.2 * page.width, abs=0.01)


def test_a_hit_too_narrow_to_see_is_zoomed_into(open_page):
    page = open_page([cpu_profile({
        ("a.Wide.run",): [1_000_000],
        ("b.Rare.run", "b.Rare.needle"): [1],
        ("b.Rare.run",): [3],
    })])
    assert "b.Rare.needle" not in page.boxes()
    search(page, "needle")
    page.click("#next-hit")
    # The widest place where it can be seen is its parent: 1 of 4.
    assert page.boxes()["b.Rare.needle"]["w"] == pytest.approx(0.25 * page.width, abs=0.01)


def test_matches_are_painted_in_the_colour_of_matches(open_page):
    page = open_page([cpu_profile()])
    search(page, "worker")
    page.settle()
    box = page.boxes()["[worker]"]
    pixel = page.run("return [...document.getElementById('canvas').getContext('2d').getImageData("
                     "arguments[0], arguments[1], 1, 1).data]",
                     box["x"] + box["w"] - 4, box["y"] + 2)
    wanted = page.run("return getComputedStyle(document.documentElement)"
                      ".getPropertyValue('--match').trim()")
    assert "#" + "".join(f"{channel:02x}" for channel in pixel[:3]) == wanted
