"""Cuts: who goes on, who is tied, and what they take along."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.movements import (
    CarryOver,
    CutPolicy,
    SeatingError,
    carry_over,
    cut,
    final_ranking,
    team_score,
)

SCORES = [30, 28, 27, 25, 25, 25, 20, 18, 18, 11]
RANKING = list(enumerate(SCORES))


def test_by_tie_break_the_first_of_the_tied_goes_on() -> None:
    found = cut(RANKING, 4)
    assert found.chosen == (0, 1, 2, 3)
    assert found.reserves == (4, 5, 6, 7, 8, 9)


def test_extended_to_a_full_table_all_the_tied_go_on_and_the_next_in_line() -> None:
    assert cut(RANKING, 4, CutPolicy.EXTEND).chosen == tuple(range(8))
    assert cut(RANKING, 6, CutPolicy.EXTEND).chosen == tuple(range(6))
    assert cut(RANKING, 9, CutPolicy.EXTEND).chosen == tuple(range(9))
    assert cut(RANKING[:6], 4, CutPolicy.EXTEND).chosen == tuple(range(6))


def test_a_lot_decides_among_the_tied_alone() -> None:
    drawn = {cut(RANKING, 4, CutPolicy.LOT, seed=seed).chosen for seed in range(40)}
    assert drawn == {(0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 2, 5)}
    assert cut(RANKING, 3, CutPolicy.LOT, seed=5).chosen == (0, 1, 2)


def test_a_play_off_leaves_places_open_only_where_some_are_tied() -> None:
    found = cut(RANKING, 5, CutPolicy.PLAYOFF)
    assert (found.chosen, found.still_open) == ((0, 1, 2), 2)
    found = cut(RANKING, 6, CutPolicy.PLAYOFF)
    assert (found.chosen, found.still_open) == (tuple(range(6)), 0)


@pytest.mark.parametrize(
    ("scores", "places", "line"),
    [
        ([9, 8, 7, 6, 5, 4, 3, 2], 4, 4),
        ([9, 8, 7, 6, 6, 4, 3, 2], 4, 8),
        ([9, 8, 7, 6, 6, 4, 3, 2, 2, 1, 1, 0], 6, 12),
        ([9, 8, 8, 8, 8, 4, 3], 4, 5),
        ([5, 5, 5], 2, 3),
    ],
)
def test_a_line_that_parts_nobody_tied(scores: list[int], places: int, line: int) -> None:
    assert len(cut(list(enumerate(scores)), places, CutPolicy.NO_SPLIT).chosen) == line


def test_a_finalist_withdraws_and_the_next_in_line_comes() -> None:
    found = cut(RANKING, 4).without(1)
    assert found.chosen == (0, 2, 3, 4)
    assert found.without(5).reserves == (6, 7, 8, 9)
    with pytest.raises(SeatingError, match="not in this cut"):
        found.without(1)


@pytest.mark.parametrize(
    ("order", "places", "words"),
    [
        (RANKING, 0, "at least one place"),
        (RANKING, 11, "10 players for 11 places"),
        ([], 1, "0 players for 1 places"),
        ([(0, 1), (0, 1)], 1, "everybody once"),
        ([(0, 1), (1, 2)], 1, "highest score first"),
    ],
)
def test_cuts_that_are_none(order: list[tuple[int, int]], places: int, words: str) -> None:
    with pytest.raises(SeatingError, match=words):
        cut(order, places)


@given(
    scores=st.lists(st.integers(-5, 5), min_size=1, max_size=30), data=st.data(),
    policy=st.sampled_from(CutPolicy),
)  # fmt: skip
def test_any_cut_takes_the_sure_and_leaves_nobody_out(
    scores: list[int], data: st.DataObject, policy: CutPolicy
) -> None:
    order = list(enumerate(sorted(scores, reverse=True)))
    places = data.draw(st.integers(1, len(order)))
    found = cut(order, places, policy)
    assert sorted(found.chosen + found.reserves) == list(range(len(order)))
    assert len(found.sure) < places <= len(found.sure) + len(found.tied)
    if policy is not CutPolicy.NO_SPLIT:
        assert set(found.sure) <= set(found.chosen)
    if policy in (CutPolicy.TIEBREAK, CutPolicy.LOT):
        assert len(found.chosen) == places
    if policy is CutPolicy.NO_SPLIT and found.reserves:
        assert order[found.chosen[-1]][1] > order[found.reserves[0]][1]


def test_what_is_carried_over_is_exact() -> None:
    assert carry_over(7, CarryOver.ALL) == 7
    assert carry_over(7, CarryOver.HALF) == Fraction(7, 2)
    assert carry_over(Fraction(7, 3), CarryOver.HALF) == Fraction(7, 6)
    assert carry_over(7, CarryOver.NONE) == 0


def test_finalists_are_ranked_by_the_final() -> None:
    assert final_ranking((4, 2, 0, 1, 3), (0, 4)) == (0, 4, 2, 1, 3)
    for final in ((5,), (0, 0)):
        with pytest.raises(SeatingError):
            final_ranking((0, 1), final)


def test_a_team_scores_the_best_of_its_members() -> None:
    assert team_score([7, 3, 5, 1]) == 16
    assert team_score([7, 3, Fraction(11, 2), 1], best=2) == Fraction(25, 2)
    assert team_score([]) == 0
