"""The examples of docstrings are true, and everything public has a docstring."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import jfrtree

MODULES = ["jfrtree"] + [f"jfrtree.{module.name}"
                         for module in pkgutil.iter_modules(jfrtree.__path__)
                         if module.name not in ("_core", "__main__")]


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
    for name in jfrtree.__all__:
        thing = getattr(jfrtree, name)
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
