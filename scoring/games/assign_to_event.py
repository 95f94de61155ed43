"""Assign games that were imported or played apart to an event, and remove them again.

Standings, leagues and ratings count them as if they had been played there. Locks are taken as
docs/locks.md says: club, event, then the game.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Subquery

from engine.core.messages import Message
from engine.rules.rules import plays_for_chips
from scoring.games.closing import close_games
from scoring.games.opening import touch as touch_game
from scoring.games.opening import touch_all
from scoring.ledger.transfers import Stamp
from scoring.models import Game, Phase, Sitting
from scoring.settlement import reporting
from scoring.settlement.plan import lock, lock_all, plan, rules_of
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events.events import check_running, lock_with_club, touch
from tournaments.events.events import touch_all as touch_event
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


def place_game(
    *, event_id: UUID, game_id: UUID, where: Where, by: Actor, at: datetime
) -> RoundTable:
    """Make a game part of an event; one that is there already stays where it is.

    Whoever played is entered, if they were not. Raises RefusedError: the event is over, the game is
    in another one, is counted otherwise, or has no place there.
    """
    outcome = place_games(event_id=event_id, games={game_id: where}, by=by, at=at)[game_id]
    if isinstance(outcome, RefusedError):
        raise outcome
    return outcome


@transaction.atomic
def place_games(
    *, event_id: UUID, games: Mapping[UUID, Where], by: Actor, at: datetime
) -> dict[UUID, RoundTable | RefusedError]:
    """Make games part of an event, in order; return their places, or why they have none.

    Uses a constant number of queries, but for games of prepared boards, whose hands are judged
    again. Raises NotThereError.
    """
    event = lock_with_club(event_id)
    rows = {game.pk: game for game in lock_all(event.club_id, games)}
    if len(rows) < len(games):
        raise NotThereError
    first, room = sat_first(rows.values()), Room.of(event)
    directions = find_scoring_directions(event)
    outcomes: dict[UUID, RoundTable | RefusedError] = {}
    placed: dict[Game, tuple[GamePlacement, RoundTable]] = {}
    for number, where in games.items():
        game = rows[number]
        players = [where.owners.get(seat, player) for seat, player in enumerate(first[number])]
        placement = GamePlacement(players=players, round=where.round, table=where.table)
        try:
            known = _check(event, game, directions)
            spot = outcomes[number] = known or room.spot(placement)
        except RefusedError as error:
            outcomes[number] = error
            continue
        if known is None:
            room.take(placement, spot)
            placed[game] = placement, spot
    if placed:
        _write_places(event, placed, Stamp(by, at))
        ending = [game.pk for game in placed if games[game.pk].closes]
        close_games(club_id=event.club_id, game_ids=ending, reason=str(BROUGHT), by=by, at=at)
        invalidation.mark_event(event.pk, at)
    return outcomes


def _check(event: Event, game: Game, directions: Container[bool]) -> RoundTable | None:
    """Return the place that a game has in an event already. Raises RefusedError."""
    if game.table is not None:
        if game.table.round.event_id != event.pk:
            raise RefusedError(Message("This game is part of another event."), "game")
        return RoundTable(game.table.round.number, game.table.number)
    check_running(event)
    check_scoring_direction(directions, is_low_good=not plays_for_chips(rules_of(game)))
    if not game.hands:
        raise RefusedError(Message("This game has no hand."), "game")
    if game.phase == Phase.OFFICIAL:
        raise RefusedError(Message("This game is official; open it again first."), "game")
    return None


def _write_places(
    event: Event, placed: Mapping[Game, tuple[GamePlacement, RoundTable]], stamp: Stamp
) -> None:
    """Write the tables of games, and that they were placed there."""
    tables = sit_down(event, list(placed.values()), stamp.at)
    actions, of_games = [], {}
    for (game, (_placement, spot)), table in zip(placed.items(), tables, strict=True):
        details = {"game": game.pk, "round": spot.round, "table": spot.table}
        actions.append(AuditRecord(Message("game placed"), details=details))
        details = {**details, "event": event.pk}
        of_games[game] = AuditRecord(Message("game placed"), details=details)
        game.table = table
    touch_event(event, actions, stamp.by, stamp.at)
    Game.objects.bulk_update(placed, ["table"])
    rows = TableGame.objects.filter(pk__in=[game.pk for game in placed])
    its_table = Game.objects.filter(pk=OuterRef("pk")).values("table")
    rows.update(event=event, table=Subquery(its_table))
    invalidation.mark_players(rows, stamp.at)
    for game, table in zip(placed, tables, strict=True):
        if table.boards or game.boards_alike:
            _tell_anew(game, stamp.at)
    touch_all(of_games, stamp)


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
    invalidation.mark_event(event.pk, at)


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


def find_scoring_directions(event: Event) -> set[bool]:
    """Return whether a low score is a good one, by each of the rules of an event. One query."""
    return {not plays_for_chips(rules_in(row)) for row in rule_sets_in_use(event)}


def check_scoring_direction(directions: Container[bool], *, is_low_good: bool) -> None:
    """Raises RefusedError for a game in chips in an event of penalty points, or the other way."""
    if is_low_good not in directions:
        words = Message("One counts in chips, the other in penalty points.")
        raise RefusedError(words, "game")


def sat_first(games: Iterable[Game]) -> dict[UUID, list[UUID]]:
    """Return the players who began games, in seat order. One query."""
    found: dict[UUID, list[UUID]] = {game.pk: [] for game in games}
    rows = Sitting.objects.filter(game__in=found, first=1).order_by("seat", "pk")
    for game, player in rows.values_list("game_id", "player_id"):
        found[game].append(player)
    return found


def _tell_anew(game: Game, at: datetime) -> None:
    """Report the results of a game again: boards and sums depend on where it was played."""
    stood = reporting.ReportedProgress.of(game)
    reporting.report(game, plan(game, 1).hands, first=1, before=stood, at=at)
