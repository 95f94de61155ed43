"""Corrections at the desk: what a hand should have said, and what that would do, before it is done.

A hand is told again as a phone tells it, by its result or card by card; or its record is edited.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from engine.messages import message_of
from engine.notation.reader import Reader
from engine.record.record import Detail
from engine.replay.replay import Replay, replay
from scoring.hands import corrections
from scoring.hands.corrections import Correction
from scoring.hands.submission import table_of
from scoring.models import Game, Hand
from scoring.presentation.answers import whole_record
from scoring.selectors import queries
from scoring.settlement.consequences import Policy
from scoring.settlement.replay import JudgedHand
from scoring.submissions.writing.fields_from_record import Fields, said_moves, said_result
from scoring.submissions.writing.table import GameContext
from scoring.web.desk.game_places import game_of, hand_of
from scoring.web.desk.hand_form import RecordForm, WhyForm
from scoring.web.desk.hands import HandPage
from scoring.web.desk.moves_form import MovesForm
from scoring.web.desk.result_form import ResultForm
from scoring.web.desk.rulings import in_rows
from scoring.web.desk.trick_table import CardTable, faults_of
from scoring.web.findings import remarks
from scoring.web.record_listing import decode
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.web.desk.base import REFUSED

_LOOKING: Final = "looked at"
"""The reason of a correction that is only looked at; it is never written."""
RESULT, CARDS, RECORD = "result", "cards", "record"


@dataclass(frozen=True)
class HandOnRecord:
    """A hand as it stands: its text, its table, and in which ways it can be told again."""

    game: Game
    hand: Hand
    text: str
    names: Mapping[str, str]

    @cached_property
    def table(self) -> GameContext:
        """What the game knows before the hand."""
        return table_of(self.game, self.hand.number)

    @cached_property
    def judged(self) -> Replay | None:
        """What the record says, whatever was ruled on it; None for what is no record of a hand."""
        entry = next(Reader(self.text.encode("utf-8", "replace")).records(), None)
        record = None if entry is None else entry.record
        table = self.table
        if record is None or record.detail is Detail.GAME or len(record.seats) != table.players:
            return None
        return replay(record, table.rules, table.before)

    @cached_property
    def moves(self) -> Fields | None:
        """What the record says card by card, if it does so."""
        if self.judged is None or not self.judged.record.play:
            return None
        return said_moves(self.table, self.judged)

    @property
    def ways(self) -> list[str]:
        """In which ways it can be told again, the one that says most first."""
        cards = [CARDS] if self.moves is not None else []
        return [*cards, *([RESULT] if self.judged is not None else []), RECORD]

    def way(self, wanted: str | None) -> str:
        """One of these ways."""
        return wanted if wanted in self.ways else self.ways[0]

    def form(self, way: str, data: QueryDict | None = None) -> WhyForm:
        """The form of one way, filled in with what stands."""
        if way == CARDS and self.moves is not None:
            return MovesForm(data, table=self.table, said=self.moves, names=self.names)
        if way == RESULT and self.judged is not None:
            said = said_result(self.table, self.judged)
            return ResultForm(data, table=self.table, said=said, names=self.names)
        return RecordForm(data, initial={"text": self.text})


class Correct(HandPage):
    """A hand put right, minutes or weeks later."""

    needs = Right.HANDS_CORRECT
    template = "desk/correct.html"

    @cached_property
    def standing(self) -> HandOnRecord:
        """The hand as it stands."""
        game, hand = game_of(self.visit), hand_of(self.visit)
        text = decode(bytes(queries.versions(hand)[-1].text))
        return HandOnRecord(game, hand, text, self.names)

    def get(self, request: HttpRequest, hand_id: UUID) -> HttpResponse:
        """What stands, to be changed."""
        way = self.standing.way(request.GET.get("by"))
        return self._form_shown(self.standing.form(way), way)

    def post(self, request: HttpRequest, hand_id: UUID) -> HttpResponse:
        """Put one card right, show what it would do, or do it."""
        way = self.standing.way(request.POST.get("by", RECORD))
        form, revision = self.standing.form(way, request.POST), self.version_seen()
        if way == CARDS and not request.POST.get("do"):
            return self._picked(form)
        if request.POST.get("do") == "preview":
            return self._previewed(form, way, revision)

        def work() -> str:
            corrections.correct_hand(
                hand_id=hand_id,
                correction=_correction(form, revision),
                by=self.visit.by,
                at=self.visit.at,
            )
            self.say(_("Corrected; the game is settled anew from there on."))
            return reverse("desk-hand", args=[hand_id])

        return self.saved(form, work) or self._form_shown(form, way, REFUSED)

    def _picked(self, form: WhyForm) -> HttpResponse:
        """The card to be put right, or another card in its place."""
        if not _is_fit_to_look(form):
            return self._form_shown(form, CARDS, REFUSED)
        asked, card = self.request.POST.get("picked", ""), self.request.POST.get("put")
        told, at = form.told(), self.request.POST.get("pick", "")
        if card is not None:
            try:
                told = CardTable(self.standing.table, told, at=asked).put(card)
            except RefusedError as error:
                form.refuse(error)
                return self._form_shown(form, CARDS, REFUSED)
        data = self.request.POST.copy()
        data["moves"] = json.dumps(told)
        again = self.standing.form(CARDS, data)
        again.fields["why"].required = False
        return self._form_shown(again, CARDS, at=at[:20], told=told)

    def _previewed(self, form: WhyForm, way: str, revision: int) -> HttpResponse:
        if not _is_fit_to_look(form):
            return self._form_shown(form, way, REFUSED)
        asked = replace(_correction(form, revision), why=form.cleaned_data["why"] or _LOOKING)
        try:
            found = corrections.preview(hand_id=self.standing.hand.pk, correction=asked)
        except RefusedError as error:
            form.refuse(error)
            return self._form_shown(form, way, REFUSED)
        rows = in_rows(found, self.standing.game)
        return self._form_shown(form, way, previewed=True, consequences=rows, told=form.told())

    def _form_shown(
        self, form: WhyForm, way: str, status: int = 200, at: str = "", **more: Any
    ) -> HttpResponse:
        standing, told = self.standing, more.pop("told", None)
        context: dict[str, Any] = {
            "way": way,
            "ways": standing.ways,
            "names": [(seat, self.names.get(seat, "")) for seat in standing.table.seats],
        }
        if status == 200 and form.is_bound:
            context |= self._judgement(form)
        if isinstance(form, MovesForm):
            faults = frozenset(faults_of(context.get("diagnostics", ())))
            moves = told or standing.moves or {}
            context["cards"] = CardTable(standing.table, moves, faults, at)
        version = standing.hand.revision
        return self.hand_shown(status, form=form, version=version, **context, **more)

    def _judgement(self, form: WhyForm) -> dict[str, Any]:
        """How the hand would be judged as it is told now; or why nobody can say."""
        if not _is_fit_to_look(form):
            return {}
        try:
            played = corrections.judged_as(
                hand_id=self.standing.hand.pk, correction=_correction(form, None)
            )
        except RefusedError as error:
            return {"cannot_judge": translate(message_of(error))}
        return {} if played is None else _in_words(played)


def _is_fit_to_look(form: WhyForm) -> bool:
    """Whether the form can be read; to look at it needs no reason, to do it does."""
    form.fields["why"].required = False
    is_valid = form.is_valid()
    form.fields["why"].required = True
    return is_valid


def _in_words(played: JudgedHand) -> dict[str, Any]:
    record = whole_record(played, in_full=True)
    return {
        "sentence": translate(record["sentence"]),
        "diagnostics": record["diagnostics"],
        "remarks": remarks(record["diagnostics"], record, 1),
    }


def _correction(form: WhyForm, revision: int | None) -> Correction:
    typed = form.cleaned_data
    told = form.told()
    sent = json.dumps(told, sort_keys=True, separators=(",", ":")).encode() if told else None
    return Correction(
        text=typed.get("text", "").encode("utf-8", "replace"),
        why=typed["why"],
        revision=revision,
        policy=Policy(typed["policy"]),
        form=form.form_sent,
        sent=sent,
    )
