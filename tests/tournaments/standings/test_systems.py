"""Tables of one event at which the best score is the highest, and others where it is the lowest."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.standings.field import scoring
from tournaments.standings import BoardScore, Ranking, SeatScore, TableScore, rank_event
from tournaments.standings.choices import Method
from tournaments.standings.scoring import BY_BOARD, ScoringRules

SCORES = st.lists(st.integers(-30, 30), min_size=3, max_size=4)
COMPARABLE = [
    str(method)
    for method in Method
    if not any(wrong for _, wrong, _ in scoring(str(method)).conflicts_of_systems(mixed_ways=True))
]


def totals(ranking: Ranking) -> dict[str, str]:
    return {row.entry: str(row.total) for row in ranking.rows}


def a_table(number: int, scores: list[int], *, low: bool | None) -> TableScore:
    seats = tuple(SeatScore(f"P{seat}", score, 6) for seat, score in enumerate(scores))
    return TableScore(f"t{number}", number, 1, 1, 6, seats, low=low)


def turned(table: TableScore) -> TableScore:
    """The same table with the signs of its scores turned, so that the highest is best."""
    seats = tuple(replace(seat, score=-seat.score) for seat in table.seats)
    return replace(table, seats=seats, low=False)


def test_only_what_adds_or_compares_raw_scores_is_refused() -> None:
    assert COMPARABLE == ["places", "percent", "matchpoints", "wins", "winner_takes_all"]


@pytest.mark.parametrize("method", [one for one in COMPARABLE if one != "matchpoints"])
@given(st.lists(st.tuples(SCORES, st.booleans()), min_size=1, max_size=5))
def test_a_table_of_penalty_points_counts_as_one_of_chips_turned_round(
    method: str, played: list[tuple[list[int], bool]]
) -> None:
    rules = scoring(method, direction="high")
    tables = [a_table(number, *one[:1], low=one[1]) for number, one in enumerate(played, 1)]
    as_chips = [turned(table) if table.low else replace(table, low=None) for table in tables]
    expected = rank_event(as_chips, [], rules)
    assert totals(rank_event(tables, [], rules)) == totals(expected)


def test_the_best_of_every_table_is_first_whichever_way_it_counts() -> None:
    tables = [a_table(1, [9, 0, -9], low=False), a_table(2, [0, 10, 16], low=True)]
    assert totals(rank_event(tables, [], ScoringRules())) == {"P0": "6", "P1": "0", "P2": "-6"}


def test_boards_are_compared_by_the_way_of_their_own_table() -> None:
    tables = [
        replace(a_table(1, [1, 2], low=True), id="t1"),
        replace(a_table(1, [1, 2], low=True), id="t2", table=2),
    ]
    boards = [
        BoardScore(1, 0, "t1", "P0", 3, low=True),
        BoardScore(1, 0, "t2", "P1", 8, low=True),
    ]
    ranking = rank_event(tables, [], scoring("matchpoints", direction="high"), boards=boards)
    assert totals(ranking)["P0"] == "2"
    assert "matchpoints" in {str(one) for one in BY_BOARD}


def test_raw_tie_breaks_and_directions_are_refused_among_systems() -> None:
    def refused(mixed: bool, **settings: object) -> list[str]:
        rules = scoring("places", **settings)
        return [name for name, bad, _ in rules.conflicts_of_systems(mixed_ways=mixed) if bad]

    assert refused(False, tie_breaks=["chips"]) == ["tie_breaks"]
    assert refused(True, direction="high") == ["direction"]
    assert refused(False, direction="high") == []
    assert refused(True, tie_breaks=["penalties"]) == ["tie_breaks"]
    assert refused(True) == []
