"""Letters on paper: every script has a font, lines fit their room, nothing is lost."""

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.tables.hostile import NAMES
from tournaments.tables.lettering import (
    UNKNOWN,
    drawn_order,
    fit_text,
    font_for,
    levels,
    pieces,
    width_of,
    wrap_text,
)


def test_there_is_a_font_for_every_script(subtests: pytest.Subtests) -> None:
    for sign in "aőŁΩЖשعԱა王か김สअ♠♥♦♣ễ€":
        for bold in [False, True]:
            with subtests.test(sign=sign, bold=bold):
                assert font_for(sign, bold=bold) is not None


def test_a_letter_that_no_font_has_is_shown_as_unknown() -> None:
    assert [piece.text for piece in pieces("a\U0001f9d9")] == [f"a{UNKNOWN}"]


@given(st.text(max_size=60), st.floats(20, 300))
def test_lines_fit_and_lose_nothing(text: str, room: float) -> None:
    lines = wrap_text(text, 9, room)
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        assert width_of(line, 9) <= room + 0.01 or _is_one_letter(line)


def _is_one_letter(line: str) -> bool:
    return sum(not unicodedata.combining(sign) for sign in line) <= 1


@given(st.text(max_size=80), st.floats(15, 100))
def test_a_shortened_line_fits(text: str, room: float) -> None:
    assert width_of(fit_text(text, 9, room), 9) <= room + 0.01


def test_hostile_names_are_laid_out(subtests: pytest.Subtests) -> None:
    for name in NAMES:
        with subtests.test(name=name):
            for most in (0, 1, 2):
                lines = wrap_text(name, 9, 60, most=most)
                assert len(lines) <= (most or len(lines))


@given(st.text(alphabet="abאבع12 .-", max_size=20))
def test_every_sign_is_drawn_once_and_runs_from_the_left_keep_their_order(text: str) -> None:
    depths = levels(text)
    assert len(depths) == len(text)
    order = drawn_order(depths)
    assert sorted(order) == list(range(len(text)))
    if not set(text) & set("אבع"):
        assert order == list(range(len(text)))


@given(st.text(alphabet="אבגד", min_size=1, max_size=20))
def test_a_name_from_the_right_is_drawn_from_its_end(text: str) -> None:
    order = drawn_order(levels(text))
    assert all(left > right for left, right in pairwise(order))


def test_numbers_in_a_name_from_the_right_stay_as_they_are() -> None:
    text = "אב 12"
    assert "".join(text[place] for place in drawn_order(levels(text))) == "12 בא"
