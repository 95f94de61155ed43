"""Rulings: what the director decides about a hand (rules.md section 8).

A ruling is never edited: a later one supersedes it, and all of them stay on record.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from engine.faults import Code
from engine.rulings import Decision, Ruling, RulingError
from scoring import settling
from scoring.folding import Entered, Played, judge_entered
from scoring.games import check_open
from scoring.ledger import Stamp
from scoring.models import Appeal, AppealStep, Decided, Game, Hand
from scoring.recording import Recorded, lock_hand, note
from scoring.settling import Plan, RefusedError, StaleError, carry_out, plan
from scoring.states import digest, read_ruling, ruling_data, write_ruling, write_state
from tournaments.actors import Actor
from tournaments.audit import Deed

APPEAL_TIME = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decree:
    """A decision with what the director wrote down beside it; ``supersedes`` another ruling.

    ``ruling`` None takes back the one that it supersedes and decides nothing instead.
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
    is_policy: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """A ruling on record, and how its hand stands with it."""

    decided: Decided
    recorded: Recorded


@transaction.atomic
def decide(*, hand_id: UUID, decree: Decree, version: int | None, by: Actor, at: datetime) -> Ruled:
    """Rule on a hand, and settle the game with it from there on.

    Raises StaleError when the hand has another version by now, RefusedError for what no
    director can decide: chips that do not sum to zero, captures that do not add up, a debt
    that the rules do not know.
    """
    game, hand = lock_hand(hand_id)
    _check(game, hand, version)
    stamp = Stamp(by, at)
    superseded = _superseded(hand, decree)
    planned = _planned(game, hand, with_decree(game, hand, decree))
    decided = put_down(hand, decree, planned.hands[0], stamp)
    carry_out(planned, stamp=stamp)
    details = {
        "hand": hand.pk,
        "number": hand.number,
        "ruling": decided.pk,
        "decision": None if decree.ruling is None else ruling_data(decree.ruling),
        "supersedes": None if superseded is None else superseded.pk,
    }
    note(game, Deed("ruling", decree.facts[:1000], details), stamp)
    row = planned.rows[hand.number]
    recorded = Recorded(hand=row, game=game, played=planned.hands[0], is_new=False)
    return Ruled(decided=decided, recorded=recorded)


def _check(game: Game, hand: Hand, version: int | None) -> None:
    check_open(game)
    if hand.rival_id is not None:
        raise RefusedError("This record was never part of the game; choose one first.", "hand")
    if hand.number > game.hands:
        raise RefusedError("This hand still waits for an earlier one.", "hand")
    if version is not None and version != hand.current:
        raise StaleError(f"Version {hand.current} of this hand stands now.", hand.current)


def _planned(game: Game, hand: Hand, entered: Entered) -> Plan:
    try:
        return plan(game, hand.number, changed={hand.number: entered})
    except RulingError as error:
        raise RefusedError(str(error), "ruling") from error


def with_decree(game: Game, hand: Hand, decree: Decree) -> Entered:
    """What stands on record about a hand, with one decree more; objections are dealt with."""
    (entered,) = settling.entered(game, [hand])
    standing = settling.active_rulings([hand]).get(hand, ())
    rulings = [read_ruling(one.ruling) for one in standing if one.pk != decree.supersedes]
    if decree.ruling is not None:
        rulings.append(decree.ruling)
    objection = "" if decree.ruling is not None else entered.objection
    return replace(entered, rulings=tuple(rulings), objection=objection)


def put_down(hand: Hand, decree: Decree, played: Played, stamp: Stamp) -> Decided:
    """Write a ruling down; ``played`` is the hand with it. The caller settles the game."""
    ruling = decree.ruling if decree.ruling is not None else Ruling(decision=Decision.WARNING)
    return Decided.objects.create(
        hand=hand,
        number=Decided.objects.filter(hand=hand).count() + 1,
        ruling=write_ruling(ruling),
        trick=decree.trick,
        card=decree.card,
        facts=decree.facts,
        law=decree.law,
        called_by=decree.called_by,
        found=decree.found,
        told_to=list(decree.told_to),
        supersedes_id=decree.supersedes,
        withdrawn=decree.ruling is None,
        is_policy=decree.is_policy,
        before=digest(hand.after),
        after=digest(write_state(played.after)),
        by=stamp.by.label,
        source=str(stamp.by.source),
        at=stamp.at,
        appeal_until=stamp.at + APPEAL_TIME,
    )


def _superseded(hand: Hand, decree: Decree) -> Decided | None:
    if decree.supersedes is None:
        if decree.ruling is None:
            raise RefusedError("Say which ruling is taken back.", "supersedes")
        return None
    earlier = Decided.objects.filter(hand=hand).select_related("superseded_by")
    found = earlier.filter(pk=decree.supersedes).first()
    if found is None or found.withdrawn:
        raise RefusedError("This hand has no such ruling.", "supersedes")
    if hasattr(found, "superseded_by"):
        raise RefusedError("Another ruling has superseded that one already.", "supersedes")
    return found


def preview(*, hand_id: UUID, ruling: Ruling) -> tuple[Played, Played]:
    """A hand as it stands, and as it would with one ruling more; nothing is written.

    Raises RefusedError.
    """
    hand = Hand.objects.select_related("game").get(pk=hand_id)
    _check(hand.game, hand, None)
    (entered,) = settling.entered(hand.game, [hand])
    return settling.judged(hand.game, hand), _with(hand.game, hand, entered, ruling)


def _with(game: Game, hand: Hand, entered: Entered, ruling: Ruling) -> Played:
    more = replace(entered, rulings=(*entered.rulings, ruling), objection="")
    before = settling.state_before(game, hand.number)
    try:
        return judge_entered(settling.rules_of(game), before, more)
    except RulingError as error:
        raise RefusedError(str(error), "ruling") from error


def effects(game: Game, hand: Hand) -> list[tuple[Ruling, Played]]:
    """What the engine proposes for a hand, the default first, and what each would come to."""
    now = settling.judged(game, hand)
    if now.result is None:
        return []
    (entered,) = settling.entered(game, [hand])
    proposals = now.result.proposals
    if not proposals and entered.objection:
        proposals = (Ruling(decision=Decision.RESULT_STANDS),)
    return [(proposal, _with(game, hand, entered, proposal)) for proposal in proposals]


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
            raise RefusedError("This ruling has been appealed against before.", "step")
        if decided.appeal_until is not None and at > decided.appeal_until:
            raise RefusedError("The time for an appeal is over.", "step")
    elif not is_open:
        raise RefusedError("No appeal is pending.", "step")
    found = Appeal.objects.create(ruling=decided, step=step, text=text, by=by.label, at=at)
    details = {"hand": hand.pk, "ruling": decided.pk, "step": str(step)}
    note(game, Deed("appeal", text[:1000], details), Stamp(by, at))
    return found


def rulings_on(hand: Hand) -> list[tuple[Decided, Ruling]]:
    """Every ruling that a hand ever had, in order."""
    rows = hand.decisions.select_related("supersedes").order_by("number")
    return [(row, read_ruling(row.ruling)) for row in rows]


def code_named(name: str) -> Code:
    """The code of an irregularity, by its name in rules.md or its id. Raises RefusedError."""
    for code in Code:
        if name in (code.name, code.value):
            return code
    raise RefusedError(f"{name!r} is no irregularity.", "code")
