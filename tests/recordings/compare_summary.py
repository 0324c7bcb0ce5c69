"""Compares the event counts of `jfrtree info --json` with those of the JDK's `jfr summary`, for
every recording that the JDK reads.

Usage: compare_summary.py PROGRAM FOLDER...; exit code 77 when there is no JDK.

`jfr summary` carries type names from chunk to chunk by their id, which is wrong where two JVMs were
joined: there it is given the chunks one by one.
"""

import collections
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from compare_events import SKIPPED, newest_jfr_tool

# Records that are no events, whatever their package: com.oracle.jdk. in format 1.0.
NO_EVENTS = {"metadata", "checkpoint"}
# All others it must read, or they would silently not be compared.
UNREADABLE = {
    "jdk17-unfinished.jfr": "a chunk that was never finished",
    "jdk25-killed.jfr": "a chunk that was never finished",
    "ocadaruma_jfrs__invalid.jfr": "100 bytes of a chunk",
    "openjdk_jmc__8u60.jfr": "format 0.9",
}
ROW = re.compile(r" *(\S+) +(\d+) +(\d+)\s*")


def counts_of_the_jdk(tool, path):
    """Number of events by type name, or None where the JDK cannot read the file."""
    done = subprocess.run([tool, "summary", path], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    counts = collections.Counter()
    for line in done.stdout.splitlines():
        row = ROW.fullmatch(line)
        if row and row[1].rpartition("jdk.")[2].lower() not in NO_EVENTS:
            counts[row[1]] += int(row[2])
    return +counts


def sum_over_chunks(tool, path, chunks, folder):
    data = path.read_bytes()
    counts = collections.Counter()
    for chunk in chunks:
        part = pathlib.Path(folder) / "chunk.jfr"
        part.write_bytes(data[chunk["offset"]:chunk["offset"] + chunk["bytes"]])
        of_chunk = counts_of_the_jdk(tool, part)
        if of_chunk is None:
            return None
        counts += of_chunk
    return counts


def plain_file(path, folder):
    data = path.read_bytes()
    if data[:2] != b"\x1f\x8b":
        return path
    plain = pathlib.Path(folder) / "plain.jfr"
    plain.write_bytes(gzip.decompress(data))
    return plain


def compare(program, tool, path, folder):
    """What differs, in words; nothing where the JDK cannot read the recording."""
    plain = plain_file(path, folder)
    done = subprocess.run([program, "info", "--json", path], capture_output=True, text=True)
    summary = json.loads(done.stdout) if done.stdout else None
    chunks = summary["files"][0]["chunks"] if summary else []
    theirs = (sum_over_chunks(tool, plain, chunks, folder) if len(chunks) > 1
              else counts_of_the_jdk(tool, plain))
    if theirs is None:
        if path.name not in UNREADABLE:
            yield "the JDK cannot read it, which is new"
        return
    if summary is None:
        yield f"read by the JDK alone: {done.stderr}"
        return
    ours = collections.Counter(summary["events"])
    for name in sorted(ours.keys() | theirs.keys()):
        if ours[name] != theirs[name]:
            yield f"{ours[name]} {name}, not {theirs[name]}"


def main():
    program = sys.argv[1]
    tool = newest_jfr_tool()
    if tool is None:
        print("SKIPPED: there is no JDK with the tool jfr")
        return SKIPPED
    paths = sorted(path for folder in map(pathlib.Path, sys.argv[2:])
                   for path in [*folder.glob("*.jfr"), *folder.glob("*.jfr.gz")])
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            differences = list(compare(program, tool, path, folder))
            failures += len(differences)
            for difference in differences[:10]:
                print(f"FAILED: {path.name}: {difference}")
    unread = [path.name for path in paths if path.name in UNREADABLE]
    print(f"{len(paths) - len(unread)} recordings compared with {tool}; it cannot read {unread}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
