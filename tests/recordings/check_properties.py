"""Checks on every recording what must be equal whatever the recording holds.

    one thread = several threads          a pipe = the file          gzip = plain
    the file = the sum of its chunks      convert(a + b) = convert(a) + convert(b)

Everything is compared as `stacks`, the loss-free format. Usage: check_properties.py PROPERTY PROGRAM
FOLDER...
"""

import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

# Values of other kinds hang on settings that a chunk may have from the one before it.
KINDS_WITH_OWN_VALUES = {"alloc", "lock", "park", "wait", "io", "native-mem", "pinned"}
# `live` is a state, of which the newest counts; it is no sum.
SNAPSHOT_KINDS = {"live"}
# Which of these two a sample is may hang on a setting that an earlier chunk has.
ONE_KIND = {"cpu": "cpu or wall", "wall": "cpu or wall"}


def stacks(program, *inputs, stdin=None, options=()):
    """The output, or None where the recording has no samples or cannot be read."""
    done = subprocess.run([program, "convert", *map(str, inputs), "--format", "stacks", "-q",
                           "--by-thread", *options], stdin=stdin, capture_output=True)
    return done.stdout if done.returncode in (0, 3) else None


def sums(output):
    """{(kind, thread, stack): [count, value]}, comparable with those of parts."""
    rows = collections.defaultdict(lambda: [0, 0])
    for line in (output or b"").decode().split("\n"):
        row = json.loads(line) if line else {"kind": "live"}
        if row["kind"] in SNAPSHOT_KINDS:
            continue
        kind = ONE_KIND.get(row["kind"], row["kind"])
        sum_of_row = rows[kind, row["thread"], tuple(row["stack"])]
        sum_of_row[0] += row["count"]
        if row["kind"] in KINDS_WITH_OWN_VALUES:
            sum_of_row[1] += row["value"]
    return dict(rows)


def added(*parts):
    total = collections.defaultdict(lambda: [0, 0])
    for part in parts:
        for key, (count, value) in part.items():
            total[key][0] += count
            total[key][1] += value
    return dict(total)


def one_thread_is_several_threads(program, plain, _folder):
    one = stacks(program, plain, options=["--threads", "1"])
    return all(one == stacks(program, plain, options=["--threads", number])
               for number in ("2", "5"))


def a_pipe_is_the_file(program, plain, _folder):
    with subprocess.Popen(["cat", plain], stdout=subprocess.PIPE) as cat:
        return stacks(program, plain) == stacks(program, "-", stdin=cat.stdout)


def gzip_is_plain(program, plain, folder):
    packed = folder / "packed.jfr"
    packed.write_bytes(gzip.compress(plain.read_bytes(), compresslevel=1))
    return stacks(program, plain) == stacks(program, packed)


def chunks_of(program, plain, folder):
    done = subprocess.run([program, "info", "--json", "--quick", plain], capture_output=True)
    data = plain.read_bytes()
    parts = []
    for chunk in json.loads(done.stdout)["files"][0]["chunks"] if done.stdout else []:
        part = folder / f"chunk-{chunk['offset']}.jfr"
        part.write_bytes(data[chunk["offset"]:chunk["offset"] + chunk["bytes"]])
        parts.append(part)
    return parts


def a_file_is_the_sum_of_its_chunks(program, plain, folder):
    parts = chunks_of(program, plain, folder)
    return sums(stacks(program, plain)) == added(*(sums(stacks(program, part)) for part in parts))


def converting_a_merge_is_merging_conversions(program, plain, folder, other=[]):
    """With the recording before."""
    is_equal = True
    if other:
        both = sums(stacks(program, plain, other[0]))
        is_equal = both == added(sums(stacks(program, plain)), sums(stacks(program, other[0])))
        is_equal = is_equal and stacks(program, plain, other[0]) == stacks(program, other[0], plain)
    if stacks(program, plain) is not None:
        kept = folder / "before.jfr"
        kept.write_bytes(plain.read_bytes())
        other[:] = [kept]
    return is_equal


PROPERTIES = {function.__name__: function for function in (
    one_thread_is_several_threads, a_pipe_is_the_file, gzip_is_plain,
    a_file_is_the_sum_of_its_chunks, converting_a_merge_is_merging_conversions)}


def main():
    holds, program = PROPERTIES[sys.argv[1]], sys.argv[2]
    failures = 0
    paths = sorted(path for name in map(pathlib.Path, sys.argv[3:])
                   for path in [*name.glob("*.jfr"), *name.glob("*.jfr.gz")])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in paths:
            data = path.read_bytes()
            plain = folder / "plain.jfr"
            plain.write_bytes(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
            if not holds(program, plain, folder):
                print(f"FAILED: {path.name}: not {sys.argv[1].replace('_', ' ')}")
                failures += 1
    print(f"{len(paths)} recordings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
