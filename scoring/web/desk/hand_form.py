"""Forms that correct a hand: as a text, or field by field like the phone's questions."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.seats import Seat, clockwise, left_of
from engine.rules.rules import INSURANCE_MAX
from engine.rules.switches import Insolvency, Moon, PainBy, Toggle
from scoring.hands.corrections import Correction
from scoring.hands.submission import TEXT_BYTES_MAX
from scoring.models import Form, HandVersion
from scoring.presentation.cards import SYMBOLS, suit_name
from scoring.settlement.consequences import Policy
from scoring.submissions.writing.fields_from_record import Fields
from scoring.submissions.writing.table import NUMBER_MAX, REBUYS, GameContext
from scoring.web.desk.seat_form import HandChangeForm
from tournaments.models.limits import max_length

_ENDINGS: Final[dict[str, str | Promise]] = {
    "played": gettext_lazy("It was played"),
    "foot": gettext_lazy("A foot cancelled it"),
    "passed out": gettext_lazy("Everybody passed"),
    "redeal": gettext_lazy("It was thrown in, and dealt again"),
    "abandoned": gettext_lazy("It was dealt, and not played to its end"),
    "not played": gettext_lazy("It was not played"),
    "unfinished": gettext_lazy("It is not finished"),
}
_MOON: Final[dict[str, str | Promise]] = {
    "others": gettext_lazy("The others get the points"),
    "self": gettext_lazy("The shooter loses the points"),
}


class CorrectionForm(HandChangeForm):
    """A form that corrects a hand, and says why."""

    why = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=max_length(HandVersion, "why"),
        help_text=gettext_lazy("It stays on record, and stands on the public page of the hand."),
    )

    form_sent = Form.RECORD

    def last(self) -> Iterator[forms.BoundField]:
        """The fields that every correction form ends with."""
        yield from (self[name] for name in ("why", "policy"))

    def submission(self) -> Fields:
        """The fields that a phone would submit; empty for a record typed as text."""
        return {}

    def is_readable(self) -> bool:
        """Whether all fields but the reason are valid; a preview needs no reason."""
        self.fields["why"].required = False
        is_valid = self.is_valid()
        self.fields["why"].required = True
        return is_valid

    def correction(self, revision: int | None) -> Correction:
        """Return the typed correction of the hand as it stood at a revision."""
        typed, sent = self.cleaned_data, self.submission()
        return Correction(
            text=typed.get("text", "").encode("utf-8", "replace"),
            why=typed["why"],
            revision=revision,
            policy=Policy(typed["policy"]),
            form=self.form_sent,
            sent=json.dumps(sent, sort_keys=True, separators=(",", ":")).encode() if sent else None,
        )


class RecordForm(CorrectionForm):
    """The record as text."""

    text = forms.CharField(
        label=gettext_lazy("The record as it should be"),
        max_length=TEXT_BYTES_MAX,
        strip=False,
        widget=forms.Textarea(attrs={"class": "record", "spellcheck": "false", "wrap": "off"}),
    )

    def clean_text(self) -> str:
        """With the line ends of the record; a form sends others."""
        return str(self.cleaned_data["text"]).replace("\r\n", "\n")


@dataclass(frozen=True, slots=True)
class Question:
    """Fields that answer one question, perhaps one for each seat.

    ``rest`` is the seat whose number follows from those of the others.
    """

    key: str
    title: str
    fields: list[forms.BoundField]
    help: str
    rest: str


class HandForm(CorrectionForm):
    """A form whose fields follow from the house rules and the current record."""

    is_quiet = True
    seldom_asked: ClassVar[tuple[str, ...]] = ("claimed", "dealer")

    def __init__(
        self,
        *args: Any,
        table: GameContext,
        said: Fields,
        names: Mapping[str, str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, seats=table.seats, names=names, **kwargs)
        self.table, self.said, self.rules = table, said, table.rules
        self.turn = [table.seats[seat] for seat in self.seats_in_turn(said)]
        self.asked: dict[str, tuple[str, list[str], str]] = {}
        self.ask_all()

    def ask_all(self) -> None:
        """Ask the questions, in order: each way of telling a hand has its own."""
        raise NotImplementedError  # a form's class cannot have abstract methods

    def seats_in_turn(self, fields: Fields) -> list[Seat]:
        """The seats in turn, the dealer last."""
        table = self.table
        dealer = table.before.dealer if table.before is not None else Seat(0)
        if fields.get("dealer") in table.seats:
            dealer = Seat(table.seats.index(fields["dealer"]))
        return clockwise(left_of(dealer, table.players), table.players)

    def questions(self) -> list[Question]:
        """The questions with their fields, without those that are seldom needed."""
        return [question for question in self._questions() if question.key not in self.seldom_asked]

    def seldom(self) -> list[Question]:
        """The questions that are seldom needed."""
        return [question for question in self._questions() if question.key in self.seldom_asked]

    def has_seldom(self) -> bool:
        """Whether one of the seldom needed fields has a value."""
        fields = [field for one in self.seldom() for field in one.fields]
        return any(field.value() or field.errors for field in fields)

    def _questions(self) -> Iterator[Question]:
        for key, (title, names, hint) in self.asked.items():
            rest = self.sitters[self.turn[-1]] if key == "taken" else ""
            yield Question(key, title, [self[name] for name in names], hint, rest)

    def ask(
        self, key: str, fields: Mapping[str, forms.Field], title: str = "", hint: str = ""
    ) -> None:
        """Add fields that answer one question."""
        self.fields.update(fields)
        self.asked[key] = (title, list(fields), hint)

    def ask_each(
        self, key: str, title: str, make: Any, hint: str = "", seats: Sequence[str] | None = None
    ) -> None:
        """Ask something of every seat, in turn; ``make`` gets what is said of it."""
        said = self.said.get(key, {})
        seats = self.turn if seats is None else seats
        self.ask(
            key, self.field_for_each(key, lambda seat: make(said.get(seat)), seats), title, hint
        )

    def ask_choice(self, key: str, label: str, choices: Sequence[Any], **options: Any) -> None:
        """Ask for one of some choices."""
        options.setdefault("initial", self.said.get(key))
        self.ask(
            key, {key: forms.ChoiceField(label=label, choices=choices, required=False, **options)}
        )

    # What both ways of telling a hand ask.

    def ask_pain(self) -> None:
        """Ask for the pain suit, if somebody names it under these rules."""
        if self.rules.pain is PainBy.AUCTION:
            suits = [(key, f"{SYMBOLS[key]} {suit_name(key)}") for key in SYMBOLS]
            self.ask_choice("pain", _("Suit to avoid"), suits, widget=forms.RadioSelect)

    def ask_papers(self) -> None:
        """Ask for the insurance papers, or who called a foot."""
        insured, feet = self.rules.insurance is Toggle.ON, self.rules.foot is Toggle.ON
        if not insured and not feet:
            return
        plain = {"-": _("nothing")}
        if insured:
            plain |= {str(number): str(number) for number in range(INSURANCE_MAX + 1)}
        if feet:
            plain["F"] = _("foot")

        def make(said: Any) -> forms.ChoiceField:
            known = {said: said.replace("F", _("foot") + " ")} if said else {}
            choices = plain | {key: words for key, words in known.items() if key not in plain}
            return forms.ChoiceField(choices=[*choices.items()], initial=said or "-")

        self.ask_each("papers", _("Insurance papers") if insured else _("Papers"), make)

    def ask_centre(self) -> None:
        """Ask for the bids, or payments, for the cards in the centre."""
        if self.rules.centre_auction is not Toggle.ON:
            return
        centre = forms.CharField(
            label=_("Cards in the centre"),
            required=False,
            max_length=40,
            initial=self.said.get("centre"),
            help_text=_("Such as SQ H4 D2 C9."),
        )
        self.ask("centre", {"centre": centre})
        if "bids" not in self.said:
            self.ask_each("bought", _("Paid for a card of the centre, in points"), line_field)
            return
        hint = _("Card wanted, number, card shown: S3/3/HA. Without a bid: -/HA.")
        self.ask_each("bids", _("Papers of the centre auction"), line_field, hint)
        self.ask_each("took", _("Who took which card that was left over"), line_field)

    def ask_rebuys(self) -> None:
        """Ask for the stacks that a seat bought again, where it can (DEC-9)."""
        if self.rules.insolvency is Insolvency.REBUY:
            hint = _("Only for a seat that can buy again; 0 if it did not.")
            title = _("Stacks bought again because the seat could not pay")
            self.ask_each("rebuys", title, number_field, hint)
            title = _("Stacks bought again because the seat had no chips left")
            self.ask_each("rebuys_after", title, number_field, hint)

    def ask_moon(self) -> None:
        """Ask for the choice of whoever took everything, where it is theirs."""
        if self.rules.moon is Moon.SHOOTER_CHOICE:
            nothing = ("", _("no, or there is nothing to choose"))
            self.ask_choice("moon", _("Somebody took everything"), [nothing, *_MOON.items()])

    def ask_dealer(self) -> None:
        """Ask for the dealer, where it was not whose turn it was."""
        turn, before = _("whose turn it was"), self.table.before
        if before is not None:
            seat = self.sitters[self.table.seats[before.dealer]]
            turn = _("whose turn it was (%(seat)s)") % {"seat": seat}
        self.ask_choice("dealer", _("Dealer"), [("", turn), *self.sitters.items()])

    def ask_ending(self, endings: Sequence[str], usual: str) -> None:
        """Ask for the end of the hand."""
        choices = [(key, _ENDINGS[key]) for key in endings]
        if not usual:
            choices.insert(0, ("", _("what its cards show")))
        said = self.said.get("ending", usual)
        said = said if said in endings else usual
        self.ask_choice("ending", _("What became of the hand"), choices, initial=said)

    def common(self) -> Fields:
        """Return the values that both ways of telling a hand send."""
        typed = self.cleaned_data
        sent: Fields = {key: typed[key] for key in ("pain", "moon", "dealer") if typed.get(key)}
        if "papers" in self.asked:
            papers = self.value_for_each("papers")
            is_due = "papers" in self.said or self.rules.insurance is Toggle.ON
            if is_due or any(value != "-" for value in papers.values()):
                sent["papers"] = papers
        for key in ("bids", "took", "bought"):
            if key in self.asked:
                sent[key] = self.value_for_each(key)
        if typed.get("centre"):
            sent["centre"] = typed["centre"].replace(" ", "")
        return sent

    def rebuys(self) -> Fields:
        """Return the typed chips bought again."""
        return {key: found for key in REBUYS if (found := self.value_for_each(key))}


def line_field(said: Any) -> forms.CharField:
    """A short text."""
    return forms.CharField(
        initial=said, max_length=60, widget=forms.TextInput(attrs={"class": "short"})
    )


def number_field(said: Any) -> forms.IntegerField:
    """A number from 0."""
    return forms.IntegerField(initial=said, min_value=0, max_value=NUMBER_MAX)


def signed_field(said: Any) -> forms.IntegerField:
    """A number, which may be below zero."""
    return forms.IntegerField(initial=said, min_value=-NUMBER_MAX, max_value=NUMBER_MAX)
