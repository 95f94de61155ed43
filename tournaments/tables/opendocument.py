"""ODS: a spreadsheet in the open format, written as its rows come."""

from collections.abc import Iterator
from datetime import date, datetime
from io import RawIOBase
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from tournaments.tables.cells import decimal_text, number_of, readable, shown
from tournaments.tables.naming import sheet_name
from tournaments.tables.opendocument_parts import (
    CONTENT_END,
    CONTENT_START,
    MANIFEST,
    MIMETYPE,
    SHARED,
    STYLES,
    meta,
    number_styles,
    style_name,
)
from tournaments.tables.sheets import (
    CellKind,
    Column,
    RankCell,
    TableSheet,
    Value,
    Workbook,
    flowing,
)

_CHUNK = 1 << 15


class _Outlet(RawIOBase):
    """A file that only forgets: what was written is taken out piece by piece."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: "bytes | bytearray | memoryview") -> int:  # type: ignore[override]
        self._pieces.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def write_ods(workbook: Workbook) -> Iterator[bytes]:
    """Write a workbook, in pieces while its rows come."""
    outlet = _Outlet()
    moment = max(workbook.properties.stamp, datetime(1980, 1, 1)).timetuple()[:6]
    with ZipFile(outlet, "w") as archive:
        archive.writestr(_entry("mimetype", moment, ZIP_STORED), MIMETYPE)
        archive.writestr(_entry("META-INF/manifest.xml", moment), MANIFEST)
        archive.writestr(_entry("meta.xml", moment), meta(workbook))
        archive.writestr(_entry("styles.xml", moment), STYLES)
        with archive.open(_entry("content.xml", moment), "w", force_zip64=True) as content:
            for text in _content(workbook):
                content.write(text.encode())
                yield outlet.taken()
    yield outlet.taken()


def _entry(name: str, moment: tuple[int, ...], how: int = ZIP_DEFLATED) -> ZipInfo:
    entry = ZipInfo(name, (moment[0], moment[1], moment[2], moment[3], moment[4], moment[5]))
    entry.compress_type = how
    entry.external_attr = 0o644 << 16
    return entry


def _content(workbook: Workbook) -> Iterator[str]:
    yield CONTENT_START
    styles = number_styles(column for sheet in workbook.sheets for column in sheet.columns)
    yield f"<office:automatic-styles>{styles}</office:automatic-styles>"
    yield "<office:body><office:spreadsheet>"
    taken: set[str] = set()
    for sheet in workbook.sheets:
        name = sheet_name(sheet.title, taken)
        taken.add(name.lower())
        yield f"<table:table table:name={quoteattr(name)}>"
        yield from _rows(sheet)
        yield "</table:table>"
    yield CONTENT_END


def _rows(sheet: TableSheet) -> Iterator[str]:
    for column in sheet.columns:
        width = "wide" if column.kind is CellKind.TEXT else "narrow"
        yield f'<table:table-column table:style-name="{width}"/>'
    heads = "".join(_string(column.heading, "heading") for column in sheet.columns)
    yield f"<table:table-header-rows>{_row(heads)}</table:table-header-rows>"
    waiting, length = [], 0
    with flowing(sheet) as rows:
        for row in rows:
            line = _row("".join(_cell(*pair) for pair in zip(sheet.columns, row, strict=True)))
            waiting.append(line)
            length += len(line)
            if length >= _CHUNK:
                yield "".join(waiting)
                waiting, length = [], 0
    yield "".join(waiting)


def _row(cells: str) -> str:
    return f"<table:table-row>{cells}</table:table-row>"


def _cell(column: Column, value: Value) -> str:
    style = style_name(column)
    if isinstance(value, RankCell) and value.shared:
        style = SHARED
    number = number_of(column, value)
    if value is None:
        return "<table:table-cell/>"
    if number is not None:
        typed = f'office:value-type="float" office:value="{decimal_text(number, 12)}"'
        return _typed(typed, shown(column, value), style)
    if isinstance(value, datetime | date):
        moment = value.replace(tzinfo=None) if isinstance(value, datetime) else value
        typed = f'office:value-type="date" office:date-value="{moment.isoformat()}"'
        return _typed(typed, shown(column, value), style)
    return _string(shown(column, value), "words")


def _typed(typed: str, words: str, style: str) -> str:
    text = f"<text:p>{escape(words)}</text:p>"
    return f'<table:table-cell table:style-name="{style}" {typed}>{text}</table:table-cell>'


def _string(text: str, style: str) -> str:
    lines = "".join(f"<text:p>{_spaced(line)}</text:p>" for line in readable(text).split("\n"))
    head = f'<table:table-cell table:style-name="{style}" office:value-type="string"'
    return f"{head}>{lines}</table:table-cell>"


def _spaced(line: str) -> str:
    """Keep tabs and runs of spaces, which the format folds into one otherwise."""
    text = escape(line.replace("\r", "")).replace("\t", "<text:tab/>")
    first = text[:1].replace(" ", "<text:s/>")
    return first + text[1:].replace("  ", " <text:s/>")
