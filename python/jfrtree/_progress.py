"""Bars that show how far reading is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._options import Progress

# A bar appears only when reading takes longer, and is drawn so often at most.
DELAY = 0.3
INTERVAL = 0.1


def _amount(done: int, total: int) -> str:
    mebi = 1024 * 1024
    if total:
        return f"{done / mebi:,.1f} of {total / mebi:,.1f} MiB ({100 * done / total:.0f} %)"
    return f"{done / mebi:,.1f} MiB"


class TextBar:
    """One line of a terminal, which is gone at the end."""

    def __init__(self, stream: Any, width: int = 30) -> None:
        self._stream = stream
        self._width = width
        self._next = time.monotonic() + DELAY
        self._is_shown = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + INTERVAL
        filled = self._width * done // total if total else 0
        bar = "#" * filled + "-" * (self._width - filled)
        self._stream.write(f"\r\x1b[K[{bar}] {_amount(done, total)}")
        self._stream.flush()
        self._is_shown = True

    def close(self) -> None:
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


class NotebookBar:
    """A bar below a cell of a notebook, which is gone at the end."""

    def __init__(self, display: Callable[..., Any], html: Callable[[str], Any]) -> None:
        self._display = display
        self._html = html
        self._handle: Any = None
        self._next = time.monotonic() + DELAY

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + INTERVAL
        value = f'max="{total}" value="{done}"' if total else ""
        bar = self._html(f"<progress {value}></progress> {_amount(done, total)}")
        if self._handle is None:
            self._handle = self._display(bar, display_id=True)
        else:
            self._handle.update(bar)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update(self._html(""))


def _notebook_bar() -> NotebookBar | None:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or getattr(shell, "kernel", None) is None:
        return None
    from IPython.display import HTML, display

    return NotebookBar(display, HTML)


@contextmanager
def reporting(progress: Progress) -> Iterator[Callable[[int, int], object] | None]:
    """What to call with the bytes done and the bytes in all, or None."""
    if progress is None or progress is False:
        yield None
    elif progress is not True:
        if not callable(progress):
            raise TypeError("progress: expected bool or a function of (bytes done, bytes in all)")
        yield progress
    else:
        bar = _notebook_bar() or (TextBar(sys.stderr) if _is_terminal(sys.stderr) else None)
        try:
            yield bar
        finally:
            if bar is not None:
                bar.close()


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False
