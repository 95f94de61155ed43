"""Standings documents: canonical JSON text, rendered lazily, with the digest of its inputs."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from tournaments.standings.exact import Fragment
from tournaments.standings.program import PROGRAM

_RATED: Final = 16
"""So many digits of the digest of an event's inputs are those of its rated games alone."""
_NONE: Final = "0" * 64


@dataclass(frozen=True)
class StandingsDocument:
    """The digest of the inputs of standings and a function that renders them.

    Rendering reads no database; it is skipped if the same inputs were published before.
    """

    inputs: str
    made: Callable[[], Fragment]

    @cached_property
    def _fragment(self) -> Fragment:
        return self.made()

    @property
    def data(self) -> Any:
        """The standings as plain data."""
        return self._fragment.data

    def make(self) -> None:
        """Render the document now."""
        _ = self.digest

    @property
    def text(self) -> str:
        """The canonical JSON text: equal standings give equal bytes on every machine."""
        return self._fragment.text

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text: 64 hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ChangedGames:
    """The only games whose hands or phases changed since standings with digest ``inputs``."""

    inputs: str
    games: frozenset[UUID]


def digest_of(facts: object) -> str:
    """Return the digest of plain values and of the version of the ranking code (`PROGRAM`)."""
    return hashlib.sha256(repr((PROGRAM, facts)).encode()).hexdigest()


def append_rated_digest(inputs: str, rated: str) -> str:
    """Return the digest of an event's inputs, its first digits replaced by those of ``rated``.

    ``rated`` is the digest of the rated games, empty if there are none: two such digests tell
    whether ratings must be recomputed (`have_same_rated_games`).
    """
    return (rated or _NONE)[:_RATED] + inputs[_RATED:]


def have_same_rated_games(one: str, other: str) -> bool:
    """Compare the rated games of two digests of an event's inputs; "" has no rated games."""
    return (one or _NONE)[:_RATED] == (other or _NONE)[:_RATED]
