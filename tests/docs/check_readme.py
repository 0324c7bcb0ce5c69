"""Checks that README.md tells the truth: its C++ example is the source that the tests build, its
commands work, the files it links to exist.

Usage: check_readme.py REPOSITORY; environment: JFRTREE_PROGRAM, JFRTREE_TESTDATA.
check_readme.py REPOSITORY --update copies the source into the README instead.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
COMMAND = re.compile(r"(?:^|\| )jfrtree ")
RECORDING = re.compile(r"[\w.-]+\.jfr\b")


def commands(blocks):
    """The lines of the shell examples that run the program."""
    for language, text in blocks:
        if language == "sh":
            for line in text.replace("\\\n", " ").split("\n"):
                if COMMAND.search(line):
                    yield line.split("  #")[0].strip()


def run_commands(lines, sample):
    """Runs the commands in one fresh folder that holds every recording they name."""
    program = pathlib.Path(os.environ["JFRTREE_PROGRAM"]).resolve()
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as folder:
        for name in {name for line in lines for name in RECORDING.findall(line)}:
            shutil.copy(sample, pathlib.Path(folder) / name)
        for line in lines:
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", line], cwd=folder, env=environment,
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
            if done.returncode != 0:
                yield f"`{line}` ended with exit code {done.returncode}: {done.stderr}"


def check(root):
    text = (root / "README.md").read_text()
    blocks = BLOCK.findall(text)
    examples = [code for language, code in blocks if language == "cpp"]
    consumer = (root / "tests/consumer/main.cpp").read_text()
    if examples != [consumer]:
        yield "the C++ example is not tests/consumer/main.cpp"
    for target in LINK.findall(text):
        if not (root / target).exists():
            yield f"a link leads to {target}, which does not exist"
    lines = list(commands(blocks))
    if not lines:
        yield "no command of the README was found"
    # The recording of the demo: it has samples of the kinds that the commands ask for.
    sample = pathlib.Path(os.environ["JFRTREE_TESTDATA"]) / "jdk17-mixed.jfr"
    yield from run_commands(lines, sample)


def update(root):
    readme = root / "README.md"
    consumer = (root / "tests/consumer/main.cpp").read_text()
    head, rest = readme.read_text().split("```cpp\n", 1)
    _, tail = re.split(r"^```$", rest, maxsplit=1, flags=re.MULTILINE)
    readme.write_text(f"{head}```cpp\n{consumer}```{tail}")


def main():
    if sys.argv[2:] == ["--update"]:
        update(pathlib.Path(sys.argv[1]))
        return 0
    failures = list(check(pathlib.Path(sys.argv[1])))
    for failure in failures:
        print(f"FAILED: README.md: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
