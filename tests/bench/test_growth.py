"""bench/growth: exponents and plots of numbers made by hand, the recordings of make_shape, and a run
of one dimension."""

import json
import math
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import pytest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
PROGRAM = pathlib.Path(os.environ["JFRTREE_PROGRAM"])
sys.path.insert(0, str(BENCH))

from growing import dimensions, fitting, measuring, plotting, reporting  # noqa: E402

SIZES = (100, 200, 400, 800)
SVG = "{http://www.w3.org/2000/svg}"


def result(cpu=(1.0, 2.0, 4.0, 8.0), exponent=1.0, memory_exponent=None):
    command = {"name": "tree", "arguments": [], "cpu_s": list(cpu), "peak_mb": [8.0] * 4,
               "cpu_exponent": exponent, "memory_exponent": memory_exponent}
    return {"name": "depth", "says": "Frames.", "sizes": SIZES, "commands": [command]}


@pytest.mark.parametrize("power", (0.5, 1.0, 2.0))
def test_exponent_is_that_of_the_last_two_doublings_without_the_start(power):
    costs = [0.25 + 0.01 * size ** power for size in SIZES]
    assert fitting.exponent(SIZES, costs, 0.25, 0.02) == pytest.approx(power)
    costs[0] = 77.0  # before the last two
    assert fitting.exponent(SIZES, costs, 0.25, 0.02) == pytest.approx(power)


def test_what_grows_by_less_than_noise_has_no_exponent():
    assert fitting.exponent(SIZES, [0.5, 0.5, 0.5, 0.519], 0.0, 0.02) is None
    assert fitting.exponent(SIZES, [0.5, 0.5, 0.5, 0.4], 0.0, 0.02) is None


def test_a_cost_out_of_nothing_has_an_exponent():
    steep = fitting.exponent(SIZES, [0.1, 0.1, 0.1, 1.1], 0.1, 0.02)
    assert steep == pytest.approx(math.log(1.0 / 0.0025) / math.log(4))


def test_what_grows_faster_than_it_may_is_named():
    results = [result(exponent=1.3, memory_exponent=1.31), result(exponent=None),
               result(exponent=2.0, memory_exponent=0.5)]
    assert list(fitting.too_steep(results, 1.3)) == [
        "depth: memory of tree grows with exponent 1.31, more than 1.3",
        "depth: cpu of tree grows with exponent 2.00, more than 1.3"]
    assert list(fitting.too_steep(results, 2.0)) == []


def test_a_plot_has_a_line_for_each_command_and_cost():
    cpu = [("html & more", [0.01, 0.02, 0.04, 0.08]), ("top", [0.0, 0.01, 0.01, 0.02])]
    memory = [(name, [9.0, 10.0, 12.0, 16.0]) for name, _ in cpu]
    image = xml.etree.ElementTree.fromstring(plotting.plot("depth", SIZES, cpu, memory))
    assert len(image.findall(f"{SVG}polyline")) == 4
    texts = [text.text for text in image.findall(f"{SVG}text")]
    assert {"html & more", "top", "CPU, s", "peak memory, MB"} <= set(texts)
    assert texts.count("800") == 2


def test_a_line_of_a_power_is_straight():
    across, upward = plotting.Scale(1, 16, 0, 300), plotting.Scale(1, 256, 200, 0)
    assert [across.place(size) for size in (1, 2, 4, 8, 16)] == [0, 75, 150, 225, 300]
    assert [upward.place(size * size) for size in (1, 4, 16)] == [200, 100, 0]


@pytest.mark.parametrize("number, text", (
    (0.05, "0.05"), (800, "800"), (12_800, "12.8k"), (102_400, "102.4k"), (4_000_000, "4M")))
def test_short_numbers(number, text):
    assert plotting.short(number) == text


def test_docs_get_table_and_plot_between_the_marks(tmp_path):
    (tmp_path / "images").mkdir()
    page = tmp_path / "growth.md"
    page.write_text(f"Before\n{reporting.BEGIN}\nold\n{reporting.END}\nafter\n")
    reporting.write_docs(tmp_path, [result()])
    text = page.read_text()
    assert text.startswith("Before\n") and text.endswith("\nafter\n") and "old" not in text
    assert "| depth | 100 | 200 | 400 | 800 | exponent |" in text
    assert "| tree, s | 1.000 | 2.000 | 4.000 | 8.000 | 1.00 |" in text
    assert "| tree, MB | 8 | 8 | 8 | 8 | – |" in text
    assert "images/growth-depth.svg" in text
    assert (tmp_path / "images" / "growth-depth.svg").read_text().startswith("<svg ")
    page.write_text("no marks\n")
    with pytest.raises(ValueError):
        reporting.write_docs(tmp_path, [result()])


def test_the_launcher_says_what_the_program_needed(tmp_path):
    launch = PROGRAM.parent / "launch"
    script = "x = bytearray(60 << 20)\nwhile __import__('time').process_time() < 0.2: pass"
    cpu_s, peak_mb = measuring.run(launch, [sys.executable, "-c", script], tmp_path)
    assert 0.2 <= cpu_s < 5
    assert 60 <= peak_mb < 120
    _, small = measuring.run(launch, ["/bin/true"], tmp_path)
    assert small < 8  # this script itself holds more
    with pytest.raises(measuring.RunError, match="exit code 2"):
        measuring.run(launch, [PROGRAM, "no-command"], tmp_path)
    with pytest.raises(measuring.RunError, match="exit code 125"):
        measuring.run(launch, [tmp_path / "not-there"], tmp_path)


def make(path, *shape):
    subprocess.run([PROGRAM.parent / "make_shape", path, *shape], check=True)
    return path


def stacks(recording, *options):
    done = subprocess.run([PROGRAM, "convert", recording, "--format", "collapsed", "--quiet", *options],
                          check=True, capture_output=True, text=True)
    lines = [line.rsplit(" ", 1) for line in done.stdout.splitlines()]
    return {tuple(stack.split(";")): int(count) for stack, count in lines}


def test_a_shape_has_its_stacks_threads_and_events(tmp_path):
    found = stacks(make(tmp_path / "x.jfr", "events=600", "stacks=10", "depth=6", "children=4",
                        "threads=3", "symbols=40", "chunks=2", "checkpoints=2"), "--by-thread")
    assert len(found) == 30
    assert set(found.values()) == {20}
    assert {len(stack) for stack in found} == {7}
    assert len({stack[0] for stack in found}) == 3
    assert len({stack[:5] for stack in found}) == 3  # of each thread one path, then 4 children,
    assert len({stack[:6] for stack in found}) == 9  # of which 3 are needed for 10 stacks


def test_children_and_symbols_are_as_many_as_asked_for(tmp_path):
    found = stacks(make(tmp_path / "x.jfr", "events=500", "stacks=500", "children=500",
                        "symbols=500", "depth=3"))
    assert len({stack[:2] for stack in found}) == 1
    assert len({stack[2] for stack in found}) == 500
    found = stacks(make(tmp_path / "y.jfr", "events=500", "stacks=500", "symbols=300", "depth=8"))
    assert len(found) == 500
    assert len({frame for stack in found for frame in stack}) == 300


def test_kinds_and_types_are_as_many_as_asked_for(tmp_path):
    recording = make(tmp_path / "x.jfr", "events=64", "types=5", "kinds=4", "chunks=2")
    done = subprocess.run([PROGRAM, "info", "--json", recording], check=True, capture_output=True)
    info = json.loads(done.stdout)
    assert {profile["kind"] for profile in info["profiles"]} == {"cpu", "alloc", "lock", "park"}
    assert sum(profile["samples"] for profile in info["profiles"]) == 64
    assert len(info["files"][0]["chunks"]) == 2
    assert done.stdout.count(b"bench.Event") == 5


@pytest.mark.parametrize("shape, reason", (
    (["depth=0"], "depth: at least 1"), (["stacks=9", "events=9", "depth=1"], "depth: too few"),
    (["kinds=5"], "kinds: at most 4"), (["events=3", "stacks=4"], "events: too few"),
    (["width=3"], "not a number of a shape: width=3"), (["depth=x"], "not a number of a shape")))
def test_impossible_shapes_are_refused(tmp_path, shape, reason):
    done = subprocess.run([PROGRAM.parent / "make_shape", tmp_path / "x.jfr", *shape],
                          capture_output=True, text=True)
    assert done.returncode == 1
    assert reason in done.stderr


def test_all_dimensions_have_shapes_that_can_be_made(tmp_path):
    for dimension in dimensions.DIMENSIONS:
        make(tmp_path / "x.jfr", *dimension.shape(dimension.sizes[0]))
        assert all(after == 2 * before
                   for before, after in zip(dimension.sizes, dimension.sizes[1:]))


def grow(*arguments):
    return subprocess.run([sys.executable, BENCH / "growth", "--bin", PROGRAM.parent, *arguments],
                          capture_output=True, text=True)


def test_a_run_measures_and_judges(tmp_path):
    numbers = tmp_path / "growth.json"
    done = grow("kinds", "--rounds", "1", "--json", numbers, "--limit", "9")
    assert done.returncode == 0, done.stderr
    (kinds,) = json.loads(numbers.read_text())["dimensions"]
    assert kinds["sizes"] == [1, 2, 4]
    assert [command["name"] for command in kinds["commands"]] == ["stacks", "html"]
    assert all(cost > 0 for command in kinds["commands"] for cost in command["cpu_s"])


def test_a_run_fails_for_each_exponent_above_the_limit(tmp_path):
    numbers = tmp_path / "growth.json"
    done = grow("kinds", "--rounds", "1", "--json", numbers, "--limit", "0.01")
    (kinds,) = json.loads(numbers.read_text())["dimensions"]
    # What the run measured depends on the machine; what it says of that does not.
    above = [(cost, command["name"]) for command in kinds["commands"] for cost in ("cpu", "memory")
             if (command[f"{cost}_exponent"] or 0) > 0.01]
    said = [tuple(line.split()[index] for index in (2, 4)) for line in done.stdout.splitlines()
            if line.startswith("FAILED: kinds: ")]
    assert said == above
    assert done.returncode == (1 if above else 0)


def test_unknown_dimensions_are_named():
    done = grow("width")
    assert done.returncode == 2
    assert "no dimension is called width; see --list" in done.stderr
