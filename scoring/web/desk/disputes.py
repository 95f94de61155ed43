"""Two records of a hand at the desk: beside each other in words and cards, one button each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Any, Final, Literal

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.record.rulings import Decision, Ruling
from scoring.hands import corrections, rulings
from scoring.hands.corrections import Correction, RivalChoice, choose_record
from scoring.hands.disputes import Dispute, DisputedRecord, read_dispute
from scoring.models import Form, Hand, Phase, State
from scoring.presentation.answers import is_objection, seats_of
from scoring.presentation.cards import SYMBOLS
from scoring.presentation.disputes import StatementAnswer, dispute_answer
from scoring.presentation.record_comparison import (
    ITEMS,
    ComparedItem,
    ComparedRecord,
    RecordComparison,
    show_value,
)
from scoring.presentation.seat_names import names_at_table
from scoring.settlement.changes import RulingRequest
from scoring.settlement.consequences import Policy
from scoring.web.desk.base import HandMixin
from scoring.web.desk.games import find_event, format_game_name
from scoring.web.desk.live_overview import format_age
from scoring.web.desk.ruling_options import ConsequenceRow, consequence_rows
from scoring.web.desk.seat_form import POLICIES
from scoring.web.engine_wording import with_cards
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.web.desk.base import ActionMixin, DeskPage
from tournaments.web.desk.forms import clean_line
from tournaments.web.number_format import format_number

Side = Literal["first", "second"]

CARDS_MAX: Final = 8
"""So many cards that differ are shown; after a trick told otherwise nearly all do."""


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One thing that the records say: what it is, and what stands in each."""

    label: str
    first: str
    second: str
    differs: bool


@dataclass(frozen=True, slots=True)
class RecordSide:
    """One of two records, as a choice of the director.

    ``do`` is what its button does; ``words`` are what the table will read; ``held`` what each has
    with it, by name, and whether that differs from the other record; ``reasons`` say why it cannot
    hold as it stands, ``questions`` what there is to rule on then.
    """

    do: str
    teller: str
    at: datetime
    words: str
    held: Sequence[tuple[str, str, bool]]
    pot: str
    sum: str
    is_whole: bool
    reasons: Sequence[str]
    questions: Sequence[str]
    fits: bool


class DisputePage(HandMixin, DeskPage):
    """A hand that is told in two ways; the address names the hand, or its second record."""

    needs = Right.HANDS_RULE
    template_name = "desk/dispute.html"

    @cached_property
    def dispute(self) -> Dispute:
        """The records of the hand and what was said of them."""
        return read_dispute(self.game, self.hand)

    @cached_property
    def other(self) -> DisputedRecord | None:
        """The record that is compared with the first: the one that is named, or the earliest."""
        named = [other for other in self.dispute.others if other.hand.pk == self.hand.pk]
        return next(iter([*named, *self.dispute.others]), None)

    @cached_property
    def names(self) -> dict[str, str]:
        """The names that those at the table use, by seat."""
        return names_at_table(self.game, self.dispute.hand.number)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.other is None:
            return redirect("desk-hand", self.dispute.hand.pk)
        return super().get(request, *args, **kwargs)

    def get_success_url(self) -> str:
        return reverse("desk-hand", args=[self.dispute.hand.pk])

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        dispute, other = self.dispute, self.other
        assert other is not None, "get looks for it"
        answer = translate(dispute_answer(dispute, in_full=True))
        place = [other.hand.pk for other in dispute.others].index(other.hand.pk)
        comparisons: Sequence[RecordComparison] = answer["comparisons"]
        comparison = comparisons[place] if comparisons else None
        called_at = dispute.hand.director_called_at
        context: dict[str, Any] = {
            "row": self.game,
            "table_name": format_game_name(self.game),
            "event": find_event(self.game),
            "hand": dispute.hand,
            "other": other.hand,
            "others": [(other.hand.pk, self._teller(other)) for other in dispute.others],
            "version": dispute.hand.revision,
            "tellers": self._tellers(),
            "since": format_age(called_at or other.version.at, self.at),
            "is_called": called_at is not None,
            "is_closed": self.game.phase == Phase.CLOSED,
            "said": list(self._said(answer["statements"])),
            "policies": POLICIES,
        }
        if comparison is not None:
            context |= self._compared(comparison, other)
        return super().get_context_data(**{**context, **kwargs})

    def _compared(self, comparison: RecordComparison, other: DisputedRecord) -> dict[str, Any]:
        rows = list(self._rows(comparison["items"]))
        question = comparison["question"]
        return {
            "rows": rows,
            "hidden_cards": max(_count_cards(comparison["items"]) - CARDS_MAX, 0),
            "differing": ngettext("in one thing", "in %(n)d things", _count(comparison))
            % {"n": _count(comparison)},
            "only": self._only(comparison["items"]),
            "question": None if question is None else question["text"],
            "sides": [
                self._side("keep", self.dispute.first, comparison, "first"),
                self._side("take", other, comparison, "second"),
            ],
            "later": self._later(other),
        }

    def _teller(self, record: DisputedRecord) -> str:
        seat = record.version.seat
        return _("the desk") if seat is None else self._name(seats_of(self.game)[seat])

    def _name(self, seat: str) -> str:
        return self.names.get(seat, seat)

    def _rows(self, items: Sequence[ComparedItem]) -> Iterator[ItemRow]:
        cards = 0
        for item in items:
            differs = item["status"] == "differs"
            if not differs and not ITEMS[item["item"]].is_always_shown:
                continue
            cards += item["item"] == "card"
            if item["item"] == "card" and cards > CARDS_MAX:
                continue
            yield ItemRow(
                label=self._label(item),
                first=self._show(item, "first"),
                second=self._show(item, "second"),
                differs=item["status"] != "same",
            )

    def _label(self, item: ComparedItem) -> str:
        name = "" if item["seat"] is None else self._name(item["seat"])
        return str(ITEMS[item["item"]].label) % {"name": name, "n": item["trick"]}

    def _show(self, item: ComparedItem, side: str) -> str:
        value = item["first"] if side == "first" else item["second"]
        if value is None:
            return _("not said")
        if ITEMS[item["item"]].is_cards and value:
            return with_cards(str(value))
        shown = show_value(item["item"], value, self.names)
        return f"{SYMBOLS[str(value)]} {shown}" if item["item"] == "pain" else shown

    def _only(self, items: Sequence[ComparedItem]) -> list[str]:
        """Return the only record that tells the cards."""
        tellers = dict(zip(("first", "second"), self._tellers(), strict=True))
        return [
            _("Every card is in the record of %(name)s alone.") % {"name": tellers[side]}
            for side in ("first", "second")
            if any(one["item"] == "card" and one["status"] == f"{side} only" for one in items)
        ]

    def _tellers(self) -> tuple[str, str]:
        assert self.other is not None
        return self._teller(self.dispute.first), self._teller(self.other)

    def _side(
        self, do: str, record: DisputedRecord, comparison: RecordComparison, which: Side
    ) -> RecordSide:
        mine: ComparedRecord = comparison[which]
        theirs: ComparedRecord = comparison["second" if which == "first" else "first"]
        held = []
        for seat, has in (mine["held"] or {}).items():
            differs = theirs["held"] is not None and theirs["held"][seat] != has
            held.append((self._name(seat), format_number(has), differs))
        taken, whole = mine["taken"], mine["whole"]
        return RecordSide(
            do=do,
            teller=self._teller(record),
            at=record.version.at,
            words=self._words(record, comparison, which),
            held=held,
            pot="" if mine["pot"] is None else format_number(mine["pot"]),
            sum="" if taken is None else _("%(n)d of %(most)d") % {"n": taken, "most": whole},
            is_whole=taken == whole,
            reasons=[with_cards(reason) for reason in mine["impossible"]],
            questions=[with_cards(question) for question in mine["questions"]],
            fits=comparison["fits"] == which,
        )

    def _words(self, record: DisputedRecord, comparison: RecordComparison, which: Side) -> str:
        """Return the words that the table will read, unless the director changes them."""
        if record.version.seat is None:
            said = [_("The record of the desk stands.")]
        else:
            said = [_("The record of %(name)s stands.") % {"name": self._teller(record)}]
        differing = [one for one in comparison["items"] if one["status"] == "differs"]
        for item in [one for one in differing if not ITEMS[one["item"]].is_cards][:3]:
            right, wrong = item["first"], item["second"]
            if which == "second":
                right, wrong = wrong, right
            is_count = item["item"] == "taken"
            words = (
                _("%(name)s took %(right)s, not %(wrong)s.")
                if is_count
                else _("%(what)s: %(right)s, not %(wrong)s.")
            )
            said.append(
                words
                % {
                    "name": "" if item["seat"] is None else self._name(item["seat"]),
                    "what": self._label(item),
                    "right": show_value(item["item"], right, self.names),
                    "wrong": show_value(item["item"], wrong, self.names),
                }
            )
        if comparison["fits"] == which and comparison[which]["whole"] is not None:
            whole = {"n": comparison[which]["whole"]}
            said.append(_("The cards of the suit are %(n)d in all.") % whole)
        return " ".join(said)

    def _said(self, statements: Sequence[StatementAnswer]) -> Iterator[dict[str, Any]]:
        """Yield statements in words, with time; a seat's words on both records are one line."""
        told_by = {
            one.hand.pk: self._teller(one) for one in (self.dispute.first, *self.dispute.others)
        }
        for (seat, at), together in groupby(statements, key=lambda one: (one["seat"], one["at"])):
            lines = list(together)
            right = [line for line in lines if line["said"] == "agrees"]
            line = (right or lines)[0]
            name = {"name": told_by.get(line["hand"], "")}
            if line["said"] == "sent":
                is_first = line["hand"] == self.dispute.hand.pk
                what = _("entered the hand") if is_first else _("entered it differently")
            elif right:
                what = _("holds the record of %(name)s for right") % name
            elif len(lines) > 1:
                what = _("holds neither record for right")
            else:
                what = _("objects to the record of %(name)s") % name
            who = _("the desk") if seat is None else self._name(seat)
            yield {"who": who, "what": what, "why": line["why"], "at": at}

    def _later(self, other: DisputedRecord) -> list[ConsequenceRow]:
        """Return the outcome of the later hands if the second record holds."""
        version = other.version
        correction = Correction(
            why="?",
            text=bytes(version.text),
            form=Form(version.form),
            sent=None if version.sent is None else bytes(version.sent),
        )
        try:
            found = corrections.preview_correction(
                hand_id=self.dispute.hand.pk, correction=correction
            )
        except RefusedError:
            return []
        return list(consequence_rows(found[1:], self.game, self.names))


def _count(comparison: RecordComparison) -> int:
    return sum(one["status"] == "differs" for one in comparison["items"])


def _count_cards(items: Sequence[ComparedItem]) -> int:
    return sum(one["item"] == "card" and one["status"] == "differs" for one in items)


class Choose(ActionMixin, DisputePage):
    """Of two records of one hand, keep the first or take the second."""

    needs = Right.HANDS_CORRECT

    @transaction.atomic
    def act(self) -> str:
        posted = self.request.POST
        lets_stand = posted.get("policy") == Policy.LET_STAND
        choice = RivalChoice(
            keep=posted.get("do") == "keep",
            why=clean_line(posted.get("why"), 1000),
            revision=self.version_seen(),
            policy=Policy.LET_STAND if lets_stand else Policy.RESETTLE,
        )
        chosen = choose_record(rival_id=self.hand.pk, choice=choice, by=self.by, at=self.at)
        hand: Hand = chosen.recorded.hand
        if choice.keep and hand.state == State.DISPUTED and is_objection(hand):
            stands = RulingRequest(ruling=Ruling(decision=Decision.RESULT_STANDS), facts=choice.why)
            rulings.decide(hand_id=hand.pk, decree=stands, by=self.by, at=self.at)
        return _("The choice is on record.")
