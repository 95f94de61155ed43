"""Evenings to rate: seeded players of known strength at tables of three to six."""

from math import log

from tests.engine.table import seeded
from tournaments.ratings import RatedGame

SPREAD = 0.64
"""Strengths are spread so much: half as much as the luck of one game."""


def of(game: int, *places: tuple[str, int]) -> RatedGame:
    """A game of an evening, each numbered once."""
    return RatedGame(f"game-{game}", ("2026-11-21", game, 1, 1), places)


def season(
    seed: int, games: int, *, players: int = 12, ties: float = 0.1
) -> tuple[dict[str, float], list[RatedGame]]:
    """True strengths that sum to zero, and games whose places were drawn by them."""
    luck = seeded(seed)
    drawn = [luck.gauss(0, SPREAD) for _ in range(players)]
    strength = {f"p{number}": one - sum(drawn) / players for number, one in enumerate(drawn)}
    played = []
    for game in range(games):
        table = luck.sample(sorted(strength), luck.randint(3, min(6, players)))
        shown = {player: strength[player] - log(-log(luck.random())) for player in table}
        table.sort(key=lambda player: -shown[player])
        places: list[tuple[str, int]] = []
        for number, player in enumerate(table, 1):
            tied = places and luck.random() < ties
            places.append((player, places[-1][1] if tied else number))
        played.append(of(game, *places))
    return strength, played
