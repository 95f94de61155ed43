"""What cannot be seated is told in a sentence, and never hangs."""

from typing import Any

import pytest

from tests.tournaments.movements.hall import QUICK
from tournaments.movements import (
    Movement,
    RoundSeating,
    SeatingError,
    Stay,
    Wishes,
    judge,
    next_round,
    plan,
    sizes,
)


@pytest.mark.parametrize(
    ("n", "allowed", "words"),
    [
        (-1, (3, 4), "There is nobody to seat."),
        (0, (3, 4), "There is nobody to seat."),
        (1, (3, 4), "One player cannot make a table."),
        (2, (3, 4), "Two players cannot make a table."),
        (3, (4,), "3 players cannot make a table of 4."),
        (5, (3, 4), "5 players cannot be seated at tables of 3 or 4 without sit-outs."),
        (401, (4,), "401 players cannot be seated at tables of 4 alone without sit-outs."),
        (11, (4, 5), "11 players cannot be seated at tables of 4 or 5 without sit-outs."),
        (8, (2,), "Tables have 3 to 6 seats."),
        (8, (), "Tables have 3 to 6 seats."),
        (8, (4, 7), "Tables have 3 to 6 seats."),
        (100_000, (4,), "At most 1000 players can be seated at once."),
    ],
)
def test_sizes_that_are_none(n: int, allowed: tuple[int, ...], words: str) -> None:
    wishes = Wishes(allowed=allowed, byes=False)
    with pytest.raises(SeatingError) as refusal:
        sizes(n, allowed, byes=False)
    assert str(refusal.value) == words
    with pytest.raises(SeatingError) as refusal:
        plan(n, 3, wishes, seed=1)
    assert str(refusal.value) == words
    with pytest.raises(SeatingError) as refusal:
        next_round(Movement.SWISS, max(n, 0), range(n), (), wishes, seed=1)
    assert str(refusal.value) == words


def test_a_round_for_which_too_few_are_there_is_named() -> None:
    present = {one: range(2) for one in range(6)}
    with pytest.raises(SeatingError, match="Two players cannot make a table") as refusal:
        plan(8, 3, seed=1, present=present)
    assert refusal.value.round == 2


def test_history_that_names_strangers() -> None:
    with pytest.raises(SeatingError, match="not entered") as refusal:
        plan(8, 2, seed=1, history=[RoundSeating(((0, 1, 2, 8), (3, 4, 5, 6)))])
    assert refusal.value.entrants == (8,)
    with pytest.raises(SeatingError, match="not entered"):
        judge([RoundSeating(((0, 1, 2, 9),))], 8)
    with pytest.raises(SeatingError, match="not entered"):
        next_round(Movement.DANISH, 8, range(8), [RoundSeating(((0, 1, 2, 9),))], seed=1)


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        (Wishes(apart=((3, 3),)), "kept apart from themselves"),
        (Wishes(apart=((0, 9),)), "not entered"),
        (Wishes(teams=((0, 1, -1),)), "not entered"),
        (Wishes(volunteers=(8,)), "not entered"),
        (Wishes(teams=((0, 1, 2),)), "3 team-mates need 3 tables, and there are 2."),
        (Wishes(apart=((0, 1), (1, 2), (0, 2))), "keeps apart all"),
        (Wishes(stay=(Stay(0, 0, 1), Stay(1, 0, 1))), "belongs to one player"),
        (Wishes(stay=(Stay(0, 0), Stay(0, 1))), "belongs to one player"),
        (Wishes(stay=(Stay(0, -1),)), "have numbers"),
        (Wishes(stay=(Stay(0, 5),)), "table 6 that round 1 has not"),
        (Wishes(stay=(Stay(0, 0, 5),)), "table 1 that round 1 has not"),
        (
            Wishes(stay=tuple(Stay(one, 0) for one in range(5))),
            "More players keep a seat at table 1",
        ),
        (Wishes(stay=(Stay(0, 0),), never=((0, 0),)), "where they never sit"),
        (Wishes(stay=(Stay(0, 0), Stay(1, 0)), apart=((0, 1),)), "sit apart keep seats"),
        (Wishes(never=((0, 0), (0, 1))), "nobody sits where they never do"),
    ],
)
def test_wishes_that_cannot_be(wishes: Wishes, words: str) -> None:
    with pytest.raises(SeatingError, match=words) as refusal:
        plan(8, 2, wishes, seed=1, effort=QUICK)
    assert str(refusal.value).endswith(".")


def test_more_rounds_than_any_event_has() -> None:
    with pytest.raises(SeatingError, match="at most 100 rounds"):
        plan(8, 101, seed=1)
    with pytest.raises(SeatingError, match="at most 100 rounds"):
        plan(8, -1, seed=1)


def test_somebody_there_who_is_not_entered() -> None:
    with pytest.raises(SeatingError, match="not entered"):
        plan(8, 2, seed=1, present={8: range(2)})


@pytest.mark.parametrize(
    "data",
    [{}, {"tables": 3}, {"tables": [3]}, {"tables": [[0, "1"]]}, {"tables": [[True]]},
     {"tables": [[-1]]}, {"tables": [[0, 1, 2]], "sit_outs": 4}, {"tables": [[0.5]]}],
)  # fmt: skip
def test_data_that_are_no_seating(data: dict[str, Any]) -> None:
    with pytest.raises(SeatingError):
        RoundSeating.from_data(data)
