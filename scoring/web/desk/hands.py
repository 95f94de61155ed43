"""A hand at the desk: what was written, what is wrong with it, and everything that was said."""

from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from engine.record.irregularities import IRREGULARITIES, event_of, find_by_name
from scoring.hands import recording
from scoring.models import REASON_MAX, Slip
from scoring.presentation.answers import seats_of, version_answer, whole_record
from scoring.presentation.checks import Judged
from scoring.presentation.hand_view import HandView
from scoring.presentation.seat_names import name_people, names_at_table
from scoring.selectors import queries
from scoring.settlement.plan import rules_of
from scoring.settlement.replay import JudgedHand
from scoring.settlement.reporting import matches_deal
from scoring.slips.codes import read_code
from scoring.slips.layout import lay_out
from scoring.web.check_page import view_context
from scoring.web.desk.base import HandMixin
from scoring.web.desk.games import find_event, format_game_name
from scoring.web.desk.open_findings import OpenFinding, list_open_findings
from scoring.web.engine_wording import with_cards
from scoring.web.findings import remarks
from scoring.web.record_listing import decode
from scoring.web.record_upload import place_of
from tournaments.access.rights import Right
from tournaments.core.language import translate
from tournaments.web.desk.base import DeskPage


class HandPage(HandMixin, DeskPage):
    """A hand with all its cards, its history, and the rulings on it."""

    needs = Right.HANDS_RULE
    template_name = "desk/hand.html"

    @cached_property
    def names(self) -> dict[str, str]:
        """The names that those at the table use, by seat."""
        return names_at_table(self.game, self.hand.number)

    @cached_property
    def played(self) -> JudgedHand | None:
        """The hand as it was judged; None where it is no part of the game."""
        return recording.judge_current_hand(self.game, self.hand)

    @cached_property
    def record(self) -> Judged | None:
        """The judged record, with players by their first names."""
        if self.played is None:
            return None
        record = whole_record(self.played, in_full=True)
        return {**record, "players": self.names}

    @cached_property
    def findings(self) -> list[OpenFinding]:
        """The findings of the record that a director has to decide."""
        return [] if self.record is None else list_open_findings(self.record, self.names)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        game, hand = self.game, self.hand
        seats = seats_of(game)
        versions, words = queries.versions(hand), list(queries.words(hand))
        objections = {word.why[:REASON_MAX] for word in words if not word.agrees}
        slip = Slip.objects.filter(hand=hand, crop__isnull=False).defer("crop").first()
        is_blank = slip is not None and read_code(slip.code).is_blank
        context = {
            "row": game,
            "table_name": format_game_name(game),
            "hand": hand,
            "event": find_event(game),
            "slip": slip,
            "slip_size": lay_out(rules_of(game), game.players, is_blank=is_blank).pixels,
            "versions": [
                (
                    version_answer(one, seats, in_full=True),
                    _("the desk") if one.seat is None else self.names.get(seats[one.seat], ""),
                )
                for one in versions
            ],
            "words": [
                (word, "" if word.seat is None else self.names.get(seats[word.seat], ""))
                for word in words
            ],
            "reason": ""
            if hand.reason in objections
            else with_cards(translate(name_people(hand.reason, self.names))),
            **self._record(decode(bytes(versions[-1].text))),
        }
        return super().get_context_data(**{**context, **kwargs})

    def _record(self, text: str) -> dict[str, Any]:
        """The record as the check of a record shows it, judged in its game."""
        played, record, names = self.played, self.record, self.names
        if played is None or record is None:
            return {"text": text}
        board = played.board
        deal = "" if board is None else played.entered.deals.get(board, "")
        view, place = HandView(record, called=names), place_of(self.request.GET.dict())
        return {
            **view_context(view, place),
            "report": True,
            "number": 1,
            "records": 1,
            "text": text,
            "permalink": "#",
            "by_name": True,
            "outcome": translate(name_people(record["sentence"], names)),
            "remarks": [
                {**one, "proposal": _describe_law(one["name"])}
                for one in remarks(name_people(record["diagnostics"], names), record, 1)
            ],
            "is_board_opened": not self.request.GET.keys().isdisjoint(("at", "record", "trick")),
            "has_other_cards": matches_deal(deal, played) is False,
        }


def _describe_law(name: str | None) -> str:
    """Return what the law proposes for a fault, and where it stands; empty where it is silent."""
    what = find_by_name(name or "")
    event = None if what is None else event_of(what)
    if event is None:
        return ""
    row = IRREGULARITIES[event]
    return f"{translate(row.proposal)} ({row.law})"
