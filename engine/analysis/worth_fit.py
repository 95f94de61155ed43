"""Fitting of the coefficients of the worth of cards, on hands that the bots of the rules lab play.

Least squares of what a seat gained against the mean of its table, on its features against theirs
(`worth.FEATURES`). `manage.py lab --fit` runs it and writes `worth_of_cards.json`; nothing is ever
fitted on the results of a club.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from ..core.seats import Seat
from ..record.game_state import beginning
from ..replay.replay import replay
from ..rules.rules import Rules
from ..rules.switches import SettledBy
from .lab import gains_of, play_hand
from .worth import FEATURES, features_of

Row = tuple[Sequence[float], float]
"""The features of a seat and its gain, both against the mean of the table."""
_RIDGE: Final = 1e-3
"""Added to the diagonal for every hand: what is never counted has a coefficient of 0."""
_HELD_OUT: Final = 4
"""Every fourth hand is not fitted on: in those it is measured what is explained."""


def _no_products() -> list[list[float]]:
    return [[0.0] * (len(FEATURES) + 1) for _ in FEATURES]


@dataclass(slots=True)
class WorthFit:
    """Sums over the seats of hands: products of features with each other, and with the gain."""

    hands: int = 0
    products: list[list[float]] = field(default_factory=_no_products)
    held_out: list[Row] = field(default_factory=list)

    def add(self, rows: Sequence[Row]) -> None:
        """Count the seats of a hand."""
        self.hands += 1
        if self.hands % _HELD_OUT == 0:
            self.held_out += rows
            return
        for features, gain in rows:
            values = (*features, gain)
            for line, one in zip(self.products, features, strict=True):
                if one:
                    line[:] = [a + one * b for a, b in zip(line, values, strict=True)]

    def solve(self) -> list[float]:
        """The coefficients, in the order of FEATURES."""
        lines = [line[:] for line in self.products]
        for place, line in enumerate(lines):
            line[place] += _RIDGE * max(self.hands, 1)
        # The products are positive definite, so no pivot is 0.
        for place, pivot in enumerate(lines):
            for row, line in enumerate(lines):
                if row != place:
                    factor = line[place] / pivot[place]
                    lines[row] = [a - factor * b for a, b in zip(line, pivot, strict=True)]
        return [line[-1] / line[place] for place, line in enumerate(lines)]

    def explain(self, coefficients: Sequence[float]) -> float:
        """The part of the variance that coefficients explain in the hands held out, 1 at most."""
        total = rest = 0.0
        for features, gain in self.held_out:
            value = sum(a * b for a, b in zip(coefficients, features, strict=True))
            total += gain * gain
            rest += (gain - value) ** 2
        return 1 - rest / total if total else 0.0

    def to_json(self) -> dict[str, Any]:
        """The coefficients as they are shipped, with how many hands they are of."""
        coefficients = self.solve()
        return {
            "r2": round(self.explain(coefficients), 3),
            "hands": self.hands,
            "coefficients": {
                name: value
                for name, one in zip(FEATURES, coefficients, strict=True)
                if (value := round(one, 3))
            },
        }


def play_and_count(
    rules: Rules, players: int, *, hands: int, seed: int, fit: WorthFit
) -> Iterator[int]:
    """Have bots play first hands of games until so many are counted; yields after each."""
    is_pot = rules.settlement is SettledBy.POT
    dice = Random(f"{seed} worth {players} {rules.digest}")  # noqa: S311 - no secret
    while fit.hands < hands:
        before = beginning(rules, players, Seat(dice.randrange(players)))
        hand = play_hand(rules, before, dice)
        settled = hand.settle()
        if not settled.facts.status.settles:
            continue
        features = _center(features_of(replay(hand.to_record(), rules, before)))
        gains = _center([[gain] for gain in gains_of(settled, is_pot=is_pot)])
        fit.add([(row, gain) for row, (gain,) in zip(features, gains, strict=True)])
        yield fit.hands


def _center(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """Each row less the mean of all."""
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return [[one - mean for one, mean in zip(row, means, strict=True)] for row in rows]
