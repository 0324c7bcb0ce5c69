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
result = jfrtree.clickhouse.load(
    recording, db="x.chdb", labels={"service": "cart"}, kinds=["cpu"], bucket="10s", by_thread=True)
with jfrtree.clickhouse.connect("http://localhost:8123", user="u") as connection:
    chunks: int = result.chunks + connection.load(["a.jfr"], force=True).skipped_chunks
    back: jfrtree.Profile = connection.profile(
        "cpu", start="-1h", end=datetime.timedelta(minutes=10), where={"service": ["a", "b"], "x": None})
    graph: jfrtree.FlameGraph = connection.flamegraph("cpu", where="service=cart", min_width=0.1)
    versions: jfrtree.Comparison = connection.diff("cpu", other_where={"version": "2"}, start="-1d")
    frame = connection.query("SELECT {a:UInt8}", {"a": 1}).to_pandas()
    services: jfrtree.Table = connection.catalogue().services
try:
    statement: str = jfrtree.clickhouse.sql("cpu", macros="official")
except jfrtree.DatabaseError as failure:
    fault: str = failure.fault
for event in recording.events("jdk.CPULoad", columns=["machineTotal"]):
    print(event["machineTotal"])
'''


WRONG = PROGRAM + """
recording.profile("cpu", colour="red")
profile.count.frames
connection.profiles(colour="red")
"""


def mypy(*arguments):
    pytest.importorskip("mypy")
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", *arguments],
                          capture_output=True, text=True)


def test_the_package_and_programs(tmp_path):
    root = pathlib.Path(__file__).resolve().parents[2]
    done = mypy("--config-file", str(root / "pyproject.toml"), "--cache-dir", str(tmp_path),
                "-p", "jfrtree")
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "wrong.py").write_text(WRONG)
    done = mypy("--cache-dir", str(tmp_path), str(tmp_path / "program.py"),
                str(tmp_path / "wrong.py"))
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert not any("program.py" in line for line in errors), done.stdout
    assert len(errors) == 3 and "colour" in errors[0] and "frames" in errors[1], done.stdout
    assert "colour" in errors[2], done.stdout


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


def test_the_options_of_rows_are_those_of_profile():
    from jfrtree._options import TREE_KEYS, ProfileOptions
    from jfrtree._rows import RowOptions

    own = {"model", "bucket", "kinds", "event"}
    without = {*TREE_KEYS, "leak", "compat"}
    assert set(RowOptions.__annotations__) - own == set(ProfileOptions.__annotations__) - without


def test_every_option_of_clickhouse_is_there():
    def options(command):
        done = subprocess.run([sys.executable, "-m", "jfrtree", "clickhouse", command, "--help"],
                              capture_output=True, text=True, check=True)
        import re

        return {found.replace("-", "_") for found in
                re.findall(r"--(?:no-)?([a-z][a-z-]*)", done.stdout)}

    from jfrtree._connection import QueryOptions
    from jfrtree._rows import RowOptions

    def keywords(*functions):
        return {name for function in functions for name in inspect.signature(function).parameters}

    clickhouse = jfrtree.clickhouse
    # By another name, or not for Python.
    renamed = {"from", "to", "db", "password_file", "other_from", "other_to", "label", "profile",
               "limit", "help", "quiet", "verbose", "output", "allow_problems", "strict", "event"}
    load = keywords(clickhouse.connect, clickhouse.load) | set(RowOptions.__annotations__)
    follow = {"follow", "poll", "settle", "until_idle"}  # for a program of its own
    assert options("load") - renamed - follow - {"sample_type", "leak", "compat"} <= load
    query = keywords(clickhouse.connect, clickhouse.Connection.diff, clickhouse.Connection.flamegraph,
                     clickhouse.Connection.sql) | set(QueryOptions.__annotations__)
    assert options("flamegraph") - renamed - {"sql", "format"} <= query
    assert options("diff") - renamed - {"format"} <= query
    assert options("schema") - renamed - {"multiquery"} <= keywords(clickhouse.schema)


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
