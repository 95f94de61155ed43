"""Tables as readers of files have them: a CSV file as rows, a sheet as numbers and texts."""

import csv
from collections.abc import Sequence
from io import BytesIO, StringIO
from typing import Any

from openpyxl import load_workbook

from tournaments.tables.csv_writer import write_csv
from tournaments.tables.model import Table, Workbook
from tournaments.tables.xlsx_writer import write_xlsx


def csv_rows(table: Table[Any]) -> list[dict[str, str]]:
    """A table as a program reads its CSV file."""
    text = b"".join(write_csv(Workbook((table,)))).decode("utf-8-sig")
    return list(csv.DictReader(StringIO(text)))


def sheet_rows(table: Table[Any]) -> list[dict[str, Any]]:
    """A table as a spreadsheet reads its XLSX file, by the keys of its columns."""
    data = b"".join(write_xlsx(Workbook((table,))))
    rows: list[Sequence[Any]] = list(load_workbook(BytesIO(data)).worksheets[0].values)
    headings = tuple(column.heading for column in table.columns)
    body = rows[rows.index(headings) + 1 :]
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, row, strict=True)) for row in body]


def read(table: Table[Any]) -> list[dict[str, Any]]:
    """The cells themselves, by the keys of their columns."""
    keys = [column.key for column in table.columns]
    with table.open_rows() as rows:
        return [dict(zip(keys, row, strict=True)) for row in rows]
