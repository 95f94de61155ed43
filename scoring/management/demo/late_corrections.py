"""Corrections made a week later, with their effect on later hands.

Somebody finds the sheet of the other side. Which hand it is about is looked for: every way in
which a result could have been another is previewed, and one is taken that does what the story
needs.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import permutations
from typing import Final
from uuid import UUID

from scoring.hands import corrections
from scoring.hands.corrections import Correction, correct_hand, undo_correction
from scoring.management.demo.new_club import Founded
from scoring.models import Form, Hand, State
from scoring.selectors import queries
from scoring.settlement.consequences import Consequence, ConsequenceKind, Policy
from tournaments.core.errors import RefusedError

_WHY: Final = "The sheet of the other side says so."
_NEXT_MORNING: Final = timedelta(hours=12)


def settle_anew(club: Founded, games: Sequence[UUID], at: datetime) -> None:
    """Correct a hand of one of some games, and settle what came after it anew."""
    hand, correction = _find(games, _comes_out_otherwise)
    correct_hand(hand_id=hand, correction=correction, by=club.director, at=at)


def let_stand(club: Founded, game: UUID, at: datetime) -> None:
    """Correct a hand after which a jackpot was played for that was none; the play stands."""
    hand, correction = _find([game], _in_good_faith)
    correct_hand(hand_id=hand, correction=correction, by=club.director, at=at)


def correct_and_undo(club: Founded, game: UUID, at: datetime) -> None:
    """Correct a hand, and take the correction back the next morning."""
    hand, correction = _find([game], _comes_out_otherwise)
    correct_hand(hand_id=hand, correction=correction, by=club.director, at=at)
    undo = Correction(why="That sheet was of another table.", policy=correction.policy)
    undo_correction(hand_id=hand, correction=undo, by=club.director, at=at + _NEXT_MORNING)


def _find(
    games: Sequence[UUID], policy_for: Callable[[Hand, bytes], Policy | None]
) -> tuple[UUID, Correction]:
    """The first hand that could have been otherwise, with its correction.

    Only a hand told by its result can: of some tables every hand was told card by card.
    """
    for game in games:
        for hand, sent in _other_results(game):
            policy = policy_for(hand, sent)
            if policy is not None:
                return hand.pk, _correction(sent, policy)
    raise AssertionError("no hand of these games could have been otherwise")


def _correction(sent: bytes, policy: Policy) -> Correction:
    return Correction(why=_WHY, form=Form.RESULT, sent=sent, policy=policy)


def _other_results(game: UUID) -> Iterator[tuple[Hand, bytes]]:
    """Every hand that was sent as a result, with every other result that is looked at."""
    for hand in Hand.objects.filter(game=game, rival=None, state=State.ACCEPTED).order_by("number"):
        version = queries.versions(hand)[-1]
        if version.form == Form.RESULT and version.sent is not None:
            result = json.loads(bytes(version.sent))
            for taken in (*_move_cards(result["taken"]), *_spread(result["taken"])):
                yield hand, json.dumps(result | {"taken": taken}).encode()


def _move_cards(taken: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """One card, or all, written for the wrong one of two seats."""
    for giver, getter in permutations(taken, 2):
        for cards in sorted({1, taken[giver]} if taken[giver] else ()):
            yield {
                **taken,
                giver: taken[giver] - cards,
                getter: taken[getter] + cards,
            }


def _spread(taken: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Single cards of some seats written for the one that took the most."""
    most = max(taken, key=lambda seat: taken[seat])
    clean = [seat for seat, cards in taken.items() if not cards]
    for count in range(2, min(len(clean), taken[most]) + 1):
        ones = dict.fromkeys(clean[:count], 1)
        yield {**taken, **ones, most: taken[most] - count}


def _comes_out_otherwise(hand: Hand, sent: bytes) -> Policy | None:
    """Whether later hands leave something else, and none of them is in doubt."""
    found = _preview(hand, sent, Policy.RESETTLE)
    changed = any(one.verdict is ConsequenceKind.RESETTLED for one in found[1:])
    return Policy.RESETTLE if changed and _is_sure(found) else None


def _in_good_faith(hand: Hand, sent: bytes) -> Policy | None:
    """Whether a later hand was played for what is not so, and can stand all the same."""
    found = _preview(hand, sent, Policy.RESETTLE)
    if not any(one.premises for one in found[1:]):
        return None
    stands = _preview(hand, sent, Policy.LET_STAND)
    return Policy.LET_STAND if stands and _is_sure(stands) else None


def _preview(hand: Hand, sent: bytes, policy: Policy) -> tuple[Consequence, ...]:
    try:
        return corrections.preview_correction(hand_id=hand.pk, correction=_correction(sent, policy))
    except RefusedError:
        return ()  # the rules know no such hand: nobody would write it down so


def _is_sure(consequences: tuple[Consequence, ...]) -> bool:
    return all(one.state not in (State.DISPUTED, State.DRAFT) for one in consequences)
