"""Cells: what is guarded comes back, and numbers are exact wherever they can be."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.tables.hostile import FORMULAS
from tournaments.tables.cells import (
    decimal_text,
    fixed_text,
    format_cell,
    guard_formula,
    readable,
    unguard_formula,
)
from tournaments.tables.model import Column, ColumnKind, RankCell


@pytest.mark.parametrize("text", FORMULAS)
def test_what_a_spreadsheet_would_compute_begins_with_an_apostrophe(text: str) -> None:
    assert guard_formula(text) == (text if text == "'" else f"'{text}")


@given(st.text())
def test_a_guarded_text_comes_back(text: str) -> None:
    assert unguard_formula(guard_formula(text)) == text


@given(st.text(alphabet="'= \t\u3000\uff1dab"))
def test_a_guarded_text_comes_back_whatever_apostrophes_it_had(text: str) -> None:
    assert unguard_formula(guard_formula(text)) == text


@given(st.text())
def test_two_texts_never_become_one_by_being_guarded(text: str) -> None:
    assert guard_formula(text) in (text, f"'{text}")


@given(st.text(alphabet=st.characters(codec=None)))
def test_a_readable_text_goes_into_xml_and_utf_8(text: str) -> None:
    clean = readable(text)
    clean.encode()
    assert len(clean) == len(text)
    assert not any(ord(sign) < 32 and sign not in "\t\r\n" for sign in clean)


@given(st.integers(-(10**40), 10**40), st.integers(0, 20))
def test_a_number_that_ends_is_written_exactly(number: int, places: int) -> None:
    value = Fraction(number, 10**places)
    text = decimal_text(value)
    assert Fraction(text) == value
    assert not text.endswith("0") or "." not in text


@given(st.fractions(), st.integers(0, 8))
def test_a_rounded_number_is_as_near_as_its_places_allow(number: Fraction, places: int) -> None:
    text = fixed_text(number, places)
    assert abs(Fraction(text) - number) <= Fraction(1, 2 * 10**places)
    assert -Decimal(text).as_tuple().exponent == places  # type: ignore[operator]


def test_people_see_money_in_whole_units_and_shared_ranks_as_such() -> None:
    euros = Column(key="m", title="", kind=ColumnKind.MONEY, currency="EUR", value=int)
    yen = Column(
        key="m", title="", kind=ColumnKind.MONEY, currency="JPY", minor_digits=0, value=int
    )
    dinars = Column(
        key="m", title="", kind=ColumnKind.MONEY, currency="KWD", minor_digits=3, value=int
    )
    assert [format_cell(each, -1205) for each in (euros, yen, dinars)] == [
        "-12.05",
        "-1205",
        "-1.205",
    ]
    rank = Column(key="r", title="", kind=ColumnKind.RANK, value=int)
    assert [format_cell(rank, RankCell(2, shared)) for shared in (False, True)] == ["2", "2="]
