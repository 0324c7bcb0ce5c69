"""Checks the rules on which code may know which: the layers, the public headers, short files.

Usage: check_structure.py REPOSITORY
"""

import pathlib
import re
import sys

LAYERS = ["io", "format", "profile", "export", "clickhouse", "cli"]
# Folders of a layer, in the order in which they may use each other.
PARTS = {"clickhouse": ["rows", "tree", "connection", "schema", "load", "follow", "query",
                        "dashboard"]}
PRIVATE_DEPENDENCIES = re.compile(r"^(tsl/|zstd|lz4|zlib|CLI/|re2/|nlohmann/|doctest/)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
OF_THE_PROGRAM = ("cli/run.hpp", "cli/available_cores.hpp")
MAX_LINES = 400
TEST_NAME = re.compile(r'TEST_CASE\(\s*"([^"]*)"')


def includes(path):
    return [(kind == "<", name) for kind, name in INCLUDE.findall(path.read_text())]


def check_public_header(path, root):
    for angled, name in includes(path):
        if PRIVATE_DEPENDENCIES.match(name):
            yield f"public header includes the private dependency <{name}>"
        if not angled or (root / "src" / name).exists():
            yield f"public header includes the private header {name}"


def check_source(path, root):
    layer, *inside = path.relative_to(root / "src").parts
    if layer not in LAYERS:
        yield f"src/{layer} is no layer"
        return
    if layer in PARTS:
        yield from check_part(path, layer, inside[0])
    for _, name in includes(path):
        other = name.split("/")[0]
        if other not in LAYERS or other == layer:
            continue
        if layer == "cli":
            yield f"includes {name}: the program includes public headers alone"
        elif LAYERS.index(other) > LAYERS.index(layer):
            yield f"includes {name}: {layer} comes before {other}"


def check_part(path, layer, part):
    order = PARTS[layer]
    if part not in order:
        yield f"src/{layer}/{part} is none of the parts {', '.join(order)}"
        return
    for _, name in includes(path):
        folder, _, rest = name.partition("/")
        other = rest.partition("/")[0]
        if folder == layer and order.index(other) > order.index(part):
            yield f"includes {name}: {part} comes before {other}"


def check_bindings(path, root):
    """The extension module stands on the public headers, and runs the program."""
    for _, name in includes(path):
        allowed = name in OF_THE_PROGRAM or (path.parent / name).exists()
        if not allowed and (root / "src" / name).exists():
            yield f"includes {name}: the bindings include public headers alone"


def check_unit_tests(root):
    """A file that no list names is never built, and nobody would miss it."""
    for path in sorted((root / "tests" / "cpp").rglob("*_test.cpp")):
        if path.name not in (path.parent / "CMakeLists.txt").read_text().split():
            yield f"{path.relative_to(root)}: is not in the CMakeLists.txt of its folder"
        for name in TEST_NAME.findall(path.read_text()):
            if ";" in name:
                yield f"{path.relative_to(root)}: ctest would cut the name at its ';': {name}"


def check(root):
    yield from check_unit_tests(root)
    headers = sorted((root / "include").rglob("*.hpp"))
    sources = sorted(p for p in (root / "src").rglob("*") if p.suffix in (".hpp", ".cpp"))
    if not headers or not sources:
        yield f"{root} holds no sources"
    bindings = sorted(p for p in (root / "python/src").iterdir() if p.suffix in (".hpp", ".cpp"))
    for path in headers + sources + bindings:
        checks = (check_public_header if path in headers else
                  check_bindings if path in bindings else check_source)
        findings = list(checks(path, root))
        lines = len(path.read_text().splitlines())
        if lines > MAX_LINES:
            findings.append(f"{lines} lines, more than {MAX_LINES}")
        if path.suffix == ".hpp" and "#pragma once" not in path.read_text():
            findings.append("header without #pragma once")
        for finding in findings:
            yield f"{path.relative_to(root)}: {finding}"


def main():
    findings = list(check(pathlib.Path(sys.argv[1])))
    for finding in findings:
        print(f"FAILED: {finding}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
