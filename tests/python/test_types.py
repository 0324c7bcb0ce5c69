"""Types: the package under mypy --strict, a user's program, and the stub against the module."""

import inspect
import pathlib
import subprocess
import sys

import pytest

import jfrtree
from jfrtree import _core

PACKAGE = pathlib.Path(jfrtree.__file__).parent

PROGRAM = '''
import datetime
import re
import jfrtree

recording = jfrtree.open(["a.jfr", b"..."], labels={"service": "cart"}, progress=print)
profile = recording.profile(
    "cpu", start="+1s", end=datetime.timedelta(seconds=3), include=[re.compile("x"), "y"], tid=[1, 2])
stacks: list[tuple[str, ...]] = [stack for stack, count, value in profile]
total: int | None = profile.total
start: datetime.datetime | None = recording.info.start
rows: list[dict[str, object]] = profile.top(3).to_pylist()
comparison: jfrtree.Comparison = jfrtree.diff(profile, profile, absolute=True)
page: str = comparison.flamegraph(min_width=0.1).html
profiles: dict[str, jfrtree.Profile] = recording.read_profiles(["cpu"], by_thread=True)
error: str | None = jfrtree.FormatError("x").file
for event in recording.events("jdk.CPULoad", columns=["machineTotal"]):
    print(event["machineTotal"])
'''


def mypy(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", *arguments],
        capture_output=True, text=True)


def test_the_package(tmp_path):
    pytest.importorskip("mypy")
    root = pathlib.Path(__file__).resolve().parents[2]
    done = mypy("--config-file", str(root / "pyproject.toml"), "-p", "jfrtree")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_program(tmp_path):
    pytest.importorskip("mypy")
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    done = mypy(str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    path.write_text(PROGRAM + "recording.profile('cpu', colour='red')\nprofile.count.frames\n")
    done = mypy(str(path))
    assert "colour" in done.stdout and "frames" in done.stdout


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "py.typed").exists()


def test_the_stub_has_what_the_module_has():
    import ast

    tree = ast.parse((PACKAGE / "_core.pyi").read_text())
    known = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            known[node.name] = {item.name for item in node.body
                                if isinstance(item, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            known[node.name] = None
        elif isinstance(node, ast.AnnAssign):
            known[node.target.id] = None
    public = {name for name in vars(_core) if not name.startswith("_")} | {"__version__"}
    assert set(known) - {"Report"} == public
    special = {"__iter__", "__next__", "__len__", "__arrow_c_stream__", "__arrow_c_schema__"}
    for name, members in known.items():
        if members is not None:
            there = {key for key in vars(getattr(_core, name))
                     if not key.startswith("_") or key in special}
            assert members - {"__init__"} == there, name


def test_the_options_that_are_passed_on_are_those_of_profile():
    from jfrtree._options import ProfileOptions

    parameters = set(inspect.signature(jfrtree.Recording.profile).parameters)
    assert set(ProfileOptions.__annotations__) == parameters - {"self", "kind", "event", "progress"}


def test_every_option_of_the_command_line_is_there():
    done = subprocess.run([sys.executable, "-m", "jfrtree", "convert", "--help"],
                          capture_output=True, text=True, check=True)
    import re

    options = set(re.findall(r"--(?:no-)?([a-z][a-z-]*)", done.stdout))
    # What belongs to the command, to open() or to write() and flamegraph().
    elsewhere = {"output", "quiet", "verbose", "progress", "help", "threads", "strict",
                 "allow-problems", "limit", "format", "title", "timings", "profile", "event",
                 "from", "to", "label", "label-from-path"}
    names = {option.replace("-", "_") for option in options - elsewhere}
    parameters = set(inspect.signature(jfrtree.Recording.profile).parameters)
    assert names and names <= parameters
