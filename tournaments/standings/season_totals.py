"""Events that count for a member, and their sum (tournaments.md 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Final, NamedTuple

from tournaments.standings.exact import Exact, common, total_of
from tournaments.standings.season import DROPPING, SeasonRules
from tournaments.standings.season_choices import CountingRule, Joiners, Measure
from tournaments.standings.season_results import SeasonMember

_WHOLE: Final = Fraction(1)


class CountedEvent(NamedTuple):
    """An event that a member played, as far as it is counted."""

    points: Exact
    games: int = 1
    weight: Fraction = Fraction(1)

    @property
    def value(self) -> Exact:
        """The worth by its weight."""
        return self.points if self.weight == 1 else self.points * self.weight


class CountedTotal(NamedTuple):
    """A total, and which of the events are in it, by their index."""

    total: Fraction | None
    kept: frozenset[int]


@dataclass(frozen=True, slots=True)
class SeasonProgress:
    """The part of a season that has been held, and the part that was there for a member.

    ``held`` are the numbers of the events held so far; ``planned`` is at least as many.
    """

    season: SeasonRules
    held: tuple[int, ...]

    @property
    def planned(self) -> int:
        """The number of events of the season."""
        return max(self.season.planned or 0, len(self.held))

    @property
    def left(self) -> int:
        """The number of events still to come."""
        return self.planned - len(self.held)

    def best(self, member: SeasonMember) -> int:
        """The number of events that count under best N."""
        best = self.season.best or ceil(Fraction(2 * self.planned, 3))
        return ceil(best * self._share(member)) if self._events_before_joining(member) else best

    def due(self, member: SeasonMember, least: int) -> int:
        """Return how many of ``least`` events or games a member must have by now."""
        if not least:
            return 0
        at_end = ceil(least * self._share(member))
        if self.season.rising.value == "off" or self.season.planned is None:
            return at_end
        missed = self._events_before_joining(member)
        there = self.planned - missed
        return min(at_end, ceil(Fraction(at_end * (len(self.held) - missed), there or 1)))

    def _events_before_joining(self, member: SeasonMember) -> int:
        """Events before they joined, where that excuses them."""
        if self.season.joiners is Joiners.ABSENT:
            return 0
        return sum(number < member.joined for number in self.held)

    def _share(self, member: SeasonMember) -> Fraction:
        missed = self._events_before_joining(member)
        if not missed:
            return _WHOLE
        return Fraction(self.planned - missed, self.planned)


def count_events(
    parts: Sequence[CountedEvent],
    member: SeasonMember,
    calendar: SeasonProgress,
    prior: Fraction = Fraction(0),
) -> CountedTotal:
    """The total of some events of a member, with what they brought along.

    ``prior`` is the mean to which a shrunk average is drawn.
    """
    season = calendar.season
    (opening, *values), whole = common([member.opening, *(part.value for part in parts)])
    kept = _choose_counted(values, season, calendar.best(member))
    if season.by_game:
        return CountedTotal(_by_game(parts, member, season, prior), kept)
    total = Fraction(opening + sum(values[number] for number in kept), whole)
    if season.measure is Measure.SUM:
        return CountedTotal(total, kept)
    weights = [parts[number].weight for number in kept]
    weight = total_of([*weights, member.opening_events])
    return CountedTotal(total / weight if weight else None, kept)


def _by_game(
    parts: Sequence[CountedEvent], member: SeasonMember, season: SeasonRules, prior: Fraction
) -> Fraction | None:
    total = total_of([*(part.points for part in parts), member.opening])
    games = Fraction(sum(part.games for part in parts) + member.opening_games)
    if season.rule is CountingRule.SHRUNK:
        total, games = total + season.shrink * prior, games + season.shrink
    return total / games if games else None


def _choose_counted(values: Sequence[int], season: SeasonRules, best: int) -> frozenset[int]:
    """Return the indexes of the values that count; of equal ones the earlier."""
    if season.rule not in DROPPING:
        return frozenset(range(len(values)))
    # Reversed, equal values still stand in the order of the events.
    order = sorted(range(len(values)), key=values.__getitem__, reverse=not season.low)
    return frozenset(order[: count_kept(len(values), season, best)])


def count_kept(played: int, season: SeasonRules, best: int) -> int:
    """Count the events of a member that count, under a rule that drops some."""
    if season.rule is CountingRule.BEST_N:
        return best
    if season.rule is CountingRule.DROP_WORST:
        return max(1, played - season.drop)
    beyond = max(0, played - season.slide_from)
    return max(1, played - beyond // season.slide_every)


def handicap_of(average: Exact, season: SeasonRules) -> Fraction:
    """The handicap of an average: a share of its distance to the base, never below 0.

    >>> season = SeasonRules.from_data({"handicap_base": 55, "handicap_cap": 20})
    >>> [str(handicap_of(average, season)) for average in (42, 60, 20)]
    ['52/5', '0', '20']
    """
    distance = average - season.handicap_base if season.low else season.handicap_base - average
    handicap = max(Fraction(0), distance * season.handicap_share)
    return handicap if season.handicap_cap is None else min(handicap, season.handicap_cap)
