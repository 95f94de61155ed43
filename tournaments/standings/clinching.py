"""Certainties about the end of a season before it is over (tournaments.md 5).

Every member is bounded: the least they can end with, whether they come to the events that are left
or stay away, and the most. The bounds suppose that the plan stays as it is, that an event that is
not in the calendar yet has weight 1, and that none brings anybody more or less than the season
says. Before the end nothing is known where handicaps count, where games or events of different
weights are averaged, and where what is asked of members depends on when they joined.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import Final, NamedTuple

from tournaments.standings.choices import Credit
from tournaments.standings.exact import Exact, total_of
from tournaments.standings.memo import Memo
from tournaments.standings.order import RankedEntry
from tournaments.standings.rows import Prospects, RowKind
from tournaments.standings.season import DROPPING, SeasonRules
from tournaments.standings.season_books import SeasonEventLine
from tournaments.standings.season_choices import Joiners, Measure
from tournaments.standings.season_results import EventAhead, SeasonMember
from tournaments.standings.season_table import Division, SeasonTable
from tournaments.standings.season_totals import SeasonProgress, count_kept

_NEWCOMER: Final = SeasonMember("")
"""Anybody who plays in an open league for the first time."""


def find_prospects(
    table: SeasonTable, ahead: Sequence[EventAhead], memo: Memo, *, is_open: bool = False
) -> Prospects:
    """Find certainties in each division; ``ahead`` are the events in the calendar not over.

    ``is_open``: newcomers may still join, in the division of those who are in none. ``memo``
    remembers the bounds of everybody, which a hand of tonight does not change.
    """
    if table.season.planned is None:
        return Prospects()
    outlook = _Outlook(table, ahead, memo)
    if outlook.is_over:
        found = [_judge_at_the_end(ranked, table.season) for _, ranked, _ in table.divisions]
    elif outlook.is_bounded():
        found = [
            outlook.judge(division, is_open=is_open and table.division(division[0][0]) is None)
            for division in table.divisions
        ]
    else:
        found = []
    return Prospects(
        won=frozenset[str]().union(*(one.won for one in found)),
        safe=frozenset[str]().union(*(one.safe for one in found)),
        possible=frozenset[str]().union(*(one.possible for one in found)),
    )


def _judge_at_the_end(ranked: Sequence[RankedEntry], season: SeasonRules) -> Prospects:
    return Prospects(
        won=frozenset(one.entry for one in ranked if one.rank.last == 1),
        safe=frozenset(one.entry for one in ranked if one.rank.last <= season.promoted),
    )


class _Bounds(NamedTuple):
    """Totals of a member, the greater the better: the least and the most.

    ``sure`` is the most without events that are for one division. None: an average of nothing.
    """

    least: Fraction | None
    most: Fraction | None
    sure: Fraction | None


class _Outlook:
    """A season with the events that are left."""

    def __init__(self, table: SeasonTable, ahead: Sequence[EventAhead], memo: Memo) -> None:
        self._table = table
        self._memo = memo
        ids = {event.id for event in ahead}
        self._running = {event.id for event in table.held if event.id in ids}
        known = len(table.held) + len(ahead) - len(self._running)
        unannounced = max(0, (table.season.planned or 0) - known)
        others = [Fraction(1)] * unannounced
        self._weights = [event.weight for event in ahead] + others
        self._for_all = [event.weight for event in ahead if not event.is_of_division] + others
        self._calendar = SeasonProgress(table.season, tuple(range(known + unannounced)))

    @cached_property
    def _lines(self) -> Mapping[str, Sequence[SeasonEventLine]]:
        """Return everybody's lines of the events that are over."""
        return {
            name: [line for line in lines if line.event not in self._running]
            for name, lines in self._table.lines.items()
        }

    @property
    def is_over(self) -> bool:
        return not self._weights

    def is_bounded(self) -> bool:
        """Whether there are bounds for what totals can become."""
        season = self._table.season
        if season.highest is None or season.lowest is None or season.by_game or season.net:
            return False
        if season.joiners is not Joiners.ABSENT or season.substitute_credit is not Credit.ENTRY:
            return False
        lines = [line for lines in self._lines.values() for line in lines]
        weights = {*self._weights, *(line.weight for line in lines)}
        return (season.measure is Measure.SUM or weights == {1}) and all(
            season.lowest <= line.points <= season.highest for line in lines
        )

    def judge(self, division: Division, *, is_open: bool) -> Prospects:
        """Judge the certainties of a division, which newcomers may join if it ``is_open``."""
        names, ranked, _ = division
        left = self._weights, self._for_all
        bounds = {
            name: self._memo.part(
                ("bounds", name), (self._lines[name], left), partial(self._bounds, name)
            )
            for name in names
        }
        most = sorted(bound.most for bound in bounds.values() if bound.most is not None)
        floors = {
            name: one.least
            for name, one in bounds.items()
            if one.least is not None and self._is_ranked_for_good(name)
        }
        floor = sorted(floors.values())
        newcomer = self._most_of_a_newcomer() if is_open else None
        line = self._table.season.promoted
        ranks = {one.entry: one.rank for one in ranked}

        def stays_within(name: str, places: int) -> bool:
            least = bounds[name].least
            if least is None or (newcomer is not None and newcomer >= least):
                return False
            return _count_from(most, least) <= places and self._is_ranked_for_good(name)

        def can_reach_line(name: str) -> bool:
            """Whether they are within it if they do their best and all others their worst.

            For others the worst may be to come, where points can be below zero, or to stay away;
            who has no rank without coming again is in nobody's way.
            """
            sure, own = bounds[name].sure, floors.get(name)
            if self._running or sure is None or not self._can_be_ranked(name):
                return False
            is_counted = own is not None and own >= sure
            return _count_from(floor, sure) - is_counted < line

        below = [name for name in names if name not in ranks or ranks[name].last > line]
        return Prospects(
            won=frozenset(name for name in ranks if stays_within(name, 1)),
            safe=frozenset(name for name in ranks if stays_within(name, line)),
            possible=frozenset(filter(can_reach_line, below)) if line else frozenset(),
        )

    def _bounds(self, name: str) -> _Bounds:
        member = self._table.members[name]
        extra = [one.amount for one in self._table.adjustments[name]]
        values = [line.part(net=False).value for line in self._lines[name]]
        best, worst = self._extremes()
        totals = [
            self._totals(member, values, sorted(times_weight, reverse=reverse), extra)
            for times_weight, reverse in (
                ([worst * weight for weight in self._weights], False),
                ([best * weight for weight in self._weights], True),
                ([best * weight for weight in self._for_all], True),
            )
        ]
        least, most, sure = ([one for one in found if one is not None] for found in totals)
        return _Bounds(
            least=min(least, default=None),
            most=max(most, default=None),
            sure=max(sure, default=None),
        )

    def _most_of_a_newcomer(self) -> Fraction | None:
        best, _ = self._extremes()
        values = sorted((best * weight for weight in self._weights), reverse=True)
        # Who does not come at all is not in the table.
        totals = self._totals(_NEWCOMER, (), values, ())[1:]
        return max((one for one in totals if one is not None), default=None)

    def _extremes(self) -> tuple[Fraction, Fraction]:
        """The best and the worst that an event of weight 1 brings, the greater the better."""
        season = self._table.season
        assert season.highest is not None
        assert season.lowest is not None
        if season.low:
            return -season.lowest, -season.highest
        return season.highest, season.lowest

    def _totals(
        self,
        member: SeasonMember,
        played: Iterable[Exact],
        left: Sequence[Exact],
        extra: Iterable[Exact],
    ) -> list[Fraction | None]:
        """Return a member's totals after none, the first, the first two, ... of what is ``left``.

        The greater the better, as what is ``left`` already is; `count_events` says the same of
        one of them.
        """
        season = self._table.season
        sign = -1 if season.low else 1
        best = self._calendar.best(member)
        values = sorted(sign * value for value in played)
        found: list[Fraction | None] = []
        for more in range(len(left) + 1):
            if more:
                insort(values, left[more - 1])
            number = len(values)
            kept = number
            if season.rule in DROPPING:
                kept = min(number, count_kept(number, season, best))
            total: Fraction | None = total_of(values[number - kept :]) + sign * member.opening
            if season.measure is Measure.AVERAGE:
                events = kept + member.opening_events
                total = total / events if events and total is not None else None
            if total is not None:
                total += sign * (sum(extra, Fraction(0)) + season.attendance * number)
            found.append(total)
        return found

    def _is_ranked_for_good(self, name: str) -> bool:
        """Whether they keep a rank even if they play no more."""
        return self._table.records[name].kind is RowKind.RANKED and self._has_played(name, 0)

    def _can_be_ranked(self, name: str) -> bool:
        """Whether they have a rank at the end if they come to everything that is for all."""
        return not self._table.members[name].withdrawn and self._has_played(
            name, len(self._for_all)
        )

    def _has_played(self, name: str, more: int) -> bool:
        """Whether what they played is enough for a rank, with ``more`` events of a game each."""
        season, member, lines = self._table.season, self._table.members[name], self._lines[name]
        events = len(lines) + member.opening_events + more
        games = sum(line.games for line in lines) + member.opening_games + more
        return events >= season.least_events and games >= season.least_games


def _count_from(ordered: Sequence[Fraction], least: Fraction) -> int:
    """Count how many of some ordered numbers are at least so great."""
    return len(ordered) - bisect_left(ordered, least)
