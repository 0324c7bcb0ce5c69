"""Numbers of runs, as a table and as JSON."""

import json
import os
import statistics

from comparison import checking, programs

COLUMNS = ("program", "CPU min", "CPU median", "wall", "peak MB", "ratio", "stacks", "bytes",
           "sums")


def ratios(runs, base):
    """Processor time against another program's, round by round."""
    return [run.cpu_s / other.cpu_s for run, other in zip(runs, base, strict=True)]


def noise_result(first, second):
    """What the machine makes of no difference at all: one program against itself."""
    rounds = ratios(second, first)
    return {
        "ratio_median": statistics.median(rounds),
        "ratio_min": min(rounds),
        "ratio_max": max(rounds),
    }


def program_result(name, runs, base, verdict):
    """`runs` is None for a program that failed."""
    if runs is None:
        return {"name": name, **verdict}
    cpu = [run.cpu_s for run in runs]
    return {
        "name": name,
        "cpu_min_s": min(cpu),
        "cpu_median_s": statistics.median(cpu),
        "wall_median_s": statistics.median(run.wall_s for run in runs),
        "peak_kb": max(run.peak_kb for run in runs),
        "ratio": statistics.median(ratios(runs, base)),
        "cpu_s": cpu,
        "wall_s": [run.wall_s for run in runs],
        **verdict,
    }


def recording_result(recording, noise, results):
    return {
        "recording": recording.stem,
        "bytes": recording.stat().st_size,
        "same_program_twice": noise,
        "programs": results,
    }


def verdict_text(result):
    if "stacks" not in result:
        return "-"
    if checking.is_exact(result):
        return "exact"
    parts = [f"{result[key]:,} {key}" for key in ("wrong", "missing", "invented") if result[key]]
    difference = result["total"] - result["exact_total"]
    share = difference / result["exact_total"] if result["exact_total"] else 0
    return f"WRONG: {', '.join(parts)}; total {difference:+,} ({share:+.1%})"


def row(result):
    if "failed" in result:
        return [result["name"], *["-"] * 7, f"FAILED: {result['failed']}"]
    has_stacks = "stacks" in result
    return [
        result["name"],
        f"{result['cpu_min_s']:.3f}",
        f"{result['cpu_median_s']:.3f}",
        f"{result['wall_median_s']:.3f}",
        f"{result['peak_kb'] / 1024:,.0f}",
        f"{result['ratio']:.2f}",
        f"{result['stacks']:,}" if has_stacks else "-",
        f"{result['total']:,}" if has_stacks else "-",
        verdict_text(result),
    ]


def truth_text(result):
    """Whether the JDK's own reader says the same as jfrtree."""
    for program in result["programs"]:
        if program["name"] == programs.JDK_READER:
            if "failed" in program:
                return "The JDK's own reader failed: nothing confirms the exact sums."
            if checking.is_exact(program):
                return "The JDK's own reader finds the same sum for every stack."
            return "The JDK's own reader finds OTHER sums: " + verdict_text(program)
    return "The JDK's own reader did not run: nothing confirms the exact sums."


def table(result):
    rows = [COLUMNS, *map(row, result["programs"])]
    widths = [max(len(cells[i]) for cells in rows) for i in range(len(COLUMNS))]
    noise = result["same_program_twice"]
    first = result["programs"][0]
    lines = [
        "",
        f"{result['recording']}: {result['bytes'] / 1e6:,.1f} MB, {first['events']:,} allocations",
        f"jfrtree against itself: {noise['ratio_median']:.2f} "
        f"({noise['ratio_min']:.2f} to {noise['ratio_max']:.2f} in single rounds)",
        truth_text(result),
        "",
    ]
    for cells in rows:
        # Text to the left, numbers to the right.
        texts = [cell.ljust(width) if i in (0, len(COLUMNS) - 1) else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(cells, widths))]
        lines.append("  ".join(texts).rstrip())
    return "\n".join(lines)


def is_jfrtree_exact(result):
    """Whether jfrtree writes as collapsed stacks what it writes without loss, and the JDK agrees."""
    return all(checking.is_exact(program) for program in result["programs"]
               if program["name"] in (programs.JFRTREE, programs.JDK_READER)
               and "stacks" in program)


def write_json(path, rounds, results):
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "processors": len(os.sched_getaffinity(0)),
        "rounds": rounds,
        "recordings": results,
    }
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
