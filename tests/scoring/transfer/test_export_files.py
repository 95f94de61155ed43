"""Every file of the demo club, opened with the readers of others: its cells are what they say."""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from html.parser import HTMLParser
from io import BytesIO, StringIO
from typing import Any, Final
from uuid import UUID

import pypdfium2
import pytest
from django.utils import timezone, translation
from odfdo import Document
from openpyxl import load_workbook

from scoring.management import demo
from scoring.management.demo import Size
from scoring.transfer.exporting import KINDS, TABLES, ExportRequest, export
from tournaments.models import Club, Event, League
from tournaments.publishing import publish_due
from tournaments.tables.cells import unguard_formula
from tournaments.tables.model import ColumnKind

pytestmark = pytest.mark.django_db
UUIDS: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
GAME_ID: Final = re.compile(r"\[GameId [^\]]*\]")
NUMBERS: Final = (
    *(ColumnKind.INTEGER, ColumnKind.DECIMAL, ColumnKind.MONEY),
    *(ColumnKind.RANK, ColumnKind.FRACTION),
)
KEYS: Final = ("Date", "Event", "Round", "Table", "Game", "Hand")
"""By these, as far as a file has them, hands, results and chips are put together."""
FILLED: Final = frozenset(
    (
        *("standings", "results", "hands", "chips"),
        *("money", "balances", "members", "trail"),
    )
)
"""What every demo club has; its first night has no boards, for example."""
Rows = list[list[Any]]


@pytest.fixture(scope="module")
def club(module_db: None) -> Club:
    founded = demo.build(seed=3, name="Club", size=Size.SMALL, nights=1)
    while publish_due(clock=timezone.now):
        pass
    return Club.objects.get(pk=founded.club)


def requests(club: Club, format_: str, *, ids: bool = False) -> Iterator[ExportRequest]:
    event = Event.objects.filter(club=club).order_by("starts_at")[0].pk
    league = League.objects.filter(club=club)[0].pk
    for what, kind in KINDS.items():
        scopes: list[dict[str, UUID]] = [{}]
        if kind.needs_scope:
            scopes = [{"event": event}, {"league": league}]
        for scope in scopes if format_ in kind.formats else []:
            yield ExportRequest(
                what=what,
                format=format_,
                ids=ids,
                event=scope.get("event"),
                league=scope.get("league"),
            )


def made(club: Club, wanted: ExportRequest) -> bytes:
    return b"".join(export(club, wanted, timezone.now()).pieces)


def test_every_cell_of_every_file_is_what_its_column_says(club: Club) -> None:
    filled = set()
    for wanted in requests(club, "json", ids=True):
        tables = json.loads(made(club, wanted))["tables"]
        if any(table["rows"] for table in tables):
            filled.add(wanted.what)
        for format_, read in READERS.items():
            found = read(made(club, replace(wanted, format=format_)), tables)
            for table, rows in zip(tables, found, strict=True):
                assert len(rows) == len(table["rows"]), (wanted, format_)
                for cells, row in zip(rows, table["rows"], strict=True):
                    for column, cell in zip(table["columns"], cells, strict=True):
                        place = (wanted.what, format_, column["key"], cell)
                        check(column, cell, row[column["key"]], place)
    assert filled >= FILLED


def check(column: Mapping[str, Any], cell: Any, value: Any, place: object) -> None:
    assert cell != "None", place
    if value is None or value == "":
        assert cell in (None, ""), place
    elif column["kind"] in NUMBERS:
        number = Fraction(str(value))
        if column["kind"] == ColumnKind.MONEY:
            number /= 10 ** column["minor_digits"]
        # Files for programs have the exact number, JSON the places that pages show.
        assert abs(parse_number(cell) - number) < Fraction(6, 100), place
    elif column["kind"] in (ColumnKind.DATE, ColumnKind.DATETIME):
        moment = cell if isinstance(cell, date) else datetime.fromisoformat(cell)
        assert f"{moment:%Y-%m-%d}" == datetime.fromisoformat(value).strftime("%Y-%m-%d"), place
    elif column["kind"] == ColumnKind.TEXT:
        assert " ".join(str(cell).split()) == " ".join(str(value).split()), place


def parse_number(cell: Any) -> Fraction:
    """A number as a program reads it, a mixed one too."""
    if not isinstance(cell, str):
        return Fraction(str(cell))
    sign = -1 if cell.startswith("-") else 1
    return sign * sum(map(Fraction, cell.removeprefix("-").split()), Fraction())


def read_csv(data: bytes, tables: Sequence[Any], *, delimiter: str = ",") -> list[Rows]:
    text = data.decode("utf-8-sig")
    lines = list(csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True))
    found = []
    for table in tables:
        start = 2 if len(tables) > 1 else 1
        count = len(table["rows"])
        assert lines[start - 1][0] == heading(table["columns"][0])
        found.append([list(map(unguard_formula, line)) for line in lines[start : start + count]])
        lines = lines[start + count + 1 :]
    assert not lines
    return found


def read_semicolon_csv(data: bytes, tables: Sequence[Any]) -> list[Rows]:
    found = read_csv(data, tables, delimiter=";")
    for table, rows in zip(tables, found, strict=True):
        numbers = [column["kind"] in NUMBERS for column in table["columns"]]
        for row in rows:
            row[:] = [
                cell.replace(",", ".") if is_number else cell
                for cell, is_number in zip(row, numbers, strict=True)
            ]
    return found


def heading(column: Mapping[str, Any]) -> str:
    title: str = column["title"]
    return f"{title} ({column['currency']})" if "currency" in column else title


def read_xlsx(data: bytes, tables: Sequence[Any]) -> list[Rows]:
    return [
        below_heading(table, [list(row) for row in sheet.iter_rows(values_only=True)])
        for table, sheet in zip(tables, load_workbook(BytesIO(data)).worksheets, strict=True)
    ]


def read_ods(data: bytes, tables: Sequence[Any]) -> list[Rows]:
    sheets = Document(BytesIO(data)).body.tables
    return [
        below_heading(table, [[cell.value for cell in row.cells] for row in sheet.rows])
        for table, sheet in zip(tables, sheets, strict=True)
    ]


def below_heading(table: Mapping[str, Any], lines: Rows) -> Rows:
    headings = list(map(heading, table["columns"]))
    place = next(place for place, line in enumerate(lines) if line[: len(headings)] == headings)
    width = len(headings)
    return [[*line, *[None] * width][:width] for line in lines[place + 1 :]]


class _Cells(HTMLParser):
    """The tables of a page: their headings, and rows, each with what it shares with others."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[tuple[list[str], list[tuple[str, list[str]]]]] = []
        self.shared = [""]
        self.row: list[str] = []
        self.words: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append(([], []))
            self.shared = [""]
        elif tag == "tr":
            self.row = []
        elif tag in ("th", "td"):
            if ("scope", "rowgroup") in attrs:
                self.words = self.shared = []
            else:
                self.words = self.row if tag == "td" else self.tables[-1][0]
            self.words.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("th", "td"):
            self.words = None
        elif tag == "tr" and self.row:
            self.tables[-1][1].append((self.shared[0], self.row))

    def handle_data(self, data: str) -> None:
        if self.words is not None:
            self.words[-1] += data


def read_html(data: bytes, tables: Sequence[Any]) -> list[Rows]:
    parser = _Cells()
    parser.feed(data.decode())
    found = []
    for table, (titles, rows) in zip(tables, parser.tables, strict=True):
        assert len(rows) == len(table["rows"])
        found.append(
            [
                html_row(table["columns"], titles, *row, known=known)
                for row, known in zip(rows, table["rows"], strict=True)
            ]
        )
    return found


def html_row(
    columns: Sequence[Mapping[str, Any]],
    titles: Sequence[str],
    shared: str,
    cells: Sequence[str],
    known: Mapping[str, Any],
) -> list[str]:
    """The cells of a row in the order of the columns, those above it taken out of its heading."""
    parts, below = iter(shared.split(" \N{MIDDLE DOT} ")), iter(cells)
    row = []
    for column in columns:
        if (title := heading(column)) in titles:
            cell = next(below)
            row.append(cell.rstrip("=") if column["kind"] == ColumnKind.RANK else cell)
        elif known[column["key"]] in (None, ""):
            row.append("")
        else:
            row.append(next(parts).removeprefix(f"{title} "))
    return row


READERS: Final = {
    "csv": read_csv,
    "csv-semicolon": read_semicolon_csv,
    "xlsx": read_xlsx,
    "ods": read_ods,
    "html": read_html,
}


def test_nobody_has_to_read_an_identifier_unless_they_ask_for_it(club: Club) -> None:
    for format_ in TABLES:
        for wanted in requests(club, format_):
            if format_ == "json":
                continue
            for text in texts_of(made(club, wanted), format_):
                # A record of the archive names its game, by which it comes back.
                assert not UUIDS.search(GAME_ID.sub("", text)), (wanted, text)
                assert text.strip() != "None", wanted


def texts_of(data: bytes, format_: str) -> Iterator[str]:
    match format_:
        case "xlsx":
            for sheet in load_workbook(BytesIO(data)).worksheets:
                for row in sheet.iter_rows(values_only=True):
                    yield from map(str, filter(None, row))
        case "ods":
            for table in Document(BytesIO(data)).body.tables:
                for line in table.rows:
                    yield from (str(cell.value or "") for cell in line.cells)
        case "pdf":
            with pypdfium2.PdfDocument(data) as paper:
                yield from (page.get_textpage().get_text_range() for page in paper)
        case _:
            yield data.decode("utf-8-sig")


def test_hands_results_and_chips_are_put_together_by_the_same_readable_columns(club: Club) -> None:
    keys = {}
    for what in ("hands", "results", "chips"):
        data = made(club, ExportRequest(what=what, format="csv")).decode("utf-8-sig")
        rows = list(csv.DictReader(StringIO(data)))
        known = [key for key in KEYS if key in rows[0]]
        keys[what] = {tuple(row[key] for key in known) for row in rows if row["Hand"]}
    assert keys["results"] <= keys["hands"]
    assert keys["chips"] <= keys["hands"]
    assert keys["results"]


def test_files_are_german_for_who_reads_german(club: Club) -> None:
    with translation.override("de"):
        for wanted in requests(club, "html"):
            text = made(club, wanted).decode()
            assert '<html lang="de">' in text
            assert "<bdi>yes</bdi>" not in text
            assert ">no</td>" not in text
