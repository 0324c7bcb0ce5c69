"""Rows and data frames in the code of Grafana's flame graph panel itself."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent
PROGRAM = os.environ["JFRTREE_PROGRAM"]
DATA = pathlib.Path(os.environ["JFRTREE_TESTDATA"])


def panel_folder():
    folder = os.environ.get("JFRTREE_GRAFANA_PANEL", "")
    if not folder or not shutil.which("node"):
        pytest.skip("needs node and JFRTREE_GRAFANA_PANEL, a folder made by tests/grafana/fetch")
    return folder


def shown(*files):
    """What the panel makes of files."""
    run = subprocess.run(["node", HERE / "panel.mjs", panel_folder(), *files], capture_output=True,
                         text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def written(path, *arguments):
    subprocess.run([PROGRAM, *arguments, "-q", "-o", path], check=True)
    return path


@pytest.mark.parametrize("options", ["", "--reverse", "--min-width 5", "--max-nodes 3"])
def test_recording(tmp_path, options):
    recording = DATA / "jdk17-mixed.jfr"
    frame = written(tmp_path / "a.frame.json", "convert", recording, *options.split())
    rows = written(tmp_path / "a.json", "convert", recording, "--format", "nested-set-json",
                   *options.split())
    of_frame, of_rows = shown(frame, rows)
    assert "error" not in of_frame
    assert of_frame["rows"] > 3
    for key in ("rows", "depth", "root"):
        assert of_frame[key] == of_rows[key]


MIXED = [DATA / "jdk17-mixed.jfr", DATA / "jdk25-mixed.jfr"]
DEEP = (pathlib.Path(os.environ.get("JFRTREE_RECORDINGS", "")) /
        "grafana_jfr-parser__goland-multichunk.jfr.gz")


@pytest.mark.parametrize("arguments", [
    ["convert", DEEP, "-p", "cpu"],
    ["convert", MIXED[0], "--by-thread", "--min-width", "2"],
    ["diff", MIXED[0], MIXED[0]],
    ["diff", *MIXED, "-p", "alloc"],
    ["diff", *MIXED, "-p", "cpu", "--max-nodes", "8"],
    ["diff", MIXED[0], DEEP, "-p", "alloc"],
], ids=["depth 485", "threads", "no change", "two recordings", "cut", "large diff"])
def test_rows_of_recordings(tmp_path, arguments):
    if DEEP in arguments and not DEEP.exists():
        pytest.skip("needs JFRTREE_RECORDINGS")
    found = shown(written(tmp_path / "a.json", *arguments, "--format", "nested-set-json"))
    assert "error" not in found[0]
    assert found[0]["rows"] > 8


def test_units(tmp_path):
    recording = DATA / "jdk17-mixed.jfr"
    found = shown(*(written(tmp_path / f"{kind}.{number}.frame.json", "convert", recording, "-p",
                            kind, "--sample-type", number)
                    for kind, number in (("alloc", "value"), ("lock", "value"), ("alloc", "count"))))
    assert [each["unit"] for each in found] == ["bytes", "ns", "short"]


def test_diff(tmp_path):
    (tmp_path / "base.txt").write_text("a;b 5\na;c 3\n")
    (tmp_path / "other.txt").write_text("a;b 1\na;d;e 7\nf 2\n")
    both = [tmp_path / "base.txt", tmp_path / "other.txt"]
    frame = written(tmp_path / "d.frame.json", "diff", *both)
    rows = written(tmp_path / "d.json", "diff", *both, "--format", "nested-set-json")
    for found in shown(frame, rows):
        # Both sides share the width of a box: 8 and 10.
        assert (found["rows"], found["depth"], found["root"], found["right"]) == (7, 4, 18, 10)


def test_hostile_names(tmp_path):
    names = ["toString", "constructor", "__proto__", "valueOf", "hasOwnProperty", '"', "\\", "é\U0001f525",
             "</script>", "\u2028"]
    (tmp_path / "s.txt").write_text("".join(f"a;{name};{name} 2\n" for name in names))
    found = shown(written(tmp_path / "s.frame.json", "convert", tmp_path / "s.txt"))
    assert (found[0].get("error"), found[0]["rows"]) == (None, 2 + 2 * len(names))


def test_nothing_measured(tmp_path):
    (tmp_path / "s.txt").write_text("a 0\n")
    run = subprocess.run([PROGRAM, "clickhouse", "tree", "--input-format", "TSV"], input="",
                         capture_output=True, text=True, check=True)
    order, level, value, own, label = run.stdout.rstrip("\n").split("\t")
    rows = [{"level": level, "value": value, "self": own, "label": label}]
    (tmp_path / "root.json").write_text(json.dumps(rows))
    assert order == "0"
    assert shown(tmp_path / "root.json")[0] == {"rows": 1, "depth": 1, "root": 0}


def test_the_checks_refuse_what_is_wrong(tmp_path):
    def row(level, value, own, label):
        return {"level": level, "value": value, "self": own, "label": label}
    wrong = [[row(0, 3, 3, "a"), row(0, 2, 2, "b")], [row(0, 3, 0, "a"), row(2, 3, 3, "b")],
             [row(1, 3, 3, "b")], [row(0, 3, 1, "a"), row(1, 1, 1, "b")]]
    for number, rows in enumerate(wrong):
        (tmp_path / f"{number}.json").write_text(json.dumps(rows))
    found = shown(*(tmp_path / f"{number}.json" for number in range(len(wrong))))
    assert all("error" in each for each in found)
