"""Live overview of a round: one line of facts for each table."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.game_state import plays_for_chips
from engine.seats import DEFAULT_SEATS
from scoring.models import Game, Hand, Phase, Sitting, State
from scoring.models.states import read_state
from scoring.settlement.plan import rules_of
from scoring.web.desk.table_pace import TableProgress, find_slow
from tournaments.access.rights import Right
from tournaments.models import Event, Round, SitOut, Stage
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.web.desk.base import DeskPage, EventMixin

_OVER = (Phase.OVER, Phase.CLOSED, Phase.OFFICIAL)


@dataclass(frozen=True, slots=True)
class FloorTable(TableProgress):
    """One table of a round that plays, or of one that has been played.

    ``sitters`` are seats, names, and what each has: chips or points. ``waiting`` hands wait for a
    second seat, or for an earlier hand.
    """

    number: int
    game: UUID
    sitters: Sequence[tuple[str, str, int]]
    par: int
    pot: int | None
    jackpot: int
    disputed: Sequence[Hand]
    waiting: Sequence[Hand]
    is_closed: bool


def floor_of(event: Event, row: Round, at: datetime) -> list[tuple[FloorTable, bool]]:
    """The tables of a round with their games, and which of them are slow. Five queries."""
    sitting = Sitting.objects.filter(last=None).order_by("seat").select_related("player__person")
    games = (
        Game.objects.filter(table__round=row)
        .select_related("table")
        .prefetch_related(
            Prefetch("hand_rows", Hand.objects.order_by("number", "id")),
            Prefetch("sittings", sitting),
        )
        .order_by("table__number", "opened_at")
    )
    shared = shared_names(event.club)
    tables = [_table(game, event.hands, shared) for game in games]
    return list(zip(tables, find_slow(tables, at), strict=True))


def _table(game: Game, par: int, shared: AbstractSet[str]) -> FloorTable:
    assert game.table is not None
    hands, state = list(game.hand_rows.all()), read_state(game.state)
    if game.boards_alike:
        # The game's own state is that in which its next board begins.
        afters = [one.after for one in hands if one.rival_id is None and one.number == game.hands]
        state = read_state(afters[0] if afters else game.start)
    for_chips = plays_for_chips(rules_of(game))
    has, seats = state.chips if for_chips else state.totals, DEFAULT_SEATS[game.players]
    disputed = [hand for hand in hands if hand.state == State.DISPUTED]
    drafts = [hand for hand in hands if hand.state == State.DRAFT]
    early = [hand for hand in hands if hand.number > game.hands and hand not in disputed]
    return FloorTable(
        number=game.table.number,
        game=game.pk,
        sitters=[
            (seats[one.seat], distinct_name(one.player, shared), has[one.seat])
            for one in game.sittings.all()
        ],
        hands=game.counted,
        par=par,
        pot=state.pot if for_chips else None,
        jackpot=state.jackpot,
        began_at=game.opened_at,
        last_at=max((hand.entered_at for hand in hands), default=None),
        disputed=disputed,
        waiting=[hand for hand in hands if hand in drafts or hand in early],
        is_done=game.phase in _OVER or (game.counted >= par and not disputed and not drafts),
        is_closed=game.phase in (Phase.CLOSED, Phase.OFFICIAL),
    )


def format_age(then: datetime | None, now: datetime) -> str:
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
    tables, shared = floor_of(event, row, at), shared_names(event.club)
    outs = SitOut.objects.filter(round=row).select_related("entry__player__person")
    return {
        "tables": [(table, is_slow, format_age(table.last_at, at)) for table, is_slow in tables],
        "at": at,
        "done": sum(table.is_done for table, _is_slow in tables),
        "disputes": sum(len(table.disputed) for table, _is_slow in tables),
        "slow": sum(is_slow for _table, is_slow in tables),
        "sitting_out": [
            distinct_name(out.entry.player, shared) for out in outs.order_by("entry__number")
        ],
        "playing": row,
        "began": format_age(row.started_at, at),
        "event": event,
    }


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
