"""Corrections: another record of a hand, minutes or weeks later (design.md section 3).

A correction is a new version; the old ones stay. The hands from there on are settled anew in the
same transaction, and undoing a correction is another one.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from scoring import settling
from scoring.changing import Changed, plan_change, write_change
from scoring.closing import close_if_closed
from scoring.consequences import Consequence, Policy
from scoring.folding import Entered
from scoring.games import check_changeable, note
from scoring.ledger import Stamp
from scoring.models import Form, Game, Hand, HandVersion, State
from scoring.recording import (
    Recorded,
    Sent,
    add_version,
    check_length,
    lock_hand,
    settled_anew,
    written,
)
from scoring.states import digest
from tournaments.actors import Actor
from tournaments.audit import Deed
from tournaments.models.club import Confirming
from tournaments.refusals import RefusedError, StaleError


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a hand should have said, and why; ``version`` is the one that was seen.

    It comes as ``text``, or as ``sent`` in another form, as in `scoring.recording.Sent`.
    """

    why: str
    text: bytes = b""
    version: int | None = None
    policy: Policy = Policy.RESETTLE
    form: Form = Form.RECORD
    sent: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A corrected hand, and what that did to it and to the hands after."""

    recorded: Recorded
    consequences: tuple[Consequence, ...]


@transaction.atomic
def correct_hand(*, hand_id: UUID, correction: Correction, by: Actor, at: datetime) -> Corrected:
    """Put another version of a hand on record, and settle its game from there on.

    A closed game stays closed, and its closing follows; where the hand is open now, the game is.

    Raises StaleError when the hand has another version by now, RefusedError for a correction
    that changes nothing, gives no reason, or leaves a debt that the rules do not know.
    """
    game, hand = lock_hand(hand_id, with_club=True)
    correction = _written(game, hand, correction)
    _check(game, hand, correction)
    return _correct(game, hand, correction, Stamp(by, at))


def _written(game: Game, hand: Hand, correction: Correction) -> Correction:
    """The correction with its record, made of what was sent."""
    came = correction.text if correction.sent is None else correction.sent
    check_length(came)
    sent = Sent(id=hand.pk, number=hand.number, text=correction.text, form=correction.form)
    sent = written(game, replace(sent, sent=correction.sent))
    return replace(correction, text=sent.text, sent=sent.sent)


def _check(game: Game, hand: Hand, correction: Correction) -> None:
    check_changeable(game)
    check_length(correction.text)
    if hand.rival_id is not None:
        raise RefusedError("This record was never part of the game; the director chooses.", "hand")
    if correction.version is not None and correction.version != hand.current:
        raise StaleError(f"Version {hand.current} of this hand stands now.", hand.current)
    if not correction.why.strip():
        raise RefusedError("Say why the hand is corrected.", "why")
    stands = HandVersion.objects.get(hand=hand, number=hand.current)
    if stands.digest == digest(correction.text):
        raise RefusedError("This is the record that stands already.", "text")


def _correct(game: Game, hand: Hand, correction: Correction, stamp: Stamp) -> Corrected:
    planned = _planned(game, hand, correction)
    hand.current += 1
    hand.save(update_fields=["current"])
    sent = Sent(
        id=hand.pk,
        number=hand.number,
        text=correction.text,
        form=correction.form,
        sent=correction.sent,
    )
    version = add_version(hand, sent, stamp, correction.why)
    details = {
        "hand": hand.pk,
        "number": hand.number,
        "version": version.number,
        "record": version.digest,
        "policy": str(correction.policy),
    }
    corrected = _settled(game, hand, planned, stamp)
    note(game, Deed("hand corrected", correction.why, details), stamp, corrected.recorded.hand)
    return corrected


def _settled(game: Game, hand: Hand, planned: Changed | None, stamp: Stamp) -> Corrected:
    if planned is None:
        return Corrected(recorded=settled_anew(game, hand, stamp), consequences=())
    row = planned.plan.rows[hand.number]
    row.current = hand.current
    write_change(planned, row, stamp)
    close_if_closed(game, stamp)
    recorded = Recorded(hand=row, game=game, played=planned.plan.hands[0], is_new=False)
    return Corrected(recorded=recorded, consequences=planned.consequences)


def _planned(game: Game, hand: Hand, correction: Correction) -> Changed | None:
    """The change thought through; None for a hand that still waits for an earlier one."""
    if hand.number > game.hands:
        return None
    (stands,) = settling.entered(game, [hand], without=hand.pk, of=digest(correction.text))
    changed = Entered(
        number=hand.number,
        text=correction.text,
        rulings=stands.rulings,
        contested=stands.contested,
        must_confirm=game.confirming == Confirming.REQUIRED,
    )
    return plan_change(game, hand, changed, correction.policy)


def preview(*, hand_id: UUID, correction: Correction) -> tuple[Consequence, ...]:
    """What a correction would do to its hand and to those after; nothing is written.

    Raises as `correct_hand` does.
    """
    hand = Hand.objects.select_related("game__club").get(pk=hand_id)
    correction = _written(hand.game, hand, correction)
    _check(hand.game, hand, correction)
    planned = _planned(hand.game, hand, correction)
    return planned.consequences if planned is not None else ()


@transaction.atomic
def undo_correction(*, hand_id: UUID, correction: Correction, by: Actor, at: datetime) -> Corrected:
    """Bring the record before the last correction back, as one correction more.

    The text of ``correction`` is not looked at. Raises as `correct_hand` does.
    """
    game, hand = lock_hand(hand_id, with_club=True)
    if hand.current == 1:
        raise RefusedError("This hand was never corrected.", "hand")
    before = HandVersion.objects.get(hand=hand, number=hand.current - 1)
    back = Correction(
        text=bytes(before.text),
        why=correction.why,
        version=correction.version,
        policy=correction.policy,
        form=Form(before.form),
        sent=None if before.sent is None else bytes(before.sent),
    )
    _check(game, hand, back)
    return _correct(game, hand, back, Stamp(by, at))


@transaction.atomic
def choose_record(*, rival_id: UUID, keep: bool, why: str, by: Actor, at: datetime) -> Corrected:
    """Choose between two records of one hand: ``keep`` the first, or take the rival's.

    Raises RefusedError where there is nothing to choose.
    """
    game, rival = lock_hand(rival_id, with_club=True)
    check_changeable(game)
    if rival.rival_id is None or rival.state != State.DISPUTED:
        raise RefusedError("There is no second record to choose.", "hand")
    if not why.strip():
        raise RefusedError("Say why.", "why")
    stamp = Stamp(by, at)
    hand = Hand.objects.get(pk=rival.rival_id)
    hand.game = game
    rival.state = State.VOID
    rival.reason = "The first record stands." if keep else "It became the record of the hand."
    rival.save(update_fields=["state", "reason"])
    deed = Deed("record chosen", why, {"hand": hand.pk, "rival": rival.pk, "keep": keep})
    if keep:
        settled = settled_anew(game, hand, stamp)
        close_if_closed(game, stamp)
        note(game, deed, stamp, settled.hand)
        return Corrected(recorded=settled, consequences=())
    note(game, deed, stamp)  # it is told as the correction that follows
    version = HandVersion.objects.get(hand=rival, number=rival.current)
    chosen = Correction(
        text=bytes(version.text),
        why=why,
        form=Form(version.form),
        sent=None if version.sent is None else bytes(version.sent),
    )
    return _correct(game, hand, chosen, stamp)
