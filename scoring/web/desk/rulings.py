"""Rulings at the desk: the engine's proposals and their effect, a decision, what it would do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.messages import message_of
from engine.record.irregularities import IRREGULARITIES, event_of
from engine.record.rulings import Decision, Ruling
from engine.rules.rules import plays_for_chips
from scoring.hands import recording, rulings
from scoring.hands.corrections import Correction, undo_correction
from scoring.hands.papers import PaperId, reveal_papers
from scoring.hands.rulings import moves_nothing
from scoring.models import Decided, Game, PaperKind, SealedPaper, State
from scoring.presentation.answers import (
    ConsequenceAnswer,
    RulingAnswer,
    consequence_answer,
    ruling_answer,
    seats_of,
)
from scoring.presentation.cards import sitter_name
from scoring.presentation.ruling_names import title
from scoring.selectors import queries
from scoring.settlement.changes import RulingRequest
from scoring.settlement.consequences import Consequence, Policy
from scoring.settlement.plan import opened_papers, rules_of
from scoring.settlement.replay import JudgedHand
from scoring.web.desk.hands import HandPage
from scoring.web.desk.ruling_form import (
    DecreeForm,
    IncidentForm,
    initial_of,
)
from scoring.web.engine_wording import with_cards
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.web.desk.base import REFUSED, ActionMixin, DeskFormView
from tournaments.web.desk.forms import clean_line
from tournaments.web.number_format import format_number, parse_number

Gain = tuple[str, int, str]
"""A seat, what it has more or less, and that in writing."""


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """A proposed ruling in words, with its effect on each seat and on the pot."""

    place: int
    decision: str
    offenders: str
    law: str
    effect: list[Gain]
    pot: int | None


class HandRulings(HandPage):
    """A hand with what is proposed for it, the form of a ruling, and what that would do."""

    @cached_property
    def decided(self) -> list[Decided]:
        """The rulings on the hand."""
        return queries.rulings(self.hand)

    @cached_property
    def papers_waited_for(self) -> list[str]:
        """The seats that sealed a paper for the hand and have not opened it yet."""
        opened = opened_papers(self.game, [self.hand.number]).get(self.hand.number)
        waiting = opened.waiting if opened is not None else ()
        return [seats_of(self.game)[seat] for seat in sorted(waiting)]

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the hand; one that is told in two ways by both records, unless each is asked for."""
        if not request.GET.get("records") and queries.contradicting_records(self.hand).exists():
            return redirect("desk-dispute", self.hand.pk)
        return super().get(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        game, hand = self.game, self.hand
        if hand.rival_id is not None:
            return super().get_context_data(rival=True, **kwargs)
        if hand.number > game.hands:
            return super().get_context_data(**kwargs)
        told = IncidentForm(self.request.GET or None, seats=seats_of(game), names=self.names)
        refused = ""
        try:
            effects = rulings.effects(game, hand, told.incident)
        except RefusedError as error:
            effects, refused = rulings.effects(game, hand), translate(message_of(error))
        number = parse_number(self.request.GET.get("proposal"))
        chosen = effects[min(number, len(effects) - 1)][0] if effects else None
        context: dict[str, Any] = {
            "version": hand.revision,
            "proposals": list(_describe_proposals(game, effects, self.names)),
            "telling": told,
            "told": told.query,
            "no_proposal": refused,
            "chosen": number,
            "decided": [_describe_ruling(row, seats_of(game)) for row in self.decided],
            "may_confirm": hand.state == State.DRAFT and not self.papers_waited_for,
            "papers_of": [self.names.get(one, one) for one in self.papers_waited_for],
            "is_open": hand.state in (State.DRAFT, State.DISPUTED),
        }
        if "form" not in kwargs:
            initial = {} if chosen is None else initial_of(chosen, seats_of(game))
            context["form"] = DecreeForm(**self.form_kwargs(), initial=initial)
        is_looked_at = not {"consequences", "is_refused"} & kwargs.keys()
        if is_looked_at and chosen is not None and not moves_nothing(chosen):
            context |= self.preview(RulingRequest(ruling=chosen, policy=Policy.RESETTLE))
        return super().get_context_data(**{**context, **kwargs})

    def form_kwargs(self) -> dict[str, Any]:
        """Return the arguments of the form of a ruling."""
        standing = [row for row in self.decided if _holds(row)]
        rules, seats = rules_of(self.game), seats_of(self.game)
        return {"rules": rules, "seats": seats, "names": self.names, "standing": standing}

    def preview(self, decree: RulingRequest) -> dict[str, Any]:
        """Return the effects of a ruling, or why it cannot be."""
        try:
            consequences = rulings.preview_ruling(hand_id=self.hand.pk, decree=decree, at=self.at)
        except RefusedError as error:
            return {"consequences": [], "cannot": translate(message_of(error))}
        return {"consequences": list(consequence_rows(consequences, self.game)), "previewed": True}


def _holds(row: Decided) -> bool:
    """Whether a ruling is neither superseded nor withdrawn."""
    return not row.withdrawn and not hasattr(row, "superseded_by")


def _describe_ruling(row: Decided, seats: Sequence[str]) -> tuple[RulingAnswer, str, bool]:
    answer = ruling_answer(row, seats, in_full=True)
    ruling = answer["ruling"]
    words = (
        _("taken back") if ruling is None else translate(Decision.of(ruling["decision"]).details)
    )
    if row.restores is not None:
        words = _("ruling %(n)d holds again: %(words)s") % {"n": row.restores, "words": words}
    return answer, words, _holds(row)


def _describe_proposals(
    game: Game, effects: Sequence[tuple[Ruling, JudgedHand]], names: Mapping[str, str]
) -> Iterator[ProposalRow]:
    seats = seats_of(game)
    for_chips = plays_for_chips(rules_of(game))
    what = "chips" if for_chips else "totals"
    for place, (ruling, played) in enumerate(effects):
        before, after = getattr(played.before, what), getattr(played.after, what)
        law = "" if ruling.code is None else title(ruling.code)
        event = None if ruling.code is None else event_of(ruling.code)
        if event is not None and place == 0:
            # The engine lists the default of the law first.
            row = IRREGULARITIES[event]
            law = f"{law}: {translate(row.proposal)} ({row.law})"
        yield ProposalRow(
            place=place,
            decision=translate(ruling.decision.details),
            offenders="; ".join(sitter_name(seats[seat], names) for seat in ruling.offenders),
            law=law,
            effect=[
                (sitter_name(seat, names), now - then, format_number(now - then, signed=True))
                for seat, then, now in zip(seats, before, after, strict=True)
            ],
            pot=played.after.pot if for_chips else None,
        )


@dataclass(frozen=True, slots=True)
class ConsequenceRow:
    """The effect of a change on one hand, as a line of a table.

    ``states`` are what the hand is and what it becomes, empty where that stays; ``questions`` are
    what is open to a ruling by it and was not; ``pot`` is empty where nobody plays for one.
    """

    answer: ConsequenceAnswer
    chips: list[Gain]
    pot: str
    states: tuple[str, ...]
    questions: list[SafeString]


def consequence_rows(consequences: Sequence[Consequence], game: Game) -> Iterator[ConsequenceRow]:
    """Consequences as lines: the changed hand, and all after it."""
    seats, for_chips = seats_of(game), plays_for_chips(rules_of(game))
    for one in consequences:
        answer: ConsequenceAnswer = translate(consequence_answer(one, seats))
        was, becomes = State(answer["was"]), State(answer["state"])
        gains = answer["chips"] if for_chips else answer["points"]
        yield ConsequenceRow(
            answer,
            [(seat, by, format_number(by, signed=True)) for seat, by in gains.items()],
            format_number(answer["pot"], signed=True) if for_chips else "",
            () if was == becomes else (was.label, becomes.label),
            [with_cards(question) for question in answer["questions"]],
        )


class Decide(HandRulings, DeskFormView[DecreeForm]):
    """Preview or make a ruling."""

    form_class = DecreeForm
    success_message = gettext_lazy("The ruling is saved, and the game has been settled with it.")
    revision: int

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.revision = self.version_seen()
        return super().post(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), **self.form_kwargs()}

    def form_valid(self, form: DecreeForm) -> HttpResponse:
        if self.request.POST.get("do") == "preview":
            return self.render(form=form, **self.preview(form.decree()))
        return super().form_valid(form)

    def form_invalid(self, form: DecreeForm) -> HttpResponse:
        return self.render(REFUSED, form=form, consequences=[])

    def save(self, form: DecreeForm) -> None:
        rulings.decide(
            hand_id=self.hand.pk,
            decree=form.decree(),
            revision=self.revision,
            by=self.by,
            at=self.at,
        )


class HandAction(ActionMixin, HandRulings):
    """An action on a hand."""


class TakeBackRuling(HandAction):
    """Take back a ruling; it stays on record."""

    def act(self) -> str:
        posted = self.request.POST
        row = next((row for row in self.decided if str(row.pk) == posted.get("ruling")), None)
        if row is None or not _holds(row):
            raise RefusedError(_("This ruling does not hold any more."), "ruling")
        facts = clean_line(posted.get("facts"), 2000)
        back = rulings.find_restored_ruling(row)
        rulings.decide(
            hand_id=self.hand.pk,
            decree=RulingRequest(ruling=None, facts=facts, supersedes=row.pk),
            revision=self.version_seen(),
            by=self.by,
            at=self.at,
        )
        if back is None:
            return _("The ruling is taken back; none holds in its place.")
        said = _("The ruling is taken back; ruling %(n)d, whose place it had, holds again.")
        return said % {"n": back.number}


class Confirm(HandAction):
    """The director confirms, in place of a second seat, the version that was seen."""

    needs = Right.HANDS_CONFIRM

    @transaction.atomic
    def act(self) -> str:
        version = parse_number(self.request.POST.get("seen"))
        recorded = recording.confirm_hand(
            hand_id=self.hand.pk, version=version, by=self.by, at=self.at
        )
        hand = recorded.hand
        if hand.state in (State.DRAFT, State.DISPUTED):
            words = _("Confirming it changes nothing: %(reason)s")
            raise RefusedError(words % {"reason": translate(hand.reason)}, "hand")
        return _("Confirmed.")


class WaitNoLonger(HandAction):
    """Let sealed papers that nobody opens count as missing."""

    needs = Right.HANDS_RULE

    @transaction.atomic
    def act(self) -> str:
        why = clean_line(self.request.POST.get("why"), 1000)
        waiting = SealedPaper.objects.filter(game=self.game, hand=self.hand.number, opened_at=None)
        kinds = sorted(set(waiting.values_list("kind", flat=True)))
        if not kinds:
            raise RefusedError(_("All sealed papers of this hand are open by now."), "hand")
        for kind in kinds:
            paper = PaperId(hand=self.hand.number, seat=0, kind=PaperKind(kind))
            reveal_papers(game_id=self.game.pk, paper=paper, why=why, by=self.by, at=self.at)
        return _("The hand waits for these papers no longer.")


class Undo(HandAction):
    """Take back the last correction, by one more that brings the record before it back."""

    needs = Right.HANDS_CORRECT

    def act(self) -> str:
        why = clean_line(self.request.POST.get("why"), 1000)
        back = Correction(why=why, revision=self.version_seen())
        undo_correction(hand_id=self.hand.pk, correction=back, by=self.by, at=self.at)
        return _("The record before the correction holds again.")
