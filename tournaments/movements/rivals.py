"""Rivals: whom each entry meets, and how the others are connected (tournaments.md 2.6)."""

from collections.abc import Iterable, Sequence


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
