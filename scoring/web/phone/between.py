"""The phone while nothing is played at its table: the next seat, the standings, the end.

Other people appear under the names that strangers see, except at the table where the phone's player
sits next, and in payments that this player makes or receives.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, Final, TypedDict
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from engine.core.seats import DEFAULT_SEATS
from scoring.games import phones
from scoring.games.night_end import compute_night_end
from scoring.games.table_codes import game_of_table
from scoring.ledger.netting import Payment
from scoring.models import Game, PlayerPhone, Sitting, TableCode
from scoring.presentation.cards import SYMBOLS, describe_taken
from tournaments.core.time_zones import local
from tournaments.events.announcements import describe_schedule
from tournaments.events.events import OVER
from tournaments.events.round_clocks import ClockData, clock_data, find_clock
from tournaments.events.rounds import since_drawn
from tournaments.models import (
    Club,
    Event,
    LeagueEvent,
    Player,
    Published,
    Result,
    Round,
    Scope,
    SitOut,
    Stage,
    Status,
    Table,
    TableSeat,
)
from tournaments.people.display_names import distinct_names, table_names
from tournaments.publishing.official import find_current
from tournaments.web.night_result import format_total
from tournaments.web.number_format import format_number, money
from tournaments.web.season_place import find_season_place

_ROWS: Final = 5
"""How many rows of the standings a phone shows."""


@dataclass(frozen=True, slots=True)
class Follower:
    """A phone between two rounds: it follows its player, or stays with a table of an event.

    Either ``phone`` or ``code`` is set.
    """

    event: Event
    phone: PlayerPhone | None
    code: TableCode | None

    @property
    def player(self) -> UUID | None:
        """Return the player whose phone it is; None for one that stays with its table."""
        return None if self.phone is None else self.phone.player_id

    def game(self) -> Game | None:
        """The game that is played now where this phone belongs. Two queries at most."""
        if self.phone is not None:
            return phones.game_of_player(self.event, self.phone.player_id)
        assert self.code is not None
        return game_of_table(self.event, self.code.number)


class NextTable(TypedDict):
    """A table of the round: ``own`` is the seat of the phone's player, null for a table's phone."""

    number: int
    own: str | None
    seats: list[str]
    called: dict[str, str]


class StandingLine(TypedDict):
    """A line of the standings; ``up`` is by how many places it rose, null if that is not known."""

    place: str
    name: str
    total: str
    up: int | None
    is_own: bool


class StandingsNow(TypedDict):
    """The standings as a phone shows them: after which round, and a few lines around its own."""

    after: int
    of: int
    lines: list[StandingLine]
    place: str | None
    up: int | None
    is_official: bool


class OwnRound(TypedDict):
    """A round of the player: the table, what it brought, and the place after it."""

    number: int
    table: int | None
    value: str
    place: int | None


class OwnHand(TypedDict):
    """A hand of the player in this event: where, what was taken and won or lost."""

    round: int
    table: int
    number: int
    taken: str
    value: str
    is_gain: bool


class OwnPayment(TypedDict):
    """A payment: ``is_due`` that the player pays; ``name`` empty for the club."""

    name: str
    amount: str
    is_due: bool


class NightMoney(TypedDict):
    """The result of a night for one player, in one currency."""

    total: str
    is_gain: bool
    payments: list[OwnPayment]


class OwnSeason(TypedDict):
    """The place of the phone's player in their season."""

    name: str
    place: str
    of: int


class NightOver(TypedDict):
    """The end of a night as its player's phone tells it; ``total`` with its unit."""

    total: str | None
    rounds: list[OwnRound]
    money: list[NightMoney]
    prize: str | None
    next: str | None
    league: OwnSeason | None


class Between(TypedDict):
    """The phone between rounds. ``game`` is the one that it can go to now.

    ``scoring_reason`` is why the scoring was changed after hands were played; empty if it was not.
    ``hands`` are those of the phone's player, the last one first. ``schedule`` says that the night
    is called off or was moved, and why; empty if it is neither.
    """

    event: UUID
    title: str
    status: str
    url: str | None
    rounds: int
    round: int | None
    is_playing: bool
    player: str | None
    table: NextTable | None
    sits_out: bool
    game: UUID | None
    clock: ClockData | None
    scoring_reason: str
    schedule: str
    hands: list[OwnHand]
    standings: StandingsNow | None
    end: NightOver | None


def between_etag(follower: Follower, game: Game | None, at: datetime) -> str:
    """Return the ETag of `build_between` without building it. Two queries."""
    event = follower.event
    shown = Q(scope=Scope.EVENT, subject=event.pk)
    if event.status in OVER:
        leagues = LeagueEvent.objects.filter(event=event)
        shown |= Q(scope=Scope.LEAGUE, subject__in=leagues.values("league"))
    standings = Published.objects.filter(shown).order_by("scope", "subject")
    clock = clock_data(find_clock(event.pk), at)
    marks = (
        event.pk,
        event.version,
        event.status,
        game and (game.pk, game.version),
        list(standings.values_list("version", "official")),
        clock and {**clock, "at": None},
        follower.player,
    )
    return f'"{hashlib.sha256(repr(marks).encode()).hexdigest()[:16]}"'


def build_between(follower: Follower, game: Game | None, at: datetime) -> Between:
    """Return what a phone shows between rounds. About sixteen queries, some more at the end."""
    event, player = follower.event, follower.player
    row = None if event.status == Status.CANCELLED else _round_ahead(event)
    table, own = _find_table(follower, row, game)
    standings = find_current(Scope.EVENT, event.pk)
    is_public = event.club.is_public and not event.is_hidden
    rows = [row for row in standings.rows if row["rank_from"] is not None]
    places = _places_by_round(standings.data, rows)
    players = {entry: one["player"] for entry, one in standings.data.get("entries", {}).items()}
    mine = next((row for row in rows if players.get(row["entry"]) == str(player)), None)
    is_over = event.status in OVER
    sits_out = SitOut.objects.filter(round=row, entry__player=player) if row and player else None
    return {
        "event": event.pk,
        "title": event.name,
        "status": event.status,
        "url": reverse("event-page", args=[event.pk]) if is_public else None,
        "rounds": event.rounds,
        "round": None if row is None or is_over else row.number,
        "is_playing": row is not None and row.stage == Stage.PLAYING,
        "player": None if follower.phone is None else table_names([follower.phone.player])[0],
        "table": None if table is None or is_over else _next_table(table, own, game),
        "sits_out": sits_out is not None and sits_out.exists(),
        "game": _game_to_open(game, row),
        "clock": clock_data(find_clock(event.pk), at),
        "scoring_reason": event.scoring_reason,
        "schedule": describe_schedule(event),
        "hands": [] if player is None else _own_hands(event, player),
        "standings": _standings(event.club, standings.data, rows, players, places, mine),
        "end": _night_over(event, player, mine, standings.data, places, at)
        if is_over and player is not None
        else None,
    }


def _game_to_open(game: Game | None, row: Round | None) -> UUID | None:
    """Return the id of a game of the round that is being played, else None."""
    if game is None or game.table is None or row is None:
        return None
    is_now = row.stage == Stage.PLAYING and game.table.round_id == row.pk
    return game.pk if is_now else None


def _round_ahead(event: Event) -> Round | None:
    """The round that is played, else the next one that is drawn, unless people came or left since.

    One query, and three more while none is played.
    """
    rows = Round.objects.filter(event=event).exclude(stage=Stage.CLOSED).order_by("number")
    found = list(rows)
    playing = next((row for row in found if row.stage == Stage.PLAYING), None)
    if playing is not None or not found:
        return playing
    return None if found[0].number in since_drawn(event) else found[0]


def _find_table(
    follower: Follower, row: Round | None, game: Game | None
) -> tuple[Table | None, int | None]:
    """Return the table of a round where a phone belongs, and the seat of its player. One query."""
    if row is None:
        return None, None
    if follower.code is not None:
        return Table.objects.filter(round=row, number=follower.code.number).first(), None
    if game is not None and game.table is not None and game.table.round_id == row.pk:
        sat = Sitting.objects.filter(game=game, player=follower.player, last=None)
        return game.table, sat.values_list("seat", flat=True).first()
    seats = TableSeat.objects.filter(round=row, entry__player=follower.player)
    seat = seats.select_related("table").first()
    # In a round that is played a substitute may have their seat.
    if seat is None or row.stage == Stage.PLAYING:
        return None, None
    return seat.table, seat.seat


def _next_table(table: Table, own: int | None, game: Game | None) -> NextTable:
    """A table with who sits there, by the names that they use. One query."""
    names = DEFAULT_SEATS[table.size]
    sat: list[tuple[int, Player]]
    if game is not None and game.table_id == table.pk:
        rows = Sitting.objects.filter(game=game, last=None).order_by("seat")
        found = rows.select_related("player__person", "player__merged_into__person")
        sat = [(one.seat, one.player.merged_into or one.player) for one in found]
    else:
        people = "entry__player__person", "entry__player__merged_into__person"
        drawn = TableSeat.objects.filter(table=table).select_related(*people).order_by("seat")
        sat = [(one.seat, one.entry.player.merged_into or one.entry.player) for one in drawn]
    called = table_names([player for _seat, player in sat])
    return {
        "number": table.number,
        "own": None if own is None else names[own],
        "seats": list(names),
        "called": {names[seat]: name for (seat, _p), name in zip(sat, called, strict=True)},
    }


Rows = Sequence[Mapping[str, Any]]
Places = Mapping[str, Mapping[int, int]]


def _places_by_round(data: Mapping[str, Any], rows: Rows) -> Places:
    """Return the place of each entry after each round, ranked by the sum of its rounds so far.

    Empty if totals are not sums of rounds, as with averages and boards.
    """
    values = {
        row["entry"]: {int(n): Fraction(one) for n, one in row["rounds"].items()} for row in rows
    }
    totals = {row["entry"]: row["total"] for row in rows}
    if any(
        totals[entry] is None or sum(one.values()) != Fraction(totals[entry])
        for entry, one in values.items()
    ):
        return {}
    sign = 1 if data.get("low") else -1
    found: dict[str, dict[int, int]] = {entry: {} for entry in values}
    for number in sorted({number for one in values.values() for number in one}):
        sums = {
            entry: sign * sum(value for n, value in one.items() if n <= number)
            for entry, one in values.items()
        }
        for entry, total in sums.items():
            found[entry][number] = 1 + sum(other < total for other in sums.values())
    return found


def _standings(
    club: Club,
    data: Mapping[str, Any],
    rows: Rows,
    players: Mapping[str, str],
    places: Places,
    mine: Mapping[str, Any] | None,
) -> StandingsNow | None:
    """Return the first lines of the standings, and ``mine`` with its neighbours. Two queries."""
    if not rows:
        return None
    after = data["up_to"]["round"]
    own = rows.index(mine) if mine is not None else 0
    shown = list(rows[:_ROWS]) if own < _ROWS else [*rows[: _ROWS - 2], *rows[own - 1 : own + 1]]
    ids = [UUID(players[row["entry"]]) for row in shown]
    names = distinct_names(club, ids, in_full=False)

    def up(row: Mapping[str, Any]) -> int | None:
        known = places.get(row["entry"], {})
        return known[after - 1] - known[after] if {after - 1, after} <= known.keys() else None

    lines: list[StandingLine] = [
        {
            "place": row["label"],
            "name": names.get(players[row["entry"]], ""),
            "total": format_number(row["total"]),
            "up": up(row),
            "is_own": row is mine,
        }
        for row in shown
    ]
    return {
        "after": after,
        "of": len(rows),
        "lines": lines,
        "place": None if mine is None else mine["label"],
        "up": None if mine is None else up(mine),
        "is_official": data.get("status") == Status.OFFICIAL,
    }


def _night_over(
    event: Event,
    player: UUID,
    mine: Mapping[str, Any] | None,
    data: Mapping[str, Any],
    places: Places,
    at: datetime,
) -> NightOver:
    ended = compute_night_end(event)
    payments = ended.settlements_of(player)
    others = {
        one for each in payments for pay in each.payments for one in (pay.payer, pay.payee) if one
    }
    names = distinct_names(event.club, list(others))

    def own_payment(pay: Payment[UUID | None], currency: str) -> OwnPayment:
        other = pay.payee if pay.payer == player else pay.payer
        return {
            "name": "" if other is None else names.get(str(other), ""),
            "amount": money(pay.amount, currency),
            "is_due": pay.payer == player,
        }

    won = ended.prizes.get(player)
    following = Event.objects.filter(club=event.club, status=Status.PLANNED, starts_at__gt=at)
    begins = following.filter(is_hidden=False).order_by("starts_at", "pk").first()
    return {
        "total": None
        if mine is None
        else format_total(None if mine["total"] is None else Fraction(mine["total"]), data["unit"]),
        "rounds": [] if mine is None else _own_rounds(mine, data, places),
        "money": [
            {
                "total": money(each.line.balance, each.currency),
                "is_gain": each.line.balance >= 0,
                "payments": [own_payment(pay, each.currency) for pay in each.payments],
            }
            for each in payments
        ],
        "prize": money(won, event.club.currency) if won else None,
        "next": None if begins is None else _format_start(begins),
        "league": _league_place(event, player),
    }


def _league_place(event: Event, player: UUID) -> OwnSeason | None:
    """Nine queries at most."""
    found = find_season_place(Player.objects.select_related("club").get(pk=player), [event.pk])
    if found is None or not found.label:
        return None
    return {"name": found.league.name, "place": found.label, "of": found.of}


def _format_start(event: Event) -> str:
    return date_format(local(event.starts_at, event.club.time_zone), _("l j F, H:i"))


def _own_hands(event: Event, player: UUID) -> list[OwnHand]:
    """One query."""
    rows = Result.objects.filter(game__table__round__event=event, player=player)
    order = "-game__table__round__number", "-game__opened_at", "-number"
    return [
        {
            "round": row.game.table.round.number,
            "table": row.game.table.number,
            "number": row.number,
            "taken": " ".join(filter(None, (SYMBOLS.get(row.pain, ""), describe_taken(row)))),
            "value": format_number(row.score, signed=not row.game.low),
            "is_gain": row.score == 0 or row.game.low != (row.score > 0),
        }
        for row in rows.select_related("game__table__round").order_by(*order)
        if row.game.table is not None
    ]


def _own_rounds(mine: Mapping[str, Any], data: Mapping[str, Any], places: Places) -> list[OwnRound]:
    tables = {
        game["round"]: game["table"]
        for game in data.get("games", ())
        for seat in game["seats"]
        if seat["entry"] == mine["entry"]
    }
    known = places.get(mine["entry"], {})
    return [
        {
            "number": int(number),
            "table": tables.get(int(number)),
            "value": format_number(value, signed=True),
            "place": known.get(int(number)),
        }
        for number, value in sorted(mine["rounds"].items(), key=lambda one: int(one[0]))
    ]
