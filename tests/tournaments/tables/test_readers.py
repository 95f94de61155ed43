"""Tables that people bring: odd files get one clear sentence, odd rows theirs."""

import codecs
import csv
import gzip
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Final
from zipfile import ZIP_LZMA, ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.tables.books import of_rows, saved, xlsx, zipped
from tests.tournaments.tables.hostile import NAMES, workbook
from tournaments.tables.cells import readable
from tournaments.tables.formats import FORMATS
from tournaments.tables.input_model import (
    CellRemark,
    ReadLimits,
    TableError,
    TableFile,
    cell_text,
)
from tournaments.tables.table_reader import open_table

_HEAD = "Name,Club\n"


WHOLE = b"".join(FORMATS["xlsx"].write(workbook(["Ann", "Bob"])))


@dataclass(frozen=True)
class ReadTable:
    """A whole table: texts of sound rows under the first, all faults, and remarks on the file."""

    file: TableFile
    headers: tuple[str, ...]
    rows: list[tuple[str, ...]]
    lines: list[int]
    faults: list[CellRemark]

    @property
    def remarks(self) -> list[str]:
        return [remark.sentence for remark in self.file.remarks]


def read_table(
    data: bytes, name: str = "", limits: ReadLimits | None = None, *, sheet: str | None = None
) -> ReadTable:
    file = open_table(data, name, limits, sheet=sheet)
    rows = list(file.rows)
    if not rows:
        raise TableError("There is no table in the file.")
    head, *body = rows
    sound = [row for row in body if not (row.faults or row.merged)]
    return ReadTable(
        file,
        tuple(map(cell_text, head.cells)),
        [tuple(map(cell_text, row.cells)) for row in sound],
        [row.line for row in sound],
        [fault for row in (head, *body) for fault in (*row.faults, *row.merged)],
    )


def refused(data: bytes, name: str = "x.csv", limits: ReadLimits | None = None) -> str:
    with pytest.raises(TableError) as error:
        read_table(data, name, limits)
    return str(error.value)


def read_or_refused(data: bytes) -> str | tuple[str, ...]:
    """Give the headings, or why there are none."""
    try:
        return read_table(data).headers
    except TableError as error:
        return str(error)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_delimiter_encoding_and_end_of_line_is_understood(
    delimiter: str, encoding: str, end: str
) -> None:
    lines = (f"Name{delimiter}Town", f"Zoë{delimiter}Łódź, Poland", f"Ann{delimiter}Oslo")
    if delimiter == ",":
        lines = (lines[0], 'Zoë,"Łódź, Poland"', lines[2])
    table = read_table(end.join(lines).encode(encoding), "x.csv")
    assert table.headers == ("Name", "Town")
    assert table.rows == [("Zoë", "Łódź, Poland"), ("Ann", "Oslo")]
    assert not table.remarks
    assert not table.faults


def test_letters_of_windows_are_read_with_a_warning() -> None:
    table = read_table("Name;Town\nZoë;Köln\n".encode("cp1252"), "x.csv")
    assert table.rows == [("Zoë", "Köln")]
    assert "Windows-1252" in table.remarks[0]


def test_the_line_that_names_the_delimiter_is_no_row() -> None:
    table = read_table(b"sep=;\r\nName;Town\r\nAnn, B.;Oslo\r\n", "x.csv")
    assert table.headers == ("Name", "Town")
    assert table.rows == [("Ann, B.", "Oslo")]


def test_what_we_write_as_csv_comes_back() -> None:
    table = read_table(b"".join(FORMATS["csv"].write(workbook())), "x.csv")
    # What a NUL hides stays guarded: the sign that is shown for it is no formula any more.
    wanted = ["'\ufffd=1+1" if name == "\0=1+1" else readable(name).strip() for name in NAMES]
    assert [row[1] if len(row) > 1 else "" for row in table.rows] == wanted


@pytest.mark.parametrize("form", ["xlsx", "ods"])
def test_what_we_write_as_a_spreadsheet_comes_back(form: str) -> None:
    table = read_table(b"".join(FORMATS[form].write(workbook())), f"x.{form}")
    names = [row[1] for row in table.rows]
    assert names == [readable(name).strip() for name in NAMES]
    assert table.rows[1][2:] == (
        "-1.33333333333333", "-1.25", "1", "2025-01-02", "2025-11-21 19:30:00", "no",
    )  # fmt: skip


@pytest.mark.parametrize("form", ["xlsx", "ods"])
def test_cells_keep_the_type_that_a_spreadsheet_gives_them(form: str) -> None:
    table = open_table(b"".join(FORMATS[form].write(workbook(["Ann", "Bob"]))))
    row = list(table.rows)[-1].cells
    assert (row[3], row[5]) == (Decimal("-1.25"), date(2025, 1, 2))
    assert row[6] == datetime(2025, 11, 21, 19, 30)


@given(
    st.lists(
        st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=3, max_size=3),
        max_size=20,
    )
)
def test_any_texts_survive_a_csv(rows: list[list[str]]) -> None:
    file = StringIO()
    csv.writer(file).writerows([["A", "B", "C"], *rows])
    table = read_table(file.getvalue().encode(), "x.csv")
    kept = [row for row in rows if any(cell.strip() for cell in row)]
    assert len(table.rows) == len(kept)
    for row, wanted in zip(table.rows, kept, strict=True):
        for cell, text in zip((*row, "", "", ""), wanted, strict=False):
            assert cell in (text.strip(), text.strip()[1:].strip())


@given(st.binary(max_size=2000))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    for start in (b"", b"A,B\n", b"PK\x03\x04", codecs.BOM_UTF16_LE):
        assert read_or_refused(start + data)


@settings(max_examples=examples(100))
@given(st.data())
def test_no_damage_to_an_xlsx_breaks_the_reader(data: st.DataObject) -> None:
    whole = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 5))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    assert read_or_refused(bytes(whole))


FOREIGN: Final = [
    (b"", "empty"),
    (b" \r\n\t\n", "empty"),
    (b"%PDF-1.7 ...", "PDF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), ".xls"),
    (gzip.compress(b"Name\nAnn\n"), "Unpack"),
    (b"Rar!\x1a\x07\x01\x00", "Unpack"),
    (b"\x89PNG\r\n\x1a\n", "picture"),
    (b"<!DOCTYPE html><table>", "web page"),
    (b'\xef\xbb\xbf<?xml version="1.0"?><Workbook>', "XML"),
    (zipped({"members.csv": "Name\nAnn"}), "Unpack it"),
    (zipped({"word/document.xml": "<w/>"}), "Word"),
    (zipped({"xl/workbook.bin": "x"}), ".xlsb"),
    (zipped({"Index/Document.iwa": "x"}), "Numbers"),
    (zipped({"mimetype": "application/vnd.oasis.opendocument.text"}), "not a spreadsheet"),
    (zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}), "no worksheet"),
    (b"PK\x03\x04 and nothing more", "damaged"),
    (b"Name,Club\nAnn,\0", "Line 2 has a NUL"),
    ("Name\nAnn".encode("utf-32"), "UTF-32"),
    (b"\xef\xbb\xbfName\n\xff", "UTF-8, but byte"),
    (b"Name\n\x81\x8d\x01", "neither UTF-8 nor"),
    (b'Name,Club\nAnn,"Hearts\nBob,x\n', "opened in row 2 (line 2) is never closed"),
]
"""Files that are no table of ours, each with a word of the sentence about it."""


@pytest.mark.parametrize(("data", "words"), FOREIGN, ids=[words for _, words in FOREIGN])
def test_a_file_that_is_no_table_gets_a_sentence(data: bytes, words: str) -> None:
    assert words in refused(data)


def test_a_file_is_read_for_what_it_is_whatever_it_is_called() -> None:
    data = saved(of_rows(("Name",), ("Ann",)))
    assert read_table(data, "members.csv").rows == [("Ann",)]
    assert "does not say" in read_table(data, "members.csv").remarks[0]
    assert "does not say" in read_table(b"Name\nAnn\n", "members.xlsx").remarks[0]


def test_odd_rows_are_named_by_row_and_column() -> None:
    text = f"{_HEAD}Ann,x\nBob\nCee,x,y\nDee,x,\n\nE\x02e,x\n{'F' * 11},x\n"
    table = read_table(text.encode(), "x.csv", ReadLimits(cell=10))
    assert table.rows == [("Ann", "x"), ("Bob",), ("Cee", "x", "y"), ("Dee", "x")]
    assert table.lines == [2, 3, 4, 5]
    assert [fault.sentence for fault in table.faults] == [
        "Row 7, column A: the cell has a character that nobody can see.",
        "Row 8, column A: the cell has more than 10 characters.",
    ]


def test_a_quote_that_is_closed_too_early_is_named() -> None:
    table = read_table(f'{_HEAD}"Ann" B,x\nBob,"y" \n'.encode(), "x.csv")
    assert [fault.row for fault in table.faults] == [2]
    assert len(table.rows) == 1


def test_a_broken_row_costs_no_other_row() -> None:
    text = f'{_HEAD}"a\nb"c\n"d",e\nAnn,x\n"{"F" * 200_000}",y\n'
    table = read_table(text.encode(), "x.csv")
    assert [(fault.row, fault.words) for fault in table.faults] == [
        (2, "a quote is closed in the middle of the cell."),
        (5, "the cell has more than 10,000 characters."),
    ]
    assert table.rows == [("d", "e"), ("Ann", "x")]


def test_limits_of_size_rows_columns_and_faults() -> None:
    assert "at most 1 MiB" in refused(b"A\n" * (1 << 20), limits=ReadLimits(size=1 << 20))
    assert "more than 10 rows" in refused(b"A\n" + b"x\n" * 11, limits=ReadLimits(rows=10))
    assert len(read_table(b"A\n" + b"x\n" * 10, "", ReadLimits(rows=10)).rows) == 10
    assert "more than 3 columns" in refused(b"A,B,C,D\n", limits=ReadLimits(columns=3))
    assert read_table(b"A,B,C,,,\n1,2,3,,,\n", "", ReadLimits(columns=3)).rows == [("1", "2", "3")]


def test_limits_of_cells_lines_and_headings() -> None:
    few = ReadLimits(cells=10, lines=50, cell=5)
    assert "more than 10 cells" in refused(b"A,B,C\n" + b"1,2,3\n" * 3, limits=few)
    rows = [("A", "B", "C"), *[("1", "2", "3")] * 3]
    assert "more than 10 cells" in refused(saved(of_rows(*rows)), limits=few)
    shared = xlsx('<row><c t="s"><v>0</v></c></row>', shared="<si><t>x</t></si>" * 11)
    assert "more than 10 cells" in refused(shared, limits=few)
    empty = xlsx('<row r="1"><c r="A1"><v>1</v></c></row>' + '<row r="2"/>' * 6000)
    assert "most of them empty" in refused(empty, limits=few)
    assert "more than 50 rows" in refused(b"A\n" + b",\n" * 50, limits=few)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ('"a ""b"" c"', 'a "b" c'),
        ('""""', '"'),
        ('""', ""),
        ('"two\nlines"', "two\nlines"),
        ('"a;b,c\td"', "a;b,c\td"),
    ],
)
def test_quotes_inside_quotes(text: str, cell: str) -> None:
    assert read_table(f"Name,Club\n{text},x\n".encode()).rows == [(cell, "x")]


@pytest.mark.parametrize("text", ['"', '"""', '"a""', '"' * 101, '"a\nb,c\n'])
def test_a_quote_that_is_never_closed_is_told_with_its_line(text: str) -> None:
    words = refused(f"Name,Club\nAnn,x\nBob,{text}".encode())
    assert words == "The quote that is opened in row 3 (line 3) is never closed."


def test_numbers_dates_and_flags_of_a_spreadsheet_are_read_as_people_saw_them() -> None:
    seen = datetime(2025, 1, 2, 19, 30)
    row = (0.1 + 0.2, 12, 1e21, 1.5, True, date(2025, 2, 28), seen, time(7, 5))
    heads = tuple("abcdefgh")
    table = read_table(saved(of_rows(heads, row)), "x.xlsx")
    assert table.rows == [
        ("0.3", "12", "1000000000000000000000", "1.5", "yes", "2025-02-28",
         "2025-01-02 19:30:00", "07:05"),
    ]  # fmt: skip


def test_dates_that_count_from_1904_are_told_apart() -> None:
    book = of_rows(("Joined",), (date(2025, 2, 28),))
    book.epoch = datetime(1904, 1, 1)
    assert read_table(saved(book), "x.xlsx").rows == [("2025-02-28",)]


def test_merged_cells_are_named_and_their_rows_left_out() -> None:
    book = of_rows(("Name", "Club"), ("Ann", "x"), ("Bob", "y"), ("Cee", "z"))
    assert book.active is not None
    book.active.merge_cells("B2:B3")
    table = read_table(saved(book), "x.xlsx")
    assert table.rows == [("Cee", "z")]
    assert table.faults[0].sentence.startswith("Row 2, column B: the cells B2:B3 are merged.")
    book.active.merge_cells("A4:B4")
    assert [fault.row for fault in read_table(saved(book)).faults] == [2, 3], "across is no doubt"


def test_a_formula_without_a_result_is_named_and_one_with_a_result_read() -> None:
    table = read_table(saved(of_rows(("Name", "Chips"), ("Ann", "=1+1"), ("Bob", 2))), "x.xlsx")
    assert table.rows == [("Bob", "2")]
    assert table.faults[0].sentence.startswith("Row 2, column B: this formula has no result")
    heading = '<row r="1"><c r="A1" t="inlineStr"><is><t>Chips</t></is></c></row>'
    kept = read_table(xlsx(f'{heading}<row r="2"><c r="A2"><f>1+1</f><v>2</v></c></row>'))
    assert kept.rows == [("2",)]
    assert "One cell holds a formula" in kept.remarks[0]


def test_worksheets_are_chosen_by_name_or_the_first_that_is_shown() -> None:
    book = of_rows(("Hidden",), ("x",))
    assert book.active is not None
    book.active.sheet_state = "hidden"
    for name in ("Members", "Other"):
        book.create_sheet(name).append(("Name",))
        book[name].append((f"Ann of {name}",))
    book["Other"].row_dimensions[2].hidden = True
    table = read_table(saved(book), "x.xlsx")
    assert table.rows == [("Ann of Members",)]
    assert (table.file.sheets, table.file.sheet) == (("Members", "Other"), "Members")
    other = read_table(saved(book), "x.xlsx", sheet="Other")
    assert other.rows == [("Ann of Other",)]
    assert "Hidden rows were read too: 2." in other.remarks
    with pytest.raises(TableError, match="no worksheet 'None'"):
        read_table(saved(book), "x.xlsx", sheet="None")


def test_huge_dimensions_that_a_file_declares_cost_nothing() -> None:
    far = '<row r="1048576"><c r="A1048576"><v>2</v></c></row>'
    rows = f'<row r="1"><c r="A1"><v>1</v></c></row>{far}'
    merged = '<mergeCells><mergeCell ref="A2:XFD1048575"/></mergeCells>'
    table = read_table(xlsx(rows, after=f'<dimension ref="A1:XFD1048576"/>{merged}'))
    assert (table.lines, table.rows) == ([1_048_576], [("2",)])


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ('<row r="1"><c r="XFD1"><v>1</v></c></row>', "more than 200 columns"),
        ('<row r="1"><c r="1A1"><v>1</v></c></row>', "which is no place"),
        ('<row r="x"><c r="A1"><v>1</v></c></row>', "which is no number"),
        ('<row r="2"><c r="A2"><v>1</v></c></row>' * 2, "there twice"),
        ("<a>" * 100 + "</a>" * 100, "damaged"),
        ('<row r="1"><c r="A1"><v>1</v></c>', "damaged"),
    ],
)
def test_nonsense_in_a_worksheet_gets_a_sentence(rows: str, words: str) -> None:
    assert words in refused(xlsx(rows))


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ('<c r="A2" t="e"><v>#REF!</v></c>', "shows an error (#REF!)"),
        ('<c r="A2" t="s"><v>7</v></c>', "missing"),
        ('<c r="A2" t="s"><v>-1</v></c>', "cannot be read"),
        ('<c r="A2"><v>1E400</v></c>', "no number"),
        ('<c r="A2"><v>twelve</v></c>', "no number"),
    ],
)
def test_a_cell_that_cannot_be_read_is_named(cell: str, words: str) -> None:
    shared = "<si><t>Name</t></si><si><r><t>Cl</t></r><r><t>ub</t></r><rPh><t>no</t></rPh></si>"
    head = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
    table = read_table(xlsx(f'{head}<row r="2">{cell}<c r="B2"><v>1</v></c></row>', shared=shared))
    assert table.headers == ("Name", "Club")
    assert not table.rows
    assert words in table.faults[0].sentence
    assert table.faults[0].row == 2


_BOMBS = {
    "laughs": '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
    "quadratic": f'<!DOCTYPE x [<!ENTITY a "{"ha" * 10_000}">]>',
    "file": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    "net": '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
}


@pytest.mark.parametrize("bomb", _BOMBS.values(), ids=_BOMBS)
def test_xml_that_declares_things_is_refused(bomb: str) -> None:
    row = '<row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c></row>'
    assert "declares things" in refused(xlsx(row, before=bomb))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    parts: dict[str, bytes | str] = {"xl/workbook.xml": "<workbook/>"}
    bombs = {
        "at most 30 MiB": {**parts, "xl/big.xml": bytes(31 << 20)},
        "too tightly": {**parts, "xl/big.xml": bytes(20 << 20)},
        "packs 1101 files": {**parts, **{f"xl/{number}.xml": "" for number in range(1100)}},
    }
    files = {words: zipped(bomb) for words, bomb in bombs.items()}
    monkeypatch.setattr(ZipFile, "open", lambda *_: pytest.fail("It was unpacked."))
    for words, data in files.items():
        assert words in refused(data, limits=ReadLimits(unpacked=30 << 20))


def test_parts_that_lie_about_their_size_or_are_packed_oddly_are_damaged() -> None:
    whole = xlsx('<row r="1"><c r="A1"><v>1</v></c></row>')
    with ZipFile(BytesIO(whole)) as archive:
        size = archive.getinfo("xl/workbook.xml").file_size
    lying = whole.replace(size.to_bytes(4, "little"), (size - 9).to_bytes(4, "little"))
    assert "damaged" in refused(lying)
    odd = BytesIO()
    with ZipFile(odd, "w", ZIP_LZMA) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>" * 100)
    assert "damaged" in refused(odd.getvalue())


def test_one_monstrous_tag_is_given_up() -> None:
    values = " ".join(f"a{number}='{number}'" for number in range(200_000))
    assert "damaged" in refused(xlsx(f"<row {values}/>"))


def ods(rows: str, *, before: str = "", styles: str = "", after: str = "") -> bytes:
    """The smallest file around the rows of a worksheet."""
    names = " ".join(
        f'xmlns:{word}="urn:oasis:names:tc:opendocument:xmlns:{word}:1.0"'
        for word in ("office", "table", "text", "style")
    )
    table = f'<table:table table:name="One">{rows}</table:table>{after}'
    content = f"<office:document-content {names}>{styles}<office:body><office:spreadsheet>"
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": f"{before}{content}{table}</office:spreadsheet></office:body>"
            "</office:document-content>",
        }
    )


def ods_row(*texts: str, more: str = "") -> str:
    cells = "".join(
        f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
        for text in texts
    )
    return f"<table:table-row {more}>{cells}</table:table-row>"


def test_texts_of_an_ods_are_read_as_people_see_them() -> None:
    text = (
        '<text:span>a<text:s text:c="2"/>b</text:span><text:tab/>c<text:line-break/>d</text:p>'
        "<office:annotation><text:p>nobody reads this</text:p></office:annotation><text:p>e"
    )
    assert read_table(ods(ods_row("A") + ods_row(text))).rows == [("a  b\tc\nd\ne",)]


def test_types_of_an_ods_are_kept() -> None:
    values = (
        'office:value-type="percentage" office:value="0.5"',
        'office:value-type="currency" office:value="1.20"',
        'office:value-type="date" office:date-value="2026-11-21T19:30:00.000000000"',
        'office:value-type="time" office:time-value="PT07H05M00S"',
        'office:value-type="boolean" office:boolean-value="true"',
    )
    row = "".join(f"<table:table-cell {value}/>" for value in values)
    file = open_table(ods(f"<table:table-row>{row}</table:table-row>"))
    assert next(file.rows).cells == (
        "50%", Decimal("1.2"), datetime(2026, 11, 21, 19, 30), "07:05", "yes",
    )  # fmt: skip


def test_empty_rows_and_cells_of_an_ods_may_be_repeated_for_ever() -> None:
    wide = '<table:table-cell table:number-columns-repeated="16384"/>'
    long = f'<table:table-row table:number-rows-repeated="1048000">{wide}</table:table-row>'
    table = read_table(ods(ods_row("A") + long + ods_row("x")))
    assert (table.lines, table.rows) == ([1_048_002], [("x",)])
    twice = ods_row("x", more='table:number-rows-repeated="2"')
    assert read_table(ods(ods_row("A") + twice)).lines == [2, 3]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (ods_row("x", more='table:number-rows-repeated="1048576"'), "more than 100,000 rows"),
        (ods_row("x", more='table:number-rows-repeated="99999999999"'), "repeats a cell"),
        (ods_row("x", more='table:number-rows-repeated="-1"'), "repeats a cell"),
        (
            '<table:table-row><table:table-cell office:value-type="string" office:string-value="x"'
            ' table:number-columns-repeated="16384"/></table:table-row>',
            "more than 200 columns",
        ),
        ("<a>" * 100 + "</a>" * 100, "damaged"),
        (ods_row("<text:span>" * 80 + "</text:span>" * 80), "damaged"),
        ("<table:table-row>", "damaged"),
    ],
)
def test_nonsense_in_an_ods_gets_a_sentence(rows: str, words: str) -> None:
    assert words in refused(ods(rows))


@pytest.mark.parametrize("bomb", _BOMBS.values(), ids=_BOMBS)
def test_an_ods_that_declares_things_is_refused(bomb: str) -> None:
    assert "declares things" in refused(ods(ods_row("x"), before=bomb))


def test_an_ods_with_a_password_is_refused() -> None:
    locked = zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": "<m><e><encryption-data/></e></m>",
            "content.xml": "nonsense",
        }
    )
    assert "password" in refused(locked)


def test_what_is_merged_hidden_wrong_or_computed_in_an_ods_is_told() -> None:
    merged = (
        '<table:table-row><table:table-cell table:number-columns-spanned="2"'
        ' table:number-rows-spanned="{}" office:value-type="string"><text:p>x</text:p>'
        "</table:table-cell><table:covered-table-cell/></table:table-row>"
    )
    wrong = (
        '<table:table-row><table:table-cell table:formula="of:=1/0" office:value-type="string"'
        ' office:string-value=""><text:p>#DIV/0!</text:p></table:table-cell></table:table-row>'
    )
    computed = (
        '<table:table-row table:visibility="collapse"><table:table-cell table:formula="of:=1+1"'
        ' office:value-type="float" office:value="2"/></table:table-row>'
    )
    table = read_table(ods(ods_row("A", "B") + merged.format(1) + wrong + computed))
    assert [fault.row for fault in table.faults] == [3], "across is no doubt"
    table = read_table(ods(ods_row("A", "B") + merged.format(2) + wrong + computed))
    assert [fault.sentence for fault in table.faults] == [
        "Row 2, column A: the cells A2 are merged. Take them apart and fill each one.",
        "Row 3, column A: the cell shows an error (#DIV/0!).",
    ]
    assert table.rows == [("2",)]
    assert table.remarks == [
        "Hidden rows were read too: 4.",
        "One cell holds a formula; what it last came to was read.",
    ]


def test_a_hidden_worksheet_of_an_ods_is_read_by_its_name_only() -> None:
    style = (
        '<style:style style:name="off"><style:table-properties table:display="false"/>'
        "</style:style>"
    )
    rows = ods_row("x")
    other = f'<table:table table:name="Two" table:style-name="off">{ods_row("y")}</table:table>'
    data = ods(rows, styles=style, after=other)
    assert open_table(data).sheets == ("One",)
    assert next(open_table(data, sheet="Two").rows).cells == ("y",)
    assert next(open_table(data).rows).cells == ("x",)
