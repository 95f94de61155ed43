"""An event's corners: leavers, substitutes, broken-off games, sit-outs, penalties, tie-breaks."""

from dataclasses import replace
from fractions import Fraction
from hashlib import sha256

import pytest

from tests.tournaments.standings.field import scoring, table
from tournaments.standings import (
    BoardScore,
    ContributionStatus,
    Entrant,
    Ranking,
    RoundSitOut,
    RowKind,
    ScoreAdjustment,
    ScoringRules,
    SeatScore,
    TableScore,
    rank_event,
    rank_teams,
)


def totals(ranking: Ranking) -> dict[str, str]:
    return {row.entry: str(row.total) for row in ranking.rows}


def left(method: str, policy: str, **settings: object) -> dict[str, str]:
    """D leads when they leave after 5 of 10 hands; the others are A, B, C in this order."""
    seats = [SeatScore(name, score, 10) for name, score in (("A", 12), ("B", 0), ("C", -20))]
    game = TableScore("t", 1, 1, 1, 10, (*seats, SeatScore("D", 8, 5, forfeit=True)))
    return totals(rank_event([game], [], scoring(method, forfeit_policy=policy, **settings)))


def test_a_leaver_is_last_for_the_hands_that_he_missed() -> None:
    assert left("places", "last_for_missing") == {"A": "2", "B": "0", "C": "-2", "D": "0"}
    assert left("chips", "last_for_missing") == {"A": "12", "D": "8", "B": "0", "C": "-20"}


def test_a_leaver_may_be_last_or_pay_for_each_hand() -> None:
    assert left("places", "last") == {"A": "3", "B": "1", "C": "-1", "D": "-3"}
    paid = left("chips", "average_less", forfeit_penalty=3)
    assert paid["D"] == str(8 + 5 * (Fraction(-8, 30) - 3))


def test_scores_of_leavers_are_never_blown_up() -> None:
    found = left("chips", "last_for_missing", per_hand="on", par=20)
    assert found == {"A": "24", "D": "8", "B": "0", "C": "-40"}


def test_somebody_who_never_came_is_last() -> None:
    seats = (SeatScore("A", -5, 10), SeatScore("B", -6, 10), SeatScore("C", 0, 0, forfeit=True))
    found = rank_event([TableScore("t", 1, 1, 1, 10, seats)], [], ScoringRules())
    assert totals(found) == {"A": "3", "B": "0", "C": "-3"}


@pytest.mark.parametrize(
    ("policy", "a", "b"),
    [("average_only", "3", "-3"), ("counts", "0", "0"), ("neutral", "3", "-3")],
)
def test_a_game_broken_off_before_its_half(policy: str, a: str, b: str) -> None:
    games = [table({"A": 4, "B": -4}), table({"A": -1, "B": 1}, hands=4, round=2)]
    found = rank_event(games, [], scoring("places", par=10, incomplete=policy))
    assert totals(found) == {"A": a, "B": b}


def test_hands_of_a_broken_off_game_count_in_an_average_of_a_hand() -> None:
    games = [table({"A": 40, "B": -40}), table({"A": -5, "B": 5}, hands=4, round=2)]
    found = rank_event(games, [], scoring("chips", par=10, total="hand_average"))
    assert totals(found) == {"A": "25", "B": "-25"}
    assert [line.status for line in found.rows[0].contributions] == [
        ContributionStatus.PLAYED,
        ContributionStatus.INCOMPLETE,
    ]


def test_half_of_the_hands_is_a_game() -> None:
    found = rank_event([table({"A": 4, "B": -4}, hands=5)], [], scoring("places", par=10))
    assert totals(found) == {"A": "3", "B": "-3"}


@pytest.mark.parametrize(
    ("credit", "total", "games"),
    [("neutral", "5/2", 1), ("own", "4", 1), ("fixed", "7/2", 1), ("zero", "2", 1)],
)
def test_what_a_sit_out_is_worth(credit: str, total: str, games: int) -> None:
    rule = scoring("places", scale={"2": [2, -1]}, sit_out_credit=credit, sit_out_points="3/2")
    tables = [table({"A": 1, "B": 0}), table({"B": 1, "C": 0}, round=2)]
    found = rank_event(tables, [], rule, sit_outs=[RoundSitOut("A", 2)])
    row = found.by_entry["A"]
    assert (str(row.total), row.columns["games"]) == (total, games)


def test_a_neutral_sit_out_is_left_out_of_averages_and_zero_is_not() -> None:
    tables, out = [table({"A": 6, "B": -6})], [RoundSitOut("A", 2)]
    neutral = rank_event(tables, [], scoring("chips", total="game_average"), sit_outs=out)
    rule = scoring("chips", total="game_average", sit_out_credit="zero")
    zero = rank_event(tables, [], rule, sit_outs=out)
    assert [str(found.by_entry["A"].total) for found in (neutral, zero)] == ["6", "3"]


@pytest.mark.parametrize(
    ("credit", "own", "person"), [("entry", "3", "0"), ("person", "0", "3"), ("fixed", "1", "0")]
)
def test_whose_a_substitutes_points_are(credit: str, own: str, person: str) -> None:
    seats = (SeatScore("A", 9, 10, substitute="S"), SeatScore("B", -9, 10))
    rule = scoring("places", substitute_credit=credit, substitute_points=1)
    game = TableScore("t", 1, 1, 1, 10, seats)
    found = rank_event([game], [Entrant("S"), Entrant("A"), Entrant("B")], rule)
    assert [str(found.by_entry[name].total) for name in "AS"] == [own, person]


def test_an_unknown_substitute_is_a_guest() -> None:
    seats = (SeatScore("A", 9, 10, substitute="S"), SeatScore("B", -9, 10))
    rule = scoring("places", substitute_credit="person")
    found = rank_event([TableScore("t", 1, 1, 1, 10, seats)], [], rule)
    assert [(row.entry, row.kind) for row in found.rows] == [
        ("B", RowKind.RANKED),
        ("A", RowKind.IDLE),
        ("S", RowKind.GUEST),
    ]


def test_a_penalty_is_a_column_of_its_own_unless_it_moves_places() -> None:
    game = table({"A": 10, "B": 8, "C": -18})
    shown = [
        ScoreAdjustment("A", Fraction(-1), reason="late"),
        ScoreAdjustment("A", Fraction(-9), cancelled=True),
        ScoreAdjustment("nobody", Fraction(5)),
    ]
    row = rank_event([game], [], ScoringRules(), adjustments=shown).by_entry["A"]
    assert [row.total, row.columns["adjustments"], row.columns["places"]] == [2, -1, (1,)]
    moving = [ScoreAdjustment("A", Fraction(-3), game.id, affects_place=True)]
    found = rank_event([game], [], ScoringRules(), adjustments=moving)
    assert totals(found) == {"B": "3", "A": "0", "C": "-3"}


def test_two_games_of_one_round_are_two_games() -> None:
    """dipvis 378."""
    first = TableScore("a", 1, 1, 1, 10, (SeatScore("A", 5, 10), SeatScore("B", -5, 10)))
    second = TableScore("b", 1, 1, 2, 10, (SeatScore("A", 5, 10), SeatScore("B", -5, 10)))
    row = rank_event([first, second], [], ScoringRules()).by_entry["A"]
    assert [row.total, row.columns["games"], row.rounds] == [6, 2, {1: 6}]
    assert [line.table for line in row.contributions] == ["a", "b"]


def test_the_director_fixes_points_of_one_seat_only() -> None:
    found = rank_event([table({"A": 10, "B": -10}, fixed={"B": 2})], [], ScoringRules())
    assert totals(found) == {"A": "3", "B": "2"}
    assert found.by_entry["B"].contributions[0].status is ContributionStatus.FIXED


def test_penalty_points_count_low_and_chips_high() -> None:
    game = table({"A": 10, "B": 3})
    assert list(totals(rank_event([game], [], scoring("chips")))) == ["A", "B"]
    assert list(totals(rank_event([game], [], scoring("points")))) == ["B", "A"]
    low = rank_event([game], [], scoring("places", direction="low"))
    assert totals(low) == {"B": "3", "A": "-3"}


def test_uma_and_winner_takes_all() -> None:
    game = table({"A": 30, "B": 10, "C": 10, "D": -50})
    rule = scoring("uma", uma_unit=10, scale={"4": [15, 5, -5, -15]})
    assert totals(rank_event([game], [], rule)) == {"A": "18", "B": "1", "C": "1", "D": "-20"}
    ante = scoring("winner_takes_all", ante="5/2")
    lowest = table({"A": 100, "B": 40, "C": 40, "D": 60})
    assert totals(rank_event([lowest], [], ante)) == {
        "B": "5/2",
        "C": "5/2",
        "A": "-5/2",
        "D": "-5/2",
    }


def test_guests_are_shown_and_the_house_stands_apart() -> None:
    game = table({"G": 30, "H": 20, "A": -10, "B": -40})
    entries = [Entrant("G", is_guest=True), Entrant("H", is_house=True), Entrant("I")]
    found = rank_event([game], entries, scoring("places", guest_policy="re_rank"))
    assert [(row.entry, row.kind, row.label) for row in found.rows] == [
        ("A", RowKind.RANKED, "1"),
        ("B", RowKind.RANKED, "2"),
        ("I", RowKind.IDLE, ""),
        ("G", RowKind.GUEST, ""),
    ]
    assert [row.entry for row in found.house] == ["H"]
    assert str(found.by_entry["A"].total) == "0"


def test_who_withdrew_after_playing_is_listed_without_a_place() -> None:
    games = [table({"A": 9, "B": 5, "C": 5, "G": -19}), table({"A": 9, "B": 1, "D": -5, "E": -5})]
    entries = [
        Entrant("A", withdrawn=True),
        Entrant("D", withdrawn=True),
        Entrant("G", is_guest=True, withdrawn=True),
        Entrant("I", withdrawn=True),
    ]
    found = rank_event(games, entries, scoring("chips", least_games=1))
    assert [(row.entry, row.kind, row.label, str(row.total)) for row in found.rows] == [
        ("B", RowKind.RANKED, "1", "6"),
        ("C", RowKind.RANKED, "2", "5"),
        ("E", RowKind.RANKED, "3", "-5"),
        ("A", RowKind.WITHDRAWN, "", "18"),
        ("D", RowKind.WITHDRAWN, "", "-5"),
        ("I", RowKind.IDLE, "", "0"),
        ("G", RowKind.GUEST, "", "-19"),
    ]
    assert [row.by_score and row.by_score.first for row in found.rows[:4]] == [1, 2, 3, None]
    assert not any(row.by_score for row in found.rows[4:])
    assert found.cut_order == ("B", "C", "E")
    least = rank_event(games, entries, scoring("chips", least_games=2))
    kinds = [(row.entry, row.kind, row.needs) for row in least.rows[:5]]
    assert kinds == [
        ("B", RowKind.RANKED, 0),
        ("C", RowKind.UNQUALIFIED, 1),
        ("E", RowKind.UNQUALIFIED, 1),
        ("A", RowKind.WITHDRAWN, 0),
        ("D", RowKind.WITHDRAWN, 0),
    ]


def test_too_few_games_are_listed_below_with_what_is_missing() -> None:
    games = [table({"A": -5, "B": 5}), table({"A": -5, "C": 5}), table({"A": 1, "C": -1})]
    found = rank_event(games, [], scoring("chips", total="game_average", least_games=2))
    assert [(row.entry, row.label, row.needs) for row in found.rows] == [
        ("C", "1", 0),
        ("A", "2", 0),
        ("B", "", 1),
    ]


def test_a_row_says_what_put_it_ahead() -> None:
    games = [
        table({"A": 10, "X": 0, "Y": -1}),
        table({"A": -3, "X": 3, "Y": 0}),
        table({"B": 7, "X": 9}),
    ]
    guests = [Entrant(name, is_guest=True) for name in "XY"]
    found = rank_event(games, guests, scoring("chips", tie_breaks=["sole_wins"]))
    assert [row.total for row in found.rows[:2]] == [7, 7]
    decided = found.by_entry["A"].decided
    assert decided is not None
    assert decided.sentence({"B": "Bo"}) == "ahead of Bo by sole wins 1 v 0"
    score = rank_event(games[:1], [], scoring("chips")).by_entry["A"].decided
    assert score is not None
    assert score.sentence({"X": "Xia"}) == "ahead of Xia by score 10 v 0"
    level = rank_event(games, guests, scoring("chips", tie_breaks=["shared"]))
    assert {row.label for row in level.rows[:2]} == {"=1"}


def test_a_countback_names_the_first_place_that_differs() -> None:
    games = [
        table({"A": 4, "X": 2, "Y": 1, "Z": 0}),
        table({"A": 0, "X": 3, "Y": 2, "Z": 1}),
        table({"B": 3, "X": 4, "Y": 1, "Z": 0}),
        table({"B": 1, "X": 3, "Y": 2, "Z": 0}),
    ]
    guests = [Entrant(name, is_guest=True) for name in "XYZ"]
    rule = scoring("chips", tie_breaks=["places"])
    found = rank_event(games, guests, rule)
    decided = found.by_entry["A"].decided
    assert decided is not None
    assert decided.sentence({}) == "ahead of B by 1st places 1 v 0"
    assert found.by_entry["B"].columns["places"] == (0, 1, 1)


def test_the_lot_is_drawn_from_the_seed_and_the_entry() -> None:
    rule = scoring("chips", tie_breaks=["lot"], lot_seed="spring")
    found = rank_event([table(dict.fromkeys("ABCDEF", 0))], [], rule)
    drawn = sorted("ABCDEF", key=lambda name: sha256(f"spring:{name}".encode()).hexdigest())
    assert [row.entry for row in found.rows] == drawn
    shared = rank_event(
        [table(dict.fromkeys("ABCDEF", 0))], [], scoring("chips", tie_breaks=[], lot_seed="spring")
    )
    assert [row.label for row in shared.rows] == ["=1"] * 6
    assert list(shared.cut_order) == drawn


def test_prizes_are_by_the_score_whatever_broke_the_tie() -> None:
    rule = scoring("chips", tie_breaks=["playoff"])
    found = rank_event(
        [table({"A": 5, "B": 5, "C": -10})],
        [Entrant("A", playoff=2), Entrant("B", playoff=1)],
        rule,
    )
    rows = [(row.entry, row.label, row.by_score) for row in found.rows]
    assert rows == [("B", "1", (1, 2)), ("A", "2", (1, 2)), ("C", "3", (3, 3))]


def test_opponents_with_few_games_are_left_out_of_averages() -> None:
    often = [table({"A": 1, "B": -1}, round=n) for n in range(1, 4)]
    once = table({"A": -50, "C": 50}, round=4)
    rule = scoring("chips", total="game_average", tie_breaks=["opp"], opp_least_games=2)
    assert rank_event([*often, once], [], rule).by_entry["A"].columns["opp"] == -1


def test_handicaps_beside_scratch() -> None:
    entries = [Entrant("A"), Entrant("B", handicap=6)]
    found = rank_event([table({"A": 2, "B": -2})], entries, scoring("chips", handicaps="on"))
    assert [(row.entry, row.total, row.columns["scratch"]) for row in found.rows] == [
        ("B", Fraction(4), -2),
        ("A", Fraction(2), 2),
    ]
    low = rank_event([table({"A": 2, "B": 5})], entries, scoring("points", handicaps="on"))
    assert totals(low) == {"B": "-1", "A": "2"}


def test_matchpoints_as_a_share_where_boards_are_averaged() -> None:
    rows = [BoardScore(1, 0, table_id, name, score) for table_id, name, score in SAME_SEAT]
    rows.append(BoardScore(2, 0, "t1", "A", 4))
    rule = scoring("matchpoints", total="game_average", unequal_boards="none")
    found = rank_event([], [], rule, boards=rows)
    assert (found.unit, totals(found)) == ("share", {"A": "3/4", "B": "1/4", "C": "1/4"})


SAME_SEAT = [("t1", "A", 7), ("t2", "B", 0), ("t3", "C", 0)]


def test_teams_are_the_sums_of_their_members() -> None:
    entries = [Entrant(name, team=team) for name, team in zip("ABCD", "xyxy", strict=True)]
    found = rank_event([table({"A": 9, "B": 2, "C": 0, "D": -11})], entries, scoring("chips"))
    teams = rank_teams(found, scoring("chips"))
    assert [(one.team, one.rank.label, one.total) for one in teams] == [
        ("x", "1", Fraction(9)),
        ("y", "2", Fraction(-9)),
    ]
    best = rank_teams(found, scoring("chips"), best=1)
    assert [(one.counted, one.total) for one in best] == [
        (("A",), Fraction(9)),
        (("B",), Fraction(2)),
    ]


def stopped(hands: int, method: str = "places", **settings: object) -> Ranking:
    """D leads when they leave after so many of 10 hands, and the others stop with them."""
    seats = [SeatScore(name, score, hands) for name, score in (("A", 12), ("B", 0), ("C", -20))]
    game = TableScore("t", 1, 1, 1, 10, (*seats, SeatScore("D", 13, hands, forfeit=True)), 10)
    return rank_event([game], [], scoring(method, **settings))


def test_a_table_that_stops_because_somebody_leaves_counts_what_it_played() -> None:
    assert totals(stopped(5)) == {"A": "2", "D": "0", "B": "0", "C": "-2"}
    assert [line.status for line in stopped(5).by_entry["D"].contributions] == [
        ContributionStatus.FORFEIT
    ]
    by_par = totals(stopped(5, "chips", per_hand="on", par=10))
    assert by_par == {"A": "24", "D": "13", "B": "0", "C": "-40"}


def test_leaving_costs_the_same_where_the_game_of_the_others_does_not_count() -> None:
    found = stopped(4)
    assert {row.entry: row.total for row in found.rows if row.total} == {"D": Fraction(-3, 5)}
    assert found.by_entry["A"].contributions[0].status is ContributionStatus.INCOMPLETE
    assert stopped(4, "chips").by_entry["D"].contributions[0].value is None
    assert totals(stopped(4, "chips", forfeit_policy="average_less"))["D"] == str(
        13 + 6 * (Fraction(-8, 12) - 3)
    )


def test_nobody_gains_by_a_game_that_was_never_begun() -> None:
    seats = (*(SeatScore(name, 0, 0) for name in "ABC"), SeatScore("D", 0, 0, forfeit=True))
    found = rank_event([TableScore("t", 1, 1, 1, 10, seats)], [], ScoringRules())
    assert [found.by_entry[name].total for name in "ABCD"] == [0, 0, 0, -3]
    everybody = tuple(SeatScore(name, 0, 0, forfeit=True) for name in "ABC")
    found = rank_event([TableScore("t", 1, 1, 1, 10, everybody)], [], ScoringRules())
    assert set(totals(found).values()) == {"0"}


def test_boards_that_a_leaver_missed_are_lost() -> None:
    tables = [
        TableScore("a", 1, 1, 1, 2, (SeatScore("A", 5, 2), SeatScore("B", -5, 2))),
        TableScore("b", 1, 2, 1, 2, (SeatScore("C", 1, 1), SeatScore("D", -1, 2))),
    ]
    left = replace(tables[1], seats=(SeatScore("C", 1, 1, forfeit=True), tables[1].seats[1]))
    scores = [
        BoardScore(1, 0, "a", "A", 3),
        BoardScore(2, 0, "a", "A", 2),
        BoardScore(1, 0, "b", "C", 9),
    ]
    rule = scoring("matchpoints", total="game_average", unequal_boards="none")
    assert rank_event(tables, [], rule, boards=scores).by_entry["C"].total == 1
    found = rank_event([tables[0], left], [], rule, boards=scores)
    assert found.by_entry["C"].total == Fraction(1, 2)


def test_hands_that_a_leaver_missed_count_in_an_average_of_a_hand() -> None:
    games = [
        TableScore("a", 1, 1, 1, 10, (SeatScore("A", 5, 10), SeatScore("B", -5, 10))),
        TableScore("b", 2, 1, 1, 10, (SeatScore("A", 0, 0, forfeit=True), SeatScore("B", 0, 10))),
    ]
    places = rank_event(games, [], scoring("places", total="hand_average"))
    assert totals(places) == {"A": "0", "B": "0"}
    filled = scoring("chips", total="hand_average", forfeit_policy="average_less", par=10)
    assert totals(rank_event(games, [], filled))["A"] == str(Fraction(5 - 30, 20) * 10)
    last = scoring("chips", total="hand_average", par=10)
    assert totals(rank_event(games, [], last))["A"] == "5"
