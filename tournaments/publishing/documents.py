"""What is computed: standings as the one text that they have, and the digest of their inputs."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from uuid import UUID

from tournaments.standings.exact import Fragment, Json
from tournaments.standings.program import PROGRAM

_RATED: Final = 16
"""So many digits of the digest of an event's inputs are those of its rated games alone."""
_NONE: Final = "0" * 64


@dataclass(frozen=True)
class StandingsDocument:
    """Standings: the digest of what they come from, and how they are made of it.

    Making them reads nothing more, so that whoever knows them by their inputs need not.
    """

    inputs: str
    made: Callable[[], Fragment]

    @cached_property
    def _fragment(self) -> Fragment:
        return self.made()

    @property
    def data(self) -> Json:
        """The standings as plain data."""
        return self._fragment.data

    def make(self) -> None:
        """Make them now."""
        _ = self.digest

    @property
    def text(self) -> str:
        """The same bytes for the same standings, whoever computes them and when."""
        return self._fragment.text

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text: 64 hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ChangedGames:
    """What may be other than in the standings of an event or league that came from ``inputs``.

    It is the hands and the phases of ``games`` alone.
    """

    inputs: str
    games: frozenset[UUID]


def digest_of(facts: object) -> str:
    """The digest of plain facts, and of the program that makes standings of them."""
    return hashlib.sha256(repr((PROGRAM, facts)).encode()).hexdigest()


def append_rated_digest(inputs: str, rated: str) -> str:
    """The digest of an event's inputs, so that one sees whether its rated games changed.

    ``rated`` is the digest of these, empty where there are none.
    """
    return (rated or _NONE)[:_RATED] + inputs[_RATED:]


def have_same_rated_games(one: str, other: str) -> bool:
    """Whether two digests of an event's inputs have the same rated games; empty is none at all."""
    return (one or _NONE)[:_RATED] == (other or _NONE)[:_RATED]
