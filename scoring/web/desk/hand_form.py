"""What a hand should have said, field by field, as a phone at the table asks for it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.messages import message_of
from engine.rules.rules import INSURANCE_MOST
from engine.rules.switches import Insolvency, Moon, PainBy, Toggle
from engine.seats import Seat, clockwise, left_of
from scoring.hands.corrections import Correction
from scoring.hands.submission import TEXT_BYTES_MAX
from scoring.models import Form
from scoring.settlement.consequences import Policy
from scoring.submissions.writing.fields_from_record import Fields
from scoring.submissions.writing.table import NUMBER_MOST, REBUYS, GameContext
from scoring.web.cards import SYMBOLS, seat_name, sitter_name, suit_name
from scoring.web.desk.ruling_form import POLICIES
from tournaments.core.errors import RefusedError, StaleError
from tournaments.core.language import translate
from tournaments.web.desk.forms import DeskForm

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


class WhyForm(DeskForm):
    """Why a hand is corrected, and what becomes of the hands after it."""

    why = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=1000,
        help_text=gettext_lazy("It stays on record."),
    )
    policy = forms.ChoiceField(
        label=gettext_lazy("And the hands after it?"),
        choices=POLICIES,
        initial=Policy.RESETTLE,
        widget=forms.RadioSelect,
    )

    form_sent = Form.RECORD

    def last(self) -> Iterator[forms.BoundField]:
        """What every correction is asked."""
        yield from (self[name] for name in ("why", "policy"))

    def told(self) -> Fields:
        """What is sent in place of a record; nothing where a record is."""
        return {}

    def is_readable(self) -> bool:
        """Whether the rest is valid: to look at a correction needs no reason, to make it does."""
        self.fields["why"].required = False
        is_valid = self.is_valid()
        self.fields["why"].required = True
        return is_valid

    def correction(self, revision: int | None) -> Correction:
        """What was typed, as a correction of the hand as it stood at a revision."""
        typed, told = self.cleaned_data, self.told()
        sent = json.dumps(told, sort_keys=True, separators=(",", ":")).encode() if told else None
        return Correction(
            text=typed.get("text", "").encode("utf-8", "replace"),
            why=typed["why"],
            revision=revision,
            policy=Policy(typed["policy"]),
            form=self.form_sent,
            sent=sent,
        )


class RecordForm(WhyForm):
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

    def first(self) -> Iterator[forms.BoundField]:
        """The record."""
        yield self["text"]


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that answer one question, perhaps one for each seat.

    ``rest`` is the seat whose number follows from those of the others.
    """

    key: str
    title: str
    fields: list[forms.BoundField]
    rest: str = ""
    help: str = ""


class ToldForm(WhyForm):
    """The fields of a hand, as they follow from the rules and from what its record says."""

    is_quiet = True
    seldom_asked: ClassVar[tuple[str, ...]] = ("claimed", "dealer")

    def __init__(
        self, *args: Any, table: GameContext, said: Fields, names: Mapping[str, str], **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.table, self.said, self.names = table, said, names
        self.groups_made: list[tuple[str, str, list[str], str]] = []
        self.turn = turn_of(table, said)
        self.make()
        order = [name for group in self.groups_made for name in group[2]]
        self.order_fields([*order, "why", "policy"])

    def make(self) -> None:
        """Put the fields together: each way of telling a hand has its own."""
        raise NotImplementedError  # a form's class cannot have abstract methods

    def groups(self) -> Iterator[Group]:
        """The fields by what they answer, without those that are seldom needed."""
        yield from (group for group in self._groups() if group.key not in self.seldom_asked)

    def seldom(self) -> Iterator[Group]:
        """The fields that are seldom needed."""
        yield from (group for group in self._groups() if group.key in self.seldom_asked)

    @property
    def has_seldom(self) -> bool:
        """Whether something stands in one of those."""
        fields = [field for group in self.seldom() for field in group.fields]
        return any(field.value() or field.errors for field in fields)

    def _groups(self) -> Iterator[Group]:
        for key, title, names, hint in self.groups_made:
            last = self.table.seats[self.turn[-1]]
            rest = sitter_name(last, self.names) if key == "taken" else ""
            yield Group(key, title, [self[name] for name in names], rest, hint)

    def group(
        self, key: str, title: str, fields: Mapping[str, forms.Field], hint: str = ""
    ) -> None:
        """Add fields that answer one question."""
        self.fields.update(fields)
        self.groups_made.append((key, title, list(fields), hint))

    def each(self, key: str, make: Any, seats: Sequence[Seat] | None = None) -> dict[str, Any]:
        """A field for every seat, in turn."""
        said = self.said.get(key, {})
        made = {}
        for seat in self.turn if seats is None else seats:
            name = self.table.seats[seat]
            field = make(said.get(name))
            field.label, field.required = sitter_name(name, self.names), False
            made[f"{key}_{name}"] = field
        return made

    def by_seat(self, key: str) -> Fields:
        """What was typed for each seat; nothing for a seat that is left empty."""
        typed = {name: self.cleaned_data.get(f"{key}_{name}") for name in self.table.seats}
        return {name: value for name, value in typed.items() if value not in (None, "")}

    def seat_choice(self, label: str, nobody: str, said: Any) -> forms.ChoiceField:
        """One of the seats, or none."""
        named = [(name, sitter_name(name, self.names)) for name in self.table.seats]
        return forms.ChoiceField(
            label=label, choices=[("", nobody), *named], required=False, initial=said
        )

    def refuse(self, error: RefusedError) -> None:
        """Say at the first field of what is to blame why it cannot be."""
        each = [name for name in self.fields if name.startswith(f"{error.field}_")]
        if error.field in self.fields or not each or isinstance(error, StaleError):
            super().refuse(error)
            return
        self.add_error(each[0], translate(message_of(error)))

    # What both ways of telling a hand ask.

    def make_pain(self) -> None:
        """Which suit is to be avoided, where somebody names it."""
        if self.table.rules.pain is not PainBy.AUCTION:
            return
        suits = [(key, f"{SYMBOLS[key]} {suit_name(key)}") for key in SYMBOLS]
        pain = forms.ChoiceField(
            label=_("Suit to avoid"),
            choices=suits,
            required=False,
            initial=self.said.get("pain"),
            widget=forms.RadioSelect,
        )
        self.group("pain", "", {"pain": pain})

    def make_papers(self) -> None:
        """What the insurance papers say, or who called a foot."""
        rules = self.table.rules
        insured, feet = rules.insurance is Toggle.ON, rules.foot is Toggle.ON
        if not insured and not feet:
            return
        plain = [("-", _("nothing"))]
        if insured:
            plain += [(str(number), str(number)) for number in range(INSURANCE_MOST + 1)]
        if feet:
            plain.append(("F", _("foot")))

        def make(said: Any) -> forms.ChoiceField:
            known = said in dict(plain)
            more = [] if said is None or known else [(said, said.replace("F", _("foot") + " "))]
            return forms.ChoiceField(choices=[*plain, *more], initial=said or "-")

        title = _("Insurance papers") if insured else _("Papers")
        self.group("papers", title, self.each("papers", make))

    def make_centre(self) -> None:
        """What was bid, or paid, for the cards in the centre."""
        if self.table.rules.centre_auction is not Toggle.ON:
            return
        centre = forms.CharField(
            label=_("Cards in the centre"),
            required=False,
            max_length=40,
            initial=self.said.get("centre"),
            help_text=_("Such as SQ H4 D2 C9."),
        )
        self.group("centre", "", {"centre": centre})
        if "bids" in self.said:
            fields = self.each("bids", line_field)
            self.group("bids", _("Papers of the centre auction"), fields, str(_BIDS_HELP))
            self.group(
                "took", _("Who took which card that was left over"), self.each("took", line_field)
            )
            return
        fields = self.each("bought", line_field)
        self.group("bought", _("Paid for a card of the centre, in points"), fields)

    def make_rebuys(self) -> None:
        """How many stacks a seat bought again, where it can (DEC-9)."""
        if self.table.rules.insolvency is not Insolvency.REBUY:
            return
        hint = _("Only for a seat that can buy again; 0 if it did not.")
        title = _("Stacks bought again because the seat could not pay")
        self.group("rebuys", title, self.each("rebuys", number_field), hint)
        title = _("Stacks bought again because the seat had no chips left")
        self.group("rebuys_after", title, self.each("rebuys_after", number_field), hint)

    def rebuys(self) -> Fields:
        """What was typed of chips bought again."""
        return {name: found for name in REBUYS if (found := self.by_seat(name))}

    def make_moon(self) -> None:
        """What who took everything chose, where that is his to choose."""
        if self.table.rules.moon is not Moon.SHOOTER_CHOICE:
            return
        moon = forms.ChoiceField(
            label=_("Somebody took everything"),
            choices=[("", _("no, or there is nothing to choose")), *_MOON.items()],
            required=False,
            initial=self.said.get("moon"),
        )
        self.group("moon", "", {"moon": moon})

    def make_dealer(self) -> None:
        """Who dealt, where it was not whose turn it was."""
        turn = _("whose turn it was")
        before = self.table.before
        if before is not None:
            turn = _("whose turn it was (%(seat)s)") % {
                "seat": seat_name(self.table.seats[before.dealer])
            }
        dealer = self.seat_choice(_("Dealer"), turn, self.said.get("dealer"))
        self.group("dealer", "", {"dealer": dealer})

    def ending(self, endings: Sequence[str], usual: str) -> None:
        """How the hand came to its end."""
        choices = [(key, _ENDINGS[key]) for key in endings]
        said = self.said.get("ending", usual)
        field = forms.ChoiceField(
            label=_("What became of the hand"),
            choices=choices if usual else [("", _("what its cards show")), *choices],
            required=False,
            initial=said if said in endings else usual,
        )
        self.group("ending", "", {"ending": field})

    def common(self) -> Fields:
        """What both ways of telling a hand send."""
        typed = self.cleaned_data
        told: Fields = {name: typed[name] for name in ("pain", "moon", "dealer") if typed.get(name)}
        if "papers" in dict(self.made()):
            papers = self.by_seat("papers")
            is_due = "papers" in self.said or self.table.rules.insurance is Toggle.ON
            if is_due or any(value != "-" for value in papers.values()):
                told["papers"] = papers
        for key in ("bids", "took", "bought"):
            if key in dict(self.made()):
                told[key] = self.by_seat(key)
        if typed.get("centre"):
            told["centre"] = typed["centre"].replace(" ", "")
        return told

    def made(self) -> Iterator[tuple[str, str]]:
        """The questions there are, and their titles."""
        for key, title, _names, _hint in self.groups_made:
            yield key, title


_BIDS_HELP: Final = gettext_lazy("Card wanted, number, card shown: S3/3/HA. Without a bid: -/HA.")


def turn_of(table: GameContext, said: Fields) -> list[Seat]:
    """The seats in turn, the dealer last."""
    dealer = table.before.dealer if table.before is not None else Seat(0)
    if said.get("dealer") in table.seats:
        dealer = Seat(table.seats.index(said["dealer"]))
    return clockwise(left_of(dealer, table.players), table.players)


def line_field(said: Any) -> forms.CharField:
    """A short text."""
    return forms.CharField(
        initial=said, max_length=60, widget=forms.TextInput(attrs={"class": "short"})
    )


def number_field(said: Any, *, least: int = 0) -> forms.IntegerField:
    """A number."""
    return forms.IntegerField(initial=said, min_value=least, max_value=NUMBER_MOST)


def signed_field(said: Any) -> forms.IntegerField:
    """A number, which may be below zero."""
    return number_field(said, least=-NUMBER_MOST)
