"""The page of a league: the table of the season."""

from typing import Any

from django.utils.functional import cached_property

from tournaments.access.rights import Place
from tournaments.access.visibility import LeaguePlace, league_place
from tournaments.core.language import translate
from tournaments.events import leagues
from tournaments.models import League, Scope
from tournaments.publishing.answer_facts import (
    list_club_facts,
    list_name_facts,
    list_published_facts,
)
from tournaments.reports.league_standings import summarize_season
from tournaments.web.base import StandingsPage
from tournaments.web.season import (
    counted_events,
    season,
    sessions_of,
)
from tournaments.web.standings import SessionColumn
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
        return any(session.is_running for session in self.sessions)

    def get_facts(self) -> object:
        """All that the table and the list below it are made of, names too. Four queries."""
        league, found = self.subject, self.found
        sessions = [
            (
                session.number,
                session.event,
                session.name,
                session.day,
                session.is_held,
                session.is_running,
                session.is_cancelled,
            )
            for session in self.sessions
        ]
        club = league.club
        about = (league.pk, league.version, list_club_facts(club), self.provisional_day)
        events = [session.event for session in self.sessions]
        published = list_published_facts(club, Scope.EVENT, events)
        wanted = self.wanted.query()
        names = list_name_facts(club.pk)
        return about, found.stamp, found.behind_since, sessions, published, wanted, names

    def get_live_context(self) -> dict[str, Any]:
        found, rules = self.found, leagues.season_of(self.subject)
        sheet = season(found, self.sessions, self.names, self.wanted, rules)
        live = super().get_live_context() | {
            "league": self.subject,
            "sheet": sheet,
            "planned": [
                session
                for session in self.sessions
                if not (session.is_held or session.is_cancelled)
            ],
            "cancelled": [session for session in self.sessions if session.is_cancelled],
            "counted": summarize_season(rules, found.data),
            "counted_events": counted_events(found, self.sessions),
        }
        if self.is_projector:
            live |= league_wall_context(sheet)
        return live

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        special_cases = leagues.season_of(self.subject).special_cases()
        return super().get_context_data(
            league=self.subject, special_cases=list(map(translate, special_cases)), **kwargs
        )
