"""Rulings at the desk: the engine's proposals and their effect, a decision, what it would do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.game_state import plays_for_chips
from engine.messages import message_of
from engine.record.irregularities import IRREGULARITIES, Named, event_of
from engine.rulings import Ruling
from scoring.hands import recording, rulings
from scoring.hands.corrections import Choosing, Correction, choose_record, undo_correction
from scoring.hands.ruling_checks import moves_nothing
from scoring.models import Decided, Game, Hand, State
from scoring.presentation.answers import (
    ConsequenceAnswer,
    RulingAnswer,
    consequence_answer,
    ruling_answer,
    seats_of,
)
from scoring.selectors import queries
from scoring.settlement.changes import Decree
from scoring.settlement.consequences import Consequence, Policy
from scoring.settlement.plan import rules_of
from scoring.settlement.replay import JudgedHand
from scoring.web.cards import sitter_name
from scoring.web.desk.game_places import game_of, hand_of
from scoring.web.desk.hands import HandPage
from scoring.web.desk.ruling_facts_form import TellingForm
from scoring.web.desk.ruling_form import (
    DECISIONS,
    POLICIES,
    DecreeForm,
    as_decree,
    initial_of,
)
from scoring.web.engine_wording import with_cards
from scoring.web.irregularity_names import title
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.web.desk.base import REFUSED
from tournaments.web.desk.forms import plain
from tournaments.web.number_format import format_number, parse_number

"""What is said of a change in words."""


Gain = tuple[str, int, str]
"""A seat, what it has more or less, and that in writing."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """One proposal in words, what each seat has of it, and the pot where there is one."""

    place: int
    decision: str
    offenders: str
    law: str
    effect: list[Gain]
    pot: int | None


class HandRulings(HandPage):
    """A hand that needs a decision, or has one."""

    def hand_shown(self, status: int = 200, **more: Any) -> HttpResponse:
        """The hand with proposals, the form of a ruling, and what it would do."""
        game, hand = game_of(self.visit), hand_of(self.visit)
        if hand.rival_id is not None:
            return super().hand_shown(status, rival=True, policies=POLICIES, **more)
        if hand.number > game.hands:
            return super().hand_shown(status, **more)
        rows = queries.rulings(hand)
        telling = TellingForm(self.request.GET or None, game=game, names=self.names)
        effects, refused = self.effects_of(hand, telling)
        wanted = parse_number(self.request.GET.get("proposal"))
        chosen = effects[min(wanted, len(effects) - 1)][0] if effects else None
        form = more.pop("form", None) or self.form(rows, chosen)
        found: dict[str, Any] = {
            "form": form,
            "version": hand.revision,
            "proposals": list(_proposed(game, effects, self.names)),
            "telling": telling,
            "told": telling.query,
            "no_proposal": refused,
            "chosen": wanted,
            "decided": [_said(row, seats_of(game)) for row in rows],
            "may_confirm": hand.state == State.DRAFT,
            "is_open": hand.state in (State.DRAFT, State.DISPUTED),
        }
        is_looked_at = "consequences" not in more and status == 200
        if is_looked_at and chosen is not None and not moves_nothing(chosen):
            decree = as_decree(chosen, Policy.RESETTLE)
            found |= self.consequences_of(hand, decree)
        return super().hand_shown(status, **{**found, **more})

    def effects_of(
        self, hand: Hand, telling: TellingForm
    ) -> tuple[list[tuple[Ruling, JudgedHand]], str]:
        """What is proposed for what the director tells, or for what the record shows; why not."""
        game = game_of(self.visit)
        try:
            return rulings.effects(game, hand, telling.incident), ""
        except RefusedError as error:
            return rulings.effects(game, hand), translate(message_of(error))

    def form(self, rows: Sequence[Decided], chosen: Ruling | None) -> DecreeForm:
        """The form as it is at first: with the proposal that was chosen."""
        game = game_of(self.visit)
        initial = {} if chosen is None else initial_of(chosen, seats_of(game))
        return DecreeForm(game=game, standing=_standing(rows), names=self.names, initial=initial)

    def consequences_of(self, hand: Hand, decree: Decree) -> dict[str, Any]:
        """What a decree would do, or why it cannot be."""
        try:
            found = rulings.preview(hand_id=hand.pk, decree=decree, at=self.visit.at)
        except RefusedError as error:
            return {"consequences": [], "cannot": translate(message_of(error))}
        return {"consequences": in_rows(found, game_of(self.visit)), "previewed": True}


def _standing(rows: Sequence[Decided]) -> list[Decided]:
    """The rulings that hold: neither superseded nor withdrawn."""
    return [row for row in rows if not row.withdrawn and not hasattr(row, "superseded_by")]


def _said(row: Decided, seats: Sequence[str]) -> tuple[RulingAnswer, str, bool]:
    answer = ruling_answer(row, seats, in_full=True)
    ruling = answer["ruling"]
    words = _("taken back") if ruling is None else _decision(ruling["decision"])
    if row.restores is not None:
        words = _("ruling %(n)d holds again: %(words)s") % {"n": row.restores, "words": words}
    holds = not row.withdrawn and not hasattr(row, "superseded_by")
    return answer, words, holds


def _decision(name: str) -> str:
    return next((str(words) for key, words in DECISIONS.items() if key == name), name)


def _proposed(
    game: Game, effects: Sequence[tuple[Ruling, JudgedHand]], names: Mapping[str, str]
) -> Iterator[Proposed]:
    seats = seats_of(game)
    for_chips = plays_for_chips(rules_of(game))
    what = "chips" if for_chips else "totals"
    for place, (ruling, played) in enumerate(effects):
        before, after = getattr(played.before, what), getattr(played.after, what)
        yield Proposed(
            place=place,
            decision=_decision(ruling.decision),
            offenders="; ".join(sitter_name(seats[seat], names) for seat in ruling.offenders),
            law="" if ruling.code is None else _law(ruling.code, in_full=place == 0),
            effect=[
                (sitter_name(seat, names), now - then, format_number(now - then, signed=True))
                for seat, then, now in zip(seats, before, after, strict=True)
            ],
            pot=played.after.pot if for_chips else None,
        )


def _law(what: Named, *, in_full: bool) -> str:
    """What a proposal is on; with the law for it, for the one that the law proposes."""
    event = event_of(what)
    name = title(what)
    if event is None or not in_full:
        return name
    row = IRREGULARITIES[event]
    return f"{name}: {translate(row.proposal)} ({row.law})"


@dataclass(frozen=True, slots=True)
class ConsequenceRow:
    """What a change does to one hand, as a line of a table."""

    answer: ConsequenceAnswer
    chips: list[Gain]
    for_chips: bool

    @property
    def pot(self) -> str:
        """What is in the pot more or less; empty where nobody plays for one."""
        return format_number(self.answer["pot"], signed=True) if self.for_chips else ""

    @property
    def states(self) -> tuple[str, ...]:
        """What the hand is and what it becomes, as a label each; empty where that stays."""
        was, becomes = State(self.answer["was"]), State(self.answer["state"])
        return () if was == becomes else (was.label, becomes.label)

    @property
    def questions(self) -> list[SafeString]:
        """What is open to a ruling by it and was not."""
        return [with_cards(one) for one in self.answer["questions"]]

    @property
    def is_hard(self) -> bool:
        """Whether a director has to look at that hand."""
        return self.answer["verdict"] == "conflict"


def in_rows(found: Sequence[Consequence], game: Game) -> list[ConsequenceRow]:
    """Consequences as lines: the changed hand, and all after it."""
    seats = seats_of(game)
    for_chips = plays_for_chips(rules_of(game))
    answers = [consequence_answer(one, seats) for one in found]
    return [
        ConsequenceRow(
            translate(answer),
            [
                (seat, by, format_number(by, signed=True))
                for seat, by in (answer["chips"] if for_chips else answer["points"]).items()
            ],
            for_chips,
        )
        for answer in answers
    ]


class Decide(HandRulings):
    """A decision, looked at first or put down."""

    needs = Right.HANDS_RULE

    def post(self, request: HttpRequest, hand_id: UUID) -> HttpResponse:
        """Show what it would do, or decide."""
        game, hand = game_of(self.visit), hand_of(self.visit)
        standing = _standing(queries.rulings(hand))
        form = DecreeForm(request.POST, game=game, standing=standing, names=self.names)
        revision = self.version_seen()
        if request.POST.get("do") == "preview":
            if not form.is_valid():
                return self.hand_shown(REFUSED, form=form, consequences=[])
            found = self.consequences_of(hand, form.decree())
            return self.hand_shown(200, form=form, **found)

        def work() -> str:
            rulings.decide(
                hand_id=hand_id,
                decree=form.decree(),
                revision=revision,
                by=self.visit.by,
                at=self.visit.at,
            )
            self.say(_("The ruling is on record, and the game is settled with it."))
            return reverse("desk-hand", args=[hand_id])

        decided = self.saved(form, work)
        return decided or self.hand_shown(REFUSED, form=form, consequences=[])


class HandDeed(HandRulings):
    """Something small that is done to a hand; refused, the page says why."""

    def done(self, work: Any, said: str) -> HttpResponse:
        """Do it once and show the hand."""
        hand = hand_of(self.visit)

        def carried() -> str:
            work()
            return reverse("desk-hand", args=[hand.pk])

        return self.tried(
            carried, said=said, otherwise=lambda why: self.hand_shown(REFUSED, problem=why)
        )


class TakeBackRuling(HandDeed):
    """A ruling holds no more."""

    needs = Right.HANDS_RULE

    def post(self, request: HttpRequest, hand_id: UUID) -> HttpResponse:
        """Take it back; it stays on record."""
        revision, facts = self.version_seen(), plain(request.POST.get("facts"), 2000)
        number = request.POST.get("ruling", "")
        rows = _standing(queries.rulings(hand_of(self.visit)))
        row = next((one for one in rows if str(one.pk) == number), None)
        if row is None:
            return self.hand_shown(REFUSED, problem=_("This ruling does not hold any more."))
        decree = Decree(ruling=None, facts=facts, supersedes=row.pk)

        def work() -> None:
            rulings.decide(
                hand_id=hand_id,
                decree=decree,
                revision=revision,
                by=self.visit.by,
                at=self.visit.at,
            )

        back = rulings.coming_back(row)
        if back is None:
            return self.done(work, _("The ruling is taken back; none holds in its place."))
        said = _("The ruling is taken back; ruling %(n)d, whose place it had, holds again.")
        return self.done(work, said % {"n": back.number})


class Confirm(HandDeed):
    """The director confirms in place of a second seat."""

    needs = Right.HANDS_CONFIRM

    def post(self, request: HttpRequest, hand_id: UUID) -> HttpResponse:
        """Confirm the version that was seen."""
        version = parse_number(request.POST.get("seen"))

        def work() -> None:
            recording.confirm_hand(
                hand_id=hand_id, version=version, by=self.visit.by, at=self.visit.at
            )

        return self.done(work, _("Confirmed."))


class Choose(HandDeed):
    """Two records of one hand: which holds."""

    needs = Right.HANDS_CORRECT

    def post(self, request: HttpRequest, hand_id: UUID) -> HttpResponse:
        """Keep the first, or take this one."""
        choice = Choosing(
            keep=request.POST.get("do") == "keep",
            why=plain(request.POST.get("why"), 1000),
            policy=policy_in(request.POST.get("policy")),
        )

        def work() -> None:
            choose_record(rival_id=hand_id, choice=choice, by=self.visit.by, at=self.visit.at)

        return self.done(work, _("The choice is on record."))


class Undo(HandDeed):
    """The last correction is taken back, by one more."""

    needs = Right.HANDS_CORRECT

    def post(self, request: HttpRequest, hand_id: UUID) -> HttpResponse:
        """Bring the record before it back."""
        back = Correction(why=plain(request.POST.get("why"), 1000), revision=self.version_seen())

        def work() -> None:
            undo_correction(hand_id=hand_id, correction=back, by=self.visit.by, at=self.visit.at)

        return self.done(work, _("The record before the correction holds again."))


def policy_in(text: str | None) -> Policy:
    """What is to happen to the hands after; judged anew unless it is said."""
    return Policy.LET_STAND if text == Policy.LET_STAND else Policy.RESETTLE
