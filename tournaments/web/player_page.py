"""The page of a player: rating, history, and for members what statistics say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Entry, Player, Result, Scope
from tournaments.publishing import reading
from tournaments.publishing.lines import Chosen, games_of, lines_of, same_person
from tournaments.queries import shown_name
from tournaments.statistics import Book, Tally, earned, figures, form, head_to_head
from tournaments.web.answers import page
from tournaments.web.figures import shown_figures
from tournaments.web.numbers import shown
from tournaments.web.plots import Plot, Series, plot
from tournaments.web.viewers import Viewer, viewer_of

_A_PAGE: Final = 10
"""So many events at once: each one's standings are read for them."""
_DAYS_MOST: Final = 120


@dataclass(frozen=True, slots=True)
class Night:
    """An event that somebody took part in, and where he came."""

    event: UUID
    name: str
    starts_at: datetime
    label: str
    of: int
    total: str


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating with its graph, day by day."""

    rating: str
    spread: str
    games: int
    is_provisional: bool
    graph: Plot | None
    days: list[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Met:
    """What happened at tables together; ``flow`` is what came from him."""

    player: str
    name: str
    tables: int
    beaten: int
    tied: int
    lost: int
    flow: str
    word: str


@require_safe
def player_page(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Somebody who plays, as far as the viewer may know him."""
    found = Player.objects.select_related("club", "person", "merged_into__person")
    player = found.filter(pk=player_id).first()
    viewer = viewer_of(request, player.club if player else None)
    assert player is not None
    if player.merged_into_id is not None:
        return HttpResponsePermanentRedirect(reverse("player-page", args=[player.merged_into_id]))
    turned = _entries(request, player)
    context = {
        "player": player,
        "club": player.club,
        "viewer": viewer,
        "name": shown_name(player, in_full=viewer.in_full),
        "rated": _rated(player, viewer),
        "turned": turned,
        "nights": _nights(turned),
    }
    if viewer.in_full:
        context |= _statistics(player)
    return page(request, "window/player.html", context)


def _entries(request: HttpRequest, player: Player) -> Page[Entry]:
    rows = Entry.objects.filter(player__in=same_person(player)).select_related("event")
    rows = rows.order_by("-event__starts_at", "-event_id")
    return Paginator(rows, _A_PAGE).get_page(request.GET.get("page", "1")[:9])


def _nights(entries: Page[Entry]) -> list[Night]:
    return [_night(entry) for entry in entries]


def _night(entry: Entry) -> Night:
    """Where somebody came in an event. Three queries."""
    found = reading.latest(Scope.EVENT, entry.event_id)
    row = next((one for one in found.rows if one["entry"] == str(entry.pk)), None)
    ranked = sum(1 for one in found.rows if one["label"])
    return Night(
        event=entry.event_id,
        name=entry.event.name,
        starts_at=entry.event.starts_at,
        label="" if row is None else row["label"],
        of=ranked,
        total=shown(None if row is None else row["total"]),
    )


def _rated(player: Player, viewer: Viewer) -> Rated | None:
    """The rating, where it may be told. Three queries."""
    found = reading.latest(Scope.RATINGS, player.club_id)
    row = next((one for one in found.rows if one["player"] == str(player.pk)), None)
    if row is None or (row["hidden"] and not viewer.in_full):
        return None
    days = row["history"][-_DAYS_MOST:]
    values = [Fraction(day["rating"]) for day in days]
    return Rated(
        rating=_whole(row["rating"]),
        spread=_whole(row["sigma"]),
        games=row["games"],
        is_provisional=row["provisional"],
        graph=plot([Series(_("Rating"), "c0", values)], [day["day"][5:] for day in days]),
        days=[(day["day"], _whole(day["rating"]), day["game"]) for day in reversed(days)],
    )


def _whole(text: str) -> str:
    return str(round(Fraction(text)))


def _statistics(player: Player) -> dict[str, Any]:
    """What all his games say of him. Four queries, however many games."""
    book = Book().add(lines_of(games_of(player, Chosen())))
    tally = book.players.get(str(player.pk), Tally())
    met = head_to_head(tally.rivals)
    ids = [UUID(one.player) for one in met.opponents]
    names = reading.names_of(ids, in_full=True)
    shape = form(tally)
    hands = Result.objects.filter(player__in=same_person(player)).count()
    return {
        "hands": hands,
        "figures": shown_figures(figures(tally.sums, book.everybody())),
        "opponents": _met(met.opponents, names, met),
        "earned": earned(tally),
        "clean_now": shape.clean.now,
        "clean_longest": shape.clean.longest,
        "best": shape.best and (shape.best.night, shown(str(shape.best.net), signed=True)),
        "worst": shape.worst and (shape.worst.night, shown(str(shape.worst.net), signed=True)),
    }


def _met(rows: Sequence[Any], names: Mapping[str, str], met: Any) -> list[Met]:
    said = {}
    if met.best_customer is not None:
        said[met.best_customer.player] = _("best customer")
    if met.nemesis is not None:
        said[met.nemesis.player] = _("nemesis")
    return [
        Met(
            player=one.player,
            name=names.get(one.player, ""),
            tables=one.tables,
            beaten=one.beaten,
            tied=one.tied,
            lost=one.lost,
            flow=shown(str(one.flow), signed=True),
            word=said.get(one.player, ""),
        )
        for one in rows
    ]
