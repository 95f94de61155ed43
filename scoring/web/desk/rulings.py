"""Rulings at the desk: the engine's proposals and their effect, a decision, what it would do."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.core.messages import message_of
from engine.record.rulings import Decision
from engine.rules.rules import plays_for_chips
from scoring.hands import recording, rulings
from scoring.hands.corrections import Correction, undo_correction
from scoring.hands.papers import PaperId, reveal_papers
from scoring.models import AppealStep, Decided, PaperKind, SealedPaper, State
from scoring.presentation.answers import RulingAnswer, ruling_answer, seats_of
from scoring.presentation.ruling_names import title
from scoring.selectors import queries
from scoring.settlement import plan
from scoring.settlement.changes import RulingRequest
from scoring.settlement.plan import opened_papers, rules_of
from scoring.settlement.replay import judge_entered
from scoring.web.desk.hands import HandPage
from scoring.web.desk.open_findings import OpenFinding
from scoring.web.desk.ruling_form import DecreeForm, IncidentForm, initial_of
from scoring.web.desk.ruling_options import OptionBuilder, compare_outcomes, consequence_rows
from scoring.web.desk.seat_form import POLICIES
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.reports.people import actor_names
from tournaments.web.desk.base import REFUSED, ActionMixin, DeskFormView
from tournaments.web.desk.forms import clean_line
from tournaments.web.number_format import parse_number


class HandRulings(HandPage):
    """A hand with what is proposed for it, the form of a ruling, and what was ruled."""

    @cached_property
    def decided(self) -> list[Decided]:
        """The rulings on the hand."""
        return queries.rulings(self.hand)

    @cached_property
    def standing(self) -> list[Decided]:
        """The rulings that hold, apart from those that only let play after a change stand."""
        return [row for row in self.decided if _holds(row) and row.lets_stand_id is None]

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
        game, hand, asked = self.game, self.hand, self.request.GET
        if hand.rival_id is not None:
            return super().get_context_data(rival=True, **kwargs)
        if hand.number > game.hands:
            return super().get_context_data(**kwargs)
        told = IncidentForm(asked or None, seats=seats_of(game), names=self.names)
        is_open = hand.state in (State.DRAFT, State.DISPUTED)
        replaced = (
            None if is_open or not asked.get("again") else next(iter(self.standing[-1:]), None)
        )
        refused, effects = "", []
        if is_open or told.incident is not None or asked.get("again"):
            try:
                effects = rulings.effects(
                    game, hand, told.incident, judged=self.played, replaced=replaced
                )
            except RefusedError as error:
                refused = translate(message_of(error))
                effects = rulings.effects(game, hand, judged=self.played, replaced=replaced)
        chosen = min(parse_number(asked.get("proposal")), max(len(effects) - 1, 0))
        findings = self.findings if is_open or effects else []
        context: dict[str, Any] = {
            "version": hand.revision,
            "findings": findings,
            "telling": told,
            "told": told.query,
            "no_proposal": refused,
            "decided": [_describe_ruling(row, seats_of(game)) for row in self.decided],
            "may_confirm": hand.state == State.DRAFT and not self.papers_waited_for,
            "papers_of": [self.names.get(one, one) for one in self.papers_waited_for],
            "is_open": is_open,
            "opened": asked.get("open", ""),
            "replaced": replaced,
            "policies": POLICIES,
            "heading": self._heading(findings),
            "past_findings": self.findings,
        }
        words = self._words_for_table(findings, told)
        options = OptionBuilder(self.hand, self.names, at=self.at, replaced=replaced, words=words)
        is_mistake = told.incident is None and any(one.is_mistake for one in findings)
        beside = chosen or (not is_mistake and len(effects) > 1)
        shown = sorted({0, int(beside)} if not is_mistake else {int(beside)}) if effects else []
        context |= {
            "correction": next((one for one in findings if one.is_mistake), None)
            if is_mistake
            else None,
            "options": [options.build(place, *effects[place]) for place in shown],
            "is_correctable": is_open and not is_mistake and len(shown) == 1,
            "others": [
                (place, options.title(*effects[place]))
                for place in range(len(effects))
                if place not in shown
            ],
        }
        if not effects and self.standing:
            context["ruled"] = ruled = self._describe_ruled()
            words = _("Hand %(n)d is ruled: %(title)s")
            context["heading"] = words % {"n": hand.number, "title": ruled["title"]}
        if "form" not in kwargs:
            initial = initial_of(effects[chosen][0], seats_of(game)) if effects else {}
            replaces = {} if replaced is None else {"supersedes": str(replaced.pk)}
            context["form"] = DecreeForm(**self.form_kwargs(), initial=initial | replaces)
        return super().get_context_data(**{**context, **kwargs})

    @cached_property
    def objections(self) -> list[tuple[str, str]]:
        """The people who object to the record that stands, and their reasons."""
        seats, words = seats_of(self.game), queries.words(self.hand)
        return [
            (_("Somebody") if one.seat is None else self.names[seats[one.seat]], one.why)
            for one in words
            if not one.agrees and one.version.number == self.hand.current
        ]

    def _heading(self, findings: Sequence[OpenFinding]) -> str:
        """Return what the director is asked, in a few words."""
        title = findings[0].title if findings else ""
        if len(findings) > 1:
            words = ngettext("%(many)d question", "%(many)d questions", len(findings))
            title = words % {"many": len(findings)}
        elif not findings and self.hand.state == State.DISPUTED and self.objections:
            title = _("%(name)s objects") % {"name": self.objections[0][0]}
        number = {"n": self.hand.number, "title": title}
        return (_("Hand %(n)d: %(title)s") if title else _("Hand %(n)d")) % number

    def _words_for_table(self, findings: Sequence[OpenFinding], told: IncidentForm) -> str:
        """Return what happened, in the words with which the table's notice begins."""
        incident = told.incident
        if incident is None and not findings and self.hand.state == State.DISPUTED:
            said = [
                f"{name}: “{Truncator(why).chars(200)}”" for name, why in self.objections if why
            ]
            return " ".join(said[:1])
        if incident is None:
            return " ".join(one.plain for one in findings[:2])
        names = [self.names[seats_of(self.game)[seat]] for seat in incident.offenders]
        return ": ".join(filter(None, (", ".join(names), title(incident.what)))) + "."

    def _describe_ruled(self) -> dict[str, Any]:
        """Return the ruling that holds, its author, and the hand as told and as it counts."""
        game, hand, row = self.game, self.hand, self.standing[-1]
        ruled = self.played
        assert ruled is not None, "it is part of the game"
        told = judge_entered(
            rules_of(game),
            plan.read_carried_state_before(game, hand.number),
            replace(ruled.entered, rulings=(), objection=""),
        )
        answer = ruling_answer(row, seats_of(game), in_full=True)
        return {
            "title": OptionBuilder(hand, self.names, at=self.at).title(row.decision(), ruled),
            "row": row,
            "answer": answer,
            "by": actor_names([row.by])[row.by],
            "appeal": "" if answer["appeal"] is None else AppealStep(answer["appeal"]).label,
            "rows": compare_outcomes(told, ruled, self.names),
            "for_chips": plays_for_chips(rules_of(game)),
            "is_followed": hand.number < game.hands,
        }

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
        rows = consequence_rows(consequences, self.game, self.names)
        return {"consequences": list(rows), "previewed": True}


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
