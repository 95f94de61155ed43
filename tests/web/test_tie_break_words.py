"""Every tie-break has words: for its column, its meaning, and why somebody is ahead."""

from tournaments.standings import TieBreak

RANKING = [key for key in TieBreak if key is not TieBreak.SHARED]


def test_every_tie_break_that_parts_people_says_by_what() -> None:
    assert [key for key in RANKING if not key.spec.reason] == []


def test_every_tie_break_with_a_column_has_a_heading_and_a_meaning() -> None:
    shown = [key for key in RANKING if key is not TieBreak.H2H]
    assert [key for key in shown if not (key.spec.column and key.spec.meaning)] == []
