"""Runs nested-set rows, of profiles and of diffs, through the code of Grafana's flame graph panel.

Usage: check_panel.py PROGRAM TESTDATA RECORDINGS PACKAGE; exit code 77 without node or without the
panel's package, which `npm pack @grafana/flamegraph` gives and tests/grafana/fetch unpacks into
PACKAGE. Of what the package needs two functions are used, which stand in below: the other 600 MB
draw.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77

STAND_INS = {
    "@grafana/data": """
export const FieldType = {number: 'number', string: 'string', enum: 'enum'};
export const createTheme = () => ({});
export const getDisplayProcessor = () => (value) => ({text: String(value), numeric: value});
""",
    "lodash": """
export function groupBy(items, keyOf) {
  const groups = Object.create(null);
  for (const item of items) (groups[keyOf(item)] ??= []).push(item);
  return groups;
}
""",
}

# Names that are properties of every JavaScript object, and what breaks careless readers.
ODD_STACKS = """toString;constructor 3
toString;__proto__ 2
main;<init>;a"b\\c 1
main;<init> 4
"""


def make_modules(folder, package):
    modules = folder / "node_modules"
    for name, text in STAND_INS.items():
        module = modules / name
        module.mkdir(parents=True)
        (module / "package.json").write_text(
            json.dumps({"name": name, "type": "module", "exports": "./index.mjs"}))
        (module / "index.mjs").write_text(text)
    shutil.copytree(package, modules / "@grafana" / "flamegraph")
    shutil.copy(pathlib.Path(__file__).with_name("panel.mjs"), folder)


def write_documents(program, folder, testdata, recordings):
    """All documents, by name: [arguments]."""
    odd = folder / "odd.collapsed"
    odd.write_text(ODD_STACKS)
    other = folder / "other.collapsed"
    other.write_text("toString;constructor 1\nmain;new 5\n")
    empty = folder / "empty.collapsed"
    empty.write_text("")
    mixed17, mixed25 = testdata / "jdk17-mixed.jfr", testdata / "jdk25-mixed.jfr"
    documents = {
        "odd names": ["convert", odd],
        "odd names, reversed": ["convert", odd, "--reverse"],
        "one side empty": ["diff", empty, odd],
        "odd names on two sides": ["diff", odd, other],
        "nothing changed": ["diff", mixed17, mixed17],
        "two recordings": ["diff", mixed17, mixed25, "-p", "cpu"],
        "two recordings, allocated bytes": ["diff", mixed17, mixed25, "-p", "alloc"],
        "two recordings, cut": ["diff", mixed17, mixed25, "-p", "cpu", "--max-nodes", "8"],
        "a recording": ["convert", mixed17, "-p", "cpu"],
        "a recording, by thread and cut": ["convert", mixed17, "--by-thread", "--min-width", "2"],
    }
    large = recordings / "grafana_jfr-parser__goland-multichunk.jfr.gz"
    if large.exists():
        documents["stacks of depth 485"] = ["convert", large, "-p", "cpu"]
        documents["a large diff"] = ["diff", mixed17, large, "-p", "alloc"]
    paths = []
    for name, arguments in documents.items():
        path = folder / f"{name}.json"
        subprocess.run([program, *map(str, arguments), "--format", "nested-set-json", "-q", "-o",
                        path], check=True)
        paths.append(path)
    return paths


def main():
    program, testdata, recordings, package = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    if shutil.which("node") is None or not package.exists():
        print(f"SKIPPED: needs node, and the panel in {package}: tests/grafana/fetch gets it")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_modules(folder, package)
        paths = write_documents(program, folder, testdata, recordings)
        return subprocess.run(["node", folder / "panel.mjs", *paths]).returncode


if __name__ == "__main__":
    sys.exit(main())
