"""Where everybody stands in a season by now.

What was published of its events is taken as it is, of the others what their sums come to; or the
database adds up the whole season, from the sums or from the results themselves. Totals, and places
by the total alone, are those that will be published. Where more decides than what the games of an
event that is behind bring by themselves (`tournaments.kept.standing`), handicaps, or a division,
nothing is told.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple
from uuid import UUID

from tournaments.kept.season_held import Held, Place, Played, held
from tournaments.kept.season_nights import played_of
from tournaments.kept.season_sums import Together, played_together
from tournaments.kept.standing import ranks_of
from tournaments.standings.exact import Exact
from tournaments.standings.order import Rank
from tournaments.standings.season import Season
from tournaments.standings.season_choices import Joiners, Measure, Rule
from tournaments.standings.season_counting import Calendar
from tournaments.standings.season_results import Member

_NOTHING: Final = Played(0, 0, 0, 0)
_NO_PLACE: Final = Place(0, 0, 0)


class InSeason(NamedTuple):
    """Where a member stands by now; ``rank`` is None where none is given.

    ``is_withdrawn``: withdrew with results, or with points brought into the season, which stay.
    """

    entry: str
    division: str | None
    rank: Rank | None
    total: Exact | None
    events: int
    games: int
    is_withdrawn: bool


def season_now(league_id: UUID, *, from_results: bool = False) -> list[InSeason] | None:
    """The members of a season, the best of each division first; None: only publishing tells.

    One query, and one for events published since the last time; up to five more where many are
    behind. ``from_results``: from nothing that is kept or published. Raises League.DoesNotExist.
    """
    found = held(league_id)
    if not _adds_up(found):
        return None
    if from_results or found.is_long:
        together = played_together(league_id, found.season, from_results=from_results)
    else:
        together = _night_by_night(found)
    return None if together is None else _standing(found, together)


def _night_by_night(found: Held) -> Together | None:
    numbers = found.numbers
    played = played_of(found, Calendar(found.season, numbers).best(Member("")))
    return None if played is None else Together(numbers, played)


def _adds_up(found: Held) -> bool:
    """Whether a total is made of what the events brought, whoever has it."""
    season = found.season
    asks_more = season.rule is Rule.BEST_N or season.least_events or season.least_games
    return (
        not season.net
        and not (season.joiners is Joiners.PRO_RATA and asks_more)
        and not found.has_divided
    )


def _standing(of: Held, together: Together) -> list[InSeason]:
    roll, found, season = of.roll, together.played, of.season
    everybody = {*roll, *(found if of.is_open else ())}
    calendar = Calendar(season, together.numbers)
    events = calendar.due(Member(""), season.least_events)
    games = calendar.due(Member(""), season.least_games)
    prior = _prior(season, [found[name] for name in everybody if name in found])
    totals: dict[str, Exact | None] = {}
    ranked: dict[str | None, list[str]] = {}
    is_sum = season.measure is Measure.SUM and not season.by_game and not season.attendance
    for name in everybody:
        place, played = roll.get(name, _NO_PLACE), found.get(name, _NOTHING)
        total = played.value + place.opening if is_sum else _total(season, place, played, prior)
        totals[name] = total
        if (
            total is not None
            and not place.is_withdrawn
            and (played.events or place.opening)
            and played.events + place.opening_events >= events
            and played.games + place.opening_events >= games
        ):
            ranked.setdefault(_division(season, place), []).append(name)
    ranks = {
        name: rank
        for names in ranked.values()
        for name, rank in ranks_of(names, totals, low=season.low).items()
    }
    last = len(everybody) + 1
    lines = []
    for name in everybody:
        place, played, rank = roll.get(name, _NO_PLACE), found.get(name, _NOTHING), ranks.get(name)
        division = _division(season, place)
        gone = place.is_withdrawn and bool(played.events or place.opening)
        line = InSeason(name, division, rank, totals[name], played.events, played.games, gone)
        lines.append((division or "", rank.first if rank else last, name, line))
    lines.sort()
    return [line for *_, line in lines]


def _division(season: Season, place: Place) -> str | None:
    if not season.divisions or not 0 < place.division <= len(season.divisions):
        return None
    return season.divisions[place.division - 1]


def _prior(season: Season, everybody: Sequence[Played]) -> Fraction:
    """The mean of a game in the whole season, where the season names none."""
    if season.rule is not Rule.SHRUNK or season.prior is not None:
        return season.prior or Fraction(0)
    games = sum(one.games for one in everybody)
    total = sum(one.value for one in everybody)
    return Fraction(total) / games if games else Fraction(0)


def _total(season: Season, place: Place, played: Played, prior: Fraction) -> Exact | None:
    """A total as `count_events` counts it, of what is added up already."""
    total = played.value + place.opening
    if season.by_game:
        parts = Fraction(played.games + place.opening_events)
        if season.rule is Rule.SHRUNK:
            total, parts = total + season.shrink * prior, parts + season.shrink
    elif season.measure is Measure.AVERAGE:
        parts = Fraction(played.weight + place.opening_events)
    else:
        return _attended(total, played, season)
    return _attended(total / parts, played, season) if parts else None


def _attended(total: Exact, played: Played, season: Season) -> Exact:
    return total + season.attendance * played.events if season.attendance else total
