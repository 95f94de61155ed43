"""Reader: a file as a stream of entries, one for each record (notation.md 3.5).

A damaged record never costs its neighbours, and nothing in a text raises an exception: what is
wrong stands in the diagnostics of the entry, or of the reader where it concerns the whole file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from hashlib import blake2b
from typing import Final

from ..core.faults import Severity
from ..core.game_identity import GameIdentity
from ..core.messages import Message, joined_by_semicolons
from ..record.game_state import GameState
from ..record.record import HandRecord
from ..rules.presets import parse_rules
from ..rules.rules import Rules, RulesError
from .batches import batches
from .canonical import canonical
from .diagnostics import (
    Diagnostic,
    DiagnosticCollector,
    NotationRule,
    Spot,
    has_errors,
)
from .document import Document, Escape, Remark, cell_text, is_table_name, text_of
from .encoding import settle
from .fast import NOT_CONTENT, FastHand, FastRecord, read_fast, table_in
from .gaps import GapMender
from .inheritance import Inheritance
from .lexer import TOKENS_MAX
from .meaning import record_of
from .pasted_text import mend_blocks
from .sheet import NOTHING
from .source import (
    RECORD_MAX,
    Chunk,
    Source,
    Splitter,
    blocks,
    declared_charset,
    is_whole,
)
from .syntax import no_blank_line, parse, record_starts, split_lines

_HEADER_MAX: Final = 64


class Mode(StrEnum):
    """Degrees of strictness."""

    LENIENT = "lenient"
    """Read what can be read."""
    STRICT = "strict"
    """An error rejects its record."""
    CANONICAL = "canonical"
    """As strict, and anything that is not canonical is an error."""


_BOARD_DIGITS: Final = 9


class RecordEntry:
    """One record of a file.

    ``document`` holds everything that is written, ``record`` the hand that it means (None when it
    is no record of a Hearts game, when it is rejected, or when nothing could be made of it);
    ``text`` is the original text, ``line`` the number of its first line and ``number`` its place
    among the records of the file, both from 1.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    rejected = False
    is_remark = False
    """These are comments and escapes between records, and no record; ``number`` is 0."""
    canonical = False
    """The text is known to be its own canonical writing."""
    places: object = None
    """Where the parts stand, once somebody has asked (`notation.fault_places`)."""
    _record: HandRecord | None = None
    _fast: FastRecord | None = None

    def __init__(self, text: str, line: int, number: int, document: Document | None = None) -> None:
        self.text = text
        self.line = line
        self.number = number
        self._document = document

    def take(self, fast_record: FastRecord) -> None:
        """Take what the fast path found."""
        self._fast, self.canonical = fast_record, True

    def as_only_one(self) -> "RecordEntry | None":
        """The same record as the only one of a text; None where that has to be read."""
        if self._fast is None:
            return None
        entry = RecordEntry(self.text, 1, 1)
        entry.take(self._fast)
        return entry

    @property
    def record(self) -> HandRecord | None:
        """The hand that the text means; None where it means none that could be made out."""
        return self._record if self._fast is None else self._fast.record

    @record.setter
    def record(self, record: HandRecord | None) -> None:
        self._record = record

    @property
    def required_record(self) -> HandRecord:
        """The hand of an entry that has one."""
        record = self.record
        assert record is not None, "no hand is written here"
        return record

    @property
    def hand(self) -> FastHand | None:
        """The text of a hand played to its end, where it was read fast."""
        return None if self._fast is None else self._fast.hand

    def state_after(self, rules: Rules, before: GameState) -> GameState | None:
        """The state that the hand leaves, where the fast path can tell it; else None."""
        return None if self._fast is None else self._fast.state_after(rules, before)

    def value(self, name: str) -> str | None:
        """The value of the first tag of a name; cheap where `document` is not yet made."""
        if self._fast is None or is_table_name(name):
            return self.document.value(name)
        at = self._fast.shape.at.get(name)
        return None if at is None else self._fast.values[at]

    def table(self, name: str) -> list[dict[str, str]]:
        """The rows of a table by column, without cells that say nothing; none if it is missing.

        Cheap where `document` is not yet made.
        """
        columns: Sequence[str]
        rows: Sequence[Sequence[str]]
        if self._fast is not None:
            columns, rows = table_in(self.text, name)
        elif (tag := self.document.tag(name)) is not None:
            columns, rows = tag.columns, tag.rows
        else:
            return []
        return [
            {
                column: cell_text(cell)
                for column, cell in zip(columns, row, strict=False)
                if cell not in NOTHING
            }
            for row in rows
        ]

    @property
    def identity(self) -> GameIdentity:
        """The identity of the game in the record (DEC-1)."""
        if self._fast is not None:
            return self._fast.standing.identity
        record = self.record
        seats, names = ((), ()) if record is None else (record.seats, record.names)
        return GameIdentity(self.document.value, len(seats), names)

    @property
    def game_rules(self) -> Rules | None:
        """The rules by which an archive says that the hand was judged, where its own differ."""
        if "[GameRules " not in self.text:
            return None
        try:
            return parse_rules(self.value("GameRules") or "")
        except RulesError:
            return None

    @property
    def board_start(self) -> int | None:
        """The number of the prepared board as which the hand began, where an archive says so."""
        if "[BoardStart " not in self.text:
            return None
        text = self.value("BoardStart") or ""
        is_number = text.isascii() and text.isdigit() and len(text) <= _BOARD_DIGITS
        return int(text) or None if is_number else None

    @property
    def content(self) -> bytes:
        """The digest of what the record says of its hand.

        Records that differ in nothing but comments, in spelling that the canonical form puts
        right, and in the tags that name their game have the same content.
        """
        found = self._fast
        text = _content_of(self.document) if found is None else found.content
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()

    @property
    def document(self) -> Document:
        """The record at the level of its text."""
        if self._document is None:
            self._document = parse(self.text, self.line, DiagnosticCollector())[0][1]
        return self._document

    @property
    def ok(self) -> bool:
        """Whether the text has no error."""
        return not self.diagnostics or not has_errors(self.diagnostics)

    def __repr__(self) -> str:
        return f"<Entry {self.number} line {self.line}: {len(self.diagnostics)} diagnostics>"


class Reader:
    """Reads a source record by record; iterate over it once.

    ``diagnostics`` holds what concerns the whole file; it is complete when the iteration is.
    """

    def __init__(
        self, source: Source, *, mode: Mode = Mode.LENIENT, encoding: str | None = None
    ) -> None:
        self.mode = mode
        self.version: str | None = None
        self._source = source
        self._encoding = encoding
        self._file = DiagnosticCollector()
        self._inheritance = Inheritance()
        self._known = True
        self._count = 0
        self._guess = encoding is None
        self._header: tuple[Remark, ...] = ()
        self._begun = False
        self._expected = 2
        self._gaps = GapMender()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Findings about the file as a whole."""
        return self._file.diagnostics

    def __iter__(self) -> Iterator[RecordEntry]:
        for entries in self.in_batches():
            yield from entries

    def records(self) -> Iterator[RecordEntry]:
        """The entries that are records, without the remarks between them."""
        return (entry for entry in self if not entry.is_remark)

    def in_batches(self) -> Iterator[list[RecordEntry]]:
        """The records some at a time, as many as have come; nobody waits for more to come."""
        for chunks in self._gaps.mend(self._chunks()):
            yield list(self._entries(chunks))
        self._gaps.report(self._file)
        if self._header:
            yield [self._remarks(Document(), "", DiagnosticCollector(self._count))]

    def _entries(self, chunks: Sequence[Chunk]) -> Iterator[RecordEntry]:
        canonical_only = self.mode is Mode.CANONICAL
        for chunk, found in zip(chunks, list(map(self._read_fast, chunks)), strict=True):
            if canonical_only:
                self._check_gap(chunk)
            if found is None or self._header or self._inheritance.standing:
                yield from self._slow(chunk)
            else:
                yield self._fast_entry(chunk, found)

    def _chunks(self) -> Iterator[list[Chunk]]:
        chunks = self._split(Splitter())
        first = next(chunks, None)
        if first is None:
            return
        head = first[0]
        line, rest = _first_line(head.text)
        if self._read_version(line):
            first[:1] = [Chunk(rest, head.line + 1, head.too_long)] if rest.strip() else []
        if first:
            yield first
        yield from chunks

    def _split(self, splitter: Splitter) -> Iterator[list[Chunk]]:
        first = True
        for block in mend_blocks(blocks(self._source, self._encoding), self._note_pasted):
            if first:
                self._guess = self._guess and declared_charset(block[:4096]) is None
                first = False
            yield from batches(splitter.feed(block))
        yield from batches(splitter.finish())

    def _note_pasted(self, messages: tuple[Message, ...]) -> None:
        """Say what other programs added to the text."""
        message = Message(
            "this text comes out of another program; it was read without: {what}",
            what=joined_by_semicolons(messages),
        )
        self._file.add(NotationRule.PASTED, Spot(1, 1, 2), message)

    def _check_gap(self, chunk: Chunk) -> None:
        """In the canonical mode: one blank line between records, and none before the first."""
        if chunk.line != self._expected:
            spot = Spot(chunk.line, 1, 2)
            message = Message("one blank line stands between records, none before the first")
            self._file.add(NotationRule.NOT_CANONICAL, spot, message)
        self._expected = chunk.line + len(split_lines(chunk.text)) + 1

    def _read_version(self, line: str) -> bool:
        """Read the version line, if this is one."""
        self.version = ""
        if not line.startswith("% PHN"):
            if not line.startswith("% PBN"):
                message = Message("the file does not say which version of PHN it is written in")
                strict = Severity.ERROR if self.mode is Mode.CANONICAL else None
                self._file.add(NotationRule.NO_VERSION, Spot(1, 1, 2), message, severity=strict)
            return False
        self.version = line[5:].strip()
        major, _, minor = self.version.partition(".")
        if major != "1" or not minor.isdigit():
            self._known = False
            message = Message(
                "PHN {version} is not known; nothing is understood, all is kept",
                version=self.version[:40],
            )
            self._file.add(NotationRule.UNKNOWN_MAJOR, Spot(1, 7, len(line) + 1), message)
        return True

    def _read_fast(self, chunk: Chunk) -> FastRecord | None:
        plain = self._known and not self._inheritance.standing and not chunk.too_long
        return read_fast(chunk.text) if plain else None

    def _fast_entry(self, chunk: Chunk, fast_record: FastRecord) -> RecordEntry:
        """The entry of a record that was read fast."""
        self._inheritance.remember(fast_record.shape.names, fast_record.values)
        self._count += 1
        self._begun = True
        entry = RecordEntry(chunk.text, chunk.line, self._count)
        entry.take(fast_record)
        return entry

    def _slow(self, chunk: Chunk) -> Iterator[RecordEntry]:
        report = DiagnosticCollector(self._count + 1)
        if chunk.too_long:
            yield self._too_long(chunk, report)
            return
        text = settle(chunk.text, chunk.line, report, guess=self._guess)
        known = list(report.found)
        documents = parse(text, chunk.line, report)
        # One report, and one record's share of words, can be too small for many records.
        alone = len(documents) == 1
        if not documents[0][1].tags if alone else report.full:
            lines = split_lines(text)
            starts = record_starts(lines) if len(text) >= TOKENS_MAX else [0]
            if len(starts) > 1:
                yield from self._each(lines, chunk.line, starts, known)
                return
        yield from self._all(text, chunk.line, documents, report)

    def _each(
        self, lines: list[str], first: int, starts: list[int], known: list[Diagnostic]
    ) -> Iterator[RecordEntry]:
        """The records of a stretch of text without blank lines, each read by itself."""
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            line, later = first + start, first + end
            report = DiagnosticCollector(self._count + 1)
            own = [one for one in known if line <= one.line < later]
            report.found = [replace(one, record=report.record) for one in own]
            if start:
                no_blank_line(lines[start], line, report)
            text = "\n".join(lines[start:end]) + "\n"
            yield from self._all(text, line, parse(text, line, report), report)

    def _all(
        self,
        text: str,
        first: int,
        documents: list[tuple[int, Document]],
        report: DiagnosticCollector,
    ) -> Iterator[RecordEntry]:
        """The entries of the documents of a text."""
        if not documents[0][1].tags and len(documents) == 1:
            yield from self._tagless(documents[0][1], text, report)
            return
        lines = split_lines(text)
        starts = [start for start, _ in documents]
        ends = [*starts[1:], first + len(lines)]
        for (start, document), end in zip(documents, ends, strict=True):
            part = lines[start - first : end - first]
            own = text if len(documents) == 1 else "\n".join(part) + "\n"
            yield self._entry(Chunk(own, start), document, part, report)
            report = _rest_of(report, end, self._count + 1)

    def _tagless(
        self, document: Document, text: str, report: DiagnosticCollector
    ) -> Iterator[RecordEntry]:
        """Remarks between the records; escapes at the top of the file go with the first one."""
        escapes = all(isinstance(remark, Escape) for remark in document.head)
        if escapes and not self._begun and not has_errors(report.found):
            self._header += document.head
            self._begun = len(self._header) > _HEADER_MAX
        else:
            yield self._remarks(document, text, report)

    def _remarks(self, document: Document, text: str, report: DiagnosticCollector) -> RecordEntry:
        is_remark = not has_errors(report.found)
        self._count += not is_remark
        document = replace(document, head=self._take_header() + document.head)
        line = document.head[0].line if document.head else 1
        entry = RecordEntry(text, line, 0 if is_remark else self._count, document)
        entry.is_remark = is_remark
        entry.diagnostics = report.diagnostics
        self._judge(entry)
        return entry

    def _take_header(self) -> tuple[Remark, ...]:
        header, self._header, self._begun = self._header, (), True
        return header

    def _entry(
        self, chunk: Chunk, document: Document, lines: list[str], report: DiagnosticCollector
    ) -> RecordEntry:
        self._count += 1
        self._begun = True
        collector = DiagnosticCollector(self._count)
        later = chunk.line + len(lines)
        collector.found = [one for one in report.found if one.line < later]
        collector.full = report.full
        document = self._inheritance.expand(document, collector, len(chunk.text))
        if self._header:
            document = replace(document, head=self._take_header() + document.head)
        entry = RecordEntry(chunk.text, chunk.line, self._count, document)
        if self._known:
            entry.record = record_of(document, lines, chunk.line, collector)
        entry.diagnostics = collector.diagnostics
        self._judge(entry)
        return entry

    def _too_long(self, chunk: Chunk, report: DiagnosticCollector) -> RecordEntry:
        most = RECORD_MAX // 1024
        message = Message("this record is longer than {most} KiB; it was left out", most=most)
        hint = Message("split the file")
        report.add(NotationRule.NOT_CANONICAL, Spot(chunk.line, 1, 2), message, hint=hint)
        self._count += 1
        entry = RecordEntry("", chunk.line, self._count)
        entry.diagnostics = report.diagnostics
        self._judge(entry)
        return entry

    def _judge(self, entry: RecordEntry) -> None:
        if self.mode is Mode.CANONICAL:
            self._compare(entry)
        if self.mode is not Mode.LENIENT and not entry.ok:
            entry.rejected = True
            entry.record = None

    def _compare(self, entry: RecordEntry) -> None:
        """In the canonical mode: the text has to be its own canonical writing."""
        written = text_of(canonical(entry.document))
        report = DiagnosticCollector(entry.number)
        report.found = list(entry.diagnostics)
        if entry.text != written:
            at = _first_difference(split_lines(entry.text), split_lines(written))
            line = [*split_lines(written), ""][at]
            message = Message("this is not written in the canonical form")
            hint = Message("remove this line")
            if line:
                hint = Message("the canonical form has here: {line}", line=line[:60])
            own = [*split_lines(entry.text), ""][at]
            spot = Spot(entry.line + at, 1, len(own) + 1)
            report.add(NotationRule.NOT_CANONICAL, spot, message, hint=hint)
        entry.diagnostics = report.diagnostics


def read_canonical(text: bytes) -> RecordEntry | None:
    """The record of a text that is exactly one canonical record, as a program sends it.

    A `Reader` gives the same entry, but looks first for all that a file may have besides. None for
    a text of which a `Reader` has to tell.
    """
    if not text.startswith(_VERSION):
        return None
    try:
        record = text[len(_VERSION) :].decode()
    except UnicodeDecodeError:
        return None
    found = read_fast(record) if is_whole(record) else None
    if found is None:
        return None
    entry = RecordEntry(record, 2, 1)
    entry.take(found)
    return entry


_VERSION: Final = b"% PHN 1.0\n"


def _content_of(document: Document) -> str:
    """The content of a document, as the fast path finds it where it can read this record."""
    tags = [replace(tag, remarks=(), insets=()) for tag in document.tags]
    tags = [tag for tag in tags if tag.name not in NOT_CONTENT]
    text = text_of(canonical(Document((), tuple(tags))))
    found = read_fast(text)
    return text if found is None else found.content


def _first_difference(lines: list[str], others: list[str]) -> int:
    pairs = enumerate(zip(lines, others, strict=False))
    shorter = min(len(lines), len(others))
    return next((at for at, (line, other) in pairs if line != other), shorter)


def _first_line(text: str) -> tuple[str, str]:
    line = text.split("\n", 1)[0].split("\r", 1)[0]
    rest = text[len(line) :]
    return line, rest.removeprefix("\r").removeprefix("\n")


def _rest_of(report: DiagnosticCollector, line: int, number: int) -> DiagnosticCollector:
    rest = DiagnosticCollector(number)
    rest.found = [replace(one, record=number) for one in report.found if one.line >= line]
    return rest


def read(
    source: Source, *, mode: Mode = Mode.LENIENT, encoding: str | None = None
) -> Iterator[RecordEntry]:
    """The records of bytes, a text or a binary file, one by one.

    Never raises on what a source contains. For what is wrong with the file as a whole use
    `Reader`.
    """
    return iter(Reader(source, mode=mode, encoding=encoding))


def read_text(text: str, *, mode: Mode = Mode.LENIENT) -> list[RecordEntry]:
    """All records of a text."""
    return list(Reader(text, mode=mode))
