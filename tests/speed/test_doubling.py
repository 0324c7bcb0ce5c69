"""The arithmetic of doubling.py."""

import pytest

import doubling
import instructions


def counts(cost, start=10_000_000):
    return [start + round(cost(size)) for size in (1000, 2000, 4000)]


@pytest.mark.parametrize("cost, ratio", (
    (lambda n: 5 * n, 2.0), (lambda n: 3 * n * n, 4.0), (lambda n: 7 * n**1.5, 8**0.5)))
def test_ratio_is_that_of_the_power_whatever_a_run_costs_anyway(cost, ratio):
    assert doubling.ratio(counts(cost)) == pytest.approx(ratio, abs=0.001)


def test_nothing_that_grows_has_no_ratio():
    assert doubling.ratio([100, 100, 100]) == 0.0
    assert doubling.ratio([100, 99, 120]) == 0.0


def test_a_quadratic_part_of_a_quarter_is_too_much():
    # At 4000: 400,000 linear, and 100,000 or 50,000 quadratic.
    assert doubling.ratio(counts(lambda n: 100 * n + n * n / 160)) > doubling.LARGEST_RATIO
    assert doubling.ratio(counts(lambda n: 100 * n + n * n / 320)) < doubling.LARGEST_RATIO


def test_shape_sets_all_that_grows():
    grown = doubling.Growth("x", ("stacks", "events"), 8, {"depth": 4, "events": 1}, ())
    assert grown.sizes() == [8, 16, 32]
    assert grown.shape(16) == ["depth=4", "events=16", "stacks=16"]


def test_a_steep_growth_fails_and_is_named(monkeypatch, capsys):
    monkeypatch.setattr(doubling.sys, "argv", ["doubling.py", "make_shape"])
    monkeypatch.setattr(doubling.shutil, "which", lambda *_, **__: "/usr/bin/valgrind")
    monkeypatch.setattr(doubling, "GROWTHS", doubling.GROWTHS[:1])
    measured = {"first": counts(lambda n: n), "second": counts(lambda n: n * n)}
    monkeypatch.setattr(doubling, "measure",
                        lambda *_: [((name,), found) for name, found in measured.items()])
    assert doubling.main() == 1
    assert "FAILED: more than 2.3 for events: second\n" in capsys.readouterr().out
    del measured["second"]
    assert doubling.main() == 0


def test_without_valgrind_nothing_is_counted(monkeypatch, capsys):
    monkeypatch.setattr(doubling.shutil, "which", lambda *_, **__: None)
    assert doubling.main() == instructions.SKIPPED
    assert "SKIPPED: valgrind is not installed" in capsys.readouterr().out
