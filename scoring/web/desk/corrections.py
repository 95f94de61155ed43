"""Corrections at the desk: what a hand should have said, and what that would do, before it is done.

A hand is told again as a phone tells it, by its result or card by card; or its record is edited.
"""

import json
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext_lazy

from engine.core.messages import message_of
from engine.notation.reader import Reader
from engine.record.record import Detail
from engine.replay.replay import Replay, replay
from scoring.hands import corrections
from scoring.hands.submission import table_of
from scoring.presentation.answers import whole_record
from scoring.presentation.seat_names import name_people
from scoring.selectors import queries
from scoring.submissions.writing.fields_from_record import Fields, said_moves, said_result
from scoring.submissions.writing.table import GameContext
from scoring.web.desk.correction_forms import MovesForm, ResultForm
from scoring.web.desk.hand_form import CorrectionForm, RecordForm
from scoring.web.desk.hands import HandPage
from scoring.web.desk.ruling_options import consequence_rows
from scoring.web.desk.trick_table import CardTable, faults_of
from scoring.web.findings import remarks
from scoring.web.record_listing import decode
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.web.desk.base import DeskFormView

_LOOKING: Final = "looked at"
"""The reason of a correction that is only looked at; it is never written."""
RESULT, CARDS, RECORD = "result", "cards", "record"


class Correct(HandPage, DeskFormView[CorrectionForm]):
    """A hand put right, minutes or weeks later."""

    needs = Right.HANDS_CORRECT
    template_name = "desk/correct.html"
    success_message = gettext_lazy("Corrected. The game has been settled again from this hand on.")
    revision: int

    @cached_property
    def table(self) -> GameContext:
        """The game's state before the hand."""
        return table_of(self.game, self.hand.number)

    @cached_property
    def text(self) -> str:
        """The record as it stands."""
        return decode(bytes(queries.versions(self.hand)[-1].text))

    @cached_property
    def judged(self) -> Replay | None:
        """The judgement of the record before rulings; None for what is no record of a hand."""
        entry = next(Reader(self.text.encode("utf-8", "replace")).records(), None)
        record, table = None if entry is None else entry.record, self.table
        if record is None or record.detail is Detail.GAME or len(record.seats) != table.players:
            return None
        return replay(record, table.rules, table.before)

    @cached_property
    def moves(self) -> Fields | None:
        """The moves of the record, if it tells them card by card."""
        if self.judged is None or not self.judged.record.play:
            return None
        return said_moves(self.table, self.judged)

    @cached_property
    def ways(self) -> list[str]:
        """In which ways the hand can be told again, the one that says most first."""
        cards = [CARDS] if self.moves is not None else []
        return [*cards, *([RESULT] if self.judged is not None else []), RECORD]

    @cached_property
    def way(self) -> str:
        """In which of these ways it is told again."""
        is_sent = self.request.method == "POST"
        wanted = self.request.POST.get("by", RECORD) if is_sent else self.request.GET.get("by")
        return wanted if wanted in self.ways else self.ways[0]

    def get_form(self, form_class: Any = None) -> CorrectionForm:
        return self.make_form(self.request.POST or None)

    def make_form(self, data: QueryDict | None) -> CorrectionForm:
        """The form of the way, filled in with what stands."""
        if self.way == CARDS and self.moves is not None:
            return MovesForm(data, table=self.table, said=self.moves, names=self.names)
        if self.way == RESULT and self.judged is not None:
            said = said_result(self.table, self.judged)
            return ResultForm(data, table=self.table, said=said, names=self.names)
        initial = {"text": self.text}
        return RecordForm(data, seats=self.table.seats, names=self.names, initial=initial)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Put one card right, show what it would do, or do it."""
        form, self.revision = self.get_form(), self.version_seen()
        is_picked = self.way == CARDS and not request.POST.get("do")
        if not is_picked and request.POST.get("do") != "preview":
            return super().post(request, *args, **kwargs)
        if not form.is_readable():
            return self.form_invalid(form)
        try:
            return self._pick(form) if is_picked else self._preview(form)
        except RefusedError as error:
            form.refuse(error)
            return self.form_invalid(form)

    def save(self, form: CorrectionForm) -> None:
        corrections.correct_hand(
            hand_id=self.hand.pk, correction=form.correction(self.revision), by=self.by, at=self.at
        )

    def _pick(self, form: CorrectionForm) -> HttpResponse:
        """The card to be put right, or another card in its place. Raises RefusedError."""
        posted = self.request.POST
        told, card = form.submission(), posted.get("put")
        if card is not None:
            told = CardTable(self.table, told, self.names, at=posted.get("picked", "")).put(card)
        data = posted.copy()
        data["moves"] = json.dumps(told)
        again = self.make_form(data)
        return self.render(form=again, told=told, at=posted.get("pick", "")[:20])

    def _preview(self, form: CorrectionForm) -> HttpResponse:
        """Return the effects of the correction. Raises RefusedError."""
        asked = form.correction(self.revision)
        asked = replace(asked, why=asked.why or _LOOKING)
        found = corrections.preview_correction(hand_id=self.hand.pk, correction=asked)
        rows = list(consequence_rows(found, self.game, self.names))
        return self.render(form=form, told=form.submission(), previewed=True, consequences=rows)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        form = kwargs.setdefault("form", self.get_form())
        context: dict[str, Any] = {
            "way": self.way,
            "ways": self.ways,
            "names": [(seat, self.names.get(seat, "")) for seat in self.table.seats],
            "version": self.hand.revision,
        }
        if form.is_bound and form.is_readable():
            context |= self._judgement(form)
        if isinstance(form, MovesForm):
            faults = frozenset(faults_of(context.get("diagnostics", ())))
            moves = kwargs.get("told") or self.moves or {}
            context["cards"] = CardTable(
                self.table, moves, self.names, faults=faults, at=kwargs.get("at", "")
            )
        return super().get_context_data(**{**context, **kwargs})

    def _judgement(self, form: CorrectionForm) -> dict[str, Any]:
        """Return the judgement of the hand as it is told now; or why nobody can say."""
        try:
            played = corrections.judge_correction(
                hand_id=self.hand.pk, correction=form.correction(None)
            )
        except RefusedError as error:
            return {"cannot_judge": translate(message_of(error))}
        if played is None:
            return {}
        record = whole_record(played, in_full=True)
        return {
            "sentence": translate(name_people(record["sentence"], self.names)),
            "diagnostics": record["diagnostics"],
            "remarks": remarks(name_people(record["diagnostics"], self.names), record, 1),
        }
