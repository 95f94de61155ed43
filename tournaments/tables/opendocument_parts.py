"""The parts of an ODS file around its rows: manifest, styles, what it says of itself."""

from collections.abc import Iterable
from xml.sax.saxutils import escape

from tournaments.tables.cells import readable
from tournaments.tables.sheets import CellKind, Column, Workbook

MIMETYPE = "application/vnd.oasis.opendocument.spreadsheet"
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_SPACES = " ".join(
    [
        *(
            f'xmlns:{name}="{_OASIS}:{name}:1.0"'
            for name in ("office", "table", "text", "style", "meta")
        ),
        f'xmlns:number="{_OASIS}:datastyle:1.0"',
        f'xmlns:fo="{_OASIS}:xsl-fo-compatible:1.0"',
        'xmlns:dc="http://purl.org/dc/elements/1.1/"',
        'office:version="1.3"',
    ]
)
MANIFEST = f"""{_XML}<manifest:manifest xmlns:manifest="{_OASIS}:manifest:1.0" \
manifest:version="1.3">\
<manifest:file-entry manifest:full-path="/" manifest:media-type="{MIMETYPE}"/>\
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>\
<manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/>\
<manifest:file-entry manifest:full-path="meta.xml" manifest:media-type="text/xml"/>\
</manifest:manifest>
"""
STYLES = f"""{_XML}<office:document-styles {_SPACES}><office:styles>\
<style:default-style style:family="table-cell">\
<style:text-properties fo:font-family="Liberation Sans" fo:font-size="10pt"/>\
</style:default-style></office:styles></office:document-styles>
"""
CONTENT_START = f"{_XML}<office:document-content {_SPACES}>"
CONTENT_END = "</office:spreadsheet></office:body></office:document-content>\n"
_WIDTHS = """<style:style style:name="wide" style:family="table-column">\
<style:table-column-properties style:column-width="6cm"/></style:style>\
<style:style style:name="narrow" style:family="table-column">\
<style:table-column-properties style:column-width="2.8cm"/></style:style>"""
_CELLS = """<style:style style:name="heading" style:family="table-cell">\
<style:table-cell-properties fo:background-color="#2f3e55" fo:wrap-option="wrap"/>\
<style:text-properties fo:color="#ffffff" fo:font-weight="bold"/></style:style>\
<style:style style:name="words" style:family="table-cell">\
<style:table-cell-properties fo:wrap-option="wrap"/></style:style>\
<number:number-style style:name="n-shared">\
<number:number number:decimal-places="0" number:min-integer-digits="1"/>\
<number:text>=</number:text></number:number-style>\
<style:style style:name="shared" style:family="table-cell" \
style:data-style-name="n-shared"/>"""
SHARED = "shared"
"""The style of a rank that is shared."""
_DAY = """<number:year number:style="long"/><number:text>-</number:text>\
<number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/>"""
_TIME = """<number:text> </number:text><number:hours number:style="long"/>\
<number:text>:</number:text><number:minutes number:style="long"/>"""


def meta(workbook: Workbook) -> str:
    """Say title, subject, author and moment."""
    told = workbook.properties
    fields = {
        "dc:title": workbook.title,
        "dc:subject": told.subject,
        "dc:creator": told.author,
        "dc:description": "\n".join(told.notes),
        "dc:date": told.stamp.isoformat(),
    }
    inside = "".join(f"<{name}>{escape(readable(text))}</{name}>" for name, text in fields.items())
    return f"{_XML}<office:document-meta {_SPACES}><office:meta>{inside}</office:meta>" + (
        "</office:document-meta>\n"
    )


def number_styles(columns: Iterable[Column]) -> str:
    """Give the styles of cells, one for each kind of column and number of places."""
    wanted = sorted(
        {(each.kind.value, _places(each)) for each in columns if each.kind is not CellKind.TEXT}
    )
    return _WIDTHS + _CELLS + "".join(_style(CellKind(kind), places) for kind, places in wanted)


def style_name(column: Column) -> str:
    """Name the style of a column's cells."""
    return f"{column.kind}{_places(column)}"


def _places(column: Column) -> int:
    return column.minor if column.kind is CellKind.MONEY else column.places


def _style(kind: CellKind, places: int) -> str:
    name = f"{kind}{places}"
    if kind in (CellKind.MOMENT, CellKind.DAY):
        inside = _DAY + (_TIME if kind is CellKind.MOMENT else "")
        shape = f'<number:date-style style:name="n-{name}">{inside}</number:date-style>'
    else:
        decimals = places if kind in (CellKind.EXACT, CellKind.MONEY) else 0
        grouped = ' number:grouping="true"' if kind is CellKind.MONEY else ""
        number = f'number:decimal-places="{decimals}" number:min-integer-digits="1"{grouped}'
        shape = f'<number:number-style style:name="n-{name}"><number:number {number}/>' + (
            "</number:number-style>"
        )
    head = f'<style:style style:name="{name}" style:family="table-cell"'
    return f'{shape}{head} style:data-style-name="n-{name}"/>'
