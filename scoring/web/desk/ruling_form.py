"""The forms of a ruling: what happened at the table, and what the director decides."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.cards import SUIT_OF_LETTER, Suit
from engine.core.faults import Code
from engine.core.messages import message_of
from engine.core.seats import Seat
from engine.record.irregularities import IRREGULARITIES, Event, Named, find_by_name
from engine.record.rulings import Decision, NextHand, Ruling
from engine.rules.rules import Rules, plays_for_chips
from engine.rules.switches import SettledBy, Toggle
from scoring.hands.rulings import Incident, find_irregularity
from scoring.models import Decided, Finding
from scoring.presentation.cards import suit_name
from scoring.settlement.changes import RulingRequest
from scoring.settlement.consequences import Policy
from scoring.web.desk.seat_form import HandChangeForm, SeatForm
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate, translated_lazily
from tournaments.models.limits import max_length

AMOUNT_MAX: Final = 10**9
_EACH: Final = {
    "taken": gettext_lazy("Pain cards taken"),
    "chips": gettext_lazy("Chips added"),
    "score": gettext_lazy("Points added"),
}
"""What a ruling says of each seat."""
_SEATS: Final = {
    "queen": gettext_lazy("Who took the queen"),
    "called_by": gettext_lazy("Called by"),
    "dealer": gettext_lazy("Next dealer"),
    "namer": gettext_lazy("Who names the suit next"),
}


class IncidentForm(SeatForm):
    """The incident, by whom, and whether it was found in time; it stands in the address."""

    is_quiet = True
    what = forms.ChoiceField(
        label=gettext_lazy("Irregularity"),
        choices=[
            ("", gettext_lazy("what the record shows")),
            *((event.name, translated_lazily(row.title)) for event, row in IRREGULARITIES.items()),
        ],
        required=False,
    )
    when = forms.ChoiceField(
        label=gettext_lazy("When it was found, it was"),
        choices=[
            (Finding.ESTABLISHED, gettext_lazy("established")),
            (Finding.BEFORE_ESTABLISHED, gettext_lazy("not established yet")),
        ],
        required=False,
    )
    field_order = ("what", "by", "when")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["by"] = self.seats_choice(_("Who did it"))
        self.order_fields(self.field_order)

    @property
    def incident(self) -> Incident | None:
        """Return the typed incident; None where nothing was typed, or nothing that can be."""
        if not self.is_bound or not self.is_valid():
            return None
        what: Named | None = find_by_name(self.cleaned_data["what"])
        if what is None:
            return None
        offenders = tuple(Seat(self.seats.index(name)) for name in self.cleaned_data["by"])
        return Incident(what, offenders, self.cleaned_data["when"] == Finding.BEFORE_ESTABLISHED)

    @property
    def query(self) -> str:
        """Return the typed incident for an address that says more; nothing without one."""
        if self.incident is None:
            return ""
        given = {name: value for name, value in self.cleaned_data.items() if value}
        return urlencode(given, doseq=True) + "&"


class DecreeForm(HandChangeForm):
    """A decision on one hand, with what is written down beside it; only what this game has.

    ``NUMBERED`` are the decisions that are nothing without numbers: the fields of these unfold.
    """

    NUMBERED: ClassVar = (
        Decision.ASSIGNED_CAPTURES,
        Decision.SCORE_ADJUST,
        Decision.CHIP_ADJUST,
        Decision.ARTIFICIAL_SCORE,
    )

    decision = forms.ChoiceField(label=gettext_lazy("Decision"))
    facts = forms.CharField(
        label=gettext_lazy("What happened"),
        max_length=max_length(Decided, "facts"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    law = forms.CharField(
        label=gettext_lazy("By which rule"), max_length=max_length(Decided, "law"), required=False
    )
    code = forms.CharField(
        label=gettext_lazy("Irregularity"),
        max_length=30,
        required=False,
        widget=forms.Select,
    )
    found = forms.ChoiceField(
        label=gettext_lazy("When it was found, it was"),
        choices=[
            ("", gettext_lazy("not said")),
            (Finding.BEFORE_ESTABLISHED, gettext_lazy("not established yet")),
            (Finding.ESTABLISHED, gettext_lazy("established")),
        ],
        required=False,
    )
    pot = forms.IntegerField(
        label=gettext_lazy("Into the pot"),
        min_value=-AMOUNT_MAX,
        max_value=AMOUNT_MAX,
        required=False,
    )
    jackpot = forms.IntegerField(
        label=gettext_lazy("Jackpot hand number"),
        min_value=0,
        max_value=1000,
        required=False,
        help_text=gettext_lazy("0: an ordinary hand."),
    )
    deals = forms.IntegerField(
        label=gettext_lazy("Deals so far"), min_value=0, max_value=100_000, required=False
    )
    play_on = forms.BooleanField(
        label=gettext_lazy("The game goes on, whatever end it had reached"), required=False
    )

    def __init__(
        self, *args: Any, rules: Rules, standing: Sequence[Decided], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["offenders"] = self.seats_choice(_("Offenders"))
        for name, label in _SEATS.items():
            self.fields[name] = self.seat_choice(str(label), _("not said"))
        suits = [("", _("not said")), *((s.letter, suit_name(s.letter)) for s in Suit)]
        self.fields["pain"] = forms.ChoiceField(
            label=_("Pain suit of the jackpot"), choices=suits, required=False
        )
        self.fields["code"].widget.choices = irregularities()

        def make_number(_seat: str) -> forms.Field:
            return forms.IntegerField(min_value=-AMOUNT_MAX, max_value=AMOUNT_MAX)

        for kind in _EACH:
            self.fields |= self.field_for_each(kind, make_number)
        self.has_standing = bool(standing)
        earlier = [(str(row.pk), _("ruling %(n)d") % {"n": row.number}) for row in standing]
        self.fields["supersedes"] = forms.ChoiceField(
            label=_("Takes the place of"),
            choices=[("", _("none: it is added to them")), *earlier],
            required=False,
        )
        unknown = _unknown(rules)
        decision = self.fields["decision"]
        assert isinstance(decision, forms.ChoiceField)
        decision.choices = [(one, translate(one.details)) for one in Decision if one not in unknown]
        for name in [*self.fields]:
            if name in unknown or name.partition("_")[0] in unknown.intersection(_EACH):
                del self.fields[name]

    def clean_code(self) -> Named | None:
        """The irregularity by its name or id."""
        written = str(self.cleaned_data["code"]).strip()
        if not written:
            return None
        try:
            return find_irregularity(written)
        except RefusedError as error:
            raise ValidationError(translate(message_of(error))) from error

    # The parts of the form, as the page shows them.

    def first(self) -> list[forms.BoundField]:
        """Return the fields that every ruling has."""
        supersedes = ["supersedes"] if self.has_standing else []
        return self._bound("decision", *supersedes, "offenders", "facts")

    def beside(self) -> list[forms.BoundField]:
        """Return the fields for what is written down beside it."""
        return self._bound("law", "code", "found", "called_by")

    def by_seat(self) -> list[tuple[object, list[forms.BoundField]]]:
        """Numbers for each seat: a row for what is taken, for chips and for points."""
        rows = [
            (title, self._bound(*(f"{kind}_{seat}" for seat in self.seats)))
            for kind, title in _EACH.items()
        ]
        return [row for row in rows if row[1]]

    def numbers(self) -> list[forms.BoundField]:
        """Return the fields around the numbers of the seats."""
        return self._bound("pot", "queen")

    def then(self) -> list[forms.BoundField]:
        """Return the fields of the next hand's inheritance, where it is not what follows."""
        return self._bound("dealer", "jackpot", "namer", "pain", "deals", "play_on")

    def has_more(self) -> bool:
        """Whether something stands in a field that is folded away."""
        fields = [field for _title, row in self.by_seat() for field in row]
        fields += [*self.numbers(), *self.then()]
        return any(field.value() not in (None, "", False) or field.errors for field in fields)

    def _bound(self, *names: str) -> list[forms.BoundField]:
        return [self[name] for name in names if name in self.fields]

    def decree(self) -> RulingRequest:
        """Return the typed decision."""
        # Fields that this game does not have are empty.
        unknown = dict.fromkeys(("pot", "queen", "jackpot", "namer", "pain"))
        typed: dict[str, Any] = {**unknown, **self.cleaned_data}
        called = self._seat(typed["called_by"])
        then = NextHand(
            dealer=self._seat(typed["dealer"]),
            jackpot=typed["jackpot"],
            namer=self._seat(typed["namer"]),
            pain=SUIT_OF_LETTER.get(typed["pain"]),
            deals=typed["deals"],
            play_on=typed["play_on"],
        )
        ruling = Ruling(
            decision=Decision.of(typed["decision"]),
            code=typed["code"],
            offenders=tuple(Seat(self.seats.index(name)) for name in typed["offenders"]),
            taken=self._each("taken"),
            queen=self._seat(typed["queen"]),
            score=self._each("score"),
            chips=self._each("chips"),
            pot=typed["pot"] or 0,
            then=then,
            text=typed["facts"][:300],
        )
        return RulingRequest(
            ruling=ruling,
            facts=typed["facts"],
            law=typed["law"],
            called_by=called,
            found=typed["found"],
            supersedes=UUID(typed["supersedes"]) if typed["supersedes"] else None,
            policy=Policy(typed["policy"]),
        )

    def _seat(self, name: str | None) -> Seat | None:
        return Seat(self.seats.index(name)) if name else None

    def _each(self, kind: str) -> tuple[int, ...]:
        """A number for each seat; nothing where none was typed."""
        typed = self.value_for_each(kind)
        return tuple(typed.get(seat, 0) for seat in self.seats) if typed else ()


def _unknown(rules: Rules) -> frozenset[str]:
    """The decisions and fields that are about what nobody plays for under these house rules."""
    lacks = {
        (Decision.CHIP_ADJUST, "chips"): not plays_for_chips(rules),
        (Decision.SCORE_ADJUST, "score"): rules.settlement is SettledBy.POT,
        ("pot", "jackpot", "namer", "pain"): rules.settlement is not SettledBy.POT,
        ("queen",): rules.queen is not Toggle.ON,
    }
    return frozenset(name for names, is_so in lacks.items() if is_so for name in names)


Choices = list[tuple[str, str]]


def irregularities() -> list[tuple[str, str] | tuple[str, Choices]]:
    """Return irregularities for a ruling: events of section 8, and others a record can show."""
    events = [(event.name, translate(row.title)) for event, row in IRREGULARITIES.items()]
    others = [
        (code.name, f"{code.value} {translate(code.words)}")
        for code in Code
        if code.name not in Event.__members__
    ]
    return [
        ("", _("everything that is open")),
        (_("What can go wrong at a table"), events),
        (_("What else a record can show"), others),
    ]


def initial_of(ruling: Ruling, seats: Sequence[str]) -> dict[str, Any]:
    """A proposal as the form shows it."""
    then = ruling.then
    seated = {"queen": ruling.queen, "dealer": then.dealer, "namer": then.namer}
    return {
        "decision": ruling.decision,
        "code": "" if ruling.code is None else ruling.code.name,
        "offenders": [seats[seat] for seat in ruling.offenders],
        "pot": ruling.pot or None,
        "facts": ruling.text,
        "jackpot": then.jackpot,
        "pain": "" if then.pain is None else then.pain.letter,
        "deals": then.deals,
        "play_on": then.play_on,
        **{name: seats[seat] for name, seat in seated.items() if seat is not None},
        **{
            f"{kind}_{seat}": value
            for kind in _EACH
            for seat, value in zip(seats, getattr(ruling, kind), strict=False)
        },
    }
