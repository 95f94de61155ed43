"""The result of a hand, told again at the desk."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from engine.cards import SUIT_OF_LETTER, Suit, count
from engine.rules.switches import AllPass, MoonAllTricks, PainBy, Toggle
from scoring.models import Form
from scoring.submissions.writing.fields_from_record import Fields
from scoring.web.desk.hand_form import ToldForm, line_field, number_field, signed_field


class ResultForm(ToldForm):
    """Only the result: who named what for how much, and what everybody took."""

    form_sent = Form.RESULT

    def make(self) -> None:
        """In the order in which a phone asks."""
        rules = self.table.rules
        endings = ["played", "redeal", "abandoned", "not played"]
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
        self.make_rebuys()
        self._make_claim()
        self.make_dealer()

    def _make_contract(self) -> None:
        if not (self.table.has_auction or "bidder" in self.said):
            return
        bidder = self.seat_choice(_("Highest bidder"), _("nobody"), self.said.get("bidder"))
        bid = number_field(self.said.get("bid"))
        bid.label, bid.required = _("Bid"), False
        self.group("auction", _("The auction"), {"bidder": bidder, "bid": bid})

    def _make_captures(self) -> None:
        said, rules = self.said, self.table.rules
        if "points" in said:
            self.group("points", _("Points"), self.each("points", signed_field))
            return
        if any(isinstance(mine, str) for mine in said.get("taken", {}).values()):
            hint = _("By name: HAK75 SQ. The last seat took what is left.")
            fields = self.each("taken", line_field, self.turn[:-1])
            self.group("taken_cards", _("Cards taken that count"), fields, hint)
            if "tricks" in said:
                self.group("tricks", _("Tricks"), self.each("tricks", number_field))
            return
        title = _("Pain cards taken") if rules.pain is PainBy.AUCTION else _("Hearts taken")
        self.group("taken", title, self.each("taken", number_field, self.turn[:-1]))
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
        after = number_field(claimed[1] if claimed else None)
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
        told |= self.rebuys()
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
