"""The formats in which a table goes out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tournaments.tables.csv_writer import write_csv
from tournaments.tables.html_writer import write_html
from tournaments.tables.json_writer import write_json
from tournaments.tables.model import Workbook
from tournaments.tables.ods_writer import write_ods
from tournaments.tables.pdf_writer import write_pdf
from tournaments.tables.xlsx_writer import write_xlsx

Writer = Callable[[Workbook], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Format:
    """One format; ``write`` gives the file in pieces, and closes the rows if it is given up."""

    name: str
    media_type: str
    extension: str
    write: Writer


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_ODS = "application/vnd.oasis.opendocument.spreadsheet"
FORMATS: Mapping[str, Format] = {
    each.extension: each
    for each in (
        Format("CSV", "text/csv; charset=utf-8", "csv", write_csv),
        Format("Excel", _XLSX, "xlsx", write_xlsx),
        Format("OpenDocument", _ODS, "ods", write_ods),
        Format("PDF", "application/pdf", "pdf", write_pdf),
        Format("Web page", "text/html; charset=utf-8", "html", write_html),
        Format("JSON", "application/json", "json", write_json),
    )
}
"""Every format, by its extension."""
