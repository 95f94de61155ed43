"""The worked examples of tournaments.md 10 about seasons, by their ids."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tests.tournaments.standings.field import league, nights
from tournaments.standings import (
    EventResult,
    RowKind,
    SeasonEvent,
    SeasonRules,
    handicap_of,
    rank_season,
)


def test_e12_the_best_four() -> None:
    points = ["7", "5/2", "9", "-3", "6", "6"]
    season = SeasonRules.from_data({"rule": "best_n", "best": 4})
    row = rank_season(nights({"A": points}), league("A"), season).by_entry["A"]
    assert row.total == 28
    dropped = [line.points for line in row.lines if line.event not in row.counted]
    assert dropped == [Fraction(5, 2), -3]
    everything = rank_season(
        nights({"A": points}), league("A"), SeasonRules.from_data({"rule": "sum"})
    )
    assert everything.by_entry["A"].total == Fraction(55, 2)


PLAYED: Mapping[str, tuple[int, int]] = {"Ann": (31, 10), "Bo": (40, 14), "Cy": (12, 3)}


def games() -> Sequence[SeasonEvent]:
    results = tuple(EventResult(name, points, number) for name, (points, number) in PLAYED.items())
    return [SeasonEvent("e", 1, results)]


def test_e13_an_average_needs_games() -> None:
    season = SeasonRules.from_data({"rule": "average", "least_games": 8})
    found = rank_season(games(), league(*PLAYED), season)
    totals = [(row.entry, row.total, row.label) for row in found.rows]
    assert totals == [
        ("Ann", Fraction(31, 10), "1"),
        ("Bo", Fraction(20, 7), "2"),
        ("Cy", 4, ""),
    ]
    cy = found.by_entry["Cy"]
    assert (cy.kind, cy.needs_games) == (RowKind.UNQUALIFIED, 5)


def test_e13_a_shrunk_average() -> None:
    season = SeasonRules.from_data({"rule": "shrunk", "shrink": 6, "prior": "3/2"})
    found = rank_season(games(), league(*PLAYED), season)
    assert {row.entry: row.total for row in found.rows} == {
        "Ann": Fraction(5, 2),
        "Bo": Fraction(49, 20),
        "Cy": Fraction(7, 3),
    }


def test_e14_a_handicap() -> None:
    season = SeasonRules.from_data({"handicaps": "on", "handicap_base": 55, "handicap_cap": 20})
    handicaps = [handicap_of(average, season) for average in (42, 60, 20)]
    assert handicaps == [Fraction(52, 5), 0, 20]
