"""Recordings to test with: valid, random, and of known contents.

Programs that read profiles can be tested with recordings whose sums are known before anything
reads them::

    from jfrtree import testing

    recording = testing.random_recording(seed=1, kinds=["cpu", "alloc"], names="hostile")
    recording.write("random.jfr")
    expected = recording.stacks("alloc")   # {("com.example.Main.run", ..., "byte[]"): Sums(...)}

Nothing here needs the reader: the module writes the format by itself.
"""

from ._names import NameStyle
from ._recording import KINDS, Recording, Sample, Sums, random_recording

__all__ = ["KINDS", "NameStyle", "Recording", "Sample", "Sums", "random_recording"]
