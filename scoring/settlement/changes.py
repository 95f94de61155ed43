"""Apply a correction or ruling to a hand, with its effect on later hands.

`plan_change` computes the consequences without writing, so that a director can preview them;
`write_change` writes them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from engine.core.messages import Message, message_of
from engine.record.rulings import Decision, Ruling, RulingError
from scoring.ledger.transfers import Stamp
from scoring.models import Decided, Game, Hand
from scoring.models.states import digest, write_ruling, write_state
from scoring.settlement.consequences import Consequence, Policy, consequences, let_stand
from scoring.settlement.plan import (
    Draft,
    GamePlan,
    carry_out,
    plan,
    recorded_inputs,
    refuse_debts,
    rules_of,
)
from scoring.settlement.replay import JudgedHand, fold
from tournaments.core.errors import RefusedError

APPEAL_TIME = timedelta(hours=24)
CHANGED_AGAIN = Message("The hand that this came from was changed again.")
STANDS = Message("Later hands were played in good faith; what they were played for stands.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingRequest:
    """A ruling to be made, with the director's notes.

    ``supersedes`` is the ruling that this one replaces; with ``ruling`` None, that ruling is
    withdrawn and nothing takes its place.
    """

    ruling: Ruling | None
    facts: str = ""
    law: str = ""
    trick: int | None = None
    card: str = ""
    called_by: int | None = None
    found: str = ""
    told_to: Sequence[str] = ()
    supersedes: UUID | None = None
    policy: Policy = Policy.RESETTLE


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedChange:
    """A change worked out but not written: the new plan and its consequences.

    ``rulings`` are the additional rulings that let later play stand, by hand number.
    """

    plan: GamePlan
    consequences: tuple[Consequence, ...]
    rulings: dict[int, Ruling]


def plan_change(game: Game, hand: Hand, draft: Draft, policy: Policy) -> PlannedChange:
    """Work out the effect of changing one hand, up to the end of its game.

    Rulings by which an earlier change of this hand let later play stand are disregarded. Raises
    RefusedError for an impossible ruling, and for a debt that the rules do not allow.
    """
    rules = rules_of(game)
    old = plan(game, hand.number)
    earlier = frozenset(policy.pk for policy in list_policies(hand))
    draft = replace(draft, taken_back=draft.taken_back | earlier)
    new = recorded_inputs(game, old.rows.values(), draft=draft)
    rulings: dict[int, Ruling] = {}
    try:
        if policy is Policy.LET_STAND:
            hands, rulings = let_stand(rules, old.before, old.hands, new)
        else:
            hands = list(fold(rules, old.before, new))
    except RulingError as error:
        raise RefusedError(message_of(error), "ruling") from error
    planned = replace(old, hands=tuple(hands))
    refuse_debts(planned)
    return PlannedChange(
        plan=planned,
        consequences=consequences(rules, old.hands, planned.hands),
        rulings=rulings,
    )


def find_later_consequences(current: GamePlan, changed: JudgedHand) -> tuple[Consequence, ...]:
    """Return the consequences for the later hands of a plan, if its first hand becomes ``changed``.

    The rules are applied again to them. No query. Raises RefusedError as `plan_change` does.
    """
    rules = rules_of(current.game)
    later = (played.entered for played in current.hands[1:])
    try:
        hands = tuple(fold(rules, current.before, (changed.entered, *later)))
    except RulingError as error:
        raise RefusedError(message_of(error), "ruling") from error
    refuse_debts(replace(current, hands=hands))
    return consequences(rules, current.hands[1:], hands[1:])


def list_policies(hand: Hand) -> list[Decided]:
    """List the rulings that let later play stand after the last change of ``hand``. One query."""
    rulings = Decided.objects.filter(lets_stand=hand, superseded_by=None, withdrawn=False)
    return list(rulings.select_related("hand").order_by("hand__number", "number"))


def write_change(
    changed: PlannedChange, hand: Hand, stamp: Stamp, *, stood: Sequence[Decided] = ()
) -> None:
    """Write a planned change. The caller has held the game's lock since planning it.

    ``stood`` are earlier let-stand rulings that the plan brings back.
    """
    for policy in list_policies(hand):
        taken_back = RulingRequest(ruling=None, supersedes=policy.pk, facts=CHANGED_AGAIN)
        _save(draft_decision(policy.hand, taken_back, stamp, lets_stand=hand))
    by_number = {played.entered.number: played for played in changed.plan.hands}
    for again in stood:
        save_ruling(again, by_number[again.hand.number])
    for number, ruling in changed.rulings.items():
        row, decree = changed.plan.rows[number], RulingRequest(ruling=ruling, facts=STANDS)
        save_ruling(draft_decision(row, decree, stamp, lets_stand=hand), by_number[number])
    carry_out(changed.plan, stamp=stamp)


def save_ruling(decided: Decided, played: JudgedHand) -> Decided:
    """Save a new ruling with the digest of the state after it; ``played`` is its hand as ruled."""
    decided.after = digest(write_state(played.carried))
    return _save(decided)


def _save(decided: Decided) -> Decided:
    """Save a ruling as the next one of its hand."""
    decided.number = Decided.objects.filter(hand=decided.hand_id).count() + 1
    decided.save(force_insert=True)
    return decided


def draft_decision(
    hand: Hand, decree: RulingRequest, stamp: Stamp, *, lets_stand: Hand | None = None
) -> Decided:
    """Build an unsaved ruling row from a request."""
    ruling = decree.ruling if decree.ruling is not None else Ruling(decision=Decision.WARNING)
    record = hand.versions.filter(number=hand.current).values_list("digest", flat=True)
    return Decided(
        hand=hand,
        ruling=write_ruling(ruling, text="" if lets_stand is None else ruling.text),
        trick=decree.trick,
        card=decree.card,
        facts=decree.facts or (ruling.text if lets_stand is None else ""),
        law=decree.law,
        called_by=decree.called_by,
        found=decree.found,
        told_to=list(decree.told_to),
        supersedes_id=decree.supersedes,
        withdrawn=decree.ruling is None,
        lets_stand=lets_stand,
        of_version=None if lets_stand is None else lets_stand.current,
        record=record[0],
        before=digest(hand.after),
        by=stamp.by.label,
        source=str(stamp.by.source),
        at=stamp.at,
        appeal_until=stamp.at + APPEAL_TIME,
    )
