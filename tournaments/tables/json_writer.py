"""JSON: numbers as pages show them, exact fractions as "7/4", money in minor units.

Dates are ISO 8601; what the head says in words has them beside it, as ``date_iso``.
"""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any

from tournaments.tables.cells import fixed_text, readable
from tournaments.tables.model import (
    Column,
    ColumnKind,
    DroppedCell,
    LinkCell,
    RankCell,
    Row,
    Table,
    Value,
    Workbook,
)


def write_json(workbook: Workbook) -> Iterator[bytes]:
    """Write a workbook as one object, a row a line; equal content is equal bytes."""
    about = workbook.properties
    head = {
        "title": readable(about.title or workbook.title),
        "what": readable(about.subject),
        "club": readable(about.author),
        "status": readable(about.status),
        **({"status_iso": _moment(about.status_since)} if about.status_since else {}),
        **{detail.key: readable(detail.text) for detail in about.details},
        **{f"{detail.key}_iso": _moment(detail.at) for detail in about.details if detail.at},
        "language": about.locale.code,
        "made_at": None if about.made_at is None else _moment(about.made_at),
        "address": readable(about.address),
        "digest": readable(about.digest),
    }
    yield _text(head)[:-1] + b',"tables":['
    for place, table in enumerate(workbook.tables):
        yield b"," if place else b""
        yield from _write_table(table)
    yield b"\n]}\n"


def _write_table(table: Table[Any]) -> Iterator[bytes]:
    head = {"title": readable(table.title), "columns": list(map(_column, table.columns))}
    yield b"\n" + _text(head)[:-1] + b',"rows":['
    separator = b"\n"
    with table.open_rows() as rows:
        for row in rows:
            yield separator + _row(table.columns, row).encode()
            separator = b",\n"
    yield b"\n]}"


def _column(column: Column[Any]) -> dict[str, str | int]:
    said: dict[str, str | int] = {
        "key": column.key,
        "title": readable(column.title),
        "kind": column.kind.value,
    }
    if column.day is not None:
        said["date"] = column.day.isoformat()
    if column.kind is ColumnKind.MONEY:
        said |= {"currency": column.currency, "minor_digits": column.minor_digits}
    return said


def _row(columns: tuple[Column[Any], ...], row: Row) -> str:
    """Write a row; the scores that do not count are named in it as ``dropped``."""
    pairs = list(zip(columns, row, strict=True))
    cells = [f"{json.dumps(column.key)}:{_literal(column, value)}" for column, value in pairs]
    if dropped := [column.key for column, value in pairs if isinstance(value, DroppedCell)]:
        cells.append(f'"dropped":{json.dumps(dropped)}')
    return "{" + ",".join(cells) + "}"


def _literal(column: Column[Any], value: Value) -> str:
    match value:
        case DroppedCell(score):
            return _literal(column, score)
        case RankCell(place):
            return str(place)
        case LinkCell(text, url):
            return _text({"text": readable(text), "url": url}).decode()
        case bool() | None:
            return json.dumps(value)
        case datetime():
            return json.dumps(_moment(value))
        case date():
            return json.dumps(value.isoformat())
        case int() | Fraction():
            return _number(column, value)
        case str():
            return _text(readable(value)).decode()


def _number(column: Column[Any], number: int | Fraction) -> str:
    match column.kind:
        case ColumnKind.DECIMAL:
            return fixed_text(Fraction(number), column.decimal_places)
        case ColumnKind.FRACTION:
            return json.dumps(str(Fraction(number)))
        case _:
            return str(int(number))


def _moment(moment: datetime) -> str:
    return (moment.astimezone(UTC) if moment.tzinfo else moment).isoformat()


def _text(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
