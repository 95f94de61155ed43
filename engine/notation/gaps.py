"""Gaps: blank lines inside a record, which would cut it in two (notation.md 3.5).

What follows a blank line goes on with the record before it where it repeats none of its tags, or is
rows of its last table. Word processors put a blank line after every line.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from ..core.messages import Message, PluralMessage
from .diagnostics import DiagnosticCollector, NotationRule, Spot
from .fast import read_fast
from .lexer import cell_spans
from .names import HEARTS_MARKS, KNOWN_TAGS, SECTIONS
from .source import RECORD_MAX, Chunk
from .syntax import split_lines

_TAGS: Final = re.compile(r'(?<![^\r\n])[ \t]*\[([A-Za-z]\w*)[ \t]*"([^"\r\n]*)"')
_HINT: Final = Message("delete the blank lines inside records; one stands between two records")
_LINES_MAX: Final = 3
"""More blank lines than so many are no slip."""
_BEGINNING: Final = '[Event "'
_NO_ROW: Final = ("[", "{", "%", ";")


@dataclass(slots=True)
class _Held:
    """A record that may go on after a blank line; its tags are looked for once they are needed.

    ``last`` is the last tag with its value, ``newest`` counts the tags of the last piece.
    """

    chunk: Chunk
    pieces: list[str] = field(default_factory=list)
    size: int = 0
    end: int = 0
    tags: dict[str, str] | None = None
    last: tuple[str, str] = ("", "")
    newest: int = 0
    is_open: bool = False

    def look(self) -> dict[str, str]:
        """The tags so far."""
        if self.tags is None:
            self.tags = {}
            self.add(self.chunk)
        return self.tags

    def add(self, chunk: Chunk) -> None:
        """One piece more, with the blank lines before it."""
        assert self.tags is not None
        text = chunk.text if chunk.text.endswith(("\n", "\r")) else f"{chunk.text}\n"
        if self.pieces:
            self.pieces.append(self.pieces[-1][-1] * (chunk.line - self.end))
        self.pieces.append(text)
        self.size += len(text)
        self.end = chunk.line + len(split_lines(chunk.text))
        self.is_open = self.is_open or text.count("{") != text.count("}")
        new = _tags(chunk)
        self.tags |= new
        self.newest = len(new)
        self.last = next(reversed(new.items()), self.last)

    @property
    def whole(self) -> Chunk:
        """All pieces in one."""
        if len(self.pieces) < 2:
            return self.chunk
        return Chunk("".join(self.pieces), self.chunk.line)


class GapMender:
    """Joins the pieces of records; `report` says afterwards how many were in pieces."""

    def __init__(self) -> None:
        self._held: _Held | None = None
        self._first = 0
        self._count = 0

    def mend(self, batches: Iterable[list[Chunk]]) -> Iterator[list[Chunk]]:
        """Yield the chunks with the pieces of each record in one.

        Only a record that may go on waits for what comes next.
        """
        for batch in batches:
            whole = [ended for chunk in batch if (ended := self._take(chunk)) is not None]
            if self._held is not None and not self._held.pieces and _is_whole(self._held.chunk):
                whole.append(self._held.chunk)
                self._held = None
            if whole:
                yield whole
        if self._held is not None:
            yield [self._held.whole]

    def report(self, report: DiagnosticCollector) -> None:
        """Say once that blank lines cut records."""
        if self._count:
            words = PluralMessage(
                "a blank line stands inside this record; it was read as one",
                "blank lines stand inside {count} records, first here; each was read as one",
                count=self._count,
            )
            report.add(NotationRule.NO_BLANK_LINE, Spot(self._first, 1, 2), words, hint=_HINT)

    def _take(self, chunk: Chunk) -> Chunk | None:
        """Take a piece; the record before it, if that has ended."""
        held = self._held
        if held is not None and _goes_on(held, chunk):
            if len(held.pieces) == 1:
                self._count += 1
                self._first = self._first or held.end
            held.add(chunk)
            return None
        self._held = _Held(chunk)
        return None if held is None else held.whole


def _is_whole(chunk: Chunk) -> bool:
    """Whether a record is written to its end as a program writes it."""
    return "\n[ScoreTable " in chunk.text and read_fast(chunk.text) is not None


def _goes_on(held: _Held, chunk: Chunk) -> bool:
    """Whether a piece of text goes on with the record before it."""
    if chunk.text.startswith(_BEGINNING) or chunk.too_long or held.chunk.too_long:
        return False
    tags, new = held.look(), _tags(chunk)
    if not tags or held.is_open or held.size + len(chunk.text) > RECORD_MAX:
        return False
    if any(value.startswith("##") for value in tags.values()):
        return False
    if chunk.line - held.end > _LINES_MAX:
        return False
    line = chunk.text.lstrip().splitlines()[0]
    if not line.startswith(_NO_ROW):
        return _is_row(line, *held.last) and tags.keys().isdisjoint(new)
    if not new or "Event" in new or not tags.keys().isdisjoint(new):
        return False
    names = {*tags, *new}
    is_hearts, is_line = not HEARTS_MARKS.isdisjoint(names), len(new) == 1 == held.newest
    is_known = all(name in KNOWN_TAGS or name.startswith("X_") for name in names)
    return is_known and (is_hearts or is_line)


def _tags(chunk: Chunk) -> dict[str, str]:
    return dict(_TAGS.findall(chunk.text))


def _is_row(line: str, tag: str, value: str) -> bool:
    """Whether a line can be a row of a table, or of a section."""
    is_table = tag.endswith("Table") and len(cell_spans(line)) == len(value.split(";"))
    return is_table or tag in SECTIONS
