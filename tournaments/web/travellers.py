"""Travellers as a page shows them: what every table made of a board, seat by seat."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from engine.cards import CardSet, Suit, parse_cards, suit_ranks
from tournaments.events.boards import BoardLine, Traveller
from tournaments.models import Board, Entry, Event
from tournaments.people.display_names import distinct_names
from tournaments.reports.travellers import compared_columns
from tournaments.tables.model import Column
from tournaments.web.number_format import format_cell, format_number

SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def page_columns() -> tuple[Column[BoardLine], ...]:
    """The columns of a line that compare it with the other tables."""
    return compared_columns(lambda line: line)


@dataclass(frozen=True, slots=True)
class TravellerRow:
    """What one table made of a board in one seat."""

    round: int
    table: int
    game: UUID
    hand: int
    player: UUID
    name: str
    score: str
    compared: list[str]
    fits: bool


@dataclass(frozen=True, slots=True)
class SeatLines:
    """A seat, counted from the eldest hand (1), at all tables; and how often which score."""

    number: int
    lines: list[TravellerRow]
    frequencies: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Suited:
    """The cards of one suit in a hand."""

    suit: str
    symbol: str
    ranks: str


def seats_at(made: Traveller, event: Event, *, in_full: bool) -> list[SeatLines]:
    """A traveller with names. Three queries."""
    who = dict(Entry.objects.filter(event=event).values_list("pk", "player_id"))
    names = distinct_names(event.club, list(who.values()), in_full=in_full)
    return [
        SeatLines(
            number=seat + 1,
            lines=[_line(one, who[one.entry], names) for one in lines],
            frequencies=[
                (format_number(score, signed=True), tables)
                for score, tables in made.frequencies(seat)
            ],
        )
        for seat, lines in made.seats.items()
    ]


def _line(one: BoardLine, player: UUID, names: Mapping[str, str]) -> TravellerRow:
    return TravellerRow(
        round=one.round,
        table=one.table,
        game=one.game,
        hand=one.number,
        player=player,
        name=names.get(str(player), ""),
        score=format_number(one.score, signed=True),
        compared=[format_cell(column, column.value(one)) for column in page_columns()[1:]],
        fits=one.fits is not False,
    )


def holdings(board: Board) -> list[list[Suited]]:
    """The cards of a board from the eldest hand round to the dealer; none before they are known."""
    if not board.deal:
        return []
    return [_by_suit(parse_cards(held)) for held in board.deal.split(";")]


def _by_suit(held: CardSet) -> list[Suited]:
    suits = [(suit.letter, suit_ranks(held, suit)) for suit in reversed(Suit)]
    return [
        Suited(letter, SYMBOLS[letter], " ".join(ranks).replace("T", "10"))
        for letter, ranks in suits
        if ranks
    ]
