"""Seasons: what counts, who qualifies, where everybody stood, who goes up and down."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.standings.field import league, nights
from tests.tournaments.standings.strategies import leagues, seasons, small
from tournaments.standings import (
    Circuit,
    CircuitResult,
    EventResult,
    PointsSource,
    RowKind,
    ScoreAdjustment,
    SeasonEvent,
    SeasonMember,
    SeasonRanking,
    SeasonRules,
    canonical,
    circuit_points,
    compare,
    promotions,
    rank_circuit,
    rank_season,
)
from tournaments.standings.season_totals import CountedEvent, SeasonProgress, count_events

Scores = Mapping[str, Sequence[str | int | None]]
a_few = settings(max_examples=examples(20), deadline=None)


def ranked(made: dict[str, Any], season: SeasonRules) -> SeasonRanking:
    return rank_season(made["events"], made["members"], season, adjustments=made["adjustments"])


@a_few
@given(seasons(), leagues(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(made: Any, season: SeasonRules, random: Any) -> None:
    before = canonical(ranked(made, season).to_data())
    shuffled = {name: random.sample(values, len(values)) for name, values in made.items()}
    shuffled["events"] = [
        SeasonEvent(
            one.id, one.number, tuple(random.sample(one.results, len(one.results))), one.weight
        )
        for one in shuffled["events"]
    ]
    assert canonical(ranked(shuffled, season).to_data()) == before


@a_few
@given(seasons(), leagues())
def test_every_member_has_one_row_and_guests_have_none(made: Any, season: SeasonRules) -> None:
    found = ranked(made, season)
    assert sorted(row.entry for row in found.rows) == sorted(one.id for one in made["members"])
    for row in found.rows:
        assert len(row.history) == len(made["events"])
        assert (row.rank is not None) == (row.kind is RowKind.RANKED)
        assert row.rank is None or not row.withdrawn
        if row.history:
            assert (row.history[-1].rank, row.history[-1].total) == (row.rank, row.total)
    promotions(found, season)


@a_few
@given(seasons(), leagues())
def test_the_past_is_the_table_of_that_night(made: Any, season: SeasonRules) -> None:
    found = ranked(made, season)
    for number in range(1, len(made["events"])):
        then = ranked({**made, "events": made["events"][:number]}, season)
        for row in then.rows:
            past = found.by_entry[row.entry].history[number - 1]
            assert (past.rank, past.total) == (row.rank, row.total)


STAYED_AWAY: Scores = {"Ann": [5, None, None, 0], "Bo": [3, 9, 1, 0]}


@pytest.mark.parametrize(
    ("rules", "scores"),
    [
        ({"rule": "best_n"}, {"Ann": [5, 4, 3, 2, 1, None, None, 0], "Bo": [1] * 8}),
        ({"rule": "sum", "least_games": 2, "planned": 4}, STAYED_AWAY),
        ({"rule": "sum", "least_events": 2, "planned": 4}, STAYED_AWAY),
        ({"rule": "sum", "tie_breaks": ["last"]}, {"Ann": [5, None, 0], "Bo": [3, 2, 0]}),
        ({"rule": "shrunk", "shrink": 2}, STAYED_AWAY),
    ],
    ids=["more nights count", "games are missing", "nights are missing", "last night", "mean"],
)
def test_the_past_tells_what_a_night_changed_for_somebody_who_stayed_away(
    rules: Mapping[str, object], scores: Scores
) -> None:
    season, members, held = SeasonRules.from_data(rules), league("Ann", "Bo"), nights(scores)
    ann = rank_season(held, members, season).by_entry["Ann"]
    then = [
        rank_season(held[:number], members, season).by_entry["Ann"]
        for number in range(1, len(held) + 1)
    ]
    assert [(one.rank, one.total) for one in ann.history] == [(one.rank, one.total) for one in then]
    assert len({(one.rank, one.total) for one in then}) > 1


@a_few
@given(st.lists(small, min_size=1, max_size=7), st.integers(1, 9))
def test_no_other_choice_of_events_is_better(points: list[Fraction], best: int) -> None:
    season = SeasonRules.from_data({"rule": "best_n", "best": best})
    row = rank_season(nights({"A": list(map(str, points))}), league("A"), season).by_entry["A"]
    size = min(best, len(points))
    assert len(row.counted) == size
    assert row.total == max(sum(kept) for kept in combinations(points, size))


@pytest.mark.parametrize(("played", "counted"), [(4, 4), (5, 5), (6, 5 + 1), (9, 7), (15, 10)])
def test_a_sliding_season_drops_one_for_every_two_more(played: int, counted: int) -> None:
    season = SeasonRules.from_data({"rule": "sliding", "slide_from": 5, "slide_every": 2})
    row = rank_season(nights({"A": list(range(played))}), league("A"), season).by_entry["A"]
    assert len(row.counted) == counted


def test_two_thirds_of_those_planned_count() -> None:
    season = SeasonRules.from_data({"planned": 7})
    row = rank_season(nights({"A": [1, 2, 3, 4, 5, 6]}), league("A"), season).by_entry["A"]
    assert row.total == 6 + 5 + 4 + 3 + 2


def test_dropping_more_than_were_played_leaves_the_best() -> None:
    season = SeasonRules.from_data({"rule": "drop_worst", "drop": 5})
    row = rank_season(nights({"A": [3, 8]}), league("A"), season).by_entry["A"]
    assert row.total == 8


def test_what_is_asked_grows_with_the_events_held() -> None:
    season = SeasonRules.from_data({"least_events": 6, "planned": 12, "rising": "on"})
    scores: Scores = {"A": [1, 1, 1, 1], "B": [2, None, None, None]}
    found = rank_season(nights(scores), league("A", "B"), season)
    assert [(row.entry, row.label, row.needs_events) for row in found.rows] == [
        ("A", "1", 0),
        ("B", "", 1),
    ]
    fixed = SeasonRules.from_data({"least_events": 6, "planned": 12, "rising": "off"})
    assert rank_season(nights(scores), league("A"), fixed).rows[0].needs_events == 2


def test_a_joiner_is_asked_for_less_where_the_club_says_so() -> None:
    season = SeasonRules.from_data(
        {"best": 4, "planned": 8, "joiners": "pro_rata", "least_events": 4, "rising": "off"}
    )
    scores: Scores = {"A": [1, 1, 1, 1, 5, 5, 5], "B": [None, None, None, None, 6, 6, 6]}
    members = [SeasonMember("A"), SeasonMember("B", joined=5)]
    found = rank_season(nights(scores), members, season)
    assert [(row.entry, row.total, row.kind) for row in found.rows] == [
        ("A", Fraction(16), RowKind.RANKED),
        ("B", Fraction(12), RowKind.RANKED),
    ]


def test_a_handicap_is_that_of_the_nights_before() -> None:
    season = SeasonRules.from_data(
        {"rule": "sum", "handicaps": "on", "handicap_base": 55, "handicap_cap": 20}
    )
    scores = {"A": [42, 60], "B": [60, 50]}
    found = rank_season(nights(scores), [SeasonMember("A", handicap=5), SeasonMember("B")], season)
    lines = found.by_entry["A"].lines
    assert [line.handicap for line in lines] == [5, Fraction(52, 5)]
    ann, bo = found.by_entry["A"], found.by_entry["B"]
    assert (ann.total, ann.scratch) == (102 + 5 + Fraction(52, 5), Fraction(102))
    assert (ann.rank_from, ann.scratch_rank, bo.scratch_rank) == (1, (2, 2), (1, 1))
    assert ann.handicap == Fraction(4, 5) * (55 - 51)


def test_opening_balance_attendance_and_penalties_are_in_the_total() -> None:
    season = SeasonRules.from_data({"rule": "sum", "attendance": 1})
    members = [SeasonMember("A", opening=Fraction(7, 2)), SeasonMember("B")]
    taken = [
        ScoreAdjustment("A", Fraction(-2), reason="late"),
        ScoreAdjustment("B", Fraction(9), cancelled=True),
    ]
    found = rank_season(nights({"A": [3, 4], "B": [1, None]}), members, season, adjustments=taken)
    assert {row.entry: row.total for row in found.rows} == {"A": Fraction(21, 2), "B": 2}


@pytest.mark.parametrize(
    ("credit", "own", "substitute"), [("entry", 7, 0), ("person", 0, 7), ("fixed", 2, 0)]
)
def test_whose_a_substitutes_points_are(credit: str, own: int, substitute: int) -> None:
    season = SeasonRules.from_data(
        {"rule": "sum", "substitute_credit": credit, "substitute_points": 2}
    )
    event = SeasonEvent("e", 1, (EventResult("A", 7, substitute="S"),))
    found = rank_season([event], league("A", "S"), season)
    assert [found.by_entry[name].total for name in "AS"] == [own, substitute]
    owner = found.by_entry["S" if credit == "person" else "A"]
    source = PointsSource.AS_SUBSTITUTE if credit == "person" else PointsSource.SUBSTITUTE
    assert [line.source for line in owner.lines] == [source]


def test_a_league_without_events_is_a_list_of_its_members() -> None:
    season = SeasonRules.from_data({"divisions": ["A", "B"], "least_events": 3, "planned": 10})
    members = [SeasonMember("x", "A"), SeasonMember("y", "B")]
    found = rank_season([], members, season)
    assert [(row.entry, row.kind, row.label) for row in found.rows] == [
        ("x", RowKind.IDLE, ""),
        ("y", RowKind.IDLE, ""),
    ]
    assert [(one.up, one.down) for one in promotions(found, season)] == [((), ())]


def test_ranks_and_arrows_after_every_event() -> None:
    season = SeasonRules.from_data({"rule": "sum"})
    found = rank_season(nights({"A": [3, 0], "B": [2, 4]}), league("A", "B"), season)
    assert {row.entry: row.delta for row in found.rows} == {"A": -1, "B": 1}


@pytest.mark.parametrize(("lead", "won"), [(6, False), (7, True)])
def test_a_season_is_won_by_more_than_six_for_each_event_left(lead: int, won: bool) -> None:
    season = SeasonRules.from_data({"rule": "sum", "planned": 4, "highest": 3, "lowest": -3})
    scores = {"A": [3, lead - 5, 2], "B": [0, 0, 0]}
    found = rank_season(nights({"A": scores["A"], "B": scores["B"]}), league("A", "B"), season)
    assert found.by_entry["A"].clinched is won
    assert not found.by_entry["B"].clinched


@settings(max_examples=examples(60), deadline=None)
@given(
    st.sampled_from(["sum", "best_n", "drop_worst", "sliding"]),
    st.lists(st.tuples(*[st.none() | st.integers(-3, 3)] * 3), min_size=2, max_size=6),
    st.data(),
)
def test_who_has_clinched_wins_whatever_follows(
    rule: str, rows: list[tuple[int | None, ...]], data: st.DataObject
) -> None:
    planned = len(rows)
    season = SeasonRules.from_data(
        {"rule": rule, "planned": planned, "highest": 3, "lowest": -3, "slide_from": 2}
    )
    held = data.draw(st.integers(1, planned - 1))
    names = ["A", "B", "C"]

    def after(count: int) -> SeasonRanking:
        scores = {name: [row[n] for row in rows[:count]] for n, name in enumerate(names)}
        return rank_season(nights(scores), league(*names), season)

    winners = [row.entry for row in after(held).rows if row.clinched]
    final = after(planned)
    for name in winners:
        assert final.by_entry[name].label == "1"


def divided(
    sizes: tuple[int, ...], withdrawn: frozenset[str] = frozenset(), **points: int
) -> tuple[list[SeasonMember], list[SeasonEvent]]:
    """Members a0, a1, ... b0, b1, ... of divisions A, B, ..., the first of each the best."""
    members = [
        SeasonMember(f"{name.lower()}{n}", name, withdrawn=f"{name.lower()}{n}" in withdrawn)
        for name, size in zip("ABCD", sizes, strict=False)
        for n in range(size)
    ]
    results = [EventResult(one.id, points.get(one.id, 100 - int(one.id[1:]))) for one in members]
    return members, [SeasonEvent("e", 1, tuple(results))]


def boundaries(
    sizes: tuple[int, ...], withdrawn: frozenset[str] = frozenset(), **points: int
) -> list[Any]:
    names = list("ABCD")[: len(sizes)]
    season = SeasonRules.from_data(
        {"rule": "sum", "divisions": names, "moves": 2, "tie_breaks": []}
    )
    members, events = divided(sizes, withdrawn, **points)
    return promotions(rank_season(events, members, season), season)


def test_two_go_up_and_two_go_down() -> None:
    first, second = boundaries((8, 8, 8))
    assert (first.up, first.down) == (("b0", "b1"), ("a7", "a6"))
    assert (second.up, second.down) == (("c0", "c1"), ("b7", "b6"))


def test_who_withdraws_has_no_rank_and_keeps_the_results() -> None:
    season = SeasonRules.from_data({"rule": "sum", "least_events": 2, "rising": "off"})
    events = nights({"A": [9, 9], "B": [8, 8], "C": [7, 7], "D": [6], "E": [5]})
    left = [
        SeasonMember("A", withdrawn=True),
        SeasonMember("E", withdrawn=True),
        SeasonMember("F", withdrawn=True),
    ]
    found = rank_season(events, [*left, *league("B", "C", "D", "G")], season)
    assert [(row.entry, row.kind, row.label) for row in found.rows] == [
        ("B", RowKind.RANKED, "1"),
        ("C", RowKind.RANKED, "2"),
        ("D", RowKind.UNQUALIFIED, ""),
        ("A", RowKind.WITHDRAWN, ""),
        ("E", RowKind.WITHDRAWN, ""),
        ("F", RowKind.IDLE, ""),
        ("G", RowKind.IDLE, ""),
    ]
    ann, eve = found.by_entry["A"], found.by_entry["E"]
    assert (str(ann.total), str(eve.total)) == ("18", "5")
    assert len(ann.counted) == 2
    assert ann.by_score is None
    assert (
        {one.needs_events for one in (ann, eve)} == {one.needs_games for one in (ann, eve)} == {0}
    )
    back = rank_season(events, league(*"ABCDE"), season)
    assert [row.entry for row in back.rows if row.rank] == ["A", "B", "C"]


def test_who_withdraws_saves_one_from_going_down() -> None:
    (boundary,) = boundaries((8, 8), frozenset(["a3"]))
    assert (boundary.up, boundary.down) == (("b0", "b1"), ("a7",))


def test_a_division_is_brought_to_a_multiple_of_four() -> None:
    (boundary,) = boundaries((9, 8))
    assert (len(boundary.up), len(boundary.down)) == (1, 2)


def test_a_tie_across_the_boundary_is_for_a_playoff() -> None:
    (boundary,) = boundaries((8, 8), b1=98, b2=98, b3=98)
    assert boundary.up == ("b0",)
    assert (boundary.playoff_up.entries, boundary.playoff_up.places) == (("b1", "b2", "b3"), 1)


@a_few
@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=4),
    st.sets(st.sampled_from([f"{name}{n}" for name in "abcd" for n in range(9)])),
)
def test_nobody_goes_two_ways_and_who_withdrew_goes_nowhere(
    sizes: list[int], withdrawn: set[str]
) -> None:
    found = boundaries(tuple(sizes), frozenset(withdrawn))
    moved = [name for one in found for name in (*one.up, *one.down)]
    assert len(moved) == len(set(moved))
    assert not set(moved) & withdrawn


def test_a_circuit_counts_missing_tournaments_as_nothing() -> None:
    won = [CircuitResult("a", f"e{n}", 1, 20) for n in range(2)]
    assert circuit_points(won, Circuit()) == (Fraction(2000, 5) + 1000) / 2
    old = CircuitResult("a", "e9", 20, 20, years=1)
    assert (
        circuit_points([*won, old], Circuit())
        == (Fraction(2000) / (2 + Fraction(1, 2) + 2) + Fraction(2000) / Fraction(5, 2)) / 2
    )
    gone = CircuitResult("b", "e", 1, 20, years=2)
    standings, points = rank_circuit([*won, gone], Circuit())
    assert [(one.entry, one.rank.label) for one in standings] == [("a", "1"), ("b", "2")]
    assert points["b"] == 0


def test_what_moved_since() -> None:
    season = SeasonRules.from_data({"rule": "sum"})
    members = league("Ann", "Bo", "Cy")
    old = rank_season(nights({"Ann": [9], "Bo": [8], "Cy": [7]}), members, season)
    later = nights({"Ann": [9], "Bo": [5], "Cy": [7]})
    new = rank_season(later, [*members, SeasonMember("Di")], season)
    told = [one.sentence({}) for one in compare(stored(old), stored(new))]
    assert told == ["Cy, 3 -> 2", "Bo -3, 2 -> 3", "Di is new with 0"]
    assert compare(stored(new), stored(new)) == []


def stored(ranking: SeasonRanking) -> Any:
    return json.loads(canonical(ranking.to_data()))["rows"]


def test_an_event_counts_by_its_weight_under_every_rule_that_adds_up() -> None:
    parts = [
        CountedEvent(Fraction(6), weight=Fraction(1, 6)),
        CountedEvent(Fraction(2)),
        CountedEvent(Fraction(3)),
    ]
    member = SeasonMember("Ann")
    for data, total in (
        ({"rule": "sum"}, 6),
        ({"rule": "weighted"}, 6),
        ({"rule": "best_n", "best": 2}, 5),
        ({"rule": "drop_worst", "drop": 1}, 5),
    ):
        season = SeasonRules.from_data(data)
        assert count_events(parts, member, SeasonProgress(season, (1, 2, 3))).total == total
