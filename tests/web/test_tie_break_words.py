"""Every tie-break has words: for its column, its meaning, and why somebody is ahead."""

from tournaments.reports.labels import COLUMNS, MEANINGS, REASONS
from tournaments.standings import TieBreak
from tournaments.standings.order import WORDS

RANKING = {key.value for key in TieBreak if key is not TieBreak.SHARED}


def test_every_tie_break_that_parts_people_has_words() -> None:
    assert RANKING - WORDS.keys() == set()
    # First places, second places and so on are told in a sentence of their own.
    assert RANKING - REASONS.keys() == {TieBreak.PLACES.value}


def test_every_tie_break_with_a_column_has_a_heading_and_a_meaning() -> None:
    shown = RANKING - {TieBreak.H2H.value}
    assert shown - COLUMNS.keys() == set()
    assert shown - MEANINGS.keys() == set()
