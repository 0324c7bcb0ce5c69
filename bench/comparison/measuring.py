"""Runs programs by turns and measures what each run needed."""

import dataclasses
import os
import pathlib
import random
import subprocess
import time


class RunError(Exception):
    """A program did not end well."""


@dataclasses.dataclass(frozen=True)
class Run:
    cpu_s: float
    """Processor time of the process and its threads, user and system."""
    wall_s: float
    peak_kb: int
    """The most memory it held. Never less than this script held when it started the program."""


def run(command):
    """Runs a command to its end. Raises RunError unless its exit code is 0."""
    started = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as process:
        messages = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        lines = messages.decode(errors="replace").strip().splitlines()
        raise RunError(f"{pathlib.Path(command[0]).name}: exit code {process.returncode}: {lines[-1] if lines else 'no message'}")
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss)


def orders(names, rounds):
    """One order of the names for each round: shuffled, but the same every time."""
    for number in range(rounds):
        order = list(names)
        random.Random(number).shuffle(order)
        yield order


def measure(programs, recording, rounds, folder):
    """{name: [Run of each round]}; `programs` is {name: Program}."""
    runs = {name: [] for name in programs}
    output = folder / "measured.collapsed"
    for order in orders(programs, rounds):
        for name in order:
            runs[name].append(run(programs[name].command(recording, output)))
            output.unlink(missing_ok=True)
    return runs
