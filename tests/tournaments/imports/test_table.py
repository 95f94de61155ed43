"""Tables as people have them: where the heading is, what columns hold, how days are read."""

import csv
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from io import BytesIO, StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odfdo import Document, Row, Table

from tests.tournaments.imports.tables import Cell, xlsx
from tournaments.core.errors import RefusedError
from tournaments.imports.dates import (
    AmbiguousDateError,
    DateOrder,
    find_date_order,
    parse_day,
)
from tournaments.imports.fields import ImportField
from tournaments.imports.headings import MEMBER_FIELDS, OPENING_FIELDS
from tournaments.imports.table import (
    ImportTable,
    TableSettings,
    decide_marks,
    open_import,
)

ROWS: tuple[tuple[Cell, ...], ...] = (
    ("Mitgliederliste 2025",),
    (),
    ("Stand:", date(2025, 12, 31)),
    ("Mitglieds-Nr.", "Name", "Vorname", "E-Mail", "Eintritt", "Name"),
    (17, "Grün", "Zoë", "zoe@club.example", datetime(2019, 4, 3), "Grün-Weiß"),
    (),
    (18, "Baker", "Ed", "", datetime(2020, 1, 2), ""),
    ("Summe", 2),
)


def ods(rows: Sequence[Sequence[Cell]] = ROWS) -> bytes:
    document = Document("spreadsheet")
    document.body.clear()
    table = Table("Mitglieder")
    for row in rows:
        line = Row()
        line.set_values(list(row))
        table.append_row(line)
    table.set_span((0, 0, 5, 0))
    document.body.append(table)
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def cp1252(rows: Sequence[Sequence[Cell]] = ROWS) -> bytes:
    out = StringIO()
    days = ([f"{one:%d.%m.%Y}" if isinstance(one, date) else one for one in row] for row in rows)
    csv.writer(out, delimiter=";").writerows(days)
    return out.getvalue().encode("cp1252")


FILES = {
    "xlsx": xlsx(ROWS, "A1:F1"),
    "ods": ods(),
    "csv": cp1252(),
    "bom": b"\xef\xbb\xbf" + cp1252().decode("cp1252").encode(),
}


def opened(
    data: bytes, fields: Sequence[ImportField] = MEMBER_FIELDS, **settings: object
) -> ImportTable:
    wanted = TableSettings(**settings)  # type: ignore[arg-type]
    table = open_import(data, fields, wanted)
    decide_marks(table, data, wanted)
    return table


def read(table: ImportTable) -> list[Mapping[str, str]]:
    return [
        {key: row.text(key) for key in table.columns} for row in table.rows() if not row.is_total
    ]


@pytest.mark.parametrize("form", FILES)
def test_a_list_with_a_title_empty_rows_and_a_sum_is_read(form: str) -> None:
    table = opened(FILES[form])
    assert table.header.line == 4
    assert {key: table.heading(columns[0]) for key, columns in table.columns.items()} == {
        "number": "Mitglieds-Nr.", "name": "Name", "first": "Vorname", "email": "E-Mail",
        "since": "Eintritt",
    }  # fmt: skip
    assert table.columns["name"] == (2,), "the first of two columns of the same name"
    rows = [row for row in table.rows() if not row.is_total]
    assert [(row.line, row.text("number"), row.text("first")) for row in rows] == [
        (5, "17", "Zoë"), (7, "18", "Ed"),
    ]  # fmt: skip
    assert [str(row.day("since"))[:10] for row in rows] == ["2019-04-03", "2020-01-02"]
    assert not any(row.problems for row in rows)


def test_columns_are_said_by_heading_letter_or_number() -> None:
    data = b"wer;was;Name\nZo\xc3\xab;x;Gr\xc3\xbcn\n"
    for settings in (
        {"mapping": {"WER": "first", "C": "surname"}},
        {"columns": {1: "first", 3: "surname"}},
    ):
        assert read(opened(data, **settings)) == [{"first": "Zoë", "surname": "Grün"}]
    assert "name" not in opened(data, mapping={"Name": ""}).columns
    for mapping, words in (
        ({"Schuhe": "name"}, "No column is called"),
        ({"wer": "shoes"}, "no field 'shoes'"),
        ({"wer": "name", "was": "name"}, "Two columns say the same"),
    ):
        with pytest.raises(RefusedError, match=words):
            opened(data, mapping=mapping)


def test_a_table_without_headings_is_mapped_by_letters() -> None:
    table = opened(b"Ann;a@club.example\nBob;\n", header_row=0, mapping={"A": "name"})
    assert [row["name"] for row in read(table)] == ["Ann", "Bob"]


def test_a_heading_may_be_merged_but_not_missing() -> None:
    assert opened(xlsx(ROWS, "E4:F4")).columns["since"] == (5,)
    with pytest.raises(RefusedError, match="Row 2 is empty"):
        opened(xlsx(ROWS, "A1:F1"), header_row=2)
    with pytest.raises(RefusedError, match="no table in the file"):
        opened(b";;\n;;\n")


def test_a_merged_cell_among_the_rows_is_told_at_its_row() -> None:
    rows = list(opened(xlsx(ROWS, "C5:C6")).rows())
    assert [[one.sentence[:16] for one in row.problems] for row in rows] == [
        ["Row 5, column C:"], [], [],
    ]  # fmt: skip


def test_the_column_decides_what_is_ambiguous_in_it() -> None:
    data = b"Name;Seit\nAnn;03/04/2025\nBob;11/21/2025\n"
    table = opened(data)
    assert (table.dates, table.questions) == (DateOrder.MONTH_FIRST, set())
    assert [row.day("since") for row in table.rows()] == [date(2025, 3, 4), date(2025, 11, 21)]
    open_question = opened(b"Name;Seit\nAnn;03/04/2025\n")
    (row,) = open_question.rows()
    assert row.day("since") is None
    assert "two ways" in row.problems[0].words
    assert open_question.questions == {"dates"}


def test_numbers_of_a_spreadsheet_need_no_guessing() -> None:
    rows = (("Name", "Punkte"), ("Ann", 1.234), ("Bob", "1.234,5"))
    table = opened(xlsx(rows, "D1:E1"), OPENING_FIELDS)
    found = [row.number("opening") for row in table.rows()]
    assert found == [Fraction(617, 500), Fraction(2469, 2)]
    assert not table.questions


_MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
DAYS = st.dates(date(1900, 1, 1), date(2099, 12, 31))


@given(DAYS)
def test_a_day_is_read_in_every_usual_form(day: date) -> None:
    month = _MONTHS.split()[day.month - 1]
    for text in (
        day.isoformat(),
        f"{day:%d.%m.%Y}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day}. {month} {day.year}",
        f"{day.day}. {month[:3]}. {day.year}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day:%b} {day.day}, {day.year}",
        f"{day:%a}, {day.day} {day:%b} {day.year}",
        f"{day:%A}, {day:%B} {day.day}, {day.year}",
    ):
        assert parse_day(text) == day, text
    for text, order in (
        (f"{day:%d/%m/%Y}", DateOrder.DAY_FIRST),
        (f"{day:%m/%d/%Y}", DateOrder.MONTH_FIRST),
        (f"{day:%d-%m-%Y}", DateOrder.DAY_FIRST),
    ):
        assert parse_day(text, order) == day


@given(st.lists(DAYS, min_size=1))
def test_a_column_of_days_is_never_read_the_wrong_way_round(days: list[date]) -> None:
    texts = [f"{day:%m/%d/%Y}" for day in days]
    order = find_date_order(texts)
    assert order in (DateOrder.MONTH_FIRST, None)
    if any(day.day > 12 for day in days):
        assert order is DateOrder.MONTH_FIRST
        assert [parse_day(text, order) for text in texts] == days
    elif any(day.day != day.month for day in days):
        with pytest.raises(AmbiguousDateError):
            [parse_day(text, order) for text in texts]


@given(st.text(max_size=30))
def test_anything_else_is_no_day_in_words(text: str) -> None:
    try:
        assert isinstance(parse_day(text, DateOrder.DAY_FIRST), date)
    except ValueError as error:
        assert "is no date" in str(error)  # noqa: PT017
