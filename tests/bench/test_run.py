"""bench/run: its table from numbers made by hand, with a program that stands for a benchmark."""

import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess

import pytest

RUN = pathlib.Path(__file__).resolve().parents[2] / "bench" / "run"

loader = importlib.machinery.SourceFileLoader("bench_run", str(RUN))
bench_run = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_run", loader))
loader.exec_module(bench_run)


def entry(name, cpu_time, **more):
    return {"name": name, "run_name": name, "run_type": "iteration", "cpu_time": cpu_time,
            "time_unit": "us", "items_per_second": 2e6, "bytes_per_second": 3.5e9, **more}


@pytest.mark.parametrize("number, text", (
    (0, "0"), (12.34, "12.3"), (999.4, "999"), (999.6, "1 k"), (45_600, "45.6 k"),
    (1_234_567, "1.23 M"), (7.5e9, "7.5 G")))
def test_three_digits_and_a_prefix(number, text):
    assert bench_run.scaled(number) == text


def test_the_fastest_round_counts():
    rounds = [entry("a", 5), entry("a", 3), entry("a", 4), entry("b", 9),
              entry("a", 1, run_type="aggregate")]
    best = bench_run.fastest(rounds)
    assert list(best) == ["a", "b"]
    assert best["a"]["cpu_time"] == 3


def test_a_benchmark_that_gave_up_is_an_error():
    with pytest.raises(SystemExit, match="a: numbers are missing"):
        bench_run.fastest([entry("a", 1, error_occurred=True, error_message="numbers are missing")])


def test_a_row_is_computed_from_processor_time():
    row = bench_run.row("layer", "name", entry("name", 1234.5))
    assert row.split() == ["layer", "name", "1,234.5", "500.00", "2", "M", "3.5", "GB"]


def test_the_filter_of_clickhouse_is_measured_beside_its_limits(tmp_path):
    """Each program is a script that answers with what it stands for."""
    (tmp_path / "bin").mkdir()
    for layer in bench_run.PROGRAMS:
        names = (("copy_strings", 4), ("tree_of_strings", 40)) if layer == "clickhouse_tree" else ()
        answer = json.dumps({"benchmarks": [entry(name, time) for name, time in names]})
        program = tmp_path / "bin" / f"bench_{layer}"
        program.write_text(f"#!/bin/sh\necho '{answer}' >\"${{1#--benchmark_out=}}\"\n")
        program.chmod(0o755)
    done = subprocess.run([RUN, "--build", tmp_path], capture_output=True, text=True, check=True)
    assert [line.split()[:3] for line in done.stdout.splitlines()[1:]] == [
        ["clickhouse_tree", "copy_strings", "4.0"], ["clickhouse_tree", "tree_of_strings", "40.0"]]


def test_a_program_that_fails_is_named(tmp_path):
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "bench_varint"
    program.write_text("#!/bin/sh\necho no such option >&2\nexit 1\n")
    program.chmod(0o755)
    done = subprocess.run([RUN, "--build", tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    assert "no such option" in done.stderr
    assert "bench_varint ended with 1" in done.stderr
