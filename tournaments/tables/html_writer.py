"""HTML: one printable page that stands alone, runs nothing and fetches nothing."""

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from functools import partial
from html import escape
from itertools import chain, islice
from typing import Any

from tournaments.tables.cells import (
    format_cell,
    head_lines,
    heading_places,
    isolate_name,
    readable,
    say_heading,
)
from tournaments.tables.model import (
    UPRIGHT_MAX,
    Column,
    DroppedCell,
    LinkCell,
    Table,
    TableLocale,
    Value,
    Workbook,
)

STYLE = """
body { font: 11pt/1.35 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1b1b1f; background: #fff }
h1 { font-size: 1.5rem; margin: 0 0 .25rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
.note { color: #55555c; margin: .1rem 0 }
table { border-collapse: collapse; width: 100% }
th { text-align: left; border-bottom: 2px solid #1b1b1f; padding: .35rem .6rem; vertical-align: bottom }
td { border-bottom: 1px solid #d9d9de; padding: .3rem .6rem; vertical-align: top; overflow-wrap: anywhere }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
tbody tr:nth-child(even) { background: #f6f6f8 }
tbody th { padding-top: .7rem; border-bottom-width: 1px; background: #fff }
@page wide { size: landscape }
@media print { body { margin: 0; max-width: none; font-size: 9pt; line-height: 1.25 } .wide { page: wide } thead { display: table-header-group } th, td { padding: .15rem .4rem } tr { break-inside: avoid } tr:has(> th) { break-after: avoid } }
"""  # noqa: E501 (a rule a line)
STYLE_SOURCE = f"'sha256-{b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'"
"""What a Content-Security-Policy names to allow this page's style, and nothing else inline."""
_CHUNK = 200
_SAMPLE = 400
"""So many rows tell whether rows have headings in common."""


def write_html(workbook: Workbook) -> Iterator[bytes]:
    """Write a page with a table for each sheet, ready to print."""
    lines: list[str] = []
    for line in _lines(workbook):
        lines.append(line)
        if len(lines) >= _CHUNK:
            yield "\n".join([*lines, ""]).encode()
            lines = []
    yield "\n".join([*lines, ""]).encode()


def _lines(workbook: Workbook) -> Iterator[str]:
    policy = f"default-src 'none'; style-src {STYLE_SOURCE}"
    language = escape(workbook.properties.locale.code)
    yield f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    title = _text(workbook.title)
    yield f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>"
    for line in head_lines(workbook.properties):
        yield f'<p class="note">{_text(line)}</p>'
    several = len(workbook.tables) > 1
    for table in workbook.tables:
        yield from _table_lines(table, workbook.properties.locale, titled=several)
    yield "</body>\n</html>"


def _table_lines(table: Table[Any], locale: TableLocale, *, titled: bool) -> Iterator[str]:
    if titled:
        yield f"<h2>{_text(table.title)}</h2>"
    with table.open_rows() as rows:
        first = list(islice(rows, _SAMPLE))
        above = heading_places(table.columns, first)
        heads = [table.columns[place] for place in above]
        rest = [place for place in range(len(table.columns)) if place not in above]
        titles = "".join(
            f'<th scope="col"{_class(column)}>{_text(column.heading)}</th>'
            for column in (table.columns[place] for place in rest)
        )
        is_wide = sum(table.columns[place].characters for place in rest) > UPRIGHT_MAX
        kind = ' class="wide"' if is_wide else ""
        yield f"<table{kind}>\n<thead><tr>{titles}</tr></thead>\n<tbody>"
        told: list[Value] = []
        for row in chain(first, rows):
            shared = [row[place] for place in above]
            if shared != told:
                cells = map(partial(format_cell, locale=locale), heads, shared)
                title = _text(say_heading(heads, list(map(isolate_name, cells))))
                end = "</tbody>\n<tbody>\n" if told else ""
                yield f'{end}<tr><th scope="rowgroup" colspan="{len(rest)}">{title}</th></tr>'
                told = shared
            yield "<tr>" + "".join(_cell(table.columns[n], row[n], locale) for n in rest) + "</tr>"
    yield "</tbody>\n</table>"


def _cell(column: Column[Any], value: Value, locale: TableLocale) -> str:
    words = _text(format_cell(column, value, locale))
    match value:
        case str():
            # bdi: a name written from right to left leaves the cells beside it alone.
            words = f"<bdi>{words}</bdi>"
        case LinkCell(_, url):
            words = f'<a href="{escape(url)}"><bdi>{words}</bdi></a>'
        case DroppedCell():
            words = f"<s>{words}</s>"
        case _:
            pass
    return f"<td{_class(column)}>{words}</td>"


def _class(column: Column[Any]) -> str:
    return ' class="n"' if column.is_number else ""


def _text(text: str) -> str:
    return escape(readable(text))
