"""Complete a record with what others know of its hand: the archive of a club (notation.md 10)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.notation.document import Comment, Document, Tag, quote
from engine.notation.memo import Memo
from engine.notation.names import CLUB_TABLES, CLUB_TAGS, ROSTER
from engine.notation.printing import text_of
from engine.notation.reader import RecordEntry
from engine.notation.sheet import NOTHING
from engine.notation.writer import write_record
from engine.record.record import clean_text

_OF_A_CLUB: Final = tuple(f"{name} " for name in CLUB_TABLES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What is known of a hand beside its record.

    ``tags`` stand in place of the record's own, ``defaults`` where the record says nothing;
    ``tables`` are those of a club. ``remarks`` follow the number of the hand.
    """

    tags: Mapping[str, str]
    defaults: Mapping[str, str]
    tables: tuple[Tag, ...] = ()
    remarks: tuple[str, ...] = ()


def clean_value(text: str) -> str:
    """A text as the value of a tag: in one line, and never taken for PBN's inheritance (4.8).

    >>> clean_value("#1 night")
    ' #1 night'
    """
    value = clean_text(text)
    return f" {value}" if value.startswith("#") else value


def complete_record(entry: RecordEntry, known: Completion) -> str:
    """A record in the canonical form with all that is known, without a final line feed.

    What an archive told of a hand before gives way to what is known now.
    """
    text = entry.text
    if entry.canonical and "{" not in text and "\\" not in text:
        found = _complete_canonical(text, known)
        if found is not None:
            return found
    return _complete_document(entry, known)


def _complete_canonical(text: str, known: Completion) -> str | None:
    """The same from the text of a canonical record; None where its tags are not in order."""
    begin = text.find('Table "')
    if begin > 0 and text[begin - 1] == "[":
        begin = text.find('Table "', begin + 1)
    begin = len(text) if begin < 0 else text.rfind("\n", 0, begin) + 1
    parts = text[:begin].split('"')
    names = _NAMES['"'.join(parts[::2])]
    if names is None:
        return None
    values = dict(zip(names, parts[1::2], strict=True))
    for name in CLUB_TAGS:
        values.pop(name, None)
    for name, value in known.defaults.items():
        if values.get(name, "") in NOTHING:
            values[name] = value
    values.update(known.tags)
    lines = []
    for name in _ORDER[tuple(values)]:
        value = values[name]
        if "\\" in value or '"' in value:
            value = quote(value)[1:-1]
        lines.append(f'[{name} "{value}"]')
        if name == "Board":
            lines += [_remark(words) for words in known.remarks]
    tables = text[begin:]
    if any(name in tables for name in _OF_A_CLUB):
        kept = [one for one in tables[1:-1].split("\n[") if not one.startswith(_OF_A_CLUB)]
        tables = "[" + "\n[".join(kept) + "\n" if kept else ""
    first = [_print(table) for table in known.tables if table.name == "SeatTable"]
    last = [_print(table) for table in known.tables if table.name != "SeatTable"]
    return "\n".join([*lines, "".join([*first, tables, *last])]).rstrip("\n")


def _complete_document(entry: RecordEntry, known: Completion) -> str:
    document = entry.document
    tags = [tag for tag in document.tags if tag.name not in (*CLUB_TAGS, *CLUB_TABLES)]
    said = {tag.name for tag in tags if tag.value.strip() not in NOTHING}
    more = {name: value for name, value in known.defaults.items() if name not in said}
    more |= known.tags
    remarks = tuple(Comment(words) for words in known.remarks)
    merged = [replace(tag, value=more.pop(tag.name, tag.value)) for tag in tags]
    merged += [Tag(name, value) for name, value in more.items()]
    merged = [
        replace(tag, remarks=(*tag.remarks, *remarks)) if tag.name == "Board" else tag
        for tag in merged
    ]
    return write_record(replace(document, tags=(*merged, *known.tables))).rstrip("\n")


def _names(between: str) -> tuple[str, ...] | None:
    """The names of the tags of a record, by what stands between their values."""
    gaps = between.split('"')
    names = tuple(gap[gap.find("[") + 1 : -1] for gap in gaps[:-1])
    is_plain = gaps[1:] == [*(f"]\n[{name} " for name in names[1:]), "]\n"]
    return names if is_plain and names[: len(ROSTER)] == ROSTER else None


def _order(names: tuple[str, ...]) -> tuple[str, ...]:
    return (*ROSTER, *sorted({*names} - {*ROSTER}))


_NAMES: Final = Memo(_names, 256)
_ORDER: Final = Memo(_order, 256)


def _remark(words: str) -> str:
    return "{" + clean_text(words).replace("}", ")") + "}"


def _print(table: Tag) -> str:
    return text_of(Document((), (table,)))
