"""Numbers as people write them, read exactly whatever the habits of their country."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.core.messages import MessageError
from tournaments.imports.numbers import (
    AmbiguousNumberError,
    DecimalMark,
    find_decimal_mark,
    is_absent,
    is_close,
    is_rounded,
    parse_number,
)
from tournaments.tables.xlsx_reader import read_decimal

HABITS = [("", "."), ("", ","), (",", "."), (".", ","), (" ", ","), ("\u202f", ","), ("'", ".")]
SIGNS = ["-{}", "\u2212{}", "{}-", "({})", "- {}"]


def written(whole: int, decimals: str, group: str, mark: str) -> str:
    """A number as a country writes it."""
    grouped = f"{whole:,}".replace(",", group)
    return f"{grouped}{mark}{decimals}" if decimals else grouped


@given(
    whole=st.integers(0, 999_999),
    decimals=st.text("0123456789", min_size=1, max_size=3),
    habit=st.sampled_from(HABITS),
    sign=st.sampled_from(["{}", "+{}", *SIGNS]),
    unit=st.sampled_from(["", " pts", " Punkte", "P."]),
)
def test_a_number_is_read_exactly_in_every_habit(
    whole: int, decimals: str, habit: tuple[str, str], sign: str, unit: str
) -> None:
    group, mark = habit
    text = sign.format(written(whole, decimals, group, mark)) + unit
    value = Fraction(f"{whole}.{decimals}")
    wanted = -value if sign in SIGNS else value
    known = DecimalMark.COMMA if mark == "," else DecimalMark.POINT
    assert parse_number(text, known) == wanted


@given(st.fractions(max_denominator=10**6).filter(lambda value: abs(value.numerator) < 10**9))
def test_a_fraction_is_read_as_it_is_stored(value: Fraction) -> None:
    assert parse_number(str(value)) == value


@given(st.integers(-50_000, 50_000), st.integers(1, 999))
def test_a_fraction_comes_back_from_the_decimals_of_a_spreadsheet(over: int, under: int) -> None:
    value = Fraction(over, under)
    for text in (repr(over / under), f"{read_decimal(repr(over / under)):f}"):
        assert parse_number(text, DecimalMark.POINT) == value
        assert not is_rounded(text, value)


@given(st.decimals(-99_999, 99_999, places=13))
def test_what_was_no_fraction_is_rounded_where_nobody_sees_it(value: Decimal) -> None:
    text = f"{value:f}"
    number = parse_number(text, DecimalMark.POINT)
    assert is_close(number, Fraction(value))
    assert is_rounded(text, number) == (abs(number - Fraction(value)) > Fraction(1, 10**12))


@given(
    whole=st.integers(0, 999_999),
    decimals=st.text("0123456789", min_size=1, max_size=2),
    form=st.sampled_from(["{} €", "€{}", "EUR {}", "{} CHF", "$ {}", "{} Punkte", "{}p."]),
)
def test_units_beside_a_number_change_nothing(whole: int, decimals: str, form: str) -> None:
    for mark in ",.":
        text = form.format(f"{whole}{mark}{decimals}")
        assert parse_number(text) == Fraction(f"{whole}.{decimals}")
        assert find_decimal_mark([text]) is (
            DecimalMark.COMMA if mark == "," else DecimalMark.POINT
        )


@given(
    column=st.lists(st.integers(0, 10**6), max_size=8),
    sure=st.tuples(st.integers(0, 9999), st.text("0123456789", min_size=1, max_size=2)),
    habit=st.sampled_from(HABITS[2:4]),
)
def test_one_cell_that_is_sure_decides_for_its_column(
    column: list[int], sure: tuple[int, str], habit: tuple[str, str]
) -> None:
    texts = [written(whole, "", *habit) for whole in column]
    mark = find_decimal_mark([*texts, written(*sure, *habit)])
    assert mark is (DecimalMark.COMMA if habit[1] == "," else DecimalMark.POINT)
    assert [parse_number(text, mark) for text in texts] == column


@given(st.text(max_size=80))
@example("9" * 5000)
@example("1" + ".234" * 2000)
def test_any_text_is_a_number_that_can_be_stored_or_refused_in_words(text: str) -> None:
    try:
        value = parse_number(text)
    except MessageError as error:
        refusal = str(error)
    else:
        refusal = ""
        assert parse_number(str(value)) == value
    assert not refusal or any(words in refusal for words in ("no number", "too long", "two ways"))


def test_a_mark_before_three_digits_is_asked_about() -> None:
    for text in ("1.234", "12,345", "-1.234 P"):
        with pytest.raises(AmbiguousNumberError):
            parse_number(text)
    assert parse_number("0.234") == Fraction(117, 500)
    assert parse_number("1234,567") == Fraction(1234567, 1000)
    assert find_decimal_mark(["1.234", "1,5", "1.5"]) is None


def test_cells_that_say_that_nobody_was_there() -> None:
    for text in ("", " ", "-", "\u2013", "---", "x", "X", "n/a", "DNS", "(-)", "fehlt", "entsch."):
        assert is_absent(text), text
    for text in ("0", "-1", "½", "(5)", "y"):
        assert not is_absent(text), text


def test_dates_and_odd_fractions_are_no_numbers() -> None:
    for text in ("2025-09-12", "7.4.2025", "7/4/25"):
        with pytest.raises(MessageError, match="is a date"):
            parse_number(text)
    for text in ("12/0", "1/2/3", "1,23,456", "1.234.5", "--5", "1e5", "5 %"):
        with pytest.raises(MessageError, match="is no number"):
            parse_number(text)
    assert parse_number("13½") == parse_number("13 1/2") == Fraction(27, 2)
    with pytest.raises(MessageError, match="too long"):
        parse_number("1234567890")
