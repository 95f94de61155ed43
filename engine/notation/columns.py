"""The canonical spelling of the cells of each table (notation.md 3.2 and 3.4)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ..core.cards import NAMES, RANKS, capitalise, show
from ..record.record import PASS_CALL
from .document import Row, Tag, quote
from .values import (
    PlayCell,
    WordError,
    read_call,
    read_card,
    read_cards,
    read_int,
    read_playcell,
    split_annotations,
)

Spell = Callable[[str], str]
_FALLING: Final = RANKS[::-1]
_SUFFIXES: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}


def sorted_ranks(ranks: str) -> str:
    """Ranks from the highest to the lowest. Raises ValueError for a letter that is none."""
    return "".join(sorted(ranks, key=_FALLING.index))


def canonical_table(tag: Tag, seats: tuple[str, ...], dealer: str) -> Tag:
    """A table of a Hearts record with its cells spelled canonically."""
    if tag.name in _SEAT_COLUMNS:
        spell = _SEAT_COLUMNS[tag.name]
        value = tag.value.upper() if set(tag.value.upper().split(";")) <= set(seats) else tag.value
        rows = tuple(tuple(_spell_cell(cell, spell) for cell in row) for row in tag.rows)
        return replace(tag, value=value, rows=rows)
    spells = _spells(tag)
    rows = tuple(_row(row, spells) for row in tag.rows)
    if tag.name == "DealTable":
        rows = _from_dealer(rows, tag.columns, seats, dealer)
    return replace(tag, rows=rows)


def without_glyphs(tag: Tag) -> Tag:
    """A table of a Hearts record with its ASCII spelling wherever a cell has one.

    Only a token can mean a card; so this comes before cells are put in quotes.
    """
    if not tag.is_table or all("".join(row).isascii() for row in tag.rows):
        return tag
    spell = _SEAT_COLUMNS.get(tag.name)
    spells = _spells(tag) if spell is None else [spell] * max(map(len, tag.rows))
    rows = (zip(row, _row(row, spells), strict=True) for row in tag.rows)
    return replace(
        tag,
        rows=tuple(tuple(new if new.isascii() else old for old, new in row) for row in rows),
    )


def _spells(tag: Tag) -> list[Spell | None]:
    """Return the spellings of the cells of each column."""
    columns = tag.columns
    spells = [_COLUMNS.get((tag.name, column), _ANYWHERE.get(column)) for column in columns]
    return [spell or _number for spell in spells] if tag.name == "ScoreTable" else spells


def _row(row: Row, spells: Sequence[Spell | None]) -> Row:
    padded = [*spells, *[None] * (len(row) - len(spells))]
    return tuple(_spell_cell(cell, spell) for cell, spell in zip(row, padded, strict=False))


def _spell_cell(cell: str, spell: Spell | None) -> str:
    if spell is None or cell in ("-", "?") or cell[:1] == '"':
        return cell
    try:
        written = spell(cell)
    except (WordError, ValueError):
        return cell
    return written if written.isascii() else quote(written)


def _from_dealer(
    rows: tuple[Row, ...], columns: tuple[str, ...], seats: tuple[str, ...], dealer: str
) -> tuple[Row, ...]:
    """The rows clockwise from the dealer, when each of them names another seat."""
    at = columns.index("Seat") if "Seat" in columns else 0
    named = [row[at] if len(row) > at else "" for row in rows]
    if dealer not in seats or len(set(named)) != len(named) or not set(named) <= set(seats):
        return rows
    first = seats.index(dealer)
    turn = seats[first:] + seats[:first]
    return tuple(rows[named.index(seat)] for seat in turn if seat in named)


# Spellings


def _number(cell: str) -> str:
    return str(read_int(cell))


def _card(cell: str) -> str:
    return NAMES[read_card(cell)]


def _cards(cell: str) -> str:
    cards, twice = read_cards(cell)
    return cell if twice else show(cards)


def _ranks(cell: str) -> str:
    return sorted_ranks(capitalise(cell))


def spell_call(cell: str) -> str:
    """A call as the canonical form writes it. Raises WordError."""
    word, rest = split_annotations(cell)
    call = read_call(word)
    spelled = {None: word, PASS_CALL: "Pass"}.get(call, str(call))
    return spelled + _annotations(rest, 0)


def spell_play(cell: str) -> str:
    """A cell of the play as the canonical form writes it. Raises WordError."""
    read: PlayCell = read_playcell(cell)
    mark = f"^{read.mark}" if read.mark else ""
    if read.card is None:
        return cell
    return mark + NAMES[read.card] + _annotations(read.rest, 6)


def _annotations(text: str, first_nag: int) -> str:
    """A note, then NAGs in rising order; anything else stays as it is."""
    if not text:
        return text
    note, nags, rest = "", set[int](), text
    if rest[0] == "=":
        number, closing, rest = rest[1:].partition("=")
        if not closing:
            return text
        note = f"={number}="
    word, *numbers = rest.split("$")
    if word:
        if word not in _SUFFIXES:
            return text
        nags.add(_SUFFIXES[word] + first_nag)
    if not all(number.isascii() and number.isdigit() for number in numbers):
        return text
    nags.update(int(number) for number in numbers if len(number) <= 3)
    return note + "".join(f"${nag}" for nag in sorted(nags))


def _paper(cell: str) -> str:
    foot = "F" if cell[:1] in ("F", "f") else ""
    number = cell[len(foot) :]
    return foot + (_number(number) if number else "")


_SEAT_COLUMNS: Final[Mapping[str, Spell]] = {
    "InsuranceTable": _paper,
    "AuctionTable": spell_call,
    "PlayTable": spell_play,
}
_ANYWHERE: Final[Mapping[str, Spell]] = {"Seat": str.upper}
_COLUMNS: Final[Mapping[tuple[str, str], Spell]] = {
    **{("DealTable", suit): _ranks for suit in "SHDC"},
    ("PassTable", "From"): str.upper,
    ("PassTable", "To"): str.upper,
    ("PassTable", "Cards"): _cards,
    ("CentreTable", "Card"): _card,
    ("CentreTable", "Bid"): _number,
    ("CentreTable", "Shown"): _card,
    ("CentreTable", "Got"): _card,
    ("CentreTable", "Pays"): _number,
    ("CaptureTable", "Tricks"): _number,
    ("CaptureTable", "Cards"): _cards,
    ("RulingTable", "Trick"): _number,
    ("RulingTable", "Points"): _number,
    **{("PotTable", name): _number for name in ("Before", "Bid", "Paid", "Won", "After")},
    ("TotalScoreTable", "TotalScore"): _number,
    ("NoteTable", "Id"): _number,
}
