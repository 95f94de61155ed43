"""The sum of a player's games: all that is shown, in a size that more games do not change.

A tally grows by a few numbers each night; a summary by nothing but new opponents. It can be
written as JSON and read again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from tournaments.statistics.achievements import ACHIEVEMENTS
from tournaments.statistics.form import Earned, NightResult, earned_achievements, form
from tournaments.statistics.lines import Exact
from tournaments.statistics.nights import Streak
from tournaments.statistics.sums import Key, Sum
from tournaments.statistics.tally import Best, Finish, PlayerTally, RivalTally

_ACHIEVEMENTS: Final = {one.key: one for one in ACHIEVEMENTS}


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """The sums of a player, and of everybody at their tables: ``usual`` is what is usual there.

    ``last`` are the last ten tables, the newest first; ``nights`` the last nights, the newest
    last, and ``by_night`` the sum of all nights. ``without_gain`` hands were not
    in the unit, chips or penalty points, in which gains are added up (DEC-16).
    """

    sums: dict[Key, Sum] = field(default_factory=dict)
    usual: dict[Key, Sum] = field(default_factory=dict)
    extremes: dict[str, Best] = field(default_factory=dict)
    earned: tuple[Earned, ...] = ()
    clean: Streak = Streak()
    best: NightResult | None = None
    worst: NightResult | None = None
    last: tuple[Finish, ...] = ()
    nights: tuple[NightResult, ...] = ()
    by_night: Sum = field(default_factory=Sum)
    rivals: dict[str, RivalTally] = field(default_factory=dict)
    without_gain: int = 0

    @property
    def hands(self) -> int:
        """In how many hands something was won or lost."""
        gains = self.sums["net"].n if "net" in self.sums else 0
        return gains + self.without_gain

    def groups(self, statistic: str) -> dict[tuple[Any, ...], Sum]:
        """The sums of a statistic that is counted by groups, by group."""
        return {
            key[1]: one
            for key, one in self.sums.items()
            if isinstance(key, tuple) and key[0] == statistic
        }

    def to_json(self) -> dict[str, Any]:
        """Plain data; `from_json` makes an equal summary of it."""
        return {
            "sums": _sums_to_json(self.sums),
            "usual": _sums_to_json(self.usual),
            "extremes": {
                key: [str(value), night, number]
                for key, (value, night, number) in self.extremes.items()
            },
            "earned": {one.achievement.key: [one.times, one.first] for one in self.earned},
            "clean": [self.clean.now, self.clean.longest, self.clean.since],
            "best": _night_to_json(self.best),
            "worst": _night_to_json(self.worst),
            "last": [
                [night, number, place, players, None if net is None else str(net)]
                for night, number, place, players, net in self.last
            ],
            "nights": [_night_to_json(night) for night in self.nights],
            "by_night": _sum_to_json(self.by_night),
            "without_gain": self.without_gain,
            "rivals": {
                player: [
                    *(met.tables, met.beaten, met.tied, str(met.flow), str(met.squares)),
                    met.valued,
                ]
                for player, met in self.rivals.items()
            },
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "PlayerSummary":
        """The summary that `to_json` wrote."""
        return PlayerSummary(
            sums=_sums_from_json(data["sums"]),
            usual=_sums_from_json(data["usual"]),
            extremes={
                key: (_exact(value), night, number)
                for key, (value, night, number) in data["extremes"].items()
            },
            earned=tuple(
                Earned(one, *data["earned"][key])
                for key, one in _ACHIEVEMENTS.items()
                if key in data["earned"]
            ),
            clean=Streak(*data["clean"]),
            best=_night_from_json(data["best"]),
            worst=_night_from_json(data["worst"]),
            last=tuple(
                (night, number, place, players, None if net is None else _exact(net))
                for night, number, place, players, net in data["last"]
            ),
            nights=tuple(NightResult(night, _exact(net)) for night, net in data["nights"]),
            by_night=_sum_from_json(*data["by_night"]),
            without_gain=data["without_gain"],
            rivals={
                player: RivalTally(tables, beaten, tied, _exact(flow), _exact(squares), valued)
                for player, (tables, beaten, tied, flow, squares, valued) in data["rivals"].items()
            },
        )


def summarise(
    tally: PlayerTally, usual: Mapping[Key, Sum], *, rival: str | None = None
) -> PlayerSummary:
    """The summary of a tally; of games with one ``rival`` it tells of no other."""
    shape = form(tally)
    return PlayerSummary(
        sums=tally.sums,
        usual=dict(usual),
        extremes=tally.extremes,
        earned=tuple(earned_achievements(tally)),
        clean=shape.clean,
        best=shape.best,
        worst=shape.worst,
        last=shape.last,
        nights=shape.nights,
        by_night=shape.by_night,
        rivals={
            player: met for player, met in tally.rivals.items() if rival is None or player == rival
        },
        without_gain=tally.without_gain,
    )


def _sums_to_json(sums: Mapping[Key, Sum]) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for key, one in sums.items():
        name, group = key if isinstance(key, tuple) else (key, ())
        rows.append([name, [*group], *_sum_to_json(one)])
    return sorted(rows, key=json.dumps)


def _sums_from_json(rows: Any) -> dict[Key, Sum]:
    return {
        (name, tuple(group)) if group else name: _sum_from_json(*numbers)
        for name, group, *numbers in rows
    }


def _sum_to_json(one: Sum) -> list[Any]:
    return [one.n, str(one.total), str(one.squares)]


def _sum_from_json(n: int, total: str, squares: str) -> Sum:
    return Sum(n, _exact(total), _exact(squares))


def _night_to_json(result: NightResult | None) -> list[str] | None:
    return None if result is None else [result.night, str(result.net)]


def _night_from_json(found: Any) -> NightResult | None:
    return None if found is None else NightResult(found[0], _exact(found[1]))


def _exact(text: str) -> Exact:
    return Fraction(text) if "/" in text else int(text)
