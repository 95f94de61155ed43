"""Writer: documents as text in the canonical form (notation.md 3.4)."""

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from ..record.record import HandRecord
from .building import to_document
from .canonical import canonical
from .detail_level import report_missing_tags
from .diagnostics import DiagnosticCollector, Spot
from .document import Comment, Document, text_of
from .fast import read_fast
from .lexer import TOKENS_MAX
from .reader import RecordEntry
from .sheet import NOTHING
from .syntax import fits

__all__ = ["Writable", "content_id", "pieces", "text_of", "to_document", "write", "write_record"]

VERSION_LINE: Final = "% PHN 1.0\n"

Writable = RecordEntry | Document | HandRecord


def write(items: Iterable[Writable]) -> str:
    """A whole file in the canonical form.

    Reading it gives the same documents and records again; writing those gives the same text.
    """
    return "".join(pieces(items))


def pieces(items: Iterable[Writable]) -> Iterator[str]:
    """The text of a file, piece by piece, for writing a long stream."""
    yield VERSION_LINE
    gap = ""
    for item in items:
        text = write_record(item)
        if text:
            yield gap + text
            gap = "\n"


def write_record(item: Writable) -> str:
    """One record in the canonical form, without the version line."""
    if isinstance(item, RecordEntry):
        if item.canonical:
            return item.text
        item = item.document
    elif isinstance(item, HandRecord):
        item = to_document(item)
    text = text_of(item)
    # What the fast path accepts is its own canonical writing.
    if _is_clean(text, item) if item.settled else read_fast(text):
        return text
    text = text_of(canonical(item))
    if fits(text):
        return text
    # What no reader would take in whole is still not lost.
    return text_of(canonical(Document((Comment(text.removesuffix("\n")),))))


def build_entry(record: HandRecord) -> RecordEntry:
    """The entry of a record in hand: the one that a reader finds in ``write([record])``.

    The record is written, and nothing is read back. Where a tag is missing that its level of detail
    asks for, the entry says so, as a reader does.

    >>> entry = build_entry(HandRecord(seats=tuple("NESW"), number=3))
    >>> [one.tag for one in entry.diagnostics]
    ['Variant', 'Dealer']
    """
    document = to_document(record)
    entry = RecordEntry(write_record(document), _FIRST_LINE, 1)
    entry.record, entry.canonical = record, True
    written = {tag.name for tag in document.tags if tag.value not in NOTHING}
    report = DiagnosticCollector(entry.number)
    first_tag = Spot(_FIRST_LINE, 1, entry.text.index("\n") + 1)
    report_missing_tags(record, record.detail, written, first_tag, report)
    entry.diagnostics = report.diagnostics
    return entry


_FIRST_LINE: Final = 2
"""Where the first record begins, after the line of the version."""


def _is_clean(text: str, document: Document) -> bool:
    """Whether no name or text that was put into a document can break its lines."""
    lines = len(document.tags) + sum([len(tag.rows) for tag in document.tags if tag.rows])
    plain = text.isascii() or unicodedata.is_normalized("NFC", text)
    whole = text.count("\n") == lines and text.replace("\n", "").isprintable()
    return plain and whole and len(text) < TOKENS_MAX


def content_id(item: Writable) -> str:
    """The SHA-256 of a record's canonical bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(write_record(item).encode()).hexdigest()
