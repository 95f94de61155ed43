"""Decisions on hands that were not played with the cards of their board (DEC-15)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.events.events import lock_with_club, touch
from tournaments.models import BoardDecision, BoardVerdict, Event, Result
from tournaments.publishing.deals import Misfit, find_misfits, find_verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBoardDecision:
    """A verdict on a hand of a game; ``other_board`` and ``turn`` as in `BoardDecision`."""

    game: UUID
    number: int
    verdict: BoardVerdict
    other_board: int | None = None
    turn: int = 0
    reason: str = ""


@transaction.atomic
def decide_board(
    *, event_id: UUID, new: NewBoardDecision, by: Actor, at: datetime
) -> BoardDecision:
    """Decide on a hand with other cards, instead of what was decided before.

    Raises RefusedError: the hand has the cards of its board, or the table has played the other
    board with another hand.
    """
    event = lock_with_club(event_id)
    misfits = {(misfit.game, misfit.number): misfit for misfit in find_misfits(event_id)}
    misfit = misfits.get((new.game, new.number))
    if misfit is None:
        raise RefusedError(Message("This hand has the cards of its board."), "verdict")
    if new.other_board is not None:
        _check_other_board(event, misfit, new, misfits, new.other_board)
    drop_board_decision(game=new.game, number=new.number, at=at)
    row = BoardDecision.objects.create(
        game_id=new.game,
        number=new.number,
        verdict=new.verdict,
        other_board=new.other_board,
        turn=new.turn,
        reason=new.reason,
        by=by.label,
        at=at,
    )
    details = {
        "round": misfit.round,
        "table": misfit.table,
        "game": new.game,
        "number": new.number,
        "board": misfit.board,
        "verdict": str(new.verdict),
        "other board": new.other_board,
    }
    touch(event, AuditRecord(Message("board decided"), new.reason, details), by, at)
    invalidation.mark_event(event.pk, at)
    return row


def drop_board_decision(*, game: UUID, number: int, at: datetime) -> None:
    """Let what was decided of a hand hold no more, since it has another record now.

    Whoever corrects the hand holds the lock of its club, under which it was decided.
    """
    held = BoardDecision.objects.filter(game=game, number=number, cancelled_at=None)
    held.update(cancelled_at=at)


def _check_other_board(
    event: Event,
    misfit: Misfit,
    new: NewBoardDecision,
    misfits: dict[tuple[UUID, int], Misfit],
    other: int,
) -> None:
    at_table = Result.objects.filter(
        game__event=event,
        game__table__round__number=misfit.round,
        game__table__number=misfit.table,
        board=other,
    )
    played = {
        hand for hand in at_table.values_list("game_id", "number").distinct() if hand not in misfits
    }
    tables = {hand: (one.round, one.table) for hand, one in misfits.items()}
    for hand, verdict in find_verdicts(event.pk).items():
        is_other = hand != (new.game, new.number)
        if is_other and tables.get(hand) == (misfit.round, misfit.table):
            board = verdict.other_board
            if verdict.verdict == BoardVerdict.MISWRITTEN:
                board = misfits[hand].board
            if board == other:
                played.add(hand)
    if played:
        words = Message(
            "This table has played board {board} with hand {number} already.",
            board=other,
            number=min(number for _, number in played),
        )
        raise RefusedError(words, "verdict")
