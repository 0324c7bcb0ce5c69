"""The programs that are compared, and how each is called."""

import dataclasses
import pathlib
import subprocess
from collections.abc import Callable

JFRTREE = "jfrtree"
JDK_READER = "JDK 17 reader"


@dataclasses.dataclass(frozen=True)
class Program:
    """One program; `command` makes its arguments of a recording and the file to write."""

    name: str
    command: Callable[[pathlib.Path, pathlib.Path], list[str]]
    writes_stacks: bool = True
    """Whether it writes collapsed stacks; a probe only reads."""


def of_jfrtree(path, *options):
    return lambda recording, output: [
        str(path), "convert", str(recording), "--quiet", "--profile", "alloc",
        "--format", "collapsed", "--no-truncated-frame", *options, "--output", str(output)]


def of_driver(*start):
    return lambda recording, output: [*map(str, start), str(recording), str(output)]


def of_probe(path):
    return lambda recording, output: [str(path), str(recording)]


def java_programs(java, peers):
    classes = peers / "java/classes"
    libraries = f"{classes}:{peers / 'java/lib'}/*"
    converter = next((peers / "java/lib").glob("jfr-converter-*.jar"), None)
    return [
        # The options of its launcher, and those that make it write what the others write.
        (Program("jfrconv", of_driver(
            java, "-Xss2M", "-jar", converter, "--alloc", "--total", "--dot", "-o", "collapsed")),
         converter),
        (Program("JDK Mission Control", of_driver(java, "-cp", libraries, "JmcPeer")), classes),
        (Program(JDK_READER, of_driver(java, "-cp", classes, "JdkPeer")), classes),
    ]


def find(binaries, peers):
    """([Program…], [(name, why it is not there)…])"""
    jfrtree = binaries / "jfrtree"
    candidates = [
        (Program(JFRTREE, of_jfrtree(jfrtree)), jfrtree),
        (Program("jfrtree --threads 1", of_jfrtree(jfrtree, "--threads", "1")), jfrtree),
    ]
    candidates += [
        (Program(f"limit: {what}", of_probe(binaries / name), writes_stacks=False),
         binaries / name)
        for name, what in (("probe_sizes", "sizes"), ("probe_fields", "fields and constants"))]
    candidates += [
        (Program(name, of_driver(peers / "bin" / driver)), peers / "bin" / driver)
        for name, driver in (("grafana/jfr-parser", "grafana-peer"), ("jfrs", "jfrs-peer"))]
    absent = []
    try:
        candidates += java_programs(find_java(), peers)
    except OSError as error:
        absent.append(("all that run on Java", str(error)))
    found = []
    for program, needed in candidates:
        if needed is not None and needed.exists():
            found.append(program)
        else:
            absent.append((program.name, "not built; run bench/peers/setup"))
    return found, absent


def find_java():
    script = pathlib.Path(__file__).resolve().parent.parent / "peers/jdk17-home"
    done = subprocess.run([script], capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError(done.stderr.strip())
    return pathlib.Path(done.stdout.strip()) / "bin/java"
