"""Tables read by the embedded ClickHouse of the package chdb."""

import subprocess
import sys

import pytest

import jfrtree

pytest.importorskip("chdb")

# In a process of its own: the engine keeps threads and signal handlers.
SCRIPT = """
import sys
import chdb
import jfrtree

recording = jfrtree.open(sys.argv[1])
samples = recording.profile("alloc").samples
stacks = recording.profile("alloc").stacks
parks = recording.events("jdk.ThreadPark")
print(chdb.query("SELECT count(), sum(count), sum(value) FROM Python(samples)", "CSV"), end="")
print(chdb.query("SELECT count() FROM Python(stacks) WHERE frames[-1] = 'byte[]'", "CSV"), end="")
print(chdb.query("SELECT count(), sum(toInt64(duration)) FROM Python(parks)", "CSV"), end="")
"""


def test_chdb_reads_tables_without_a_copy_in_between(mixed):
    run = subprocess.run([sys.executable, "-c", SCRIPT, mixed], capture_output=True, text=True,
                         check=True)
    recording = jfrtree.open(mixed)
    alloc = recording.profile("alloc")
    of_bytes = sum(stack[-1] == "byte[]" for stack, _, _ in alloc)
    park = recording.profile("park")
    lines = [line for line in run.stdout.splitlines() if line]
    assert lines == [f"{len(alloc)},{alloc.count},{alloc.total}", str(of_bytes),
                     f"{park.count},{park.total}"]
