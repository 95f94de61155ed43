"""Predicted places at a table, from the ratings of its players, and how good predictions were."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from math import exp, log, sqrt
from statistics import fmean, stdev
from typing import Final

from tournaments.ratings.games import Game, RatedGame
from tournaments.ratings.online import rate
from tournaments.ratings.settings import RatingSettings
from tournaments.ratings.tables import Rating, Ratings

TRIED: Final = 200
"""By so many of its last games it is judged whether a club is shown chances (DEC-13)."""

FIT_BETA_FROM: Final = 600
"""From so many games on beta is fitted to a club, and again after every so many more (DEC-13)."""
BETA_CANDIDATES: Final = tuple(map(Fraction, (5, 7, 14, 20)))
"""The values of beta that are tried beside the usual one."""
_FITTED_MOST: Final = 1000
_fitted: Final[dict[bytes, Fraction]] = {}
"""The beta that was fitted to games, by their hash."""

NIGHTS: Final = 12
"""The last nights of which it is told how well winners were predicted."""
_GAMES_LEAST: Final = 20
_ELO_K: Final = 16


@dataclass(frozen=True, slots=True)
class PredictiveLoss:
    """The mean log loss of the winners of ``games``: ``own`` ratings, ``elo`` and ``even`` chances.

    Less is better. ``gain`` is that of own ratings over even chances, with its standard ``error``.
    """

    nights: int
    games: int
    own: float
    elo: float
    even: float
    error: float

    @property
    def gain(self) -> float:
        """The part of the loss of even chances that the ratings save; below zero they add to it."""
        return self.even - self.own


@dataclass(frozen=True, slots=True)
class Outlook:
    """The expectation for one player of a table.

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


def winner_losses(ratings: Ratings) -> Iterator[tuple[float, float]]:
    """Of each game, the log loss of the chances of its winner before it, and that of even chances.

    Tied winners count in equal parts.
    """
    beta2 = float(ratings.settings.beta) ** 2
    new = (float(ratings.settings.mu), float(ratings.settings.sigma) ** 2)
    skills, numbers = dict(ratings.start), iter(ratings.points)
    for _order, _game, places in ratings.games:
        held = [skills.get(player, new) for player, _place in places]
        c = sqrt(sum(variance + beta2 for _mu, variance in held))
        best = max(mu for mu, _variance in held)
        strengths = [exp((mu - best) / c) for mu, _variance in held]
        first = min(place for _player, place in places)
        won = [
            strength
            for strength, (_player, place) in zip(strengths, places, strict=True)
            if place == first
        ]
        whole = log(sum(strengths))
        yield whole - sum(map(log, won)) / len(won), log(len(places))
        for player, _place in places:
            skills[player] = (next(numbers), next(numbers))


def elo_losses(games: Sequence[Game]) -> Iterator[float]:
    """The log loss of the winner of each game by Elo (K = 16): every two at a table play a game.

    Tied winners count in equal parts, and players who tie have half of their game.
    """
    held: dict[str, float] = {}
    for _order, _game, places in games:
        strength = {player: 10 ** (held.get(player, 0.0) / 400) for player, _place in places}
        first = min(place for _player, place in places)
        won = [strength[player] for player, place in places if place == first]
        yield log(sum(strength.values())) - sum(map(log, won)) / len(won)
        for (one, place), (other, behind) in combinations(places, 2):
            expected = strength[one] / (strength[one] + strength[other])
            score = 0.5 if place == behind else float(place < behind)
            gain = _ELO_K * (score - expected) / (len(places) - 1)
            held[one] = held.get(one, 0.0) + gain
            held[other] = held.get(other, 0.0) - gain


def measure_loss(ratings: Ratings) -> PredictiveLoss | None:
    """Measure how well the winners of the last `NIGHTS` were predicted; None of too few games."""
    days = [order[0] for order, _game, _places in ratings.games]
    nights = set(sorted(set(days))[-NIGHTS:])
    losses = [
        (own, elo, even)
        for day, (own, even), elo in zip(
            days, winner_losses(ratings), elo_losses(ratings.games), strict=True
        )
        if day in nights
    ]
    if len(losses) < _GAMES_LEAST:
        return None
    gains = [even - own for own, _elo, even in losses]
    own, elo, even = (fmean(column) for column in zip(*losses, strict=True))
    error = stdev(gains) / sqrt(len(gains))
    return PredictiveLoss(len(nights), len(losses), own, elo, even, error)


def rate_with_fitted_beta(games: Iterable[RatedGame]) -> Ratings:
    """Rate the games of a club with the beta that predicted the winners of its first games best.

    Of 600 games (`FIT_BETA_FROM`) or more beta is fitted to the first 600, of 1200 or more to the
    first 1200, and so on. So it stays the same from night to night, and later games show how good
    it is. A process remembers it, so that a night more costs one `rate`.

    Raises RefusedError for a game that cannot be.
    """
    played = sorted(games, key=lambda game: (game.order, game.game))
    first = played[: len(played) // FIT_BETA_FROM * FIT_BETA_FROM]
    facts = repr([(game.order, game.places) for game in first])
    key = hashlib.sha256(facts.encode("utf-8", "surrogatepass")).digest()
    beta = _fitted.get(key) or _fit_beta(first)
    if len(_fitted) >= _FITTED_MOST:
        _fitted.clear()
    _fitted[key] = beta
    return rate(played, settings=RatingSettings(beta=beta))


def _fit_beta(games: Sequence[RatedGame]) -> Fraction:
    """The usual beta, unless another is better by more than two standard errors."""
    best, most = RatingSettings().beta, 0.0
    losses = [own for own, _even in winner_losses(rate(games))]
    for beta in BETA_CANDIDATES if games else ():
        ratings = rate(games, settings=RatingSettings(beta=beta))
        gains = [
            before - own
            for before, (own, _even) in zip(losses, winner_losses(ratings), strict=True)
        ]
        gain = fmean(gains)
        if gain > max(most, 2 * stdev(gains) / sqrt(len(gains))):
            best, most = beta, gain
    return best


def can_show_chances(ratings: Ratings) -> bool:
    """Whether the chances of a club's last games were better than even ones (DEC-13)."""
    games = len(ratings.games)
    if games < TRIED:
        return False
    losses = list(islice(winner_losses(ratings), games - TRIED, None))
    return sum(loss for loss, _even in losses) < sum(even for _loss, even in losses)
