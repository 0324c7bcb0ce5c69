"""A page with a flame graph, for files and notebooks."""

from __future__ import annotations

import html as _html
from collections.abc import Iterable

from ._files import check_output, whole_file
from ._options import Path, check_number

__all__ = ["FlameGraph"]


class FlameGraph:
    """An interactive flame graph: one HTML page without network access.

    In a notebook it shows itself, in a frame that cannot reach the notebook around it. Light or
    dark follows the system; a button of the page changes it.

    >>> import jfrtree
    >>> graph = jfrtree.open("jdk17-mixed.jfr").profile("cpu").flamegraph()
    >>> graph.html[:15]
    '<!DOCTYPE html>'
    """

    def __init__(self, html: str, title: str = "", height: int = 600) -> None:
        check_number(height, "height", 1)
        self.html = html
        """The page, complete."""
        self.title = title
        self.height = height
        """Pixels in a notebook."""
        self._inputs: tuple[bytes, ...] = ()

    @classmethod
    def _of(cls, html: str, title: str, height: int, inputs: Iterable[bytes]) -> FlameGraph:
        """One that knows the files that it was read from."""
        graph = cls(html, title, height)
        graph._inputs = tuple(inputs)
        return graph

    def save(self, path: Path) -> None:
        """Writes the page to a file, which is seen when it is whole. A recording that the page was
        made from is not overwritten. Raises IoError, UsageError."""
        check_output(path, self._inputs)
        with whole_file(path) as beside, open(beside, "x", encoding="utf-8", newline="") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        # Without allow-same-origin the page can run its scripts and reach nothing else.
        page = _html.escape(self.html, quote=True)
        title = _html.escape(self.title or "Flame graph", quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="{title}" '
            f'style="width: 100%; height: {int(self.height)}px; border: 0; color-scheme: auto" '
            'loading="lazy"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<FlameGraph {self.title!r}, {len(self.html):,} characters of HTML>"
