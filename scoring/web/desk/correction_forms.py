"""A hand told again at the desk: its result alone, or every card."""

import json
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from engine.core.cards import SUIT_OF_LETTER, Suit, count
from engine.rules.switches import AllPass, MoonAllTricks, PainBy, Toggle
from scoring.hands.submission import TEXT_BYTES_MAX
from scoring.models import Form
from scoring.submissions.writing.fields_from_record import Fields
from scoring.submissions.writing.table import REBUYS
from scoring.web.desk.hand_form import HandForm, line_field, number_field, signed_field


class ResultForm(HandForm):
    """Only the result: who named what for how much, and what everybody took."""

    form_sent = Form.RESULT

    def ask_all(self) -> None:
        """In the order in which a phone asks."""
        rules, said = self.rules, self.said
        endings = ["played", "redeal", "abandoned", "not played"]
        if rules.pain is PainBy.AUCTION and rules.all_pass is AllPass.REDEAL:
            endings.insert(1, "passed out")
        if rules.foot is Toggle.ON:
            endings.insert(1, "foot")
        self.ask_ending(endings, "played")
        if self.table.has_auction or "bidder" in said:
            bidder = self.seat_choice(_("Highest bidder"), _("nobody"), said.get("bidder"))
            bid = number_field(said.get("bid"))
            bid.label, bid.required = _("Bid"), False
            self.ask("auction", {"bidder": bidder, "bid": bid}, _("The auction"))
        self.ask_pain()
        self.ask_centre()
        self._ask_captures()
        self.ask_moon()
        self.ask_papers()
        self.ask_rebuys()
        seat, tricks = [*str(said.get("claim", "")).split(), None, None][:2]
        claim = self.seat_choice(_("Claimed the rest"), _("nobody"), seat)
        after = number_field(tricks)
        after.label, after.required = _("after so many tricks"), False
        self.ask("claimed", {"claim": claim, "after": after})
        self.ask_dealer()

    def _ask_captures(self) -> None:
        said, rules = self.said, self.rules
        if "points" in said:
            self.ask_each("points", _("Points"), signed_field)
            return
        others = self.turn[:-1]
        if any(isinstance(mine, str) for mine in said.get("taken", {}).values()):
            hint = _("By name: HAK75 SQ. The last seat took what is left.")
            fields = self.field_for_each(
                "taken", lambda seat: line_field(said["taken"].get(seat)), others
            )
            self.ask("taken_cards", fields, _("Cards taken that count"), hint)
            if "tricks" in said:
                self.ask_each("tricks", _("Tricks"), number_field)
            return
        title = _("Pain cards taken") if rules.pain is PainBy.AUCTION else _("Hearts taken")
        self.ask_each("taken", title, number_field, seats=others)
        if rules.queen is Toggle.ON:
            nobody = ("", _("not said"))
            self.ask_choice(
                "queen", _("Queen of spades, taken by"), [nobody, *self.sitters.items()]
            )
        if rules.moon_all_tricks is MoonAllTricks.GAME:
            label = _("Whoever took everything took every trick")
            every = forms.BooleanField(label=label, required=False, initial="tricks" in said)
            self.ask("every", {"every": every})

    @property
    def whole(self) -> dict[str, int]:
        """The number of cards of each suit to be taken."""
        players = self.table.players
        return {suit.letter: count(self.rules.suit_cards(suit, players)) for suit in Suit}

    @property
    def due(self) -> int:
        """The number of cards of the suit that is to be avoided."""
        letter = self["pain"].value() if "pain" in self.fields else "H"
        return self.whole.get(str(letter), self.whole["H"])

    @property
    def left(self) -> int:
        """The rest for the seat without a field."""
        names = [name for name in self.fields if name.startswith("taken_")]
        values = [str(self[name].value() or "0").strip() for name in names]
        return self.due - sum(int(one) for one in values if one.isascii() and one.isdigit())

    def clean(self) -> dict[str, Any]:
        """No more cards than there are."""
        typed: dict[str, Any] = super().clean() or {}
        taken = sum(one for one in self.value_for_each("taken").values() if isinstance(one, int))
        letter = typed.get("pain") if "pain" in self.fields else "H"
        if typed.get("ending") == "played" and letter in SUIT_OF_LETTER:
            whole = self.whole[str(letter)]
            if taken > whole:
                words = _("%(taken)d cards are counted; there are %(whole)d.")
                self.add_error(f"taken_{self.turn[0]}", words % {"taken": taken, "whole": whole})
        return typed

    def submission(self) -> Fields:
        """Return the submission that a phone would send."""
        typed, common = self.cleaned_data, self.common()
        ending = typed.get("ending") or "played"
        if ending != "played":
            kept = {name: common[name] for name in ("dealer", "papers") if name in common}
            return kept | {"ending": ending}
        sent = common | {"ending": "played"}
        sent |= {name: typed[name] for name in ("bidder", "bid", "queen") if typed.get(name)}
        by_seat = {key: self.value_for_each(key) for key in ("points", "taken", "tricks")}
        sent |= {key: found for key, found in by_seat.items() if found}
        sent |= self.rebuys()
        if typed.get("every"):
            taken, most = sent.get("taken", {}), self.rules.tricks(self.table.players)
            shooter = next((seat for seat in self.seats if taken.get(seat)), self.turn[-1])
            sent["tricks"] = {seat: most if seat == shooter else 0 for seat in self.seats}
        if typed.get("claim"):
            sent |= {"claim": f"{typed['claim']} {typed.get('after') or 0}", "ending": "claim"}
        return sent


_ASKED = ("pain", "moon", "dealer", "papers", "bids", "took", "bought", "centre", "claim")


class MovesForm(HandForm):
    """Every card: what was called before, and the cards in a field that buttons change."""

    form_sent = Form.ACTIONS
    seldom_asked = ("claimed", "dealer", "ending")
    moves = forms.CharField(widget=forms.HiddenInput, max_length=TEXT_BYTES_MAX)

    def ask_all(self) -> None:
        """In the order in which it happened; the cards are beside."""
        self.fields["moves"].initial = json.dumps(self.said)
        self.calls = dict(zip(self.turn, str(self.said.get("calls", "")).split(), strict=False))
        if self.table.has_auction or "calls" in self.said:
            bids = {seat: call for seat, call in self.calls.items() if call.isdigit()}
            self.said = {**self.said, "bid": bids}
            self.ask_each("bid", _("Bids in turn"), number_field, _("Empty: a pass."))
        self.ask_pain()
        self.ask_centre()
        self.ask_moon()
        self.ask_papers()
        self.ask_rebuys()
        seat = str(self.said.get("claim", ""))[:2].strip()
        claim = self.seat_choice(_("Claimed the rest"), _("nobody"), seat)
        self.ask("claimed", {"claim": claim})
        self.ask_dealer()
        foot = ["foot"] if self.rules.foot is Toggle.ON else []
        self.ask_ending([*foot, "redeal", "abandoned", "not played", "unfinished"], "")

    def clean_moves(self) -> Fields:
        """The moves as data."""
        try:
            moves = json.loads(self.cleaned_data["moves"])
        except (ValueError, RecursionError):
            moves = None
        if not isinstance(moves, dict):
            raise forms.ValidationError(_("These cards cannot be read; open the page again."))
        return moves

    def submission(self) -> Fields:
        """The moves with everything that has a field of its own."""
        typed, own = self.cleaned_data, (*_ASKED, "calls", "ending", *REBUYS)
        kept = {key: value for key, value in typed["moves"].items() if key not in own}
        sent = kept | self.common() | self.rebuys()
        sent |= {name: typed[name] for name in ("claim", "ending") if typed.get(name)}
        bids = self.value_for_each("bid")
        if "bid" in self.asked and (self.calls or bids):
            turn = [self.seats[seat] for seat in self.seats_in_turn(typed)]
            # A dash stays where no call was written.
            none = {seat: "-" if self.calls.get(seat) == "-" else "P" for seat in turn}
            sent["calls"] = " ".join(str(bids.get(seat, none[seat])) for seat in turn)
        return sent
