"""Tables of hands, and of the results of every seat in them."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, F, Q
from django.utils.translation import gettext as _

from engine.core.seats import DEFAULT_SEATS
from scoring.models import HandVersion, State
from scoring.presentation.cards import seat_name, suit_name
from scoring.reports.game_columns import GameColumns, game_id_column
from scoring.selectors import queries
from tournaments.core.language import translate
from tournaments.models import Club, Result
from tournaments.reports.people import actor_column, actor_names, named_players, player_columns
from tournaments.tables.model import Column, ColumnKind, Table

_AT_ONCE: Final = 2000


def hands(
    club: Club,
    *,
    event: UUID | None = None,
    league: UUID | None = None,
    read_record: Callable[[HandVersion], str] | None = None,
) -> Table[HandVersion]:
    """Every hand with its state and its current record, as ``read_record`` gives it.

    Without that it is the text that was entered.
    """
    games = queries.select_games(club, event=event, league=league)
    rows = HandVersion.objects.filter(
        hand__game__in=games, hand__rival=None, number=F("hand__current")
    )
    names = actor_names(rows.order_by().values_list("by", flat=True).distinct())
    corrected = rows.exclude(why="").exists()
    remarked = rows.exclude(hand__reason="").exists()
    columns: tuple[Column[HandVersion], ...] = (
        *GameColumns(club).columns(attrgetter("hand.game_id"), attrgetter("hand.number")),
        _text("state", _("State"), lambda one: str(State(one.hand.state).details)),
        _text("certainty", _("Certainty"), lambda one: one.hand.get_certainty_display()),
        *([_text("reason", _("Remark"), _reason)] if remarked else []),
        Column(
            key="entered",
            title=_("Entered"),
            kind=ColumnKind.DATETIME,
            value=attrgetter("hand.entered_at"),
        ),
        actor_column("by", _("By"), attrgetter("by"), names),
        *([_text("why", _("Why corrected"), attrgetter("why"))] if corrected else []),
        _text("record", _("Record"), read_record or entered_record),
        Column(
            key="version",
            title=_("Version of the record"),
            kind=ColumnKind.INTEGER,
            value=attrgetter("number"),
            is_id=True,
        ),
        _code("state_code", attrgetter("hand.state")),
        _code("certainty_code", attrgetter("hand.certainty")),
        _code("hand_id", attrgetter("hand_id")),
        game_id_column(attrgetter("hand.game_id")),
    )
    order = ("hand__game__opened_at", "hand__game_id", "hand__number")
    found = rows.select_related("hand").defer("sent", "hand__after").order_by(*order)
    return Table(_("Hands"), columns, found.iterator(_AT_ONCE))


def _reason(version: HandVersion) -> str:
    reason: str = translate(version.hand.reason)
    return reason


def entered_record(version: HandVersion) -> str:
    """The text of a record as it was entered."""
    return bytes(version.text).decode("utf-8", "replace").replace("\0", "\ufffd")


def results(club: Club, *, event: UUID | None = None, league: UUID | None = None) -> Table[Result]:
    """The score of every seat in every hand; columns that would be empty are left out."""
    games = queries.select_games(club, event=event, league=league)
    rows = Result.objects.filter(game__in=games.values("pk"))
    filled = rows.aggregate(
        **{key: Count(key) for key in ("taken", "queen", "own_bid", "board")},
        won=Count("pk", filter=~Q(won=0)),
        pain=Count("pk", filter=~Q(pain="")),
        jackpot=Count("pk", filter=Q(jackpot=True)),
    )
    columns: tuple[Column[Result], ...] = (
        *GameColumns(club).columns(attrgetter("game_id"), attrgetter("number")),
        _text("seat", _("Seat"), lambda row: seat_word(row.seat, row.game.size)),
        *player_columns("player", _("Player"), attrgetter("player_id"), named_players(club)),
        _integer("score", _("Score")),
        *(
            column
            for column in (
                _integer("taken", _("Pain cards taken")),
                _boolean("queen", _("Queen")),
                _integer("own_bid", _("Bid")),
                _integer("won", _("Won")),
                _text("pain", _("Suit"), lambda row: suit_name(row.pain)),
                _boolean("jackpot", _("Jackpot")),
                _integer("board", _("Board")),
            )
            if filled[column.key]
        ),
        _boolean("counts", _("Counts for its round")),
        Column(
            key="seat_number",
            title="seat_number",
            kind=ColumnKind.INTEGER,
            value=lambda row: row.seat + 1,
            is_id=True,
        ),
        _code("player_id", attrgetter("player_id")),
        game_id_column(attrgetter("game_id")),
    )
    order = ("game__opened_at", "game_id", "number", "seat")
    found = rows.select_related("game").order_by(*order)
    return Table(_("Results"), columns, found.iterator(_AT_ONCE))


def seat_word(seat: int, players: int) -> str:
    """Return the name of a seat at a table of so many players: North, South-East.

    >>> seat_word(1, 4)
    'East'
    """
    return seat_name(DEFAULT_SEATS[players][seat])


def _text(key: str, title: str, value: Callable[[Any], str]) -> Column[Any]:
    return Column(key=key, title=title, value=value)


def _integer(key: str, title: str) -> Column[Any]:
    return Column(key=key, title=title, kind=ColumnKind.INTEGER, value=attrgetter(key))


def _boolean(key: str, title: str) -> Column[Any]:
    return Column(key=key, title=title, kind=ColumnKind.BOOLEAN, value=attrgetter(key))


def _code(key: str, value: Callable[[Any], object]) -> Column[Any]:
    return Column(key=key, title=key, value=lambda record: str(value(record)), is_id=True)
