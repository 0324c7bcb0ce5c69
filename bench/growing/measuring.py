"""Runs jfrtree by the launcher and takes what each run needed."""

import pathlib
import subprocess

KB_PER_MB = 1024


class RunError(Exception):
    """A program did not end well."""


def run(launch, command, folder):
    """Seconds of processor time and peak memory in MB of a command. Raises RunError unless its
    exit code is 0."""
    numbers = folder / "needed"
    done = subprocess.run([launch, numbers, *command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace")
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise RunError(f"{pathlib.Path(command[0]).name}: exit code {done.returncode}: {lines[-1]}")
    cpu_s, peak_kb = numbers.read_text().split()
    return float(cpu_s), int(peak_kb) / KB_PER_MB


def measure(programs, commands, recordings, rounds, folder):
    """{command name: [(seconds, MB) by recording]}, of several runs the least of both: other work
    of the machine only ever adds. Round by round, so that a slow minute hits all sizes."""
    runs = {command.name: [[] for _ in recordings] for command in commands}
    for _ in range(rounds):
        for command in commands:
            for of_size, recording in zip(runs[command.name], recordings):
                line = command.line(programs / "jfrtree", recording)
                of_size.append(run(programs / "launch", line, folder))
    return {name: [tuple(map(min, zip(*of_size))) for of_size in by_size]
            for name, by_size in runs.items()}
