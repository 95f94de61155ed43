"""ODS by odfdo: typed cells, written a row at a time, so that a long table needs little memory."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import chain, islice
from tempfile import TemporaryFile
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from lxml import etree
from odfdo import Column as TableColumn
from odfdo import Document, XmlPart
from odfdo import Table as Sheet

from tournaments.tables.cells import decimal_text, format_cell, number_of, readable
from tournaments.tables.file_head import head_lines
from tournaments.tables.model import (
    ROWS_MAX,
    Column,
    ColumnKind,
    DroppedCell,
    RankCell,
    Row,
    Table,
    Value,
    Workbook,
)
from tournaments.tables.sheet_names import sheet_name

_NAMESPACES: Final = {
    word: f"urn:oasis:names:tc:opendocument:xmlns:{word}:1.0"
    for word in ("office", "table", "text")
}
_OFFICE, _TABLE, _TEXT = (f"{{{address}}}" for address in _NAMESPACES.values())
_EXACT: Final = 10**15
_CHUNK: Final = 1 << 16
_NOT_OURS: Final = ("Thumbnails/", "Configurations2/")
"""Parts of odfdo's empty document that show that document, or how its window looked."""
_HEADING: Final = (
    '<style:style style:name="heading" style:family="table-cell">'
    '<style:table-cell-properties fo:background-color="#2F3E55" fo:wrap-option="wrap"/>'
    '<style:text-properties fo:color="#FFFFFF" fo:font-weight="bold"/></style:style>'
)
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
    styles = chain([_HEADING], *(_styles(c) for table in workbook.tables for c in table.columns))
    for style in dict.fromkeys(styles):
        document.insert_style(style, automatic=True)
    # The type comes first and unpacked: programs look for it there.
    archive.writestr(_entry("mimetype", ZIP_STORED), document.mimetype)
    for name in map(str, document.manifest.get_paths()):
        if name.startswith(_NOT_OURS):
            document.manifest.del_full_path(name)
        elif name not in ("/", "content.xml"):
            archive.writestr(_entry(name), _part(document, name))
    archive.writestr(_entry("META-INF/manifest.xml"), document.manifest.serialize())
    place = Sheet("sheets")
    document.body.append(place)
    head, mark, tail = document.content.serialize().partition(place.serialize().encode())
    assert mark
    with archive.open(_entry("content.xml"), "w", force_zip64=True) as content:
        content.write(head)
        taken: set[str] = set()
        for table in workbook.tables:
            _write_table(content, workbook, table, taken)
        content.write(tail)


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
    told, meta = workbook.properties, document.meta
    meta.set_title(readable(workbook.title))
    meta.set_subject(readable(told.status))
    meta.set_creator(readable(told.author))
    meta.set_comments("\n".join(readable(f"{each.label}: {each.text}") for each in told.details))
    meta.set_creation_date(told.created)
    meta.set_dc_date(told.created)
    meta.set_generator("Painsuit")
    meta.set_language(told.locale.code)


def _write_table(
    content: IO[bytes], workbook: Workbook, table: Table[Any], taken: set[str]
) -> None:
    """Write a worksheet, or several where one does not hold all rows."""
    lines = _head(workbook)
    with table.open_rows() as rows:
        for first in chain([next(rows, None)], rows):
            name = sheet_name(table.title, taken)
            taken.add(name.lower())
            sheet = Sheet(name)
            for column in table.columns:
                sheet.append(TableColumn(style=f"width{column.characters}"))
            head, end, tail = sheet.serialize().rpartition("</table:table>")
            content.write(head.encode() + b"".join(map(etree.tostring, lines)))
            content.write(etree.tostring(_heading(table.columns)))
            if first is not None:
                for row in chain([first], islice(rows, ROWS_MAX - len(lines) - 2)):
                    content.write(etree.tostring(_row(table.columns, row)))
            content.write((end + tail).encode())


def _head(workbook: Workbook) -> list[Any]:
    """What the file says of itself, as the first lines of each worksheet."""
    head = head_lines(workbook.properties)
    texts = [(workbook.title,), *head, ()] if head else []
    lines = []
    for cells in texts:
        line = etree.Element(f"{_TABLE}table-row", nsmap=_NAMESPACES)
        for text in cells:
            _add_cell(line, "text", {"value-type": "string"}, readable(text))
        if not cells:
            etree.SubElement(line, f"{_TABLE}table-cell")
        lines.append(line)
    return lines


def _heading(columns: Iterable[Column[Any]]) -> Any:
    line = etree.Element(f"{_TABLE}table-row", nsmap=_NAMESPACES)
    for column in columns:
        _add_cell(line, "heading", {"value-type": "string"}, readable(column.heading))
    return line


def _row(columns: Iterable[Column[Any]], row: Row) -> Any:
    line = etree.Element(f"{_TABLE}table-row", nsmap=_NAMESPACES)
    for column, value in zip(columns, row, strict=True):
        _add_cell(line, _cell_style(column, value), *_typed_cell(column, value))
    return line


def _add_cell(line: Any, style: str, value: Mapping[str, str], text: str) -> None:
    cell = etree.SubElement(line, f"{_TABLE}table-cell", {f"{_TABLE}style-name": style})
    for name, word in value.items():
        cell.set(f"{_OFFICE}{name}", word)
    if value:
        etree.SubElement(cell, f"{_TEXT}p").text = text


def _typed_cell(column: Column[Any], value: Value) -> tuple[Mapping[str, str], str]:
    """A value as ODF types it, and as people read it; texts are texts whatever they begin with."""
    if value is None:
        return {}, ""
    number, text = number_of(column, value), format_cell(column, value)
    if column.kind is ColumnKind.FRACTION:
        return {"value-type": "string"}, text
    if number is not None and abs(number) < _EXACT:
        return {"value-type": "float", "value": decimal_text(number)}, text
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
    yield f'<number:{kind}-style style:name="{name}-data">{content}</number:{kind}-style>'
    for suffix, text in (("", ""), ("-dropped", _STRUCK)):
        yield (
            f'<style:style style:name="{name}{suffix}" style:family="table-cell"'
            f' style:data-style-name="{name}-data"><style:table-cell-properties'
            f' style:vertical-align="top" fo:wrap-option="wrap"/>{text}</style:style>'
        )
