"""Profiles small enough to work out every expected number by hand."""

from make_page import Profile

# total 100: Main 80 (parse 30, print 50), [worker] 20.
SMALL = {
    ("app.Main.run", "app.Main.parse"): [30],
    ("app.Main.run", "app.Main.print"): [50],
    ("[worker]",): [20],
}

# Samples: 10 in all, 3 + 6 + 1. Bytes: 1 MiB in all, 512 KiB + 256 KiB + 256 KiB.
ALLOCATIONS = {
    ("app.Main.run", "app.Buffer.grow", "byte[]"): [3, 512 * 1024],
    ("app.Main.run", "java.lang.String.concat", "java.lang.String"): [6, 256 * 1024],
    ("app.Main.start",): [1, 256 * 1024],
}
ALLOCATION_TYPES = [("alloc_objects", "count"), ("alloc_space", "bytes")]

# The method "walk" calls itself: its stacks are 4 + 2 + 1 = 7 of 10, however often it recurs.
RECURSION = {
    ("t.Tree.walk",): [4],
    ("t.Tree.walk", "t.Tree.walk"): [2],
    ("t.Tree.walk", "t.Node.visit", "t.Tree.walk"): [1],
    ("t.Node.visit",): [3],
}


def cpu_profile(stacks=None):
    return Profile("cpu", stacks or SMALL, [("cpu_samples", "count")])


def alloc_profile():
    return Profile("alloc", ALLOCATIONS, ALLOCATION_TYPES, default_sample_type=1)
