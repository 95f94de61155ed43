"""What is said of the end of a season is true of every end that it can have."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tournaments.standings import SeasonRules, rank_season
from tournaments.standings.season_ranking import SeasonRanking
from tournaments.standings.season_results import (
    EventAhead,
    EventResult,
    SeasonEvent,
    SeasonMember,
)

HIGHEST, LOWEST = 2, -1
BOUNDS = {"highest": HIGHEST, "lowest": LOWEST}
Night = tuple[int | None, ...]
NEWCOMER = "New"


def night(number: int, points: Mapping[str, int | None], weight: Fraction) -> SeasonEvent:
    results = [EventResult(name, one) for name, one in points.items() if one is not None]
    return SeasonEvent(f"e{number}", number, tuple(results), weight)


def rank(
    season: SeasonRules,
    members: Sequence[SeasonMember],
    nights: Sequence[SeasonEvent],
    ahead: Sequence[EventAhead] = (),
    *,
    is_open: bool = False,
) -> SeasonRanking:
    here = {result.member for one in nights for result in one.results} | {one.id for one in members}
    new = [SeasonMember(NEWCOMER)] if is_open and NEWCOMER in here else []
    return rank_season(nights, [*members, *new], season, ahead=ahead, is_open=is_open)


def two_nights(**rules: Any) -> tuple[SeasonRules, list[SeasonMember]]:
    """Ann has five points after two nights of four, Bo has one."""
    season = SeasonRules.from_data({"rule": "sum", "planned": 4, **BOUNDS, **rules})
    return season, [SeasonMember("Ann"), SeasonMember("Bo")]


HELD = [night(1, {"Ann": 2, "Bo": 1}, Fraction(1)), night(2, {"Ann": 2, "Bo": -1}, Fraction(1))]


@pytest.mark.parametrize(
    ("planned", "ahead", "won"),
    [
        (3, [], True),
        (4, [], False),
        (3, [EventAhead("e3")], True),
        (3, [EventAhead("e3", Fraction(2))], False),
        (3, [EventAhead("e2")], False),
        (2, [EventAhead("e2")], False),
    ],
)
def test_a_season_is_won_when_nights_left_and_tonight_can_change_nothing(
    planned: int, ahead: list[EventAhead], won: bool
) -> None:
    season, members = two_nights(planned=planned)
    found = rank(season, members, HELD, ahead)
    assert found.by_entry["Ann"].clinched is won
    assert not found.by_entry["Bo"].clinched


def test_in_an_open_league_somebody_who_never_came_can_still_win() -> None:
    season, members = two_nights(rule="best_n", best=1, planned=4)
    held = [night(1, {"Ann": 2, "Bo": -1}, Fraction(1)), night(2, {"Ann": 2}, Fraction(1))]
    heavy = [EventAhead("e3", Fraction(1, 2)), EventAhead("e4", Fraction(1))]
    assert not rank(season, members, held, heavy, is_open=True).by_entry["Ann"].clinched
    light = [EventAhead("e3", Fraction(1, 2)), EventAhead("e4", Fraction(1, 2))]
    assert rank(season, members, held, light, is_open=True).by_entry["Ann"].clinched


def test_a_night_outside_the_bounds_leaves_nothing_certain() -> None:
    season, members = two_nights(planned=3)
    held = [night(1, {"Ann": 9, "Bo": 1}, Fraction(1)), HELD[1]]
    assert not rank(season, members, held).by_entry["Ann"].clinched


def test_when_all_is_played_the_first_place_is_won_without_bounds_too() -> None:
    season = SeasonRules.from_data({"rule": "average", "planned": 2, "promoted": 1})
    found = rank(season, two_nights()[1], HELD)
    assert [(row.clinched, row.safe, row.possible) for row in found.rows] == [
        (True, True, False),
        (False, False, False),
    ]


def test_who_passes_others_that_can_still_lose_points_is_not_passed_over() -> None:
    season, _ = two_nights(promoted=1, planned=3)
    members = [SeasonMember(name) for name in ("Ann", "Bo")]
    held = [
        night(1, {"Ann": 2, "Bo": 0}, Fraction(1)),
        night(2, {"Ann": 2, "Bo": 2}, Fraction(1)),
    ]
    # Bo can come to 4; Ann has 4 by staying away, and 3 after a bad night.
    found = rank(season, members, held)
    assert found.by_entry["Bo"].possible


def test_below_the_promotion_line_it_is_told_who_can_still_reach_it() -> None:
    season, _ = two_nights(promoted=1, planned=3)
    members = [SeasonMember(name) for name in ("Ann", "Bo", "Cy")]
    held = [
        night(1, {"Ann": 2, "Bo": 1, "Cy": -1}, Fraction(1)),
        night(2, {"Ann": 1, "Bo": 1, "Cy": 0}, Fraction(1)),
    ]
    found = rank(season, members, held)
    assert {row.entry for row in found.rows if row.possible} == {"Bo"}
    assert not any(row.safe for row in found.rows)


OUTCOMES: tuple[int | None, ...] = (None, LOWEST, HIGHEST)
WEIGHTS = st.sampled_from([Fraction(1), Fraction(1), Fraction(2), Fraction(1, 2)])


@st.composite
def leagues(draw: st.DrawFn) -> dict[str, Any]:
    number = draw(st.integers(1, 3))
    rules = draw(
        st.fixed_dictionaries(
            {
                "rule": st.sampled_from(["sum", "weighted", "best_n", "drop_worst", "sliding"]),
                "measure": st.sampled_from(["sum", "sum", "average"]),
                "lowest_wins": st.sampled_from(["off", "off", "on"]),
                "best": st.none() | st.integers(1, 3),
                "slide_from": st.integers(1, 3),
                "slide_every": st.integers(1, 2),
                "attendance": st.sampled_from([0, 0, 1, -1]),
                "least_events": st.sampled_from([0, 0, 2]),
                "promoted": st.integers(0, 2),
            }
        )
    )
    one = st.none() | st.integers(LOWEST, HIGHEST)
    return {
        "rules": {name: value for name, value in rules.items() if value is not None},
        "opening": draw(st.sampled_from([0, 0, 3])),
        "held": draw(st.lists(st.tuples(one, one, one), min_size=number, max_size=number)),
        "weights": draw(st.lists(WEIGHTS, min_size=number, max_size=number)),
        "ahead": draw(st.lists(WEIGHTS, min_size=1, max_size=2)),
        "announced": draw(st.booleans()),
        "running": draw(st.booleans()),
        "is_open": draw(st.booleans()),
    }


def ends(
    held: Sequence[SeasonEvent], ahead: Sequence[EventAhead], names: Sequence[str]
) -> Iterator[list[SeasonEvent]]:
    """All ways in which a season can end where only the extremes happen, or somebody stays away."""
    over = [one for one in held if one.id not in {event.id for event in ahead}]
    for points in product(product(OUTCOMES, repeat=len(names)), repeat=len(ahead)):
        yield [
            *over,
            *(
                night(9 + number, dict(zip(names, row, strict=True)), event.weight)
                for number, (row, event) in enumerate(zip(points, ahead, strict=True))
            ),
        ]


@settings(max_examples=examples(40), deadline=None)
@given(leagues())
def test_whatever_follows_keeps_what_was_said(made: dict[str, Any]) -> None:
    weights = made["weights"]
    held = [
        night(number, dict(zip(("Ann", "Bo", "Cy"), row, strict=True)), weight)
        for number, (row, weight) in enumerate(zip(made["held"], weights, strict=True), 1)
    ]
    ahead = [EventAhead(f"a{number}", weight) for number, weight in enumerate(made["ahead"])]
    if made["running"]:
        ahead = [EventAhead(held[-1].id, weights[-1]), *ahead[1:]]
    elif not made["announced"]:
        ahead = [EventAhead(f"a{number}") for number in range(len(ahead))]
    planned = len({one.id for one in held} | {one.id for one in ahead})
    rules = {**made["rules"], **BOUNDS, "planned": planned}
    season = SeasonRules.from_data(rules)
    members = [SeasonMember("Ann", opening=made["opening"]), SeasonMember("Bo"), SeasonMember("Cy")]
    if made["is_open"]:
        # The third is a newcomer: until now nobody knows of them.
        members = members[:2]
        held = [
            SeasonEvent(
                one.id, one.number, tuple(r for r in one.results if r.member != "Cy"), one.weight
            )
            for one in held
        ]
    told = ahead if made["announced"] or made["running"] else ()
    now = rank(season, members, held, told, is_open=made["is_open"])
    said = [row for row in now.rows if row.clinched or row.safe or row.possible]
    silent = [
        row.entry
        for row in now.rows
        if not row.possible and (row.rank is None or row.rank.last > season.promoted)
    ]
    # Nothing is said to be possible while a night is played, or of averages of unlike nights.
    unlike = {*weights, *(one.weight for one in ahead)} != {1}
    if made["running"] or (rules["measure"] == "average" and unlike):
        silent = []
    assume(said or silent)
    third = NEWCOMER if made["is_open"] else "Cy"
    waiting = {row.entry for row in said if row.possible}
    for end in ends(held, ahead, ("Ann", "Bo", third)):
        rows = rank(season, members, end, is_open=made["is_open"]).by_entry
        for row in said:
            place = rows[row.entry].rank
            if row.clinched:
                assert place == (1, 1)
            if row.safe:
                assert place is not None
                assert place.last <= season.promoted
            if row.possible and place is not None and place.last <= season.promoted:
                waiting.discard(row.entry)
        for name in silent:
            mine = rows[name]
            is_level = sum(one.total == mine.total for one in rows.values()) > 1
            assert mine.rank is None or mine.rank.last > season.promoted or is_level
    assert not waiting
