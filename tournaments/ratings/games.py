"""Games to rate: who came in where, in an order that knows nothing of when it was written down."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from engine.core.messages import Message
from tournaments.core.errors import RefusedError

Order = tuple[str, int, int, int]
"""When a game was played: day of its session (2026-11-21), round, number of the table, game."""
Places = tuple[tuple[str, int], ...]
"""Players with their places, the first first; equal places are a tie."""
Game = tuple[Order, str, Places]
"""A game in canonical form: when, its id, who came in where."""

PLAYERS_MIN, PLAYERS_MAX = 2, 6
_BEST_FIRST: Final = itemgetter(1, 0)


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One finished game that counts.

    Only places are compared, so whoever is not rated (a guest, somebody unknown) may be left
    out of their table while two remain; the places of the others stay as they were.
    """

    game: str
    order: Order
    places: Places


def canonical(games: Iterable[RatedGame]) -> list[Game]:
    """The games in the order of play, and the players of each by place, then by name.

    Raises RefusedError, naming the game, for a table that cannot be or a game given twice.
    """
    ordered = [
        (game.order, game.game, tuple(sorted(game.places, key=_BEST_FIRST))) for game in games
    ]
    for _, game, places in ordered:
        if not PLAYERS_MIN <= len(places) <= PLAYERS_MAX:
            raise RefusedError(
                Message("{count} players cannot be rated; 2 to 6 can.", count=len(places)), game
            )
        if places[0][1] < 1:
            raise RefusedError(Message("The first place is 1."), game)
        if len(dict(places)) != len(places):
            raise RefusedError(Message("Somebody sits twice at this table."), game)
    ordered.sort()
    known: set[str] = set()
    for _, game, _ in ordered:
        if game in known:
            raise RefusedError(Message("This game is there twice."), game)
        known.add(game)
    return ordered
