"""Codes that people type: no two signs look alike, and blanks, dashes and case do not matter."""

import pytest

from tournaments.core.ids import ALPHABET, group_code, normalize_code, random_code


@pytest.mark.parametrize("length", [6, 8, 16])
def test_a_code_is_found_however_it_is_typed(length: int) -> None:
    code = random_code(length)
    assert len(code) == length
    assert set(code) <= set(ALPHABET)
    shown = group_code(code)
    assert {len(group) for group in shown.split("-")} <= {4, length % 4}
    for typed in (shown, shown.lower(), f" {shown.replace('-', ' ')} ", code):
        assert normalize_code(typed) == code


def test_no_sign_of_a_code_is_taken_for_another() -> None:
    assert not set("0O1ILU") & set(ALPHABET)
    assert len(set(ALPHABET)) == len(ALPHABET) == 30
