"""Files of hostile names, opened by other programs' readers."""

import csv
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from html.parser import HTMLParser
from io import BytesIO, StringIO
from operator import itemgetter
from zipfile import ZipFile

import pypdfium2
import pytest
from defusedxml.ElementTree import fromstring
from odfdo import Document
from openpyxl import load_workbook

from tests.tournaments.printing.paper import pages
from tests.tournaments.tables.hostile import COLUMNS, NAMES, rows, workbook
from tournaments.tables.cells import guard_formula, readable
from tournaments.tables.csv_writer import write_csv
from tournaments.tables.formats import FORMATS, Format
from tournaments.tables.html_writer import STYLE, STYLE_SOURCE
from tournaments.tables.model import (
    Column,
    ColumnKind,
    Detail,
    Properties,
    RankCell,
    Row,
    Table,
    Workbook,
)


def made(name: str, book: Workbook | None = None) -> bytes:
    return b"".join(FORMATS[name].write(book or workbook()))


def test_there_are_sixty_hostile_names_and_more() -> None:
    assert len(set(NAMES)) >= 60


def test_no_cell_of_a_csv_begins_like_a_formula() -> None:
    text = made("csv").decode("utf-8-sig")
    lines = list(csv.reader(StringIO(text, newline=""), strict=True))
    assert [line[1] for line in lines[1:]] == [readable(guard_formula(name)) for name in NAMES]
    blanks = " \u3000\u00a0\u200b\ufeff\u2028"
    starts = {line[1].lstrip(blanks)[:1] for line in lines[1:]}
    assert not starts & set("=+-@\t\r\0\uff1d\uff0b\uff0d\uff20")
    assert [line[3] for line in lines[1:4]] == ["0.00", "-1.25", "-2.50"]


def test_a_csv_begins_with_its_mark_only_if_asked() -> None:
    assert made("csv").startswith(b"\xef\xbb\xbfRank,Name,")
    assert b"".join(write_csv(workbook(), bom=False)).startswith(b"Rank,Name,")


def test_every_text_of_an_xlsx_is_a_text_and_every_number_a_number() -> None:
    sheet = load_workbook(BytesIO(made("xlsx"))).worksheets[0]
    assert sheet.freeze_panes == "A2"
    for line, row in enumerate(rows(), 2):
        name, points, money = (sheet.cell(line, place) for place in (2, 3, 4))
        if row[1]:
            # openpyxl leaves the escapes of Excel as they are; our own reader is tried with them.
            assert name.data_type == "s"
            assert "_x" in str(name.value) or name.value == readable(str(row[1]))
        assert points.data_type == money.data_type == "n"
        assert points.value == pytest.approx(float(Fraction(str(row[2]))))
        assert money.value == pytest.approx(int(str(row[3])) / 100)
        assert money.number_format == "#,##0.00"
        assert sheet.cell(line, 1).value == row[0][0]  # type: ignore[index]


def test_no_part_of_an_xlsx_holds_a_formula() -> None:
    with ZipFile(BytesIO(made("xlsx"))) as archive:
        for name in archive.namelist():
            tree = fromstring(archive.read(name))
            assert not any(part.tag.endswith("}f") for part in tree.iter())


def test_every_text_of_an_ods_is_a_text_and_every_number_a_number() -> None:
    (sheet,) = Document(BytesIO(made("ods"))).body.tables
    for line, row in zip(sheet.rows[1:], rows(), strict=True):
        _, name, points, money = line.cells[:4]
        assert name.type == "string"
        assert name.formula is None
        assert name.value == readable(str(row[1]))
        assert points.type == money.type == "float"
        assert float(str(points.value)) == pytest.approx(float(Fraction(str(row[2]))))
        assert float(str(money.value)) == pytest.approx(int(str(row[3])) / 100)
    with ZipFile(BytesIO(made("ods"))) as archive:
        assert archive.namelist()[0] == "mimetype"
        assert b":formula=" not in archive.read("content.xml")


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_a_web_page_runs_nothing_and_allows_its_own_style_alone() -> None:
    text = made("html").decode()
    tags = _Tags()
    tags.feed(text)
    assert tags.tags <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "table", "thead",
        "tbody", "tr", "th", "td", "bdi",
    }  # fmt: skip
    assert tags.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class", "scope"}
    assert f"<style>{STYLE}</style>" in text
    assert f"default-src 'none'; style-src {STYLE_SOURCE}" in text


def test_json_has_numbers_as_pages_show_them() -> None:
    sheet = json.loads(made("json"))["tables"][0]
    for row, line in zip(rows(), sheet["rows"], strict=True):
        assert line["points"] == pytest.approx(float(Fraction(str(row[2]))), abs=0.005)
        assert line["balance"] == row[3]
        assert line["name"] == readable(str(row[1]))
        assert isinstance(row[0], RankCell)
        assert line["rank"] == row[0].place


def test_a_pdf_shows_every_row_under_its_heading() -> None:
    names = [f"Player {number:03}" for number in range(150)]
    with pypdfium2.PdfDocument(made("pdf", workbook(names))) as paper:
        pages = [page.get_textpage().get_text_range() for page in paper]
    assert len(pages) > 2
    assert all("Balance (EUR)" in page for page in pages)
    assert all(f"Page {number} of {len(pages)}" in page for number, page in enumerate(pages, 1))
    found = re.findall(r"Player \d{3}", "\n".join(pages))
    assert found == names


def test_a_pdf_has_letters_for_names_of_the_whole_world() -> None:
    with pypdfium2.PdfDocument(made("pdf")) as paper:
        text = "\n".join(page.get_textpage().get_text_range() for page in paper)
    for name in ("王小明 김민수 さくら", "Nguyễn Thị Ánh-Łukaszewicz", "สมชาย"):
        assert name in text


def test_a_pdf_of_too_many_columns_spreads_them_and_repeats_the_first() -> None:
    columns = tuple(
        Column(key=str(place), title=f"Evening {place}", value=itemgetter(place))
        for place in range(60)
    )
    row: Row = tuple(f"value {place}" for place in range(60))
    book = Workbook((Table("Wide", columns, [row]),))
    with pypdfium2.PdfDocument(made("pdf", book)) as paper:
        pages = [page.get_textpage().get_text_range() for page in paper]
    assert len(pages) > 1
    assert all("value 0" in page for page in pages)
    assert all(f"value {place}" in "\n".join(pages) for place in range(60))


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.extension)
def test_equal_content_is_equal_bytes(form: Format) -> None:
    assert b"".join(form.write(workbook())) == b"".join(form.write(workbook()))


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.extension)
def test_a_sheet_without_rows_is_a_heading(form: Format) -> None:
    book = Workbook((Table("Nobody came", COLUMNS, []),))
    assert b"".join(form.write(book))


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.extension)
def test_hostile_titles_do_no_harm(form: Format) -> None:
    sheets = tuple(Table(name, COLUMNS, rows(["Ann"])) for name in [*NAMES[:50], "History", "a"])
    data = b"".join(form.write(Workbook(sheets)))
    if form.extension == "xlsx":
        assert len(load_workbook(BytesIO(data)).worksheets) == len(sheets)


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.extension)
def test_numbers_beyond_what_a_spreadsheet_holds_are_written_all_the_same(form: Format) -> None:
    far = (None, None, Fraction(10**400, 3), 10**18 + 1, -(10**30))
    table = Table("Far", COLUMNS[2:5], [far, (None,) * 5])
    assert b"".join(form.write(Workbook((table,))))


class _LostError(Exception):
    pass


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.extension)
def test_a_writer_that_fails_half_way_closes_what_it_reads(
    form: Format, monkeypatch: pytest.MonkeyPatch, tmp_path: "object"
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    closed = []

    def records() -> Iterator[Row]:
        try:
            yield from rows(["Ann"] * 50)
            raise _LostError
        finally:
            closed.append(True)

    with pytest.raises(_LostError):
        b"".join(form.write(Workbook((Table("Half", COLUMNS, records()),))))
    assert closed == [True]
    assert not list(tmp_path.iterdir())  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.extension)
def test_a_writer_that_is_given_up_closes_what_it_reads(
    form: Format, monkeypatch: pytest.MonkeyPatch, tmp_path: "object"
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    closed = []

    def records() -> Iterator[Row]:
        try:
            yield from rows([f"Player {number} {number * 7919}" for number in range(600)])
        finally:
            closed.append(True)

    pieces = form.write(Workbook((Table("Given up", COLUMNS, records()),)))
    while not closed and len(next(pieces)) < 4000:
        pass
    pieces.close()  # type: ignore[attr-defined]
    assert closed == [True]
    assert not list(tmp_path.iterdir())  # type: ignore[attr-defined]


def test_texts_flow_while_their_rows_come() -> None:
    asked = 0

    def endless() -> Iterator[Row]:
        nonlocal asked
        while True:
            asked += 1
            yield (RankCell(1), "Ann", Fraction(1), 1, 1, None, None, None)

    for name in ("csv", "html", "json"):
        asked = 0
        pieces = FORMATS[name].write(Workbook((Table("Endless", COLUMNS, endless()),)))
        while asked < 2000:
            next(pieces)
        assert asked < 10_000
        pieces.close()  # type: ignore[attr-defined]


def test_a_sheet_needs_columns_with_keys_of_their_own() -> None:
    with pytest.raises(ValueError, match="columns"):
        Table("Odd", (), [])
    with pytest.raises(ValueError, match="key"):
        Table(
            "Odd",
            (Column(key="x", title="a", value=str), Column(key="x", title="b", value=str)),
            [],
        )


def test_a_long_table_goes_on_in_the_next_worksheet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.tables.xlsx_writer.ROWS_MAX", 4)
    monkeypatch.setattr("tournaments.tables.ods_writer.ROWS_MAX", 4)
    columns = (Column(key="n", title="N", kind=ColumnKind.INTEGER, value=itemgetter(0)),)
    book = Workbook((Table("Long", columns, [(number,) for number in range(7)]),))
    read = load_workbook(BytesIO(made("xlsx", book)))
    assert read.sheetnames == ["Long", "Long (2)", "Long (3)"]
    values = [[cell.value for (cell,) in sheet.iter_rows(min_row=2)] for sheet in read.worksheets]
    assert values == [[0, 1, 2], [3, 4, 5], [6]]
    sheets = Document(BytesIO(made("ods", book))).body.tables
    assert [sheet.name for sheet in sheets] == read.sheetnames
    assert [[value for (value,) in sheet.get_values()[1:]] for sheet in sheets] == values


def test_a_printed_table_has_its_state_and_its_moment_on_every_page() -> None:
    names = [(f"Player {place:03}",) for place in range(200)]
    made_at = datetime(2025, 11, 21, 19, 30, tzinfo=UTC)
    properties = Properties(
        title="Cup",
        status="Provisional",
        digest="Head 3f9c",
        made_at=made_at,
        details=(Detail("note", "Note", "Open."),),
    )
    book = Workbook(
        (Table("Results", (Column(key="name", title="Name", value=itemgetter(0)),), names),),
        properties,
    )
    found = pages(made("pdf", book))
    assert len(found) > 1
    for page in found:
        assert "Provisional" in page.text
        assert "Head 3f9c" in page.text
        assert "2025-11-21 19:30 UTC" in page.text
    assert "Open." in found[0].text
