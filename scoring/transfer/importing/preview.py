"""The preview of an archive: its games, and the people in it who are new or known."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import islice
from typing import Any, Final
from uuid import UUID

from engine.notation.reader import RecordEntry
from scoring.transfer.importing.events import GameOrigin
from scoring.transfer.importing.games import Imported
from tournaments.core.name_folding import fold_text
from tournaments.models import Person

GAMES_MOST: Final = 500
PEOPLE_MOST: Final = 1000
"""How many games and people are listed; all are counted."""
_ALIKE: Final = 0.85
_SIMILAR_MOST: Final = 3


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
    """What was understood of an archive so far."""

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

    def as_data(self, club: UUID, people: dict[str, int | None]) -> dict[str, Any]:
        """The preview as plain data; ``people`` are the numbers of the known, None for the new."""
        new = [name for name, number in people.items() if number is None]
        games = list(self.games.values())
        members = _members(club) if new else []
        return {
            "games": [game.as_data() for game in games[:GAMES_MOST]],
            "game_count": len(games),
            "known_game_count": sum(not game.is_new for game in games),
            "new_people": [
                {"name": name, "similar": find_similar(name, members)} for name in new[:PEOPLE_MOST]
            ],
            "known_people": [
                {"name": name, "number": number}
                for name, number in people.items()
                if number is not None
            ][:PEOPLE_MOST],
        }


def _members(club: UUID) -> list[tuple[str, int]]:
    rows = Person.objects.filter(
        player__club=club, player__removed_at=None, player__merged_into=None
    )
    return list(rows.order_by("player__number").values_list("name", "player__number"))


def find_similar(name: str, members: Sequence[tuple[str, int]]) -> list[dict[str, Any]]:
    """Members whom a new name may mean: with another spelling, order or form of the first name.

    >>> members = [("Edward Smith", 12), ("Anna Smith", 3), ("Grün, Zoë", 4)]
    >>> find_similar("Ed Smith", members), find_similar("Zoe Gruen", members)
    ([{'name': 'Edward Smith', 'number': 12}], [{'name': 'Grün, Zoë', 'number': 4}])
    """
    found = ({"name": known, "number": number} for known, number in members if _alike(name, known))
    return list(islice(found, _SIMILAR_MOST))


def _alike(one: str, other: str) -> bool:
    mine, theirs = _words(one), _words(other)
    if mine == theirs:
        return True
    same = [word for word in mine if word in theirs]
    first = [word for word in mine if word not in same]
    second = [word for word in theirs if word not in same]
    if same and len(first) == len(second) == 1:
        short, long = sorted((first[0], second[0]), key=len)
        if long.startswith(short):
            return True
    matcher = SequenceMatcher(None, " ".join(mine), " ".join(theirs))
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _words(name: str) -> list[str]:
    return sorted(fold_text(name).replace(",", " ").replace(".", " ").split())
