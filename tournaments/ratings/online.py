"""Online ratings: Plackett-Luce after every game, by Weng and Lin (tournaments.md 6).

Games are taken by the thousand. The key of a thousand is the hash of everything that its outcome
depends on: settings, start, and all games up to its end. What is kept under the key are the
ratings after each of its games; so a correction replays only the thousands from its own on, and
gives the very same floats.
"""

import hashlib
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import exp, isfinite, sqrt
from typing import Final

from engine.core.messages import Message
from tournaments.core.errors import RefusedError
from tournaments.ratings.games import Game, RatedGame, canonical
from tournaments.ratings.settings import RatingSettings
from tournaments.ratings.tables import Ratings, Skill

STEP: Final = 1000
"""So many games are kept under one key."""
_VERSION: Final = 2


def rate(
    games: Iterable[RatedGame],
    *,
    settings: RatingSettings | None = None,
    start: Mapping[str, tuple[float, float]] | None = None,
    checkpoints: Mapping[str, bytes] | None = None,
) -> Ratings:
    """Rate all games in the order of play, whatever order they are given in.

    ``start`` are mu and sigma of players who bring some from elsewhere; everybody else begins as
    a newcomer. ``checkpoints`` are those of an earlier `Ratings`: they make it quicker, never
    different.

    Raises RefusedError for a game or a start that cannot be.
    """
    settings = settings or RatingSettings()
    kept = checkpoints or {}
    ordered = canonical(games)
    skills = _check_start(start or {}, settings)
    begun = dict(skills)
    points, valid, replayed = array("d"), dict[str, bytes](), 0
    for key, part in _parts(ordered, skills, settings):
        known = _usable_start(kept.get(key), part)
        after = _replay(part, skills, settings) if known is None else _restore(part, skills, known)
        replayed += len(part) if known is None else 0
        points.extend(after)
        if len(part) == STEP:
            valid[key] = after.tobytes()
    return Ratings(settings, begun, ordered, points, valid, replayed)


def _check_start(
    start: Mapping[str, tuple[float, float]], settings: RatingSettings
) -> dict[str, Skill]:
    """Mu and variance by player. Raises RefusedError for what no rating can be."""
    beta = float(settings.beta)
    for player, (mu, sigma) in start.items():
        if not (isfinite(mu) and isfinite(sigma) and 0 < sigma <= 10 * beta):
            raise RefusedError(Message("A start needs a sigma above 0, to 10 times beta."), player)
        if abs(mu) > 200 * beta:
            raise RefusedError(Message("A start cannot be that far from everybody else."), player)
    return {player: (mu, sigma * sigma) for player, (mu, sigma) in start.items()}


def _parts(
    games: Sequence[Game], start: Mapping[str, Skill], settings: RatingSettings
) -> Iterator[tuple[str, Sequence[Game]]]:
    """The games by the thousand, each with the hash of all that led up to its end."""
    head = (_VERSION, sys.byteorder, settings.digest, sorted(start.items()))
    prefix = hashlib.sha256(repr(head).encode())
    for first in range(0, len(games), STEP):
        part = games[first : first + STEP]
        prefix.update(repr(part).encode("utf-8", "surrogatepass"))
        yield prefix.hexdigest(), part


def _usable_start(kept: bytes | None, part: Sequence[Game]) -> "array[float] | None":
    """Kept ratings, if they are as many as these games need."""
    known = array("d")
    if kept is None or len(kept) != 2 * known.itemsize * sum(len(game[2]) for game in part):
        return None
    known.frombytes(kept)
    return known


def _restore(
    part: Sequence[Game], skills: dict[str, Skill], known: "array[float]"
) -> "array[float]":
    """Take the ratings after some games as they were kept."""
    numbers = iter(known)
    for _, _, places in part:
        for player, _ in places:
            skills[player] = (next(numbers), next(numbers))
    return known


def _replay(
    part: Sequence[Game], skills: dict[str, Skill], settings: RatingSettings
) -> "array[float]":
    """Rate some games one after the other; mu and variance of each player after each.

    Everybody of a group of equals has lost to all who came in before it, and has won an equal
    part of its own draw out of those who were left.
    """
    new = (float(settings.mu), float(settings.sigma) ** 2)
    tau2, kappa = float(settings.tau) ** 2, float(settings.kappa)
    each = float(settings.beta) ** 2 + tau2
    after = array("d")
    add, get = after.append, skills.get
    for _, _, places in part:
        held = [get(player, new) for player, _ in places]
        ranks = [place for _, place in places]
        ties = len(set(ranks)) < len(ranks)
        c2 = each * len(held)
        for _, s2 in held:
            c2 += s2
        c = sqrt(c2)
        strengths = [exp(mu / c) for mu, _ in held]
        left = list(accumulate(reversed(strengths)))
        lost = lost2 = 0.0
        won = 1.0
        before = 0
        for (player, place), (mu, s2), strength in zip(places, held, strengths, strict=True):
            rest = left.pop()
            if place != before:
                before = place
                lost += 1 / rest
                lost2 += 1 / (rest * rest)
                if ties:
                    won = 1 / ranks.count(place)
            s2 += tau2  # noqa: PLW2901 - the same variance, a game later
            part_lost = strength * lost
            mu += s2 / c * (won - part_lost)  # noqa: PLW2901
            shrunk = 1 - s2 / c2 * (part_lost - strength * strength * lost2)
            s2 *= shrunk if shrunk > kappa else kappa  # noqa: PLW2901
            skills[player] = (mu, s2)
            add(mu)
            add(s2)
    return after
