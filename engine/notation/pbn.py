"""PBN profile: records of four players as a PBN 2.1 export file.

Dealing machines, printers of hand records and bridge viewers read it: CRLF, Latin-1. With
``as_notrump`` the hand is dressed as a contract of 1NT by the leader's right-hand neighbour, so
that a bridge viewer replays the tricks (`notation.notrump`).
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from ..core.messages import Message
from ..core.seats import DEFAULT_SEATS
from ..record.record import HandRecord
from .canonical import canonical
from .diagnostics import Diagnostic, DiagnosticCollector, NotationRule, Spot
from .document import Document, Escape
from .meaning import is_hearts
from .notrump import dress_as_notrump
from .reader import RecordEntry
from .sections import seats_of
from .writer import Writable, text_of, to_document

PBN_HEAD: Final = b"% PBN 2.1\r\n% EXPORT\r\n"
_LETTERS: Final = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-",
        "\u0141": "L", "\u0142": "l", "\u0110": "D", "\u0111": "d", "\u0152": "OE", "\u0153": "oe",
        "\u2026": "...", "\u20ac": "EUR",
    }
)  # fmt: skip


class PbnFile(NamedTuple):
    """The bytes of a PBN file, and what it could not hold (W91 and W93)."""

    data: bytes
    diagnostics: tuple[Diagnostic, ...]


def write_pbn(items: Iterable[Writable], *, as_notrump: bool = False) -> PbnFile:
    """Records as a PBN 2.1 export file; those that are not of N, E, S and W are left out."""
    records = list(pbn_records(items, as_notrump=as_notrump))
    data = b"".join(record.data for record in records)
    found = [diagnostic for record in records for diagnostic in record.diagnostics]
    return PbnFile(PBN_HEAD + data, tuple(found))


def pbn_records(items: Iterable[Writable], *, as_notrump: bool = False) -> Iterator[PbnFile]:
    """The records of a PBN file one by one, without the head of the file."""
    number = 0
    for item in items:
        document = _document(item)
        number += bool(document.tags)
        report = DiagnosticCollector(number)
        seats, text = seats_of(document), ""
        if seats != DEFAULT_SEATS[4]:
            report.add(NotationRule.VALUE_LOST, _spot(document), _misfit(seats))
        else:
            document = _without_headers(document)
            if as_notrump and is_hearts(document):
                document = dress_as_notrump(document, number, report)
            text = "\n" + _latin(document, report)
        yield PbnFile(text.replace("\n", "\r\n").encode("latin-1"), report.diagnostics)


def _misfit(seats: tuple[str, ...]) -> Message:
    if len(seats) != 4:
        return Message(
            "PBN has four players, this record has {count}; it was left out", count=len(seats)
        )
    return Message(
        "PBN has the seats N E S W, this record has {seats}; it was left out",
        seats=" ".join(seats),
    )


def _document(item: Writable) -> Document:
    if isinstance(item, RecordEntry):
        item = item.document
    return canonical(to_document(item) if isinstance(item, HandRecord) else item)


def _spot(document: Document) -> Spot:
    return document.tags[0].spot if document.tags else Spot(1, 1, 2)


def _without_headers(document: Document) -> Document:
    kept = (
        remark
        for remark in document.head
        if not (isinstance(remark, Escape) and remark.text.strip().startswith(("PBN", "EXPORT")))
    )
    return replace(document, head=tuple(kept))


def _latin(document: Document, report: DiagnosticCollector) -> str:
    """The text of a record in the letters of Latin-1."""
    text = text_of(document)
    if text.isascii():
        return text
    for tag in document.tags:
        if not _is_latin(tag.value):
            message = Message(
                "{tag}: {written} is written for {value}",
                tag=tag.name,
                written=repr(_to_latin(tag.value)),
                value=repr(tag.value),
            )
            report.add(NotationRule.NOT_LATIN, tag.value_spot, message)
    if not all(_is_latin(remark.text) for remark in document.remarks()):
        message = Message("a comment has letters that PBN cannot hold")
        report.add(NotationRule.NOT_LATIN, _spot(document), message)
    return "".join(letter if _is_latin(letter) else _to_latin(letter) for letter in text)


def _is_latin(text: str) -> bool:
    return all(letter <= "\xff" for letter in text)


def _to_latin(text: str) -> str:
    """The nearest Latin-1 letters, ? where there is none."""
    folded = "".join(_fold(letter) for letter in text.translate(_LETTERS))
    # A quote that comes out of folding would end the string.
    return folded.replace('"', "'") if '"' not in text else folded


def _fold(letter: str) -> str:
    if letter <= "\xff":
        return letter
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if base <= "\xff" and base.isprintable() and base not in '"\\{}[];%' else "?"
