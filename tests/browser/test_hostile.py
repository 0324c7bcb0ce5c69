"""Names, titles and sizes that come from files nobody vouches for."""

import pytest
from make_page import Profile
from samples import cpu_profile

HOSTILE = [
    "<img src=x onerror=\"window.attacked=true\">",
    "</script><script>window.attacked=true</script>",
    "<!--", "-->", "]]>", "/*JS*/", "<!--DATA-->",
    "'\"`${window.attacked=true}`", "\\", "&lt;&amp;", "a;b 12",
    "__proto__", "constructor", "javascript:window.attacked=true",
    "\u202eright to left override", "\u05e9\u05dc\u05d5\u05dd.\u0645\u0631\u062d\u0628\u0627",
    "\U0001f525.\U0001f468\u200d\U0001f469\u200d\U0001f467", "e\u0301\u0301\u0301\u0301",
    "\u2028\u2029",
]


def attacked(page):
    return page.run("return window.attacked === true || document.images.length > 0")


def test_names_are_text(open_page):
    page = open_page([cpu_profile({(name,): [1] for name in HOSTILE})])
    assert sorted(page.boxes()) == sorted(HOSTILE + ["total"])
    shown = [row[0] for row in page.rows()]
    assert sorted(shown) == sorted(name.replace("\u2028\u2029", "\u2424\u2424") for name in HOSTILE)
    for name in HOSTILE:
        found = page.run("return window.jfrtree.search(arguments[0], 'whole')", name)
        assert found["nodes"] == 1
        page.run("window.jfrtree.zoomTo(arguments[0])", page.boxes()[name]["node"])
        page.pointer(page.boxes()[name], click=False)
        page.settle()
        assert page.text("#tooltip bdi") == name.replace("\u2028\u2029", "\u2424\u2424")
        page.click("#reset")
    assert not attacked(page)


def test_control_characters_are_shown_as_pictures(open_page):
    page = open_page([cpu_profile({("a\0b\tc\nd\x7f",): [1]})])
    assert page.rows()[0][0] == "a␀b␉c␊d␡"
    assert page.run("return window.jfrtree.search('a\\0b')")["nodes"] == 1


def test_an_endless_name_is_cut_where_it_is_shown(open_page):
    page = open_page([cpu_profile({("x" * 1_000_000,): [1], ("\U0001f525" * 30_000,): [1]})])
    rows = page.rows()
    assert all(len(row[0]) < 5000 for row in rows)
    assert any("1,000,000 characters" in row[0] for row in rows)


@pytest.mark.parametrize("text", HOSTILE[:7] + ["a & b < c"])
def test_title_and_notes_are_text(open_page, text):
    page = open_page([cpu_profile()], title=text, notes=[text])
    assert page.driver.title == text
    assert page.text("h1") == text
    assert page.text("#note-list li") == text
    assert not attacked(page)


def test_a_hostile_fragment_is_text(open_page):
    page = open_page([cpu_profile()],
                     fragment="#q=%3Cimg%20src%3Dx%20onerror%3D%22window.attacked%3Dtrue%22%3E")
    assert page.state["query"] == HOSTILE[0]
    assert not attacked(page)


def test_kinds_and_sample_types_are_text(open_page):
    page = open_page([Profile(HOSTILE[0], {("a",): [1, 2]}, [(HOSTILE[1], HOSTILE[0]), ("b", "c")]),
                      Profile("cpu", {("a",): [1]})])
    assert HOSTILE[0] in page.text("#kind")
    assert HOSTILE[1] in page.text("#sample-type")
    assert not attacked(page)


def test_an_empty_profile_says_so(open_page):
    page = open_page([Profile("lock", {})])
    assert page.text("#message").startswith("No lock samples here.")
    assert page.hook("boxes") == []
    assert page.text("#table-count") == "0 methods"
    page.press("n", "0", "c")
    assert page.run("return window.jfrtree.search('a')") == {
        "share": 0, "atMost": 0, "nodes": 0, "error": ""}


def test_a_page_without_profiles_says_so(open_page):
    page = open_page([])
    assert page.text("#message") == "There is no profile in this page."
    page.press("n", "0", "c", "i", "t")


def test_a_sample_type_without_values_says_so(open_page):
    page = open_page([Profile("cpu", {("a.B.c",): [5, 0]},
                              [("samples", "count"), ("cpu", "nanoseconds")], 1)])
    assert page.text("#message").startswith("No cpu in this profile.")
    page.choose("#sample-type", "samples")
    assert page.boxes()["a.B.c"]["w"] == pytest.approx(page.width)
    assert not page.element("#message").is_displayed()


def test_huge_values(open_page):
    # 2^63 and 2^62 are doubles; 2^64 - 1 - 2^63 - 2^62 is read as its nearest, 2^62.
    page = open_page([Profile("alloc", {
        ("a.Half.of",): [2**63],
        ("b.Quarter.of",): [2**62],
        ("c.Quarter.of",): [2**62 - 1],
    }, [("alloc_space", "bytes")])])
    boxes = page.boxes()
    assert boxes["a.Half.of"]["w"] == pytest.approx(page.width / 2, abs=0.01)
    assert boxes["c.Quarter.of"]["w"] == pytest.approx(page.width / 4, abs=0.01)
    assert page.rows()[0] == ["a.Half.of", "8 EiB", "50.00%", "8 EiB", "50.00%"]


@pytest.mark.parametrize("value, unit, text", [
    (0, "count", "0"),
    (1234567, "count", "1,234,567"),
    (2**53, "count", "9,007,199,254,740,992"),
    (2**53 + 2, "count", "9,007,199,254,740,994"),
    (1023, "bytes", "1,023 B"),
    (1536, "bytes", "1.50 KiB"),
    (3 * 2**30, "bytes", "3 GiB"),
    (999, "nanoseconds", "999 ns"),
    (1500, "nanoseconds", "1.50 µs"),
    (12_340_000, "nanoseconds", "12.3 ms"),
    (59_940_000_000, "nanoseconds", "59.9 s"),
    (90_000_000_000, "nanoseconds", "1.50 min"),
    (7_200_000_000_000, "nanoseconds", "2 h"),
    (12, "furlongs", "12 furlongs"),
])
def test_values_are_in_units_a_person_reads(open_page, value, unit, text):
    page = open_page([Profile("x", {("a.B.c",): [value], ("a.B.c", "d.E.f"): [1]},
                              [("v", unit)])])
    rows = {row[0]: row[1] for row in page.rows()}
    assert rows["a.B.c"] == text


def test_damaged_data_is_said_and_nothing_is_drawn(driver, tmp_path):
    from make_page import assemble, build_payload
    payload = build_payload("t", [cpu_profile()])
    path = tmp_path / "page.html"
    path.write_text(assemble("t", payload[:-1]), encoding="utf-8")
    driver.get(path.as_uri())
    from selenium.webdriver.support.ui import WebDriverWait
    message = "return document.getElementById('message').textContent"
    WebDriverWait(driver, 10).until(
        lambda _: driver.execute_script(message).startswith("This page cannot be shown: a number"))
    driver.get_log("browser")
