"""Prescribed movements: read in any of their forms, refused before the first round."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.movements.hall import QUICK
from tournaments.movements import RoundSeating, SeatingError, Wishes, plan, read_prescribed_rounds

TWO = (
    RoundSeating(((0, 1, 2, 3), (4, 5, 6, 7))),
    RoundSeating(((0, 4, 1, 5), (2, 6, 3, 7))),
)


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3 4 | 5 6 7 8\n1 5 2 6 | 3 7 4 8",
        "Round 1: 1-2-3-4; 5-6-7-8\n\nRound 2: 1-5-2-6; 3-7-4-8\n",
        "1,2,3,4\n5,6,7,8\n\n1,5,2,6\n3,7,4,8",
        "Round 1\n1 2 3 4\n5 6 7 8\n\nRound 2\n1 5 2 6\n3 7 4 8",
    ],
)
def test_a_pasted_movement(text: str) -> None:
    assert read_prescribed_rounds(text, 8) == TWO


def test_data_as_a_plan_gives_them_and_plain_lists() -> None:
    found = plan(9, 3, Wishes(allowed=(4,)), seed=1, effort=QUICK)
    assert read_prescribed_rounds(found.to_data(), 9) == found.rounds
    assert (
        read_prescribed_rounds([[[0, 1, 2, 3], [4, 5, 6, 7]], [[0, 4, 1, 5], [2, 6, 3, 7]]], 8)
        == TWO
    )
    assert read_prescribed_rounds(list(TWO), 8) == TWO


def test_who_sits_out_is_named() -> None:
    found = read_prescribed_rounds("1 2 3 4 | out: 5", 5)
    assert found == (RoundSeating(((0, 1, 2, 3),), (4,)),)


@pytest.mark.parametrize(
    ("text", "n", "words"),
    [
        (
            "1 2 3 4 | 5 6 7 7",
            8,
            "Round 1: player 7 is seated twice. Round 1: player 8 has no seat.",
        ),
        ("1 2 3 4 | 5 6 7 8", 12, "Round 1: player 9 has no seat. Round 1: player 10 has no seat."),
        ("1 2 3 4 | 5 6 7 9", 8, "Round 1: there is no player 9. Round 1: player 8 has no seat."),
        ("1 2 3 4 5 6 | 7 8", 8, "table 1 has 6 players. Round 1: table 2 has 2 players."),
        ("0 1 2 3", 4, "Round 1: players are numbered from 1."),
        ("1 2 x 4", 4, "Round 1: 'x' is not the number of a player."),
        ("1 2 ٣ 4", 4, "is not the number of a player."),
        ("1 2 99999999999999999999 4", 4, "is not the number of a player."),
        ("", 8, "A movement has 1 to 100 rounds, not 0."),
        ("1 2 3 4 |\n" * 101, 4, "A movement has 1 to 100 rounds, not 101."),
        ("1" * 500_000, 8, "too long"),
        ("1 2 3 4", 0, "for 1 to 1000 players"),
        ("1 2 3 4", 10**9, "for 1 to 1000 players"),
    ],
)
def test_what_is_wrong_is_said(text: str, n: int, words: str) -> None:
    with pytest.raises(SeatingError) as refusal:
        read_prescribed_rounds(text, n)
    assert words in str(refusal.value)


def test_much_that_is_wrong_is_said_shortly() -> None:
    with pytest.raises(SeatingError, match=r"And 88 more\.$"):
        read_prescribed_rounds("1 2 3 4", 100)


def test_another_number_of_rounds() -> None:
    with pytest.raises(SeatingError, match="has 2 rounds, not 5"):
        read_prescribed_rounds([each.to_data() for each in TWO], 8, rounds=5)


def test_sizes_that_the_rules_do_not_have() -> None:
    with pytest.raises(SeatingError, match="table 1 has 4 players"):
        read_prescribed_rounds("1 2 3 4", 4, allowed=(3, 5))


@pytest.mark.parametrize(
    "data",
    [3, {}, {"rounds": 3}, [3], [[3]], [["abc"]], [[[0, 1, "2"]]], {"rounds": "abc"}, [None]],
)
def test_data_that_are_no_movement(data: Any) -> None:
    with pytest.raises(SeatingError):
        read_prescribed_rounds(data, 4)


@given(st.text(alphabet="0123456789 |;\n-,xout:R", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_prescribed_rounds(text, 6)
    except SeatingError as refused:
        assert str(refused)  # noqa: PT017 (both are right, and either says something)
    else:
        assert found
        assert all(seating.entrants == set(range(6)) for seating in found)
