"""Seat bias: whether one seat is better than another.

Every hand comes as one line for each of its players; counted is each line's part of its hand.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import erfc, exp, gamma, sqrt
from typing import Final

from tournaments.statistics.lines import PlayerHandLine

EXPECTED_LEAST: Final = 5
"""With less to compare than so many wins of a seat that nobody shared, the test says nothing."""


@dataclass(slots=True)
class SeatBiasInput:
    """Lines that won a pot, by players at the table, seat from the eldest, and sharers.

    By players, so that a hand of five counts no more than one of three.
    """

    won: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def add(self, line: PlayerHandLine) -> None:
        """Count the part of a hand that is this player's."""
        if line.seat is not None and line.sharers:
            place = (line.players, line.seat, line.sharers)
            self.won[place] = self.won.get(place, 0) + 1

    def merge(self, other: "SeatBiasInput") -> None:
        """Count all that the other counted."""
        for place, lines in other.won.items():
            self.won[place] = self.won.get(place, 0) + lines

    @property
    def wins(self) -> dict[tuple[int, int], Fraction]:
        """Pots won, by players and seat; a shared one in parts."""
        wins: dict[tuple[int, int], Fraction] = {}
        for (players, seat, sharers), lines in sorted(self.won.items()):
            before = wins.get((players, seat), Fraction(0))
            wins[players, seat] = before + Fraction(lines, sharers)
        return wins

    @property
    def hands(self) -> dict[tuple[int, int], Fraction]:
        """Hands with a winner, by players and by how many shared the pot."""
        hands: dict[tuple[int, int], Fraction] = {}
        for (players, _seat, sharers), lines in sorted(self.won.items()):
            before = hands.get((players, sharers), Fraction(0))
            hands[players, sharers] = before + Fraction(lines, sharers)
        return hands


@dataclass(frozen=True, slots=True)
class Bias:
    """The distance of wins from even, over the seats of tables of every size.

    ``square``: the squared differences, in units of their variance; where seats are even it is
    distributed as chi-square with so many degrees of ``freedom``. ``chance`` is how often even
    seats would look at least as uneven; ``hidden`` while there are too few wins to say so.
    """

    wins: Fraction
    square: Fraction
    freedom: int
    chance: float
    hidden: bool


def seat_bias(
    wins: Mapping[tuple[int, int], Fraction],
    hands: Mapping[tuple[int, int], Fraction | int] | None = None,
) -> Bias:
    """Compare the wins of all seats (players, seat) with equal parts.

    ``hands``: how many had so many winners (players, sharers), as `SeatBiasInput.hands` has them;
    None: every pot was won by one player alone. The more players share a pot, the less do the seats
    differ by chance, so that wins in parts cannot be judged like whole ones.
    """
    square, freedom, hidden = Fraction(0), 0, False
    for players in sorted({players for (players, _), won in wins.items() if won}):
        seen = [wins.get((players, seat), Fraction(0)) for seat in range(1, players + 1)]
        alone = {(players, 1): sum(seen, Fraction(0))}
        variance = _variance(players, alone if hands is None else hands)
        hidden |= variance < EXPECTED_LEAST
        if variance:
            expected = sum(seen, Fraction(0)) / players
            square += sum((one - expected) ** 2 for one in seen) / variance
            freedom += players - 1
    whole = sum(wins.values(), Fraction(0))
    return Bias(whole, square, freedom, chi_square_beyond(square, freedom), hidden or not whole)


def _variance(players: int, hands: Mapping[tuple[int, int], Fraction | int]) -> Fraction:
    """By what the squared differences of all seats are divided, to be chi-square.

    A hand with m of k winners gives 1/m to each of m seats drawn at random: the variance of a seat
    is (k - m) / (m k k), and the covariance of two seats follows from their constant sum. A hand
    with one winner counts 1/k, which is what Pearson divides by.
    """
    return sum(
        (
            many * Fraction(players - sharers, sharers * players * (players - 1))
            for (size, sharers), many in hands.items()
            if size == players
        ),
        Fraction(0),
    )


def chi_square_beyond(square: Fraction | float, freedom: int) -> float:
    """Return the probability that a chi-square of so many degrees of freedom is so large.

    >>> round(chi_square_beyond(7.815, 3), 4)
    0.05
    """
    if not freedom:
        return 1.0
    half, order = float(square) / 2, (freedom % 2 or 2) / 2
    beyond = erfc(sqrt(half)) if freedom % 2 else exp(-half)
    while order < freedom / 2:
        beyond += half**order * exp(-half) / gamma(order + 1)
        order += 1
    return beyond
