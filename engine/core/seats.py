"""Seats, turns and passing directions (rules.md K2, notation.md 3.2).

A seat is its place at the table, counted clockwise from 0; the names of the seats are points of
the compass and belong to the table. "Left" is the next seat clockwise.
"""

from functools import lru_cache
from typing import Final, NewType

from .messages import Message, MessageError

Seat = NewType("Seat", int)

COMPASS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""All points at which somebody can sit, clockwise."""
SEAT_NAMES: Final = {
    "N": Message("North"),
    "NE": Message("North-East"),
    "E": Message("East"),
    "SE": Message("South-East"),
    "S": Message("South"),
    "SW": Message("South-West"),
    "W": Message("West"),
    "NW": Message("North-West"),
}
"""What seats are called in a sentence, by their point of the compass."""
DEFAULT_SEATS: Final = {
    3: ("E", "S", "W"),
    4: ("N", "E", "S", "W"),
    5: ("NE", "SE", "S", "SW", "NW"),
    6: ("N", "NE", "SE", "S", "SW", "NW"),
}
"""The seats of a table of 3 to 6 players, clockwise, where the record does not name them."""

LEFT, RIGHT, ACROSS, HOLD = "left", "right", "across", "hold"
_DIRECTION_NAMES: Final = {
    LEFT: Message("left"),
    RIGHT: Message("right"),
    ACROSS: Message("across"),
    HOLD: Message("hold"),
}


def left_of(seat: Seat, players: int, places: int = 1) -> Seat:
    """The seat so many places clockwise."""
    # Seat() is a call, and this is asked several times for every hand; what comes out is a seat.
    return (seat + places) % players  # type: ignore[return-value]


def clockwise(first: Seat, players: int) -> list[Seat]:
    """All seats in turn, beginning with one."""
    return [Seat((first + place) % players) for place in range(players)]


@lru_cache(maxsize=256)
def turns(first: Seat, players: int) -> tuple[Seat, ...]:
    """Return the turns as a value, which is kept."""
    return tuple(clockwise(first, players))


def is_clockwise(names: tuple[str, ...]) -> bool:
    """Whether these points of the compass are different and go round once, clockwise."""
    if not names or any(name not in COMPASS for name in names):
        return False
    steps = [
        (COMPASS.index(after) - COMPASS.index(before)) % 8
        for before, after in zip(names, names[1:] + names[:1], strict=True)
    ]
    return len(set(names)) == len(names) and sum(steps) in (0, 8)


def pass_places(direction: str, players: int) -> int:
    """Return how far to the left cards go: left 1, right one less than all, k2 two, hold 0.

    Raises MessageError for a word that is no direction, or has no meaning at this table
    (``across`` with an odd number of players, ``k4`` at a table of four).
    """
    if direction == HOLD:
        return 0
    if direction == LEFT:
        return 1
    if direction == RIGHT:
        return players - 1
    if direction == ACROSS and players % 2 == 0:
        return players // 2
    number = direction.removeprefix("k")
    if direction != number and number.isascii() and number.isdigit() and len(number) == 1:
        places = int(number)
        if 0 < places < players:
            return places
    raise MessageError(
        Message(
            "{direction} is not a passing direction for {players} players; "
            "use left, right, across, hold or k and a number of seats",
            direction=repr(direction),
            players=players,
        )
    )


def direction_name(direction: str) -> str:
    """A passing direction in a sentence; ``k2`` has no name."""
    return _DIRECTION_NAMES.get(direction, direction)
