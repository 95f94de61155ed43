"""The page of a board: its deal, what every table made of it, and the proof of its key."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from scoring.presentation.board_hands import find_board_hands
from scoring.web.public.travellers import (
    build_traveller,
    hands_dealt,
    page_columns,
    seats_of_board,
)
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.deals import split_deal
from tournaments.events.boards import Traveller, is_dealt_from_key, traveller, with_deals
from tournaments.models import Board, Entry
from tournaments.people.display_names import distinct_names
from tournaments.web.base import EventPageMixin
from tournaments.web.link_preview import link_preview
from tournaments.web.number_format import format_number


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
        made = traveller(board)
        seats = seats_of_board(board.number, self._players(made))
        rounds = {line.round for lines in made.seats.values() for line in lines}
        title = _("Board %(n)s: %(event)s") % {"n": board.number, "event": event.name}
        mean = format_number(str(made.mean))
        return super().get_context_data(
            board=board,
            seats=seats,
            columns=page_columns()[2:],
            mean=mean if made.hands else "",
            deal=hands_dealt(board, seats) if shows_cards else [],
            shows_cards=shows_cards,
            page=build_traveller(
                made,
                seats,
                find_board_hands(made.hands, board.number),
                self._names(),
                shows_play=shows_cards,
            ),
            has_rounds=len(rounds) > 1,
            neighbours=self._neighbours(),
            is_over=self.is_over,
            holds=is_dealt_from_key(board) if self.is_over and board.key else None,
            preview=link_preview(self.request, title, [event.club.name]),
        )

    def _players(self, made: Traveller) -> int:
        if self.board.deal:
            return len(split_deal(self.board.deal))
        size: int = self.event.sizes[0]
        return max([size, *(place + 1 for place in made.seats)])

    def _names(self) -> dict[UUID, str]:
        """The names of all entries as the viewer may know them. Three queries."""
        event = self.event
        players = dict(Entry.objects.filter(event=event).values_list("pk", "player_id"))
        names = distinct_names(event.club, list(players.values()), in_full=self.viewer.in_full)
        return {entry: names.get(str(player), "") for entry, player in players.items()}

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
