"""The hottest methods of a recording: top_methods.py RECORDING [KIND]"""

import sys

import jfrtree

profile = jfrtree.open(sys.argv[1]).profile(*sys.argv[2:3])
print(f"{profile.kind}: {profile.count} samples")
for row in profile.top(5):
    print(f"{row['self_share']:6.1%}  {row['frame']}")
