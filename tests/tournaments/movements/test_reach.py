"""Reach: directors are told of rounds without a repeat that the planner finds, and no others."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.examples import examples
from tests.tournaments.movements.hall import legal
from tournaments.movements import SeatingError, Wishes, plan, repeat_free_rounds
from tournaments.movements.catalogue import Rounds
from tournaments.movements.fields import find_field
from tournaments.movements.mixed import REACHED
from tournaments.movements.rainbow import known_rounds
from tournaments.movements.search import Search, find_known_mixed_rounds
from tournaments.movements.sizes import sizes
from tournaments.movements.starters import STARTERS, turn_starter

Table = frozenset[int]

MIXED = sorted(REACHED, key=lambda key: 3 * key[0] + 4 * key[1] + 5 * key[2] + key[3])


def without_a_pair_twice(rounds: Rounds) -> bool:
    pairs = [
        frozenset(pair) for played in rounds for table in played for pair in combinations(table, 2)
    ]
    return len(set(pairs)) == len(pairs)


def everybody_once(rounds: Rounds, n: int) -> bool:
    return all(sorted(one for table in played for one in table) == [*range(n)] for played in rounds)


@pytest.mark.property
@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_no_pair_meets_twice_in_any_movement_that_is_known(size: int) -> None:
    sizes = [*range(size, 200, size), 64 * size, 1000 // size * size]
    for n in sizes[: examples(len(sizes), 20)]:
        rounds = known_rounds(n, size)
        assert rounds
        assert everybody_once(rounds, n), n
        assert all(len(table) == size for played in rounds for table in played), n
        assert without_a_pair_twice(rounds), n


@pytest.mark.parametrize(("n", "size"), STARTERS)
def test_a_starter_goes_all_its_rounds(n: int, size: int) -> None:
    starter = STARTERS[n, size]
    rounds = turn_starter(n, size)
    assert len(rounds) == starter.length * len(starter.first) + starter.cosets
    assert everybody_once(rounds, n)
    assert without_a_pair_twice(rounds)


@pytest.mark.property
@pytest.mark.parametrize(
    ("n", "size", "rounds"),
    [(9, 3, 4), (12, 3, 4), (15, 3, 7), (18, 3, 8), (21, 3, 10), (27, 3, 13), (39, 3, 19),
     (60, 3, 29), (16, 4, 5), (32, 4, 9), (36, 4, 11), (40, 4, 13), (64, 4, 21), (25, 5, 6),
     (30, 5, 6), (40, 5, 8), (45, 5, 9), (80, 5, 16), (36, 6, 3), (48, 6, 8), (54, 6, 9),
     (96, 6, 16)],
)  # fmt: skip
def test_the_planner_reaches_what_is_claimed_at_tables_of_one_size(
    n: int, size: int, rounds: int
) -> None:
    claimed = repeat_free_rounds(n, (size,))
    assert claimed.rounds == rounds
    for seed in (1, "another")[: examples(2, 1)]:
        found = plan(n, rounds, Wishes(allowed=(size,)), seed=seed)
        assert found.certificate.repeats == 0
        assert all(legal(seating, range(n), (size,)) for seating in found.rounds)


@pytest.mark.property
@pytest.mark.parametrize("key", MIXED[:: len(MIXED) // examples(len(MIXED), 9)])
def test_what_is_claimed_where_tables_differ_is_found(key: tuple[int, int, int, int]) -> None:
    threes, fours, fives, idle = key
    n = 3 * threes + 4 * fours + 5 * fives + idle
    allowed = tuple(size for size, many in ((3, threes), (4, fours), (5, fives)) if many)
    claimed = repeat_free_rounds(n, allowed, byes=idle > 0)
    assert claimed.rounds == REACHED[key][0]
    search = Search(n, Wishes(allowed=allowed, byes=idle > 0), (), [range(n)] * claimed.rounds)
    assert without_a_pair_twice(find_known_mixed_rounds(search))
    sat_out = [one for each in search.rounds for one in each.sit_outs]
    assert len(sat_out) == idle * claimed.rounds


@pytest.mark.parametrize("n", [11, 15, 17, 18, 19, 21, 22, 23, 26, 27, 30])
def test_the_planner_reaches_it_even_if_its_own_search_has_no_time(n: int) -> None:
    claimed = repeat_free_rounds(n)
    for rounds in {1, claimed.rounds}:
        told = plan(n, rounds, seed=f"night {n}", effort=100).certificate
        assert told.repeats == 0
        assert told.odd_tables <= 1


@pytest.mark.property
def test_no_claim_is_more_than_is_possible() -> None:
    for n in range(3, 3 + examples(117, 40)):
        for allowed in ((3, 4, 5), (3,), (4,), (5,), (6,), (3, 4), (4, 5)):
            try:
                found = repeat_free_rounds(n, allowed)
            except SeatingError as refused:
                assert str(refused)  # noqa: PT017 (some numbers fit no tables, and that is said)
            else:
                assert 1 <= found.rounds <= found.at_most


def test_fifteen_in_threes_play_seven_rounds_as_the_schoolgirls_do() -> None:
    found = repeat_free_rounds(15, (3,))
    assert (found.rounds, found.at_most) == (7, 7)
    assert found.sentence == (
        "You can play up to 7 rounds without a repeat meeting (more are impossible)."
    )


def test_what_is_not_known_is_not_called_impossible() -> None:
    assert repeat_free_rounds(20).sentence == (
        "You can play up to 5 rounds without a repeat meeting"
        " (more are not built in, and more than 6 are impossible)."
    )


@pytest.mark.parametrize(("prime", "degree"), [(2, 2), (2, 3), (3, 2), (2, 4), (5, 2), (7, 1)])
def test_a_field_can_be_divided_in(prime: int, degree: int) -> None:
    field = find_field(prime, degree)
    elements = range(field.order)
    for one in elements[1:]:
        assert sorted(field.multiply(one, other) for other in elements) == [*elements]
        assert sorted(field.add(one, other) for other in elements) == [*elements]
        for other in elements:
            total = field.add(field.multiply(one, other), field.multiply(one, 1))
            assert field.multiply(one, field.add(other, 1)) == total


def partitions(people: tuple[int, ...], cut: tuple[int, ...]) -> Iterator[frozenset[Table]]:
    """Every way to seat some of these people at tables of these sizes; the others sit out."""
    if not cut:
        yield frozenset()
        return
    for table in combinations(people, cut[0]):
        rest = tuple(one for one in people if one not in table)
        for others in partitions(rest, cut[1:]):
            yield others | {frozenset(table)}


def most_rounds(n: int, cut: tuple[int, ...]) -> int:
    """The most rounds without a repeat meeting, by trying all of them."""
    pairs = [
        frozenset(frozenset(pair) for table in seating for pair in combinations(table, 2))
        for seating in set(partitions(tuple(range(n)), cut))
    ]

    def extend(rest: list[frozenset[Table]]) -> int:
        return max(
            (
                1 + extend([each for each in rest[place:] if not each & one])
                for place, one in enumerate(rest, 1)
            ),
            default=0,
        )

    # By symmetry any seating may be the first.
    return 1 + extend([one for one in pairs[1:] if not one & pairs[0]])


@pytest.mark.property
@pytest.mark.parametrize("byes", [None, True, False])
@pytest.mark.parametrize("allowed", [(3,), (4,), (5,), (3, 4), (4, 5), (3, 4, 5)])
def test_what_is_said_of_few_players_is_what_trying_everything_finds(
    allowed: tuple[int, ...], *, byes: bool | None
) -> None:
    for n in range(3, 11):
        try:
            found = repeat_free_rounds(n, allowed, byes=byes)
        except SeatingError as refused:
            assert str(refused)  # noqa: PT017 (some numbers fit no tables, and that is said)
            continue
        most = most_rounds(n, tuple(sizes(n, allowed, byes=byes)))
        assert found.rounds <= most <= found.at_most, (n, allowed, byes)
