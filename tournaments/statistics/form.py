"""Recent form of a player: the last tables, streaks, best and worst night."""

from dataclasses import dataclass
from typing import Final

from tournaments.statistics.achievements import ACHIEVEMENTS, CLEAN_LEAST, Achievement
from tournaments.statistics.lines import Exact
from tournaments.statistics.nights import Streak, longest_streaks, streak
from tournaments.statistics.sums import Sum
from tournaments.statistics.tally import Finish, PlayerTally

NIGHTS: Final = 12
"""So many nights are drawn."""


@dataclass(frozen=True, slots=True)
class NightResult:
    """The result of one night."""

    night: str
    net: Exact


@dataclass(frozen=True, slots=True)
class RecentForm:
    """A player's form: the last ten tables, the newest first; hands clean and tables won.

    ``nights`` are the last ones, the newest last; ``by_night`` is the sum of all of them.
    """

    last: tuple[Finish, ...]
    clean: Streak
    wins: Streak
    best: NightResult | None
    worst: NightResult | None
    nights: tuple[NightResult, ...]
    by_night: Sum

    @property
    def spread(self) -> float | None:
        """The standard deviation of their nights: small is steady."""
        return self.by_night.deviation


def form(tally: PlayerTally) -> RecentForm:
    """The form of a player; of equal nights the first counts."""
    nights = [NightResult(night, tally.nights[night]) for night in sorted(tally.nights)]
    together = Sum()
    for one in nights:
        together.add(one.net)
    return RecentForm(
        last=tuple(reversed(tally.last)),
        clean=streak(tally.clean),
        wins=streak(tally.wins),
        best=max(nights, key=lambda one: one.net, default=None),
        worst=min(nights, key=lambda one: one.net, default=None),
        nights=tuple(nights[-NIGHTS:]),
        by_night=together,
    )


@dataclass(frozen=True, slots=True)
class Earned:
    """An achievement of a player: how often, and in which night first."""

    achievement: Achievement
    times: int
    first: str


def earned_achievements(tally: PlayerTally) -> list[Earned]:
    """The achievements of a player, in the order of the catalogue."""
    found = {**tally.earned, "five_clean": longest_streaks(tally.clean, CLEAN_LEAST)}
    return [Earned(one, *found[one.key]) for one in ACHIEVEMENTS if found.get(one.key, (0, ""))[0]]
