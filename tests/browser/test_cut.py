"""Pages of trees that were cut: what is said about it, and shares that take it into account."""

import json
from collections import Counter

import pytest
from make_page import CUT, Profile
from recordings import PROGRAM, convert
from samples import alloc_profile, cpu_profile

RECORDING = "jdk17-mixed.jfr"

# Of 100: a.A.run 60 (a.A.one 25, a.A.two 15, b.B.both 20), b.B.both 12 at the root, c.C.rare 28.
WHOLE = {
    ("a.A.run", "a.A.one"): [25],
    ("a.A.run", "a.A.two"): [15],
    ("a.A.run", "b.B.both"): [20],
    ("b.B.both",): [12],
    ("c.C.rare",): [28],
}
# The two largest nodes are left: a.A.run and c.C.rare.
CUT_TO_TWO = {
    ("a.A.run", CUT): [60],
    ("c.C.rare",): [28],
    (CUT,): [12],
}
# Of a.A.run one child is left.
CUT_BELOW = {
    ("a.A.run", "a.A.one"): [25],
    ("a.A.run", CUT): [35],
    ("b.B.both",): [12],
    ("c.C.rare",): [28],
}


def cut_profile(tree_stacks, **cut_by):
    return Profile("cpu", WHOLE, [("cpu_samples", "count")], tree_stacks=tree_stacks, cut_by=cut_by)


def search(page, query, mode="text"):
    return page.run("return window.jfrtree.search(...arguments)", query, mode)


def zoom(page, name):
    page.run("window.jfrtree.zoomTo(arguments[0])", page.boxes()[name]["node"])


@pytest.mark.parametrize("query, mode, low, high", [
    # One method: the table knows it, also where no bar of it is left.
    ("c.C.rare", "whole", 0.28, 0.28),
    ("b.B.both", "whole", 0.32, 0.32),
    ("a.A.one", "whole", 0.25, 0.25),
    ("BOTH", "text", 0.32, 0.32),
    # The bar a.A.run has 60. The matching methods' totals are 60 + 25 + 15, but outside of that bar
    # only the 12 in the (other) at the root can match.
    ("a.A", "text", 0.60, 0.72),
    # one 25 and two 15: together between 25 and 40.
    ("one|two", "regex", 0.25, 0.40),
    # both 32 and rare 28: rare is a bar, both is not. (other) has 72, the methods have 60.
    ("both|rare", "regex", 0.32, 0.60),
    # Everything matches: the bars have 88, (other) the remaining 12.
    (".", "text", 0.88, 1.00),
    ("nothing of this name", "text", 0, 0),
])
def test_shares_of_a_cut_tree_are_bounds(open_page, query, mode, low, high):
    page = open_page([cut_profile(CUT_TO_TWO)])
    found = search(page, query, mode)
    assert found["share"] == pytest.approx(low)
    assert found["atMost"] == pytest.approx(high)


def test_a_share_that_is_known_looks_as_ever(open_page):
    page = open_page([cut_profile(CUT_TO_TWO)])
    search(page, "c.C.rare", "whole")
    assert page.text("#matched") == "28.00% matched · 1 hit"
    assert page.element("#matched").get_attribute("title") == "28 of 100, each stack counted once"
    search(page, "both")
    assert page.text("#matched") == "32.00% matched · all in (other)"
    search(page, "nothing of this name")
    assert page.text("#matched") == "0% matched"


def test_a_share_that_is_not_known_is_said_to_be_a_bound(open_page):
    page = open_page([cut_profile(CUT_TO_TWO)])
    search(page, "one|two", "regex")
    assert page.text("#matched") == "at least 25.00% matched · all in (other)"
    assert page.element("#matched").get_attribute("title").startswith(
        "25 to 40 of 100, each stack counted once: at least 25.00%, at most 40.00% matched.")
    assert page.text("#announcer") == "at least 25.00%, at most 40.00% matched, all in (other)"
    search(page, ".")
    assert page.text("#matched") == "at least 88.00% matched · 2 hits"


def test_in_a_zoomed_frame_only_its_own_bars_are_known(open_page):
    page = open_page([cut_profile(CUT_BELOW)])
    zoom(page, "a.A.run")
    # At the root the table has 25 for a.A.one; of the 60 below a.A.run 25 are seen, 35 are cut.
    search(page, "a.A.one", "whole")
    assert page.text("#matched") == "25.00% matched · at least 41.67% of zoomed · 1 hit"
    assert "at most 100%" not in page.element("#matched").get_attribute("title")
    # Nothing is seen of a.A.two: anything up to the 35 of 60.
    search(page, "a.A.two", "whole")
    assert page.text("#matched") == "15.00% matched · at most 58.33% of zoomed · all in (other)"
    # The zoomed frame itself matches.
    search(page, "a.A.run", "whole")
    assert page.text("#matched") == "60.00% matched · 100% of zoomed · 1 hit"
    # Nothing was cut below this one.
    zoom(page, "a.A.one")
    search(page, "a.A.one", "whole")
    assert page.text("#matched") == "25.00% matched · 100% of zoomed · 1 hit"
    search(page, "c.C.rare", "whole")
    assert page.text("#matched") == "28.00% matched · 0% of zoomed · 1 hit"


def test_cut_nodes_are_found_by_their_whole_name_alone(open_page):
    page = open_page([cut_profile(CUT_TO_TWO)])
    found = search(page, "(other)")
    assert found == {"share": 0.72, "atMost": 0.72, "nodes": 2, "error": ""}
    assert page.text("#matched") == "72.00% matched · 2 hits"
    # "the" is in "(other)", and in no frame.
    for query, mode in [("the", "text"), ("other", "text"), ("^.other.$", "regex")]:
        assert search(page, query, mode) == {"share": 0, "atMost": 0, "nodes": 0, "error": ""}


def test_a_frame_called_other_is_a_frame(open_page):
    stacks = {("(other)",): [30], ("a.A.run",): [50], ("b.B.run",): [20]}
    tree = {("(other)",): [30], ("a.A.run",): [50], (CUT,): [20]}
    page = open_page([Profile("cpu", stacks, tree_stacks=tree)])
    assert search(page, "(other)") == {"share": 0.3, "atMost": 0.3, "nodes": 1, "error": ""}
    assert page.text("#cut").startswith("20.00% of samples is in (other)")


def test_what_was_cut_is_said(open_page):
    page = open_page([cut_profile(CUT_TO_TWO, maxNodes=2)])
    assert page.element("#cut").is_displayed()
    assert page.text("#cut") == ("72.00% of cpu_samples is in (other), cut by --max-nodes 2 "
                                 "(0 keeps all). The table has all stacks.")
    page = open_page([cut_profile(CUT_TO_TWO, maxNodes=2, minWidth=12.5)])
    assert "cut by --max-nodes 2 and --min-width 12.5 (0 keeps all)" in page.text("#cut")


def test_a_whole_tree_and_a_small_cut_are_not_worth_a_line(open_page):
    page = open_page([cpu_profile(), alloc_profile()])
    assert not page.element("#cut").is_displayed()
    # 9 of 1,000 are below 1 %, 10 of 1,000 are not.
    for rest, told in [(9, False), (10, True)]:
        stacks = {("a.A.run",): [1000 - rest], ("b.B.run",): [rest]}
        tree = {("a.A.run",): [1000 - rest], (CUT,): [rest]}
        page = open_page([Profile("cpu", stacks, tree_stacks=tree)])
        assert page.element("#cut").is_displayed() == told


# From a recording: the expected numbers are sums over its stacks.

@pytest.fixture(scope="module")
def stacks():
    if not PROGRAM:
        pytest.skip("JFRTREE_PROGRAM is not set")
    lines = convert(RECORDING, "--format", "stacks", "-p", "alloc").decode().splitlines()
    return [(set(stack["stack"]), stack["value"]) for stack in map(json.loads, lines)]


def share(stacks, matches):
    whole = sum(value for _, value in stacks)
    return sum(value for frames, value in stacks if any(map(matches, frames))) / whole


def totals(stacks):
    found = Counter()
    for frames, value in stacks:
        for frame in frames:
            found[frame] += value
    return found


@pytest.fixture
def open_cut(open_file, tmp_path):
    def open_it(*options):
        path = tmp_path / "cut.html"
        path.write_bytes(convert(RECORDING, "--format", "html", "-p", "alloc", *options))
        return open_file(path)

    return open_it


@pytest.mark.parametrize("options", [
    ("--max-nodes", "10"), ("--min-width", "20", "--max-nodes", "10"), ("--max-nodes", "60"),
    ("--max-nodes", "30", "--reverse")])
def test_each_method_of_a_cut_recording_has_its_true_share(open_cut, stacks, options):
    page = open_cut(*options)
    assert page.element("#cut").is_displayed()
    whole = sum(value for _, value in stacks)
    by_total = totals(stacks).most_common()
    for name, total in by_total[:10] + by_total[10::20]:
        found = search(page, name, "whole")
        assert found["share"] == found["atMost"] == pytest.approx(total / whole), name


@pytest.mark.parametrize("max_nodes", ["0", "5", "20", "200"])
@pytest.mark.parametrize("query", ["String", "java.util", "byte[]", "a", "e", "concurrent"])
def test_bounds_hold_for_a_cut_recording(open_cut, stacks, max_nodes, query):
    page = open_cut("--max-nodes", max_nodes)
    true_share = share(stacks, lambda name: query.lower() in name.lower())
    assert true_share > 0
    found = search(page, query)
    assert found["share"] <= true_share + 1e-9
    assert found["atMost"] >= true_share - 1e-9
    if max_nodes == "0":
        assert found["share"] == found["atMost"] == pytest.approx(true_share)


def test_the_default_keeps_the_whole_tree_of_a_recording(open_cut, stacks):
    page = open_cut()
    assert not page.element("#cut").is_displayed()
    prefixes = {tuple(stack["stack"][:length]) for stack in map(json.loads, convert(
        RECORDING, "--format", "stacks", "-p", "alloc").decode().splitlines())
        for length in range(len(stack["stack"]) + 1)}
    assert page.hook("nodes") == len(prefixes)
    found = search(page, "String")
    assert found["share"] == found["atMost"] == pytest.approx(
        share(stacks, lambda name: "string" in name.lower()))
