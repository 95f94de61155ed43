"""Syntax: the tokens of a record as documents (notation.md 3.2 and 3.5).

One stretch of text gives one document; more when a blank line between two records was
forgotten. Nothing is thrown away: what cannot be kept where it stands is kept as a comment.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from ..core.faults import Severity
from ..core.messages import Message
from .diagnostics import DiagnosticCollector, NotationRule, Spot
from .document import (
    Comment,
    Document,
    Escape,
    Inset,
    Remark,
    Tag,
    is_table_name,
    quote,
    said_of,
    unquote,
)
from .lexer import (
    TOKENS_MAX,
    Lexer,
    Token,
    TokenKind,
    check_characters,
    is_meaningless,
)
from .names import HEARTS_MARKS, KNOWN_TAGS, SECTIONS, is_name
from .source import LINE_MAX, RECORD_MAX, comment_open

_RECORD_STARTS: Final = ("Event", "Board", "Deal")
_REPEATABLE: Final = ("Note",)


@dataclass(slots=True)
class _Open:
    """A tag that is being read."""

    name: str
    value: str
    spot: Spot
    value_spot: Spot
    remarks: list[Remark] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    row_lines: list[int] = field(default_factory=list)
    insets: list[Inset] = field(default_factory=list)

    @property
    def takes_rows(self) -> bool:
        return is_table_name(self.name) or self.name in SECTIONS or self.name not in KNOWN_TAGS

    def begin_row(self, line: int, cells: list[str]) -> None:
        self.rows.append(cells)
        self.row_lines.append(line)

    def close(self) -> Tag:
        return Tag(
            self.name,
            self.value,
            tuple(self.remarks),
            tuple(map(tuple, self.rows)),
            self.spot,
            self.value_spot,
            tuple(self.row_lines),
            tuple(self.insets),
        )


def split_lines(text: str) -> list[str]:
    """The lines of a text with any line endings."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n").split("\n")


def parse(text: str, first_line: int, report: DiagnosticCollector) -> list[tuple[int, Document]]:
    """The documents in a record's text, each with the line on which it begins."""
    lines = split_lines(text)
    check_characters(lines, first_line, report)
    # A line of characters that mean nothing has been reported, and means nothing.
    lines = [line if line.isprintable() or not is_meaningless(line) else "" for line in lines]
    lexer = Lexer(lines, first_line, report)
    tokens = list(lexer.tokens())
    if lexer.too_many:
        message = Message(
            "more than {most} words, tags and rows; the record is kept as a comment",
            most=TOKENS_MAX,
        )
        report.add(
            NotationRule.NOT_CANONICAL, Spot(first_line, 1, 2), message, hint=Message("write less")
        )
        return [(first_line, Document((Comment("\n".join(lines), first_line),)))]
    return Parser(lines, first_line, report, tokens).parse()


def record_starts(lines: list[str]) -> list[int]:
    """Return the beginnings of records in a text without blank lines, found line by line.

    They begin where the parser sees that a blank line was forgotten.
    """
    starts, seen, rows, inside = [0], set[str](), False, False
    for at, line in enumerate(lines):
        tag = None if inside else _TAG(line)
        if tag is not None:
            name = tag[1]
            known = name in seen and name in _RECORD_STARTS
            if known and (rows or (name != "Deal" and "Deal" in seen)):
                starts.append(at)
                seen, rows = set[str](), False
            seen.add(name)
        elif not inside and line[:1] not in _NO_ROW and line.strip():
            rows = True
        if inside or "{" in line:
            inside = comment_open(line, inside=inside)
    return starts


_TAG: Final = re.compile(r'\[([A-Z][A-Za-z0-9_]*) *"').match
_NO_ROW: Final = ("", "%", "{", ";", "[")


def no_blank_line(text: str, line: int, report: DiagnosticCollector) -> None:
    """Report that a record begins with a line that has no blank line before it."""
    tag = _TAG(text)
    name = tag[1] if tag else ""
    _report_joined(name, Spot(line, 1, len(text) + 1, name), report)


def _report_joined(name: str, spot: Spot, report: DiagnosticCollector) -> None:
    message = Message(
        "a second {tag} without a blank line before it; a new record begins here", tag=name
    )
    report.add(NotationRule.NO_BLANK_LINE, spot, message)


def fits(text: str) -> bool:
    """Whether a record's text is within the limits of what is read."""
    if len(text) < TOKENS_MAX:
        return True
    lines = split_lines(text)
    if len(text) > RECORD_MAX or max(map(len, lines)) > LINE_MAX:
        return False
    lexer = Lexer(lines, 1, DiagnosticCollector())
    for _ in lexer.tokens():
        pass
    return not lexer.too_many


class Parser:
    """Builds documents out of tokens; one parser for one record's text."""

    def __init__(
        self, lines: list[str], first_line: int, report: DiagnosticCollector, tokens: list[Token]
    ) -> None:
        self.lines = lines
        self.first_line = first_line
        self.report = report
        self.tokens = tokens
        self.at = 0
        self.documents: list[tuple[int, Document]] = []
        self._begin(first_line)

    def _begin(self, line: int) -> None:
        self.start = line
        self.head: list[Remark] = []
        self.tags: list[_Open] = []
        self.seen: dict[str, _Open] = {}
        self.has_rows = False
        self.late: Spot | None = None
        self.joins = False

    def parse(self) -> list[tuple[int, Document]]:
        """All documents."""
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.kind in _WHOLE_LINES:
                # Whether what comes next still belongs to the row before it.
                self.joins = False
                self._line(token)
            elif token.kind is TokenKind.OPEN and self._name_after(self.at):
                self._tag()
            elif token.kind is TokenKind.COMMENT:
                self._remark(token)
                self.at += 1
            else:
                self._data()
        self._finish()
        return self.documents

    def _line(self, token: Token) -> None:
        """Take a token that is a whole line, or the end of one."""
        self.at += 1
        if token.kind is TokenKind.PAIR:
            name, value = token.text, token.value
            at = len(name) + 4
            spot = Spot(token.line, 1, token.end, name)
            self._open(_Open(name, value, spot, Spot(token.line, at, at + len(value), name)))
        elif token.kind is TokenKind.ESCAPE:
            self._keep(Escape(token.text, token.line))
            self.joins = False
        elif token.kind is TokenKind.ROW:
            if self.tags and self.tags[-1].takes_rows:
                self.has_rows = True
                self.tags[-1].begin_row(token.line, token.text.split())
            else:
                self._stray(Spot(token.line, token.col, token.end))
                self.joins = False

    def _finish(self) -> None:
        tags = tuple(tag.close() for tag in self.tags)
        if self.late and not HEARTS_MARKS.isdisjoint(self.seen):
            message = Message("{tag} stands after a table", tag=self.late.tag)
            self.report.add(NotationRule.TAG_AFTER_TABLE, self.late, message)
        if tags or self.head or not self.documents:
            self.documents.append((self.start, Document(tuple(self.head), tags)))

    # Remarks and rows

    def _remark(self, token: Token) -> None:
        text = token.text
        tag = self.tags[-1] if self.tags else None
        if tag and tag.rows and is_table_name(tag.name):
            message = Message("a comment inside a table; it is written after the table's tag")
            self.report.add(NotationRule.COMMENT_IN_TABLE, token.spot, message)
            text = said_of(self._row_named(tag), text)
        self._keep(Comment(text, token.line))

    def _row_named(self, tag: _Open) -> str:
        row = f"row {len(tag.rows)}"
        return f"{row}, {tag.rows[-1][-1]}" if self.joins else row

    def _keep(self, remark: Remark) -> None:
        """Keep a remark where it stands: in a row of a section, else with its tag."""
        tag = self.tags[-1] if self.tags else None
        if tag is None:
            self.head.append(remark)
        elif is_table_name(tag.name) or not tag.rows:
            tag.remarks.append(remark)
        else:
            if not self.joins:
                tag.begin_row(remark.line, [])
                self.joins = True
            tag.insets.append(Inset(len(tag.rows) - 1, len(tag.rows[-1]), remark))

    def _data(self) -> None:
        """The cells up to the end of a line, or up to a tag or comment on it."""
        first = self.tokens[self.at]
        cells: list[str] = []
        stray = False
        end = first.end
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.line != first.line or token.kind in _AFTER_DATA:
                break
            if token.kind is TokenKind.OPEN and self._name_after(self.at):
                break
            stray = stray or token.kind in _STRAY
            cells.extend(_cells(token))
            end = token.end
            self.at += 1
        spot = Spot(first.line, first.col, end)
        if stray or not self.tags or not self.tags[-1].takes_rows:
            self._stray(spot)
        else:
            self._row(cells, spot)
            self.joins = True

    def _row(self, cells: list[str], spot: Spot) -> None:
        tag = self.tags[-1]
        self.has_rows = True
        if not self.joins:
            tag.begin_row(spot.line, [])
        tag.rows[-1] += cells

    def _stray(self, spot: Spot) -> None:
        text = self._text(spot.line, spot.col, spot.end)
        shown = text if len(text) <= 40 else text[:37] + "..."
        message = Message(
            "{text} belongs to no tag or table; it was kept as a comment", text=repr(shown)
        )
        self.report.add(NotationRule.STRAY_TEXT, spot, message)
        self._keep(Comment(text, spot.line))

    # Tags

    def _name_after(self, at: int) -> str:
        """The name of the tag that begins at this token, or nothing if none does."""
        while (at := at + 1) < len(self.tokens) and self.tokens[at].kind is TokenKind.END:
            pass
        if at >= len(self.tokens):
            return ""
        token = self.tokens[at]
        if token.kind is TokenKind.WORD:
            return token.text if is_name(token.text) else ""
        name = token.text.strip() if token.kind is TokenKind.ROW else ""
        return name if is_name(name) and token.line == self.tokens[at - 1].line + 1 else ""

    def _tag(self) -> None:
        start = self.tokens[self.at]
        self.joins = False
        name = self._proper_name(self._name_after(self.at))
        self._skip_ends()
        self.at += 1
        value, value_spot = self._value(start)
        spot = Spot(start.line, start.col, self.tokens[self.at - 1].end, name)
        self._open(_Open(name, value, spot, value_spot._replace(tag=name)))

    def _skip_ends(self) -> None:
        """Go on to the next token of the tag: it may stand on the next line."""
        self.at += 1
        while self.at < len(self.tokens) and self.tokens[self.at].kind is TokenKind.END:
            self.at += 1

    def _proper_name(self, name: str) -> str:
        if name[0].isupper():
            return name
        folded = name.casefold()
        known = next((tag for tag in KNOWN_TAGS if tag.casefold() == folded), "")
        proper = known or name[0].upper() + name[1:]
        token = self.tokens[self.at]
        spot = Spot(token.line, token.col, token.end + len(name), proper)
        message = Message(
            "tag names begin with a capital letter; {name} was read as {proper}",
            name=name,
            proper=proper,
        )
        self.report.add(
            NotationRule.VALUE,
            spot,
            message,
            hint=Message("write {text}", text=proper),
            severity=Severity.WARNING,
        )
        return proper

    def _value(self, start: Token) -> tuple[str, Spot]:
        at = self.at
        while at < len(self.tokens) and self.tokens[at].kind is TokenKind.END:
            at += 1
        token = self.tokens[at] if at < len(self.tokens) else None
        if token is None or token.kind is not TokenKind.STRING or token.line > start.line + 3:
            return self._read_unquoted(start)
        self.at = at + 1
        closed = self._close()
        line = self.lines[token.line - self.first_line]
        if closed or line[token.end - 2 : token.end - 1] != '"' or token.end - token.col < 2:
            # An unclosed string has been reported, and took the bracket with it.
            return unquote(token.text), Spot(token.line, token.col + 1, token.end - 1)
        return self._inner_quotes(token, line)

    def _close(self) -> bool:
        at = self.at
        while at < len(self.tokens) and self.tokens[at].kind is TokenKind.END:
            at += 1
        if at >= len(self.tokens) or self.tokens[at].kind is not TokenKind.CLOSE:
            return False
        self.at = at + 1
        close = self.tokens[at]
        if len(close.text) > 1:
            self._stray(Spot(close.line, close.col + 1, close.end))
        return True

    def _inner_quotes(self, token: Token, line: str) -> tuple[str, Spot]:
        """A value with quotes in it that are not escaped, or a tag that is never closed."""
        last = self._last_of_tag(token.line)
        end = last.col if last else 0
        if last is None or line[end - 2 : end - 1] != '"':
            spot = Spot(token.line, token.col, token.end)
            self.report.add(
                NotationRule.UNCLOSED_STRING, spot, Message("this tag has no closing bracket ]")
            )
            return unquote(token.text), Spot(token.line, token.col + 1, token.end - 1)
        while self.tokens[self.at] is not last:
            self.at += 1
        self.at += 1
        spot = Spot(token.line, token.col + 1, end - 1)
        message = Message("a quote inside the value is not escaped")
        self.report.add(NotationRule.BAD_ESCAPE, spot, message)
        return unquote(line[token.col : end - 2]), spot

    def _last_of_tag(self, line: int) -> Token | None:
        """The bracket that closes a tag on its line, if no other tag begins before it."""
        for at in range(self.at, len(self.tokens)):
            token = self.tokens[at]
            if token.line != line or token.kind in _AFTER_DATA or token.kind is TokenKind.OPEN:
                return None
            if token.kind is TokenKind.CLOSE:
                return token
        return None

    def _read_unquoted(self, start: Token) -> tuple[str, Spot]:
        begin = self.at
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.line != start.line or token.kind not in (TokenKind.WORD, TokenKind.STRING):
                break
            self.at += 1
        last = self.tokens[self.at - 1]
        first = self.tokens[begin] if self.at > begin else last
        line = self.lines[first.line - self.first_line]
        spot = Spot(start.line, start.col, last.end)
        value = ""
        if self.at > begin:
            value = unquote(line[first.col - 1 : last.end - 1].replace('"', ""))
            spot = Spot(first.line, first.col, last.end)
        if not self._close_on(start.line):
            self.report.add(
                NotationRule.UNCLOSED_STRING, spot, Message("this tag has no closing bracket ]")
            )
        self.report.add(
            NotationRule.UNQUOTED_VALUE, spot, Message("the value of this tag is not in quotes")
        )
        return value, spot

    def _close_on(self, line: int) -> bool:
        found = self.at < len(self.tokens) and self.tokens[self.at].line == line
        return found and self._close()

    def _open(self, tag: _Open) -> None:
        before = self.seen.get(tag.name)
        if before and tag.name in _RECORD_STARTS and self._is_next_record(tag):
            self._next_record(tag)
        elif before and tag.name not in _REPEATABLE:
            self._twice(tag, before)
            return
        plain = not is_table_name(tag.name) and tag.name not in (*SECTIONS, *_REPEATABLE)
        if self.has_rows and plain and not self.late:
            # PBN has tags after sections and tables as well; PHN has not.
            self.late = tag.spot
        self.seen.setdefault(tag.name, tag)
        self.tags.append(tag)

    def _is_next_record(self, tag: _Open) -> bool:
        return tag.spot.col == 1 and (self.has_rows or (tag.name != "Deal" and "Deal" in self.seen))

    def _next_record(self, tag: _Open) -> None:
        _report_joined(tag.name, tag.spot, self.report)
        self._finish()
        self._begin(tag.spot.line)

    def _twice(self, tag: _Open, before: _Open) -> None:
        if tag.value == before.value and not is_table_name(tag.name):
            message = Message("{tag} is written twice, with the same value", tag=tag.name)
        else:
            message = Message(
                "{tag} is written twice; the one on line {line} counts, this one was kept "
                "as a comment",
                tag=tag.name,
                line=before.spot.line,
            )
            text = f"[{tag.name} {quote(tag.value)}]".replace("}", ")")
            self._keep(Comment(text, tag.spot.line))
        self.report.add(NotationRule.TAG_TWICE, tag.spot, message)
        if tag.takes_rows:
            self._drop_rows()

    def _drop_rows(self) -> None:
        """Rows that follow a repeated table must not join the table before it."""
        while self.at < len(self.tokens) and self.tokens[self.at].kind not in _TAGS:
            first = self.tokens[self.at]
            self.at += 1
            if first.kind is TokenKind.ESCAPE:
                self._keep(Escape(first.text, first.line))
            elif first.kind is TokenKind.COMMENT:
                self._keep(Comment(first.text, first.line))
            elif first.kind is not TokenKind.END:
                end = self._end_of_data(first)
                self._keep(Comment(self._text(first.line, first.col, end), first.line))
            self.joins = False

    def _end_of_data(self, first: Token) -> int:
        """Skip the cells up to the end of a line, or up to a tag or comment on it."""
        end = first.end
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.line != first.line or token.kind in (*_AFTER_DATA, *_TAGS):
                break
            end = token.end
            self.at += 1
        return end

    def _text(self, line: int, col: int, end: int) -> str:
        """Return the text between two columns, as it may stand in a comment."""
        text = self.lines[line - self.first_line][col - 1 : end - 1].strip()
        return text.replace("}", ")").replace("{", "(")


_STRAY: Final = (TokenKind.STRAY, TokenKind.CLOSE, TokenKind.OPEN)
_AFTER_DATA: Final = (TokenKind.COMMENT, TokenKind.ESCAPE, TokenKind.END)
_WHOLE_LINES: Final = (TokenKind.PAIR, TokenKind.ROW, TokenKind.ESCAPE, TokenKind.END)
_TAGS: Final = (TokenKind.OPEN, TokenKind.PAIR)


def _cells(token: Token) -> list[str]:
    if token.kind is TokenKind.ROW:
        return token.text.split()
    return [quote(unquote(token.text)) if token.kind is TokenKind.STRING else token.text]
