"""Settings out of data: read exactly, refused by name."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.standings.strategies import junk, leagues
from tournaments.standings import (
    SEASON_SETTINGS,
    SETTINGS,
    Method,
    ScoringError,
    ScoringRules,
    SeasonRules,
)
from tournaments.standings.scales import LINEAR, points_for

a_few = settings(max_examples=examples(50), deadline=None)


def test_no_settings_are_the_usual_ones() -> None:
    assert ScoringRules.from_data({}) == ScoringRules()
    assert SeasonRules.from_data({}) == SeasonRules()


@pytest.mark.parametrize("method", list(Method))
def test_every_method_has_words_and_a_unit(method: Method) -> None:
    rule = ScoringRules.from_data({"method": method.value})
    assert rule.unit
    assert method.words in rule.describe()[0]


@pytest.mark.parametrize("method", list(Method))
def test_every_way_of_counting_is_summarized_without_questions(method: Method) -> None:
    said = ScoringRules.from_data({"method": method.value}).summarize([3, 4])
    assert all(said)
    assert not any("?" in sentence or "{" in sentence for sentence in said)


def test_a_summary_and_the_special_cases_tell_every_setting_that_matters() -> None:
    for rules in (ScoringRules(), SeasonRules()):
        told = {rules.settings()[name].question for name in rules.SUMMARIZED}
        left = rules.special_cases()
        for line in rules.describe():
            assert line in left or any(line.startswith(question) for question in told)


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_a_summary_tells_the_points_of_tables_of_every_size(size: int) -> None:
    said = ScoringRules().summarize([size])[0]
    points = [points_for(LINEAR, size)[place] for place in (0, -1)]
    assert f"a table of {size} brings {points[0]}, " in said
    assert f"and \N{MINUS SIGN}{-points[1]} points" in said


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"planned": 12, "best": 8}, "the best 8 of 12 nights count."),
        ({}, "the best 6 of 9 nights count."),
        ({"rule": "drop_worst", "drop": 2}, "all nights count but a player's worst 2."),
        ({"rule": "sliding"}, "5 nights count, and for every 2 that a player comes"),
        ({"rule": "sum"}, "all nights count."),
        ({"rule": "shrunk"}, "with 6 more games at the mean of the league."),
        ({"lowest_wins": "on"}, "The lowest total is best."),
        ({"least_events": 1, "rising": "off"}, "A place needs 1 night."),
        ({"promoted": 2}, "The first 2 are promoted."),
    ],
)
def test_a_season_is_summarized(data: dict[str, object], words: str) -> None:
    assert words in " ".join(SeasonRules.from_data(data).summarize(9))


@pytest.mark.parametrize(
    ("data", "field", "words"),
    [
        ({"metod": "chips"}, "metod", "did you mean method?"),
        ({"method": "Chips"}, "method", "one of places, chips"),
        ({"method": ["chips"]}, "method", "one of places, chips"),
        ({"par": 0}, "par", "from 1 to 9999"),
        ({"par": True}, "par", "a whole number"),
        ({"par": 12.0}, "par", "a whole number"),
        ({"ante": "1/0"}, "ante", "exact"),
        ({"ante": 0.5}, "ante", "exact"),
        ({"ante": "-1"}, "ante", "0 or more"),
        ({"incomplete_below": "3/2"}, "incomplete_below", "1 or less"),
        ({"per_hand": "on"}, "par", "needed to count by the hand"),
        ({"scale": {"4": [3, 1, -1]}}, "scale", "needs 4 points, not 3"),
        ({"scale": {"4": [1, 3, -1, -3]}}, "scale", "better place"),
        ({"scale": {"7": [1] * 7}}, "scale", "from 2 to 6"),
        ({"scale": {}}, "scale", "linear"),
        ({"tie_breaks": ["wins", "wins"]}, "tie_breaks", "twice"),
        ({"tie_breaks": ["shared", "wins"]}, "tie_breaks", "nothing can follow shared"),
        ({"tie_breaks": "wins"}, "tie_breaks", "a list"),
        ({"method": "points", "tie_breaks": ["sb"]}, "tie_breaks", "more is better"),
        ({"method": "datum", "total": "hand_average"}, "total", "game_average"),
        ({"lot_seed": "a\nb"}, "lot_seed", "a line"),
        ({"lot_seed": "x" * 101}, "lot_seed", "at most 100"),
        ([], "settings", "an object"),
        ({3: 4}, "3", "is not a setting"),
    ],
)
def test_what_cannot_be_is_refused_by_name(data: Any, field: str, words: str) -> None:
    with pytest.raises(ScoringError) as refused:
        ScoringRules.from_data(data)
    assert refused.value.field == field
    assert words in refused.value.message


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"best": 0}, "best"),
        ({"highest": 3}, "highest"),
        ({"highest": 3, "lowest": 4}, "lowest"),
        ({"divisions": ["A", "A"]}, "divisions"),
        ({"divisions": "AB"}, "divisions"),
        ({"slide_every": 0}, "slide_every"),
    ],
)
def test_a_season_that_cannot_be_is_refused_by_name(data: Any, field: str) -> None:
    with pytest.raises(ScoringError) as refused:
        SeasonRules.from_data(data)
    assert refused.value.field == field


@a_few
@given(st.dictionaries(st.sampled_from([*SETTINGS, *SEASON_SETTINGS]), junk, max_size=4) | junk)
def test_anything_is_read_or_refused(data: Any) -> None:
    for made in (ScoringRules.from_data, SeasonRules.from_data):
        try:
            read: ScoringRules | SeasonRules | None = made(data)
        except ScoringError:
            read = None
        assert read is None or type(read).from_data(read.to_data()) == read


@a_few
@given(leagues())
def test_a_season_survives_its_data_and_tells_itself(season: SeasonRules) -> None:
    again = SeasonRules.from_data(season.to_data())
    assert (again, again.digest) == (season, season.digest)
    assert all("{" not in line for line in season.describe())


def test_the_digest_tells_scorings_apart() -> None:
    rules: list[dict[str, object]] = [{}, {"method": "chips"}, {"par": 12}, {"tie_breaks": []}]
    assert len({ScoringRules.from_data(data).digest for data in rules}) == len(rules)
    assert ScoringRules.from_data({"sit_out_points": "1.5"}) == ScoringRules.from_data(
        {"sit_out_points": "3/2"}
    )
