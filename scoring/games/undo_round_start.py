"""Undo the start of a round: the round is drawn again, as if it had not been started.

Its games are closed and leave the event; they stay in the club's books with what was paid and paid
back. Locks are taken as docs/locks.md says: club, event, then one game after another by table.
"""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from scoring.games.assign_to_event import leave
from scoring.games.closing import Closing, close_game
from scoring.games.links import revoke_link
from scoring.games.opening import touch as touch_game
from scoring.ledger.transfers import Stamp
from scoring.models import Game, Hand, Phase, SealedPaper, SeatLink
from scoring.settlement.plan import lock
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.events import rounds
from tournaments.events.events import check_running, lock_with_club
from tournaments.models import Round

TAKEN_BACK: Final = Message("The round was taken back.")
_DONE: Final = (Phase.CLOSED, Phase.OFFICIAL)


@transaction.atomic
def undo_round_start(
    *, event_id: UUID, number: int, why: str = "", by: Actor, at: datetime
) -> Round:
    """Undo the start of a round for which nothing has been entered; it is then drawn only.

    Raises RefusedError if it is not being played, or if a table has entered something.
    """
    event = lock_with_club(event_id)
    check_running(event)
    games = Game.objects.filter(table__round__event=event, table__round__number=number)
    rows = list(games.select_related("table").order_by("table__number", "opened_at"))
    for row in rows:
        lock(row.pk)
    if entered := sorted({row.table.number for row in rows if row.table and _has_entries(row)}):
        tables = ", ".join(map(str, entered))
        words = Message(
            "Table {tables} has entered something already; close the round instead.", tables=tables
        )
        raise RefusedError(words, "number")
    taken_back = rounds.take_back(event_id=event_id, number=number, why=why, by=by, at=at)
    for row in rows:
        _close_unplayed_game(row, why.strip() or TAKEN_BACK, by, at)
    return taken_back


def _has_entries(game: Game) -> bool:
    """Whether a hand of a game is on record, or a paper sealed. Two queries at most."""
    return Hand.objects.filter(game=game).exists() or SealedPaper.objects.filter(game=game).exists()


def _close_unplayed_game(game: Game, why: str, by: Actor, at: datetime) -> None:
    """Close a game that nobody played, with its links, and let it leave the event."""
    if game.phase not in _DONE:
        game = close_game(game_id=game.pk, closing=Closing(reason=why), by=by, at=at).game
    for link in SeatLink.objects.filter(game=game, revoked_at=None).values_list("pk", flat=True):
        revoke_link(game_id=game.pk, link_id=link, by=by, at=at)
    leave(game, at)
    touch_game(game, AuditRecord(Message("game taken out"), why), Stamp(by, at))
