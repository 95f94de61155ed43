"""The worked examples of tournaments.md section 10 that are about seating, by their ids."""

from collections import Counter
from itertools import combinations

import pytest

from tests.tournaments.movements.hall import legal, meetings
from tournaments.movements import (
    CutPolicy,
    RoundSeating,
    Wishes,
    cut,
    duplicate,
    judge,
    plan,
    replays,
)
from tournaments.movements.bounds import lower_bound
from tournaments.movements.catalogue import affine_plane
from tournaments.movements.orders import snake
from tournaments.movements.rainbow import linear, rainbow
from tournaments.movements.seats import assign_seats


def test_e18_a_snake_of_sixteen_makes_four_tables_of_equal_sums() -> None:
    tables = snake(range(1, 17), (4, 4, 4, 4))
    assert tables == [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]]
    assert {sum(table) for table in tables} == {34}


def test_e22_a_cut_to_four_leaves_one_place_for_three_who_are_tied() -> None:
    found = cut(list(enumerate([30, 28, 27, 25, 25, 25, 20, 18])), 4, CutPolicy.PLAYOFF)
    assert (len(found.sure), len(found.tied), found.still_open) == (3, 3, 1)
    assert found.chosen == (0, 1, 2)


@pytest.mark.parametrize(("rounds", "quota"), [(3, (0, 1)), (5, (1, 2)), (7, (1, 2)), (10, (2, 3))])
@pytest.mark.parametrize("n", [16, 20, 40])
def test_e23_everybody_has_every_seat_as_often_as_the_quota_says(
    rounds: int, quota: tuple[int, int], n: int
) -> None:
    assert plan(n, rounds, seed=n, effort=20_000).certificate.seats == quota


def test_e24_a_plane_without_one_class_seats_four_teams_against_each_other() -> None:
    rounds = affine_plane()[:4]
    tables = [table for played in rounds for table in played]
    met = Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))
    assert len(rounds) == 4
    assert all({one // 4 for one in table} == {0, 1, 2, 3} for table in tables)
    assert len(met) == 96
    assert set(met.values()) == {1}
    assert 120 - len(met) == 24


def test_e24_the_whole_plane_lets_every_pair_of_sixteen_meet_once() -> None:
    met = Counter(
        frozenset(pair)
        for played in affine_plane()
        for table in played
        for pair in combinations(table, 2)
    )
    assert len(met) == 120
    assert set(met.values()) == {1}


def test_e25_seven_tables_and_five_shifts_let_everybody_see_all_seven_boards_once() -> None:
    shifts = linear(5, 7, 7)
    assert shifts is not None
    assert shifts[2] == (0, 2, 4, 6, 1)
    rounds = [[table[:4] for table in played] for played in rainbow(5, 7, shifts)]
    sets = [[table[4] - 28 for table in played] for played in rainbow(5, 7, shifts)]
    seatings = [RoundSeating(tuple(map(tuple, tables))) for tables in rounds]
    assert judge(seatings, 28).repeats == 0
    assert replays(seatings, sets) == 0
    for one in range(28):
        seen = {
            sets[number][table]
            for number, played in enumerate(rounds)
            for table, sat in enumerate(played)
            if one in sat
        }
        assert seen == set(range(7))


def test_e25_is_what_an_event_with_prepared_deals_gets() -> None:
    found, sets = duplicate(28, 7, seed="night")
    assert found.certificate.repeats == 0
    assert all(sorted(numbers) == list(range(7)) for numbers in sets)
    assert replays(found.rounds, sets) == 0
    assert found.certificate.seat_spread <= 1


def test_e26_thirty_players_have_seven_rounds_without_a_repeat() -> None:
    found = plan(30, 7, Wishes(allowed=(3, 4)), seed=1)
    assert found.certificate.repeats == 0
    short: Counter[int] = Counter()
    for seating in found.rounds:
        assert legal(seating, range(30))
        assert sorted(seating.sizes) == [3, 3, 4, 4, 4, 4, 4, 4]
        short.update(one for table in seating.tables if len(table) == 3 for one in table)
    assert max(short.values()) <= 2
    assert found.certificate.odd_tables <= 1


@pytest.mark.parametrize(
    ("n", "rounds", "least"),
    [(8, 3, 12), (8, 7, 84), (12, 5, 30), (16, 5, 0), (16, 7, 48), (20, 10, 110), (28, 10, 42)],
)
def test_e29_the_lower_bound(n: int, rounds: int, least: int) -> None:
    assert lower_bound([((4,) * (n // 4), 0)] * rounds, n) == least


@pytest.mark.parametrize(
    ("n", "rounds", "least"), [(8, 7, 84), (12, 5, 30), (16, 7, 48), (28, 10, 42)]
)
def test_e29_and_the_plans_that_reach_it(n: int, rounds: int, least: int) -> None:
    found = plan(n, rounds, seed=3, effort=200_000)
    assert found.certificate.quality == least
    assert sum(count * (count - 1) // 2 for count in meetings(found.rounds).values()) == least


def test_seats_of_one_size_come_once_in_every_block_of_games() -> None:
    rounds = assign_seats(affine_plane() * 4)
    for one in range(16):
        seats = [table.index(one) for played in rounds for table in played if one in table]
        blocks = [seats[begin : begin + 4] for begin in range(0, 20, 4)]
        assert all(sorted(block) == [0, 1, 2, 3] for block in blocks)
