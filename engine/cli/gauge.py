"""A progress bar on standard error, shown while a long task runs on a terminal."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from .screen import PLAIN_WIDTH, fit

LARGE: Final = 4 * 1024 * 1024
"""From how many bytes on a file is worth a bar."""
_MIB: Final = 1024 * 1024
_CLEAR: Final = "\r\x1b[2K"
_BAR: Final = 24
_PAUSE: Final = 0.1
"""Seconds between two drawings."""


class Gauge:
    """One bar for one task after the other.

    ``shared`` says that the lines of the answer go to the same terminal: the bar then makes
    room for each of them.
    """

    def __init__(self, err: TextIO, *, shared: bool) -> None:
        self._err = err
        self._shared = shared
        self._total = 0
        self._drawn = False

    def start(self, name: str, size: int | None) -> None:
        """Begin a file of so many bytes; if that is not known, or little, there is no bar."""
        if size is not None and size >= LARGE:
            self._start(name, size, "MiB", _MIB)

    @contextmanager
    def counting(self, name: str, total: int, unit: str) -> Iterator[None]:
        """A task of so many steps, each one ``unit``."""
        self._start(name, total, unit, 1)
        try:
            yield
        finally:
            self.stop()

    def _start(self, name: str, total: int, unit: str, units: int) -> None:
        if total <= 0 or not self._err.isatty():
            return
        self._name, self._total, self._unit, self._units = name, total, unit, units
        self._done = 0
        self._began, self._next = time.monotonic(), 0.0

    def advance(self, steps: int) -> None:
        """So many steps more are done."""
        if not self._total:
            return
        self._done += steps
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        width = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns
        self._err.write(_CLEAR + fit(self._text(now - self._began), width - 1))
        self._err.flush()
        self._drawn = True

    def _text(self, seconds: float) -> str:
        share = min(max(self._done / self._total, 0), 1)
        full = round(share * _BAR)
        done, total = (f"{number / self._units:.0f}" for number in (self._done, self._total))
        text = f"{self._name} [{'#' * full}{'-' * (_BAR - full)}] {done}/{total} {self._unit}"
        if share:
            minutes, rest = divmod(round(seconds / share - seconds), 60)
            text += f", {minutes}:{rest:02} left"
        return text

    def make_room(self) -> None:
        """Take the bar away before a line is written; it comes back with the next steps."""
        if self._drawn and self._shared:
            self._clear()
            self._next = 0.0

    def stop(self) -> None:
        """End a task."""
        self._total = 0
        if self._drawn:
            self._clear()

    def _clear(self) -> None:
        self._err.write(_CLEAR)
        self._err.flush()
        self._drawn = False
