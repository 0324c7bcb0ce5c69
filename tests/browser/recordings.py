"""The program and the recordings of the tests that make pages from recordings.

Environment: JFRTREE_PROGRAM, and JFRTREE_TESTDATA unless the recordings are in testdata/.
"""

import os
import subprocess
from pathlib import Path

PROGRAM = os.environ.get("JFRTREE_PROGRAM")
REPOSITORY = Path(__file__).resolve().parents[2]
TESTDATA = Path(os.environ.get("JFRTREE_TESTDATA", REPOSITORY / "testdata"))


def convert(recording, *options):
    command = [PROGRAM, "convert", str(TESTDATA / recording), *options, "--quiet"]
    result = subprocess.run(command, check=True, capture_output=True, timeout=60)
    return result.stdout
