"""bench/compare: its arithmetic on numbers made by hand, its verdicts, a run on a small recording."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

from comparison import checking, measuring, programs, reporting  # noqa: E402

EXACT = {"a;b;byte[]": 30, "a;c;int[]": 12}


def runs(*cpu, wall=1.0, peak=1000):
    return [measuring.Run(seconds, wall, peak) for seconds in cpu]


def test_ratio_is_taken_round_by_round():
    # The machine was twice as slow in the last round, for both.
    assert reporting.ratios(runs(1.0, 3.0, 4.0), runs(0.5, 1.0, 2.0)) == [2.0, 3.0, 2.0]


def test_ratio_needs_the_same_rounds():
    with pytest.raises(ValueError):
        reporting.ratios(runs(1.0), runs(1.0, 2.0))


def test_numbers_of_a_program():
    measured = [measuring.Run(4.0, 9.0, 100), measuring.Run(1.0, 2.0, 300),
                measuring.Run(2.0, 5.0, 200)]
    result = reporting.program_result("x", measured, runs(1.0, 1.0, 4.0), {})
    assert result["cpu_min_s"] == 1.0
    assert result["cpu_median_s"] == 2.0
    assert result["wall_median_s"] == 5.0
    assert result["peak_kb"] == 300
    assert result["ratio"] == 1.0  # of 4, 1 and 0.5
    assert result["cpu_s"] == [4.0, 1.0, 2.0]


def test_median_of_an_even_number_is_in_the_middle():
    result = reporting.program_result("x", runs(1.0, 2.0, 5.0, 9.0), runs(1.0, 1.0, 1.0, 1.0), {})
    assert result["cpu_median_s"] == 3.5
    assert result["ratio"] == 3.5


def test_noise_of_a_program_against_itself():
    noise = reporting.noise_result(runs(1.0, 2.0, 4.0), runs(1.5, 2.0, 3.0))
    assert noise == {"ratio_median": 1.0, "ratio_min": 0.75, "ratio_max": 1.5}


def test_exact_sums_of_json_lines():
    lines = [
        '{"kind":"alloc","stack":["a","b","byte[]"],"count":2,"value":30}',
        '{"kind":"alloc","stack":["a","c","int[]"],"count":5,"value":12}',
    ]
    assert checking.exact_sums(lines) == (EXACT, 7)


def test_written_sums_of_collapsed_stacks():
    lines = ["a;b;byte[] 10\n", "a;b c;byte[] 5\n", "a;b;byte[] 20\n"]
    assert checking.written_sums(lines) == {"a;b;byte[]": 30, "a;b c;byte[]": 5}


def test_frame_kinds_of_jfrconv_are_left_off():
    lines = ["a_[0];b_[j];byte[]_[k] 10", "a_[j];b_[1];byte[]_[i] 20", "java.lang.Thread_[i] 7"]
    assert checking.written_sums(lines) == {
        "a;b;byte[]": 30, "[no stack];java.lang.Thread": 7}


def test_verdict_counts_what_differs():
    verdict = checking.compare(EXACT, {"a;b;byte[]": 31, "x;y": 1})
    assert verdict == {"stacks": 2, "total": 32, "exact_stacks": 2, "exact_total": 42,
                       "missing": 1, "invented": 1, "wrong": 1}
    assert not checking.is_exact(verdict)
    # 10 of 42 bytes are gone.
    assert reporting.verdict_text(verdict) == (
        "WRONG: 1 wrong, 1 missing, 1 invented; total -10 (-23.8%)")


def test_equal_totals_do_not_hide_wrong_stacks():
    verdict = checking.compare(EXACT, {"a;b;byte[]": 29, "a;c;int[]": 13})
    assert verdict["total"] == verdict["exact_total"]
    assert not checking.is_exact(verdict)


def test_equal_sums_are_exact():
    assert reporting.verdict_text(checking.compare(EXACT, dict(EXACT))) == "exact"


def recording_result(reader_sums):
    results = [
        {**reporting.program_result(name, runs(1.0), runs(1.0), checking.compare(EXACT, sums)),
         "events": 7}
        for name, sums in ((programs.JFRTREE, EXACT), (programs.JDK_READER, reader_sums))]
    results.append({"name": "broken", "failed": "no such file"})
    return {"recording": "r", "bytes": 1_500_000, "programs": results,
            "same_program_twice": reporting.noise_result(runs(1.0), runs(1.1))}


def test_table_says_who_confirms_the_sums_and_who_failed():
    result = recording_result(EXACT)
    table = reporting.table(result)
    assert "r: 1.5 MB, 7 allocations" in table
    assert "jfrtree against itself: 1.10 (1.10 to 1.10 in single rounds)" in table
    assert "finds the same sum for every stack" in table
    assert "FAILED: no such file" in table
    assert reporting.is_jfrtree_exact(result)


def test_table_says_when_the_jdk_disagrees():
    result = recording_result({**EXACT, "a;c;int[]": 13})
    assert "finds OTHER sums: WRONG: 1 wrong" in reporting.table(result)
    assert not reporting.is_jfrtree_exact(result)


def test_every_round_runs_each_program_once():
    names = ["a", "b", "c", "d"]
    orders = list(measuring.orders(names, 9))
    assert len(orders) == 9
    assert all(sorted(order) == names for order in orders)
    assert len({tuple(order) for order in orders}) > 3
    assert orders == list(measuring.orders(names, 9))


def test_a_run_is_measured():
    asleep = measuring.run(["sleep", "0.3"])
    assert asleep.wall_s >= 0.3
    assert asleep.cpu_s < 0.15
    busy = measuring.run([sys.executable, "-c", "x = bytearray(b\"x\") * 200_000_000"])
    assert busy.cpu_s > 0
    assert busy.peak_kb > 195_000


def test_a_run_that_fails_says_why():
    with pytest.raises(measuring.RunError, match="sh: exit code 3: out of luck"):
        measuring.run(["sh", "-c", "echo out of luck >&2; exit 3"])


def test_no_recording_is_an_error(tmp_path):
    done = subprocess.run(
        [sys.executable, BENCH / "compare", tmp_path / "absent.jfr",
         "--bin", pathlib.Path(os.environ["JFRTREE_PROGRAM"]).parent],
        capture_output=True, text=True)
    assert done.returncode == 1
    assert "compare: " in done.stderr and "absent.jfr: jfrtree: exit code 1" in done.stderr


def test_small_recording(tmp_path):
    target = tmp_path / "compare.json"
    recording = pathlib.Path(os.environ["JFRTREE_TESTDATA"]) / "jdk17-mixed.jfr"
    done = subprocess.run(
        [sys.executable, BENCH / "compare", recording, "--rounds", "2", "--json", target,
         "--bin", pathlib.Path(os.environ["JFRTREE_PROGRAM"]).parent, "--peers", tmp_path,
         "--programs", "jfrtree --threads 1,limit: sizes"],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "left out: jfrs: not built; run bench/peers/setup" in done.stdout
    assert "nothing confirms the exact sums" in done.stdout
    (result,) = json.loads(target.read_text())["recordings"]
    jfrtree, one_thread, probe = result["programs"]
    # The sums of testdata/README.md: 1,908 events in thread buffers and 135 outside.
    for program in (jfrtree, one_thread):
        assert program["events"] == 1908 + 135
        assert program["total"] == 1_243_862_624 + 18_637_096
        assert checking.is_exact(program)
        assert len(program["cpu_s"]) == 2
    assert "stacks" not in probe
    assert probe["peak_kb"] > 0
