"""Travellers as tables: what every table of an event made of a board, seat by seat."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from engine.core.cards import SUIT_NAMES, SUIT_OF_LETTER
from tournaments.core.language import translate
from tournaments.core.time_zones import day
from tournaments.events.boards import BoardLine, traveller, with_deals
from tournaments.models import Board, Club, Entry
from tournaments.reports.people import named_players, player_columns
from tournaments.tables.model import Column, ColumnKind, Table, Value


class BoardSeatLine(NamedTuple):
    """A line of a board in a seat; seats are counted from the eldest hand (1) to the dealer."""

    board: Board
    seat: int
    line: BoardLine


def compared_columns(line_of: Callable[[Any], BoardLine]) -> tuple[Column[Any], ...]:
    """Return a line's score, and its comparison with the other tables.

    ``line_of`` gives the line of a record.
    """
    return (
        Column(
            key="score",
            title=_("Score"),
            kind=ColumnKind.INTEGER,
            value=lambda record: line_of(record).score,
        ),
        Column(
            key="points",
            title=_("Matchpoints"),
            kind=ColumnKind.INTEGER,
            value=lambda record: line_of(record).points,
            description=_("2 for each table beaten, 1 for a tie"),
        ),
        Column(
            key="share",
            title=_("Share (%)"),
            kind=ColumnKind.DECIMAL,
            decimal_places=1,
            value=lambda record: _share(line_of(record)),
            description=_("how many of the possible matchpoints"),
        ),
        Column(
            key="datum",
            title=_("To the others"),
            kind=ColumnKind.DECIMAL,
            value=lambda record: line_of(record).datum,
            description=_("the score less the mean of the other tables"),
        ),
    )


def _share(line: BoardLine) -> Value:
    return None if line.points is None or not line.top else Fraction(100 * line.points, line.top)


def travellers(
    club: Club, *, event: UUID | None = None, league: UUID | None = None
) -> Table[BoardSeatLine]:
    """All boards of a club, of an event or of a league. Three queries, and two to four a board."""
    boards = Board.objects.filter(event__club=club).order_by("event__starts_at", "event", "number")
    if event is not None:
        boards = boards.filter(event=event)
    if league is not None:
        boards = boards.filter(event__leagues__league=league)
    entries: Mapping[UUID, UUID] = dict(
        Entry.objects.filter(event__in=boards.order_by().values("event")).values_list(
            "pk", "player_id"
        )
    )
    lines = [
        BoardSeatLine(board, seat + 1, line)
        for board in with_deals(boards.select_related("event"))
        for seat, found in traveller(board).seats.items()
        for line in found
    ]

    def player_of(row: BoardSeatLine) -> UUID:
        return entries[row.line.entry]

    def integer(key: str, title: str, way: str) -> Column[BoardSeatLine]:
        return Column(key=key, title=title, kind=ColumnKind.INTEGER, value=attrgetter(way))

    columns: tuple[Column[BoardSeatLine], ...] = (
        Column(
            key="date",
            title=_("Date"),
            kind=ColumnKind.DATE,
            value=lambda row: day(row.board.event.starts_at, club.time_zone),
        ),
        Column(key="event", title=_("Event"), value=attrgetter("board.event.name")),
        integer("board", _("Board"), "board.number"),
        integer("seat", _("Seat from the eldest hand"), "seat"),
        integer("round", _("Round"), "line.round"),
        integer("table", _("Table"), "line.table"),
        integer("hand", _("Hand"), "line.number"),
        *player_columns("player", _("Player"), player_of, named_players(club)),
        integer("bid", _("Bid"), "line.bid"),
        Column(
            key="pain",
            title=_("Suit"),
            value=lambda row: (
                translate(SUIT_NAMES[SUIT_OF_LETTER[row.line.pain]]) if row.line.pain else ""
            ),
        ),
        integer("taken", _("Taken"), "line.taken"),
        *compared_columns(attrgetter("line")),
        Column(
            key="remark",
            title=_("Remark"),
            value=lambda row: _("played with other cards") if row.line.fits is False else "",
        ),
        Column(key="game_id", title="game_id", value=lambda row: str(row.line.game), is_id=True),
    )
    return Table(_("Travellers"), columns, lines)
