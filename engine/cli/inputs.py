"""Inputs: files and standard input as streams of bytes, with the words for what goes wrong."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

from ..core.messages import Message
from .gauge import Gauge
from .language import say

STANDARD_INPUT: Final = "-"
_HEAD: Final = 4096
_NOTHING: Final = re.compile(rb"\Z")


class TroubleError(Exception):
    """Something a user can put right, in one clear line; the exit status is 2."""


class Input:
    """An open file that counts what is read for the gauge and remembers how it begins."""

    def __init__(self, name: str, stream: Any, gauge: Gauge) -> None:
        self.name = name
        self._stream = stream
        self._gauge = gauge
        self._head = b""
        self._waiting = b""

    def read(self, size: int, /) -> bytes:
        """The next bytes. Raises TroubleError where the file cannot be read."""
        block, self._waiting = self._waiting, b""
        if not block:
            try:
                block = self._stream.read1(size)  # what is there, without waiting for more
            except OSError as error:
                raise _unreadable(self.name, error) from error
        if not self._head:
            self._head = block[:_HEAD]
        self._gauge.advance(len(block))
        return block

    def peek(self, too_little: re.Pattern[bytes] = _NOTHING) -> bytes:
        """How the file begins, as far as that says something; it is read again by `read`."""
        head = b""
        while len(head) < _HEAD and too_little.match(head) and (block := self.read(_HEAD)):
            head += block
        self._gauge.advance(-len(head))
        self._waiting = head
        return head

    @property
    def is_blank(self) -> bool:
        """Whether what was read first holds nothing."""
        return not self._head.strip()

    @property
    def first_line(self) -> str:
        """The first line, as far as anybody wants to see it."""
        return self._head.decode("utf-8", "replace").partition("\n")[0].rstrip("\r\ufeff")


@contextmanager
def open_input(name: str, gauge: Gauge) -> Iterator[Input]:
    """A named file, or standard input for ``-``. Raises TroubleError."""
    shown = say(Message("standard input")) if name == STANDARD_INPUT else name
    if name == STANDARD_INPUT and sys.stdin is None:
        raise TroubleError(Message("cannot read standard input: it is closed"))
    try:
        if name == STANDARD_INPUT:
            size, context = None, nullcontext(sys.stdin.buffer)
        else:
            path = Path(name)
            context = path.open("rb")  # type: ignore[assignment]
            size = path.stat().st_size
    except (OSError, ValueError) as error:
        raise _unreadable(shown, error) from error
    with context as stream:
        gauge.start(shown, size)
        try:
            yield Input(shown, stream, gauge)
        finally:
            gauge.stop()


def _unreadable(name: str, error: OSError | ValueError) -> TroubleError:
    reason = getattr(error, "strerror", None) or str(error)
    reason = reason[:1].lower() + reason[1:]
    return TroubleError(Message("cannot read {file}: {why}", file=name, why=reason))
