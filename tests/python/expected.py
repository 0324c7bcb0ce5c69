"""What the JDK's own reader sees in the recordings of testdata/."""

import gzip
import json


def types(testdata, recording):
    """{event type: {"count": ..., "durationNs": ..., "weightSum": ..., "nullStack": ...}}."""
    folder = testdata / "expected" / recording
    return json.loads((folder / "counts.json").read_text(encoding="utf-8"))["types"]


def counts(testdata, recording):
    """Events by the name of their type."""
    return {name: numbers["count"] for name, numbers in types(testdata, recording).items()}


def stacks(testdata, recording, event):
    """{frames root first: (count, weight)} of an event type."""
    path = testdata / "expected" / recording / f"{event}.stacks.gz"
    result = {}
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            count, weight, *frames = line.rstrip("\n").split("\t")
            result[tuple(frames)] = (int(count), int(weight))
    return result
