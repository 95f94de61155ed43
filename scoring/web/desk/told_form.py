"""What a hand should have said, field by field, as a phone at the table asks for it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.cards import SUIT_OF_LETTER, Suit, count
from engine.rules import INSURANCE_MOST
from engine.seats import Seat, clockwise, left_of
from engine.switches import AllPass, Moon, MoonAllTricks, PainBy, Toggle
from scoring.consequences import Policy
from scoring.models import Form
from scoring.recording import TEXT_BYTES_MAX
from scoring.web.cards import SYMBOLS, seat_name, sitter_name, suit_name
from scoring.web.desk.decree_form import POLICIES
from scoring.web.desk.forms import DeskForm
from scoring.writing.said import Fields
from scoring.writing.table import NUMBER_MOST, Table
from tournaments.interpreter import interpreted
from tournaments.refusals import RefusedError, StaleError

_ENDINGS: Final[dict[str, str | Promise]] = {
    "played": gettext_lazy("It was played"),
    "foot": gettext_lazy("A foot cancelled it"),
    "passed out": gettext_lazy("Everybody passed"),
    "redeal": gettext_lazy("It was thrown in, and dealt again"),
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
        self, *args: Any, table: Table, said: Fields, names: Mapping[str, str], **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.table, self.said, self.names = table, said, names
        self.groups_made: list[tuple[str, str, list[str], str]] = []
        self.turn = _turn(table, said)
        self.make()
        order = [name for group in self.groups_made for name in group[2]]
        self.order_fields([*order, "why", "policy"])

    def make(self) -> None:
        """Put the fields together."""
        raise NotImplementedError

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
        self.add_error(each[0], interpreted(str(error)))

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
            fields = self.each("bids", _line)
            self.group("bids", _("Papers of the centre auction"), fields, str(_BIDS_HELP))
            self.group(
                "took", _("Who took which card that was left over"), self.each("took", _line)
            )
            return
        fields = self.each("bought", _line)
        self.group("bought", _("Paid for a card of the centre, in points"), fields)

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
        if "papers" in dict(self._made()):
            papers = self.by_seat("papers")
            is_due = "papers" in self.said or self.table.rules.insurance is Toggle.ON
            if is_due or any(value != "-" for value in papers.values()):
                told["papers"] = papers
        for key in ("bids", "took", "bought"):
            if key in dict(self._made()):
                told[key] = self.by_seat(key)
        if typed.get("centre"):
            told["centre"] = typed["centre"].replace(" ", "")
        return told

    def _made(self) -> Iterator[tuple[str, str]]:
        for key, title, _names, _hint in self.groups_made:
            yield key, title


_BIDS_HELP: Final = gettext_lazy("Card wanted, number, card shown: S3/3/HA. Without a bid: -/HA.")


def _turn(table: Table, said: Fields) -> list[Seat]:
    """The seats in turn, the dealer last."""
    dealer = table.before.dealer if table.before is not None else Seat(0)
    if said.get("dealer") in table.seats:
        dealer = Seat(table.seats.index(said["dealer"]))
    return clockwise(left_of(dealer, table.players), table.players)


def _line(said: Any) -> forms.CharField:
    return forms.CharField(
        initial=said, max_length=60, widget=forms.TextInput(attrs={"class": "short"})
    )


def _number(said: Any, *, least: int = 0) -> forms.IntegerField:
    return forms.IntegerField(initial=said, min_value=least, max_value=NUMBER_MOST)


def _signed(said: Any) -> forms.IntegerField:
    return _number(said, least=-NUMBER_MOST)


class ResultForm(ToldForm):
    """Only the result: who named what for how much, and what everybody took."""

    form_sent = Form.RESULT

    def make(self) -> None:
        """In the order in which a phone asks."""
        rules = self.table.rules
        endings = ["played", "redeal", "not played"]
        if rules.pain is PainBy.AUCTION and rules.all_pass is AllPass.REDEAL:
            endings.insert(1, "passed out")
        if rules.foot is Toggle.ON:
            endings.insert(1, "foot")
        self.ending(endings, "played")
        self._make_contract()
        self.make_pain()
        self.make_centre()
        self._make_captures()
        self.make_moon()
        self.make_papers()
        self._make_claim()
        self.make_dealer()

    def _make_contract(self) -> None:
        if not (self.table.has_auction or "bidder" in self.said):
            return
        bidder = self.seat_choice(_("Highest bidder"), _("nobody"), self.said.get("bidder"))
        bid = _number(self.said.get("bid"))
        bid.label, bid.required = _("Bid"), False
        self.group("auction", _("The auction"), {"bidder": bidder, "bid": bid})

    def _make_captures(self) -> None:
        said, rules = self.said, self.table.rules
        if "points" in said:
            self.group("points", _("Points"), self.each("points", _signed))
            return
        if any(isinstance(mine, str) for mine in said.get("taken", {}).values()):
            hint = _("By name: HAK75 SQ. The last seat took what is left.")
            fields = self.each("taken", _line, self.turn[:-1])
            self.group("taken_cards", _("Cards taken that count"), fields, hint)
            if "tricks" in said:
                self.group("tricks", _("Tricks"), self.each("tricks", _number))
            return
        title = _("Pain cards taken") if rules.pain is PainBy.AUCTION else _("Hearts taken")
        self.group("taken", title, self.each("taken", _number, self.turn[:-1]))
        if rules.queen is Toggle.ON:
            queen = self.seat_choice(
                _("Queen of spades, taken by"), _("not said"), said.get("queen")
            )
            self.group("queen", "", {"queen": queen})
        if rules.moon_all_tricks is MoonAllTricks.GAME:
            every = forms.BooleanField(
                label=_("Whoever took everything took every trick"),
                required=False,
                initial="tricks" in said,
            )
            self.group("every", "", {"every": every})

    def _make_claim(self) -> None:
        claimed = str(self.said.get("claim", "")).split()
        claim = self.seat_choice(
            _("Claimed the rest"), _("nobody"), claimed[0] if claimed else None
        )
        after = _number(claimed[1] if claimed else None)
        after.label, after.required = _("after so many tricks"), False
        self.group("claimed", "", {"claim": claim, "after": after})

    @property
    def whole(self) -> dict[str, int]:
        """How many cards of each suit there are to be taken."""
        return {
            suit.letter: count(self.table.rules.suit_cards(suit, self.table.players))
            for suit in Suit
        }

    @property
    def due(self) -> int:
        """How many there are of the suit that is to be avoided."""
        letter = self["pain"].value() if "pain" in self.fields else "H"
        return self.whole.get(str(letter), self.whole["H"])

    @property
    def left(self) -> int:
        """What follows for the seat without a field."""
        names = [name for name in self.fields if name.startswith("taken_")]
        values = [str(self[name].value() or "0").strip() for name in names]
        return self.due - sum(int(one) for one in values if one.isascii() and one.isdigit())

    def clean(self) -> dict[str, Any]:
        """No more cards than there are."""
        typed: dict[str, Any] = super().clean() or {}
        numbers = [typed.get(name) for name in self.fields if name.startswith("taken_")]
        taken = sum(one for one in numbers if isinstance(one, int))
        letter = typed.get("pain") if "pain" in self.fields else "H"
        if typed.get("ending") == "played" and letter in SUIT_OF_LETTER:
            whole = self.whole[str(letter)]
            if taken > whole:
                name = next(name for name in self.fields if name.startswith("taken_"))
                words = _("%(taken)d cards are counted; there are %(whole)d.")
                self.add_error(name, words % {"taken": taken, "whole": whole})
        return typed

    def told(self) -> Fields:
        """What a phone would send."""
        typed = self.cleaned_data
        ending = typed.get("ending") or "played"
        common = self.common()
        if ending != "played":
            kept = {name: common[name] for name in ("dealer", "papers") if name in common}
            return kept | {"ending": ending}
        told = common | {"ending": "played"}
        told |= {name: typed[name] for name in ("bidder", "bid", "queen") if typed.get(name)}
        by_seat = {key: self.by_seat(key) for key in ("points", "taken", "tricks")}
        told |= {key: found for key, found in by_seat.items() if found}
        if typed.get("every"):
            told["tricks"] = self._every_trick(told.get("taken", {}))
        if typed.get("claim"):
            told |= {"claim": f"{typed['claim']} {typed.get('after') or 0}", "ending": "claim"}
        return told

    def _every_trick(self, taken: Fields) -> Fields:
        seats = self.table.seats
        shooter = next((seat for seat in seats if taken.get(seat)), seats[self.turn[-1]])
        most = self.table.rules.tricks(self.table.players)
        return {seat: most if seat == shooter else 0 for seat in seats}


class MovesForm(ToldForm):
    """Every card: what was called before, and the cards in a field that buttons change."""

    form_sent = Form.ACTIONS
    seldom_asked = ("claimed", "dealer", "ending")
    moves = forms.CharField(widget=forms.HiddenInput, max_length=TEXT_BYTES_MAX)

    def make(self) -> None:
        """In the order in which it happened; the cards are beside."""
        self.fields["moves"].initial = json.dumps(self.said)
        rules = self.table.rules
        if self.table.has_auction or "calls" in self.said:
            self._make_calls()
        self.make_pain()
        self.make_centre()
        self.make_moon()
        self.make_papers()
        claim = self.seat_choice(
            _("Claimed the rest"), _("nobody"), str(self.said.get("claim", ""))[:2].strip()
        )
        self.group("claimed", "", {"claim": claim})
        self.make_dealer()
        endings = ["redeal", "not played", "unfinished"]
        if rules.foot is Toggle.ON:
            endings.insert(0, "foot")
        self.ending(endings, "")

    def _make_calls(self) -> None:
        """A number for each seat in turn; empty for a pass, and for a call that is not written."""
        calls = str(self.said.get("calls", "")).split()
        said = {
            self.table.seats[seat]: call
            for seat, call in zip(self.turn, calls, strict=False)
            if call.isdigit()
        }
        self.said = {**self.said, "bid": said}
        title = _("Bids in turn")
        self.group("bid", title, self.each("bid", _number), _("Empty: a pass."))

    def clean_moves(self) -> Fields:
        """The moves as data."""
        try:
            moves = json.loads(self.cleaned_data["moves"])
        except (ValueError, RecursionError):
            moves = None
        if not isinstance(moves, dict):
            raise forms.ValidationError(_("These cards cannot be read; open the page again."))
        return moves

    def told(self) -> Fields:
        """The moves with everything that has a field of its own."""
        typed = self.cleaned_data
        fields = ("pain", "moon", "dealer", "papers", "bids", "took", "bought", "centre", "claim")
        kept = {k: v for k, v in typed["moves"].items() if k not in (*fields, "calls", "ending")}
        told = kept | self.common()
        for name in ("claim", "ending"):
            if typed.get(name):
                told[name] = typed[name]
        if "bid" in dict(self._made()):
            calls = self._calls()
            if calls:
                told["calls"] = calls
        return told

    def _calls(self) -> str:
        """The calls in turn; a dash stays where none was written."""
        said = str(self.said.get("calls", "")).split()
        was = dict(zip(self.turn, said, strict=False))
        typed = self.by_seat("bid")
        if not said and not typed:
            return ""
        words = []
        for seat in _turn(self.table, self.cleaned_data):
            none = "-" if was.get(seat) == "-" else "P"
            words.append(str(typed.get(self.table.seats[seat], none)))
        return " ".join(words)
