"""Canonical form: one way to write each record (notation.md 3.4).

`canonical` gives the document that reading its writing gives back. A value that cannot be
understood is kept as it was written.
"""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from ..core.cards import capitalise, show
from ..record.record import clean_text
from .columns import canonical_table, sorted_ranks, without_glyphs
from .detail_level import level_of
from .document import Document, Escape, Inset, Remark, Row, Tag, quote
from .meaning import is_hearts
from .names import PLAYERS, ROSTER, SECTIONS, TABLES
from .sections import as_tables, seats_of
from .source import charset_of
from .values import WordError, plain_numbers, read_cards, read_int, read_suit

_MAY_BE_UNKNOWN: Final = frozenset(("Event", "Site", "Date", *PLAYERS.values()))
_ROSTER: Final = frozenset(ROSTER)
_COMMENT_CONTROLS: Final = {code: " " for code in (*range(32), 127) if chr(code) not in "\n\t"}
_LONG_COMMENT: Final = 32 * 1024
_TABLE_ORDER: Final = {name: place for place, name in enumerate(TABLES)}
_TOKEN: Final = frozenset(chr(code) for code in range(33, 127)) - frozenset('[]{};"%')


def canonical(document: Document) -> Document:
    """The document as the canonical form orders and spells it."""
    hearts = is_hearts(document)
    if hearts:
        document = as_tables(document)
        document = replace(document, tags=tuple(map(without_glyphs, document.tags)))
    tags = [_clean(tag) for tag in document.tags]
    if hearts:
        tags = _spell_tags(Document((), tuple(tags)))
    head = _remarks(document.head)
    if not tags:
        return Document(head)
    return Document(head, _order_tags(_with_roster(tags, hearts=hearts)))


def _clean(tag: Tag) -> Tag:
    value = clean_text(tag.value)
    rows = tuple(tuple(_cell(cell) for cell in row) for row in tag.rows)
    if tag.insets or (rows and not all(rows)):
        tag, rows = _settle_remarks(tag, rows)
    return replace(tag, value=value, rows=rows, remarks=_remarks(tag.remarks))


def _settle_remarks(tag: Tag, rows: tuple[Row, ...]) -> tuple[Tag, tuple[Row, ...]]:
    """A tag and its rows with every remark where reading would find it again.

    Remarks before the first cell follow the tag, an escape has a line of its own, and no row is
    left without anything in it.
    """
    remarks = list(tag.remarks)
    insets: list[Inset] = []
    kept: list[Row] = []
    for number, row in enumerate(rows):
        own = [inset for inset in tag.insets if inset.row == number]
        for inset in own:
            remark = _remark(inset.remark)
            first = not kept and not (row and inset.cell)
            if first or tag.is_table or (row and isinstance(remark, Escape)):
                remarks.append(remark)
            else:
                insets.append(Inset(len(kept), min(inset.cell, len(row)), remark))
        if row or (insets and insets[-1].row == len(kept)):
            kept.append(row)
    return replace(tag, remarks=tuple(remarks), insets=tuple(insets)), tuple(kept)


def _cell(cell: str) -> str:
    if _TOKEN.issuperset(cell):
        return cell
    if cell[:1] == '"':
        return clean_text(cell)
    return quote(clean_text(cell))


def _remarks(remarks: tuple[Remark, ...]) -> tuple[Remark, ...]:
    return tuple(_remark(remark) for remark in remarks) if remarks else remarks


def _remark(remark: Remark) -> Remark:
    text = remark.text
    if isinstance(remark, Escape):
        return replace(remark, text=_as_utf8(clean_text(text)))
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_COMMENT_CONTROLS)
    text = unicodedata.normalize("NFC", text)
    return replace(remark, text=_guard_comment(text.replace("}", ")")))


def _guard_comment(text: str) -> str:
    """A comment in which no blank line is followed by a bracket, which would end it (L04)."""
    if len(text) > _LONG_COMMENT:
        text = "\n".join(_broken(line) for line in text.split("\n"))
    if "[" not in text or "\n" not in text:
        return text
    lines = text.split("\n")
    for at in range(1, len(lines)):
        if lines[at][:1] == "[" and not lines[at - 1].strip():
            lines[at] = " " + lines[at]
    return "\n".join(lines)


def _broken(line: str) -> str:
    """A line of a comment cut where it would be too long to be read again."""
    size = _LONG_COMMENT
    return "\n".join(line[at : at + size] for at in range(0, len(line), size))


def _as_utf8(text: str) -> str:
    charset = charset_of("%" + text)
    return text.replace(charset, "UTF-8") if charset else text


# The order of tags


def _with_roster(tags: list[Tag], *, hearts: bool) -> list[Tag]:
    present = {tag.name for tag in tags}
    seats = seats_of(Document((), tuple(tags)))
    playing = {PLAYERS[seat] for seat in seats}
    unknown = {"Event", "Site", "Date"} | playing
    missing = [Tag(name, "?" if name in unknown else "") for name in ROSTER if name not in present]
    if not hearts:
        return [*tags, *missing]
    kept = [
        replace(tag, value="")
        if tag.value == "?" and tag.name in _ROSTER and tag.name not in _MAY_BE_UNKNOWN
        else tag
        for tag in tags
    ]
    return [*kept, *missing]


def _order_tags(tags: list[Tag]) -> tuple[Tag, ...]:
    """The mandatory tags, the other tags, the sections with their notes, the tables."""
    groups: list[list[Tag]] = []
    section: list[Tag] | None = None
    for tag in tags:
        is_section = not tag.is_table and (bool(tag.rows) or tag.name in SECTIONS)
        if is_section:
            section = [tag]
            groups.append(section)
        elif tag.name == "Note" and section is not None:
            section.append(tag)
        else:
            groups.append([tag])
    groups.sort(key=_place)
    return tuple(tag for group in groups for tag in group)


def _place(group: list[Tag]) -> tuple[int, int, str]:
    tag = group[0]
    if tag.is_table:
        return 3, _TABLE_ORDER.get(tag.name, len(_TABLE_ORDER)), tag.name
    if tag.rows or tag.name in SECTIONS:
        at = SECTIONS.index(tag.name) if tag.name in SECTIONS else len(SECTIONS)
        return 2, at, tag.name
    if tag.name in _ROSTER:
        return 0, ROSTER.index(tag.name), ""
    return 1, 0, tag.name


# The spelling of values


def is_canonical_tag(tag: Tag) -> bool:
    """Whether the value of a tag, which is no table, is spelled canonically."""
    return _clean(tag).value == tag.value == _spelled_tag(tag, (), "").value


def _spell_tags(document: Document) -> list[Tag]:
    seats = seats_of(document)
    dealer = (document.value("Dealer") or "").strip().upper()
    tags = [_spelled_tag(tag, seats, dealer) for tag in document.tags]
    level = level_of(Document((), tuple(tags))).value
    if any(tag.name == "Detail" for tag in tags):
        return [replace(tag, value=level) if tag.name == "Detail" else tag for tag in tags]
    return [*tags, Tag("Detail", level)]


def _spelled_tag(tag: Tag, seats: tuple[str, ...], dealer: str) -> Tag:
    if tag.is_table:
        return canonical_table(tag, seats, dealer)
    spell = _SPELLINGS.get(tag.name)
    try:
        value = tag.value
        if tag.name == "Deal":
            value = _deal(tag.value, seats, dealer)
        elif spell is not None and value not in ("", "?"):
            value = spell(value.strip())
    except (WordError, ValueError):
        return tag
    return tag if value == tag.value else replace(tag, value=value)


def _cards(text: str) -> str:
    cards, twice = read_cards(text)
    return text if twice else show(cards)


def _number(text: str) -> str:
    return str(read_int(text))


def _words(text: str) -> str:
    return " ".join(text.upper().split())


_SPELLINGS: Final[Mapping[str, Callable[[str], str]]] = {
    "Dealer": str.upper,
    "Declarer": str.upper,
    "Seats": _words,
    "Claim": lambda text: plain_numbers(_words(text)),
    "Stripped": _cards,
    "Centre": _cards,
    "Board": _number,
    "Jackpot": _number,
    "Hands": _number,
    "PainSuit": lambda text: read_suit(text).letter,
    "Pass": str.lower,
    "Termination": str.lower,
    "Variant": str.lower,
}


def _deal(text: str, seats: tuple[str, ...], dealer: str) -> str:
    """A deal that begins at the dealer, ranks falling."""
    first, colon, rest = text.partition(":")
    hands = rest.split()
    first = first.strip().upper()
    if not colon or len(hands) != 4 or len(seats) != 4 or first not in seats:
        return text
    spelled = [_hand(hand) for hand in hands]
    start = dealer if dealer in seats else first
    turn = (seats.index(start) - seats.index(first)) % 4
    return f"{start}:{' '.join(spelled[turn:] + spelled[:turn])}"


def _hand(hand: str) -> str:
    if hand == "-":
        return hand
    suits = capitalise(hand).split(".")
    if len(suits) != 4:
        raise ValueError(hand)
    return ".".join(sorted_ranks(ranks) for ranks in suits)
