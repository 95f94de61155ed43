"""Boards of an event: prepared, and compared table by table."""

from collections.abc import Iterable
from typing import TypedDict
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, read, write
from tournaments.api.fields import Text, Whole, form
from tournaments.api.places import EventDoor, event_of
from tournaments.core.errors import NotThereError
from tournaments.events import boards
from tournaments.events.boards import Preparation, Traveller
from tournaments.events.deal_secrets import list_commitments
from tournaments.events.events import ROUNDS_MOST
from tournaments.models import Board
from tournaments.standings.exact import data_of

RECORDS = form(
    records=Text(
        required=False, raw=True, least=0, most=200_000, words="PHN or PBN with a deal each."
    ),
    table=Whole(
        required=False, least=1, most=1000, words="The deals are those of this table's records."
    ),
    round=Whole(required=False, least=1, most=ROUNDS_MOST, words="Only the boards of this round."),
)


class BoardOut(TypedDict):
    """A board. ``deal`` is told to the director, and to others once the board was played.

    ``table`` is whose record tells the deal, if it comes from one; empty while that is awaited.
    ``commitment`` is the SHA-256 of the ``key`` that the deal was made from, null for a deal that
    was brought. The key is shown to nobody before the board is over at all tables.
    """

    number: int
    deal: str | None
    source: str
    table: int | None
    tables: int
    commitment: str | None
    key: str | None


class CommitmentOut(TypedDict):
    """What was published of a board's key in advance; ``key`` is null until the board is over."""

    number: int
    commitment: str
    key: str | None


class BoardList(TypedDict):
    """All boards of an event.

    ``commitments`` has every board that is or can be dealt from the event's secret, prepared or
    not: they are fixed from the moment in which the event is set up.
    """

    items: list[BoardOut]
    commitments: list[CommitmentOut]


class TravellerLine(TypedDict):
    """What one table made of a board; ``fits`` false: it played other cards."""

    table: int
    round: int
    game: UUID
    hand: int
    entry: UUID
    score: int
    fits: bool | None
    matchpoints: int | None
    top: int
    datum: str | None


class FrequencyOut(TypedDict):
    """How many tables had a score."""

    score: int
    tables: int


class TravellerSeat(TypedDict):
    """One seat, counted from the eldest hand, at all tables."""

    seat: int
    lines: list[TravellerLine]
    frequencies: list[FrequencyOut]


class TravellerOut(TypedDict):
    """Everything that was made of a board."""

    board: BoardOut
    mean: str
    seats: list[TravellerSeat]


class Boards(EventDoor):
    """The prepared deals of an event."""

    @read(Right.CLUB_READ, gives=BoardList)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """List the boards of an event."""
        return Answer(_listed(ask))

    @write(Right.EVENTS_EDIT, takes=RECORDS, gives=BoardList, status=201)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Fix the deals: from records that are sent, a table's own, or the event's secret."""
        boards.prepare_boards(
            event_id=event_id, preparation=Preparation(**ask.values), by=ask.by, at=ask.at
        )
        return Answer(_listed(ask))


class OneBoard(EventDoor):
    """A board."""

    @read(Right.CLUB_READ, gives=TravellerOut)
    def get(self, ask: Ask, event_id: UUID, number: int) -> Answer:
        """Show a board's traveller: what every table made of it, seat by seat."""
        board = Board.objects.filter(event=event_of(ask), number=number).first()
        if board is None:
            raise NotThereError
        return Answer(_traveller(boards.traveller(board), _boards(ask, [board])[0]))


def _listed(ask: Ask) -> BoardList:
    event = event_of(ask)
    rows = Board.objects.filter(event=event).order_by("number")
    published = list_commitments(event) if event.duplicate else []
    return {
        "items": _boards(ask, rows),
        "commitments": [
            {"number": one.number, "commitment": one.commitment, "key": one.key or None}
            for one in published
        ],
    }


def _boards(ask: Ask, rows: Iterable[Board]) -> list[BoardOut]:
    event = event_of(ask)
    played, over = selectors.boards_played(event), selectors.boards_over(event)
    is_told = Right.EVENTS_EDIT in ask.rights
    return [
        {
            "number": row.number,
            "deal": row.deal if is_told or row.number in over else None,
            "source": row.source,
            "table": row.source_table,
            "tables": played.get(row.number, 0),
            "commitment": row.commitment or None,
            "key": row.key if row.key and row.number in over else None,
        }
        for row in boards.with_deals(rows)
    ]


def _traveller(found: Traveller, board: BoardOut) -> TravellerOut:
    seats: list[TravellerSeat] = [
        {
            "seat": seat,
            "lines": [
                {
                    "table": line.table,
                    "round": line.round,
                    "game": line.game,
                    "hand": line.number,
                    "entry": line.entry,
                    "score": line.score,
                    "fits": line.fits,
                    "matchpoints": line.points,
                    "top": line.top,
                    "datum": None if line.datum is None else str(data_of(line.datum)),
                }
                for line in lines
            ],
            "frequencies": [
                {"score": score, "tables": tables} for score, tables in found.frequencies(seat)
            ],
        }
        for seat, lines in found.seats.items()
    ]
    return {"board": board, "mean": str(found.mean), "seats": seats}
