"""Names of classes, methods and threads."""

from __future__ import annotations

import random
from typing import Literal

NameStyle = Literal["plain", "deep", "hostile"]

_PACKAGES = ("com.example.orders", "com.example.stock", "org.example.web", "java.util")
_NOUNS = ("Order", "Basket", "Stock", "Invoice", "Customer", "Payment", "Route", "Parcel")
_ROLES = ("Service", "Store", "Controller", "Reader", "Cache", "Handler")
_VERBS = ("read", "write", "find", "update", "count", "merge", "check", "load")
_ALLOCATED = (
    "byte[]",
    "int[]",
    "char[][]",
    "java.lang.String",
    "java.lang.Object[]",
    "java.lang.String[][]",
    "java.util.HashMap$Node",
)
_HOSTILE = (
    "Zürich",
    "日本",
    "Δοκιμή",
    "smile😀",
    'qu"ote',
    "it's",
    "back\\slash",
    "semi;colon",
    "</script>",
    "<b>",
    "a&amp;b",
    "tab\tin",
    "line\nbreak",
    "two  blanks",
    "ends 42",
    "__proto__",
    "toString",
    "percent%d",
    "{brace}",
)


class Names:
    """Draws names in a style. Hostile names hold no dots and brackets, which belong to Java."""

    def __init__(self, choice: random.Random, style: NameStyle) -> None:
        if style not in ("plain", "deep", "hostile"):
            raise ValueError(f"names are plain, deep or hostile, not {style!r}")
        self._choice = choice
        self._style = style
        self._classes = [self._new_class() for _ in range(40)]

    def _new_class(self) -> str:
        choose = self._choice.choice
        name = choose(_NOUNS) + choose(_ROLES)
        if self._style == "hostile" and self._choice.random() < 0.5:
            name = choose(_HOSTILE).replace("/", "∕") + choose(_ROLES)
        package = choose(_PACKAGES)
        if self._style == "deep":
            package += "." + ".".join(choose(_NOUNS).lower() for _ in range(8))
        return f"{package}.{name}"

    def class_name(self) -> str:
        return self._choice.choice(self._classes)

    def allocated_class(self) -> str:
        return self._choice.choice((*_ALLOCATED, self.class_name()))

    def method_name(self) -> str:
        choose = self._choice.choice
        kind = self._choice.random()
        if kind < 0.1:
            return "<init>"
        if kind < 0.15:
            return "<clinit>"
        if self._style == "hostile" and kind < 0.5:
            return choose(_HOSTILE)
        return choose(_VERBS) + choose(_NOUNS)

    def thread_name(self, number: int) -> str:
        if self._style == "hostile":
            return f"{self._choice.choice(_HOSTILE)}-{number}"
        return self._choice.choice(("main", "http-nio", "pool-3-thread", "worker")) + f"-{number}"
