"""The command line: the same program as the one that is built from C++."""

from __future__ import annotations

import sys

from . import _core
from ._engine import find_engine


def main() -> int:
    """Runs the program with the arguments of this process; returns its exit code."""
    sys.stdout.flush()
    sys.stderr.flush()
    return _core.main(["jfrtree", *sys.argv[1:]], find_engine())


if __name__ == "__main__":
    sys.exit(main())
