"""JSON profile: documents as JSON and back, without loss.

The shape is ``{"phn": "1.0", "records": [{"head": [remark…], "tags": [tag…]}…]}``. A tag is
``{"name", "value", "remarks", "rows"}``; lists that are empty are left out. A remark is
``{"comment": text}`` or ``{"escape": text}``. A row is a list of cells as they are written:
tokens, and strings with their quotes; in a section remarks stand between the cells.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Final

from ..core.messages import Message
from ..record.record import HandRecord
from .document import Comment, Document, Escape, Inset, Remark, Row, Tag
from .json_text import JsonError, JsonText
from .names import is_name
from .reader import RecordEntry
from .source import Source
from .writer import Writable, to_document

_VERSION: Final = "1.0"


def write_json(items: Iterable[Writable]) -> str:
    """Documents, entries or hand records as one JSON text."""
    records = [_record(_document(item)) for item in items]
    whole = {"phn": _VERSION, "records": records}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def read_json(text: str | bytes) -> list[Document]:
    """The documents of a JSON text that `write_json` wrote. Raises JsonError."""
    return list(json_records(text))


def json_records(source: Source) -> Iterator[Document]:
    """The documents of a JSON text or a file of it, one by one; only one is held at a time.

    Raises JsonError, where it comes to what is wrong.
    """
    text = JsonText(source)
    seen: set[str] = set()
    for name in _members(text):
        if name in seen:
            raise JsonError(name, Message("it stands twice"))
        seen.add(name)
        if name == "records":
            yield from _records(text)
        elif text.value() != _VERSION and name == "phn":
            raise _other_version()
    if text.peek():
        raise text.refuse(Message("Extra data"))
    for name, error in (("phn", _other_version()), ("records", _no_records())):
        if name not in seen:
            raise error


def _no_records() -> JsonError:
    return JsonError("records", Message("a list is needed"))


def _other_version() -> JsonError:
    return JsonError("phn", Message("the version {version} is needed", version=_VERSION))


def _members(text: JsonText) -> Iterator[str]:
    """The names in the object that the text is; whoever asks reads the value after each."""
    if not text.take("{"):
        text.value()
        raise _other_version()
    if text.take("}"):
        return
    while True:
        if text.peek() != '"':
            raise text.refuse(Message("Expecting property name enclosed in double quotes"))
        name = str(text.value())
        if not text.take(":"):
            raise text.refuse(Message("Expecting ':' delimiter"))
        yield name
        if text.take("}"):
            return
        if not text.take(","):
            raise text.refuse(Message("Expecting ',' delimiter"))


def _records(text: JsonText) -> Iterator[Document]:
    if not text.take("["):
        text.value()
        raise _no_records()
    if text.take("]"):
        return
    for at in count():
        yield _read_record(text.value(), f"records[{at}]")
        if text.take("]"):
            return
        if not text.take(","):
            raise text.refuse(Message("Expecting ',' delimiter"))


def _document(item: Writable) -> Document:
    if isinstance(item, RecordEntry):
        return item.document
    return to_document(item) if isinstance(item, HandRecord) else item


def _record(document: Document) -> dict[str, object]:
    found: dict[str, object] = {"tags": [_tag(tag) for tag in document.tags]}
    return {"head": [_remark(one) for one in document.head], **found} if document.head else found


def _tag(tag: Tag) -> dict[str, object]:
    found: dict[str, object] = {"name": tag.name, "value": tag.value}
    if tag.remarks:
        found["remarks"] = [_remark(remark) for remark in tag.remarks]
    if tag.rows:
        rows: list[list[object]] = [list(row) for row in tag.rows]
        for inset in reversed(tag.insets):
            rows[inset.row].insert(inset.cell, _remark(inset.remark))
        found["rows"] = rows
    return found


def _remark(remark: Remark) -> dict[str, str]:
    return {"comment" if isinstance(remark, Comment) else "escape": remark.text}


def _read_record(value: object, where: str) -> Document:
    record = _dict(value, where)
    tags = _list(record.get("tags", []), f"{where}.tags")
    return Document(
        _read_remarks(record.get("head", []), f"{where}.head"),
        tuple(_read_tag(tag, f"{where}.tags[{at}]") for at, tag in enumerate(tags)),
    )


def _read_tag(value: object, where: str) -> Tag:
    tag = _dict(value, where)
    name = _text(tag.get("name"), f"{where}.name")
    if not is_name(name) or not name[0].isupper():
        raise JsonError(where, Message("its name cannot be the name of a tag"))
    rows: list[Row] = []
    insets: list[Inset] = []
    for at, row in enumerate(_list(tag.get("rows", []), f"{where}.rows")):
        cells, remarks = _read_row(row, f"{where}.rows[{at}]")
        rows.append(cells)
        insets += (Inset(at, place, remark) for place, remark in remarks)
    return Tag(
        name,
        _text(tag.get("value"), f"{where}.value"),
        _read_remarks(tag.get("remarks", []), f"{where}.remarks"),
        tuple(rows),
        insets=tuple(insets),
    )


def _read_row(value: object, where: str) -> tuple[Row, list[tuple[int, Remark]]]:
    """The cells of a row, and its remarks with the number of cells before each."""
    cells: list[str] = []
    remarks: list[tuple[int, Remark]] = []
    for at, cell in enumerate(_list(value, where)):
        if isinstance(cell, dict):
            remarks.append((len(cells), _read_remark(cell, f"{where}[{at}]")))
        else:
            # Written as nothing at all, an empty cell would move those after it.
            cells.append(_text(cell, f"{where}[{at}]") or "-")
    return tuple(cells), remarks


def _read_remarks(value: object, where: str) -> tuple[Remark, ...]:
    return tuple(
        _read_remark(remark, f"{where}[{at}]") for at, remark in enumerate(_list(value, where))
    )


def _read_remark(value: object, where: str) -> Remark:
    remark = _dict(value, where)
    if "comment" in remark:
        return Comment(_text(remark["comment"], f"{where}.comment"))
    return Escape(_text(remark.get("escape"), f"{where}.escape"))


def _dict(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise JsonError(where, Message("an object is needed"))
    return value


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise JsonError(where, Message("a list is needed"))
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise JsonError(where, Message("a text is needed"))
    return value
