"""Starters: first rounds that a turn of all places repeats without a repeat meeting.

Places are divided into orbits of one length, and those behind the last full orbit keep theirs.
From a round to the next one everybody moves on by one within their orbit. Each starter was found by
annealing, but that of 40, which a multiplier of 3 keeps, by a search; that no pair meets twice is
checked by a test. At tables of three they reach all rounds
that there can be (Kirkman systems: D. K. Ray-Chaudhuri and R. M. Wilson 1971; nearly Kirkman
systems, where n is a multiple of 6: A. Kotzig and A. Rosa 1974).
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from tournaments.movements.catalogue import Rounds


class Starter(NamedTuple):
    """The length of an orbit, and first rounds; each is turned as often as an orbit is long.

    ``cosets``: one round more, at whose tables sit those who are equally far apart in their orbit.
    """

    length: int
    first: tuple[str, ...]
    cosets: bool = False


STARTERS: Final[Mapping[tuple[int, int], Starter]] = {
    (15, 3): Starter(
        7,
        ("10 4 14|9 6 11|7 5 13|3 2 0|1 12 8",),
    ),
    (18, 3): Starter(
        4,
        (
            "12 17 1|14 4 5|15 2 10|16 6 8|3 9 13|11 0 7",
            "5 0 1|12 10 9|8 7 17|16 3 15|4 2 11|6 14 13",
        ),
    ),
    (21, 3): Starter(
        3,
        (
            "9 13 6|4 10 12|7 3 16|1 11 19|2 14 15|17 5 18|8 20 0",
            "20 7 15|17 0 14|19 12 9|8 3 13|11 16 6|2 18 4|1 10 5",
            "2 12 17|15 4 11|7 13 18|19 16 10|1 9 8|3 0 6|5 14 20",
        ),
        cosets=True,
    ),
    (24, 3): Starter(
        11,
        ("8 6 5|18 16 0|14 2 17|19 12 13|3 10 20|4 22 15|7 21 1|9 11 23",),
    ),
    (30, 3): Starter(
        14,
        ("25 9 16|20 28 0|18 22 5|26 14 15|12 6 24|10 19 11|7 17 3|8 23 29|21 27 2|4 1 13",),
    ),
    (33, 3): Starter(
        15,
        (
            "1 14 24|2 11 26|10 32 27|13 6 19|31 17 5|12 28 16|30 20 9|18 0 29|25 3 23|7 4 "
            "8|21 15 22",
        ),
        cosets=True,
    ),
    (36, 3): Starter(
        17,
        (
            "10 33 22|7 27 26|6 21 17|4 11 5|13 0 30|14 2 16|29 8 32|18 25 20|19 35 1|34 15 "
            "24|12 3 28|23 9 31",
        ),
    ),
    (39, 3): Starter(
        19,
        (
            "0 16 23|6 36 26|7 2 9|10 37 25|5 29 1|30 32 11|27 17 31|33 8 20|28 15 38|14 3 "
            "13|34 12 18|21 4 22|24 19 35",
        ),
    ),
    (42, 3): Starter(
        20,
        (
            "41 16 35|8 29 28|23 36 27|7 39 5|22 4 37|40 19 24|17 9 12|13 14 0|38 20 3|18 26 "
            "34|31 25 2|33 6 30|10 1 32|11 15 21",
        ),
    ),
    (45, 3): Starter(
        21,
        (
            "21 34 36|35 9 25|38 41 16|19 31 22|5 14 10|17 15 4|6 29 24|39 40 11|43 20 37|2 "
            "33 1|30 0 3|28 7 42|23 8 27|32 18 12|13 44 26",
        ),
        cosets=True,
    ),
    (48, 3): Starter(
        23,
        (
            "45 12 13|0 31 47|33 39 26|28 24 21|22 10 15|3 40 43|8 42 27|44 20 6|9 11 38|2 46 "
            "37|36 41 16|14 17 35|34 23 25|29 30 7|4 32 19|5 18 1",
        ),
    ),
    (51, 3): Starter(
        25,
        (
            "20 33 21|5 45 41|42 50 17|4 12 2|32 38 10|9 36 13|39 19 8|25 11 27|15 49 3|7 14 "
            "40|37 26 46|43 30 1|48 24 31|34 16 35|18 23 28|29 44 47|22 0 6",
        ),
    ),
    (54, 3): Starter(
        26,
        (
            "25 0 20|45 23 49|12 47 15|34 16 52|18 10 43|13 11 26|36 17 38|9 24 5|48 6 37|28 "
            "35 27|8 51 53|29 1 50|31 19 2|33 42 39|21 41 7|3 30 40|44 4 14|46 22 32",
        ),
    ),
    (57, 3): Starter(
        27,
        (
            "56 38 1|43 44 36|37 51 17|29 25 18|40 34 11|6 19 28|13 53 54|27 26 10|5 32 8|50 "
            "33 45|0 23 48|2 35 55|20 21 15|12 47 31|7 49 52|46 42 3|16 30 4|24 22 14|39 9 41",
        ),
        cosets=True,
    ),
    (60, 3): Starter(
        29,
        (
            "37 46 50|13 27 33|12 57 55|39 56 32|9 4 26|15 11 53|31 19 6|30 23 41|8 54 2|44 "
            "25 5|29 58 14|20 1 22|3 34 0|49 35 43|40 59 7|38 48 16|47 17 18|45 42 21|28 36 "
            "10|52 24 51",
        ),
    ),
    (36, 4): Starter(
        11,
        (
            "18 30 14 19|27 29 12 20|21 31 35 8|1 23 5 7|33 9 26 13|34 11 25 4|22 28 2 32|3 "
            "15 6 17|16 10 0 24",
        ),
    ),
    (40, 4): Starter(
        13,
        (
            "39 0 13 26|1 2 16 25|3 6 22 23|9 5 14 17|4 11 31 36|12 7 28 30|10 8 32 38|15 21 "
            "29 33|19 24 35 34|18 20 27 37",
        ),
    ),
    (48, 4): Starter(
        14,
        (
            "2 11 10 0|18 12 15 14|6 42 17 36|35 37 3 32|22 29 33 27|28 46 20 7|38 39 25 1|8 "
            "26 41 45|47 19 5 31|40 4 23 43|9 24 34 16|44 21 13 30",
        ),
    ),
    (56, 4): Starter(
        17,
        (
            "26 6 25 50|7 32 22 20|30 1 4 12|51 23 37 0|31 48 27 10|49 55 33 2|13 24 52 47|53 "
            "8 36 18|16 3 38 15|42 45 34 44|41 21 5 29|43 17 39 28|9 11 40 35|54 46 19 14",
        ),
    ),
    (60, 4): Starter(
        17,
        (
            "43 26 54 12|17 47 58 6|19 0 45 55|42 35 50 38|8 7 10 15|57 4 30 44|18 20 36 29|3 "
            "37 33 51|27 2 24 23|22 53 49 16|14 56 32 34|11 52 31 46|59 1 48 25|9 41 21 5|28 "
            "13 40 39",
        ),
    ),
    (30, 5): Starter(
        6,
        ("28 11 7 19 27|21 15 4 26 8|3 1 10 9 13|0 18 24 5 20|22 14 12 23 6|17 25 2 29 16",),
    ),
    (50, 5): Starter(
        9,
        (
            "36 30 6 5 0|42 28 48 20 1|19 11 35 10 4|24 25 18 39 43|7 12 33 44 47|29 16 37 38 "
            "9|32 14 31 3 26|40 23 45 27 13|17 8 41 21 46|49 34 22 15 2",
        ),
    ),
    (60, 5): Starter(
        10,
        (
            "20 24 23 55 6|59 8 17 56 11|13 3 1 38 53|52 51 43 30 7|35 41 22 58 39|21 33 48 9 "
            "31|12 40 28 19 32|27 25 14 15 36|50 44 26 46 47|54 37 10 18 34|49 45 16 2 5|4 57 "
            "29 42 0",
        ),
    ),
    (36, 6): Starter(
        3,
        (
            "2 34 16 29 8 17|11 25 19 20 35 28|27 23 13 12 33 30|5 15 32 18 4 21|26 7 22 31 0 "
            "24|10 3 1 9 6 14",
        ),
    ),
    (60, 6): Starter(
        7,
        (
            "59 20 44 26 53 39|38 54 5 3 12 47|31 23 46 43 0 24|52 30 57 14 48 8|40 17 16 21 "
            "37 6|10 42 11 13 35 25|45 58 32 41 4 19|18 7 27 2 55 50|15 34 51 22 56 1|36 29 9 "
            "33 28 49",
        ),
    ),
}
"""By entrants and size of the tables; those for tables of four that the catalogue has are there."""


def turn_starter(n: int, size: int) -> Rounds:
    """Return all rounds of the starter for so many at tables of this size, or none."""
    starter = STARTERS.get((n, size))
    if starter is None:
        return []
    found = [
        [[_move(place, steps, n, starter.length) for place in table] for table in first]
        for first in map(_parse, starter.first)
        for steps in range(starter.length)
    ]
    if starter.cosets:
        found.append(list(_cosets(n, size, starter.length)))
    return found


def _parse(text: str) -> list[list[int]]:
    return [[int(place) for place in table.split()] for table in text.split("|")]


def _move(place: int, steps: int, n: int, length: int) -> int:
    if place >= n // length * length:
        return place
    orbit, at = divmod(place, length)
    return orbit * length + (at + steps) % length


def _cosets(n: int, size: int, length: int) -> Iterator[list[int]]:
    step = length // size
    for orbit in range(n // length):
        for start in range(step):
            yield [orbit * length + start + step * turn for turn in range(size)]
    resting = [*range(n // length * length, n)]
    if resting:
        yield resting
