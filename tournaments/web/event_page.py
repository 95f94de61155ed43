"""The page of an event: live standings, who sits where, the boards; and the proof of its deals."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.access.visibility import leagues_seen, visible_rows
from tournaments.core.entity_tags import tag_of
from tournaments.core.language import translate
from tournaments.core.ports import books
from tournaments.events import events
from tournaments.events.announcements import describe_event, describe_schedule
from tournaments.events.boards import is_dealt_from_key
from tournaments.events.deal_secrets import Commitment, list_commitments
from tournaments.events.events import OVER
from tournaments.events.round_clocks import find_clock
from tournaments.models import (
    Board,
    Event,
    League,
    Movement,
    RoundClock,
    Scope,
    Status,
    Table,
    TableGame,
    Trail,
)
from tournaments.publishing.answer_facts import list_club_facts, list_name_facts
from tournaments.publishing.official import find_current
from tournaments.publishing.player_lines import find_event_worths
from tournaments.reports.event_standings import summarize_scoring
from tournaments.statistics import Sum
from tournaments.web.base import EventPageMixin, StandingsPage
from tournaments.web.night_result import describe_night_result, is_night_over
from tournaments.web.seating import rounds_of
from tournaments.web.share_picture import Step, draw_podium, picture_response
from tournaments.web.standings import build_standings_table, names_in
from tournaments.web.teams import prizes_won, teams_of
from tournaments.web.viewer import Viewer, anonymous_viewer
from tournaments.web.wall import wall_context


class EventPage(EventPageMixin, StandingsPage):
    """An event with its standings, as they stand or stood."""

    page_template = "window/event.html"
    live_template = "window/live.html"
    scope = Scope.EVENT
    seconds = 4

    @property
    def subject(self) -> Event:
        return self.event

    @property
    def is_running(self) -> bool:
        return self.event.status == Status.RUNNING

    @cached_property
    def clock(self) -> RoundClock | None:
        """The clock of the round or the break; only the wall shows it."""
        return find_clock(self.event.pk) if self.is_projector else None

    @cached_property
    def calls(self) -> list[str]:
        """The tables that call the director, for the wall of a night that lets it say so."""
        if not (self.is_projector and self.event.shows_calls and self.is_running):
            return []
        return books().find_calling_tables(self.event)

    @cached_property
    def following(self) -> Event | None:
        """The next night of the club, for the wall of one that is over."""
        if not self.is_projector or self.event.status not in OVER:
            return None
        rows = Event.objects.filter(club=self.event.club_id, status=Status.PLANNED)
        seen = visible_rows(rows, hidden=self.viewer.sees_hidden)
        return seen.filter(starts_at__gt=timezone.now()).order_by("starts_at", "pk").first()

    @cached_property
    def worths(self) -> dict[str, Sum]:
        """The worth of everybody's cards, as far as the viewer may see it. Two queries."""
        event, sees_all = self.event, Right.EVENTS_EDIT in self.viewer.rights
        boards = selectors.boards_over(event) if event.duplicate and not sees_all else None
        return find_event_worths(event, boards)

    def get_facts(self) -> object:
        """Everything that the live part is made of, names too. Five queries at most.

        A hand is in it once it is in the standings, a moment later.
        """
        event, found = self.event, self.found
        names = list_name_facts(event.club_id)
        trail = list(Trail.objects.filter(chain=event.pk).values_list("digest"))
        about = (
            *(event.pk, event.version, event.name, event.rule_set.overrides, trail),
            list_club_facts(event.club),
            *(found.stamp, found.behind_since, self.provisional_day),
        )
        games = TableGame.objects.filter(event=event).order_by("pk")
        states = [] if event.status in OVER else list(games.values_list("phase", "is_open"))
        clock = self.clock and (self.clock.seconds, self.clock.left, self.clock.running_since)
        following = self.following and (self.following.pk, self.following.version)
        return about, self.wanted.query(), names, states, clock, following, self.calls

    def get_live_context(self) -> dict[str, Any]:
        event, found, in_full = self.event, self.found, self.viewer.in_full
        live = super().get_live_context() | {
            "event": event,
            "sheet": build_standings_table(
                found,
                self.names,
                self.wanted,
                in_full=in_full,
                worths=None if self.wanted.is_past else self.worths,
            ),
            "teams": teams_of(found, self.names),
            "up_to": found.data.get("up_to"),
            "rounds": rounds_of(event, self.wanted.round, in_full=in_full),
            "hands": event.hands,
            "counted": summarize_scoring(events.scoring_of(event), found.data),
            "night": None
            if self.wanted.is_past
            else describe_night_result(event, found, self.names, in_full=in_full),
        }
        if self.is_projector:
            is_over = live["night"] is not None
            live |= wall_context(event, live["sheet"], live["rounds"], is_over=is_over)
            live |= {"schedule": describe_schedule(event), "following": self.following}
            live |= {"calls": self.calls}
            if event.status == Status.CANCELLED:
                live |= {"seat_screens": [], "rank_screens": []}
        return live

    @property
    def picture(self) -> str:
        """The podium of a night that is over and that everybody may see."""
        event, found = self.event, self.found
        is_shown = self.viewer.place.is_open and is_night_over(event, found)
        if not is_shown or self.wanted.is_past or not any(row["rank_from"] for row in found.rows):
            return ""
        version = tag_of((event.version, found.stamp))[1:13]
        return f"{reverse('event-picture', args=[event.pk])}?v={version}"

    def describe_subject(self) -> list[str]:
        return describe_event(self.event)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event = self.event
        boards = Board.objects.filter(event=event).order_by("number") if event.duplicate else ()
        played = selectors.boards_played(event) if event.duplicate else {}
        leagues = League.objects.filter(sessions__event=event)
        return super().get_context_data(
            status=str(Status(event.status).details),
            schedule=describe_schedule(event),
            movement=str(Movement(event.movement).details),
            special_cases=list(map(translate, events.scoring_of(event).special_cases())),
            boards=[(board.number, played.get(board.number, 0)) for board in boards],
            plays_four=Table.objects.filter(round__event=event, size=4).exists(),
            leagues=leagues_seen(leagues, hidden=self.viewer.sees_hidden),
            prizes=prizes_won(event, self.names),
            **kwargs,
        )


class EventPicture(EventPageMixin):
    """The podium of a night as a picture for chats, as strangers see it; 404 before its end."""

    @cached_property
    def viewer(self) -> Viewer:
        """Anybody: a picture goes to everybody who has the link."""
        return anonymous_viewer(self.get_place())

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        event = self.event
        found = find_current(Scope.EVENT, event.pk)
        names = names_in(found, event.club, in_full=False)
        night = describe_night_result(event, found, names, in_full=False)
        if night is None:
            raise Http404
        about = f"{event.club.name}, {date_format(localtime(event.starts_at), _('j M Y'))}"
        steps = [Step(one.place, one.label, one.name, one.total) for one in night.steps]
        facts = (event.name, about, steps)
        return picture_response(request, facts, lambda: draw_podium(*facts))


class DealsPage(EventPageMixin):
    """Commitments of every board before it was played, and the keys of those that are over.

    There is none for an event without prepared deals.
    """

    template_name = "window/deals.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        if not self.event.duplicate:
            raise Http404
        return super().get_context_data(proofs=prove_boards(self.event))


def prove_boards(event: Event) -> list[tuple[Commitment, bool | None]]:
    """Return commitments, and whether a deal is that of its key; None while that is secret.

    Four queries.
    """
    boards = {row.number: row for row in Board.objects.filter(event=event).exclude(key="")}
    for row in boards.values():
        row.event = event
    return [
        (
            commitment,
            is_dealt_from_key(boards[commitment.number])
            if commitment.key and commitment.number in boards
            else None,
        )
        for commitment in list_commitments(event)
    ]
