#!/usr/bin/env python3
"""Runs one golden test of the command line: a text file with commands and what they must do.

    # A line that begins with # before the first section is a comment.
    needs recording openjdk_jmc__jdk15.jfr

    --- command
    jfrtree convert $DATA/jdk17-mixed.jfr --format collapsed -o $TMP/out.txt
    --- exit 0
    --- stdout
    exact text
    --- stderr regex
    jfrtree: .*: \\d+ problems?
    --- file out.txt regex
    com/example/.* \\d+
    ...

A `command` section is a bash script (with pipefail), run in an empty folder $TMP. It begins a step;
the sections after it say what the step must do. A file may have several steps: they share $TMP.

`exit N`            the exit code; 0 when there is no such section
`stdout`, `stderr`  how the stream must look; it must be empty when there is no such section
`file PATH`         how a file, relative to $TMP, must look

Without a word after it such a section is the exact text. Empty lines at its end do not count, a
last line `\\ no newline at end` means what it says, and a line of content that begins with `--- `
or `\\` (or a last, empty one) gets a `\\` before it. Otherwise the word is one of

`regex`  every line is a regular expression that must match the whole line of the output;
         `...` stands for any number of lines, none included
`json`   the output is JSON that holds at least this: an object may have more members; an array has
         the same length, or begins so if its last element here is "..."; a string "re:X" is a
         regular expression for a string; everything else is equal
`any`    not looked at

Names: $DATA is testdata/, $RECORDINGS the folder JFRTREE_RECORDINGS, $TMP the step's folder,
$VERSION the version of the program. They work in commands and in what is expected. `jfrtree` is
the program of the build. `needs recording NAME` and `needs program NAME` skip the case (exit
code 77) when that is absent.

Usage: run_case.py [--update] FILE.case…
Environment: JFRTREE_PROGRAM, JFRTREE_TESTDATA, JFRTREE_RECORDINGS.
With --update, exit codes and exact sections that differ are rewritten in the file.
"""

import argparse
import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
TIMEOUT_SECONDS = 120
NO_NEWLINE = "\\ no newline at end"
MODES = ("exact", "regex", "json", "any")


class CaseError(Exception):
    """The case file itself is wrong."""


class Section:
    """One `--- …` line with its content."""

    def __init__(self, head, lines=()):
        self.head = head
        self.words = head.split()
        self.lines = list(lines)

    @property
    def name(self):
        return self.words[0]

    @property
    def target(self):
        """The stream or the file the section is about: ("stdout",) or ("file", "out.txt")."""
        return tuple(self.words[:2] if self.name == "file" else self.words[:1])

    @property
    def mode(self):
        rest = self.words[len(self.target):]
        mode = rest[0] if rest else "exact"
        if mode not in MODES or len(rest) > 1:
            raise CaseError(f"unknown section: --- {self.head}")
        return mode

    def content(self):
        lines = list(self.lines)
        while lines and lines[-1] == "":
            lines.pop()
        return lines

    def exact_text(self):
        lines = self.content()
        end = "\n"
        if lines and lines[-1] == NO_NEWLINE:
            lines.pop()
            end = ""
        text = "\n".join(line[1:] if line.startswith("\\") else line for line in lines)
        return text + end if lines else ""


def encode_exact(text):
    """The lines of a section whose exact_text() is text."""
    if text == "":
        return []
    lines = text.split("\n")
    newline_at_end = lines[-1] == ""
    if newline_at_end:
        lines.pop()
    encoded = ["\\" + s if s.startswith(("\\", "--- ")) else s for s in lines]
    if encoded[-1] == "":
        encoded[-1] = "\\"
    return encoded if newline_at_end else encoded + [NO_NEWLINE]


class Case:
    """A parsed case file: the lines before the first section, then steps of sections."""

    def __init__(self, text):
        self.head = []
        self.steps = []
        section = None
        for line in text.split("\n"):
            if line.startswith("--- ") and line[4:].strip():
                section = self.add(line[4:].strip())
            elif section is not None:
                section.lines.append(line)
            else:
                self.head.append(line)
        if not self.steps:
            raise CaseError("the file has no `--- command` section")

    def add(self, head):
        section = Section(head)
        if section.name == "command":
            self.steps.append([section])
        elif not self.steps:
            raise CaseError(f"--- {head}: a case begins with a command")
        elif section.name == "exit":
            if len(section.words) != 2 or not section.words[1].isdigit():
                raise CaseError(f"--- {head}: expected `exit N`")
            self.steps[-1].append(section)
        elif section.name in ("stdout", "stderr", "file"):
            if any(section.target == other.target for other in self.steps[-1]):
                raise CaseError(f"--- {head}: given twice for one command")
            section.mode  # refuses unknown words
            self.steps[-1].append(section)
        else:
            raise CaseError(f"unknown section: --- {head}")
        return section

    def needs(self):
        for line in self.head:
            if not line.strip() or line.startswith("#"):
                continue
            words = line.split()
            if len(words) != 3 or words[0] != "needs" or words[1] not in ("recording", "program"):
                raise CaseError(f"unknown line before the first section: {line}")
            yield words[1], words[2]

    def text(self):
        lines = list(self.head)
        for step in self.steps:
            for section in step:
                lines += [f"--- {section.head}", *section.lines]
        return "\n".join(lines)


class Names:
    """The $NAMES of a case and their values."""

    def __init__(self, values):
        self.values = values
        self.pattern = re.compile(r"\$(" + "|".join(values) + r")\b")

    def expand(self, text, quote=lambda value: value):
        return self.pattern.sub(lambda match: quote(self.values[match[1]]), text)

    def restore(self, text):
        for name, value in sorted(self.values.items(), key=lambda item: -len(item[1])):
            # A version is too short a text to be found by chance alone in outputs.
            if value and name != "VERSION":
                text = text.replace(value, "$" + name)
        return text


def match_regex_lines(patterns, lines):
    """Whether the lines match the patterns in order; `...` matches any number of lines."""
    reachable = {0}
    for pattern in patterns:
        if pattern == "...":
            reachable = set(range(min(reachable), len(lines) + 1)) if reachable else set()
        else:
            compiled = re.compile(pattern)
            reachable = {
                i + 1 for i in reachable if i < len(lines) and compiled.fullmatch(lines[i])
            }
    return len(lines) in reachable


def json_difference(expected, actual, where="$"):
    """None when actual holds at least what is expected, else the first place where it does not."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            if key not in actual:
                return f"{where}.{key} is missing"
            if difference := json_difference(value, actual[key], f"{where}.{key}"):
                return difference
        return None
    if isinstance(expected, list) and isinstance(actual, list):
        open_end = bool(expected) and expected[-1] == "..."
        expected = expected[:-1] if open_end else expected
        if len(actual) < len(expected) or (len(actual) > len(expected) and not open_end):
            return f"{where} has {len(actual)} elements, not {len(expected)}"
        for i, value in enumerate(expected):
            if difference := json_difference(value, actual[i], f"{where}[{i}]"):
                return difference
        return None
    if isinstance(expected, str) and expected.startswith("re:") and isinstance(actual, str):
        same = re.fullmatch(expected[3:], actual) is not None
    else:
        same = type(expected) is type(actual) and expected == actual
    return None if same else f"{where} is {actual!r}, not {expected!r}"


def check_section(section, actual, names):
    """None, or a text that says how the output differs from the section."""
    if section.mode == "any":
        return None
    if section.mode == "exact":
        expected = names.expand(section.exact_text())
        if expected == actual:
            return None
        diff = difflib.unified_diff(
            expected.split("\n"), actual.split("\n"), "expected", "actual", lineterm="")
        return "\n".join(diff)
    if section.mode == "regex":
        patterns = [names.expand(line, re.escape) for line in section.content()]
        lines = actual.split("\n")
        if lines[-1] == "":
            lines.pop()
        if match_regex_lines(patterns, lines):
            return None
        return "no match of\n" + "\n".join(patterns) + "\nwith\n" + actual
    quoted = names.expand("\n".join(section.content()), lambda value: json.dumps(value)[1:-1])
    try:
        expected = json.loads(quoted)
    except json.JSONDecodeError as error:
        raise CaseError(f"--- {section.head}: {error}") from error
    try:
        return json_difference(expected, json.loads(actual))
    except json.JSONDecodeError as error:
        return f"not JSON: {error}\n{actual}"


def read_text(path):
    # Bytes that are no UTF-8 are kept as they are, for comparison and for --update.
    return path.read_bytes().decode("utf-8", "surrogateescape")


class Run:
    """Runs the steps of a case, and collects what differs or rewrites it."""

    def __init__(self, case, names, environment, update):
        self.case = case
        self.names = names
        self.environment = environment
        self.update = update
        self.tmp = pathlib.Path(names.values["TMP"])
        self.failures = []

    def all_steps(self):
        for number, step in enumerate(self.case.steps, 1):
            before = len(self.failures)
            self.one_step(step)
            for i in range(before, len(self.failures)):
                self.failures[i] = f"step {number}, {self.failures[i]}"

    def one_step(self, step):
        script = self.names.expand("\n".join(step[0].content()))
        try:
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", script], cwd=self.tmp, env=self.environment,
                stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self.failures.append(f"{script}\nran for more than {TIMEOUT_SECONDS} s")
            return
        self.check_exit(step, done.returncode)
        for stream in ("stdout", "stderr"):
            text = getattr(done, stream).decode("utf-8", "surrogateescape")
            section = self.find(step, stream)
            if section is None and text:
                section = Section(stream)
                if self.update:
                    step.append(section)
            if section is not None:
                self.check_text(section, text)
        for section in [s for s in step if s.name == "file"]:
            path = self.tmp / section.words[1]
            if path.is_file():
                self.check_text(section, read_text(path))
            else:
                self.failures.append(f"file {section.words[1]}: was not written")

    @staticmethod
    def find(step, name):
        return next((section for section in step if section.name == name), None)

    def check_exit(self, step, code):
        section = self.find(step, "exit")
        expected = int(section.words[1]) if section else 0
        if code == expected:
            return
        if self.update:
            if section is None:
                section = Section("exit 0")
                step.insert(1, section)
            section.head = f"exit {code}"
        else:
            self.failures.append(f"exit code {code}, not {expected}")

    def check_text(self, section, text):
        difference = check_section(section, text, self.names)
        if difference is None:
            return
        if self.update and section.mode == "exact":
            section.lines = encode_exact(self.names.restore(text))
            # One empty line keeps sections apart; it does not count as content.
            section.lines.append("")
        else:
            self.failures.append(f"{' '.join(section.target)}: {difference}")


def missing(case, recordings):
    for kind, name in case.needs():
        if kind == "recording" and not (recordings / name).exists():
            return f"recording {name} is absent (JFRTREE_RECORDINGS={recordings})"
        if kind == "program" and shutil.which(name) is None:
            return f"program {name} is not installed"
    return None


def run_file(path, update):
    """Returns 0, 1 or SKIPPED, and prints what a reader needs to know."""
    program = pathlib.Path(os.environ["JFRTREE_PROGRAM"]).resolve()
    recordings = pathlib.Path(os.environ.get("JFRTREE_RECORDINGS") or "/nonexistent")
    case = Case(read_text(path))
    if reason := missing(case, recordings):
        print(f"SKIPPED: {path.name}: {reason}")
        return SKIPPED
    environment = {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": os.environ.get("HOME", "/"), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    # Settings of sanitizers apply to the program under test.
    environment |= {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
    version = subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    with tempfile.TemporaryDirectory(prefix="jfrtree-case-") as tmp:
        names = Names({
            "DATA": os.environ["JFRTREE_TESTDATA"], "RECORDINGS": str(recordings),
            "TMP": os.path.realpath(tmp), "VERSION": version})
        environment |= names.values
        run = Run(case, names, environment, update)
        run.all_steps()
    if update and (text := case.text()) != read_text(path):
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        print(f"{path.name}: rewritten, read the difference before you commit it")
    for failure in run.failures:
        print(f"FAILED: {path.name}: {failure}")
    return 1 if run.failures else 0


def main():
    parser = argparse.ArgumentParser(description="Runs golden tests of the command line.")
    parser.add_argument("--update", action="store_true", help="rewrite exact sections that differ")
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE.case")
    arguments = parser.parse_args()
    sys.stdout.reconfigure(errors="backslashreplace")
    results = set()
    for path in arguments.files:
        try:
            results.add(run_file(path, arguments.update))
        except CaseError as error:
            print(f"FAILED: {path.name}: {error}")
            results.add(1)
    if 1 in results:
        return 1
    return SKIPPED if results == {SKIPPED} else 0


if __name__ == "__main__":
    sys.exit(main())
