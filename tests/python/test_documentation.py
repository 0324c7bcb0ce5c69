"""The examples of docstrings are true, and everything public has a docstring."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import jfrtree

ROOT = pathlib.Path(__file__).resolve().parents[2]

MODULES = ["jfrtree"] + [f"jfrtree.{module.name}"
                         for module in pkgutil.iter_modules(jfrtree.__path__)
                         if module.name not in ("_core", "__main__", "testing")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name, testdata, monkeypatch):
    monkeypatch.chdir(testdata)
    result = doctest.testmod(importlib.import_module(name), verbose=False)
    assert result.failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    for thing in (jfrtree, jfrtree.open, jfrtree.Recording, jfrtree.Profile, jfrtree.Table,
                  jfrtree.EventTable, jfrtree.Comparison, jfrtree.FlameGraph, jfrtree.merge):
        module = importlib.import_module("jfrtree")
        tests = finder.find(thing, module=False, globs={"jfrtree": module})
        assert any(test.examples for test in tests), thing


def test_everything_public_has_a_docstring():
    places = [(jfrtree, name) for name in jfrtree.__all__]
    places += [(jfrtree.clickhouse, name) for name in jfrtree.clickhouse.__all__]
    for place, name in places:
        thing = getattr(place, name)
        if isinstance(thing, tuple):
            continue
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and not issubclass(thing, tuple):
            for key, member in vars(thing).items():
                if not key.startswith("_") and (callable(member) or isinstance(member, property)):
                    described = inspect.getdoc(getattr(thing, key)) if callable(member) else \
                        inspect.getdoc(member)
                    assert described or is_plain(thing, key), f"{name}.{key}"


def is_plain(thing, key):
    """A property whose name and type say all."""
    return (thing.__name__, key) in {
        ("ChunkInfo", "start"), ("ChunkInfo", "end"), ("ChunkInfo", "duration"),
        ("RecordingInfo", "start"), ("RecordingInfo", "end"), ("RecordingInfo", "duration"),
        ("RecordingInfo", "duration_ns"), ("Comparison", "kind"), ("Table", "column_names"),
    }


@pytest.mark.parametrize("name", ["docs/python.md"])
def test_examples_of_the_guide(name, testdata, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(testdata)
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 3
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_the_reference_is_that_of_the_package():
    done = subprocess.run([sys.executable, ROOT / "scripts" / "python-api"], capture_output=True,
                          text=True, check=True, encoding="utf-8")
    assert (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8") == done.stdout, \
        "scripts/python-api >docs/python-api.md makes it anew"


def test_the_example_program(testdata):
    done = subprocess.run(
        [sys.executable, ROOT / "python/examples/top_methods.py", testdata / "jdk17-mixed.jfr",
         "lock"], capture_output=True, text=True, check=True)
    # 182,593,252 ns of 357,563,926, see testdata/README.md.
    assert done.stdout.splitlines()[:2] == [
        "lock: 85 samples", " 51.1%  com.example.orders.Inventory"]
