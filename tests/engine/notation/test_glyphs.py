"""Suit glyphs are understood everywhere, and written as letters."""

import pytest

from engine.notation import read, write

HEAD = '[Seats "S W E"]\n[Variant "sahara"]\n'


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ('[PlayTable "S;W;E"]\n\u26632 \u26635 \u2663Q', "\nC2 C5 CQ\n"),
        ('[Play "S"]\n\u26632 \u26635 \u2663Q', "\nC2 C5 CQ\n"),
        ('[PlayTable "S;W;E"]\n\u266510 \u26617 \u2665\ufe0f5', "\nHT H7 H5\n"),
        ('[PlayTable "S;W;E"]\n^R\u26632=1=$3 \u26635! -', "\n^RC2=1=$3 C5$7 -\n"),
        ('[CaptureTable "Seat;Cards"]\nS \u2660J9\u26659', "\nS SJ9H9\n"),
        ('[PassTable "From;To;Cards"]\nS W \u2660J9\u26659', "\nS W SJ9H9\n"),
        ('[CentreTable "Seat;Card;Bid;Shown"]\nS \u2660J 4 \u26659', "\nS SJ 4 H9\n"),
    ],
)
def test_glyphs_are_written_as_letters(table: str, words: str) -> None:
    (entry,) = read(f"{HEAD}{table}\n")
    written = write([entry])
    assert words in written
    assert write(read(written)) == written
    (again,) = read(written)
    assert entry.record is not None
    assert again.record is not None
    assert again.record == entry.record
    assert not [one for one in again.diagnostics if one.rule == "T27"]


def test_words_that_are_no_cards_stay() -> None:
    (entry,) = read(HEAD + '[CaptureTable "Seat;Cards;X_Own"]\ns\u00e9 \u26612\u00e9 \u2660A\n')
    assert '"s\u00e9" "\u26612\u00e9" "\u2660A"\n' in write([entry])
