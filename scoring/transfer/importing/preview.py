"""The preview of an archive: its games, and the people in it who are new or known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from engine.notation.reader import RecordEntry
from scoring.transfer.importing.events import GameOrigin
from scoring.transfer.importing.games import Imported

GAMES_MAX: Final = 500
PEOPLE_MAX: Final = 1000
"""How many games and people are listed; all are counted."""


@dataclass(slots=True)
class GamePreview:
    """A game as its first record describes it; ``new`` and ``known`` count its hands."""

    name: str
    event: str
    day: str
    round: int | None
    table: int | None
    line: int
    players: Sequence[str]
    is_new: bool
    new: int = 0
    known: int = 0

    def as_data(self) -> dict[str, Any]:
        """The game as plain data."""
        return {
            "name": self.name,
            "event": self.event,
            "date": self.day,
            "round": self.round,
            "table": self.table,
            "line": self.line,
            "players": list(self.players),
            "is_new": self.is_new,
            "new_hands": self.new,
            "known_hands": self.known,
        }


@dataclass(slots=True)
class ArchivePreview:
    """The understanding of an archive so far."""

    games: dict[UUID, GamePreview] = field(default_factory=dict)

    def add_game(self, game: Imported, entry: RecordEntry, players: Sequence[str]) -> None:
        """Note a game with its first record."""
        if game.id in self.games:
            return
        origin = GameOrigin.of(game, entry)
        self.games[game.id] = GamePreview(
            name=origin.name,
            event=origin.event,
            day="" if origin.day is None else origin.day.isoformat(),
            round=origin.round,
            table=origin.table,
            line=origin.line,
            players=players,
            is_new=game.is_new,
        )

    def count_hand(self, game: Imported, *, is_new: bool) -> None:
        """Count a hand of a game; nothing where no preview is made."""
        found = self.games.get(game.id)
        if found is not None:
            found.new += is_new
            found.known += not is_new

    def as_data(
        self,
        people: dict[str, int | None],
        find_similar: Callable[[str], Sequence[tuple[str, int]]],
    ) -> dict[str, Any]:
        """The preview as plain data; ``people`` are the numbers of the known, None for the new."""
        new = [name for name, number in people.items() if number is None]
        games = list(self.games.values())
        return {
            "games": [game.as_data() for game in games[:GAMES_MAX]],
            "game_count": len(games),
            "known_game_count": sum(not game.is_new for game in games),
            "new_people": [
                {
                    "name": name,
                    "similar": [
                        {"name": known, "number": number} for known, number in find_similar(name)
                    ],
                }
                for name in new[:PEOPLE_MAX]
            ],
            "known_people": [
                {"name": name, "number": number}
                for name, number in people.items()
                if number is not None
            ][:PEOPLE_MAX],
        }
