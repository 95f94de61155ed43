"""Where everybody stands in a season by now, added up by the database in one statement.

It is made of the kept sums, or of the results themselves. Totals, and places by the total alone,
are those that will be published. Where more decides than what the games of an event bring by
themselves (`tournaments.kept.standing`), handicaps, or a division, nothing is told.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from tournaments.asked import Asked, known, shown
from tournaments.kept.parts import SIZES, Parts, parts_of
from tournaments.kept.season_statement import Added, Asking, Night, Source, Statement, statement
from tournaments.kept.standing import HAS_ADJUSTMENTS, MORE_DECIDES, ranks_of
from tournaments.kept.worth import worth_of
from tournaments.models import (
    Adjustment,
    Entry,
    EntryStanding,
    Event,
    League,
    LeagueEvent,
    LeagueMember,
    Status,
    TableGame,
)
from tournaments.standings.exact import Exact
from tournaments.standings.order import Rank
from tournaments.standings.season import DROPPING, Season
from tournaments.standings.season_choices import Joiners, Measure, Rule
from tournaments.standings.season_counting import Calendar
from tournaments.standings.season_results import Member
from tournaments.standings.settings import exact

_OF_EVENT: Final = f"FROM {TableGame._meta.db_table} g WHERE g.event_id = v.id"
_EVENTS: Final = Asked(
    f"""
    SELECT v.id, l.number, l.weight, l.division, CAST(v.scoring AS text), v.hands,
        {MORE_DECIDES}, {HAS_ADJUSTMENTS},
        EXISTS (SELECT 1 FROM {Entry._meta.db_table} e
            WHERE e.event_id = v.id AND e.standing = '{EntryStanding.GUEST}'),
        (SELECT MAX(CASE WHEN g.low THEN 1 ELSE 0 END) {_OF_EVENT}),
        (SELECT MAX(g.size) {_OF_EVENT})
    FROM {LeagueEvent._meta.db_table} l JOIN {Event._meta.db_table} v ON v.id = l.event_id
    WHERE l.league_id = %s AND v.status <> '{Status.PLANNED}'
    ORDER BY l.number, v.id
    """,  # noqa: S608 (our own names)
    "uuid",
)


class InSeason(NamedTuple):
    """Where a member stands by now; ``rank`` is None where none is given yet."""

    entry: str
    division: str | None
    rank: Rank | None
    total: Exact | None
    events: int
    games: int


class Held(NamedTuple):
    """What the database says of an event of a season."""

    event: Any
    number: int
    weight: str
    division: int | None
    settings: str
    hands: int
    more: bool
    has_adjustments: bool
    has_guests: bool
    low: int | None
    size: int | None


class _Played(NamedTuple):
    """What a member played; ``weight`` is that of the events that count."""

    value: Fraction
    weight: Fraction
    events: int
    games: int


_NOTHING: Final = _Played(Fraction(0), Fraction(0), 0, 0)


@dataclass(frozen=True, slots=True)
class _Roll:
    """Who is on the roll, by who he is once duplicates are seen through."""

    league: League
    season: Season
    held: tuple[int, ...]
    places: Mapping[str, LeagueMember]


def season_now(league_id: UUID, *, from_results: bool = False) -> list[InSeason] | None:
    """The members of a season, the best of each division first; None: only publishing tells.

    Four queries, one more for adjustments. ``from_results``: not from the sums that are kept of
    them. Raises League.DoesNotExist.
    """
    league = League.objects.get(pk=league_id)
    season = Season.from_data({"planned": league.planned or None, **league.season})
    held = [Held(*row) for row in _EVENTS.rows(league_id)]
    scorings: list[Parts] = []
    nights = _nights(held, scorings)
    added = _added(league_id) if any(one.has_adjustments for one in held) else []
    if nights is None or added is None or not _adds_up(season, held):
        return None
    found: dict[str, _Played] = {}
    if nights:
        if season.by_game:
            nights = [one._replace(weight=Fraction(1)) for one in nights]
        source = _results(held) if from_results else Source.SUMS
        asking = _asking(season, held, source)
        asked = statement(league_id, nights, scorings, added, asking)
        if asked is None:
            return None
        found = _played(asked)
    return _standing(_roll(league, season, held), found)


def _nights(held: Sequence[Held], scorings: list[Parts]) -> list[Night] | None:
    """The events with their scorings, which are numbered; None where one cannot be added up."""
    found = []
    numbers: dict[int, int] = {}
    for one in held:
        low, guests = bool(one.low), one.has_guests
        worth = worth_of(one.settings, one.hands, low=low, guests=guests)
        parts = None if worth is None else parts_of(worth)
        if parts is None or one.more:
            return None
        scoring = numbers.setdefault(id(parts), len(numbers))
        if scoring == len(scorings):
            scorings.append(parts)
        found.append(Night(known(one.event), one.number, scoring, exact(one.weight)))
    return found


def _adds_up(season: Season, held: Iterable[Held]) -> bool:
    """Whether a total is made of what the events brought, whoever has it."""
    asks_more = season.rule is Rule.BEST_N or season.least_events or season.least_games
    return (
        not season.net
        and not (season.joiners is Joiners.PRO_RATA and asks_more)
        and all(one.division is None for one in held)
    )


def _results(held: Sequence[Held]) -> Source:
    """Whether most of all results are of these events. Two queries."""
    games = TableGame.objects.filter(event__in=[one.event for one in held]).count()
    return Source.ALL_RESULTS if 2 * games > TableGame.objects.count() else Source.RESULTS


def _asking(season: Season, held: Sequence[Held], source: Source) -> Asking:
    sizes = [one.size for one in held if one.size]
    return Asking(_kept(season, held), season.low, max(sizes, default=SIZES[0]), source)


def _kept(season: Season, held: Sequence[Held]) -> str:
    """How many of the events that somebody played count, in SQL."""
    if season.rule not in DROPPING:
        return ""
    if season.rule is Rule.BEST_N:
        return str(Calendar(season, tuple(one.number for one in held)).best(Member("")))
    if season.rule is Rule.DROP_WORST:
        dropped = str(season.drop)
    else:
        first, every = season.slide_from, season.slide_every
        dropped = f"(CASE WHEN held > {first} THEN (held - {first}) / {every} ELSE 0 END)"
    return f"(CASE WHEN held - {dropped} > 1 THEN held - {dropped} ELSE 1 END)"


def _added(league: UUID) -> list[Added] | None:
    """What the director added in its events; None where that moves places. One query."""
    rows = Adjustment.objects.filter(
        entry__event__leagues__league=league,
        entry__standing=EntryStanding.PLAYER,
        cancelled_at=None,
    ).exclude(entry__event__status=Status.PLANNED)
    found = []
    columns = ("entry_id", "amount", "round", "affects_place")
    for entry, amount, number, moves in rows.values_list(*columns):
        if moves and number is not None:
            return None
        found.append(Added(entry, exact(amount)))
    return found


def _played(asked: Statement) -> dict[str, _Played]:
    """What everybody played, from the database."""
    with connection.cursor() as cursor:
        cursor.execute(asked.sql)
        rows = cursor.fetchall()
    return {
        shown(player): _Played(
            Fraction(int(value), asked.measure * asked.weight),
            Fraction(int(weight), asked.weight),
            events,
            int(games),
        )
        for player, value, weight, events, games in rows
    }


def _roll(league: League, season: Season, held: Sequence[Held]) -> _Roll:
    rows = LeagueMember.objects.filter(league=league).order_by("joined_at", "id")
    places: dict[str, LeagueMember] = {}
    for row in rows.select_related("player"):
        places.setdefault(str(row.player.merged_into_id or row.player_id), row)
    return _Roll(league, season, tuple(one.number for one in held), places)


def _standing(roll: _Roll, found: Mapping[str, _Played]) -> list[InSeason]:
    everybody = {*roll.places, *(found if roll.league.is_open else ())}
    season, calendar = roll.season, Calendar(roll.season, roll.held)
    events = calendar.due(Member(""), season.least_events)
    games = calendar.due(Member(""), season.least_games)
    prior = _prior(season, [found[name] for name in everybody if name in found])
    totals: dict[str, Fraction | None] = {}
    ranked: dict[str | None, list[str]] = {}
    for name in everybody:
        place, played = roll.places.get(name), found.get(name, _NOTHING)
        totals[name] = _total(season, place, played, prior)
        opening = place.opening_events if place else 0
        if (
            totals[name] is not None
            and (played.events or (place is not None and place.opening and exact(place.opening)))
            and played.events + opening >= events
            and played.games + opening >= games
        ):
            ranked.setdefault(_division(season, place), []).append(name)
    ranks = {
        name: rank
        for names in ranked.values()
        for name, rank in ranks_of(names, totals, low=season.low).items()
    }
    lines = []
    for name in everybody:
        division, played = _division(season, roll.places.get(name)), found.get(name, _NOTHING)
        rank = ranks.get(name)
        lines.append(InSeason(name, division, rank, totals[name], played.events, played.games))
    last = len(lines) + 1
    return sorted(
        lines,
        key=lambda one: (one.division or "", one.rank.first if one.rank else last, one.entry),
    )


def _division(season: Season, place: LeagueMember | None) -> str | None:
    if place is None or not 0 < place.division <= len(season.divisions):
        return None
    return season.divisions[place.division - 1]


def _prior(season: Season, everybody: Sequence[_Played]) -> Fraction:
    """The mean of a game in the whole season, where the season names none."""
    if season.rule is not Rule.SHRUNK or season.prior is not None:
        return season.prior or Fraction(0)
    games = sum(one.games for one in everybody)
    return sum((one.value for one in everybody), Fraction(0)) / games if games else Fraction(0)


def _total(
    season: Season, place: LeagueMember | None, played: _Played, prior: Fraction
) -> Fraction | None:
    """A total as `count_events` counts it, of what is added up already."""
    opening = exact(place.opening) if place is not None and place.opening else 0
    opened = place.opening_events if place is not None else 0
    total = played.value + opening if opening else played.value
    if season.by_game:
        parts = Fraction(played.games + opened)
        if season.rule is Rule.SHRUNK:
            total, parts = total + season.shrink * prior, parts + season.shrink
    elif season.measure is Measure.AVERAGE:
        parts = played.weight + opened
    else:
        return _attended(total, played, season)
    return _attended(total / parts, played, season) if parts else None


def _attended(total: Fraction, played: _Played, season: Season) -> Fraction:
    return total + season.attendance * played.events if season.attendance else total
