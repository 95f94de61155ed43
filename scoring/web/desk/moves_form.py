"""Every card of a hand, told again at the desk."""

import json

from django import forms
from django.utils.translation import gettext as _

from engine.rules.switches import Toggle
from scoring.hands.submission import TEXT_BYTES_MAX
from scoring.models import Form
from scoring.submissions.writing.fields_from_record import Fields
from scoring.submissions.writing.table import REBUYS
from scoring.web.desk.hand_form import ToldForm, number_field, turn_of


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
        self.make_rebuys()
        claim = self.seat_choice(
            _("Claimed the rest"), _("nobody"), str(self.said.get("claim", ""))[:2].strip()
        )
        self.group("claimed", "", {"claim": claim})
        self.make_dealer()
        endings = ["redeal", "abandoned", "not played", "unfinished"]
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
        self.group("bid", title, self.each("bid", number_field), _("Empty: a pass."))

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
        gone = (*fields, "calls", "ending", *REBUYS)
        kept = {k: v for k, v in typed["moves"].items() if k not in gone}
        told = kept | self.common() | self.rebuys()
        for name in ("claim", "ending"):
            if typed.get(name):
                told[name] = typed[name]
        if "bid" in dict(self.made()):
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
        for seat in turn_of(self.table, self.cleaned_data):
            none = "-" if was.get(seat) == "-" else "P"
            words.append(str(typed.get(self.table.seats[seat], none)))
        return " ".join(words)
