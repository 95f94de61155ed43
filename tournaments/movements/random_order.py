"""Lots: orders that a seed decides, the same ones on every machine and version."""

from collections.abc import Iterable
from random import Random


def draw_order(entrants: Iterable[int], lots: Random) -> list[int]:
    """Some entrants in an order by lot."""
    keyed = [(lots.random(), one) for one in entrants]
    return [one for _, one in sorted(keyed)]


def lots_of(seed: int | str) -> Random:
    """The lots of a seed."""
    return Random(str(seed))  # noqa: S311 (who has the seed is to draw the same)
