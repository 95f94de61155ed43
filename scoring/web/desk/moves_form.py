"""Every card of a hand, told again at the desk."""

import json

from django import forms
from django.utils.translation import gettext as _

from engine.rules.switches import Toggle
from scoring.hands.submission import TEXT_BYTES_MAX
from scoring.models import Form
from scoring.submissions.writing.fields_from_record import Fields
from scoring.submissions.writing.table import REBUYS
from scoring.web.desk.hand_form import HandForm, number_field

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
