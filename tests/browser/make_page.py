"""Builds a flame graph page from Python data, by the same rules as the exporter.

The tests use it for pages that no recording gives: hostile names, very wide and very deep trees.
The payload is described in src/export/html_payload.hpp.
"""

import base64
import gzip
import html
import json
import struct
from dataclasses import dataclass, field
from pathlib import Path

HTML_FOLDER = Path(__file__).resolve().parents[2] / "src" / "export" / "html"


# The frame of (other) nodes, unlike a frame whose text is "(other)". Sorts behind all others.
CUT = "\U0010ffff(other)"


@dataclass
class Profile:
    """A profile made of stacks: {root-first tuple of frames: [a value per sample type]}."""

    kind: str
    stacks: dict
    sample_types: list = field(default_factory=lambda: [("samples", "count")])
    default_sample_type: int = 0
    snapshot: bool = False
    # With two sides there are twice as many values per stack: the left ones, then the right ones.
    sides: int = 1
    # Of a cut tree: its stacks, which end in CUT where they were cut, and what it was cut by. The
    # table of methods is made from `stacks`.
    tree_stacks: dict | None = None
    cut_by: dict = field(default_factory=dict)

    @property
    def columns(self):
        return self.sides * len(self.sample_types)


def varint(value):
    encoded = bytearray()
    while value >= 128:
        encoded.append(value & 127 | 128)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def column(values):
    return b"".join(map(varint, values))


def build_nodes(profile):
    """[(level, frame, selfs)…] in pre-order, children in the order of their names' bytes."""
    zeros = [0] * profile.columns
    stacks = profile.stacks if profile.tree_stacks is None else profile.tree_stacks
    nodes = [(0, "total", list(stacks.get((), zeros)))]
    previous = ()
    for stack in sorted(stacks, key=lambda names: [name.encode() for name in names]):
        shared = 0
        while shared < min(len(previous), len(stack)) and previous[shared] == stack[shared]:
            shared += 1
        for level in range(shared, len(stack)):
            nodes.append((level + 1, stack[level], list(zeros)))
        if stack:
            nodes[-1][2][:] = stacks[stack]
        previous = stack
    return nodes


def build_table(profile):
    """[(frame, selfs, totals)…]; a frame counts once per stack towards its total."""
    rows = {}
    width = profile.columns
    for stack, values in profile.stacks.items():
        for frame in dict.fromkeys(stack):
            total = rows.setdefault(frame, ([0] * width, [0] * width))[1]
            total[:] = [a + b for a, b in zip(total, values)]
        if stack:
            own = rows[stack[-1]][0]
            own[:] = [a + b for a, b in zip(own, values)]
    return [(frame, selfs, totals) for frame, (selfs, totals) in sorted(rows.items())]


def build_payload(title, profiles, notes=(), diff=None):
    numbers = {}
    body = bytearray()
    entries = []
    for profile in profiles:
        nodes = build_nodes(profile)
        table = build_table(profile)
        types = range(profile.columns)
        body += column(level for level, _, _ in nodes)
        body += column(numbers.setdefault(frame, len(numbers)) for _, frame, _ in nodes)
        for i in types:
            body += column(selfs[i] for _, _, selfs in nodes)
        body += column(numbers.setdefault(frame, len(numbers)) for frame, _, _ in table)
        for i in types:
            body += column(selfs[i] for _, selfs, _ in table)
        for i in types:
            body += column(totals[i] for _, _, totals in table)
        entries.append({
            "kind": profile.kind,
            "sampleTypes": [{"name": name, "unit": unit} for name, unit in profile.sample_types],
            "defaultSampleType": profile.default_sample_type,
            "snapshot": profile.snapshot,
            "nodes": len(nodes),
            "topRows": len(table),
            "cut": None if CUT not in (frame for _, frame, _ in nodes) else {
                "frame": numbers[CUT], "maxNodes": 0, "minWidth": 0, **profile.cut_by},
        })
    header = json.dumps({
        "version": 1,
        "title": title,
        "generator": "jfrtree tests",
        "strings": ["(other)" if name == CUT else name for name in numbers],
        "profiles": entries,
        "notes": list(notes),
        **({"diff": diff} if diff else {}),
    }).encode()
    return struct.pack("<I", len(header)) + header + bytes(body)


def assemble(title, payload):
    page = (HTML_FOLDER / "viewer.html").read_text(encoding="utf-8")
    style = (HTML_FOLDER / "viewer.css").read_text(encoding="utf-8")
    scripts = sorted((HTML_FOLDER / "viewer").glob("*.js"))
    parts = {
        "<!--TITLE-->": html.escape(title),
        "/*CSS*/": style,
        "<!--DATA-->": base64.b64encode(gzip.compress(payload, mtime=0)).decode(),
        "/*JS*/": "".join(script.read_text(encoding="utf-8") for script in scripts),
    }
    result = []
    for placeholder, text in parts.items():
        before, page = page.split(placeholder)
        result += [before, text]
    return "".join(result) + page


def write_page(path, title, profiles, notes=(), diff=None):
    """diff: of a page with two sides {"names", "spans", "comparison"}."""
    payload = build_payload(title, profiles, notes, diff)
    Path(path).write_text(assemble(title, payload), encoding="utf-8")
    return Path(path)
