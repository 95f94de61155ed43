"""Record hands: judge them on entry, and let a second seat confirm them.

A record is never refused for what it says: an illegal one is kept as disputed and waits for the
director. Nothing that was entered is ever overwritten.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from scoring.games.opening import check_open, freeze, lock_with_club, note
from scoring.hands.submission import HandSubmission, check_length, complete_submission
from scoring.ledger.transfers import Stamp
from scoring.models import Game, Hand, HandVersion, Phase, State, Word
from scoring.models.states import digest
from scoring.selectors import queries
from scoring.selectors.games import hands_at_and_after
from scoring.settlement.plan import (
    NOTHING,
    GameOverError,
    GamePlan,
    board_of,
    boards_alike,
    carry_out,
    deals_of,
    judge_recorded_hand,
    lock,
    plan,
    plan_of,
    rules_of,
    state_before,
)
from scoring.settlement.replay import HandInput, JudgedHand, judge_entered
from scoring.submissions.reading import SubmittedRecord, read_hand
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind
from tournaments.core.errors import RefusedError, StaleError
from tournaments.database.sql import insert_row
from tournaments.models.club import Confirming

HANDS_AHEAD_MAX: Final = 1000
"""How far a hand may come before the ones it waits for; nobody plays so many offline."""
SAID_THE_SAME: Final = Message("It says the same as the first record of this hand.")
SENT_AGAIN: Final = Message("It repeats the first record of this hand, from where that one came.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedHand:
    """A hand on record, and how it was judged; ``played`` is None while it waits or is a rival.

    ``is_new`` is false for a hand that was sent again.
    """

    hand: Hand
    game: Game
    played: JudgedHand | None
    is_new: bool = True


class OtherContentError(Exception):
    """The hand is known by this id, with another record."""

    def __init__(self, hand: Hand, stored: bytes) -> None:
        super().__init__(Message("This hand was sent before, with another record."))
        self.hand = hand
        self.stored = stored


def find_repeated_hand(game: Game, sent: HandSubmission) -> RecordedHand | None:
    """Return the current answer for a repeated submission, without taking a lock.

    None if the hand is new, waiting, or was sent with another record, or if the game's version
    changed since ``game`` was read: the caller then enters the hand under the lock. Every change
    that affects the answer raises the game's version. No query for the next hand of a game.
    """
    if sent.number > game.hands:
        return None
    hand = Hand.objects.filter(pk=sent.id).first()
    if hand is None or (hand.game_id, hand.number) != (game.pk, sent.number):
        return None
    if not _is_same_submission(queries.version_of(hand, 1), sent):
        return None
    recorded = RecordedHand(
        hand=hand, game=game, played=judge_current_hand(game, hand), is_new=False
    )
    is_unchanged = Game.objects.filter(pk=game.pk, version=game.version).exists()
    return recorded if is_unchanged else None


@transaction.atomic
def enter_hand(*, game_id: UUID, sent: HandSubmission, by: Actor, at: datetime) -> RecordedHand:
    """Put a hand on record and settle the game with it.

    The same hand again changes nothing; a second record under a taken number is kept as a rival
    and both are disputed; a hand that comes before its forerunners waits for them.

    Raises OtherContentError, GameOverError and RefusedError (too long, too far ahead, nothing
    that can be written down).
    """
    game = lock(game_id)
    found = hands_at_and_after(game.pk, sent.number, sent.id)
    again = _find_repetition(game, found, sent)
    if again is not None:
        return again
    near = [row for row in found if row.state != State.TAKEN_BACK]
    _check_entry(game, sent, at)
    sent = complete_submission(game, sent)
    stamp = Stamp(by, at)
    first = next((row for row in near if row.number == sent.number and row.rival_id is None), None)
    if first is not None:
        return enter_rival(game, first, sent, stamp)
    freeze(game, at)
    if len(near) < len(found):
        told_again = Hand.objects.filter(game=game, number=sent.number, rival=None)
        told_again.filter(state=State.TAKEN_BACK).update(rival=sent.id)
    hand = Hand(
        id=sent.id,
        game=game,
        number=sent.number,
        reason=Message("It waits for hand {number}.", number=game.hands + 1),
        entered_at=at,
    )
    if sent.number == game.hands + 1:
        recorded = _enter_next_hand(
            game, hand, sent, stamp, waiting=[row for row in near if row != hand]
        )
    else:
        hand.save(force_insert=True)
        add_version(hand, sent, stamp)
        game.version += 1
        game.save(update_fields=["version", "frozen_at"])
        recorded = RecordedHand(hand=hand, game=game, played=None)
    details = {"hand": hand.pk, "number": hand.number, "record": digest(sent.text)}
    note(game, AuditRecord(Message("hand entered"), details=details), stamp, recorded.hand)
    return recorded


def _find_repetition(
    game: Game, hands: Sequence[Hand], sent: HandSubmission
) -> RecordedHand | None:
    known = next((row for row in hands if row.pk == sent.id), None)
    if known is None:
        return None
    if known.game_id != game.pk:
        raise RefusedError(Message("This id belongs to another hand."), "id")
    first = queries.version_of(known, 1)
    if known.number != sent.number or not _is_same_submission(first, sent):
        raise OtherContentError(known, bytes(first.sent or first.text))
    return RecordedHand(hand=known, game=game, played=judge_current_hand(game, known), is_new=False)


def _is_same_submission(version: HandVersion, sent: HandSubmission) -> bool:
    stored = version.text if version.sent is None else version.sent
    return bytes(stored) == (sent.text if sent.sent is None else sent.sent)


def _check_entry(game: Game, sent: HandSubmission, at: datetime) -> None:
    check_open(game, at)
    check_length(sent.text if sent.sent is None else sent.sent)
    if not 1 <= sent.number <= game.hands + HANDS_AHEAD_MAX:
        words = Message("The next hand of this game is number {number}.", number=game.hands + 1)
        raise RefusedError(words, "number")
    if game.phase == Phase.OVER and sent.number > game.hands:
        over = state_before(game, game.hands + 1).over
        raise GameOverError(
            Message(
                "This game ended with hand {number} ({over}).", number=game.hands, over=str(over)
            )
        )


def _enter_next_hand(
    game: Game, hand: Hand, sent: HandSubmission, stamp: Stamp, *, waiting: Sequence[Hand]
) -> RecordedHand:
    """Settle the hand that is due, and those that have been waiting for it."""
    assert sent.record is not None, "it was completed"
    entered = HandInput(
        number=hand.number,
        must_confirm=game.confirming == Confirming.REQUIRED,
        board=board_of(game, hand.number),
        boards=boards_alike(game),
        deals=deals_of(game),
        old_law=bool(game.old_law),
        record=sent.record,
    )
    planned = plan_of(game, [hand, *waiting], changed={hand.number: entered})
    carry_out(planned, stamp=stamp, fresh=hand)
    add_version(hand, sent, stamp)
    return RecordedHand(hand=hand, game=game, played=planned.hands[0])


def add_version(hand: Hand, sent: HandSubmission, stamp: Stamp, why: str = "") -> None:
    """Insert the first version of a hand's record."""
    insert_row(build_version(hand, sent, stamp, number=hand.current, why=why))


def build_version(
    hand: Hand, sent: HandSubmission, stamp: Stamp, *, number: int, why: str = ""
) -> HandVersion:
    """Build an unsaved version of a hand's record."""
    return HandVersion(
        hand=hand,
        number=number,
        form=sent.form,
        text=sent.text,
        sent=sent.sent,
        digest=digest(sent.text),
        by=stamp.by.label,
        source=str(stamp.by.source),
        seat=stamp.by.seat,
        why=why,
        at=stamp.at,
    )


def enter_rival(
    game: Game, first: Hand, sent: HandSubmission, stamp: Stamp, *, why: str = ""
) -> RecordedHand:
    """Keep a second record of a hand: as a confirmation if it says the same, else as a conflict.

    In a closed game it is a draft, which the director may take, and the hand stands meanwhile.
    """
    version = queries.version_of(first, first.current)
    assert sent.record is not None, "it was completed"
    is_late = game.phase == Phase.CLOSED
    same = means_the_same(game, first.number, bytes(version.text), sent.record)
    is_second = may_confirm(version, stamp.by)
    rival = Hand(
        id=sent.id,
        game=game,
        number=first.number,
        rival=first,
        state=State.VOID if same else State.DRAFT if is_late else State.DISPUTED,
        reason=_rival_reason(same=same, is_second=is_second),
        entered_at=stamp.at,
    )
    rival.save(force_insert=True)
    add_version(rival, sent, stamp, why)
    confirms = same and is_second and game.confirming != Confirming.OFF and not is_late
    if confirms:
        save_word(version, agrees=True, why="", stamp=stamp)
    if (confirms or not same) and first.number <= game.hands and not is_late:
        planned = plan(game, first.number)
        carry_out(planned, stamp=stamp)
        first = planned.rows[first.number]
    details = {
        "hand": rival.pk,
        "number": rival.number,
        "rival of": first.pk,
        "same": same,
    }
    note(game, AuditRecord(Message("second record"), details=details), stamp, first)
    return RecordedHand(hand=rival, game=game, played=None)


def _rival_reason(*, same: bool, is_second: bool) -> str:
    if not same:
        return Message("Another record of this hand says otherwise.")
    return SAID_THE_SAME if is_second else SENT_AGAIN


def means_the_same(game: Game, number: int, text: bytes, other: SubmittedRecord) -> bool:
    """Whether two records say the same of a hand, whatever their form, spacing and notes."""
    if text == other.text:
        return True
    records = (read_hand(text), other)
    if number > game.hands:
        mine, theirs = (record.entry for record in records)
        if not (mine.ok and theirs.ok):
            return False
        return mine.record is not None and mine.record == theirs.record
    before, rules = state_before(game, number), rules_of(game)
    played = [
        judge_entered(rules, before, HandInput(number=number, record=record)) for record in records
    ]
    return all(one.is_sure for one in played) and _outcome(played[0]) == _outcome(played[1])


def _outcome(played: JudgedHand) -> object:
    """Return what two records must agree on; tricks are left out, not every form has them."""
    assert played.result is not None
    facts = played.result.facts
    said = (facts.bidder, facts.bid, facts.pain, facts.taken, facts.queen, facts.feet)
    return said, played.postings, replace(played.after, tricks=())


@transaction.atomic
def confirm_hand(*, hand_id: UUID, version: int, by: Actor, at: datetime) -> RecordedHand:
    """Record that a second seat confirms the version that it saw.

    Raises StaleError for another version, RefusedError where the same seat entered it.
    """
    game, hand = lock_hand(hand_id)
    check_open(game, at)
    seen = check_version_seen(hand, version)
    words = Word.objects.filter(version=seen, seat=by.seat, agrees=False)
    has_objected = by.seat is not None and words.exists()
    if game.confirming == Confirming.OFF and not has_objected:
        raise RefusedError(Message("This club does not have hands confirmed."), "hand")
    if not may_confirm(seen, by) and not has_objected:
        raise RefusedError(Message("The seat that entered a hand cannot confirm it."), "seat")
    stamp = Stamp(by, at)
    save_word(seen, agrees=True, why="", stamp=stamp)
    hand.revision += 1
    hand.save(update_fields=["revision"])
    details = {"hand": hand.pk, "number": hand.number, "version": version}
    recorded = resettle_hand(game, hand, stamp)
    note(game, AuditRecord(Message("hand confirmed"), details=details), stamp, recorded.hand)
    return recorded


def check_version_seen(hand: Hand, number: int) -> HandVersion:
    """Return the version of a hand that stands, which is the one that somebody speaks of.

    Raises StaleError for another version, RefusedError for a hand outside its game.
    """
    if hand.rival_id is not None:
        raise RefusedError(
            Message("This record was never part of the game; the director chooses."), "hand"
        )
    check_not_taken_back(hand)
    if number != hand.current:
        words = Message("Version {number} of this hand stands now.", number=hand.current)
        stands = queries.as_sent(queries.version_of(hand, hand.current))
        raise StaleError(
            words, hand.current, {"version": hand.current, "state": hand.state} | stands
        )
    return queries.version_of(hand, number)


def check_not_taken_back(hand: Hand) -> None:
    """Raises RefusedError for a hand that was taken back."""
    if hand.state == State.TAKEN_BACK:
        raise RefusedError(Message("This hand was taken back; somebody tells it again."), "hand")


def may_confirm(version: HandVersion, by: Actor) -> bool:
    """Whether this is a second seat (or an official), not the one that entered the version."""
    if by.seat is None and by.kind is ActorKind.LINK:
        return False
    if version.seat is None or by.seat is None:
        return version.by != by.label
    return version.seat != by.seat


def save_word(
    version: HandVersion, *, agrees: bool, why: str, stamp: Stamp, is_late: bool = False
) -> None:
    """Store what somebody says of a version."""
    Word.objects.create(
        version=version,
        agrees=agrees,
        why=why,
        by=stamp.by.label,
        source=str(stamp.by.source),
        seat=stamp.by.seat,
        is_late=is_late,
        at=stamp.at,
    )


def check_revision(hand: Hand, revision: int | None, stands: HandVersion | None = None) -> None:
    """Raise StaleError if the hand changed since ``revision`` was seen."""
    if revision is None or revision == hand.revision:
        return
    current: dict[str, object] = {"version": hand.current, "state": hand.state}
    if stands is not None:
        current |= queries.as_sent(stands)
    raise StaleError(Message("This hand has been changed in the meantime."), hand.revision, current)


def lock_hand(hand_id: UUID, *, with_club: bool = False) -> tuple[Game, Hand]:
    """Lock the game of a hand and return both as they are now. Raises Hand.DoesNotExist.

    ``with_club`` locks the club first, which any change that may affect a closing needs.
    """
    game_id = Hand.objects.only("game_id").get(pk=hand_id).game_id
    game = lock_with_club(game_id) if with_club else lock(game_id)
    hand = Hand.objects.get(pk=hand_id)
    hand.game = game
    return game, hand


def resettle_hand(
    game: Game, hand: Hand, stamp: Stamp, changed: Mapping[int, HandInput] = NOTHING
) -> RecordedHand:
    """Judge and settle a game again from ``hand`` on, and write the outcome."""
    if hand.number > game.hands:
        game.version += 1
        game.save(update_fields=["version"])
        return RecordedHand(hand=hand, game=game, played=None, is_new=False)
    planned: GamePlan = plan(game, hand.number, changed=changed)
    carry_out(planned, stamp=stamp)
    row = planned.rows[hand.number]
    return RecordedHand(hand=row, game=game, played=planned.hands[0], is_new=False)


def judge_current_hand(game: Game, hand: Hand) -> JudgedHand | None:
    """Judge a hand as recorded; None if it is a rival or waits for an earlier hand."""
    if hand.rival_id is not None or hand.number > game.hands:
        return None
    return judge_recorded_hand(game, hand)
