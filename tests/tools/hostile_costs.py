"""Runs the program on every hostile recording: the exit code, the time and the memory.

usage: hostile_costs.py MAKE_RECORDING    the program is $JFRTREE_PROGRAM

Each run ends with the exit code that belongs to the outcome the catalogue names, within one second
of processor time and 200 MB.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

EXIT_CODES = {"fine": 0, "problem": 3, "error": 1}
MAX_SECONDS = 1.0
MAX_KILOBYTES = 200_000
COMMANDS = (
    ["info", "--json"],
    ["convert", "--format", "stacks"],
    ["convert", "--format", "tree", "--by-thread", "--lines"],
)


def run(command):
    """Exit code (negative: a signal), seconds of processor time, most kilobytes in memory."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def faults_of(name, expected, code, seconds, kilobytes):
    # A recording that can be read but has no samples has no profile to write.
    allowed = {EXIT_CODES[outcome] for outcome in expected.split("|")} | {1}
    if name == "info" and expected != "error":
        allowed = {EXIT_CODES[outcome] for outcome in expected.split("|")}
    if code not in allowed:
        yield f"exit code {code}, expected {expected}"
    if seconds > MAX_SECONDS:
        yield f"{seconds:.2f} s of processor time"
    if kilobytes > MAX_KILOBYTES:
        yield f"{kilobytes} kB"


def main(make_recording):
    program = os.environ["JFRTREE_PROGRAM"]
    listing = subprocess.run(
        [make_recording, "--list"], check=True, capture_output=True, text=True).stdout
    failures = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "hostile.jfr")
        for line in listing.splitlines():
            name, expected, _ = line.split("\t", 2)
            subprocess.run([make_recording, name, path], check=True)
            for command in COMMANDS:
                code, seconds, kilobytes = run([program, command[0], path, *command[1:]])
                runs += 1
                for fault in faults_of(command[0], expected, code, seconds, kilobytes):
                    print(f"{name}: {' '.join(command)}: {fault}")
                    failures += 1
    print(f"{runs} runs, {failures} failures")
    return 1 if failures or not runs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
