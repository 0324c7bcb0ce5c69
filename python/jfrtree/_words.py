"""Messages of the library in the words of this package: it calls options as the command line does."""

from __future__ import annotations

import re as _re

_SAME = (
    "thread", "include", "exclude", "focus", "span", "thread-group", "context", "depth", "state",
    "min-duration", "compat", "format", "reverse", "max-nodes", "min-width", "sample-type", "skip",
    "value-field", "leak", "tid", "event", "title", "normalize", "database", "user", "force",
)
_OPTIONS = {
    **{name: name.replace("-", "_") for name in _SAME},
    "from": "start",
    "to": "end",
    "profile": "kind",
    "create": "create=True",
    "each-shard": "each_shard=True",
    "ca-file": "ca_file",
    "timeout": "timeout",
    "chdb-library": "chdb_library",
    "password-file": "password",
    "db": "db",
}
_OPTION = _re.compile(
    r"--limit (?P<limit>[a-z_]+)=N\b|--(?:no-)?(?P<option>" + "|".join(
        sorted(_OPTIONS, key=len, reverse=True)) + r")(?![\w=-])"
    r"|jfrtree clickhouse (?P<command>load|schema|list)\b")
_COMMANDS = {"load": "load()", "schema": "schema()", "list": "catalogue()"}


def _replace(found: _re.Match[str]) -> str:
    if found["limit"]:
        return f"limits={{'{found['limit']}': N}}"
    return _COMMANDS[found["command"]] if found["command"] else _OPTIONS[found["option"]]


def in_python(message: str, text: str) -> tuple[str, str]:
    """A message, and the line of text that ends with it, with the names of keywords."""
    made = _OPTION.sub(_replace, message)
    if made == message or not text.endswith(message):
        return made, text
    return made, text[: len(text) - len(message)] + made
