"""The tie-breaks of a season (tournaments.md 4 and 5)."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Final

from tournaments.standings.exact import Exact, Value, total_of
from tournaments.standings.meetings import Meeting, versus
from tournaments.standings.order import SCORE, Criterion, by_value
from tournaments.standings.results import ScoreAdjustment
from tournaments.standings.rows import RowKind
from tournaments.standings.scales import SharedPlace
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_books import SeasonEventLine
from tournaments.standings.season_choices import SeasonKey
from tournaments.standings.season_results import SeasonMember
from tournaments.standings.tie_breaks import firsts, lot, places_vector

_LESS_IS_BETTER: Final = frozenset([SeasonKey.PENALTIES, SeasonKey.PLAYOFF, SeasonKey.LOT])
_LIKE_TOTAL: Final = frozenset(
    [SeasonKey.BEST, SeasonKey.WORST, SeasonKey.LAST, SeasonKey.AVERAGE, SeasonKey.SCRATCH]
)
_NOT_COLUMNS: Final = frozenset([SeasonKey.H2H, SeasonKey.SHARED])
_ALWAYS: Final = frozenset(
    [SeasonKey.WINS, SeasonKey.EVENTS, SeasonKey.BEST, SeasonKey.WORST, SeasonKey.AVERAGE]
)


@dataclass(frozen=True, eq=False, kw_only=True)
class MemberRecord:
    """A member's own values, whatever the others have, after some events.

    ``total`` is with handicap where handicaps count, ``scratch`` without. ``needs`` are the events
    and the games that are missing for a rank.
    """

    member: SeasonMember
    lines: Sequence[SeasonEventLine]
    counted: frozenset[int]
    total: Fraction | None
    scratch: Fraction | None
    adjustments: Sequence[ScoreAdjustment]
    needs: tuple[int, int]
    kind: RowKind
    last_event: str | None
    _tie_breaks: dict[SeasonKey, Value] = field(default_factory=dict)

    def tie_break(self, key: SeasonKey, season: SeasonRules) -> Value:
        """The value of a tie-break, worked out when it is asked for: few are tied."""
        if key not in self._tie_breaks:
            self._tie_breaks[key] = _TELL[key](self, season)
        return self._tie_breaks[key]

    def values(self, season: SeasonRules) -> list[Exact]:
        """The worth of each event, as it counts."""
        return [line.net if season.net else line.points for line in self.lines]

    @property
    def places(self) -> Mapping[SharedPlace, Exact]:
        """The number of times that each place was reached."""
        counts: dict[SharedPlace, Exact] = defaultdict(int)
        for line in self.lines:
            if line.place:
                counts[line.place] += 1
        return counts


def season_columns(
    accounts: Mapping[str, MemberRecord], season: SeasonRules
) -> dict[str, Mapping[str, Value]]:
    """The keys that every season shows, and those of its chain."""
    wanted = {*_ALWAYS, *season.tie_breaks} - _NOT_COLUMNS
    return {key.value: _Column(key, accounts, season) for key in sorted(wanted)}


class _Column(dict[str, Value]):
    """One key of all members."""

    def __init__(
        self, key: SeasonKey, accounts: Mapping[str, MemberRecord], season: SeasonRules
    ) -> None:
        super().__init__()
        self._key = key
        self._accounts = accounts
        self._season = season

    def __missing__(self, name: str) -> Value:
        """The value of one member."""
        value = self[name] = self._accounts[name].tie_break(self._key, self._season)
        return value


def season_criteria(
    totals: Mapping[str, Fraction | None],
    accounts: Mapping[str, MemberRecord],
    columns: Mapping[str, Mapping[str, Value]],
    season: SeasonRules,
) -> list[Criterion]:
    """The chain of a season, the total first."""
    steps = [by_value(SCORE, totals, low=season.low)]
    for key in season.tie_breaks:
        if key is SeasonKey.H2H:
            steps.append(versus(lambda tied: _common_events(accounts, tied, season)))
        elif key is not SeasonKey.SHARED:
            low = key in _LESS_IS_BETTER or (season.low and key in _LIKE_TOTAL)
            steps.append(by_value(key.value, columns[key.value], low=low))
    return steps


def _common_events(
    accounts: Mapping[str, MemberRecord], tied: frozenset[str], season: SeasonRules
) -> Iterator[Meeting]:
    events: dict[str, list[tuple[str, Exact]]] = defaultdict(list)
    for name in sorted(tied):
        one = accounts[name]
        for line, value in zip(one.lines, one.values(season), strict=True):
            events[line.event].append((name, -value if season.low else value))
    for scores in events.values():
        for (one_name, mine), (other, theirs) in combinations(scores, 2):
            yield one_name, other, (mine > theirs) - (mine < theirs)


def _average(one: MemberRecord, season: SeasonRules) -> Fraction | None:
    values = one.values(season)
    return total_of(values) / len(values) if values else None


def _chips(one: MemberRecord) -> Fraction | None:
    """Return what was won at the tables; None where that is in no common unit."""
    chips = [line.chips for line in one.lines if line.chips is not None]
    return total_of(chips) if len(chips) == len(one.lines) else None


def _last(one: MemberRecord, season: SeasonRules) -> Fraction | None:
    if not one.lines or one.lines[-1].event != one.last_event:
        return None
    return Fraction(one.values(season)[-1])


def _best(one: MemberRecord, season: SeasonRules) -> Fraction | None:
    values = one.values(season)
    return Fraction((min if season.low else max)(values)) if values else None


def _worst(one: MemberRecord, season: SeasonRules) -> Fraction | None:
    values = one.values(season)
    return Fraction((max if season.low else min)(values)) if values else None


def _penalties(one: MemberRecord, season: SeasonRules) -> int:
    return sum(a.amount > 0 if season.low else a.amount < 0 for a in one.adjustments)


_TELL: Final[Mapping[SeasonKey, Callable[[MemberRecord, SeasonRules], Value]]] = {
    SeasonKey.WINS: lambda one, _: firsts(one.places),
    SeasonKey.PLACES: lambda one, _: places_vector(one.places),
    SeasonKey.BEST: _best,
    SeasonKey.WORST: _worst,
    SeasonKey.LAST: _last,
    SeasonKey.AVERAGE: _average,
    SeasonKey.EVENTS: lambda one, _: len(one.lines),
    SeasonKey.CHIPS: lambda one, _: _chips(one),
    SeasonKey.CLEAN: lambda one, _: sum(line.clean for line in one.lines),
    SeasonKey.PENALTIES: _penalties,
    SeasonKey.SCRATCH: lambda one, _: one.scratch,
    SeasonKey.PLAYOFF: lambda one, _: one.member.playoff,
    SeasonKey.LOT: lambda one, season: lot(season.lot_seed, one.member.lot or one.member.id),
}
