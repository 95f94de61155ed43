"""Corrections: replace the record of a hand by a new version, minutes or weeks later.

A correction is a new version; the old ones stay. The hands from there on are settled again in the
same transaction, and undoing a correction is another one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from scoring.games.closing import close_if_closed
from scoring.games.opening import check_changeable, note
from scoring.hands.recording import (
    RecordedHand,
    build_version,
    check_not_taken_back,
    check_revision,
    lock_hand,
    resettle_hand,
    save_word,
)
from scoring.hands.submission import HandSubmission, check_length, complete_submission
from scoring.ledger.transfers import Stamp
from scoring.models import Decided, Form, Game, Hand, HandVersion, State
from scoring.models.states import digest
from scoring.settlement.changes import (
    PlannedChange,
    RulingRequest,
    draft_decision,
    plan_change,
    write_change,
)
from scoring.settlement.consequences import Consequence, Policy
from scoring.settlement.plan import Draft, recorded_inputs, rules_of, state_before
from scoring.settlement.replay import JudgedHand, fold
from scoring.submissions.reading import SubmittedRecord
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import RefusedError
from tournaments.events.board_decisions import drop_board_decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A corrected record and the reason; ``revision`` is the hand's revision that was seen.

    As in a `HandSubmission`, a record comes as ``text``, any other form as ``sent``; ``record``
    is the parsed record, once it has been parsed.
    """

    why: str
    text: bytes = b""
    revision: int | None = None
    policy: Policy = Policy.RESETTLE
    form: Form = Form.RECORD
    sent: bytes | None = None
    record: SubmittedRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedHand:
    """A corrected hand with the consequences for it and for later hands."""

    recorded: RecordedHand
    consequences: tuple[Consequence, ...]


@transaction.atomic
def correct_hand(
    *, hand_id: UUID, correction: Correction, by: Actor, at: datetime
) -> CorrectedHand:
    """Put another version of a hand on record, and settle its game from there on.

    A closed game stays closed, and its closing follows; where the hand is open now, the game is.

    Raises StaleError when the hand has another version by now, RefusedError for a correction
    that changes nothing, gives no reason, or leaves a debt that the rules do not know.
    """
    game, hand = lock_hand(hand_id, with_club=True)
    correction = _with_record(game, hand, correction)
    _check(game, hand, correction)
    stamp = Stamp(by, at)
    return write_correction(
        game, hand, correction, draft_correction(hand, correction, stamp), stamp
    )


def _with_record(game: Game, hand: Hand, correction: Correction) -> Correction:
    """The correction with its record, made of what was sent."""
    came = correction.text if correction.sent is None else correction.sent
    check_length(came)
    sent = HandSubmission(
        id=hand.pk, number=hand.number, text=correction.text, form=correction.form
    )
    sent = complete_submission(game, replace(sent, sent=correction.sent))
    return replace(correction, text=sent.text, sent=sent.sent, record=sent.record)


def _check(game: Game, hand: Hand, correction: Correction) -> None:
    check_changeable(game)
    check_length(correction.text)
    check_not_taken_back(hand)
    if hand.rival_id is not None:
        raise RefusedError(
            Message("This record was never part of the game; the director chooses."), "hand"
        )
    stands = HandVersion.objects.get(hand=hand, number=hand.current)
    check_revision(hand, correction.revision, stands)
    if not correction.why.strip():
        raise RefusedError(Message("Say why the hand is corrected."), "why")
    if stands.digest == digest(correction.text):
        raise RefusedError(Message("This is the record that stands already."), "text")


def draft_correction(
    hand: Hand, correction: Correction, stamp: Stamp, restores: int | None = None
) -> Draft:
    """Build the next version; if it restores one, also the let-stand rulings of that one."""
    sent = HandSubmission(
        id=hand.pk,
        number=hand.number,
        text=correction.text,
        form=correction.form,
        sent=correction.sent,
    )
    number = hand.current + 1
    version = build_version(hand, sent, stamp, number=number, why=correction.why)
    version.restores = restores
    if restores is None:
        return Draft(version=version, record=correction.record)
    let_stand = Decided.objects.filter(
        lets_stand=hand, withdrawn=False, superseded_by__of_version=restores + 1
    )
    stood = []
    for policy in let_stand.select_related("hand").order_by("hand__number", "number"):
        decree = RulingRequest(ruling=policy.decision(), facts=policy.facts)
        again = draft_decision(policy.hand, decree, stamp, lets_stand=hand)
        again.of_version = number
        stood.append(again)
    return Draft(version=version, record=correction.record, rulings=tuple(stood))


def draft_for_author(
    hand: Hand, correction: Correction, author: HandVersion, stamp: Stamp
) -> Draft:
    """Build the next version as one of the seat or desk that wrote ``author``."""
    by = Actor(stamp.by.kind, Source.of(author.source), None, author.seat)
    draft = draft_correction(hand, correction, Stamp(by, stamp.at))
    assert draft.version is not None, "a correction is a version"
    draft.version.by = author.by
    return draft


def write_correction(
    game: Game, hand: Hand, correction: Correction, draft: Draft, stamp: Stamp
) -> CorrectedHand:
    planned = plan_correction(game, hand, correction, draft)
    hand.current += 1
    hand.revision += 1
    hand.director_called_at = None
    hand.save(update_fields=["current", "revision", "director_called_at"])
    version = draft.version
    assert version is not None, "a correction is a version"
    version.save(force_insert=True)
    drop_board_decision(game=game.pk, number=hand.number, at=stamp.at)
    details = {
        "hand": hand.pk,
        "number": hand.number,
        "version": version.number,
        "record": version.digest,
        "policy": str(correction.policy),
    }
    corrected = _carry_out(game, hand, planned, draft, stamp)
    note(
        game,
        AuditRecord(Message("hand corrected"), correction.why, details),
        stamp,
        corrected.recorded.hand,
    )
    return corrected


def _carry_out(
    game: Game, hand: Hand, planned: PlannedChange | None, draft: Draft, stamp: Stamp
) -> CorrectedHand:
    if planned is None:
        return CorrectedHand(recorded=resettle_hand(game, hand, stamp), consequences=())
    row = planned.plan.rows[hand.number]
    row.current, row.revision, row.director_called_at = hand.current, hand.revision, None
    write_change(planned, row, stamp, stood=draft.rulings)
    close_if_closed(game, stamp)
    recorded = RecordedHand(hand=row, game=game, played=planned.plan.hands[0], is_new=False)
    return CorrectedHand(recorded=recorded, consequences=planned.consequences)


def plan_correction(
    game: Game, hand: Hand, correction: Correction, draft: Draft
) -> PlannedChange | None:
    """Plan the change; None for a hand that still waits for an earlier one."""
    if hand.number > game.hands:
        return None
    return plan_change(game, hand, draft, correction.policy)


def preview_correction(*, hand_id: UUID, correction: Correction) -> tuple[Consequence, ...]:
    """Return the consequences of a correction; nothing is written.

    Raises as `correct_hand` does.
    """
    hand = Hand.objects.select_related("game__club").get(pk=hand_id)
    correction = _with_record(hand.game, hand, correction)
    _check(hand.game, hand, correction)
    nobody = Stamp(Actor(ActorKind.PERSON, Source.API), hand.entered_at)
    planned = plan_correction(
        hand.game, hand, correction, draft_correction(hand, correction, nobody)
    )
    return planned.consequences if planned is not None else ()


def judge_correction(*, hand_id: UUID, correction: Correction) -> JudgedHand | None:
    """Judge a hand as if it were corrected; None while it waits for an earlier one.

    Does not check whether the correction is permitted. Raises RefusedError for input from which
    no record can be made.
    """
    hand = Hand.objects.select_related("game__club").get(pk=hand_id)
    correction = _with_record(hand.game, hand, correction)
    if hand.number > hand.game.hands:
        return None
    nobody = Stamp(Actor(ActorKind.PERSON, Source.API), hand.entered_at)
    draft = draft_correction(hand, correction, nobody)
    before = state_before(hand.game, hand.number)
    return next(fold(rules_of(hand.game), before, recorded_inputs(hand.game, [hand], draft=draft)))


@transaction.atomic
def undo_correction(
    *, hand_id: UUID, correction: Correction, by: Actor, at: datetime
) -> CorrectedHand:
    """Bring the record before the last correction back, as one correction more.

    What let later play stand then does so again; another undoing goes one step further back. Only
    the reason and the revision of ``correction`` are looked at. Raises as `correct_hand` does.
    """
    game, hand = lock_hand(hand_id, with_club=True)
    versions = {version.number: version for version in HandVersion.objects.filter(hand=hand)}
    number = _original_number(versions, hand.current)
    if number == 1:
        raise RefusedError(Message("There is no correction of this hand to undo."), "hand")
    before = versions[_original_number(versions, number - 1)]
    back = Correction(
        text=bytes(before.text),
        why=correction.why,
        revision=correction.revision,
        form=Form(before.form),
        sent=None if before.sent is None else bytes(before.sent),
    )
    _check(game, hand, back)
    stamp = Stamp(by, at)
    return write_correction(
        game, hand, back, draft_correction(hand, back, stamp, before.number), stamp
    )


def _original_number(versions: Mapping[int, HandVersion], number: int) -> int:
    """Follow restorations back to the number of the version that was originally entered."""
    while (restores := versions[number].restores) is not None:
        number = restores
    return number


FIRST_STANDS = Message("The first record stands.")
TAKEN = Message("It became the record of the hand.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RivalChoice:
    """A choice between two records of a hand; ``revision`` is that of the first one's hand."""

    keep: bool
    why: str
    revision: int | None = None
    policy: Policy = Policy.RESETTLE


@transaction.atomic
def choose_record(*, rival_id: UUID, choice: RivalChoice, by: Actor, at: datetime) -> CorrectedHand:
    """Choose between two records of one hand: keep the first, or take the rival's.

    Raises StaleError when the first one changed meanwhile, RefusedError where there is nothing to
    choose.
    """
    game, rival = lock_hand(rival_id, with_club=True)
    check_changeable(game)
    if rival.rival_id is None or rival.state not in (State.DISPUTED, State.DRAFT):
        raise RefusedError(Message("There is no second record to choose."), "hand")
    if not choice.why.strip():
        raise RefusedError(Message("Say why."), "why")
    stamp = Stamp(by, at)
    hand = Hand.objects.get(pk=rival.rival_id)
    hand.game = game
    stands = HandVersion.objects.get(hand=hand, number=hand.current)
    check_revision(hand, choice.revision, stands)
    rival.state = State.VOID
    rival.reason = FIRST_STANDS if choice.keep else TAKEN
    rival.revision += 1
    rival.save(update_fields=["state", "reason", "revision"])
    details = {"hand": hand.pk, "rival": rival.pk, "keep": choice.keep}
    action = AuditRecord(Message("record chosen"), choice.why, details)
    Hand.objects.filter(pk=hand.pk).update(director_called_at=None)
    if choice.keep:
        save_word(stands, agrees=True, why=choice.why, stamp=stamp)
        settled = resettle_hand(game, hand, stamp)
        close_if_closed(game, stamp)
        note(game, action, stamp, settled.hand)
        return CorrectedHand(recorded=settled, consequences=())
    note(game, action, stamp)  # webhooks get the correction below
    version = HandVersion.objects.get(hand=rival, number=rival.current)
    chosen = Correction(
        text=bytes(version.text),
        why=choice.why,
        policy=choice.policy,
        form=Form(version.form),
        sent=None if version.sent is None else bytes(version.sent),
    )
    return write_correction(game, hand, chosen, draft_correction(hand, chosen, stamp), stamp)
