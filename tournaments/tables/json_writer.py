"""JSON: the exact values, in one way of writing; fractions as "7/4", money in minor units."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from fractions import Fraction
from itertools import chain

from tournaments.tables.cells import readable
from tournaments.tables.sheets import (
    CellKind,
    Column,
    RankCell,
    TableSheet,
    Value,
    Workbook,
    flowing,
)

Plain = str | int | bool | None | dict[str, int | bool]


def write_json(workbook: Workbook) -> Iterator[bytes]:
    """Write a workbook as one object, a row a line; equal content is equal bytes."""
    made_at = workbook.properties.made_at
    yield b'{"title":' + _text(readable(workbook.title))
    yield b',"made_at":' + _text(None if made_at is None else _moment(made_at))
    yield b',"mark":' + _text(readable(workbook.properties.mark))
    yield b',"seal":' + _text(readable(workbook.properties.seal))
    yield b',"notes":' + _text([readable(note) for note in workbook.properties.notes])
    yield b',"sheets":['
    for place, sheet in enumerate(workbook.sheets):
        yield from chain([b"," if place else b""], _sheet(sheet))
    yield b"\n]}\n"


def _sheet(sheet: TableSheet) -> Iterator[bytes]:
    head = {"title": readable(sheet.title), "columns": [_column(each) for each in sheet.columns]}
    yield b"\n" + _text(head)[:-1] + b',"rows":['
    mark = b"\n"
    with flowing(sheet) as rows:
        for row in rows:
            cells = zip(sheet.columns, row, strict=True)
            yield mark + _text({column.key: exact(column, value) for column, value in cells})
            mark = b",\n"
    yield b"\n]}"


def _column(column: Column) -> dict[str, str | int]:
    said: dict[str, str | int] = {
        "key": column.key,
        "name": readable(column.name),
        "kind": column.kind.value,
    }
    if column.kind is CellKind.MONEY:
        said |= {"currency": column.currency, "minor": column.minor}
    return said


def exact(column: Column, value: Value) -> Plain:
    """Give a cell as JSON holds it; nothing is rounded."""
    match value:
        case str():
            return readable(value)
        case RankCell():
            return {"rank": value.place, "shared": value.shared}
        case datetime():
            return _moment(value)
        case date():
            return value.isoformat()
        case bool() | None:
            return value
        case int() | Fraction():
            return str(Fraction(value)) if column.kind is CellKind.EXACT else int(value)


def _moment(moment: datetime) -> str:
    return (moment.astimezone(UTC) if moment.tzinfo else moment).isoformat()


def _text(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
