"""Pages with two sides: widths, colours, numbers, the table, search, the way of comparing."""

import time

import pytest
from make_page import CUT, Profile
from selenium.webdriver.common.keys import Keys
from test_graph import assert_box

# left 100: parse 30, print 50, [worker] 20. right 200: parse 30, print 20, cache 150.
STACKS = {
    ("app.Main.run", "app.Main.parse"): [30, 30],
    ("app.Main.run", "app.Main.print"): [50, 20],
    ("app.Main.run", "app.Main.cache"): [0, 150],
    ("[worker]",): [20, 0],
}
SIDES = {"names": ["before.jfr", "after.jfr"], "spans": [1_000_000_000, 4_000_000_000],
         "comparison": "share"}

GREY, RED, BLUE = "hsl(212 0.0% 86.0%)", "hsl(8 86.0% 70.0%)", "hsl(212 86.0% 71.0%)"


def cpu_diff(stacks=None, **more):
    return Profile("cpu", stacks or STACKS, [("cpu_samples", "count")], sides=2, **more)


@pytest.fixture
def open_diff(open_page):
    def open_it(profiles=None, diff=None, **how):
        return open_page(profiles or [cpu_diff()], title="before.jfr → after.jfr",
                         diff=diff or SIDES, **how)
    return open_it


def node_of(page, name):
    return page.boxes()[name]["node"]


def fill_of(page, name):
    return page.hook(f"fillOf({node_of(page, name)})")


def tooltip_of(page, name):
    page.pointer(page.boxes()[name], click=False)
    page.settle()
    return page.run("return [...document.querySelectorAll('#tooltip dl div')].map("
                    "row => [...row.children].map(cell => cell.textContent))")


def test_bars_are_as_wide_as_both_sides_by_share(open_diff):
    page = open_diff()
    # worker (20 % + 0) / 2, run (80 % + 100 %) / 2, cache (0 + 75 %) / 2, parse (30 % + 15 %) / 2.
    assert_box(page, "[worker]", 0, 0.1)
    assert_box(page, "app.Main.run", 0.1, 0.9)
    assert_box(page, "app.Main.cache", 0.1, 0.375)
    assert_box(page, "app.Main.parse", 0.475, 0.225)
    assert_box(page, "app.Main.print", 0.7, 0.3)


def test_both_sides_are_named_with_their_totals(open_diff):
    page = open_diff()
    assert page.text("#left-name") == "before.jfr"
    assert page.text("#left-total") == "100 in 1 s"
    assert page.text("#right-name") == "after.jfr"
    assert page.text("#right-total") == "200 in 4 s"
    assert page.driver.title == "before.jfr → after.jfr"


def test_colours_say_how_much_a_share_changed(open_diff):
    page = open_diff()
    assert fill_of(page, "app.Main.cache") == RED
    assert fill_of(page, "[worker]") == BLUE
    # 30 % to 15 %: half of it is gone; 50 % to 10 %: four fifths are.
    shades = [fill_of(page, f"app.Main.{name}") for name in ("parse", "print")]
    assert shades[0] != shades[1]
    assert all(shade.startswith("hsl(212 ") and shade not in (GREY, BLUE) for shade in shades)


def test_comparing_values_as_they_are(open_diff):
    page = open_diff()
    page.choose("#comparing", "value as it is")
    assert page.hook("diff") == {"comparing": "absolute", "coloring": "change"}
    assert fill_of(page, "app.Main.parse") == GREY
    assert_box(page, "[worker]", 0, 20 / 300)
    assert_box(page, "app.Main.parse", (20 + 150) / 300, 60 / 300)
    assert tooltip_of(page, "app.Main.run") == [
        ["Self", "0 (0%) → 0 (0%)"], ["Self change", "0"],
        ["Total", "80 (80.00%) → 200 (100%)"], ["Total change", "+120, +150%"]]


def test_comparing_rates(open_diff):
    page = open_diff()
    page.choose("#comparing", "value per second")
    assert tooltip_of(page, "app.Main.parse")[2:] == [
        ["Total", "30 (30.00%) → 30 (15.00%), 30/s → 7.50/s"], ["Total change", "−22.5/s, −75%"]]
    assert "by=per-second" in page.driver.current_url


@pytest.mark.parametrize("profile", [
    cpu_diff(snapshot=True),
    Profile("cpu", STACKS, [("estimated_cpu", "nanoseconds")], sides=2),
])
def test_what_has_no_rate_is_not_compared_by_one(open_diff, profile):
    page = open_diff([profile], fragment="#by=per-second")
    options = page.run("return [...document.querySelectorAll('#comparing option')].map("
                       "({text}) => text)")
    assert options == ["share of the total", "value as it is"]
    assert page.hook("diff.comparing") == "share"


def test_a_side_of_unknown_length_has_no_rates(open_diff):
    page = open_diff(diff={**SIDES, "spans": [None, 5]})
    assert page.text("#left-total") == "100"
    assert "value per second" not in page.text("#comparing")


def test_tooltip_and_details_have_both_sides_and_the_change(open_diff):
    page = open_diff()
    assert tooltip_of(page, "app.Main.parse") == [
        ["Self", "30 (30.00%) → 30 (15.00%)"], ["Self change", "−15.00 pp, −50%"],
        ["Total", "30 (30.00%) → 30 (15.00%)"], ["Total change", "−15.00 pp, −50%"]]
    assert tooltip_of(page, "app.Main.cache")[3] == ["Total change", "+75.00 pp, new"]
    assert tooltip_of(page, "[worker]")[3] == ["Total change", "−20.00 pp, gone"]
    page.pointer(page.boxes()["app.Main.print"], click=True)
    page.settle()
    assert "50 (50.00%) → 20 (10.00%)" in page.text("#details")
    assert page.run("return document.getElementById('detail-numbers').title") == (
        "self 50, total 50 → self 20, total 20")


def test_the_table_has_what_changed_most_first(open_diff):
    page = open_diff()
    rows = page.rows()
    assert [row[0] for row in rows] == ["app.Main.cache new", "app.Main.print", "[worker] gone",
                                        "app.Main.parse", "app.Main.run"]
    assert rows[0][1:] == ["+75.00 pp 0% → 75.00%", "+75.00 pp 0% → 75.00%"]
    assert rows[1][1] == "−40.00 pp 50.00% → 10.00%"
    assert rows[4][1:] == ["0 0% → 0%", "+20.00 pp 80.00% → 100%"]
    page.click("th[data-column=total] button")
    assert [row[0] for row in page.rows()][2:4] == ["[worker] gone", "app.Main.run"]
    page.click("th[data-column=name] button")
    assert page.rows()[0][0] == "[worker] gone"


@pytest.mark.parametrize(("choice", "expected"), [
    ("new", ["app.Main.cache new"]),
    ("gone", ["[worker] gone"]),
    ("grown", ["app.Main.cache new", "app.Main.run"]),
    ("shrunk", ["app.Main.print", "[worker] gone", "app.Main.parse"]),
])
def test_the_table_can_be_filtered_by_change(open_diff, choice, expected):
    page = open_diff()
    page.choose("#changes", choice)
    assert [row[0] for row in page.rows()] == expected


def test_unchanged_methods_are_no_changes(open_diff):
    page = open_diff()
    page.choose("#comparing", "value as it is")
    page.choose("#changes", "changed")
    assert "app.Main.parse" not in [row[0] for row in page.rows()]
    assert len(page.rows()) == 4


def test_search_has_the_shares_of_both_sides(open_diff):
    page = open_diff()
    page.run("window.jfrtree.search('parse')")
    assert page.text("#matched") == "30.00% → 15.00% matched · 1 hit"
    page.run("window.jfrtree.zoomTo(arguments[0])", node_of(page, "app.Main.run"))
    # 30 of 80 and 30 of 200.
    assert page.text("#matched") == "30.00% → 15.00% matched · 37.50% → 15.00% of zoomed · 1 hit"
    page.run("window.jfrtree.search('cache')")
    assert page.text("#matched").startswith("0% → 75.00% matched")


def test_search_in_a_cut_tree_has_the_true_totals_of_both_sides(open_diff):
    tree = {("app.Main.run", "app.Main.cache"): [0, 150], ("app.Main.run", CUT): [80, 50],
            ("[worker]",): [20, 0]}
    page = open_diff([cpu_diff(tree_stacks=tree, cut_by={"maxNodes": 3})])
    page.run("window.jfrtree.search('Main.parse')")
    assert page.text("#matched") == "30.00% → 15.00% matched · all in (other)"
    # (80 % + 25 %) / 2
    assert page.text("#cut").startswith("52.50% of cpu_samples is in (other)")


def test_colours_by_package_and_back_by_key(open_diff):
    page = open_diff()
    change = fill_of(page, "app.Main.cache")
    page.press("d")
    assert page.hook("diff.coloring") == "package"
    assert fill_of(page, "app.Main.cache") != change
    assert not page.element("#change-legend").is_displayed()
    assert "colors=package" in page.driver.current_url
    page.choose("#coloring", "change")
    assert fill_of(page, "app.Main.cache") == change


def test_state_is_kept_in_the_url(open_diff):
    page = open_diff(fragment="#by=absolute&colors=package")
    assert page.hook("diff") == {"comparing": "absolute", "coloring": "package"}
    page = open_diff(fragment="#by=nonsense&colors=nonsense")
    assert page.hook("diff") == {"comparing": "share", "coloring": "change"}


def test_an_empty_side_is_zeros(open_diff):
    stacks = {stack: [0, right] for stack, (_, right) in STACKS.items()}
    page = open_diff([cpu_diff(stacks)])
    assert_box(page, "app.Main.cache", 0, 0.75)
    assert fill_of(page, "app.Main.run") == RED
    assert [row[0] for row in page.rows()][0] == "app.Main.cache new"
    assert tooltip_of(page, "app.Main.cache")[2] == ["Total", "0 (–) → 150 (75.00%)"]


def test_without_samples_on_both_sides_there_is_a_message(open_diff):
    page = open_diff([cpu_diff({("a",): [0, 0]})])
    assert "No cpu samples here" in page.text("#message")


def test_equal_shares_of_other_totals_are_no_change(open_diff):
    page = open_diff([cpu_diff({("a.A.x",): [1, 3], ("a.A.y",): [5, 15], ("a.A.z",): [7, 21]})])
    assert {fill_of(page, name) for name in ("a.A.x", "a.A.y", "a.A.z")} == {GREY}
    assert {row[1].split()[0] for row in page.rows()} == {"0"}
    page.choose("#changes", "changed")
    assert page.rows() == []


def test_keys_announce_both_sides(open_diff):
    page = open_diff()
    page.run("document.getElementById('canvas').focus()")
    page.press(Keys.ARROW_UP)
    assert "80 (80.00%) → 200 (100%)" in page.text("#announcer")


def luminance(page, colour):
    channels = page.run("""
        const context = document.createElement('canvas').getContext('2d');
        context.fillStyle = arguments[0];
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);""", colour)
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read_on_every_colour_of_a_change(open_diff, dark):
    page = open_diff(dark=dark)
    text = luminance(page, "#fdf6ee" if dark else "#26180c")
    legend = page.run("return [...document.querySelectorAll('#change-legend i')].map("
                      "({style}) => style.background)")
    assert len(legend) == 5
    for colour in legend:
        low, high = sorted([text, luminance(page, colour)])
        assert (high + 0.05) / (low + 0.05) >= 4.5, colour


def test_hundred_thousand_nodes_of_two_sides(open_diff):
    stacks = {(f"p{i % 50}.A.run", f"p{i % 50}.B{i % 1000}.call", f"p.C{i}.leaf"):
              [i % 7, (i * 3) % 11] for i in range(1, 100_001)}
    page = open_diff([cpu_diff(stacks)])
    assert page.hook("nodes") > 100_000
    start = time.monotonic()
    page.choose("#comparing", "value as it is")
    page.run("window.jfrtree.search('B7')")
    page.settle()
    assert time.monotonic() - start < 60  # not the square of the nodes
    assert page.element("#table-count").text.startswith("50 of ")
