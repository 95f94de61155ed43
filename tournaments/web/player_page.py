"""The page of a player: rating, history, and for members what statistics say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.access.rights import Place
from tournaments.access.visibility import hides_games, visible_rows
from tournaments.core.time_zones import day_and_year, short_day
from tournaments.models import Entry, Player, Scope
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.publishing import versions
from tournaments.publishing.player_lines import GameSelection, list_duplicate_ids
from tournaments.selectors import is_hidden, spoken_name
from tournaments.tables.cells import isolate_name
from tournaments.web.base import PublicPage, link_preview
from tournaments.web.club_summaries import NightPlaces, find_places
from tournaments.web.night_plot import night_of
from tournaments.web.number_format import format_number
from tournaments.web.player_charts import places_chart
from tournaments.web.plots import Plot, Series, ValueBand, plot
from tournaments.web.season_place import find_season_place
from tournaments.web.statistics import parse_game_selection, statistics_of
from tournaments.web.viewer import Viewer

_A_PAGE: Final = 12
"""So many events at once, and so many places are drawn."""
_DAYS_MAX: Final = 120


@dataclass(frozen=True, slots=True)
class NightRow:
    """An event that somebody took part in, and where they came."""

    event: UUID
    name: str
    starts_at: datetime
    label: str
    of: int
    total: str


@dataclass(frozen=True, slots=True)
class StrengthEstimate:
    """Somebody's strength by all games at once, with its 90 % interval; 0 is the middle."""

    value: str
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """A rating with its 90 % band and its graph, day by day."""

    rating: str
    band: str
    low: str
    high: str
    games: int
    is_provisional: bool
    graph: Plot | None
    days: list[tuple[str, str, str, str]]


class PlayerPage(PublicPage):
    """Somebody who plays, as far as the viewer may know them."""

    template_name = "window/player.html"

    @cached_property
    def player(self) -> Player | None:
        """The player that the address names."""
        players = Player.objects.select_related("club", "person", "merged_into__person")
        return players.filter(pk=self.kwargs["player_id"]).first()

    def get_place(self) -> Place:
        return Place(self.player.club if self.player else None)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        viewer, player = self.viewer, self.player
        assert player is not None  # or the place of the page would be nowhere
        if not viewer.in_full and is_hidden(player):
            raise Http404
        if player.merged_into_id is not None:
            return redirect("player-page", player.merged_into_id)
        return super().get(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        viewer, player = self.viewer, self.player
        assert player is not None
        player_ids = list_duplicate_ids(player)
        entries = Entry.objects.filter(player__in=player_ids).select_related("event")
        entries = visible_rows(entries, hidden=viewer.sees_hidden, way="event")
        turned = self.turn_to_page(entries.order_by("-event__starts_at", "-event_id"), _A_PAGE)
        shared = shared_names(player.club, in_full=viewer.in_full)
        is_rated = viewer.sees_hidden or not hides_games(player.club_id)
        places = find_places([entry.event_id for entry in turned])
        name = spoken_name(distinct_name(player, shared, in_full=viewer.in_full))
        context = {
            "player": player,
            "name": name,
            "rated": rating_history(player, in_full=viewer.in_full) if is_rated else None,
            "strength": _strength(player, viewer) if is_rated else None,
            "turned": turned,
            "nights": [_night(entry, places.get(entry.event_id)) for entry in turned],
            "places": places_chart(turned, places),
            "night": night_of(self.request, player_ids, viewer),
            "season": find_season_place(
                player,
                [entry.event_id for entry in turned],
                hidden=viewer.sees_hidden,
                player_ids=player_ids,
            ),
        }
        title = f"{isolate_name(name)}, {isolate_name(player.club.name)}"
        context["preview"] = link_preview(self.request, title, _preview_lines(context))
        person = getattr(player, "person", None)
        if viewer.in_full:
            context |= statistics_of(player, parse_game_selection(self.request, player))
        elif is_rated and person is not None and person.shows_statistics:
            context |= statistics_of(player, GameSelection(), in_full=False)
        return super().get_context_data(**context, **kwargs)


def _preview_lines(context: Mapping[str, Any]) -> Iterator[str]:
    """The place in the season, the rating and the newest night of a player."""
    if context["season"] is not None and context["season"].label:
        season = context["season"]
        what = {"place": season.label, "of": season.of}
        yield f"{isolate_name(season.league.name)}, {_('place %(place)s of %(of)s') % what}"
    if context["rated"] is not None:
        rated = context["rated"]
        yield _("Rating %(rating)s ± %(band)s") % {"rating": rated.rating, "band": rated.band}
    for night in context["nights"][:1]:
        yield f"{isolate_name(night.name)}, {date_format(localtime(night.starts_at), _('j M Y'))}"
        if night.label:
            yield _("place %(place)s of %(of)s") % {"place": night.label, "of": night.of}


def _night(entry: Entry, table: NightPlaces | None) -> NightRow:
    """Return somebody's place in an event."""
    placed = None if table is None else table.places.get(str(entry.pk))
    return NightRow(
        event=entry.event_id,
        name=entry.event.name,
        starts_at=entry.event.starts_at,
        label="" if placed is None else placed.label,
        of=0 if table is None else table.ranked,
        total=format_number(None if placed is None else placed.total),
    )


def _strength(player: Player, viewer: Viewer) -> StrengthEstimate | None:
    """The strength of last night, where it may be told. Three queries."""
    latest = versions.find_latest(Scope.STRENGTH, player.club_id)
    row = next(
        (row for row in latest.data.get("rows", ()) if row["player"] == str(player.pk)), None
    )
    if row is None or (row["hidden"] and not viewer.in_full):
        return None
    value, low, high = (
        format_number(str(round(Fraction(row[name]), 2)), signed=True)
        for name in ("value", "low", "high")
    )
    return StrengthEstimate(value, low, high)


def rating_history(player: Player, *, in_full: bool) -> RatingHistory | None:
    """The rating, where it may be told. Three queries."""
    latest = versions.find_latest(Scope.RATINGS, player.club_id)
    row = next(
        (row for row in latest.data.get("rows", ()) if row["player"] == str(player.pk)), None
    )
    # Versions of before 0.3.0 have no bands; the worker computes them anew at once.
    if row is None or "band" not in row or (row["hidden"] and not in_full):
        return None
    days = row["history"][-_DAYS_MAX:]
    values = [Fraction(day["rating"]) for day in days]
    bands = [Fraction(day["band"]) for day in days]
    graph = plot(
        [Series(_("Rating"), "c0", values)],
        [short_day(day["day"]) for day in days],
        bands=[
            ValueBand(
                "c0",
                [value - band for value, band in zip(values, bands, strict=True)],
                [value + band for value, band in zip(values, bands, strict=True)],
            )
        ],
    )
    rating, band = Fraction(row["rating"]), Fraction(row["band"])
    return RatingHistory(
        rating=str(round(rating)),
        band=str(round(band)),
        low=str(round(rating - band)),
        high=str(round(rating + band)),
        games=row["games"],
        is_provisional=row["provisional"],
        graph=graph,
        days=[
            (day_and_year(day["day"]), _whole(day["rating"]), _whole(day["band"]), day["game"])
            for day in reversed(days)
        ],
    )


def _whole(text: str) -> str:
    return str(round(Fraction(text)))
