"""The page of an event: live standings, who sits where, the boards."""

from typing import Any

from django.http import Http404

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.access.visibility import leagues_seen
from tournaments.core.language import translate
from tournaments.events import events
from tournaments.events.announcements import describe_event
from tournaments.events.boards import traveller, with_deals
from tournaments.models import Board, Entry, Event, League, Scope, Status, Table
from tournaments.reports.labels import MOVEMENTS, STATUSES, label_for
from tournaments.web.base import EventPageMixin, StandingsPage
from tournaments.web.number_format import format_number
from tournaments.web.seating import rounds_of
from tournaments.web.standings import build_standings_table, names_in
from tournaments.web.standings_query import PROJECTOR
from tournaments.web.teams import prizes_won, teams_of
from tournaments.web.travellers import holdings, page_columns, seats_at

_NAMED = ("number", "person__name", "person__shown")
"""What the name of a player depends on, as a viewer sees it."""


class EventPage(EventPageMixin, StandingsPage):
    """An event with its standings, as they stand or stood."""

    live_template = "window/live.html"
    scope = Scope.EVENT
    seconds = 4

    @property
    def subject(self) -> Event:
        return self.event

    @property
    def is_running(self) -> bool:
        return self.event.status == Status.RUNNING

    def get_template_names(self) -> list[str]:
        is_projector = self.wanted.view == PROJECTOR
        return ["window/projector.html" if is_projector else "window/event.html"]

    def get_facts(self) -> object:
        """Everything that the live part is made of, names too. One query."""
        event, found = self.event, self.found
        named = Entry.objects.filter(event=event).order_by("number")
        people = ("player", "player__merged_into")
        names = list(named.values_list(*(f"{one}__{what}" for one in people for what in _NAMED)))
        about = (event.pk, event.version, event.name, found.stamp, found.behind_since)
        return about, self.wanted.query(), names

    def get_live_context(self) -> dict[str, Any]:
        event, found, in_full = self.event, self.found, self.viewer.in_full
        names = names_in(found, event.club, in_full=in_full)
        return self.describe_standings(names.names) | {
            "event": event,
            "sheet": build_standings_table(found, names, self.wanted, in_full=in_full),
            "teams": teams_of(found, names.names),
            "up_to": found.data.get("up_to"),
            "rounds": rounds_of(event, self.wanted.round, in_full=in_full),
            "hands": event.hands,
        }

    def describe_subject(self) -> list[str]:
        return describe_event(self.event)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event = self.event
        boards = Board.objects.filter(event=event).order_by("number") if event.duplicate else ()
        played = selectors.boards_played(event) if event.duplicate else {}
        leagues = League.objects.filter(sessions__event=event)
        return super().get_context_data(
            status=label_for(STATUSES, event.status),
            movement=label_for(MOVEMENTS, event.movement),
            scored=list(map(translate, events.scoring_of(event).describe())),
            boards=[(board.number, played.get(board.number, 0)) for board in boards],
            plays_four=Table.objects.filter(round__event=event, size=4).exists(),
            leagues=leagues_seen(leagues, hidden=self.viewer.sees_hidden),
            prizes=prizes_won(event, kwargs["names"]),
            **kwargs,
        )


class BoardPage(EventPageMixin):
    """The traveller of a board: what every table made of it."""

    template_name = "window/board.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event, number = self.event, self.kwargs["number"]
        board = next(iter(with_deals(Board.objects.filter(event=event, number=number))), None)
        if board is None:
            raise Http404
        made = traveller(board)
        return super().get_context_data(
            board=board,
            columns=page_columns(),
            seats=seats_at(made, event, in_full=self.viewer.in_full),
            mean=format_number(str(made.mean)),
            holdings=holdings(board) if self._may_see_cards(board) else [],
        )

    def _may_see_cards(self, board: Board) -> bool:
        """Whether the cards of a board are no secret any more. One query."""
        is_director = Right.EVENTS_EDIT in self.viewer.rights
        return is_director or board.number in selectors.boards_over(self.event)
