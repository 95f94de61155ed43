"""A season added up by the database in one statement, from the kept sums or from the results.

So it is where many events are behind, and where what is kept is to be looked at (`verify`).
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from tournaments.asked import Asked, known, shown
from tournaments.kept.added_up import MORE_DECIDES
from tournaments.kept.parts import SIZES, Parts, parts_of
from tournaments.kept.season_held import Played
from tournaments.kept.season_statement import Added, Asking, Night, Source, Statement, statement
from tournaments.kept.worth import worth_of
from tournaments.models import (
    Adjustment,
    Entry,
    EntryStanding,
    Event,
    LeagueEvent,
    Status,
    TableGame,
)
from tournaments.standings.exact import plain
from tournaments.standings.season import DROPPING, Season
from tournaments.standings.season_choices import Rule
from tournaments.standings.season_counting import Calendar
from tournaments.standings.season_results import Member
from tournaments.standings.settings import exact

HAS_ADJUSTMENTS: Final = f"""
    EXISTS (SELECT 1 FROM {Adjustment._meta.db_table} a JOIN {Entry._meta.db_table} i
        ON i.id = a.entry_id WHERE i.event_id = v.id AND a.cancelled_at IS NULL)
"""
_OF_EVENT: Final = f"FROM {TableGame._meta.db_table} g WHERE g.event_id = v.id"
_EVENTS: Final = Asked(
    f"""
    SELECT v.id, l.number, l.weight, l.division, CAST(v.scoring AS text), v.hands,
        {MORE_DECIDES}, {HAS_ADJUSTMENTS},
        EXISTS (SELECT 1 FROM {Entry._meta.db_table} e
            WHERE e.event_id = v.id AND e.standing = '{EntryStanding.GUEST}'
                AND NOT v.rank_guests),
        (SELECT MAX(CASE WHEN g.low THEN 1 ELSE 0 END) {_OF_EVENT}),
        (SELECT MAX(g.size) {_OF_EVENT})
    FROM {LeagueEvent._meta.db_table} l JOIN {Event._meta.db_table} v ON v.id = l.event_id
    WHERE l.league_id = %s AND v.status <> '{Status.PLANNED}'
    ORDER BY l.number, v.id
    """,
    "uuid",
)


class _Event(NamedTuple):
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


class Together(NamedTuple):
    """The numbers of the events held, and what everybody played in them."""

    numbers: tuple[int, ...]
    played: dict[str, Played]


def played_together(league_id: UUID, season: Season, *, from_results: bool) -> Together | None:
    """What everybody played; None where the database cannot add it up.

    Two queries, two more for results and one for adjustments.
    """
    held = [_Event(*row) for row in _EVENTS.rows(league_id)]
    scorings: list[Parts] = []
    nights = _nights(held, scorings)
    added = _added(league_id) if any(one.has_adjustments for one in held) else []
    if nights is None or added is None:
        return None
    numbers = tuple(one.number for one in held)
    if not nights:
        return Together(numbers, {})
    if season.by_game:
        nights = [one._replace(weight=Fraction(1)) for one in nights]
    source = _results(held) if from_results else Source.SUMS
    asked = statement(league_id, nights, scorings, added, _asking(season, held, source))
    return None if asked is None else Together(numbers, _played(asked))


def _nights(held: Sequence[_Event], scorings: list[Parts]) -> list[Night] | None:
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


def _results(held: Sequence[_Event]) -> Source:
    """Whether most of all results are of these events. Two queries."""
    games = TableGame.objects.filter(event__in=[one.event for one in held]).count()
    return Source.ALL_RESULTS if 2 * games > TableGame.objects.count() else Source.RESULTS


def _asking(season: Season, held: Sequence[_Event], source: Source) -> Asking:
    sizes = [one.size for one in held if one.size]
    return Asking(_kept(season, held), season.low, max(sizes, default=SIZES[0]), source)


def _kept(season: Season, held: Sequence[_Event]) -> str:
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
        entry__standing__in=(EntryStanding.PLAYER, EntryStanding.GUEST),
        cancelled_at=None,
    ).exclude(entry__event__status=Status.PLANNED)
    found = []
    columns = ("entry_id", "amount", "round", "affects_place")
    for entry, amount, number, moves in rows.values_list(*columns):
        if moves and number is not None:
            return None
        found.append(Added(entry, exact(amount)))
    return found


def _played(asked: Statement) -> dict[str, Played]:
    """What everybody played, from the database."""
    with connection.cursor() as cursor:
        cursor.execute(asked.sql)
        rows = cursor.fetchall()
    return {
        shown(player): Played(
            plain(Fraction(int(value), asked.measure * asked.weight)),
            plain(Fraction(int(weight), asked.weight)),
            events,
            int(games),
        )
        for player, value, weight, events, games in rows
    }
