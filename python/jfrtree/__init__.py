"""Java Flight Recorder recordings as profiles, call trees, flame graphs and tables.

>>> import jfrtree
>>> recording = jfrtree.open("jdk17-mixed.jfr")
>>> profile = recording.profile("lock")
>>> profile.top(1).to_pylist()[0]["frame"]
'com.example.orders.Inventory'
"""

from __future__ import annotations

from . import _core
from . import clickhouse as clickhouse
from ._comparison import Comparison, diff, merge
from ._errors import (
    DatabaseError,
    Error,
    FormatError,
    IoError,
    LimitError,
    ProfileNotFound,
    RecordingWarning,
    UsageError,
)
from ._flamegraph import FlameGraph
from ._info import (
    ChunkInfo,
    EventField,
    EventType,
    FileInfo,
    Format,
    Kind,
    LeftOut,
    Limit,
    Problem,
    ProfileInfo,
    RecordingInfo,
    SampleType,
    Setting,
)
from ._profile import Profile
from ._recording import Recording, open
from ._sql import sql
from ._table import EventTable, Table

__version__: str = _core.__version__

kinds: tuple[Kind, ...] = tuple(Kind(*row) for row in _core.kinds)
"""The profile kinds, in the order in which a default is looked for."""

formats: tuple[Format, ...] = tuple(
    Format(name, tuple(endings), text, several) for name, endings, text, several in _core.formats
)
"""The formats of `Profile.write`."""

diff_formats: tuple[Format, ...] = tuple(
    Format(name, tuple(endings), text, several)
    for name, endings, text, several in _core.diff_formats
)
"""The formats of `Comparison.write`."""

limits: tuple[Limit, ...] = tuple(Limit(*row) for row in _core.limits)
"""The limits that `open` takes, with their defaults."""

__all__ = [
    "ChunkInfo",
    "Comparison",
    "DatabaseError",
    "Error",
    "EventField",
    "EventTable",
    "EventType",
    "FileInfo",
    "FlameGraph",
    "Format",
    "FormatError",
    "IoError",
    "Kind",
    "LeftOut",
    "Limit",
    "LimitError",
    "Problem",
    "Profile",
    "ProfileInfo",
    "ProfileNotFound",
    "Recording",
    "RecordingInfo",
    "RecordingWarning",
    "SampleType",
    "Setting",
    "Table",
    "UsageError",
    "diff",
    "diff_formats",
    "formats",
    "kinds",
    "limits",
    "merge",
    "open",
    "sql",
]


def _belong_here() -> None:
    """Names in messages are those that users import."""
    for name in __all__:
        thing = globals()[name]
        if not isinstance(thing, tuple):
            thing.__module__ = __name__


_belong_here()
