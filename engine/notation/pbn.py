"""PBN profile: records of four players as a PBN 2.1 export file.

Dealing machines, printers of hand records and bridge viewers read it: CRLF, Latin-1. With
``as_notrump`` the hand is dressed as a contract of 1NT by the leader's right-hand neighbour, so
that a bridge viewer replays the tricks; the player who named the pain suit moves to
``X_Declarer``.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, NamedTuple

from engine.cards import NAMES
from engine.notation.canonical import canonical
from engine.notation.diagnostics import Diagnostic, Report, Rule, Spot
from engine.notation.document import Document, Escape, Tag
from engine.notation.meaning import is_hearts
from engine.notation.names import SECTIONS
from engine.notation.reader import Entry
from engine.notation.sections import seats_of
from engine.notation.values import Misread, read_playcell
from engine.notation.writer import Writable, text_of, to_document
from engine.record import HandRecord

HEADER: Final = "% PBN 2.1\n% EXPORT\n"
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
    """Records as a PBN 2.1 export file; those of a table without four players are left out."""
    texts: list[str] = []
    found: list[Diagnostic] = []
    for number, item in enumerate(items, 1):
        report = Report(number)
        document = _document(item)
        seats = seats_of(document)
        if len(seats) != 4:
            message = f"PBN has four players, this record has {len(seats)}; it was left out"
            report.add(Rule.VALUE_LOST, _spot(document), message)
        else:
            document = _without_headers(document)
            if as_notrump and is_hearts(document):
                document = _as_notrump(document, seats, report)
            texts.append(_latin(document, report))
        found.extend(report.diagnostics)
    text = HEADER + "".join("\n" + text for text in texts)
    return PbnFile(text.replace("\n", "\r\n").encode("latin-1"), tuple(found))


def _document(item: Writable) -> Document:
    if isinstance(item, Entry):
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


def _latin(document: Document, report: Report) -> str:
    """The text of a record in the letters of Latin-1."""
    text = text_of(document)
    if text.isascii():
        return text
    for tag in document.tags:
        if not _is_latin(tag.value):
            message = f"{tag.name}: {_folded(tag.value)!r} is written for {tag.value!r}"
            report.add(Rule.NOT_LATIN, tag.value_spot, message)
    if not all(_is_latin(remark.text) for remark in document.remarks()):
        report.add(Rule.NOT_LATIN, _spot(document), "a comment has letters that PBN cannot hold")
    return "".join(letter if _is_latin(letter) else _folded(letter) for letter in text)


def _is_latin(text: str) -> bool:
    return all(letter <= "\xff" for letter in text)


def _folded(text: str) -> str:
    """The nearest Latin-1 letters, ? where there is none."""
    folded = "".join(_fold(letter) for letter in text.translate(_LETTERS))
    # A quote that comes out of folding would end the string.
    return folded.replace('"', "'") if '"' not in text else folded


def _fold(letter: str) -> str:
    if letter <= "\xff":
        return letter
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if base <= "\xff" and base.isprintable() and base not in '"\\{}[];%' else "?"


def _as_notrump(document: Document, seats: tuple[str, ...], report: Report) -> Document:
    table = document.tag("PlayTable")
    columns = tuple(table.value.split(";")) if table else ()
    if table is None or set(columns) != set(seats) or len(columns) != 4:
        message = "the play is not written by seat, so no contract of 1NT is made of it"
        report.add(Rule.VALUE_LOST, _spot(document), message)
        return document
    declarer = seats[(seats.index(columns[0]) - 1) % 4]
    namer = document.value("Declarer") or ""
    values = {"Contract": "1NT", "Declarer": declarer, "Vulnerable": "None"}
    tags = [
        replace(tag, value=values[tag.name]) if tag.name in values else tag
        for tag in document.tags
        if tag.name not in SECTIONS
    ]
    if namer:
        tags.append(Tag("X_Declarer", namer))
    rows = tuple(tuple(_card(cell) for cell in row) for row in table.rows)
    plain = [tag for tag in tags if not tag.is_table]
    tables = [tag for tag in tags if tag.is_table]
    return replace(document, tags=(*plain, Tag("Play", columns[0], rows=rows), *tables))


def _card(cell: str) -> str:
    try:
        card = read_playcell(cell).card
    except Misread:
        return "-"
    return "-" if card is None else NAMES[card]
