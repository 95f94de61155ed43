"""Rulings: what the director decides about a hand (rules.md section 8).

A ruling is never edited: a later one supersedes it, and all of them stay on record.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.cards import NAMES
from engine.core.messages import Message, Sentence, message_of
from engine.core.seats import Seat
from engine.games.game import HandResult
from engine.games.proposals import proposals_for
from engine.record.irregularities import Named, find_by_name
from engine.record.rulings import Decision, NextHand, Ruling, RulingError
from engine.rules.rules import Rules
from engine.rules.switches import SettledBy, Toggle
from scoring.games.closing import close_if_closed
from scoring.games.opening import check_changeable, note
from scoring.hands.recording import RecordedHand, check_not_taken_back, check_revision, lock_hand
from scoring.ledger.transfers import Stamp
from scoring.models import Appeal, AppealStep, Decided, Game, Hand
from scoring.models.ruling import RULING
from scoring.models.states import read_ruling, ruling_data
from scoring.settlement import plan
from scoring.settlement.changes import (
    RulingRequest,
    draft_decision,
    plan_change,
    save_ruling,
    write_change,
)
from scoring.settlement.consequences import Consequence
from scoring.settlement.plan import Draft
from scoring.settlement.replay import JudgedHand, judge_entered, open_questions
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import RefusedError

APPEAL: Final = Message("appeal")
"""Entries of the trail, with which `verify` compares rulings and appeals."""
_SAID_AGAIN: Final = (
    *("ruling", "trick", "card", "law", "called_by", "found", "told_to"),
    *("record", "lets_stand_id", "of_version"),
)
"""Fields that a restored ruling copies from the original."""
_CARDS: Final = frozenset(NAMES)

Refused = tuple[bool, str, str]
"""Whether something cannot be, why, and in which field it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRuling:
    """A ruling on record, how its hand stands with it, and what it did to the hands after."""

    decided: Decided
    recorded: RecordedHand
    consequences: tuple[Consequence, ...]


@transaction.atomic
def decide(
    *, hand_id: UUID, decree: RulingRequest, revision: int | None = None, by: Actor, at: datetime
) -> RecordedRuling:
    """Rule on a hand, and settle the game with it from there on.

    Raises StaleError when something happened to the hand meanwhile, RefusedError for what no
    director can decide: chips that do not sum to zero, captures that do not add up, a debt
    that the rules do not know.
    """
    game, hand = lock_hand(hand_id, with_club=True)
    _check(game, hand, revision)
    stamp = Stamp(by, at)
    check_decree(decree, plan.rules_of(game), game.players)
    _check_superseded(hand, decree)
    decided, draft = _draft(hand, decree, stamp)
    changed = plan_change(game, hand, draft, decree.policy)
    save_ruling(decided, changed.plan.hands[0])
    row = changed.plan.rows[hand.number]
    row.revision = hand.revision = hand.revision + 1
    row.director_called_at = hand.director_called_at = None
    hand.save(update_fields=["revision", "director_called_at"])
    write_change(changed, hand, stamp)
    close_if_closed(game, stamp)
    details = {
        "hand": hand.pk,
        "number": hand.number,
        "ruling": decided.pk,
        "decision": None if decided.withdrawn else ruling_data(read_ruling(decided.ruling)),
        "supersedes": decree.supersedes,
        "restores": decided.restores,
        "policy": str(decree.policy),
        "digest": decided.digest(),
    }
    note(game, AuditRecord(RULING, decided.reason()[: audit.WHY_MAX], details), stamp, row)
    recorded = RecordedHand(hand=row, game=game, played=changed.plan.hands[0], is_new=False)
    return RecordedRuling(decided=decided, recorded=recorded, consequences=changed.consequences)


def _check(game: Game, hand: Hand, revision: int | None) -> None:
    check_changeable(game)
    if hand.rival_id is not None:
        raise RefusedError(
            Message("This record was never part of the game; choose one first."), "hand"
        )
    check_not_taken_back(hand)
    if hand.number > game.hands:
        raise RefusedError(Message("This hand still waits for an earlier one."), "hand")
    check_revision(hand, revision)


def _draft(hand: Hand, decree: RulingRequest, stamp: Stamp) -> tuple[Decided, Draft]:
    """Build the unsaved ruling row and the draft with which the game is judged."""
    decided = draft_decision(hand, decree, stamp)
    if decree.ruling is None and decree.supersedes is not None:
        earlier = find_restored_ruling(Decided.objects.get(pk=decree.supersedes))
        if earlier is not None:
            decided.withdrawn, decided.restores = False, earlier.number
            for name in _SAID_AGAIN:
                setattr(decided, name, getattr(earlier, name))
    superseded = frozenset(() if decree.supersedes is None else (decree.supersedes,))
    return decided, Draft(rulings=(decided,), taken_back=superseded)


def find_restored_ruling(taken_back: Decided) -> Decided | None:
    """Return the ruling that holds again if ``taken_back`` is withdrawn: the one it superseded.

    None if it superseded none, or if that one let play stand after a change of a hand that has
    been changed again since.
    """
    origin = _original_ruling(taken_back)
    earlier = origin.supersedes
    if earlier is None:
        return None
    original = _original_ruling(earlier)
    changed = original.lets_stand
    return None if changed is not None and changed.current != original.of_version else original


def _original_ruling(row: Decided) -> Decided:
    """Return the ruling that ``row`` restored, or ``row`` itself."""
    if row.restores is None:
        return row
    return Decided.objects.get(hand=row.hand_id, number=row.restores)


def _check_superseded(hand: Hand, decree: RulingRequest) -> None:
    if decree.supersedes is None:
        if decree.ruling is None:
            raise RefusedError(Message("Say which ruling is taken back."), "supersedes")
        return
    earlier = Decided.objects.filter(hand=hand).select_related("superseded_by")
    found = earlier.filter(pk=decree.supersedes).first()
    if found is None or found.withdrawn:
        raise RefusedError(Message("This hand has no such ruling."), "supersedes")
    if hasattr(found, "superseded_by"):
        raise RefusedError(Message("Another ruling has superseded that one already."), "supersedes")


def preview_ruling(
    *, hand_id: UUID, decree: RulingRequest, at: datetime
) -> tuple[Consequence, ...]:
    """Return the consequences of a ruling for its hand and later ones; nothing is written.

    Raises RefusedError.
    """
    hand = Hand.objects.select_related("game__club").get(pk=hand_id)
    _check(hand.game, hand, None)
    check_decree(decree, plan.rules_of(hand.game), hand.game.players)
    _check_superseded(hand, decree)
    nobody = Stamp(Actor(ActorKind.PERSON, Source.API), at)
    _, draft = _draft(hand, decree, nobody)
    return plan_change(hand.game, hand, draft, decree.policy).consequences


@dataclass(frozen=True, slots=True)
class Incident:
    """A report to the director: what happened, by whom, and whether found in time."""

    what: Named
    offenders: tuple[Seat, ...] = ()
    in_time: bool = False


def effects(
    game: Game,
    hand: Hand,
    incident: Incident | None = None,
    *,
    judged: JudgedHand | None = None,
    replaced: Decided | None = None,
) -> list[tuple[Ruling, JudgedHand]]:
    """Return the engine's proposals for a hand, the default first, and the effects of each.

    For what the record shows; for an incident, if one is told of. ``judged`` is the hand as it
    stands, where it is known; ``replaced`` is a ruling that counts no more. A hand that waits for
    the director can always stand as it was written. Raises RefusedError for an incident on which
    nothing can be proposed.
    """
    rules = plan.rules_of(game)
    if replaced is not None:
        draft = Draft(taken_back=frozenset((replaced.pk,)))
        (entered,) = plan.recorded_inputs(game, [hand], draft=draft)
        carried = plan.read_carried_state_before(game, hand.number)
        now = judge_entered(rules, carried, entered)
    else:
        now = judged or plan.judge_recorded_hand(game, hand)
        entered = now.entered
    if now.result is None:
        return []
    proposals = (
        now.result.proposals if incident is None else _proposed_rulings(incident, now.result)
    )
    if not proposals and (entered.objection or open_questions(now.judged, entered.rulings)):
        proposals = (Ruling(decision=Decision.RESULT_STANDS),)
    before, found = plan.state_before(game, hand.number), []
    for ruling in proposals:
        ruled = replace(entered, rulings=(*entered.rulings, ruling), objection="")
        try:
            found.append((ruling, judge_entered(rules, before, ruled)))
        except RulingError as error:
            raise RefusedError(message_of(error), "ruling") from error
    return found


def _proposed_rulings(incident: Incident, result: HandResult) -> tuple[Ruling, ...]:
    what, offenders = incident.what, incident.offenders
    try:
        return proposals_for(what, result.replay, offenders, in_time=incident.in_time)
    except RulingError as error:
        raise RefusedError(Sentence(message_of(error)), "offenders") from error


@transaction.atomic
def appeal(*, ruling_id: UUID, step: AppealStep, text: str, by: Actor, at: datetime) -> Appeal:
    """Take an appeal against a ruling one step on.

    Raises RefusedError: too late, or a step that does not follow the last one.
    """
    hand_id = Decided.objects.only("hand_id").get(pk=ruling_id).hand_id
    game, hand = lock_hand(hand_id)
    decided = Decided.objects.get(pk=ruling_id)
    last = decided.appeals.order_by("-id").first()
    is_open = last is not None and last.step == AppealStep.PENDING
    if step == AppealStep.PENDING:
        if last is not None:
            raise RefusedError(Message("This ruling has been appealed against before."), "step")
        if decided.appeal_until is not None and at > decided.appeal_until:
            raise RefusedError(Message("The time for an appeal has passed."), "step")
    elif not is_open:
        raise RefusedError(Message("No appeal is pending."), "step")
    found = Appeal.objects.create(ruling=decided, step=step, text=text, by=by.label, at=at)
    details = {"hand": hand.pk, "ruling": decided.pk, "step": str(step)}
    note(game, AuditRecord(APPEAL, text[: audit.WHY_MAX], details), Stamp(by, at), hand)
    return found


def find_irregularity(name: str) -> Named:
    """The irregularity of a name in rules.md, or of an id. Raises RefusedError."""
    found = find_by_name(name)
    if found is None:
        raise RefusedError(Message("{name} is no irregularity.", name=repr(name)), "code")
    return found


def check_decree(decree: RulingRequest, rules: Rules, players: int) -> None:
    """Raise RefusedError if a ruling does not fit these house rules or has no effect."""
    found = [*_check_play(decree, rules, players)]
    if decree.ruling is not None:
        found += [*_check_house_rules(decree.ruling, rules)]
        found += [*_check_amounts(decree.ruling)]
    for is_refused, words, field in found:
        if is_refused:
            raise RefusedError(words, field)


def _check_play(decree: RulingRequest, rules: Rules, players: int) -> Iterator[Refused]:
    tricks = rules.tricks(players)
    late = decree.trick is not None and decree.trick > tricks
    yield late, Message("A hand of this game has {tricks} tricks.", tricks=tricks), "trick"
    unknown = bool(decree.card) and decree.card not in _CARDS
    yield unknown, Message("This is no card; write the suit and the rank, such as SQ."), "card"


def _check_house_rules(ruling: Ruling, rules: Rules) -> Iterator[Refused]:
    then = ruling.then
    yield (
        len(set(ruling.offenders)) < len(ruling.offenders),
        Message("An offender is named once."),
        "offenders",
    )
    without = rules.queen is not Toggle.ON and ruling.queen is not None
    yield without, Message("The queen of spades does not count in this game."), "queen"
    unknown = rules.foot is not Toggle.ON and bool(then.feet)
    yield unknown, Message("Nobody can call a foot in this game."), "then.feet"
    carried = bool(then.jackpot) or (then.namer, then.pain) != (None, None)
    potless = rules.settlement is not SettledBy.POT
    yield carried and potless, Message("There is no jackpot in this game."), "then.jackpot"


def _check_amounts(ruling: Ruling) -> Iterator[Refused]:
    nothing = moves_nothing(ruling)
    chips = nothing and ruling.decision is Decision.CHIP_ADJUST
    yield chips, Message("No chip is moved; say whose chips, and how many."), "chips"
    points = nothing and ruling.decision is Decision.SCORE_ADJUST
    yield points, Message("No point is added or taken away; say whose, and how many."), "score"


def moves_nothing(ruling: Ruling) -> bool:
    """Whether an adjustment has only zeros and does not affect the next hand."""
    is_one = ruling.decision in (Decision.CHIP_ADJUST, Decision.SCORE_ADJUST)
    numbers = any((*ruling.chips, *ruling.score, ruling.pot))
    return is_one and not numbers and ruling.then == NextHand()
