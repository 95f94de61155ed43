"""Spreadsheet files made by hand, as no spreadsheet program would."""

from datetime import date, time
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook

_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def saved(book: Workbook) -> bytes:
    """Give the file of a workbook of openpyxl."""
    file = BytesIO()
    book.save(file)
    return file.getvalue()


Cell = str | float | bool | date | time | None


def of_rows(*rows: tuple[Cell, ...]) -> Workbook:
    """Make a workbook of one worksheet."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    return book


def zipped(parts: dict[str, bytes | str]) -> bytes:
    """Pack parts, each under its name."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def xlsx(cells: str, *, before: str = "", shared: str = "", after: str = "") -> bytes:
    """Make the smallest file around the rows of a worksheet."""
    relation = f'Id="r1" Type="{_RELATION}/worksheet" Target="worksheets/sheet1.xml"'
    sheet = '<sheet name="One" sheetId="1" r:id="r1"/>'
    book = f'<workbook xmlns:r="{_RELATION}"><sheets>{sheet}</sheets></workbook>'
    rows = f"<worksheet><sheetData>{cells}</sheetData>{after}</worksheet>"
    return zipped(
        {
            "xl/workbook.xml": book,
            "xl/_rels/workbook.xml.rels": f"<R><Relationship {relation}/></R>",
            "xl/sharedStrings.xml": f"<sst>{shared}</sst>",
            "xl/worksheets/sheet1.xml": before + rows,
        }
    )
