"""The worked examples of tournaments.md 10 about scoring and standings, by their ids."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from tests.tournaments.standings.field import scoring, table
from tournaments.standings import BoardScore, Entrant, Ranking, TableScore, rank_event
from tournaments.standings.boards import datum_differences, matchpoints, neuberg
from tournaments.standings.order import by_value, order


def values(ranking: Ranking, names: str) -> list[Fraction | None]:
    return [ranking.by_entry[name].total for name in names]


def fractions(texts: str) -> list[Fraction]:
    return [Fraction(text) for text in texts.split()]


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([3, 5, 5, 0], "1/4 -7/4 -7/4 13/4"),
        ([4, 6, 3], "1/3 -5/3 4/3"),
        ([0, 1, 2, 2, 3, 5], "13/6 7/6 1/6 1/6 -5/6 -17/6"),
    ],
)
def test_e1_average_settlement(scores: Sequence[int], expected: str) -> None:
    names = "ABCDEF"[: len(scores)]
    found = rank_event([table(dict(zip(names, scores, strict=True)))], [], scoring("settlement"))
    assert values(found, names) == fractions(expected)


@pytest.mark.parametrize(
    ("points", "chips", "expected"),
    [
        (["4", "3", "2", "1"], [62, 50, 50, 38], "4 5/2 5/2 1"),
        (["3", "1", "-1", "-3"], [55, 55, 55, 35], "1 1 1 -3"),
    ],
)
def test_e2_a_tie_shares_the_points_of_its_places(
    points: list[str], chips: list[int], expected: str
) -> None:
    rule = scoring("places", scale={"4": points})
    found = rank_event([table(dict(zip("ABCD", chips, strict=True)))], [], rule)
    assert values(found, "ABCD") == fractions(expected)


def test_e3_table_percentage() -> None:
    game = table({"A": 60, "B": 60, "C": 40, "D": 30, "E": 10})
    found = rank_event([game], [], scoring("percent"))
    assert values(found, "ABCDE") == fractions("7/8 7/8 1/2 1/4 0")


def test_e4_matchpoints_at_one_seat() -> None:
    assert matchpoints([7, -2, 7, 0, -5]) == [7, 2, 7, 4, 0]
    rows = [
        BoardScore(1, 0, str(n), name, score)
        for n, (name, score) in enumerate(zip("ABCDE", [7, -2, 7, 0, -5], strict=True))
    ]
    found = rank_event([], [], scoring("matchpoints"), boards=rows)
    assert values(found, "ABCDE") == fractions("7 2 7 4 0")
    assert found.by_entry["A"].columns["share"] == Fraction(7, 8)


def test_e5_neuberg() -> None:
    assert [neuberg(4, 6, 7), neuberg(9, 6, 7)] == fractions("29/6 32/3")


def test_e5b_a_board_played_four_times_of_five() -> None:
    scores = dict(zip("ABCD", [7, -2, 0, -5], strict=True))
    rows = [BoardScore(1, 0, name, name, score) for name, score in scores.items()]
    rows += [BoardScore(2, 0, str(n), f"X{n}", n) for n in range(5)]
    found = rank_event([], [], scoring("matchpoints"), boards=rows)
    assert values(found, "ABCD") == fractions("31/4 11/4 21/4 1/4")
    plain = rank_event([], [], scoring("matchpoints", unequal_boards="none"), boards=rows)
    assert values(plain, "ABCD") == fractions("6 2 4 0")


def test_e6_datum_without_the_own_table() -> None:
    expected = fractions("7 -17/4 7 -7/4 -8")
    assert datum_differences([7, -2, 7, 0, -5]) == expected
    assert sum(expected) == 0


def test_e7_shared_places() -> None:
    keys = [(12, 3), (10, 2), (10, 2), (9, 1), (9, 1), (9, 1), (4, 0)]
    points = {name: keys[n][0] for n, name in enumerate("ABCDEFG")}
    wins = {name: keys[n][1] for n, name in enumerate("ABCDEFG")}
    found = order(points, [by_value("score", points), by_value("wins", wins)])
    assert [one.rank.label for one in found] == ["1", "=2", "=2", "=4", "=4", "=4", "7"]
    assert [(one.rank.first, one.rank.last) for one in found[1:4]] == [(2, 3), (2, 3), (4, 6)]


def test_e15_more_hands_than_another() -> None:
    rule = scoring("chips", per_hand="on", par=12)
    full = table({"A": 18, "X": -18}, hands=12)
    short = table({"B": 18, "Y": -18}, hands=10)
    assert values(rank_event([full, short], [], rule), "AB") == fractions("18 108/5")


CIRCLE = [
    table({"A": 60, "B": 50, "X": 45, "Y": 45}),
    table({"B": 70, "C": 40, "X": 45, "Y": 45}),
    table({"C": 55, "A": 40, "X": 45, "Y": 45}),
]


def tied(tables: Sequence[TableScore], chain: Sequence[str]) -> Ranking:
    """A, B and C with the same total, and X and Y that take no part in the standings."""
    guests = [Entrant("X", is_guest=True), Entrant("Y", is_guest=True)]
    rule = scoring("wins", tie_breaks=[*chain], total="sum")
    fixed = [
        table({name: 0}, fixed=dict.fromkeys([name], 5 - wins))
        for name, wins in _wins(tables).items()
    ]
    return rank_event([*tables, *fixed], guests, rule)


def _wins(tables: Sequence[TableScore]) -> dict[str, int]:
    found = rank_event(tables, [], scoring("wins"))
    return {name: int(found.by_entry[name].total or 0) for name in "ABC"}


@pytest.mark.parametrize("games", [CIRCLE, CIRCLE[:2]])
def test_e16_a_circle_and_a_missing_meeting_stay_tied(games: Sequence[TableScore]) -> None:
    found = tied(games, ["h2h"])
    assert {found.by_entry[name].label for name in "ABC"} == {"=1"}


def test_e17_opponents_scores() -> None:
    totals = [14, 9, 9, 3, 12, 7]
    names = [f"o{n}" for n in range(6)]
    fixed = [
        table({name: 0}, fixed={name: total}) for name, total in zip(names, totals, strict=True)
    ]
    games = [table({"A": 1, name: 1}, fixed={"A": 0, name: 0}) for name in names]
    rule = scoring("chips", tie_breaks=["opp", "opp_cut1"])
    columns = rank_event([*games, *fixed], [], rule).by_entry["A"].columns
    assert [columns["opp"], columns["opp_cut1"]] == fractions("9 51/5")


def test_e19_a_guest_holds_his_place_or_is_passed_over() -> None:
    game, guest = table({"A": 70, "G": 55, "B": 40, "C": 35}), [Entrant("G", is_guest=True)]
    holds = rank_event([game], guest, scoring("places"))
    assert values(holds, "ABC") == fractions("3 -1 -3")
    ranked = rank_event([game], guest, scoring("places", guest_policy="re_rank"))
    assert values(ranked, "ABC") == fractions("3 0 -3")
    assert [row.label for row in ranked.rows] == ["1", "2", "3", ""]
