"""Problems of the input as warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from ._errors import RecordingWarning
from ._info import Problem

# More than so many at a time would bury everything else.
MOST = 10


# Packages that read tables of this one: what they call is asked for by somebody above them.
_READERS = {
    "jfrtree", "chdb", "clickhouse_connect", "duckdb", "narwhals", "pandas", "polars", "pyarrow",
}


def _level_of_caller() -> int:
    """The stack level of the first frame that is neither of this package nor of a reader."""
    level = 1
    frame = sys._getframe(1)
    while (frame.f_back is not None
           and str(frame.f_globals.get("__name__")).partition(".")[0] in _READERS):
        level += 1
        frame = frame.f_back
    return level


def warn(problems: Iterable[Problem], known: set[str]) -> None:
    """One RecordingWarning for each problem that is not known yet."""
    fresh = [one for one in problems if not one.is_note and str(one) not in known]
    known.update(map(str, fresh))
    level = _level_of_caller()
    for problem in fresh[:MOST]:
        warnings.warn(RecordingWarning(str(problem)), stacklevel=level)
    if len(fresh) > MOST:
        text = f"{len(fresh) - MOST} more problems: recording.info.problems lists them"
        warnings.warn(RecordingWarning(text), stacklevel=level)


def warn_rows(rows: Iterable[Sequence[Any]]) -> None:
    """The same for findings as the extension module gives them."""
    warn(map(Problem._from_core, rows), set())
