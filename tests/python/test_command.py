"""The console script is the program."""

import pathlib
import signal
import subprocess
import sys

import jfrtree

SCRIPT = pathlib.Path(sys.executable).parent / "jfrtree"


def run(*arguments, **options):
    return subprocess.run([SCRIPT, *map(str, arguments)], capture_output=True, timeout=60, **options)


def test_version():
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"jfrtree {jfrtree.__version__}\n".encode())


def test_output_is_that_of_the_package(mixed):
    done = run("convert", mixed, "-p", "cpu", "--format", "collapsed")
    assert done.returncode == 0
    assert done.stdout.decode() == jfrtree.open(mixed).profile("cpu").to_collapsed()


def test_standard_input(mixed):
    done = run("top", "-", "-n", "1", "--csv", input=mixed.read_bytes())
    assert done.stdout.decode().splitlines()[0] == "frame,self,total"


def test_exit_codes(mixed, testdata, tmp_path):
    assert run("info", tmp_path / "missing.jfr").returncode == 1
    assert run("nonsense").returncode == 2
    done = run("convert", testdata / "jdk17-unfinished.jfr", "-o", tmp_path / "out.html")
    assert done.returncode == 3
    assert b"never finished" in done.stderr


def test_a_closed_output(mixed):
    command = f"'{SCRIPT}' convert '{mixed}' --format stacks | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_interrupt(testdata, tmp_path):
    import os

    os.mkfifo(tmp_path / "pipe.jfr")
    # It is ignored in what a shell runs in the background, and stays so.
    process = subprocess.Popen([SCRIPT, "info", tmp_path / "pipe.jfr"], stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        with open(tmp_path / "pipe.jfr", "wb"):  # opens when the program does
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 130
        assert process.stderr.read() == b""
    finally:
        process.kill()
