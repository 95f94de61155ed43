"""The page of a board: its deal, what every table made of it, and the proof of its key."""

from typing import Any

from django.http import Http404
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from scoring.web.public.travellers import hands_dealt, page_columns, read_traveller
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.events.boards import is_dealt_from_key, with_deals
from tournaments.models import Board
from tournaments.tables.cells import isolate_name
from tournaments.web.base import EventPageMixin, link_preview


class BoardPage(EventPageMixin):
    """The traveller of a board: what every table made of it."""

    template_name = "window/board.html"

    @cached_property
    def board(self) -> Board:
        """The board that the address names, with its deal. Raises Http404."""
        rows = Board.objects.filter(event=self.event, number=self.kwargs["number"])
        board = next(iter(with_deals(rows)), None)
        if board is None:
            raise Http404
        board.event = self.event
        return board

    @cached_property
    def is_over(self) -> bool:
        """Whether nobody plays the board any more. One query."""
        return self.board.number in selectors.boards_over(self.event)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        board, event = self.board, self.event
        shows_cards = self.is_over or Right.EVENTS_EDIT in self.viewer.rights
        page = read_traveller(board, self.viewer, shows_play=shows_cards)
        title = _("Board %(n)s: %(event)s") % {"n": board.number, "event": isolate_name(event.name)}
        return super().get_context_data(
            board=board,
            seats=page.seats,
            columns=page_columns()[2:],
            mean=page.mean,
            deal=hands_dealt(board, page.seats) if shows_cards else [],
            shows_cards=shows_cards,
            page=page,
            pair=[row.hand for row in page.tables if row.can_replay][:2],
            has_rounds=page.has_rounds,
            neighbours=self._neighbours(),
            is_over=self.is_over,
            holds=is_dealt_from_key(board) if self.is_over and board.key else None,
            preview=link_preview(self.request, title, [isolate_name(event.club.name)]),
        )

    def _neighbours(self) -> list[tuple[str, int, str]]:
        """The boards before and after this one, where there are such. One query."""
        rows = Board.objects.filter(event=self.event).order_by("number")
        numbers = list(rows.values_list("number", flat=True))
        place = numbers.index(self.board.number)
        found = []
        if place:
            found.append(("prev", numbers[place - 1], _("Board before")))
        if place + 1 < len(numbers):
            found.append(("next", numbers[place + 1], _("Next board")))
        return found
