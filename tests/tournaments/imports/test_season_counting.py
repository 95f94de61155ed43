"""What counts in the season of a table: found where the file says so, else asked, never guessed."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.imports.questions import QUESTIONS
from tournaments.imports.season_counting import (
    FileResults,
    MarkedResults,
    PenaltySign,
    SeasonCounting,
    SeasonResult,
    SeasonRule,
    decide_counting,
)

POINTS = st.integers(-20, 40).map(Fraction)
RULES = st.sampled_from(
    [SeasonRule(), *map(SeasonRule, range(1, 8)), *(SeasonRule(drop=n) for n in (1, 2, 3))]
)
SEASONS = st.lists(st.lists(POINTS, min_size=1, max_size=8), min_size=1, max_size=12)


def total_by(rule: SeasonRule, values: Sequence[Fraction], *, is_low: bool = False) -> Fraction:
    """The total by a rule, worked out as a club does: strike the worst, add up the rest."""
    left = sorted(values)
    while len(left) > 1 and (len(left) > rule.best > 0 or len(values) - len(left) < rule.drop):
        left.remove(max(left) if is_low else min(left))
    return sum(left, Fraction())


def decide(rows: Sequence[FileResults], *, is_low: bool = False, **answers: str) -> SeasonCounting:
    return decide_counting(rows, is_low=is_low, texts=[], answers=answers)


def rows_of(
    season: Sequence[Sequence[Fraction]], rule: SeasonRule, *, is_low: bool = False
) -> list[FileResults]:
    return [
        FileResults(
            results=[SeasonResult(one) for one in values],
            total=total_by(rule, values, is_low=is_low),
        )
        for values in season
    ]


@given(SEASONS, RULES, st.booleans())
def test_every_total_comes_about_or_the_rule_is_asked_for(
    season: list[list[Fraction]], rule: SeasonRule, is_low: bool
) -> None:
    found = decide(rows_of(season, rule, is_low=is_low), is_low=is_low)
    if found.asked:
        assert rule.key in found.asked["counting"] or len(found.asked["counting"]) == 9
        assert set(found.asked["counting"]) <= set(QUESTIONS["counting"].choices)
    else:
        assert [total_by(found.rule, values, is_low=is_low) for values in season] == [
            total_by(rule, values, is_low=is_low) for values in season
        ]


@given(SEASONS, RULES, st.sampled_from(PenaltySign), st.data())
def test_totals_say_how_penalties_enter_them(
    season: list[list[Fraction]], rule: SeasonRule, sign: PenaltySign, data: st.DataObject
) -> None:
    plain = rows_of(season, rule)
    penalties = data.draw(
        st.lists(st.integers(0, 9).map(Fraction), min_size=len(plain), max_size=len(plain))
    )
    rows = [
        FileResults(results=row.results, penalties=one, total=row.total + one * sign.factor)
        for row, one in zip(plain, penalties, strict=True)
        if row.total is not None
    ]
    found = decide(rows)
    if not found.asked:
        for row in rows:
            values = [one.value for one in row.results]
            assert row.total == total_by(found.rule, values) + row.penalties * found.sign.factor


def row(text: str, total: int | None = None, **more: Any) -> FileResults:
    """A row as it is written: `12 (4) 3*`."""
    results = [
        SeasonResult(Fraction(word.strip("()*")), word if word.strip("()*") != word else "")
        for word in text.split()
    ]
    return FileResults(results=results, total=None if total is None else Fraction(total), **more)


def test_brackets_without_totals_that_no_rule_explains_are_asked_about() -> None:
    found = decide([row("12 10 3"), row("9 (4)")])
    assert found.asked == {"marked": list(MarkedResults)}
    assert decide([row("12 10 3"), row("9 4*")]).asked == {"marked": ["dropped", "counted"]}
    dropped = decide([row("12 10 3"), row("9 (4)")], marked="dropped")
    assert "all" in dropped.asked["counting"]
    assert not decide([row("12 10 3"), row("9 (4)")], marked="negative").asked


def test_brackets_that_are_just_what_one_rule_drops_say_so_themselves() -> None:
    found = decide([row("12 10 (3)"), row("9 (4) 5"), row("7 8")])
    assert (found.asked, found.marked, found.rule) == ({}, MarkedResults.DROPPED, SeasonRule(2))
    assert decide([row("12 10 (3)"), row("9 (4) 5"), row("7 8 1")]).asked


@pytest.mark.parametrize(("total", "marked"), [(9, "dropped"), (5, "negative"), (13, "counted")])
def test_a_total_says_what_brackets_mean(total: int, marked: str) -> None:
    found = decide([row("12 10 3", 25), row("9 (4)", total)])
    assert "marked" not in found.asked
    assert found.marked == marked
    assert ("counting" in found.asked) == (marked == "dropped")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("die besten 8 von 12 abenden", "best_8"),
        ("total best 8", "best_8"),
        ("8 beste", "best_8"),
        ("gesamt zwei streicher", "drop_2"),
        ("streichresultate 2", "drop_2"),
        ("drop the worst two", "drop_2"),
        ("season 2025 26", "all"),
        ("saison 2025 26 beste 2 von 3", "best_2"),
        ("2025 best 3", "best_3"),
        ("best club 2025", "all"),
    ],
)
def test_words_above_the_table_say_the_rule(text: str, rule: str) -> None:
    found = decide_counting([row("1 2 3")], is_low=False, texts=[text], answers={})
    assert (found.rule.key, found.asked) == (rule, {})


def test_words_that_the_totals_contradict_are_asked_about() -> None:
    found = decide_counting(
        [row("1 2 3", 6), row("1 2 4", 7)], is_low=False, texts=["best 2"], answers={}
    )
    assert found.asked["counting"][:2] == ["best_2", "all"]


def test_one_wrong_total_among_many_does_not_change_the_rule() -> None:
    rows = [row("1 2 3", 5), row("4 2 3", 7), row("5 5 1", 10), row("2 3 9", 12), row("1 2 7", 4)]
    assert (decide(rows).rule.key, decide(rows).asked) == ("best_2", {})
    alone = [row("1 2 3", 5), row("4 2", 6)]
    assert decide(alone).asked["counting"]


def test_the_number_of_counted_nights_is_evidence() -> None:
    rows = [row("1 2 3", counted=2), row("4 2", counted=2)]
    assert decide(rows).rule == SeasonRule(best=2)


def test_penalties_make_nobody_better_where_no_total_says_how_they_count() -> None:
    assert decide([row("5", penalties=Fraction(2))]).sign is PenaltySign.TAKEN_OFF
    assert decide([row("5", penalties=Fraction(-2))]).sign is PenaltySign.ADDED
    low = decide([row("5", penalties=Fraction(2))], is_low=True)
    assert low.sign is PenaltySign.ADDED
    mixed = decide([row("5", penalties=Fraction(2)), row("5", penalties=Fraction(-2))])
    assert mixed.asked == {"penalties": list(PenaltySign)}
