"""The codes of slips: all that a slip says of its origin, in squares that a camera sees."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import segno

from engine.rules.presets import BICYCLE, STANDARD
from scoring.slips.codes import (
    Corner,
    SlipCode,
    SlipCodeError,
    read_code,
    short_digest,
    short_id,
    write_code,
)
from tournaments.core.ids import new_id

CODE = SlipCode(
    installation=51_234,
    event=short_id(new_id()),
    players=6,
    rules=short_digest(BICYCLE),
    table=short_id(new_id()),
    round=60,
    number=1000,
    hand=200,
)


@pytest.mark.parametrize("corner", Corner)
def test_a_code_is_read_as_it_was_written(corner: Corner) -> None:
    assert read_code(write_code(CODE.at(corner))) == CODE.at(corner)


def test_the_two_codes_of_a_slip_differ_by_their_corner_alone() -> None:
    first, last = (read_code(write_code(CODE.at(corner))) for corner in Corner)
    assert first != last
    assert first.at(Corner.LAST) == last


def test_a_code_has_large_squares() -> None:
    matrix = segno.make(write_code(CODE), error="m", micro=False).matrix
    assert len(matrix) == 25


def test_a_blank_slip_has_neither_table_nor_hand() -> None:
    blank = SlipCode(installation=1, event=2, players=4, rules=3)
    assert read_code(write_code(blank)).is_blank
    assert not CODE.is_blank


def test_other_rules_have_another_digest() -> None:
    assert short_digest(BICYCLE) != short_digest(STANDARD)


def test_a_number_that_has_no_room_is_no_code() -> None:
    with pytest.raises(ValueError, match="hand does not fit"):
        write_code(SlipCode(installation=1, event=2, players=4, rules=3, hand=5000))


@pytest.mark.parametrize("players", [1, 2, 7])
def test_a_code_for_a_table_of_no_size_is_damaged(players: int) -> None:
    with pytest.raises(SlipCodeError, match="damaged"):
        read_code(write_code(replace(CODE, players=players)))


def _change_one_sign(text: str) -> str:
    place = len(text) // 2
    return text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda _: "https://club.example/t/2w", "not the code of a score slip"),
        (lambda _: "PS", "not the code of a score slip"),
        (lambda text: text.replace("PS1", "PS2", 1), "version 2"),
        (_change_one_sign, "damaged"),
        (lambda text: text[:-1], "damaged"),
        (lambda text: text[:-1] + "1", "damaged"),
        (lambda text: text.lower().replace("ps", "PS", 1), "damaged"),
    ],
)
def test_what_is_no_code_of_ours_is_said(change: Callable[[str], str], words: str) -> None:
    with pytest.raises(SlipCodeError, match=words):
        read_code(change(write_code(CODE)))
