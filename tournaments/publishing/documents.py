"""Standings documents: canonical JSON text, rendered lazily, with the digest of its inputs."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final
from uuid import UUID

from tournaments.core.text_fields import CompressedBlock, compress_block, join_blocks
from tournaments.standings.exact import Fragment
from tournaments.standings.memo import Memo
from tournaments.standings.program import PROGRAM

_RATED: Final = 16
"""So many digits of the digest of an event's inputs are those of its rated games alone."""
_NONE: Final = "0" * 64
_BLOCK: Final = 100_000
"""A block of a text that is compressed by itself has at least so many characters: 17 rows of a
league of 52 nights. Smaller ones are a longer stream, of larger ones more is packed again."""


@dataclass(frozen=True)
class StandingsDocument:
    """The digest of the inputs of standings and a function that renders them.

    Rendering reads no database; it is skipped if the same inputs were published before.
    ``memo`` remembers the blocks of the last text, of which only those are compressed again that
    have changed.
    """

    inputs: str
    made: Callable[[], Fragment]
    memo: Memo = field(default_factory=Memo)

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
    def _blocks(self) -> Sequence[CompressedBlock]:
        self.memo.begin(None)
        return [
            self.memo.part(pieces, None, partial(compress_block, pieces))
            for pieces in _divide(self._fragment.pieces)
        ]

    @cached_property
    def compressed(self) -> bytes:
        """The text as a `CompressedTextField` stores it."""
        return join_blocks(self._blocks)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text: 64 hexadecimal digits."""
        digest = hashlib.sha256()
        for text, *_ in self._blocks:
            digest.update(text)
        return digest.hexdigest()


def _divide(pieces: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Divide a text between its pieces: where a piece has changed, only its own block does."""
    first = length = 0
    for number, piece in enumerate(pieces, 1):
        length += len(piece)
        if length >= _BLOCK or number == len(pieces):
            yield tuple(pieces[first:number])
            first, length = number, 0


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
