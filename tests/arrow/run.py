"""Makes a virtual environment with what reads Arrow files, then compares what that reads.

Usage: run.py ENVIRONMENT PROGRAM TESTDATA RECORDINGS; exit code 77 when the packages cannot be
installed. The folder ENVIRONMENT is kept and used again while requirements.txt stays the same.
"""

import pathlib
import shutil
import subprocess
import sys
import venv

SKIPPED = 77
HERE = pathlib.Path(__file__).parent


def install(folder):
    """The Python of the environment, or None where the packages cannot be had."""
    python = folder / "bin" / "python"
    requirements = (HERE / "requirements.txt").read_text()
    done = folder / "installed.txt"
    if done.is_file() and done.read_text() == requirements:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    result = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "--only-binary", ":all:", "-r", HERE / "requirements.txt"],
        capture_output=True, text=True)
    if result.returncode != 0:
        print(result.stderr[-2000:])
        return None
    done.write_text(requirements)
    return python


def main():
    folder = pathlib.Path(sys.argv[1])
    try:
        python = install(folder)
    except (OSError, subprocess.SubprocessError) as error:
        print(error)
        python = None
    if python is None:
        print("skipped: pyarrow, polars, pandas and duckdb cannot be installed here")
        return SKIPPED
    return subprocess.run([python, HERE / "check_readers.py", *sys.argv[2:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
