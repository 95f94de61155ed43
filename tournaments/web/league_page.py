"""The page of a league: the table of the season."""

from typing import Any

from django.utils import timezone
from django.utils.functional import cached_property

from tournaments.access.rights import Place
from tournaments.access.visibility import LeaguePlace, league_place
from tournaments.core.language import translate
from tournaments.events import leagues
from tournaments.models import League, LeagueEvent, Player, Scope
from tournaments.web.base import StandingsPage
from tournaments.web.round_clock import clock_context
from tournaments.web.season import (
    SessionColumn,
    counted_events,
    names_in_season,
    season,
    sessions_of,
)
from tournaments.web.wall import league_wall_context


class LeaguePage(StandingsPage):
    """A season with its table, as it stands or stood."""

    page_template = "window/league.html"
    live_template = "window/season.html"
    scope = Scope.LEAGUE
    seconds = 15

    def get_place(self) -> Place:
        return league_place(self.kwargs["league_id"])

    @property
    def subject(self) -> League:
        place = self.viewer.place
        assert isinstance(place, LeaguePlace)
        assert place.league is not None
        return place.league

    @cached_property
    def sessions(self) -> list[SessionColumn]:
        """The events of the season in their order."""
        return sessions_of(self.subject)

    @property
    def is_running(self) -> bool:
        return any(one.is_running for one in self.sessions)

    def get_facts(self) -> object:
        """All that the table is made of, names too. Two queries."""
        league, found = self.subject, self.found
        sessions = LeagueEvent.objects.filter(league=league).order_by("number")
        events = list(sessions.values_list("number", "event_id", "event__name", "event__status"))
        players = Player.objects.filter(club=league.club_id).order_by("number")
        names = list(players.values_list("number", "person__name", "person__shown", "merged_into"))
        about = (league.pk, league.version, found.stamp, found.behind_since, events)
        return about, self.wanted.query(), names

    def get_live_context(self) -> dict[str, Any]:
        found, viewer = self.found, self.viewer
        names = names_in_season(found, viewer.club, in_full=viewer.in_full)
        sheet = season(found, self.sessions, names, self.wanted, leagues.season_of(self.subject))
        live = self.describe_standings(names) | {
            "league": self.subject,
            "sheet": sheet,
            "planned": [one for one in self.sessions if not one.is_held],
            "counted_events": counted_events(found, self.sessions),
        }
        if self.is_projector:
            live |= league_wall_context(sheet) | clock_context(None, timezone.now())
        return live

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        counted = leagues.season_of(self.subject).describe()
        return super().get_context_data(counted=list(map(translate, counted)), **kwargs)
