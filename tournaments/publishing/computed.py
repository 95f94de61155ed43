"""What is computed: standings as the one text that they have, and the digest of their inputs."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tournaments.standings import canonical
from tournaments.standings.exact import Json
from tournaments.standings.program import PROGRAM

_RATED: Final = 16
"""So many digits of the digest of an event's inputs are those of its rated games alone."""
_NONE: Final = "0" * 64


@dataclass(frozen=True)
class Computed:
    """Standings: the digest of what they come from, and how they are made of it.

    Making them reads nothing more, so that whoever knows them by their inputs need not.
    """

    inputs: str
    made: Callable[[], Json]

    @cached_property
    def data(self) -> Json:
        """The standings as plain data."""
        return self.made()

    def make(self) -> None:
        """Make them now."""
        _ = self.digest

    @cached_property
    def text(self) -> str:
        """The same bytes for the same standings, whoever computes them and when."""
        return canonical(self.data)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text: 64 hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def digest_of(facts: object) -> str:
    """The digest of plain facts, and of the program that makes standings of them."""
    return hashlib.sha256(repr((PROGRAM, facts)).encode()).hexdigest()


def with_rated(inputs: str, rated: str) -> str:
    """The digest of an event's inputs, so that one sees whether its rated games changed.

    ``rated`` is the digest of these, empty where there are none.
    """
    return (rated or _NONE)[:_RATED] + inputs[_RATED:]


def rates_the_same(one: str, other: str) -> bool:
    """Whether two digests of an event's inputs have the same rated games; empty is none at all."""
    return (one or _NONE)[:_RATED] == (other or _NONE)[:_RATED]
