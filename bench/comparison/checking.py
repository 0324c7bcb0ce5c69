"""Whether a program's stacks and sums are right.

usage: python3 -m comparison.checking EXACT.jsonl WRITTEN.collapsed

The measure is what jfrtree writes without any loss (format `stacks`). That this is right in turn is
said by the JDK's own reader, which is one of the programs. Prints a JSON object.

A process of its own does this: a large one would count into the memory of all it starts.
"""

import json
import pathlib
import re
import subprocess
import sys

from comparison import measuring

# jfrconv appends how a frame ran: interpreted, compiled, inlined, native, a class.
FRAME_KIND = re.compile(r"_\[[0-9a-z]\](?=;|$)")
NO_STACK = "[no stack]"


def exact_sums(lines):
    """{stack: bytes} and the number of events, of JSON lines."""
    sums = {}
    events = 0
    for line in lines:
        row = json.loads(line)
        text = ";".join(row["stack"])
        sums[text] = sums.get(text, 0) + row["value"]
        events += row["count"]
    return sums, events


def normalized(stack):
    """The stack as jfrtree writes it."""
    stack = FRAME_KIND.sub("", stack)
    return stack if ";" in stack else f"{NO_STACK};{stack}"


def written_sums(lines):
    """{stack: bytes} of collapsed stacks."""
    sums = {}
    for line in lines:
        stack, _, number = line.rstrip("\n").rpartition(" ")
        stack = normalized(stack)
        sums[stack] = sums.get(stack, 0) + int(number)
    return sums


def compare(exact, written):
    """How the sums of a program differ from the exact ones."""
    return {
        "stacks": len(written),
        "total": sum(written.values()),
        "exact_stacks": len(exact),
        "exact_total": sum(exact.values()),
        "missing": sum(stack not in written for stack in exact),
        "invented": sum(stack not in exact for stack in written),
        "wrong": sum(stack in exact and exact[stack] != total
                     for stack, total in written.items()),
    }


def is_exact(verdict):
    return not (verdict["missing"] or verdict["invented"] or verdict["wrong"])


def check_all(jfrtree, chosen, recording, folder):
    """{name: verdict} for all programs; of one that failed: {"failed": message}.

    Raises RunError when jfrtree cannot read the recording.
    """
    exact = folder / "exact.jsonl"
    command = jfrtree.command(recording, exact)
    command[command.index("collapsed")] = "stacks"
    measuring.run(command)
    verdicts = {p.name: check(p, recording, exact, folder / "checked.collapsed") for p in chosen}
    exact.unlink()
    return verdicts


def check(program, recording, exact, output):
    try:
        measuring.run(program.command(recording, output))
    except measuring.RunError as error:
        return {"failed": str(error)}
    if not program.writes_stacks:
        return {}
    compared = subprocess.run([sys.executable, "-m", __name__, exact, output], check=True,
                              cwd=pathlib.Path(__file__).parent.parent, stdout=subprocess.PIPE)
    output.unlink()
    return json.loads(compared.stdout)


def main(exact_path, written_path):
    with pathlib.Path(exact_path).open(encoding="utf-8") as lines:
        exact, events = exact_sums(lines)
    with pathlib.Path(written_path).open(encoding="utf-8") as lines:
        written = written_sums(lines)
    print(json.dumps({**compare(exact, written), "events": events}))


if __name__ == "__main__":
    main(*sys.argv[1:])
