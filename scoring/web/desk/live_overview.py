"""Live overview of a round: one line of facts for each table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.game_state import GameState, plays_for_chips
from engine.seats import DEFAULT_SEATS
from scoring.models import Game, Hand, Phase, Sitting, State
from scoring.models.states import read_state
from scoring.settlement.plan import rules_of
from scoring.web.desk.table_pace import TableProgress, slow
from scoring.web.pending_reasons import reasons_shown
from tournaments.access.rights import Right
from tournaments.core.language import translate
from tournaments.models import Club, Event, Round, SitOut, Stage
from tournaments.people.display_names import name_apart, shared_names
from tournaments.web.desk.base import DeskPage, EventMixin

_OVER = (Phase.OVER, Phase.CLOSED, Phase.OFFICIAL)


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """Who sits in a seat, and what he has: chips or points."""

    seat: str
    name: str
    has: int


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A hand that waits for somebody: for the director, a second seat, or an earlier hand."""

    id: UUID
    number: int
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class FloorTable:
    """One table of a round that plays, or of one that has been played."""

    number: int
    game: UUID
    sitters: tuple[SeatStatus, ...]
    hands: int
    par: int
    pot: int | None
    jackpot: int
    last_at: datetime | None
    disputed: tuple[OpenHand, ...]
    waiting: tuple[OpenHand, ...]
    is_done: bool
    is_slow: bool
    is_closed: bool

    @property
    def worst(self) -> str:
        """The one word that tells most of it."""
        if self.disputed:
            return "disputed"
        if self.is_done:
            return "done"
        return "slow" if self.is_slow else ""


def floor_of(event: Event, row: Round, at: datetime) -> list[FloorTable]:
    """The tables of a round with their games. Five queries."""
    games = list(
        Game.objects.filter(table__round=row)
        .select_related("table")
        .order_by("table__number", "opened_at")
    )
    hands: dict[UUID, list[Hand]] = {game.pk: [] for game in games}
    for hand in Hand.objects.filter(game__in=games).order_by("number", "id"):
        hands[hand.game_id].append(hand)
    sitters = _sitters(event.club, games)
    ended = [_is_done(game, hands[game.pk], event.hands) for game in games]
    paces = [
        TableProgress(game.counted, game.opened_at, _last(hands[game.pk]), done)
        for game, done in zip(games, ended, strict=True)
    ]
    return [
        _table(game, hands[game.pk], sitters[game.pk], par=event.hands, flags=(done, late))
        for game, done, late in zip(games, ended, slow(paces, at), strict=True)
    ]


def _sitters(club: Club, games: Sequence[Game]) -> dict[UUID, list[tuple[int, str]]]:
    shared = shared_names(club)
    rows = Sitting.objects.filter(game__in=games, last=None).order_by("game", "seat")
    found: dict[UUID, list[tuple[int, str]]] = {game.pk: [] for game in games}
    for row in rows.select_related("player__person"):
        found[row.game_id].append((row.seat, name_apart(row.player, shared)))
    return found


def _last(hands: Sequence[Hand]) -> datetime | None:
    return max((hand.entered_at for hand in hands), default=None)


def _is_done(game: Game, hands: Sequence[Hand], par: int) -> bool:
    is_open = any(hand.state in (State.DRAFT, State.DISPUTED) for hand in hands)
    return game.phase in _OVER or (game.counted >= par and not is_open)


def _table(
    game: Game,
    hands: Sequence[Hand],
    sitters: Sequence[tuple[int, str]],
    *,
    par: int,
    flags: tuple[bool, bool],
) -> FloorTable:
    assert game.table is not None
    rules, seats = rules_of(game), DEFAULT_SEATS[game.players]
    state = _come_to(game, hands)
    for_chips = plays_for_chips(rules)
    has = state.chips if for_chips else state.totals
    disputed = [hand for hand in hands if hand.state == State.DISPUTED]
    reasons = reasons_shown(disputed, in_full=True)
    waiting = [
        hand
        for hand in hands
        if hand.state == State.DRAFT or (hand.number > game.hands and hand not in disputed)
    ]
    return FloorTable(
        number=game.table.number,
        game=game.pk,
        sitters=tuple(SeatStatus(seats[seat], name, has[seat]) for seat, name in sitters),
        hands=game.counted,
        par=par,
        pot=state.pot if for_chips else None,
        jackpot=state.jackpot,
        last_at=_last(hands),
        disputed=tuple(_open(hand, reasons[hand.pk]) for hand in disputed),
        waiting=tuple(_open(hand, translate(hand.reason)) for hand in waiting),
        is_done=flags[0],
        is_slow=flags[1],
        is_closed=game.phase in (Phase.CLOSED, Phase.OFFICIAL),
    )


def _come_to(game: Game, hands: Sequence[Hand]) -> GameState:
    """The current state of a game from its loaded hands, without a query."""
    if not game.boards_alike:
        return read_state(game.state)
    afters = [one.after for one in hands if one.rival_id is None and one.number == game.hands]
    return read_state(afters[0] if afters else game.start)


def _open(hand: Hand, reason: str) -> OpenHand:
    return OpenHand(hand.pk, hand.number, hand.state, reason)


def ago(then: datetime | None, now: datetime) -> str:
    """How long ago something was, as a director says it."""
    if then is None:
        return _("nothing yet")
    minutes = int((now - then).total_seconds() // 60)
    if minutes < 1:
        return _("just now")
    if minutes < 60:
        return ngettext("%(n)d minute ago", "%(n)d minutes ago", minutes) % {"n": minutes}
    hours = minutes // 60
    return ngettext("%(n)d hour ago", "%(n)d hours ago", hours) % {"n": hours}


def floor_context(event: Event, row: Round, at: datetime) -> dict[str, Any]:
    """What the part of the page with the tables shows."""
    tables = floor_of(event, row, at)
    return {
        "tables": [(table, ago(table.last_at, at)) for table in tables],
        "at": at,
        "done": sum(table.is_done for table in tables),
        "disputes": sum(len(table.disputed) for table in tables),
        "slow": sum(table.is_slow for table in tables),
        "sitting_out": _sitting_out(event.club, row),
        "playing": row,
        "began": ago(row.started_at, at),
        "event": event,
    }


def _sitting_out(club: Club, row: Round) -> list[str]:
    """Who sits this round out, by name. Two queries."""
    rows = SitOut.objects.filter(round=row).order_by("entry__number")
    shared = shared_names(club)
    return [
        name_apart(one.entry.player, shared) for one in rows.select_related("entry__player__person")
    ]


class LiveOverview(EventMixin, DeskPage):
    """The tables alone of the round that is played, for a page that looks every few seconds."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/parts/floor.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        rows = Round.objects.filter(event=self.event, stage=Stage.PLAYING).order_by("number")
        playing = rows.first()
        if playing is None:
            return HttpResponse(status=204)
        return self.render(**floor_context(self.event, playing, self.at))
