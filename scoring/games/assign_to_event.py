"""Assign games that were imported or played apart to an event, and remove them again.

Standings, leagues and ratings count them as if they had been played there. Locks are taken as
docs/locks.md says: club, event, then the game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from engine.rules.rules import plays_for_chips
from scoring.games.closing import Closing, close_game, open_hands
from scoring.games.opening import touch as touch_game
from scoring.ledger.transfers import Stamp
from scoring.models import Game, Phase, Sitting
from scoring.settlement import reporting
from scoring.settlement.plan import lock, plan, rules_of
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events.events import check_running, lock_with_club, touch
from tournaments.events.layout import GamePlacement, Room, RoundTable, sit_down, stand_up
from tournaments.events.round_rules import rule_sets_in_use
from tournaments.models import AuditEntry, Event, SeatDecision, TableGame
from tournaments.people.rule_sets import rules_of as rules_in

PLACED: Final = "game placed"
BROUGHT: Final = Message("It was played and written down elsewhere.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """In which round and at which table, as far as that is known.

    ``closes``: the game is closed too, unless a hand of it waits for the director. ``owners`` are
    those whose seats they are, by seat, where a substitute sat down first.
    """

    round: int | None = None
    table: int | None = None
    closes: bool = True
    owners: Mapping[int, UUID] = field(default_factory=dict)


@transaction.atomic
def place_game(
    *, event_id: UUID, game_id: UUID, where: Where, by: Actor, at: datetime
) -> RoundTable:
    """Make a game part of an event; one that is there already stays where it is.

    Whoever played is entered, if they were not. Raises RefusedError: the event is over, the game is
    in another one, is counted otherwise, or has no place there.
    """
    event, game = _lock(event_id, game_id)
    if game.table is not None:
        if game.table.round.event_id != event.pk:
            raise RefusedError(Message("This game is part of another event."), "game")
        return RoundTable(game.table.round.number, game.table.number)
    check_running(event)
    check_kind(event, rules_low=not plays_for_chips(rules_of(game)))
    if not game.hands:
        raise RefusedError(Message("This game has no hand."), "game")
    if game.phase == Phase.OFFICIAL:
        raise RefusedError(Message("This game is official; open it again first."), "game")
    players = [where.owners.get(seat, player) for seat, player in enumerate(sat_first(game))]
    brought = GamePlacement(players=players, round=where.round, table=where.table)
    spot = Room.of(event).spot(brought)
    table = sit_down(event, brought, spot, at)
    details = {"game": game.pk, "round": spot.round, "table": spot.table}
    touch(event, AuditRecord(Message("game placed"), details=details), by, at)
    game.table = table
    game.save(update_fields=["table"])
    TableGame.objects.filter(pk=game.pk).update(event=event, table=table)
    _tell_anew(game, at)
    touch_game(
        game,
        AuditRecord(Message("game placed"), details={**details, "event": event.pk}),
        Stamp(by, at),
    )
    if where.closes and game.phase in (Phase.OPEN, Phase.OVER) and not open_hands(game):
        close_game(game_id=game.pk, closing=Closing(reason=BROUGHT), by=by, at=at)
    invalidation.mark_event(event, at)
    return spot


@transaction.atomic
def take_out_game(*, event_id: UUID, game_id: UUID, why: str, by: Actor, at: datetime) -> None:
    """Take a game out of an event that was put into it; it stays a game of the club.

    Raises RefusedError: no reason, it was played there, or something is decided of a seat.
    """
    event, game = _lock(event_id, game_id)
    table = game.table
    if table is None or table.round.event_id != event.pk:
        raise NotThereError
    check_running(event)
    if not why.strip():
        raise RefusedError(Message("Say why the game is taken out."), "why")
    if not AuditEntry.objects.filter(chain=game.pk, what=PLACED).exists():
        raise RefusedError(Message("This game was played at a table of this event."), "game")
    if SeatDecision.objects.filter(game=game.pk, cancelled_at=None).exists():
        raise RefusedError(Message("There is a decision on a seat; take it back first."), "game")
    leave(game, at)
    stand_up(table)
    details = {"game": game.pk, "event": event.pk}
    touch(event, AuditRecord(Message("game taken out"), why, details), by, at)
    touch_game(game, AuditRecord(Message("game taken out"), why, details), Stamp(by, at))
    invalidation.mark_event(event, at)


def leave(game: Game, at: datetime) -> None:
    """Let a game be one of the club alone, at no table of an event; the caller holds both locks."""
    game.table = None
    game.save(update_fields=["table"])
    TableGame.objects.filter(pk=game.pk).update(event=None, table=None)
    if game.hands:
        _tell_anew(game, at)


def _lock(event_id: UUID, game_id: UUID) -> tuple[Event, Game]:
    event = lock_with_club(event_id)
    try:
        game = lock(game_id)
    except Game.DoesNotExist as error:
        raise NotThereError from error
    if game.club_id != event.club_id:
        raise NotThereError
    return event, game


def check_kind(event: Event, *, rules_low: bool) -> None:
    """Raises RefusedError for a game in chips in an event of penalty points, or the other way."""
    if rules_low not in {not plays_for_chips(rules_in(row)) for row in rule_sets_in_use(event)}:
        words = Message("One counts in chips, the other in penalty points.")
        raise RefusedError(words, "game")


def sat_first(game: Game) -> list[UUID]:
    """Return the players who began a game, in seat order. One query."""
    rows = Sitting.objects.filter(game=game, first=1).order_by("seat", "pk")
    return list(rows.values_list("player_id", flat=True))


def _tell_anew(game: Game, at: datetime) -> None:
    """Tell results again what the game gave: boards and sums hang on where it was played."""
    stood = reporting.ReportedProgress.of(game)
    reporting.report(game, plan(game, 1).hands, first=1, before=stood, at=at)
