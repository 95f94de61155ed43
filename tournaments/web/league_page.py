"""The page of a league: the table of the season."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments.access.visibility import LeaguePlace, league_place
from tournaments.core.language import translate
from tournaments.events import leagues
from tournaments.models import League, LeagueEvent, Player, Scope
from tournaments.publishing.versions import Standings
from tournaments.standings.season import describe_season
from tournaments.web.responses import LIVE, not_modified_response, page, tag_of, with_etag
from tournaments.web.season import SessionColumn, names_in_season, season, sessions_of
from tournaments.web.standing_changes import moved_since, versions_of
from tournaments.web.standings_query import StandingsQuery, standings_for, wanted_by
from tournaments.web.viewer import Viewer, viewer_of

_SECONDS = 15
"""A page asks so often whether something is new."""
_SECONDS_RUNNING = 1
"""So often while one of the events is played."""


@require_safe
def league_page(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """A season with its table, as it stands or stood."""
    place = league_place(league_id)
    viewer = viewer_of(request, place)
    assert isinstance(place, LeaguePlace)
    assert place.league is not None
    league = place.league
    wanted = wanted_by(request)
    found = standings_for(wanted, Scope.LEAGUE, league.pk, viewer)
    is_part = request.GET.get("part") == LIVE
    tag = _tag(league, found, viewer, wanted)
    if is_part and (same := not_modified_response(request, tag)) is not None:
        return same
    context = _live(league, found, viewer, wanted) | {"tag": tag}
    if is_part:
        return with_etag(tag, page(request, "window/season.html", context))
    context |= {
        "versions": versions_of(found),
        "counted": list(map(translate, describe_season(leagues.season_of(league)))),
        "live_template": "window/season.html",
        "of": f"league={league.pk}",
    }
    return page(request, "window/league.html", context)


def _tag(league: League, found: Standings, viewer: Viewer, wanted: StandingsQuery) -> str:
    """By what a reader knows the table: all that it is made of, names too. Two queries."""
    sessions = LeagueEvent.objects.filter(league=league).order_by("number")
    events = list(sessions.values_list("number", "event_id", "event__name", "event__status"))
    players = Player.objects.filter(club=league.club_id).order_by("number")
    names = list(players.values_list("number", "person__name", "person__shown", "merged_into"))
    about = (league.pk, league.version, found.stamp, found.behind_since, events)
    return tag_of((about, sorted(viewer.rights), wanted.query(), names))


def _live(
    league: League, found: Standings, viewer: Viewer, wanted: StandingsQuery
) -> dict[str, Any]:
    names = names_in_season(found, league.club, in_full=viewer.in_full)
    sessions = sessions_of(league)
    return {
        "league": league,
        "club": league.club,
        "viewer": viewer,
        "found": found,
        "wanted": wanted,
        "season": season(found, sessions, names, wanted),
        "planned": [one for one in sessions if not one.is_held],
        "moved": moved_since(found, wanted.since, names, in_full=viewer.in_full),
        "is_official": found.data.get("status") == "official",
        "here": reverse("league-page", args=[league.pk]),
        "seconds": _seconds(sessions, wanted),
    }


def _seconds(sessions: Iterable[SessionColumn], wanted: StandingsQuery) -> int:
    if wanted.is_past:
        return 0
    return _SECONDS_RUNNING if any(one.is_running for one in sessions) else _SECONDS
