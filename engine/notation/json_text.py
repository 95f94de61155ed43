"""A JSON text read value by value: of a long one nothing is held but a window.

What is wrong is told at its line and column in the whole text, in the words of the standard
library's reader.
"""

import codecs
import json
from typing import Final

from ..core.messages import Message, MessageError
from .source import BLOCK, RECORD_MAX, Source, raw_blocks

VALUE_MAX: Final = 16 * RECORD_MAX
"""The longest value, in characters: a record of the longest text, every cell on its own line."""
_BLANKS: Final = " \t\n\r"
_LONGEST_WORD: Final = 16
"""No name, number's mark or escape that a window may cut off is longer."""
_MARK: Final = 4
"""The bytes by which the standard library knows an encoding."""


class JsonError(MessageError):
    """A JSON text that is no file of hand records: where, and why."""

    def __init__(self, where: str, message: Message) -> None:
        super().__init__(Message("{where}: {message}", where=where, message=message))


class JsonText:
    """A JSON text and how far it is read.

    Every method raises JsonError where the text is not JSON, or not in the encoding it shows.
    """

    def __init__(self, source: Source) -> None:
        self._blocks = raw_blocks(source)
        self._decoder: codecs.IncrementalDecoder | None = None
        self._json = json.JSONDecoder()
        self._window = ""
        self._at = 0
        self._whole = False
        self._line = 1
        self._column = 0
        self._before = 0

    def peek(self) -> str:
        """The next character that is not blank; nothing at the end."""
        while True:
            window, at = self._window, self._at
            while at < len(window) and window[at] in _BLANKS:
                at += 1
            self._at = at
            if at < len(window) or self._whole:
                return window[at : at + 1]
            self._grow(BLOCK)

    def take(self, mark: str) -> bool:
        """Whether this mark comes next; then it is read."""
        found = self.peek() == mark
        self._at += found
        return found

    def refuse(self, words: str) -> JsonError:
        """The error that something else should stand here."""
        return self._error(words, self._at)

    def value(self) -> object:
        """The next value, whole. Raises JsonError also where it is longer than `VALUE_MAX`."""
        self.peek()
        while True:
            try:
                value, end = self._json.raw_decode(self._window, self._at)
            except json.JSONDecodeError as error:
                if self._whole or not self._cut_off(error):
                    raise self._error(error.msg, error.pos) from None
            except (ValueError, RecursionError) as error:
                raise self._error(str(error), self._at) from None
            else:
                if end < len(self._window) or self._whole:
                    self._at = end
                    return value
            held = len(self._window) - self._at
            if held > VALUE_MAX:
                words = Message("longer than {most} MiB", most=VALUE_MAX >> 20)
                raise self._error(words, self._at)
            self._grow(max(2 * held, BLOCK))

    def _cut_off(self, error: json.JSONDecodeError) -> bool:
        """Whether more of the text could make a value of what is none yet."""
        near = error.pos + _LONGEST_WORD >= len(self._window)
        return near or error.msg.startswith("Unterminated string")

    def _grow(self, size: int) -> None:
        """Forget what is read, and have at least so much of the rest in the window."""
        read, rest = self._window[: self._at], self._window[self._at :]
        self._line, self._column = self._place(self._at)
        self._before += len(read)
        pieces, held = [rest], len(rest)
        self._at = 0
        while held < size and not self._whole:
            try:
                piece = self._next()
            except UnicodeDecodeError as error:
                sound = error.object[: error.start].decode(error.encoding, "surrogatepass")
                self._window = "".join(pieces) + sound
                words = Message("not {encoding}", encoding=error.encoding.upper())
                raise self._error(words, len(self._window)) from None
            pieces.append(piece)
            held += len(piece)
        self._window = "".join(pieces)

    def _next(self) -> str:
        """The next of the text, nothing at the end. Raises UnicodeDecodeError."""
        block = next(self._blocks, None)
        if isinstance(block, str):
            return block
        self._whole = block is None
        if self._decoder is None:
            if block is None:
                return ""
            while len(block) < _MARK and (more := next(self._blocks, None)):
                assert not isinstance(more, str)
                block += more
            encoding = json.detect_encoding(block)
            self._decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
        return self._decoder.decode(block or b"", final=self._whole)

    def _place(self, at: int) -> tuple[int, int]:
        """The line, and the column counted from 0, of a place in the window."""
        lines = self._window.count("\n", 0, at)
        if not lines:
            return self._line, self._column + at
        return self._line + lines, at - self._window.rfind("\n", 0, at) - 1

    def _error(self, words: str, at: int) -> JsonError:
        line, column = self._place(at)
        message = Message(
            "not JSON: {why}: line {line} column {column} (char {place})",
            why=words,
            line=line,
            column=column + 1,
            place=self._before + at,
        )
        return JsonError(Message("the text"), message)
