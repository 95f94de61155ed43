"""A player's place in the season of their club: how it came about, and how far the next one is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.access.visibility import leagues_seen, tells_of_hidden
from tournaments.models import League, LeagueEvent, Player, Scope
from tournaments.publishing.official import find_current
from tournaments.publishing.player_lines import list_duplicate_ids
from tournaments.publishing.versions import Standings
from tournaments.standings.rows import place_of
from tournaments.web.number_format import format_number
from tournaments.web.plots import Bar, Plot, Series, plot


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """The player's place in the newest league that their nights count for.

    ``distance`` says how far the next place is, ``note`` how many nights count. ``bars`` are the
    points of each night, ``curve`` the places after each.
    """

    league: League
    label: str
    of: int
    total: str
    distance: str
    note: str
    bars: Plot | None
    curve: Plot | None
    is_public: bool


def find_season_place(
    player: Player,
    events: Sequence[UUID],
    *,
    hidden: bool = True,
    player_ids: Sequence[UUID] | None = None,
) -> SeasonPlace | None:
    """Return a player's place in the newest league that one of these events counts for.

    ``hidden``: the league may be one that strangers do not know of. ``player_ids`` are the player
    and their duplicates where they are known already. At most seven queries.
    """
    leagues = leagues_seen(League.objects.filter(club=player.club_id), hidden=hidden)
    sessions = LeagueEvent.objects.filter(event__in=events, league__in=leagues)
    newest = sessions.select_related("league").order_by("-event__starts_at", "-league__created_at")
    session = newest.first()
    if session is None:
        return None
    league = session.league
    standings = find_current(Scope.LEAGUE, league.pk)
    has_hidden = tells_of_hidden(standings.row, [standings.version])
    if has_hidden and not hidden:
        return None
    mine = {str(one) for one in player_ids or list_duplicate_ids(player)}
    row = next((row for row in standings.rows if row["entry"] in mine), None)
    if row is None:
        return None
    rivals = [
        one for one in standings.rows if one["division"] == row["division"] and one["rank_from"]
    ]
    # Not hidden, it was found among those that strangers see.
    seen = leagues_seen(League.objects.filter(pk=league.pk), hidden=False)
    is_seen = not hidden or seen.exists()
    return SeasonPlace(
        league=league,
        label=row["label"],
        of=len(rivals),
        total=format_number(row["total"]),
        distance=_distance(row, rivals),
        note=_what_counts(row, standings, league),
        bars=_night_bars(row),
        curve=_curve(row, standings),
        is_public=player.club.is_public and is_seen and not has_hidden,
    )


def _distance(row: Mapping[str, Any], rivals: Sequence[Mapping[str, Any]]) -> str:
    """Return the distance to the next place; both totals are exact."""
    if not row["rank_from"]:
        missing = row["needs_events"]
        words = ngettext("%(n)s more night for a place", "%(n)s more nights for a place", missing)
        return words % {"n": missing} if missing else ""
    better = [rival for rival in rivals if rival["rank_from"] < row["rank_from"]]
    worse = [rival for rival in rivals if rival["rank_from"] > row["rank_from"]]
    other = next(iter([*better[::-1], *worse]), None)
    if other is None:
        return ""
    gap = abs(Fraction(other["total"]) - Fraction(row["total"]))
    what = {"place": other["label"], "points": format_number(str(gap))}
    if not gap:
        return _("level with place %(place)s; the tie-break decides") % what
    if better:
        return _("%(points)s behind place %(place)s") % what
    return _("%(points)s ahead of place %(place)s") % what


def _what_counts(row: Mapping[str, Any], standings: Standings, league: League) -> str:
    counted, played = sum(line["counted"] for line in row["lines"]), len(row["lines"])
    note = _("%(counted)s of %(played)s nights count") % {"counted": counted, "played": played}
    left = league.planned - len(standings.data["sessions"])
    if league.closed_at is None and left > 0:
        words = ngettext("%(n)s night to come", "%(n)s nights to come", left) % {"n": left}
        return f"{note}, {words}"
    return note


def _night_bars(row: Mapping[str, Any]) -> Plot | None:
    """The points of each night as the season counts them, pale where they do not count."""
    bars = []
    for line in row["lines"]:
        weight = Fraction(line["weight"])
        value = Fraction(line["net"]) * weight
        points = format_number(str(value))
        text = _("Night %(number)s: %(points)s") % {"number": line["number"], "points": points}
        if weight != 1:
            text = _("%(night)s (weight %(weight)s)") % {
                "night": text,
                "weight": format_number(str(weight)),
            }
        bars.append(Bar(value, text, label=points, is_pale=not line["counted"]))
    values = [bar.value for bar in bars]
    # Room for the labels beyond the ends of the bars.
    span = (min(values, default=0) * Fraction(6, 5), max(values, default=0) * Fraction(6, 5))
    return plot([], [str(line["number"]) for line in row["lines"]], bars=bars, span=span)


def _curve(row: Mapping[str, Any], standings: Standings) -> Plot | None:
    """The place after each night."""
    numbers = {session["event"]: str(session["number"]) for session in standings.data["sessions"]}
    values = [place_of(one["label"]) for one in row["history"]]
    ticks = [numbers.get(one["event"], "") for one in row["history"]]
    labels = [str(place or "") for place in values]
    return plot([Series(_("Place"), "c0", values, labels)], ticks, downwards=True)
