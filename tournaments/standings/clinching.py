"""Whether a season is won before it is over (tournaments.md 5).

Only told where it can be known: the most and the least that an event can bring are bounded, the
number of events is planned, and neither handicaps nor weights nor averages of games are in it.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

from tournaments.standings.rows import RowKind
from tournaments.standings.season_choices import CountingRule
from tournaments.standings.season_table import SeasonTable
from tournaments.standings.season_totals import CountedEvent, count_events

_BOUNDED = frozenset(
    [CountingRule.SUM, CountingRule.BEST_N, CountingRule.DROP_WORST, CountingRule.SLIDING]
)


def clinched_members(table: SeasonTable) -> frozenset[str]:
    """Who cannot be caught any more: nobody, or one of each division."""
    season = table.season
    bounds = season.highest, season.lowest
    can_be_known = season.rule in _BOUNDED and season.planned is not None and not season.net
    if bounds[0] is None or bounds[1] is None or not can_be_known:
        return frozenset()
    if any(line.weight != 1 for lines in table.lines.values() for line in lines):
        return frozenset()
    best, worst = (bounds[1], bounds[0]) if season.low else (bounds[0], bounds[1])
    return frozenset(
        name for names in table.divisions() for name in _winner(table, names, best, worst)
    )


def _winner(table: SeasonTable, names: Iterable[str], best: Fraction, worst: Fraction) -> list[str]:
    standings = table.standings(names)
    if not standings or standings[0].rank.tied > 1:
        return []
    leader = standings[0].entry
    if not table.calendar.left:
        return [leader]
    if not _is_qualified_for_good(table, leader):
        return []
    low = table.season.low
    floor = _extreme(table, leader, worst, min if not low else max)
    rivals = [
        _extreme(table, name, best, max if not low else min) for name in names if name != leader
    ]
    safe = all(floor < rival if low else floor > rival for rival in rivals)
    return [leader] if safe else []


def _extreme(
    table: SeasonTable,
    name: str,
    each: Fraction,
    choose: Callable[[list[Fraction]], Fraction],
) -> Fraction:
    """What a member comes to if they play none, some or all of the events left, always alike."""
    season, member = table.season, table.members[name]
    played = [line.part(net=False) for line in table.lines[name]]
    extra = sum((one.amount for one in table.adjustments[name]), Fraction(0))
    found = []
    for more in range(table.calendar.left + 1):
        parts = [*played, *[CountedEvent(each)] * more]
        total = count_events(parts, member, table.calendar).total
        found.append((total or 0) + extra + season.attendance * len(parts))
    return choose(found)


def _is_qualified_for_good(table: SeasonTable, name: str) -> bool:
    """Whether the leader keeps a rank even if they play no more."""
    season, member, lines = table.season, table.members[name], table.lines[name]
    events = len(lines) + member.opening_events
    games = sum(line.games for line in lines) + member.opening_games
    ranked = table.records[name].kind is RowKind.RANKED
    return ranked and events >= season.least_events and games >= season.least_games
