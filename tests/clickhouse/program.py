"""The program jfrtree, and what it says of recordings by itself."""

import collections
import json
import os
import pathlib
import subprocess

PROGRAM = os.environ["JFRTREE_PROGRAM"]
TESTDATA = pathlib.Path(os.environ["JFRTREE_TESTDATA"])

# What the tables hold for each stack: frames as a JSON text, so that it can be compared.
SUMS_OF_STACKS = """
SELECT kind, toJSONString(any(frames)), sum(count), sum(value)
FROM profile_samples AS samples
INNER JOIN (SELECT service, stack_hash, any(frames) AS frames FROM profile_stacks
            GROUP BY service, stack_hash) AS stacks
USING (service, stack_hash)
WHERE load_id NOT IN (SELECT load_id FROM profile_hidden_loads)
GROUP BY kind, stack_hash FORMAT JSONCompactEachRow
"""


def start(*arguments, library=None, environment=None):
    variables = {name: value for name, value in os.environ.items()
                 if not name.startswith("CLICKHOUSE_")}
    if library:
        variables["JFRTREE_LIBCHDB"] = str(library)
    variables.update(environment or {})
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=variables)


def run(*arguments, code=0, **options):
    """What the program says on standard error and output, together."""
    process = start(*arguments, **options)
    output, messages = process.communicate(timeout=120)
    assert process.returncode == code, (process.returncode, messages)
    return messages + output


def load(recording, database, *arguments, **options):
    return run("clickhouse", "load", recording, "--db", database, *arguments, **options)


def sums_of(recording, *arguments):
    """Count and value by kind and stack, by `convert --format stacks`."""
    output = run("convert", recording, "-p", "all", "--normalize", "--format", "stacks",
                 *arguments)
    sums = collections.Counter()
    for line in output.splitlines():
        if not line.startswith("{"):
            continue
        row = json.loads(line)
        stack = [] if row["stack"] == ["[no stack]"] else row["stack"]
        key = (row["kind"], json.dumps(stack, ensure_ascii=False))
        sums[key, "count"] += row["count"]
        sums[key, "value"] += row.get("value", 0)
    return sums


def stored_sums(database, factor=1):
    """The same of a database."""
    sums = collections.Counter()
    for line in database.query(SUMS_OF_STACKS).splitlines():
        kind, frames, count, value = json.loads(line)
        key = (kind, json.dumps(json.loads(frames), ensure_ascii=False))
        sums[key, "count"] += int(count) * factor
        sums[key, "value"] += int(value) * factor
    return sums
