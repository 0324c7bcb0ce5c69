"""Tests of the runner: it must refuse what differs, or the golden tests prove nothing."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).with_name("run_case.py")


class RunCaseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        program = self.folder / "jfrtree"
        program.write_text("#!/bin/sh\necho jfrtree 9.8.7\n")
        program.chmod(0o755)

    def run_case(self, text, *options):
        self.path = self.folder / "x.case"
        self.path.write_text(text)
        environment = {
            **os.environ, "JFRTREE_PROGRAM": str(self.folder / "jfrtree"),
            "JFRTREE_TESTDATA": "/data", "JFRTREE_RECORDINGS": str(self.folder)}
        done = subprocess.run(
            [sys.executable, RUNNER, *options, self.path], env=environment,
            capture_output=True, text=True)
        self.output = done.stdout + done.stderr
        return done.returncode

    def assert_case(self, expected, text):
        self.assertEqual(self.run_case(text), expected, self.output)

    def test_exact_output(self):
        self.assert_case(0, "--- command\necho a; echo\n--- stdout\na\n\\\n\n")
        self.assert_case(1, "--- command\necho a; echo\n--- stdout\na\n")
        self.assert_case(0, "--- command\nprintf a\n--- stdout\na\n\\ no newline at end\n")
        self.assert_case(1, "--- command\nprintf a\n--- stdout\na\n")

    def test_output_that_is_not_expected_fails(self):
        self.assert_case(1, "--- command\necho a\n")
        self.assert_case(1, "--- command\necho a >&2\n--- stdout\n")
        self.assert_case(0, "--- command\necho a >&2\n--- stderr any\n")

    def test_exit_code(self):
        self.assert_case(0, "--- command\nexit 3\n--- exit 3\n")
        self.assert_case(1, "--- command\nexit 3\n")
        self.assert_case(1, "--- command\nfalse | true\n")
        self.assert_case(1, "--- command\ntrue\n--- exit 3\n")

    def test_regex_lines(self):
        command = "--- command\nseq 5\n--- stdout regex\n"
        self.assert_case(0, command + "1\n...\n[45]\n5\n")
        self.assert_case(0, command + "...\n")
        self.assert_case(1, command + "1\n...\n6\n")
        self.assert_case(1, command + "1\n2\n3\n4\n")

    def test_json_subset(self):
        command = """--- command\necho '{"a": [1, {"b": "xy", "c": null}], "d": 2}'\n"""
        for expected, text in [
            (0, '{"a": [1, {"b": "re:x."}]}'), (0, '{"a": [1, "..."]}'), (1, '{"a": [1]}'),
            (1, '{"a": [1, {"b": "re:x"}]}'), (1, '{"d": true}'), (1, '{"e": null}'),
            (1, '{"d": 2.0}'), (1, "{d}"),
        ]:
            with self.subTest(text):
                self.assert_case(expected, f"{command}--- stdout json\n{text}\n")

    def test_names_and_program(self):
        self.assert_case(
            0, "--- command\njfrtree --version; echo $DATA/x; pwd\n"
            "--- stdout\njfrtree $VERSION\n$DATA/x\n$TMP\n")
        self.assert_case(0, "--- command\necho $DATA/x\n--- stdout regex\n$DATA/.\n")

    def test_files_are_shared_by_the_steps(self):
        self.assert_case(
            0, "--- command\necho a > f\n--- file f\na\n--- command\ncat f\n--- stdout\na\n")
        self.assert_case(1, "--- command\ntrue\n--- file f any\n")

    def test_needs(self):
        self.assert_case(77, "needs recording absent.jfr\n--- command\nfalse\n")
        self.assert_case(1, "needs recording jfrtree\n--- command\nfalse\n")
        self.assert_case(77, "needs program no-such-program\n--- command\nfalse\n")

    def test_wrong_files_are_refused(self):
        for text in [
            "", "--- stdout\na\n", "need x\n--- command\ntrue\n", "--- command\ntrue\n--- exit\n",
            "--- command\ntrue\n--- stdout regexp\n", "--- command\ntrue\n--- output\n",
            "--- command\necho\n--- stdout any\n--- stdout\n",
        ]:
            with self.subTest(text):
                self.assert_case(1, text)

    def test_update(self):
        before = "# c\n--- command\necho $DATA/1; echo '--- x'; printf '\\\\'; exit 2\n"
        self.assertEqual(self.run_case(before, "--update"), 0, self.output)
        after = self.path.read_text()
        self.assertIn("--- exit 2\n--- stdout\n$DATA/1\n\\--- x\n\\\\\n\\ no newline", after)
        self.assert_case(0, after)
        self.assertEqual(self.run_case(after, "--update"), 0, self.output)
        self.assertEqual(self.path.read_text(), after)


if __name__ == "__main__":
    unittest.main()
