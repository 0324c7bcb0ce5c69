"""Runs the examples of docs/ and python/: in a ```console block each line "$ COMMAND" is run in a
folder with the recordings of testdata/ (python/: in the repository), and what follows must be
exactly what it prints. Links must lead somewhere.

Usage: check_examples.py REPOSITORY; environment: JFRTREE_PROGRAM, JFRTREE_TESTDATA.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")


def examples(text):
    """[(command, what it prints)…]"""
    found = []
    for block in BLOCK.findall(text):
        for line in block.splitlines(keepends=True):
            if line.startswith("$ "):
                found.append([line[2:].rstrip("\n"), ""])
            else:
                found[-1][1] += line
    return found


def run(command, folder):
    program = pathlib.Path(os.environ["JFRTREE_PROGRAM"]).resolve()
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=folder, env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    return done.stdout if done.returncode == 0 else f"exit code {done.returncode}: {done.stderr}"


def anchors(text):
    """The anchors that headings of a document have on a page."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def broken_links(document, text):
    for target, anchor in LINK.findall(text):
        path = document.parent / target if target else document
        if not path.exists():
            yield f"a link leads to {target}, which does not exist"
        elif anchor and path.suffix == ".md" and anchor not in anchors(path.read_text()):
            yield f"a link leads to {target}#{anchor}, which has no such heading"


def check(root, folder):
    count = 0
    documents = [*root.glob("*.md"), *(root / "docs").glob("*.md"), *(root / "python").glob("*.md")]
    for document in sorted(documents):
        text = document.read_text()
        name = document.relative_to(root)
        for command, expected in examples(text):
            count += 1
            printed = run(command, root if name.parts[0] == "python" else folder)
            if printed != expected:
                yield f"{name}: `{command}` printed\n{printed}instead of\n{expected}"
        for finding in broken_links(document, text):
            yield f"{name}: {finding}"
    if count == 0:
        yield "no example was found"


def main():
    testdata = pathlib.Path(os.environ["JFRTREE_TESTDATA"]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        for recording in testdata.glob("*.jfr"):
            (pathlib.Path(folder) / recording.name).symlink_to(recording)
        failures = list(check(pathlib.Path(sys.argv[1]), folder))
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
