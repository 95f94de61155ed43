"""The director's verdict on a hand with other cards than its board, as it was seen (DEC-15)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from scoring.hands.recording import check_revision, judge_current_hand
from scoring.models import Hand
from scoring.settlement.replay import JudgedHand
from scoring.settlement.reporting import find_played_board
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.events.board_decisions import NewBoardDecision, decide_board
from tournaments.events.events import lock_with_club
from tournaments.models import BoardDecision, BoardVerdict, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class HandVerdict:
    """A decision on what a hand counts for; ``revision`` is the hand's revision that was seen."""

    verdict: BoardVerdict
    reason: str = ""
    revision: int | None = None


def find_other_board(played: JudgedHand, table: Table) -> tuple[int, int] | None:
    """The board of the table for which a hand can count, and by how many seats it was turned."""
    number, turn = find_played_board(played) or (None, None)
    if number is None or turn is None or number not in table.boards:
        return None
    return number, turn


@transaction.atomic
def decide_hand_board(
    *, hand_id: UUID, asked: HandVerdict, by: Actor, at: datetime
) -> BoardDecision:
    """Decide what a hand counts for that has other cards than its board.

    Under the lock of the club, so that nobody corrects the hand meanwhile. Raises StaleError, and
    RefusedError: the hand is not of a board, has its cards, or those of no board of the table.
    """
    rows = Hand.objects.only("game__table__round__event_id").select_related("game__table__round")
    table = rows.get(pk=hand_id).game.table
    if table is None:
        raise RefusedError(Message("This hand has the cards of its board."), "verdict")
    event = lock_with_club(table.round.event_id)
    hand = Hand.objects.select_related("game__table").get(pk=hand_id)
    check_revision(hand, asked.revision)
    other, turn = None, 0
    if asked.verdict is BoardVerdict.OTHER_BOARD:
        played = judge_current_hand(hand.game, hand)
        place = None if played is None else find_other_board(played, table)
        if place is None:
            words = Message("These are not the cards of another board of this table.")
            raise RefusedError(words, "verdict")
        other, turn = place
    new = NewBoardDecision(
        game=hand.game_id,
        number=hand.number,
        verdict=asked.verdict,
        other_board=other,
        turn=turn,
        reason=asked.reason,
    )
    return decide_board(event_id=event.pk, new=new, by=by, at=at)
