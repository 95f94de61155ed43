"""ODS by odfdo: typed cells, written a row at a time, so that a long table needs little memory."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import chain, islice
from tempfile import TemporaryFile
from typing import IO, Any, Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from lxml import etree
from odfdo import Column as TableColumn
from odfdo import Document, XmlPart
from odfdo import Table as Sheet
from xlsxwriter.utility import xl_col_to_name

from engine.core.messages import Message
from tournaments.tables.cells import decimal_text, format_cell, head_lines, number_of, readable
from tournaments.tables.model import (
    ROWS_MAX,
    UPRIGHT_MAX,
    Column,
    ColumnKind,
    DroppedCell,
    RankCell,
    Row,
    Table,
    TableLocale,
    Value,
    Workbook,
)
from tournaments.tables.worksheets import sheet_name

_NAMESPACES: Final = {
    word: f"urn:oasis:names:tc:opendocument:xmlns:{word}:1.0"
    for word in ("office", "table", "text")
}
_OFFICE, _TABLE, _TEXT = (f"{{{address}}}" for address in _NAMESPACES.values())
_EXACT: Final = 10**15
_CHUNK: Final = 1 << 16
_NOT_OURS: Final = ("Thumbnails/", "Configurations2/")
"""Parts of odfdo's empty document that show that document, or how its window looked."""
_RIGHT: Final = '<style:paragraph-properties fo:text-align="end"/>'
_HEADING: Final = (
    '<style:table-cell-properties fo:background-color="#2F3E55"'
    ' fo:wrap-option="wrap" fo:padding="0.8mm"/>{align}'
    '<style:text-properties fo:color="#FFFFFF" fo:font-weight="bold"/>'
)
_CELLS: Final = {
    "title": '<style:text-properties fo:font-size="14pt" fo:font-weight="bold"/>',
    "detail": '<style:text-properties fo:color="#55555C"/>',
    "heading": _HEADING.format(align=""),
    "heading-right": _HEADING.format(align=_RIGHT),
}
"""The styles of cells that are in no column."""
_SHEET: Final = (
    '<style:style style:name="sheet" style:family="table" style:master-page-name="Sheet">'
    '<style:table-properties table:display="true"/></style:style>'
)
_MARGINAL: Final = (
    '<style:{place}-style><style:header-footer-properties fo:min-height="0.75cm"'
    ' fo:margin-left="0cm" fo:margin-right="0cm" fo:margin-{side}="0.25cm"/></style:{place}-style>'
)
_PAGE: Final = (
    '<style:page-layout style:name="SheetPage"><style:page-layout-properties {size}'
    ' fo:margin="1.4cm" style:scale-to-X="1" style:scale-to-Y="0"/>'
    f"{_MARGINAL.format(place='header', side='bottom')}"
    f"{_MARGINAL.format(place='footer', side='top')}</style:page-layout>"
)
_UPRIGHT: Final = 'fo:page-width="21cm" fo:page-height="29.7cm" style:print-orientation="portrait"'
_ACROSS: Final = 'fo:page-width="29.7cm" fo:page-height="21cm" style:print-orientation="landscape"'
_MASTER: Final = (
    '<style:master-page style:name="Sheet" style:page-layout-name="SheetPage"><style:header>'
    "<style:region-left><text:p>{title}</text:p></style:region-left><style:region-right>"
    "<text:p>{status}</text:p></style:region-right></style:header><style:footer>"
    "<style:region-left><text:p>{author}</text:p></style:region-left><style:region-right>"
    "<text:p>{page}</text:p></style:region-right></style:footer></style:master-page>"
)
_SETTINGS: Final = (
    '<office:document-settings xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:config="urn:oasis:names:tc:opendocument:xmlns:config:1.0" office:version="1.3">'
    '<office:settings><config:config-item-set config:name="ooo:view-settings">'
    '<config:config-item-map-indexed config:name="Views"><config:config-item-map-entry>'
    '<config:config-item config:name="ViewId" config:type="string">view1</config:config-item>'
    '<config:config-item-map-named config:name="Tables">{sheets}</config:config-item-map-named>'
    "</config:config-item-map-entry></config:config-item-map-indexed></config:config-item-set>"
    "</office:settings></office:document-settings>"
)
_FROZEN: Final = (
    ("VerticalSplitMode", "short", "2"),
    ("VerticalSplitPosition", "int", "{line}"),
    ("ActiveSplitRange", "short", "2"),
    ("PositionTop", "int", "0"),
    ("PositionBottom", "int", "{line}"),
)
"""The rows above stay in view, as programs keep it beside the sheet."""
_STRUCK: Final = '<style:text-properties style:text-line-through-style="solid" fo:color="#77777C"/>'
_DAY: Final = (
    '<number:year number:style="long"/><number:text>-</number:text>'
    '<number:month number:style="long"/><number:text>-</number:text>'
    '<number:day number:style="long"/>'
)
_MOMENT: Final = (
    f'{_DAY}<number:text> </number:text><number:hours number:style="long"/>'
    '<number:text>:</number:text><number:minutes number:style="long"/>'
)


def write_ods(workbook: Workbook) -> Iterator[bytes]:
    """Write a workbook; nothing of it comes before all rows were read, then it comes in pieces."""
    with TemporaryFile(prefix="painsuit-") as file:
        with ZipFile(file, "w") as archive:
            _write(archive, workbook)
        file.seek(0)
        while piece := file.read(_CHUNK):
            yield piece


def _write(archive: ZipFile, workbook: Workbook) -> None:
    document = Document("spreadsheet")
    document.body.clear()
    _describe(document, workbook)
    columns = [column for table in workbook.tables for column in table.columns]
    cells = (
        f'<style:style style:name="{name}" style:family="table-cell">{form}</style:style>'
        for name, form in _CELLS.items()
    )
    for style in dict.fromkeys(chain([_SHEET], cells, *map(_styles, columns))):
        document.insert_style(style, automatic=True)
    _lay_out(document, workbook)
    # The type comes first and unpacked: programs look for it there.
    archive.writestr(_entry("mimetype", ZIP_STORED), document.mimetype)
    for name in map(str, document.manifest.get_paths()):
        if name.startswith(_NOT_OURS):
            document.manifest.del_full_path(name)
        elif name not in ("/", "content.xml", "settings.xml"):
            archive.writestr(_entry(name), _part(document, name))
    archive.writestr(_entry("META-INF/manifest.xml"), document.manifest.serialize())
    place = Sheet("sheets")
    document.body.append(place)
    head, mark, tail = document.content.serialize().partition(place.serialize().encode())
    assert mark
    with archive.open(_entry("content.xml"), "w", force_zip64=True) as content:
        content.write(head)
        sheets: list[_SheetExtent] = []
        for table in workbook.tables:
            _write_table(content, workbook, table, sheets)
        content.write(_filters(sheets) + tail)
    frozen = "".join(map(_freeze, sheets))
    archive.writestr(_entry("settings.xml"), _SETTINGS.format(sheets=frozen))


def _entry(name: str, packing: int = ZIP_DEFLATED) -> ZipInfo:
    """A part of the file; it bears no moment, so that equal content is equal bytes."""
    entry = ZipInfo(name)
    entry.compress_type = packing
    return entry


def _part(document: Document, name: str) -> bytes | str:
    part = document.get_part(name)
    assert part is not None
    return part.serialize() if isinstance(part, XmlPart) else part


def _describe(document: Document, workbook: Workbook) -> None:
    about, meta = workbook.properties, document.meta
    meta.set_title(readable(workbook.title))
    meta.set_subject(readable(about.subject))
    meta.set_creator(readable(about.author))
    meta.set_keywords(readable(", ".join(about.keywords)))
    meta.set_comments("\n".join(head_lines(about)))
    meta.set_creation_date(about.created)
    meta.set_dc_date(about.created)
    meta.set_generator("Painsuit")
    meta.set_language(about.locale.code)
    known = [(one.label or one.key, one.text) for one in about.details]
    for name, text in (*known, ("URL", about.address), ("Digest", about.digest)):
        if text:
            meta.set_user_defined_metadata(readable(name), readable(text))


def _lay_out(document: Document, workbook: Workbook) -> None:
    """Say how worksheets are printed: as wide as one page, with title, status and number."""
    about = workbook.properties
    widths = [sum(column.characters for column in table.columns) for table in workbook.tables]
    size = _ACROSS if max(widths) > UPRIGHT_MAX else _UPRIGHT
    document.insert_style(_PAGE.format(size=size), automatic=True)
    texts = {"title": workbook.title, "status": about.status, "author": about.author}
    page = about.locale.say(Message("Page {number} of {pages}", number="\ue000", pages="\ue001"))
    said = {name: escape(readable(text)) for name, text in {**texts, "page": page}.items()}
    said["page"] = (
        said["page"]
        .replace("\ue000", "<text:page-number/>")
        .replace("\ue001", "<text:page-count/>")
    )
    document.insert_style(_MASTER.format(**said))


class _SheetExtent(NamedTuple):
    """The extent of a written worksheet: lines down to its headings, all lines, columns."""

    name: str
    heading: int
    lines: int
    columns: int


def _write_table(
    content: IO[bytes], workbook: Workbook, table: Table[Any], sheets: list[_SheetExtent]
) -> None:
    """Write a worksheet, or several where one does not hold all rows."""
    lines, locale = _head(workbook), workbook.properties.locale
    with table.open_rows() as rows:
        for first in chain([next(rows, None)], rows):
            name = sheet_name(table.title, {sheet.name.lower() for sheet in sheets})
            sheet = Sheet(name, style="sheet")
            for column in table.columns:
                sheet.append(TableColumn(style=f"width{column.characters}"))
            head, end, tail = sheet.serialize().rpartition("</table:table>")
            content.write(head.encode() + b"".join(map(etree.tostring, lines)))
            content.write(etree.tostring(_heading(table.columns)))
            written = len(lines) + 1
            if first is not None:
                for row in chain([first], islice(rows, ROWS_MAX - len(lines) - 2)):
                    content.write(etree.tostring(_row(table.columns, row, locale)))
                    written += 1
            content.write((end + tail).encode())
            sheets.append(_SheetExtent(name, len(lines) + 1, written, len(table.columns)))


def _filters(sheets: Iterable[_SheetExtent]) -> bytes:
    """Let the rows of each worksheet be filtered and sorted by their headings."""
    ranges = etree.Element(f"{_TABLE}database-ranges", nsmap=_NAMESPACES)
    for number, sheet in enumerate(sheets):
        quoted = "'" + sheet.name.replace("'", "''") + "'"
        last = xl_col_to_name(sheet.columns - 1)
        area = f"{quoted}.A{sheet.heading}:{quoted}.{last}{max(sheet.lines, sheet.heading + 1)}"
        found = etree.SubElement(ranges, f"{_TABLE}database-range")
        found.set(f"{_TABLE}name", f"__Anonymous_Sheet_DB__{number}")
        found.set(f"{_TABLE}target-range-address", area)
        found.set(f"{_TABLE}display-filter-buttons", "true")
    return bytes(etree.tostring(ranges))


def _freeze(sheet: _SheetExtent) -> str:
    items = "".join(
        f'<config:config-item config:name="{name}" config:type="{kind}">'
        f"{value.format(line=sheet.heading)}</config:config-item>"
        for name, kind, value in _FROZEN
    )
    name = quoteattr(sheet.name)
    return (
        f"<config:config-item-map-entry config:name={name}>{items}</config:config-item-map-entry>"
    )


def _head(workbook: Workbook) -> list[Any]:
    """Return the file's properties, as the first lines of each worksheet."""
    head = head_lines(workbook.properties)
    texts = [workbook.title, *head, ""] if head else []
    lines = []
    for number, text in enumerate(texts):
        line = etree.Element(f"{_TABLE}table-row", nsmap=_NAMESPACES)
        value = {"value-type": "string"} if text else {}
        _add_cell(line, "detail" if number else "title", value, readable(text))
        lines.append(line)
    return lines


def _heading(columns: Iterable[Column[Any]]) -> Any:
    lines = etree.Element(f"{_TABLE}table-header-rows", nsmap=_NAMESPACES)
    line = etree.SubElement(lines, f"{_TABLE}table-row")
    for column in columns:
        style = "heading-right" if column.is_number else "heading"
        _add_cell(line, style, {"value-type": "string"}, readable(column.heading))
    return lines


def _row(columns: Iterable[Column[Any]], row: Row, locale: TableLocale) -> Any:
    line = etree.Element(f"{_TABLE}table-row", nsmap=_NAMESPACES)
    for column, value in zip(columns, row, strict=True):
        _add_cell(line, _cell_style(column, value), *_typed_cell(column, value, locale))
    return line


def _add_cell(line: Any, style: str, value: Mapping[str, str], text: str) -> None:
    cell = etree.SubElement(line, f"{_TABLE}table-cell", {f"{_TABLE}style-name": style})
    for name, word in value.items():
        cell.set(f"{_OFFICE}{name}", word)
    if value:
        etree.SubElement(cell, f"{_TEXT}p").text = text


def _typed_cell(
    column: Column[Any], value: Value, locale: TableLocale
) -> tuple[Mapping[str, str], str]:
    """A value as ODF types it, and as people read it; texts are texts whatever they begin with."""
    if value is None:
        return {}, ""
    number, text = number_of(column, value), format_cell(column, value, locale)
    if column.kind is ColumnKind.FRACTION:
        return {"value-type": "string"}, text
    if number is not None and abs(number) < _EXACT:
        # As many digits as a spreadsheet holds, so that a fraction can be told from its decimals.
        return {"value-type": "float", "value": decimal_text(number, 14)}, text
    if isinstance(value, date):
        moment = value.replace(tzinfo=None) if isinstance(value, datetime) else value
        return {"value-type": "date", "date-value": moment.isoformat()}, text
    text = text if number is None else decimal_text(number)
    if " ".join(text.split()) == text:
        return {"value-type": "string"}, text
    # Blanks side by side and ends of lines count in the value only, not in a paragraph.
    return {"value-type": "string", "string-value": text}, text


def _cell_style(column: Column[Any], value: Value) -> str:
    match value:
        case RankCell(shared=True):
            return "shared"
        case DroppedCell():
            return f"{_style_name(column)}-dropped"
        case _:
            return _style_name(column)


def _style_name(column: Column[Any]) -> str:
    match column.kind:
        case ColumnKind.DECIMAL:
            return f"decimal{column.decimal_places}"
        case ColumnKind.MONEY:
            return f"money{column.minor_digits}"
        case _:
            return column.kind.value


def _styles(column: Column[Any]) -> Iterator[str]:
    """The styles of a column and of its cells, as ODF writes them."""
    yield (
        f'<style:style style:name="width{column.characters}" style:family="table-column">'
        f'<style:table-column-properties style:column-width="{column.characters * 2}mm"/>'
        "</style:style>"
    )
    name = _style_name(column)
    match column.kind:
        case ColumnKind.DECIMAL:
            yield from _style(name, "number", _number(column.decimal_places))
        case ColumnKind.MONEY:
            yield from _style(name, "number", _number(column.minor_digits, grouping="true"))
        case ColumnKind.INTEGER:
            yield from _style(name, "number", _number(0))
        case ColumnKind.RANK:
            yield from _style(name, "number", _number(0))
            yield from _style("shared", "number", _number(0) + "<number:text>=</number:text>")
        case ColumnKind.DATE:
            yield from _style(name, "date", _DAY)
        case ColumnKind.DATETIME:
            yield from _style(name, "date", _MOMENT)
        case ColumnKind.TEXT | ColumnKind.BOOLEAN | ColumnKind.FRACTION | ColumnKind.LINK:
            yield from _style(name, "text", "<number:text-content/>")


def _number(places: int, grouping: str = "false") -> str:
    return (
        f'<number:number number:decimal-places="{places}" number:min-decimal-places="{places}"'
        f' number:min-integer-digits="1" number:grouping="{grouping}"/>'
    )


def _style(name: str, kind: str, content: str) -> Iterator[str]:
    """Give the styles of a kind of cell, and of such a cell that is struck through."""
    align = _RIGHT if name == ColumnKind.FRACTION else ""
    yield f'<number:{kind}-style style:name="{name}-data">{content}</number:{kind}-style>'
    for suffix, text in (("", ""), ("-dropped", _STRUCK)):
        yield (
            f'<style:style style:name="{name}{suffix}" style:family="table-cell"'
            f' style:data-style-name="{name}-data"><style:table-cell-properties'
            f' style:vertical-align="top" fo:wrap-option="wrap" fo:padding="0.8mm"/>'
            f"{align}{text}</style:style>"
        )
