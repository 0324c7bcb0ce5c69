"""How a cost grows with a size, and whether faster than it may."""

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


def too_steep(results, limit):
    """What grows faster than with the exponent `limit`, as lines."""
    for result in results:
        for command in result["commands"]:
            for cost in ("cpu", "memory"):
                exponent_found = command[f"{cost}_exponent"]
                if exponent_found is not None and exponent_found > limit:
                    yield (f"{result['name']}: {cost} of {command['name']} grows with exponent "
                           f"{exponent_found:.2f}, more than {limit}")
