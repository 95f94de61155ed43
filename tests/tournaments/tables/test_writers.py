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
    DroppedCell,
    Properties,
    RankCell,
    Row,
    Table,
    TableLocale,
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
    book = load_workbook(BytesIO(made("xlsx")))
    sheet = book.worksheets[0]
    ((title, cells),) = book.defined_names["table"].destinations
    assert title == sheet.title
    headings, *named = [[cell.value for cell in row] for row in sheet[cells]]
    assert headings == [column.heading for column in COLUMNS]
    assert len(named) == len(rows())
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


EVENTS: tuple[Column[Row], ...] = (
    Column(key="event", title="Event", value=itemgetter(0), is_heading=True),
    Column(
        key="round",
        title="Round",
        kind=ColumnKind.INTEGER,
        value=itemgetter(1),
        is_heading=True,
    ),
    Column(key="name", title="Name", value=itemgetter(2)),
    Column(key="score", title="Score", kind=ColumnKind.INTEGER, value=itemgetter(3)),
)


def results_of(rows_of_round: int) -> Workbook:
    found: list[Row] = [
        ("Summer cup", round_, f"Player {number:02}", number)
        for round_ in range(1, 21)
        for number in range(rows_of_round)
    ]
    return Workbook((Table("Results", EVENTS, found),))


def test_a_printed_table_names_an_event_once_above_its_rows_and_again_on_the_next_page() -> None:
    found = pages(made("pdf", results_of(10)))
    text = "\n".join(page.text for page in found)
    assert 20 <= text.count("Summer cup \N{MIDDLE DOT} Round") < 20 + len(found)
    assert all(page.text.count("Summer cup") >= 1 for page in found)
    assert text.count("Player 07") == 20
    assert "Event" not in text
    assert made("html", results_of(10)).decode().count("Summer cup \N{MIDDLE DOT} Round 7<") == 1


def test_an_event_stays_in_its_column_where_hardly_a_row_shares_it() -> None:
    assert all("Event" in page.text for page in pages(made("pdf", results_of(2))))
    assert b"rowgroup" not in made("html", results_of(2))


@pytest.mark.parametrize("text", ["yes", "a note of some words", "a much longer note " * 3])
def test_a_printed_page_has_25_rows_or_more_where_the_text_allows(text: str) -> None:
    columns = tuple(
        Column(key=str(place), title=f"Column {place}", value=itemgetter(place))
        for place in range(6)
    )
    rows: list[Row] = [("Anna Jansen", text, *["12.50"] * 4)] * 500
    assert len(pages(made("pdf", Workbook((Table("Money", columns, rows),))))) <= 500 / 25 + 1


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
        digest="3f9c",
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
        assert "3F9C" in page.text
        assert "2025-11-21 19:30 UTC" in page.text
    assert "Open." in found[0].text


ABOUT = Properties(
    title="Tuesday & Co.",
    subject="Standings",
    author="Leiden Hearts",
    status="Official",
    made_at=datetime(2026, 11, 25, 8, 30, tzinfo=UTC),
    details=(Detail("date", "Date", "24 November 2026"), Detail("rules", "House rules", "Ours")),
    address="https://club.example/e/7/",
    digest="ab12",
    locale=TableLocale(code="de", decimal_sign=",", say=lambda text: f"<{text}>"),
)
SCORES: tuple[Column[Row], ...] = (
    Column(key="name", title="Name", value=itemgetter(0)),
    Column(key="score", title="Score", kind=ColumnKind.DECIMAL, value=itemgetter(1)),
    Column(key="guest", title="Guest", kind=ColumnKind.BOOLEAN, value=itemgetter(2)),
)
HEAD = [
    "Tuesday & Co.: Standings",
    "Leiden Hearts \u00b7 Official",
    "Date: 24 November 2026 \u00b7 House rules: Ours",
]


def scores() -> Workbook:
    found: list[Row] = [("Ann", Fraction(3, 2), True), ("Bob", DroppedCell(Fraction(-5, 4)), False)]
    return Workbook((Table("Scores", SCORES, found),), ABOUT)


def test_an_xlsx_says_what_it_is_and_can_be_filtered_and_sorted() -> None:
    data = made("xlsx", scores())
    book = load_workbook(BytesIO(data))
    (sheet,) = book.worksheets
    assert [sheet.cell(line, 1).value for line in (1, 2, 3)] == HEAD
    assert [cell.value for cell in sheet[5]] == ["Name", "Score", "Guest"]
    assert sheet.auto_filter.ref == "A5:C7"
    assert sheet.freeze_panes == "A6"
    assert sheet.print_title_rows == "$5:$5"
    assert sheet["B7"].font.strike
    assert not sheet["B6"].font.strike
    assert (sheet["B7"].value, sheet["C7"].value) == (-1.25, "<no>")
    about = book.properties
    assert (about.title, about.subject, about.creator) == (HEAD[0], "Standings", "Leiden Hearts")
    assert about.created == datetime(2026, 11, 25, 8, 30)
    with ZipFile(BytesIO(data)) as archive:
        printed = archive.read("xl/worksheets/sheet1.xml").decode()
        custom = archive.read("docProps/custom.xml").decode()
    assert "&amp;LTuesday &amp;&amp; Co.: Standings&amp;ROfficial" in printed
    assert "&lt;Page &amp;P of &amp;N&gt;" in printed
    for name, text in (("House rules", "Ours"), ("URL", ABOUT.address), ("Digest", ABOUT.digest)):
        assert f'name="{name}"><vt:lpwstr>{text}<' in custom


def test_an_ods_says_what_it_is_and_can_be_filtered_and_sorted() -> None:
    data = made("ods", scores())
    document = Document(BytesIO(data))
    (sheet,) = document.body.tables
    assert [row.cells[0].value for row in sheet.rows[:3]] == HEAD
    assert [cell.value for cell in sheet.rows[4].cells] == ["Name", "Score", "Guest"]
    assert document.meta.title == HEAD[0]
    assert document.meta.subject == "Standings"
    assert document.meta.creator == "Leiden Hearts"
    assert document.meta.user_defined_metadata["Digest"] == ABOUT.digest
    with ZipFile(BytesIO(data)) as archive:
        content = archive.read("content.xml").decode()
        settings, styles = (
            archive.read("settings.xml").decode(),
            archive.read("styles.xml").decode(),
        )
    assert "table:target-range-address=\"'Scores'.A5:'Scores'.C7\"" in content
    assert 'config:name="Scores"' in settings
    assert 'config:name="VerticalSplitPosition" config:type="int">5<' in settings
    assert "Tuesday &amp; Co.: Standings" in styles


def test_pages_for_people_have_the_decimal_sign_of_their_language_and_files_for_programs_none() -> (
    None
):
    assert '<td class="n">1,50</td>' in made("html", scores()).decode()
    with pypdfium2.PdfDocument(made("pdf", scores())) as paper:
        text = paper[0].get_textpage().get_text_range()
        assert paper.get_metadata_value("Author") == "Leiden Hearts"
        assert "Standings" in paper.get_metadata_value("Keywords")
    assert "1,50" in text
    assert made("csv", scores()).decode("utf-8-sig").splitlines()[1:] == [
        "Ann,1.50,<yes>",
        "Bob,-1.25,<no>",
    ]
    assert made("csv-semicolon", scores()).decode("utf-8-sig").splitlines()[1:] == [
        "Ann;1,50;<yes>",
        "Bob;-1,25;<no>",
    ]
    found = json.loads(made("json", scores()))
    assert [row["score"] for row in found["tables"][0]["rows"]] == [1.5, -1.25]
    assert (found["title"], found["what"], found["club"], found["status"], found["rules"]) == (
        "Tuesday & Co.",
        "Standings",
        "Leiden Hearts",
        "Official",
        "Ours",
    )


def test_a_text_with_a_semicolon_stays_one_cell_in_both_kinds_of_csv() -> None:
    evil = [("a;=1+1,=2+2", Fraction(1), None)]
    book = Workbook((Table("Evil", SCORES, evil),))
    for kind, delimiter in (("csv", ","), ("csv-semicolon", ";")):
        text = made(kind, book).decode("utf-8-sig")
        assert '"a;=1+1,=2+2"' in text
        assert list(csv.reader(StringIO(text), delimiter=delimiter))[1][0] == "a;=1+1,=2+2"


def test_a_column_without_a_cell_is_left_out_of_a_table_that_is_not_long() -> None:
    rows: list[Row] = [("Ann", None, None), ("", None, False)]
    table = Table("Scores", SCORES, rows)
    assert [one.key for one in table.drop_empty_columns().columns] == ["name", "guest"]
    streamed = Table("Scores", SCORES, iter(rows)).drop_empty_columns()
    assert [one.key for one in streamed.columns] == ["name", "guest"]
    assert list(streamed.records) == rows
    assert Table("Scores", SCORES, []).drop_empty_columns().columns == SCORES
    assert len(Table("Scores", SCORES, [(None,) * 3]).drop_empty_columns().columns) == 1


def test_a_long_table_keeps_its_empty_columns_and_goes_out_while_it_comes() -> None:
    asked, closed = [], []

    def endless() -> Iterator[Row]:
        try:
            while True:
                asked.append(1)
                yield ("Ann", None, None)
        finally:
            closed.append(True)

    table = Table("Endless", SCORES, endless()).drop_empty_columns(10)
    assert table.columns == SCORES
    assert len(asked) == 11
    with table.open_rows() as rows:
        assert [next(rows)[0] for _ in range(20)] == ["Ann"] * 20
    assert closed == [True]


def test_the_code_at_the_foot_leads_to_the_live_page_and_names_the_state() -> None:
    for page in pages(made("pdf", scores()), scanned=True):
        assert page.codes == ("https://club.example/e/7/#ab12",)
