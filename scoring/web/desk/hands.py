"""A hand at the desk: what was written, what is wrong with it, and everything that was said."""

from functools import cached_property
from typing import Any

from scoring.hands import recording
from scoring.models import REASON_MAX
from scoring.presentation.answers import seats_of, version_answer, whole_record
from scoring.presentation.seat_names import sitters_of
from scoring.selectors import queries
from scoring.settlement.reporting import matches_deal
from scoring.web import check_page
from scoring.web.desk.base import HandMixin
from scoring.web.desk.games import find_event, format_game_name
from scoring.web.engine_wording import with_cards
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
        """The players of the hand, by seat."""
        return sitters_of(self.game, in_full=True).names_at(self.hand.number)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        game, hand = self.game, self.hand
        seats = seats_of(game)
        versions, words = queries.versions(hand), list(queries.words(hand))
        objections = {word.why[:REASON_MAX] for word in words if not word.agrees}
        context = {
            "row": game,
            "table_name": format_game_name(game),
            "hand": hand,
            "event": find_event(game),
            "versions": [version_answer(version, seats, in_full=True) for version in versions],
            "words": [
                (word, "" if word.seat is None else self.names.get(seats[word.seat], ""))
                for word in words
            ],
            "reason": "" if hand.reason in objections else with_cards(translate(hand.reason)),
            **self._record(decode(bytes(versions[-1].text))),
        }
        return super().get_context_data(**{**context, **kwargs})

    def _record(self, text: str) -> dict[str, Any]:
        """The record as the check of a record shows it, judged in its game."""
        played = recording.judge_current_hand(self.game, self.hand)
        if played is None:
            return {"text": text}
        judged = whole_record(played, in_full=True)
        board = played.board
        deal = "" if board is None else played.entered.deals.get(board, "")
        written = {seat: name for seat, name in judged["players"].items() if name}
        judged["players"] = self.names | written
        is_fine = not judged["diagnostics"]
        report: Any = {"ok": is_fine, "diagnostics": [], "records": [judged], "games": []}
        shown = check_page.answer(report, text, place_of(self.request.GET.dict()))
        has_other_cards = matches_deal(deal, played) is False
        return {**shown, "text": text, "permalink": "#", "has_other_cards": has_other_cards}
