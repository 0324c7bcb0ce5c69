"""The table of methods: numbers, order, search, more rows."""

from samples import RECURSION, alloc_profile, cpu_profile


def names(page):
    return [row[0] for row in page.rows()]


def test_numbers_and_shares(open_page):
    page = open_page([alloc_profile()])
    assert page.rows() == [
        ["byte[]", "512 KiB", "50.00%", "512 KiB", "50.00%"],
        ["app.Main.start", "256 KiB", "25.00%", "256 KiB", "25.00%"],
        ["java.lang.String", "256 KiB", "25.00%", "256 KiB", "25.00%"],
        ["app.Main.run", "0 B", "0%", "768 KiB", "75.00%"],
        ["app.Buffer.grow", "0 B", "0%", "512 KiB", "50.00%"],
        ["java.lang.String.concat", "0 B", "0%", "256 KiB", "25.00%"],
    ]
    page.choose("#sample-type", "alloc_objects")
    assert page.rows()[0] == ["java.lang.String", "6", "60.00%", "6", "60.00%"]


def test_sorting_by_each_column(open_page):
    page = open_page([cpu_profile()])
    assert names(page) == ["app.Main.print", "app.Main.parse", "[worker]", "app.Main.run"]
    assert page.element("th[data-column=self]").get_attribute("aria-sort") == "descending"
    page.click("th[data-column=total] button")
    assert names(page) == ["app.Main.run", "app.Main.print", "app.Main.parse", "[worker]"]
    assert page.element("th[data-column=total]").get_attribute("aria-sort") == "descending"
    assert page.element("th[data-column=self]").get_attribute("aria-sort") is None
    page.click("th[data-column=total] button")
    assert names(page) == ["[worker]", "app.Main.parse", "app.Main.print", "app.Main.run"]
    page.click("th[data-column=name] button")
    assert names(page) == ["[worker]", "app.Main.parse", "app.Main.print", "app.Main.run"]
    page.click("th[data-column=name] button")
    assert names(page) == ["app.Main.run", "app.Main.print", "app.Main.parse", "[worker]"]


def test_a_recursive_method_counts_once_per_stack(open_page):
    page = open_page([cpu_profile(RECURSION)])
    assert page.rows() == [
        ["t.Tree.walk", "7", "70.00%", "7", "70.00%"],
        ["t.Node.visit", "3", "30.00%", "4", "40.00%"],
    ]


def test_a_click_highlights_the_method_and_a_second_lets_it_go(open_page):
    page = open_page([cpu_profile({("a.Run.go",): [1], ("a.Run.goFurther",): [3]})])
    page.click("#rows tr:nth-child(2) button")
    assert names(page) == ["a.Run.goFurther", "a.Run.go"]
    assert page.state["mode"] == "whole"
    assert page.text("#matched") == "25.00% matched · 1 hit"
    assert page.element("#rows tr:nth-child(2) button").get_attribute("aria-pressed") == "true"
    page.click("#rows tr:nth-child(2)")
    assert page.state["query"] == ""


def test_a_search_by_text_keeps_what_it_finds(open_page):
    page = open_page([cpu_profile()])
    page.run("window.jfrtree.search('main.p')")
    assert names(page) == ["app.Main.print", "app.Main.parse"]
    assert page.text("#table-count") == "2 methods"


def test_more_rows_on_demand(open_page):
    page = open_page([cpu_profile({(f"a.B.m{i:03}",): [1000 - i] for i in range(300)})])
    assert len(page.rows()) == 50
    assert page.text("#table-count") == "50 of 300 methods"
    page.click("#more")
    assert len(page.rows()) == 250
    page.click("#more")
    assert len(page.rows()) == 300
    assert names(page) == [f"a.B.m{i:03}" for i in range(300)]
    assert not page.element("#more").is_displayed()


def test_it_is_a_real_table(open_page):
    page = open_page([cpu_profile()])
    assert page.element("#methods table").aria_role == "table"
    assert page.text("#table-caption") == "Methods by self and total, cpu_samples"
    assert page.run("return [...document.querySelectorAll('#methods th')].every("
                    "header => header.scope === 'col')")
