"""Points for places: the linear scale, a club's own, and what a tie shares (tournaments.md 3)."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from engine.core.messages import Message, MessageError, join_with_and, joined_by_semicolons
from tournaments.standings.settings import EXACT_SCHEMA, exact

Scale = tuple[tuple[int, tuple[Fraction, ...]], ...]
"""Points from the first place to the last, by number of players; empty for the linear scale."""
LINEAR: Final[Scale] = ()
_PLAYERS_MIN, _PLAYERS_MAX = 2, 6
SCALE_SCHEMA: Final = {
    "anyOf": [
        {"type": "string", "enum": ["linear"]},
        {
            "type": "object",
            "properties": {
                str(size): {
                    "type": "array",
                    "items": EXACT_SCHEMA,
                    "minItems": size,
                    "maxItems": size,
                }
                for size in range(_PLAYERS_MIN, _PLAYERS_MAX + 1)
            },
            "additionalProperties": False,
            "minProperties": 1,
        },
    ]
}
"""What `read_scale` reads."""


class SharedPlace(NamedTuple):
    """A place that ``tied`` seats share; place 0 is none."""

    place: int
    tied: int


NO_PLACE: Final = SharedPlace(0, 0)
Placing = tuple[SharedPlace, ...]
"""Where each seat of a table ended."""


def placing(values: Sequence[Fraction | int]) -> Placing:
    """Return each seat's place by its score, the highest first.

    >>> [tuple(seat) for seat in placing([5, 8, 5, 1])]
    [(2, 2), (1, 1), (2, 2), (4, 1)]
    """
    falling = sorted(values, reverse=True)
    return _placing(tuple([falling.index(value) for value in values]))


@cache
def _placing(ahead: tuple[int, ...]) -> Placing:
    """Return each seat's place by how many are ahead of it."""
    return tuple(SharedPlace(number + 1, ahead.count(number)) for number in ahead)


@cache
def linear(players: int) -> tuple[Fraction, ...]:
    """Points from +3 to -3, fair between tables of different sizes.

    >>> [str(points) for points in linear(5)]
    ['3', '3/2', '0', '-3/2', '-3']
    """
    if players < 2:
        return (Fraction(0),) * players
    return tuple(Fraction(3 * (players + 1 - 2 * i), players - 1) for i in range(1, players + 1))


def points_for(scale: Scale, players: int) -> tuple[Fraction, ...]:
    """The points of a table of some size; the nearest size is stretched if it has no own.

    >>> scale = ((4, (Fraction(4), Fraction(3), Fraction(2), Fraction(1))),)
    >>> [str(points) for points in points_for(scale, 3)]
    ['4', '5/2', '1']
    """
    known = dict(scale)
    if not known:
        return linear(players)
    if players in known:
        return known[players]
    nearest = known[min(known, key=lambda size: (abs(size - players), -size))]
    if players < 2:
        return (sum(nearest, Fraction(0)) / len(nearest),) * players
    step = Fraction(len(nearest) - 1, players - 1)
    return tuple(_between(nearest, i * step) for i in range(players))


def _between(points: Sequence[Fraction], position: Fraction) -> Fraction:
    lower = position.numerator // position.denominator
    if lower + 1 >= len(points):
        return points[-1]
    return points[lower] + (points[lower + 1] - points[lower]) * (position - lower)


def share(points: Sequence[Fraction], placed: SharedPlace) -> Fraction:
    """Return the worth of a place: the mean of the points of all the places of a tie."""
    covered = points[placed.place - 1 : placed.place - 1 + placed.tied]
    return sum(covered, Fraction(0)) / placed.tied


def read_scale(value: object) -> Scale:
    """A scale out of data: ``"linear"``, or lists of points by number of players.

    Raises ValueError.
    """
    if value == "linear":
        return LINEAR
    if not isinstance(value, Mapping) or not value:
        raise MessageError(
            Message('"linear" is needed, or points by number of players, such as {"4": ...}')
        )
    rows = {_players(players): _points(points) for players, points in value.items()}
    for players, points in rows.items():
        if len(points) != players:
            raise MessageError(
                Message(
                    "a table of {players} needs {players} points, not {count}",
                    players=players,
                    count=len(points),
                )
            )
    return tuple(sorted(rows.items()))


def _players(value: object) -> int:
    sizes = {str(size): size for size in range(_PLAYERS_MIN, _PLAYERS_MAX + 1)}
    if not isinstance(value, str) or value not in sizes:
        raise MessageError(
            Message(
                "a table has from {least} to {most} players", least=_PLAYERS_MIN, most=_PLAYERS_MAX
            )
        )
    return sizes[value]


def _points(value: object) -> tuple[Fraction, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) > _PLAYERS_MAX:
        raise MessageError(Message("a list of points is needed, from the first place to the last"))
    points = tuple(exact(one) for one in value)
    if any(better < worse for better, worse in pairwise(points)):
        raise MessageError(Message("a better place cannot bring fewer points"))
    return points


def write_scale(scale: Scale) -> "str | dict[str, list[str]]":
    """The inverse of `read_scale`."""
    if not scale:
        return "linear"
    return {str(players): [str(one) for one in points] for players, points in scale}


def say_points(scale: Scale, sizes: Collection[int]) -> str:
    """Say the points of the places at tables of these sizes, the most usual size of four first.

    >>> say_points(read_scale({"4": ["4", "5/2", "1", "0"]}), [3, 4])
    'a table of 4 brings 4, 2½, 1 and 0 points; a table of 3 brings 4, 1 3/4 and 0 points'
    """
    said = [
        Message(
            "a table of {players} brings {points} points",
            players=players,
            points=join_with_and([say_number(one) for one in points_for(scale, players)]),
        )
        for players in sorted(sizes, key=lambda size: (size != 4, size))
    ]
    return joined_by_semicolons(said)


def say_number(number: Fraction) -> str:
    """Write a number as people do on paper.

    >>> [say_number(Fraction(number)) for number in ("3", "1/2", "9/5")]
    ['3', '½', '1 4/5']
    """
    sign, size = "\N{MINUS SIGN}" if number < 0 else "", abs(number)
    whole, rest = divmod(size.numerator, size.denominator)
    if not rest:
        return f"{sign}{whole}"
    half = size.denominator == 2
    part = "\N{VULGAR FRACTION ONE HALF}" if half else f"{rest}/{size.denominator}"
    return f"{sign}{whole or ''}{'' if half or not whole else ' '}{part}"


def say_scale(scale: Scale) -> str:
    """A scale in words."""
    if not scale:
        return Message("Evenly from +3 for the first to -3 for the last.")
    rows = [
        Message("{players} players: {points}", players=players, points=", ".join(map(str, points)))
        for players, points in scale
    ]
    return Message(
        "{rows}; a table of another size has the nearest of them, stretched.",
        rows=joined_by_semicolons(rows),
    )
