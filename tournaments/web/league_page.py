"""The page of a league: the table of the season."""

from typing import Any

from django.utils.functional import cached_property

from tournaments.access.rights import Place
from tournaments.access.visibility import LeaguePlace, league_place
from tournaments.core.language import translate
from tournaments.events import leagues
from tournaments.models import League, LeagueEvent, Player, Scope
from tournaments.web.base import StandingsPage
from tournaments.web.season import (
    SessionColumn,
    counted_events,
    names_in_season,
    season,
    sessions_of,
)


class LeaguePage(StandingsPage):
    """A season with its table, as it stands or stood."""

    template_name = "window/league.html"
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
        return self.describe_standings(names) | {
            "league": self.subject,
            "sheet": season(
                found, self.sessions, names, self.wanted, leagues.season_of(self.subject)
            ),
            "planned": [one for one in self.sessions if not one.is_held],
            "counted_events": counted_events(found, self.sessions),
        }

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        counted = leagues.season_of(self.subject).describe()
        return super().get_context_data(counted=list(map(translate, counted)), **kwargs)
