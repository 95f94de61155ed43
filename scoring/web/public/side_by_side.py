"""Two tables that played the same board, replayed side by side, trick by trick in step."""

from typing import Any

from django.http import Http404
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from scoring.models import Hand
from scoring.selectors import queries
from scoring.selectors.games import hand_place
from scoring.web.public.game_page import context_of
from scoring.web.public.travellers import TravellerPage, find_board, read_traveller
from scoring.web.public.visible_hand import hand_context, is_secret
from scoring.web.record_upload import place_of
from tournaments.access.rights import Place
from tournaments.tables.cells import isolate_name
from tournaments.web.base import PublicPage, link_preview


class SideBySidePage(PublicPage):
    """The hands of two tables on one board, at the card that the address names.

    404 unless both are in the books with every card of one deal, and nobody has still to play it.
    """

    template_name = "window/side_by_side.html"

    @cached_property
    def hands(self) -> list[Hand]:
        """The two hands that the address names. Raises Http404."""
        found = [queries.hand(self.kwargs[name]) for name in ("hand_id", "other_id")]
        hands = [hand for hand in found if hand is not None]
        if len(hands) < len(found) or hands[0] == hands[1]:
            raise Http404
        return hands

    def get_place(self) -> Place:
        return hand_place(self.hands[0])

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        viewer, first = self.viewer, self.hands[0]
        context = context_of(first.game)
        if context["table"] is None or is_secret(first.game, first, viewer):
            raise Http404
        event = context["table"].round.event
        board = find_board(event, first)
        if board is None:
            raise Http404
        traveller = read_traveller(board, viewer, shows_play=True)
        sides = [self._side(hand, traveller) for hand in self.hands]
        shown = {hand.pk for hand in self.hands}
        title = _("Board %(n)s at two tables: %(event)s") % {
            "n": board.number,
            "event": isolate_name(event.name),
        }
        return super().get_context_data(
            event=event,
            traveller=traveller,
            has_rounds=traveller.has_rounds,
            sides=sides,
            # One claim may have ended the play early: the controls go as far as the other table.
            controls=max((side["board"] for side in sides), key=lambda table: len(table.played)),
            others=[row for row in traveller.tables if row.can_replay and row.hand not in shown],
            preview=link_preview(self.request, title, [side["sentence"] for side in sides]),
        )

    def _side(self, hand: Hand, traveller: TravellerPage) -> dict[str, Any]:
        """A hand as its half of the page shows it. Raises Http404 if it is not of this board."""
        row = traveller.row_of(hand.pk)
        if row is None or not row.can_replay:
            raise Http404
        shown = hand_context(hand, place_of(self.request.GET), in_full=self.viewer.in_full)
        return {"row": row, "board": shown["board"], "sentence": shown["sentence"]}
