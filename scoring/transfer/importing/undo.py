"""Undo the import of games: they are removed from the club, and their transfers taken back.

Nothing of the books is deleted: a removed game keeps its hands, its trail and its transfers, each
with its reversal; it has no results, is part of no event, and nothing lists it (`Game.removed_at`).
Locks are taken as docs/locks.md says: club, events, then the games by id.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.apps import apps

from engine.core.messages import Message, from_json
from scoring.games.fees import take_back_fee
from scoring.games.money import reverse_money
from scoring.games.opening import touch as touch_game
from scoring.ledger.removals import find_drawn_jackpots, find_users, reverse_games
from scoring.ledger.transfers import Stamp
from scoring.models import Game
from scoring.transfer.importing.log import GAME, heads_of
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.core.ports import BlockedFinder, Keys
from tournaments.events import events
from tournaments.events.layout import stand_up
from tournaments.imports import EventFactUndoer, ImportedRow, Obstacle, PlayerUndoer, Undoer
from tournaments.models import (
    AuditEntry,
    Board,
    BoardDecision,
    Event,
    Player,
    Result,
    Scope,
    SeatDecision,
    SitOut,
    TableGame,
)

TRANSFER: Final = "scoring.transfer"
UNDONE: Final = "import undone"
"""What the books say of a transfer that was taken back with its import."""


class SeatedPlayerUndoer(PlayerUndoer):
    """Players who came with an import, and may have sat at tables, paid and been paid since."""

    uses = {
        **PlayerUndoer.uses,
        "scoring.sitting": Message("has played"),
        "scoring.ledgeraccount": Message("has paid or was paid"),
        "scoring.entryfee": Message("owes an entry fee, or paid one"),
    }


class GameUndoer(Undoer):
    """Games that came with an archive."""

    key, title = "games", Message("games")
    rank = -1

    def join(self, rows: Any) -> Any:
        """Games with their events, but for those that were removed before."""
        return rows.filter(removed_at=None).select_related("table__round__event", "club")

    def lock(self, rows: Sequence[ImportedRow]) -> None:
        """Lock the events, then the games."""
        played = [event for row in rows if (event := _event_of(row.row)) is not None]
        for number in sorted({event.pk for event in played}):
            events.lock(number)
        games = [row.row.pk for row in rows]
        list(Game.objects.select_for_update(no_key=True).filter(pk__in=games).order_by("pk"))

    def find_obstacles(self, rows: Sequence[ImportedRow], going: Keys) -> Iterator[Obstacle]:
        """Games that somebody has changed or used since, and games that existed before."""
        games = {row.row.pk: row for row in rows}
        heads = heads_of(games)
        decisions = {
            game
            for model in (SeatDecision, BoardDecision)
            for pk, game in model.objects.filter(game__in=games).values_list("pk", "game_id")
            if pk not in going.get(model._meta.label_lower, set())
        }
        drawn = dict(find_drawn_jackpots(games))
        for key, one in games.items():
            why = None
            if one.item.before is not None:
                why = Message("hands were added to a game that was there before")
            elif heads.get(key) != one.item.digest:
                why = _describe_change(key, one.item.digest)
            elif key in decisions:
                why = Message("something was decided of a seat")
            elif key in drawn:
                why = Message("the game {name} has drawn on its jackpot since", name=drawn[key])
            elif (event := _event_of(one.row)) is not None:
                try:
                    events.check_running(event)
                except RefusedError as error:
                    why = Message("{event}: {why}", event=event.name, why=error.message)
            if why is not None:
                yield Obstacle(one.item.pk, self.describe(one.row), why)

    def undo(self, rows: Sequence[ImportedRow], by: Actor, at: datetime) -> None:
        """Remove the games from the club, their events and all standings."""
        if not rows:
            return
        stamp, games = Stamp(by, at), [row.row for row in rows]
        numbers = [game.pk for game in games]
        reverse_games(numbers, stamp=stamp, note=UNDONE)
        played = {game.pk: game.table for game in games if game.table is not None}
        invalidation.mark_players(TableGame.objects.filter(pk__in=numbers), at)
        Result.objects.filter(game__in=numbers).delete()
        TableGame.objects.filter(pk__in=numbers).delete()
        for game in games:
            game.table, game.removed_at = None, at
            game.save(update_fields=["table", "removed_at"])
            touch_game(game, AuditRecord(Message("game removed")), stamp)
        _leave_events(played, stamp)
        invalidation.mark(Scope.RATINGS, [games[0].club_id], at)


def _leave_events(played: dict[UUID, Any], stamp: Stamp) -> None:
    """Take the tables away at which nothing is played any more, the last rounds first."""
    left: dict[UUID, Event] = {}
    tables = {table.pk: table for table in played.values()}
    for table in sorted(tables.values(), key=lambda one: -one.round.number):
        left[table.round.event_id] = table.round.event
        stand_up(table)
    for event in left.values():
        games = [game for game, table in played.items() if table.round.event_id == event.pk]
        action = AuditRecord(Message("games removed"), details={"games": games})
        events.touch(event, action, stamp.by, stamp.at)
        invalidation.mark_event(event.pk, stamp.at)


def _event_of(game: Game) -> Event | None:
    return None if game.table is None else game.table.round.event


def _describe_change(game: UUID, head: str) -> Message:
    """Return the first thing done to a game after the import left it."""
    trail = AuditEntry.objects.filter(chain=game)
    left = trail.filter(digest=head).values_list("number", flat=True).first() or 0
    entry = trail.filter(number__gt=left).order_by("number").first()
    # An entry of the trail has the template of a message, in English.
    what = "" if entry is None else from_json({"say": entry.what, "with": {}})
    return Message("changed since: {what}", what=what)


class DecisionUndoer(EventFactUndoer):
    """Decisions on an event that came with an archive."""

    rank = -2

    def describe(self, row: Any) -> str:
        """The name of the event, and what it is."""
        return f"{self.event_of(row).name}: {self.title}"


class SitOutUndoer(DecisionUndoer):
    """Rounds that somebody sat out."""

    key, title, event_path = "sit_outs", Message("rounds that were sat out"), "round.event"


class SeatDecisionUndoer(DecisionUndoer):
    """Forfeits, and scores that were given."""

    key, title, event_path = "decisions", Message("forfeits and assigned scores"), "game.event"


class BoardDecisionUndoer(DecisionUndoer):
    """Decisions on hands with other cards than their board."""

    key, event_path = "board_decisions", "game.event"
    title = Message("decisions on hands with other cards")


class BoardUndoer(DecisionUndoer):
    """Prepared deals; those with which others have played since stay."""

    key, title, event_path = "boards", Message("prepared deals"), "event"
    rank = 0

    def find_obstacles(self, rows: Sequence[ImportedRow], going: Keys) -> Iterator[Obstacle]:
        """Boards with which games play that stay."""
        yield from super().find_obstacles(rows, going)
        for row in rows:
            results = Result.objects.filter(game__event=row.row.event, board=row.row.number)
            if results.exclude(game__in=going.get(GAME, set())).exists():
                words = Message("games are played with it")
                yield Obstacle(row.item.pk, self.describe(row.row), words)


class PaymentUndoer(Undoer):
    """Payments of the books: nothing of it is deleted, each is taken back."""

    key, title = "payments", Message("payments")
    rank = -2

    def find_obstacles(self, rows: Sequence[ImportedRow], going: Keys) -> Iterator[Obstacle]:
        """No payment is in the way: what was taken back since stays so."""
        yield from ()

    def undo(self, rows: Sequence[ImportedRow], by: Actor, at: datetime) -> None:
        """Take back what holds."""
        for one in rows:
            row = one.row
            if hasattr(row, "reversed_by"):
                continue
            if hasattr(row, "entry_fee"):
                take_back_fee(row, Stamp(by, at))
            else:
                reverse_money(club_id=row.payer.club_id, entry=row.pk, why=UNDONE, by=by, at=at)


def find_blocked_by_fees(rows: Any, name: str, going: Keys) -> Iterator[Any]:
    """The players who owe an entry fee or paid one that stays."""
    gone = going.get(TRANSFER, set())
    stay = rows.exclude(transfer__in=gone).exclude(transfer__reverses__in=gone)
    yield from stay.values_list(name, flat=True)


def find_blocked_by_sittings(rows: Any, name: str, going: Keys) -> Iterator[Any]:
    """The players who sit in a game that stays."""
    games = going.get(GAME, set())
    present = rows.filter(game__removed_at=None)
    yield from (key for game, key in present.values_list("game_id", name) if game not in games)


def find_blocked_by_accounts(rows: Any, name: str, going: Keys) -> Iterator[Any]:
    """The owners of accounts with transfers of no game, or of a game that stays."""
    owners = dict(rows.values_list("pk", name))
    yield from find_users(owners, going.get(GAME, set()), going.get(TRANSFER, set()))


UNDOERS: Final[Mapping[str, Undoer]] = {
    GAME: GameUndoer(Game),
    TRANSFER: PaymentUndoer(apps.get_model(TRANSFER)),
    "tournaments.board": BoardUndoer(Board),
    "tournaments.boarddecision": BoardDecisionUndoer(BoardDecision),
    "tournaments.player": SeatedPlayerUndoer(Player),
    "tournaments.seatdecision": SeatDecisionUndoer(SeatDecision),
    "tournaments.sitout": SitOutUndoer(SitOut),
}
"""How rows of games, books and decisions are undone, by the label of their model."""
BLOCKED_FINDERS: Final[Mapping[str, BlockedFinder]] = {
    "scoring.entryfee": find_blocked_by_fees,
    "scoring.ledgeraccount": find_blocked_by_accounts,
    "scoring.sitting": find_blocked_by_sittings,
}
"""Which rows of games and books block undoing, by the label of their model."""
