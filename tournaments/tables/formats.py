"""The formats in which a table goes out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.core.messages import Message
from tournaments.tables.csv_writer import write_csv, write_semicolon_csv
from tournaments.tables.html_writer import write_html
from tournaments.tables.json_writer import write_json
from tournaments.tables.model import Workbook

Writer = Callable[[Workbook], Iterator[bytes]]

# The libraries behind these three take 8 MB: they are imported by the process that writes a file.


def _write_xlsx(workbook: Workbook) -> Iterator[bytes]:
    from tournaments.tables.xlsx_writer import write_xlsx  # noqa: PLC0415 (as said above)

    return write_xlsx(workbook)


def _write_ods(workbook: Workbook) -> Iterator[bytes]:
    from tournaments.tables.ods_writer import write_ods  # noqa: PLC0415 (as said above)

    return write_ods(workbook)


def _write_pdf(workbook: Workbook) -> Iterator[bytes]:
    from tournaments.tables.pdf_writer import write_pdf  # noqa: PLC0415 (as said above)

    return write_pdf(workbook)


@dataclass(frozen=True, slots=True)
class Format:
    """One format; ``write`` gives the file in pieces, and closes the rows if it is given up.

    ``description`` says what it is good for.
    """

    key: str
    name: str
    media_type: str
    extension: str
    write: Writer
    description: Message


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_ODS = "application/vnd.oasis.opendocument.spreadsheet"
_CSV = "text/csv; charset=utf-8"
FORMATS: Mapping[str, Format] = {
    each.key: each
    for each in (
        Format("xlsx", "Excel", _XLSX, "xlsx", _write_xlsx, Message("to sort and to calculate")),
        Format("ods", "OpenDocument", _ODS, "ods", _write_ods, Message("the same for LibreOffice")),
        Format("pdf", "PDF", "application/pdf", "pdf", _write_pdf, Message("to print")),
        Format(
            "csv",
            "CSV",
            _CSV,
            "csv",
            write_csv,
            Message("a plain table for any program: commas between the cells, 1.5"),
        ),
        Format(
            "csv-semicolon",
            "CSV (;)",
            _CSV,
            "csv",
            write_semicolon_csv,
            Message("for spreadsheets set to German and similar: semicolons, 1,5"),
        ),
        Format(
            "html",
            "HTML",
            "text/html; charset=utf-8",
            "html",
            write_html,
            Message("to read in a browser"),
        ),
        Format("json", "JSON", "application/json", "json", write_json, Message("for programs")),
    )
}
"""Every format, by its key."""
RECORDS_TYPE: Final = "application/x-phn"
BUNDLE_TYPE: Final = "application/jsonl"
TABLE_TYPES: Final = tuple(each.media_type for each in FORMATS.values())
FILE_TYPES: Final = (*TABLE_TYPES, RECORDS_TYPE, BUNDLE_TYPE)
"""The media types of all that a club takes away."""
