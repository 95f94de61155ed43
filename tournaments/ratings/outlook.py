"""Predicted places at a table, from the ratings of its players."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt

from tournaments.ratings.settings import RatingSettings
from tournaments.ratings.tables import Rating


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is expected of one player of a table.

    ``chances`` are the probabilities of their places, from the first on; ``place`` is the mean of
    them, ``share`` the part of the others whom they are expected to beat: 1 all, 1/2 half of them.
    """

    player: str
    chances: tuple[float, ...]

    @property
    def place(self) -> float:
        """The expected place."""
        return sum(place * chance for place, chance in enumerate(self.chances, 1))

    @property
    def share(self) -> float:
        """The expected table percentage, from 0 to 1."""
        return (len(self.chances) - self.place) / (len(self.chances) - 1)


def outlook(table: Sequence[Rating], settings: RatingSettings | None = None) -> list[Outlook]:
    """The chances of everybody at a table of two or more, by the model that rates them.

    Players come in one after the other, each with a chance in proportion to their strength among
    those who are left; all sets of players who may be in already are gone through.
    """
    beta2 = float((settings or RatingSettings()).beta) ** 2
    c = sqrt(sum(rating.sigma**2 + beta2 for rating in table))
    best = max(rating.mu for rating in table)
    strengths = [exp((rating.mu - best) / c) for rating in table]
    chances = _chances(strengths)
    return [Outlook(rating.player, tuple(row)) for rating, row in zip(table, chances, strict=True)]


def _chances(strengths: Sequence[float]) -> list[list[float]]:
    """By player, the probability of each place."""
    size = len(strengths)
    reached = [0.0] * (1 << size)
    reached[0] = 1.0
    chances = [[0.0] * size for _ in strengths]
    for inside, chance in enumerate(reached):
        waiting = [player for player in range(size) if not inside >> player & 1]
        whole = sum(strengths[player] for player in waiting)
        for player in waiting:
            next_in = chance * strengths[player] / whole if whole else chance / len(waiting)
            chances[player][size - len(waiting)] += next_in
            reached[inside | 1 << player] += next_in
    return chances
