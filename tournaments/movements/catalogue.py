"""Movements that are known to be best, as numbers (tournaments.md 2.2)."""

from collections.abc import Iterator
from typing import Final

Rounds = list[list[list[int]]]
"""Tables of entrants, round by round; seats do not count yet."""

STARTERS: Final = {
    24: (7, "2 1 4 12|10 17 11 13|9 3 23 14|7 22 16 0|19 15 20 5|6 8 21 18"),
    28: (9, "8 20 5 24|21 13 17 23|9 12 7 6|16 25 19 14|10 11 3 1|15 22 27 2|0 4 26 18"),
    32: (
        9,
        "20 0 31 17|21 15 28 8|6 1 18 4|16 2 12 13|30 3 9 19|25 22 24 11|14 23 29 5|27 26 10 7",
    ),
    36: (
        10,
        "32 14 0 23|31 6 21 13|22 35 5 17|3 9 2 18|19 16 20 10|12 29 1 33|7 27 15 30|4 25 26 28|"
        "8 11 34 24",
    ),
    40: (
        10,
        "39 4 36 37|9 25 38 1|0 29 7 14|24 30 21 6|11 34 19 8|2 3 33 12|18 27 28 32|31 23 15 35|"
        "10 5 22 26|20 17 16 13",
    ),
    44: (
        13,
        "21 8 36 29|4 5 2 9|23 27 16 18|13 43 31 7|12 41 37 17|35 3 32 19|1 25 24 15|20 30 42 0|"
        "22 40 28 10|6 39 14 26|33 34 11 38",
    ),
    48: (
        13,
        "17 5 41 37|19 47 6 34|21 27 42 7|4 46 25 29|35 36 31 38|13 18 24 14|15 33 45 11|"
        "32 22 40 3|9 30 44 16|26 23 39 12|0 10 1 8|43 20 2 28",
    ),
    52: (
        15,
        "51 31 18 11|27 7 37 50|35 49 24 10|22 1 5 4|25 43 19 39|36 42 41 44|13 26 34 45|"
        "23 20 21 16|30 3 15 48|32 0 6 8|9 38 17 46|33 47 14 29|2 12 40 28",
    ),
}
"""First rounds of movements without a repeat, by entrants, with the length of an orbit and as many
rounds: from a round to the next one everybody moves on by one within their orbit, and those behind
the last full orbit keep their numbers."""

WHIST: Final = {
    8: "oo 6 1 5|4 0 2 3",
    12: "5 2 4 0|8 1 3 9|10 7 6 oo",
    16: "9 0 1 13|8 10 4 11|7 oo 2 12|5 6 14 3",
    20: "10 1 15 12|9 13 11 3|6 18 0 oo|16 2 17 5|4 14 8 7",
    24: "4 17 1 3|11 20 5 2|15 oo 7 9|16 10 14 21|0 8 13 12|18 6 19 22",
    28: "21 19 25 3|13 oo 20 16|23 6 17 4|24 0 5 9|12 26 15 14|10 18 11 1|22 7 8 2",
    32: "11 20 27 15|13 29 24 25|4 14 5 oo|26 28 1 9|17 23 0 30|19 2 22 12|10 7 18 16|3 6 21 8",
}
"""First rounds of whist tournaments by entrants, in seat order: from a round to the next one
everybody but "oo" moves on by one. After n - 1 rounds everybody has met everybody three times,
once across the table and twice beside them."""

_PRODUCTS: Final = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Multiplication in the field of four elements; its addition is the exclusive or."""


def _tables(text: str, last: int = 0) -> list[list[int]]:
    tables = (table.split() for table in text.split("|"))
    return [[last if name == "oo" else int(name) for name in table] for table in tables]


def starter_rounds(n: int) -> Rounds:
    """All rounds of the cyclic movement for so many, or none."""
    if n not in STARTERS:
        return []
    length, text = STARTERS[n]
    return list(_rotate_tables(_tables(text), length, n // length * length, length))


def whist(n: int) -> Rounds:
    """All n - 1 rounds of the whist tournament for so many, or none."""
    if n not in WHIST:
        return []
    return list(_rotate_tables(_tables(WHIST[n], n - 1), n - 1, n - 1, n - 1))


def _rotate_tables(
    first: list[list[int]], length: int, moving: int, rounds: int
) -> Iterator[list[list[int]]]:
    for number in range(rounds):
        yield [[_move_entrant(one, number, length, moving) for one in table] for table in first]


def _move_entrant(entrant: int, steps: int, length: int, moving: int) -> int:
    if entrant >= moving:
        return entrant
    orbit, place = divmod(entrant, length)
    return orbit * length + (place + steps) % length


def affine_plane() -> Rounds:
    """Sixteen entrants, five rounds: every pair meets exactly once.

    Entrant 4x + y is the point (x, y) over the field of four elements; the tables of a round are
    the lines of one slope. In the last round they are the columns, which may be four teams.
    """
    slopes = [
        [[4 * x + (_PRODUCTS[slope][x] ^ start) for x in range(4)] for start in range(4)]
        for slope in range(4)
    ]
    return [*slopes, [[4 * x + y for y in range(4)] for x in range(4)]]
