"""A seating: who sits where in one round, and the refusal that says why there is none.

Whom each entrant meets in some rounds, and how the others are connected: tournaments.md 2.6.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from engine.core.messages import Message

SMALLEST: Final = 3
LARGEST: Final = 6
ENTRANTS_MAX: Final = 1000
ROUNDS_MAX: Final = 100
Shape = tuple[tuple[int, ...], int]
"""A round's sizes of tables in order, and how many entrants sit at none of them."""


class SeatingError(ValueError):
    """There is no such seating; the words say why.

    ``entrants`` are those whom it is about, ``round`` the round, both where that can be told.
    """

    def __init__(
        self, message: str, entrants: Iterable[int] = (), round_number: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.entrants = tuple(entrants)
        self.round = round_number


@dataclass(frozen=True, slots=True)
class RoundSeating:
    """One round: its tables by number, each in seat order, and who sits out.

    Entrants are whole numbers from 0. The entrant in seat 0 deals first.
    """

    tables: tuple[tuple[int, ...], ...]
    sit_outs: tuple[int, ...] = ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the size of each table."""
        return tuple(map(len, self.tables))

    @property
    def entrants(self) -> frozenset[int]:
        """Everybody who is there, those who sit out included."""
        return frozenset(self.seated) | frozenset(self.sit_outs)

    @property
    def seated(self) -> Iterator[int]:
        """Everybody at a table, in the order of tables and seats."""
        return (entrant for table in self.tables for entrant in table)

    def meetings(self) -> Iterator[tuple[int, int]]:
        """The pairs that meet in this round, the lower number first."""
        for table in self.tables:
            yield from combinations(sorted(table), 2)

    def renumber(self, numbers: Sequence[int]) -> "RoundSeating":
        """Return the same seating with ``numbers[entrant]`` in the place of each entrant."""
        tables = tuple(tuple(numbers[one] for one in table) for table in self.tables)
        return RoundSeating(tables, tuple(sorted(numbers[sit_out] for sit_out in self.sit_outs)))

    def to_data(self) -> dict[str, list[Any]]:
        """The seating as plain lists."""
        return {"tables": [list(table) for table in self.tables], "sit_outs": list(self.sit_outs)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "RoundSeating":
        """The seating that plain lists say. Raises SeatingError for anything else."""
        tables, sit_outs = data.get("tables"), data.get("sit_outs", [])
        if not isinstance(tables, list) or not all(map(_are_entrants, [*tables, sit_outs])):
            raise SeatingError(Message("A seating has lists of tables and of those who sit out."))
        return cls(tuple(map(tuple, tables)), tuple(sit_outs))


def check_entrants(n: int, history: Iterable[RoundSeating]) -> None:
    """Raise SeatingError for too many, and where rounds that are played name others."""
    if n > ENTRANTS_MAX:
        raise SeatingError(
            Message(
                "At most {most} players can be seated at once.",
                most=ENTRANTS_MAX,
            )
        )
    strangers = {
        entrant for seating in history for entrant in seating.entrants if not 0 <= entrant < n
    }
    if strangers:
        raise SeatingError(
            Message("The rounds played name players who are not entered."), sorted(strangers)
        )


def _are_entrants(found: object) -> bool:
    return isinstance(found, list) and all(type(each) is int and each >= 0 for each in found)


def odd_tables(sizes: Sequence[int]) -> list[bool]:
    """Return the tables unlike the others: not of four, or not of the commonest size.

    >>> odd_tables((4, 4, 3)), odd_tables((3, 3)), odd_tables((5, 6, 6))
    ([False, False, True], [False, False], [True, False, False])
    """
    if not sizes:
        return []
    usual = 4 if 4 in sizes else max(set(sizes), key=lambda size: (sizes.count(size), size))
    return [size != usual for size in sizes]


def met_by(rounds: Iterable[Sequence[Sequence[int]]], n: int) -> list[int]:
    """By entrant, whom they meet: bit j of number i is set where i and j sit at one table."""
    met = [0] * n
    for tables in rounds:
        for table in tables:
            bits = sum(1 << one for one in table)
            for one in table:
                met[one] |= bits & ~(1 << one)
    return met


def fewest_common(
    rounds: Iterable[Sequence[Sequence[int]]], n: int, among: Iterable[int] | None = None
) -> int:
    """The fewest rivals in common of two who never meet; n where everybody meets everybody.

    ``among``: only pairs of which one is of these. Whoever meets nobody at all does not count.
    """
    met = met_by(rounds, n)
    fewest = n
    for one in range(n) if among is None else among:
        mine = met[one]
        for other in range(n if mine else 0):
            if other != one and not mine >> other & 1 and met[other]:
                fewest = min(fewest, (mine & met[other]).bit_count())
    return fewest
