"""Lexer: the lines of a record as tokens with their places (notation.md 3.2).

Every character is looked at a constant number of times, whatever the text is.
"""

import re
from collections.abc import Iterator
from enum import IntEnum
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from ..core.faults import Severity
from ..core.messages import Message
from .diagnostics import DiagnosticCollector, NotationRule, Spot
from .source import BLANKS, LINE_MAX, SKIPPED_LINE, string_end

SPECIAL: Final = frozenset('[]{};"')
_ENDS_WORD: Final = SPECIAL | frozenset(BLANKS)
LONG_LINE: Final = 255
"""The bytes a line may have, its ending included, before other programs may cut it."""

TOKENS_MAX: Final = 4000
"""How many tokens a record may have; a whole row or line counts as one."""

HIDDEN: Final = {
    "\u00ad": Message("a soft hyphen"),
    "\u061c": Message("an Arabic letter mark"),
    "\u180e": Message("a Mongolian vowel separator"),
    "\u200b": Message("a zero-width space"),
    "\u200c": Message("a zero-width non-joiner"),
    "\u200d": Message("a zero-width joiner"),
    "\u200e": Message("a left-to-right mark"),
    "\u200f": Message("a right-to-left mark"),
    "\u2060": Message("a word joiner"),
    "\ufeff": Message("a byte order mark"),
    "\u0085": Message("a next-line separator"),
    "\u2028": Message("a line separator"),
    "\u2029": Message("a paragraph separator"),
    "\ufffe": Message("a noncharacter"),
    "\uffff": Message("a noncharacter"),
    "\0": Message("a NUL byte"),
    **{chr(code): Message("a text direction override") for code in (*range(0x202A, 0x202F),)},
    **{chr(code): Message("a text direction isolate") for code in (*range(0x2066, 0x206A),)},
}
"""Characters that nobody sees, and what they are."""
_CONTROL: Final = Message("a control character")
_BAD: Final = frozenset(HIDDEN) | {
    chr(code) for code in (*range(32), *range(127, 160)) if chr(code) not in BLANKS
}
_BAD_TEXT: Final = "".join(sorted(_BAD))


class TokenKind(IntEnum):
    """Kinds of tokens."""

    OPEN = 0
    CLOSE = 1
    STRING = 2
    WORD = 3
    ROW = 4
    """A whole line without any special character."""
    COMMENT = 5
    ESCAPE = 6
    STRAY = 7
    """Brackets and braces that can belong to nothing."""
    END = 8
    """The end of a line."""
    PAIR = 9
    """A whole line that is one plain tag pair; its text is the name."""


class Token(NamedTuple):
    """A token; for a string ``text`` is what stands between its quotes.

    ``value`` is the value of a pair.
    """

    kind: TokenKind
    text: str
    line: int
    col: int
    end: int
    value: str = ""

    @property
    def spot(self) -> Spot:
        """The place of the token."""
        return Spot(self.line, self.col, self.end)


_PAIR: Final = re.compile(r'\[([A-Z][A-Za-z0-9_]*) "([^"\\]*)"\]').fullmatch


class Lexer:
    """Reads the lines of one record."""

    def __init__(self, lines: list[str], first_line: int, report: DiagnosticCollector) -> None:
        self.lines = lines
        self.first_line = first_line
        self.report = report
        self.too_many = False
        """Whether the reading stopped because the record has too many tokens."""
        self._line = first_line
        self._comment: list[str] | None = None
        self._comment_spot = Spot(0, 0, 0)

    def tokens(self) -> Iterator[Token]:
        """All tokens of the record."""
        for count, token in enumerate(self._all()):
            if count >= TOKENS_MAX:
                self.too_many = True
                return
            yield token

    def _all(self) -> Iterator[Token]:
        for number, line in enumerate(self.lines, self.first_line):
            self._line = number
            if self._comment is not None:
                yield from self._continue_comment(line)
            elif pair := _PAIR(line):
                name, value = pair.groups()
                yield Token(TokenKind.PAIR, name, number, 1, len(line) + 1, value)
            elif line == SKIPPED_LINE:
                self._skip_long_line()
            elif line[:1] == "%":
                yield Token(TokenKind.ESCAPE, line[1:], self._line, 1, len(line) + 1)
            elif not SPECIAL.isdisjoint(line):
                yield from self._scan(line, 0)
            elif line.strip():
                yield Token(TokenKind.ROW, line, self._line, 1, len(line) + 1)
        yield from self._close_comment(self._comment)

    def _close_comment(self, comment: list[str] | None) -> Iterator[Token]:
        if comment is None:
            return
        message = Message("this comment is never closed; it was ended at the end of the record")
        self.report.add(NotationRule.UNCLOSED_COMMENT, self._comment_spot, message)
        text = "\n".join(comment).rstrip("\n")
        yield Token(TokenKind.COMMENT, text, *self._comment_spot[:3])

    def _skip_long_line(self) -> None:
        most = LINE_MAX // 1024
        message = Message("this line is longer than {most} KiB; it was left out", most=most)
        hint = Message("break the line")
        self.report.add(NotationRule.NOT_CANONICAL, Spot(self._line, 1, 2), message, hint=hint)

    def _continue_comment(self, line: str) -> Iterator[Token]:
        assert self._comment is not None
        close = line.find("}")
        if close < 0:
            self._comment.append(line)
            return
        text = "\n".join([*self._comment, line[:close]])
        self._comment = None
        yield Token(TokenKind.COMMENT, text, *self._comment_spot[:3])
        yield from self._scan(line, close + 1)

    def _scan(self, line: str, at: int) -> Iterator[Token]:
        size = len(line)
        while at < size:
            if line[at] in BLANKS:
                at += 1
                continue
            token = self._next(line, at)
            if token is None:
                # The line goes on where the comment ends.
                return
            yield token
            at = token.end - 1
        yield Token(TokenKind.END, "", self._line, size + 1, size + 1)

    def _next(self, line: str, at: int) -> Token | None:
        letter = line[at]
        if letter == '"':
            return self._string(line, at)
        if letter == "{":
            return self._brace(line, at)
        if letter == ";":
            return Token(TokenKind.COMMENT, line[at + 1 :], self._line, at + 1, len(line) + 1)
        if letter in "[]}":
            return self._bracket(line, at)
        end, size = at + 1, len(line)
        while end < size and line[end] not in _ENDS_WORD:
            end += 1
        return Token(TokenKind.WORD, line[at:end], self._line, at + 1, end + 1)

    def _string(self, line: str, at: int) -> Token:
        end = string_end(line, at + 1)
        if end >= 0:
            self._check_escapes(line, at + 1, end)
            return Token(TokenKind.STRING, line[at + 1 : end], self._line, at + 1, end + 2)
        spot = Spot(self._line, at + 1, len(line) + 1)
        message = Message("this string has no closing quote; it was ended at the end of the line")
        self.report.add(NotationRule.UNCLOSED_STRING, spot, message)
        inner = line[at + 1 :].rstrip(BLANKS)
        inner = inner.removesuffix("]").removesuffix("\\" if inner.endswith("\\]") else "")
        # A lone backslash at the end would swallow the quote that is written after it.
        trailing = len(inner) - len(inner.rstrip("\\"))
        inner += "\\" if trailing % 2 else ""
        return Token(TokenKind.STRING, inner, self._line, at + 1, len(line) + 1)

    def _check_escapes(self, line: str, start: int, end: int) -> None:
        at = line.find("\\", start, end)
        while at >= 0:
            # A column of a table may say how wide it is printed: Rank\2R.
            width = line[at + 1].isdigit() and line.find('Table "', 0, start) >= 0
            if line[at + 1] not in '"\\' and not width:
                spot = Spot(self._line, at + 1, at + 3)
                written = repr(line[at : at + 2])
                message = Message("{text} is no escape; the backslash was kept", text=written)
                self.report.add(NotationRule.BAD_ESCAPE, spot, message)
            at = line.find("\\", at + 2, end)

    def _brace(self, line: str, at: int) -> Token | None:
        close = line.find("}", at)
        if close >= 0:
            return Token(TokenKind.COMMENT, line[at + 1 : close], self._line, at + 1, close + 2)
        self._comment = [line[at + 1 :]]
        self._comment_spot = Spot(self._line, at + 1, len(line) + 1)
        return None

    def _bracket(self, line: str, at: int) -> Token:
        letter, end, size = line[at], at + 1, len(line)
        if letter == "]" and line[end : end + 1] != "]":
            return Token(TokenKind.CLOSE, "]", self._line, at + 1, at + 2)
        while end < size and line[end] in BLANKS:
            end += 1
        if letter == "[" and (end == size or line[end].isalpha()):
            return Token(TokenKind.OPEN, "[", self._line, at + 1, at + 2)
        # One token for a run of brackets, up to one that may begin a tag.
        end = at + 1
        while end < size and line[end] in "[]} \t" and not _may_open(line, end):
            end += 1
        kind = TokenKind.CLOSE if letter == "]" else TokenKind.STRAY
        return Token(kind, line[at:end].rstrip(), self._line, at + 1, end + 1)


def _may_open(line: str, at: int) -> bool:
    return line[at] == "[" and line[at + 1 : at + 2].isalpha()


def check_characters(lines: list[str], first_line: int, report: DiagnosticCollector) -> None:
    """Report control and hidden characters, and lines that other programs may cut.

    Equal ones in a row are one finding, also where they are all that some lines hold.
    """
    only = ""
    for number, line in enumerate(lines, first_line):
        if len(line) >= LONG_LINE // 4 and len(line.encode()) + 1 > LONG_LINE:
            spot = Spot(number, LONG_LINE, len(line) + 1)
            report.add(NotationRule.LONG_LINE, spot, Message("this line is longer than 255 bytes"))
        if not (line.isprintable() or _BAD.isdisjoint(line)) and line != SKIPPED_LINE:
            is_more = line[0] == only and not line.strip(only)
            if not is_more:
                _report_bad(line, number, report)
            only = line[0] if line[0] in _BAD and not line.strip(line[0]) else ""


def is_meaningless(line: str) -> bool:
    """Whether a line holds nothing but control and hidden characters."""
    return line != SKIPPED_LINE and not line.strip(_BAD_TEXT)


def _report_bad(line: str, number: int, report: DiagnosticCollector) -> None:
    for letter, letters in groupby(enumerate(line, 1), key=itemgetter(1)):
        if letter in _BAD and not report.full:
            columns = [col for col, _ in letters]
            what = HIDDEN.get(letter, _CONTROL)
            message = Message("{code} is {what}", code=code_point(letter), what=what)
            if len(columns) > 1:
                message = Message(
                    "{code}, {count} times here, is {what}",
                    code=code_point(letter),
                    count=len(columns),
                    what=what,
                )
            severity = Severity.WARNING if letter == "\u00ad" else None
            spot = Spot(number, columns[0], columns[-1] + 1)
            report.add(NotationRule.CONTROL_CHARACTER, spot, message, severity=severity)


def code_point(letter: str) -> str:
    """The number of a character as Unicode writes it: ``U+00AD``."""
    return f"U+{ord(letter):04X}"


def cell_spans(line: str) -> list[tuple[int, int]]:
    """The columns at which each cell of a row begins and ends."""
    kinds = (TokenKind.WORD, TokenKind.STRING)
    if SPECIAL.isdisjoint(line):
        return list(_word_spans(line))
    tokens = Lexer([line], 1, DiagnosticCollector()).tokens()
    return [(token.col, token.end) for token in tokens if token.kind in kinds]


def _word_spans(line: str) -> Iterator[tuple[int, int]]:
    at = 0
    for word in line.split():
        at = line.index(word, at)
        yield at + 1, at + len(word) + 1
        at += len(word)
