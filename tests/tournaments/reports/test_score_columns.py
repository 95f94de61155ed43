"""Rows of standings add up to their totals, whatever was played and however it is scored."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.standings.strategies import events, leagues, scorings, seasons
from tournaments.reports.event_standings import event_columns
from tournaments.reports.labels import COUNTS
from tournaments.reports.league_standings import CountedNight, league_columns
from tournaments.reports.score_columns import decimal_places, score_of, tie_break_columns
from tournaments.standings import ScoringRules, SeasonRules, rank_event, rank_season
from tournaments.standings.choices import SPECS, TieBreak, TieBreakScope, Total, keys_of_columns
from tournaments.standings.rows import total_of
from tournaments.standings.season_choices import Measure
from tournaments.tables.cells import fixed_text, number_of
from tournaments.tables.model import Column, ColumnKind, DroppedCell


def added_up(columns: Iterable[Column[Any]], row: Mapping[str, Any]) -> Fraction:
    """The cells of a row that count, as a reader adds them up."""
    cells = [column.value(row) for column in columns]
    return sum(
        (Fraction(score_of(cell) or 0) for cell in cells if not isinstance(cell, DroppedCell)),
        Fraction(0),
    )


@pytest.mark.property
@given(events(), scorings())
@settings(max_examples=examples(200))
def test_rounds_adjustments_and_handicap_are_the_total(
    event: dict[str, Any], scoring: ScoringRules
) -> None:
    data = rank_event(scoring=replace(scoring, total=Total.SUM), **event).to_data()
    columns = event_columns(data)
    for row in data["rows"]:
        assert added_up((*columns.scores, *columns.parts), row) == total_of(row)


@pytest.mark.property
@given(seasons(), leagues())
@settings(max_examples=examples(200))
def test_the_nights_that_count_and_what_is_added_are_the_total(
    season: dict[str, Any], rules: SeasonRules
) -> None:
    assume(not rules.by_game)
    rules = replace(rules, measure=Measure.SUM)
    data: Any = rank_season(season=rules, **season).to_data()
    nights = [
        CountedNight(event.id, event.number, str(event.number), "", event.weight)
        for event in sorted(season["events"], key=lambda one: (one.number, one.id))
    ]
    columns = league_columns(nights, data["rows"])
    for row in data["rows"]:
        assert added_up((*columns.scores, *columns.parts), row) == total_of(row)
        dropped = [line["number"] for line in row["lines"] if not line["counted"]]
        marked = [night for night in columns.scores if isinstance(night.value(row), DroppedCell)]
        assert [night.key for night in marked] == [f"night_{number}" for number in dropped]
        about = {column.key: column.value(row) for column in columns.about}
        assert about["counted"] == len(row["lines"]) - len(dropped)
        assert about.get("dropped", "") == "; ".join(map(str, dropped))


@given(st.lists(st.fractions(-99, 99, max_denominator=12)))
def test_numbers_are_shown_exactly_or_to_two_places(scores: list[Fraction]) -> None:
    places = decimal_places(scores)
    for score in scores:
        shown = Fraction(fixed_text(score, places))
        assert shown == score or (places == 2 and abs(shown - score) <= Fraction(1, 200))


@given(events(), scorings())
@settings(max_examples=examples(50))
def test_every_number_of_standings_is_a_number_and_says_what_it_is(
    event: dict[str, Any], scoring: ScoringRules
) -> None:
    data: Any = rank_event(scoring=scoring, **event).to_data()
    columns = event_columns(data)
    every = tuple(columns)
    assert len({column.key for column in every}) == len(every)
    for column in every:
        assert column.title
        cells = [column.value(row) for row in data["rows"]]
        assert any(cell is not None for cell in cells) or column.key == "total"
        for cell in cells:
            is_number = column.kind is not ColumnKind.TEXT
            assert cell is None or not is_number or number_of(column, cell) is not None


def test_tie_breaks_stand_in_their_order_and_counts_before_those_asked_last() -> None:
    keys = sorted([*SPECS, *COUNTS], reverse=True)
    row: Any = {"total": "5", "columns": dict.fromkeys(keys, 1) | {"places": ["1"]}}
    shown = [column.key for column in tie_break_columns([row])]
    assert [key for key in shown if key in SPECS] == [key for key in SPECS if key in shown]
    assert shown[-6:] == ["hands_played", "games", "events", "playoff", "lot", "shared"]


def test_columns_are_computed_in_the_order_of_tie_breaks() -> None:
    keys = keys_of_columns(TieBreakScope.EVENT, [TieBreak.LOT, TieBreak.SOLE_WINS])
    assert {TieBreak.LOT, TieBreak.SOLE_WINS} < {*keys}
    assert keys == [key for key in TieBreak if key in keys]
