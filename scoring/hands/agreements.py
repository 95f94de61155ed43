"""Corrections of a hand by its table: withdrawing it, objecting to it, settling two records of it.

The seat that entered a hand may withdraw it as long as nobody else relies on it. Otherwise two
records stand beside each other until a seat that stood by one of them concedes that the other is
right. The director is called where the table does not agree.
"""

from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from engine.core.seats import Seat
from scoring.games.opening import check_changeable, check_open, corrections_until, note
from scoring.hands import recording
from scoring.hands.corrections import (
    FIRST_STANDS,
    TAKEN,
    Correction,
    draft_correction,
    draft_for_author,
    plan_correction,
    write_correction,
)
from scoring.hands.disputes import Dispute, DisputedRecord, judge_alone, read_dispute
from scoring.hands.drafts import unsent_drafts
from scoring.hands.recording import (
    RecordedHand,
    check_version_seen,
    enter_rival,
    lock_hand,
    resettle_hand,
    save_word,
)
from scoring.hands.submission import HandSubmission, complete_submission, read_fields, table_of
from scoring.hands.table_choices import Outcome, TableChoice, outcome_of
from scoring.ledger.transfers import Stamp
from scoring.models import (
    Certainty,
    Decided,
    Form,
    Game,
    Hand,
    HandVersion,
    Phase,
    State,
)
from scoring.models.states import dumps
from scoring.settlement.consequences import ConsequenceKind
from scoring.settlement.plan import Draft, carry_out, opened_papers, plan_without
from scoring.settlement.sealed_papers import take_sealed_paper
from scoring.submissions.reading import read_hand
from scoring.submissions.writing.fields_from_record import merge_result
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, Source
from tournaments.core.errors import ConflictError, RefusedError

WITHDRAWN: Final = Message("It was taken back at the table.")


@transaction.atomic
def object_to_hand(
    *,
    hand_id: UUID,
    version: int,
    why: str,
    submission: HandSubmission | None = None,
    by: Actor,
    at: datetime,
) -> RecordedHand:
    """Record a seat's objection to a hand, with the seat's own record of it if there is one.

    ``submission`` is that record and is stored as a rival of the hand; a result may leave out what
    is the same in ``version``. In a closed game an objection calls the director, and the hand
    stands.

    Raises StaleError, GameOverError after the correction period, and RefusedError for an objection
    without a reason or a record, and for a record that says the same as the hand.
    """
    if submission is None and not why.strip():
        raise RefusedError(Message("Say what is wrong."), "why")
    game, hand = lock_hand(hand_id)
    check_open_to_objections(game, at)
    seen, stamp = check_version_seen(hand, version), Stamp(by, at)
    is_late = game.phase == Phase.CLOSED
    # Nobody at the table can give up what the desk has entered.
    needs_director = is_late or seen.source != Source.TABLE
    if submission is not None:
        entered = _enter_contradiction(game, hand, submission, why, stamp)
        if needs_director:
            _call_director(game, Hand.objects.get(pk=hand.pk), why, stamp)
        return entered
    save_word(seen, agrees=False, why=why, stamp=stamp, is_late=is_late)
    if is_late:
        return _call_director(game, hand, why, stamp)
    hand.revision += 1
    hand.save(update_fields=["revision"])
    details = {"hand": hand.pk, "number": hand.number, "version": version}
    entry = AuditRecord(Message("hand objected to"), why, details)
    dispute = read_dispute(game, hand)
    has_lost_support = _has_lost_all_support(dispute)
    if has_lost_support and not _has_later_hand(game, hand):
        note(game, entry, stamp, hand)
        return _withdraw(game, hand, why, stamp)
    # No seat is left that could say more of it.
    needs_director = needs_director or has_lost_support
    recorded = resettle_hand(game, hand, stamp)
    note(game, entry, stamp, recorded.hand)
    if needs_director:
        return _call_director(game, Hand.objects.get(pk=hand.pk), why, stamp)
    return recorded


def check_open_to_objections(game: Game, at: datetime) -> None:
    """Raise GameOverError once a game is official or its correction period has ended."""
    check_changeable(game)
    until = corrections_until(game)
    if game.phase == Phase.CLOSED and (until is None or at >= until):
        check_open(game, at)


def _enter_contradiction(
    game: Game, hand: Hand, submission: HandSubmission, why: str, stamp: Stamp
) -> RecordedHand:
    """Store ``submission`` as a rival of the hand. Raises ConflictError and RefusedError."""
    known = Hand.objects.filter(pk=submission.id).first()
    if known is not None:
        raise ConflictError(Message("This hand was sent before, with another record."), "id")
    sent = complete_second_record(game, hand, submission)
    version = HandVersion.objects.get(hand=hand, number=hand.current)
    assert sent.record is not None, "it was completed"
    if recording.means_the_same(game, hand.number, bytes(version.text), sent.record):
        raise RefusedError(Message("That is what the record says already."), "result")
    Hand.objects.filter(pk=hand.pk).update(revision=hand.revision + 1)
    hand.revision += 1
    return enter_rival(game, hand, sent, stamp, why=why)


def complete_second_record(game: Game, hand: Hand, submission: HandSubmission) -> HandSubmission:
    """Return ``submission`` as a whole record; what a result leaves out is taken from the hand."""
    submission = replace(submission, number=hand.number)
    if submission.form is Form.RESULT:
        version = HandVersion.objects.get(hand=hand, number=hand.current)
        (judged,) = judge_alone(game, hand, [read_hand(bytes(version.text))])
        if judged is not None and judged.result is not None:
            table = table_of(game, hand.number)
            fields = merge_result(table, judged.result.replay, read_fields(submission))
            submission = replace(submission, sent=dumps(fields).encode())
    return complete_submission(game, submission)


@transaction.atomic
def take_back_hand(
    *,
    hand_id: UUID,
    version: int,
    why: str = "",
    submission: HandSubmission | None = None,
    by: Actor,
    at: datetime,
) -> RecordedHand:
    """Withdraw a hand that this seat entered, or replace its record by ``submission``.

    Either takes effect at once until a second seat has agreed or a later hand has been begun. After
    that ``submission`` becomes a rival of the hand until another seat says that it is right, and a
    withdrawal counts as an objection. A withdrawn hand leaves the game, and its number is free.

    Raises StaleError, GameOverError, and RefusedError if another seat entered the hand or the
    director has ruled on it.
    """
    game, hand = lock_hand(hand_id, with_club=True)
    check_open(game, at)
    seen, stamp = check_version_seen(hand, version), Stamp(by, at)
    _check_author(hand, seen, by)
    dispute = read_dispute(game, hand)
    is_free = set(dispute.seats_for(dispute.first)) <= {by.seat} and not _has_later_hand(game, hand)
    if submission is None:
        if is_free:
            return _withdraw(game, hand, why, stamp)
        return object_to_hand(hand_id=hand_id, version=version, why=why or WITHDRAWN, by=by, at=at)
    if not is_free:
        return _enter_contradiction(game, hand, submission, why, stamp)
    sent = complete_submission(game, replace(submission, number=hand.number))
    assert sent.record is not None, "it was completed"
    if bytes(seen.text) == sent.text:
        raise RefusedError(Message("This is the record that stands already."), "text")
    correction = Correction(
        why=why, text=sent.text, form=sent.form, sent=sent.sent, record=sent.record
    )
    draft = draft_correction(hand, correction, stamp)
    return write_correction(game, hand, correction, draft, stamp).recorded


def _check_author(hand: Hand, version: HandVersion, by: Actor) -> None:
    is_own = version.seat == by.seat if by.seat is not None else version.by == by.label
    if not is_own or version.source != Source.TABLE:
        words = Message(
            "Only the person who entered a hand can take it back; say what is different instead."
        )
        raise RefusedError(words, "hand")
    if Decided.objects.filter(hand=hand, superseded_by=None, withdrawn=False).exists():
        raise RefusedError(Message("The director has ruled on this hand; ask them."), "hand")


def _has_later_hand(game: Game, hand: Hand) -> bool:
    """Whether a later hand of the game is on record, or somebody has begun to enter it."""
    later = Hand.objects.filter(game=game, number__gt=hand.number)
    drafts = unsent_drafts(game).filter(number__gt=hand.number).exclude(answers="{}")
    return later.exclude(state=State.TAKEN_BACK).exists() or drafts.exists()


def _withdraw(game: Game, hand: Hand, why: str, stamp: Stamp) -> RecordedHand:
    """Remove the last hand of the game, or one that waits, with all its rivals.

    The rows stay, in the state ``taken back``.
    """
    if hand.number <= game.hands:
        carry_out(plan_without(game, hand), stamp=stamp)
    else:
        game.version += 1
        game.save(update_fields=["version"])
    rows = [hand, *Hand.objects.filter(rival=hand, state=State.DISPUTED)]
    for row in rows:
        row.state, row.certainty = State.TAKEN_BACK, Certainty.PROVISIONAL
        row.reason, row.after, row.director_called_at = WITHDRAWN, "", None
        row.revision += 1
        row.save()
    details = {"hand": hand.pk, "number": hand.number, "version": hand.current}
    note(game, AuditRecord(Message("hand taken back"), why, details), stamp, hand)
    return RecordedHand(hand=hand, game=game, played=None, is_new=False)


@transaction.atomic
def settle_at_table(
    *, hand_id: UUID, version: int, choice: TableChoice, why: str = "", by: Actor, at: datetime
) -> RecordedHand:
    """Record which of two records a seat holds to be right; settle the hand if both sides agree.

    ``hand_id`` names the second record, or the hand if it has at most one rival; ``version`` is
    the one that stands. The hand is settled when a seat that stood by one record says that
    the other is right. When nobody stands by either, both are taken back. When both sides insist,
    or a later hand depends on the answer, the director is called.

    Raises StaleError, GameOverError, and RefusedError if nothing is in dispute or if ``by`` is not
    a seat of the table.
    """
    game, named = lock_hand(hand_id, with_club=True)
    check_open(game, at)
    if by.seat is None:
        words = Message("The seats of the table settle this; the director chooses a record.")
        raise RefusedError(words, "seat")
    dispute = read_dispute(game, named)
    hand, stamp = dispute.hand, Stamp(by, at)
    seen = check_version_seen(hand, version)
    if choice is TableChoice.DIRECTOR:
        if hand.state != State.DISPUTED:
            raise RefusedError(Message("Nothing is in dispute about this hand."), "hand")
        return _call_director(game, hand, why, stamp)
    other = _disputed_record(dispute, named)
    if other is None:
        return _settle_single_record(dispute, seen, choice, why, stamp)
    outcome = outcome_of(dispute, other, by.seat, choice)
    save_word(seen, agrees=choice is TableChoice.FIRST, why=why, stamp=stamp)
    save_word(other.version, agrees=choice is TableChoice.SECOND, why=why, stamp=stamp)
    Hand.objects.filter(pk=hand.pk).update(revision=hand.revision + 1)
    hand.revision += 1
    entry = _build_audit_record(hand, other.hand, choice, why)
    is_settled = outcome is not Outcome.NOTED and outcome is not Outcome.DIRECTOR_CALLED
    note(game, entry, stamp, None if is_settled else hand)
    match outcome:
        case Outcome.FIRST_STANDS:
            return _keep_first(game, hand, other, stamp)
        case Outcome.SECOND_STANDS:
            return _take_second(game, hand, other, stamp)
        case Outcome.TAKEN_BACK if not _has_later_hand(game, hand):
            return _withdraw(game, hand, why, stamp)
        case Outcome.NOTED:
            return resettle_hand(game, hand, stamp)
        case Outcome.TAKEN_BACK | Outcome.DIRECTOR_CALLED:
            return _call_director(game, hand, why, stamp)


def _build_audit_record(hand: Hand, other: Hand, choice: TableChoice, why: str) -> AuditRecord:
    details = {"hand": hand.pk, "number": hand.number, "rival": other.pk, "choice": str(choice)}
    return AuditRecord(Message("hand settled by the table"), why, details)


def _disputed_record(dispute: Dispute, named: Hand) -> DisputedRecord | None:
    """Return the rival that ``named`` means, or None if the hand has none.

    Raises RefusedError for a record that is no rival of the hand, and where several are meant.
    """
    if named.pk != dispute.hand.pk:
        found = next((other for other in dispute.others if other.hand.pk == named.pk), None)
        if found is None:
            raise RefusedError(Message("There is no second record to choose."), "hand")
        return found
    if len(dispute.others) > 1:
        raise RefusedError(Message("There are several records; say which one you mean."), "hand")
    return dispute.others[0] if dispute.others else None


def _settle_single_record(
    dispute: Dispute, seen: HandVersion, choice: TableChoice, why: str, stamp: Stamp
) -> RecordedHand:
    """Record a choice about a hand that has an objection but no second record."""
    game, hand, seat = dispute.game, dispute.hand, stamp.by.seat
    if choice is TableChoice.SECOND:
        if seat not in dispute.sealed_seats or hand.state != State.DISPUTED:
            raise RefusedError(Message("There is no second record to choose."), "hand")
        return _take_sealed_paper(dispute, seat, stamp)
    if choice is TableChoice.NEITHER:
        return object_to_hand(
            hand_id=hand.pk, version=seen.number, why=why or WITHDRAWN, by=stamp.by, at=stamp.at
        )
    if hand.state != State.DISPUTED:
        raise RefusedError(Message("Nothing is in dispute about this hand."), "hand")
    assert seat is not None, "the seats of the table settle this"
    outcome = outcome_of(dispute, None, seat, choice)
    save_word(seen, agrees=True, why=why, stamp=stamp)
    hand.revision += 1
    if outcome is Outcome.FIRST_STANDS:
        hand.director_called_at = None
    hand.save(update_fields=["revision", "director_called_at"])
    note(game, _build_audit_record(hand, hand, choice, why), stamp, hand)
    if outcome is Outcome.DIRECTOR_CALLED:
        return _call_director(game, hand, why, stamp)
    return resettle_hand(game, hand, stamp)


def _keep_first(game: Game, hand: Hand, other: DisputedRecord, stamp: Stamp) -> RecordedHand:
    _set_aside(other.hand, FIRST_STANDS)
    Hand.objects.filter(pk=hand.pk).update(director_called_at=None)
    hand.director_called_at = None
    recorded = resettle_hand(game, hand, stamp)
    details = {"hand": hand.pk, "number": hand.number, "version": hand.current}
    note(game, AuditRecord(Message("hand confirmed"), details=details), stamp, recorded.hand)
    return recorded


def _take_second(game: Game, hand: Hand, other: DisputedRecord, stamp: Stamp) -> RecordedHand:
    """Make the second record the version that stands.

    Calls the director instead if that would put a later hand in conflict.
    """
    version = other.version
    correction = Correction(
        why=version.why,
        text=bytes(version.text),
        form=Form(version.form),
        sent=None if version.sent is None else bytes(version.sent),
    )
    draft = draft_for_author(hand, correction, version, stamp)
    assert draft.version is not None, "a correction is a version"
    if _stops_later_hand(game, hand, correction, draft):
        return _call_director(game, hand, "", stamp)
    _set_aside(other.hand, TAKEN)
    write_correction(game, hand, correction, draft, stamp)
    save_word(draft.version, agrees=True, why="", stamp=stamp)
    for row in Hand.objects.filter(rival=hand, state=State.DISPUTED):
        text = bytes(HandVersion.objects.get(hand=row, number=row.current).text)
        if recording.means_the_same(game, hand.number, bytes(version.text), read_hand(text)):
            _set_aside(row, recording.SAID_THE_SAME)
    return resettle_hand(game, Hand.objects.get(pk=hand.pk), stamp)


def _take_sealed_paper(dispute: Dispute, seat: int, stamp: Stamp) -> RecordedHand:
    """Put the paper that a seat sealed in the place of what was told of it (DEC-17).

    Calls the director instead if that would put a later hand in conflict.
    """
    game, hand, version = dispute.game, dispute.hand, dispute.first.version
    told = HandSubmission(
        id=hand.pk, number=hand.number, form=Form(version.form), sent=bytes(version.sent or b"")
    )
    opened, table = opened_papers(game, [hand.number])[hand.number], table_of(game, hand.number)
    fields = take_sealed_paper(read_fields(told), opened, table, Seat(seat))
    sent = complete_submission(game, replace(told, sent=dumps(fields).encode()))
    why = Message("The paper of {seat} counts as it was sealed.", seat=table.seats[seat])
    correction = Correction(
        why=why, text=sent.text, form=sent.form, sent=sent.sent, record=sent.record
    )
    draft = draft_for_author(hand, correction, version, stamp)
    assert draft.version is not None, "a correction is a version"
    if _stops_later_hand(game, hand, correction, draft):
        return _call_director(game, hand, "", stamp)
    write_correction(game, hand, correction, draft, stamp)
    save_word(draft.version, agrees=True, why="", stamp=stamp)
    return resettle_hand(game, Hand.objects.get(pk=hand.pk), stamp)


def _stops_later_hand(game: Game, hand: Hand, correction: Correction, draft: Draft) -> bool:
    planned = plan_correction(game, hand, correction, draft)
    return planned is not None and any(
        consequence.verdict is ConsequenceKind.CONFLICT for consequence in planned.consequences[1:]
    )


def _set_aside(rival: Hand, reason: Message) -> None:
    rival.state, rival.reason = State.VOID, reason
    rival.revision += 1
    rival.save(update_fields=["state", "reason", "revision"])


def _call_director(game: Game, hand: Hand, why: str, stamp: Stamp) -> RecordedHand:
    """Tell the desk that this hand needs a decision. Repeating it changes nothing."""
    if hand.director_called_at is None:
        hand.director_called_at = stamp.at
        hand.revision += 1
        fields = ["director_called_at", "revision"]
        hand.save(update_fields=fields)
        details = {"hand": hand.pk, "number": hand.number}
        note(game, AuditRecord(Message("director called"), why, details), stamp, hand)
    if game.phase == Phase.CLOSED:
        game.version += 1
        game.save(update_fields=["version"])
        played = recording.judge_current_hand(game, hand)
        return RecordedHand(hand=hand, game=game, played=played, is_new=False)
    return resettle_hand(game, hand, stamp)


def _has_lost_all_support(dispute: Dispute) -> bool:
    """Whether a seat entered the only record of a hand and no seat stands by it any more."""
    first = dispute.first
    is_from_table = first.version.seat is not None and first.version.source == Source.TABLE
    return is_from_table and not dispute.others and not dispute.seats_for(first)
