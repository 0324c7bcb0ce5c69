"""How a cost grows with a size."""

import math

LAST_DOUBLINGS = 2


def exponent(sizes, costs, start, floor):
    """The k of cost = c * size^k over the last two doublings, without what a run costs anyway.

    None where the cost grows by less than `floor` there: that may be anything, and is little.
    """
    first = max(0, len(sizes) - 1 - LAST_DOUBLINGS)
    before, after = costs[first] - start, costs[-1] - start
    if after - before < floor:
        return None
    # What the smaller size costs is at least a part of the floor, or nothing could be divided.
    return math.log(after / max(before, floor / 8)) / math.log(sizes[-1] / sizes[first])
