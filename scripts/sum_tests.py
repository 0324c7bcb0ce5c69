"""Prints the failed and the skipped tests of JUnit files of ctest and pytest, then one line with
the sums."""

import pathlib
import sys
import xml.etree.ElementTree


def outcome(test):
    if test.get("status") is None:
        return outcome_of_pytest(test)
    # ctest writes "skipped" for a test whose program is missing as well; that is a failure.
    skipped = test.find("skipped")
    if skipped is not None and skipped.get("message", "").startswith("SKIP_"):
        return "skipped"
    # "run" is a test that passed; others are "fail", "notrun" and "disabled".
    return "passed" if test.get("status") == "run" else "failed"


def outcome_of_pytest(test):
    if test.find("failure") is not None or test.find("error") is not None:
        return "failed"
    return "passed" if test.find("skipped") is None else "skipped"


def full_name(test):
    # pytest has the file apart.
    if test.get("status") is None:
        return f"{test.get('classname')}.{test.get('name')}"
    return test.get("name")


def main(paths):
    outcomes = {"passed": [], "failed": [], "skipped": []}
    complete = True
    for path in map(pathlib.Path, paths):
        if not path.exists():
            print(f"{path} was not written: its tests did not run")
            complete = False
            continue
        for test in xml.etree.ElementTree.parse(path).iter("testcase"):
            outcomes[outcome(test)].append(full_name(test))
    print()
    for result in ("skipped", "failed"):
        for name in outcomes[result]:
            print(f"{result}: {name}")
    failed = len(outcomes["failed"])
    if not complete or not outcomes["passed"]:
        failed += 1
    print(
        f"tests: {len(outcomes['passed'])} passed, {failed} failed, "
        f"{len(outcomes['skipped'])} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
