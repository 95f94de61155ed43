"""Summaries of published tables for the page of a club: first places, how many played, the league.

A table never changes under its digest, so what is taken of it is cached; names are not in it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

from django.core.cache import cache
from django.db.models import F
from django.db.models.functions import Coalesce

from tournaments.access.visibility import tells_of_hidden
from tournaments.models import Scope, Snapshot
from tournaments.standings.rows import place_of

PODIUM: Final = 3
TOP: Final = 5
_KEPT_SECONDS: Final = 24 * 3600
_RATED_MAX: Final = 200
"""So many ratings are remembered, of which strangers may not know all."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlacedPlayer:
    """A player of a table: their place as it is written, and their total."""

    player: str
    label: str
    total: Fraction


class PlacedEntry(NamedTuple):
    """The place of an entry as it is written, its total, and which places it shares.

    ``first`` and ``last`` are 0 for somebody without a place.
    """

    label: str
    total: str | None
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class NightSummary:
    """A night; ``first`` are those of the first three places, ``winners`` of one."""

    players: int
    hands: int
    winners: tuple[str, ...]
    first: tuple[PlacedPlayer, ...]


@dataclass(frozen=True, slots=True)
class NightPlaces:
    """Everybody's place in a night: from and to, and the rest, by entry."""

    ranked: int
    places: Mapping[str, PlacedEntry]


@dataclass(frozen=True, slots=True)
class LeaguePlace:
    """A player at the top of a league, with their places after each night."""

    placed: PlacedPlayer
    moved: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player with their rating and its band; ``is_hidden``: strangers may not know of them."""

    player: str
    rating: int
    band: int
    games: int
    is_provisional: bool
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class LeagueSummary:
    """The top of a league after ``nights``; of several divisions the first one."""

    division: str
    nights: int
    top: tuple[LeaguePlace, ...]


def find_nights(events: Sequence[UUID]) -> Mapping[UUID, NightSummary]:
    """Return summaries of nights, by event, without those lacking a table. At most two queries."""
    return _find_summaries(Scope.EVENT, events, _summarize_night, hidden=True)


def find_places(events: Sequence[UUID]) -> Mapping[UUID, NightPlaces]:
    """Return everybody's place in nights, by event, without those that have no table.

    Two queries at most.
    """
    return _find_summaries(Scope.EVENT, events, _summarize_places, hidden=True)


def find_league(league: UUID, *, hidden: bool) -> LeagueSummary | None:
    """The top of a league; None without a table, or with one that tells of a hidden night.

    ``hidden``: they may know of hidden nights. Four queries at most.
    """
    summaries = _find_summaries(Scope.LEAGUE, [league], _summarize_league, hidden=hidden)
    return summaries.get(league)


def find_ratings(club: UUID) -> Sequence[RatedPlayer]:
    """The highest ratings of a club. Two queries at most."""
    return _find_summaries(Scope.RATINGS, [club], _summarize_ratings, hidden=True).get(club, ())


def find_prediction(club: UUID) -> Mapping[str, Any] | None:
    """Return how well ratings predicted the last winners of a club. Two queries at most."""
    found = _find_summaries(Scope.RATINGS, [club], _summarize_prediction, hidden=True)
    return found.get(club)


def _summarize_prediction(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    loss: Mapping[str, Any] | None = data.get("prediction")
    return loss


def _find_summaries(
    scope: Scope, subjects: Sequence[UUID], summarize: Callable[[Any], T], *, hidden: bool
) -> dict[UUID, T]:
    holding = Coalesce(F("published__official"), F("published__version"))
    rows = Snapshot.objects.filter(
        published__scope=scope, published__subject__in=subjects, version=holding
    )
    tables = {
        row.published.subject: row
        for row in rows.select_related("published").defer("data")
        if hidden or not tells_of_hidden(row.published, [row.version])
    }
    keys = {subject: f"{summarize.__name__}-{row.digest}" for subject, row in tables.items()}
    known = cache.get_many(keys.values())
    unknown = [row.pk for subject, row in tables.items() if keys[subject] not in known]
    if unknown:
        texts = dict(Snapshot.objects.filter(pk__in=unknown).values_list("pk", "data"))
        made = {
            keys[subject]: summarize(json.loads(texts[row.pk]))
            for subject, row in tables.items()
            if row.pk in texts
        }
        cache.set_many(made, _KEPT_SECONDS)
        known |= made
    return {subject: known[key] for subject, key in keys.items()}


def _summarize_night(data: Mapping[str, Any]) -> NightSummary:
    ranked = [row for row in data["rows"] if row["rank_from"]]
    entries = data["entries"]

    def placed(row: Mapping[str, Any]) -> PlacedPlayer:
        player = entries.get(row["entry"], {}).get("player", row["entry"])
        return PlacedPlayer(player, row["label"], Fraction(row["total"]))

    return NightSummary(
        players=len(data["rows"]),
        hands=(data.get("up_to") or {}).get("hands", 0),
        winners=tuple(placed(row).player for row in ranked if row["rank_from"] == 1),
        first=tuple(placed(row) for row in ranked[:PODIUM]),
    )


def _summarize_places(data: Mapping[str, Any]) -> NightPlaces:
    return NightPlaces(
        ranked=sum(1 for row in data["rows"] if row["label"]),
        places={
            row["entry"]: PlacedEntry(
                row["label"], row["total"], row["rank_from"] or 0, row["rank_to"] or 0
            )
            for row in data["rows"]
        },
    )


def _summarize_ratings(data: Mapping[str, Any]) -> tuple[RatedPlayer, ...]:
    """Versions of before 0.3.0 have no bands; the worker computes them anew at once."""
    rows = [row for row in data["rows"] if "band" in row][:_RATED_MAX]
    return tuple(
        RatedPlayer(
            player=row["player"],
            rating=round(Fraction(row["rating"])),
            band=round(Fraction(row["band"])),
            games=row["games"],
            is_provisional=row["provisional"],
            is_hidden=row["hidden"],
        )
        for row in rows
    )


def _summarize_league(data: Mapping[str, Any]) -> LeagueSummary:
    ranked = [row for row in data["rows"] if row["rank_from"]]
    division = ranked[0]["division"] if ranked else ""
    several = len({row["division"] for row in data["rows"]}) > 1
    return LeagueSummary(
        division=division if several else "",
        nights=len(data["events"]),
        top=tuple(
            LeaguePlace(
                placed=PlacedPlayer(row["entry"], row["label"], Fraction(row["total"])),
                moved=row["delta"] or 0,
                places=tuple(filter(None, (place_of(one["label"]) for one in row["history"]))),
            )
            for row in ranked
            if row["division"] == division
        )[:TOP],
    )
