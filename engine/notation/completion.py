"""Complete a record with what others know of its hand: the archive of a club (notation.md 10).

Nearly all records have their tags in plain order; those are changed without reading the rest.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from ..record.record import clean_text
from .document import Comment, Document, Tag, quote, text_of
from .memo import Memo
from .names import CLUB_TABLES, CLUB_TAGS, ROSTER
from .reader import RecordEntry
from .sheet import NOTHING
from .writer import write_record

_OF_A_CLUB: Final = tuple(f"{name} " for name in CLUB_TABLES)
_FIRST_OF_A_CLUB: Final = "SeatTable"


@dataclass(frozen=True)
class ClubTable:
    """A table of a club, and its text, which is printed once."""

    tag: Tag

    @cached_property
    def text(self) -> str:
        """The table as it stands in a record."""
        return text_of(Document((), (self.tag,)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """Known facts of a hand beside its record.

    ``tags`` stand in place of the record's own, ``defaults`` where the record says nothing, each
    as `clean_value` gives it;
    ``tables`` are those of a club. ``remarks`` follow the number of the hand.
    """

    tags: Mapping[str, str]
    defaults: Mapping[str, str]
    tables: tuple[ClubTable, ...] = ()
    remarks: tuple[str, ...] = ()


def clean_value(text: str) -> str:
    """A text as the value of a tag: in one line, and never taken for PBN's inheritance (4.8).

    >>> clean_value("#1 night")
    ' #1 night'
    """
    value = clean_text(text)
    return f" {value}" if value.startswith("#") else value


class PlainRecord:
    """A record whose tags stand in plain order, each once in a line, before its tables.

    What follows them is not looked at.
    """

    __slots__ = ("_tables", "values")

    def __init__(self, values: dict[str, str], tables: str) -> None:
        self.values, self._tables = values, tables

    @classmethod
    def read(cls, text: str) -> "PlainRecord | None":
        r"""The record of a text without a version line; None where it is not so plain.

        >>> PlainRecord.read('{a remark}\n[Event "?"]\n') is None
        True
        """
        if text[:8] != '[Event "':
            return None
        begin = text.find('Table "')
        if begin > 0 and text[begin - 1] == "[":
            # The tag Table, the number of a table in the room.
            begin = text.find('Table "', begin + 1)
        begin = len(text) if begin < 0 else text.rfind("\n", 0, begin) + 1
        head, tables = text[:begin], text[begin:]
        if "{" in text or "\\" in head or '"#' in head or any(mark in tables for mark in _ODD):
            return None
        parts = head.split('"')
        names = _NAMES['"'.join(parts[::2])]
        if names is None:
            return None
        return cls(dict(zip(names, parts[1::2], strict=True)), tables)

    def complete(self, known: Completion) -> str:
        """The record with all that is known, without a final line feed."""
        values, tables = self.values, self._tables
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
            if known.remarks and name == "Board":
                lines += [_remark(words) for words in known.remarks]
        if any(name in tables for name in _OF_A_CLUB):
            kept = [one for one in tables[1:-1].split("\n[") if not one.startswith(_OF_A_CLUB)]
            tables = "[" + "\n[".join(kept) + "\n" if kept else ""
        first = [table.text for table in known.tables if table.tag.name == _FIRST_OF_A_CLUB]
        last = [table.text for table in known.tables if table.tag.name != _FIRST_OF_A_CLUB]
        return "\n".join([*lines, "".join([*first, tables, *last])]).rstrip("\n")


def complete_record(entry: RecordEntry, known: Completion) -> str:
    """Any record in the canonical form with all that is known, without a final line feed.

    What an archive told of a hand before gives way to what is known now.
    """
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
    tables = [table.tag for table in known.tables]
    return write_record(replace(document, tags=(*merged, *tables))).rstrip("\n")


_ODD: Final = ("\n\n", "\n[Event ", "\r", "\n%")


def _names(between: str) -> tuple[str, ...] | None:
    """The names of the tags of a record, by what stands between their values."""
    gaps = between.split('"')
    names = tuple(gap[gap.find("[") + 1 : -1] for gap in gaps[:-1])
    is_plain = gaps[1:] == [*(f"]\n[{name} " for name in names[1:]), "]\n"]
    is_plain = is_plain and len(set(names)) == len(names)
    return names if is_plain and names[: len(ROSTER)] == ROSTER else None


def _order(names: tuple[str, ...]) -> tuple[str, ...]:
    return (*ROSTER, *sorted({*names} - {*ROSTER}))


_NAMES: Final = Memo(_names, 256)
_ORDER: Final = Memo(_order, 256)


def _remark(words: str) -> str:
    return "{" + clean_text(words).replace("}", ")") + "}"
