"""Ratings as they stand after all games, and how each player came there."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import Final

from tournaments.ratings.games import Game, Order
from tournaments.ratings.settings import RatingSettings

NINETY: Final = 1.6448536269514722
"""So many standard deviations each way hold 90 % of a normal distribution."""

Skill = tuple[float, float]
"""The mean and the variance of what a player is thought to be able to do."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimate of a player's skill after so many games.

    ``shown`` is what the page says, and true skill is within ``band`` of it in nine cases of ten;
    to be shown as ``provisional`` while that is too wide to say much, and not at all to others
    while ``hidden``.
    """

    player: str
    mu: float
    sigma: float
    games: int
    shown: float
    band: float
    provisional: bool
    hidden: bool


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A point of a player's graph: their rating after a game."""

    game: str
    order: Order
    rating: Rating


@dataclass(frozen=True)
class Ratings:
    """The ratings after all games, in the order of play.

    ``points`` hold mu and variance after every game, player by player as in ``games``;
    ``checkpoints`` make the next `rate` quicker; ``replayed`` games were not found among them.
    """

    settings: RatingSettings
    start: Mapping[str, Skill]
    games: Sequence[Game] = field(repr=False)
    points: "array[float]" = field(repr=False)
    checkpoints: Mapping[str, bytes] = field(repr=False)
    replayed: int = 0

    @cached_property
    def _games_by_player(self) -> dict[str, list[tuple[int, int]]]:
        """The games of every player, each with its place among the points."""
        found: dict[str, list[tuple[int, int]]] = {}
        point = 0
        for number, (_, _, places) in enumerate(self.games):
            for player, _ in places:
                found.setdefault(player, []).append((number, point))
                point += 2
        return found

    @cached_property
    def players(self) -> dict[str, Rating]:
        """Everybody with a rating, the highest first, equal ones by name; provisional ones last."""
        now = [self._rating(player, *skill, 0) for player, skill in self._waiting.items()]
        for player, played in self._games_by_player.items():
            now.append(self._rating(player, *self._skill(played[-1][1]), len(played)))
        now.sort(key=lambda rating: (rating.provisional, -rating.shown, rating.player))
        return {rating.player: rating for rating in now}

    @property
    def _waiting(self) -> dict[str, Skill]:
        """Those who bring a rating and have not played."""
        return {
            player: skill
            for player, skill in self.start.items()
            if player not in self._games_by_player
        }

    def rating(self, player: str) -> Rating:
        """The rating of anybody: who has never played is a newcomer."""
        new = (float(self.settings.mu), float(self.settings.sigma) ** 2)
        return self.players.get(player) or self._rating(player, *new, 0)

    def history(self, player: str) -> list[RatingPoint]:
        """The graph of a player: their rating after each of their games."""
        points = []
        for games, (number, point) in enumerate(self._games_by_player.get(player, ()), 1):
            order, game, _ = self.games[number]
            rating = self._rating(player, *self._skill(point), games)
            points.append(RatingPoint(game, order, rating))
        return points

    def _skill(self, point: int) -> Skill:
        return self.points[point], self.points[point + 1]

    def _rating(self, player: str, mu: float, variance: float, games: int) -> Rating:
        settings, sigma = self.settings, sqrt(variance)
        return Rating(
            player=player,
            mu=mu,
            sigma=sigma,
            games=games,
            shown=mu * float(settings.scale) + float(settings.base),
            band=NINETY * sigma * float(settings.scale),
            provisional=sigma > settings.provisional * settings.sigma,
            hidden=games < settings.shown_after,
        )
