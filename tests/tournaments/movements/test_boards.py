"""Boards: sets go around so that nobody plays one twice."""

import pytest

from tournaments.movements import (
    RoundSeating,
    SeatingError,
    barometer,
    boards,
    duplicate,
    plan,
    replays,
)


@pytest.mark.parametrize(("n", "rounds"), [(20, 5), (24, 5), (28, 7), (44, 10), (100, 8)])
def test_five_rows_let_nobody_meet_a_rival_or_a_board_twice(n: int, rounds: int) -> None:
    found, sets = duplicate(n, rounds, seed=1)
    assert found.certificate.repeats == 0
    assert found.certificate.seat_spread <= 1
    assert replays(found.rounds, sets) == 0
    assert {number for numbers in sets for number in numbers} <= set(range(n // 4))


@pytest.mark.parametrize(("n", "rounds"), [(8, 2), (22, 4)])
def test_boards_go_around_any_movement(n: int, rounds: int) -> None:
    found, sets = duplicate(n, rounds, seed=1)
    assert replays(found.rounds, sets) == 0
    for seating, numbers in zip(found.rounds, sets, strict=True):
        assert len(numbers) == len(set(numbers)) == len(seating.tables)


def test_in_a_barometer_all_tables_play_the_same_boards() -> None:
    rounds = plan(12, 3, seed=1, effort=10_000).rounds
    assert barometer(rounds) == ((0, 0, 0), (1, 1, 1), (2, 2, 2))
    assert replays(rounds, barometer(rounds)) == 0


def test_where_boards_go_around_badly_every_table_has_its_own() -> None:
    found, sets = duplicate(16, 5, seed=1)
    assert replays(found.rounds, sets) == 0
    assert len({number for numbers in sets for number in numbers}) == 20


def test_too_few_boards() -> None:
    rounds = plan(16, 5, seed=1).rounds
    with pytest.raises(SeatingError, match="5 sets of boards are needed"):
        boards(rounds)
    with pytest.raises(SeatingError, match="no way was found"):
        boards(rounds, 6)


def test_a_board_that_is_played_again_is_counted() -> None:
    seating = RoundSeating(((0, 1, 2, 3), (4, 5, 6, 7)))
    assert replays([seating, seating], [(0, 1), (0, 2)]) == 4
