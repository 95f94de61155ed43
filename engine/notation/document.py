"""Document: a record as it was written, nothing left out and nothing understood yet.

A document is a list of tags. A table is a tag whose name ends in ``Table``: its value names the
columns and rows follow it; a PBN section (``[Play "S"]``) is a tag with rows as well. Comments
and escapes belong to the tag they follow; in a section they stay at the cell that they follow.
Places in the text are kept, but do not count when documents are compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from .diagnostics import Spot

Row = tuple[str, ...]
"""The cells of a row as they are written: tokens, and strings with their quotes."""

NOWHERE: Final = Spot(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Comment:
    """The text between braces, or from a semicolon to the end of the line."""

    text: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Escape:
    """A line that begins with %; the text after it."""

    text: str
    line: int = field(default=0, compare=False)


Remark = Comment | Escape


class Inset(NamedTuple):
    """A remark inside a section: in which row, counted from 0, and after how many of its cells.

    A remark on a line of its own stands in a row without cells.
    """

    row: int
    cell: int
    remark: Remark


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag pair, with the remarks and the rows that follow it.

    ``insets`` are the remarks inside the rows, in order; tables have none. ``cell_words`` are the
    line of each cell, and its place among the words there, where a section became a table.
    """

    name: str
    value: str
    remarks: tuple[Remark, ...] = ()
    rows: tuple[Row, ...] = ()
    spot: Spot = field(default=NOWHERE, compare=False)
    value_spot: Spot = field(default=NOWHERE, compare=False)
    row_lines: tuple[int, ...] = field(default=(), compare=False)
    insets: tuple[Inset, ...] = ()
    cell_words: tuple[tuple[tuple[int, int], ...], ...] = field(default=(), compare=False)

    @property
    def is_table(self) -> bool:
        """Whether the value is a list of columns."""
        return is_table_name(self.name)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a table's columns, without sorting marks and widths."""
        return tuple(column_name(column) for column in self.value.split(";"))


@dataclass(frozen=True, slots=True)
class Document:
    """A record at the level of its text: remarks before the first tag, and the tags in order.

    ``settled`` says that it was made in the canonical form; a copy with changes is not.
    """

    head: tuple[Remark, ...] = ()
    tags: tuple[Tag, ...] = ()
    settled: bool = field(default=False, init=False, compare=False, repr=False)

    @classmethod
    def settle(cls, tags: tuple[Tag, ...]) -> "Document":
        """A document of tags that are known to be canonical, and in the canonical order."""
        made = cls((), tags)
        object.__setattr__(made, "settled", True)
        return made

    def tag(self, name: str) -> Tag | None:
        """The first tag of a name."""
        return next((tag for tag in self.tags if tag.name == name), None)

    def value(self, name: str) -> str | None:
        """The value of the first tag of a name."""
        tag = self.tag(name)
        return None if tag is None else tag.value

    def remarks(self) -> Iterator[Remark]:
        """All comments and escapes, in order."""
        yield from self.head
        for tag in self.tags:
            yield from tag.remarks
            yield from (inset.remark for inset in tag.insets)


def is_table_name(name: str) -> bool:
    """Whether tags of this name are tables: the tag ``Table`` is none."""
    return name.endswith("Table") and len(name) > 5


def column_name(column: str) -> str:
    r"""A column's name without sorting mark and width.

    >>> column_name("-Rank\\5R")
    'Rank'
    """
    name = column.strip().partition("\\")[0]
    return name[1:] if name[:1] in ("+", "-") and len(name) > 1 else name


def cell_text(cell: str) -> str:
    r"""Return the text of a cell: a token itself, a string without quotes and escapes."""
    return unquote(cell[1:-1]) if cell.startswith('"') else cell


def unquote(inner: str) -> str:
    r"""The text that an escaped string stands for; other backslashes stay."""
    if "\\" not in inner:
        return inner
    pieces = inner.split("\\\\")
    return "\\".join(piece.replace('\\"', '"') for piece in pieces)


def quote(text: str) -> str:
    r"""A text as a string with its quotes: only quotes and backslashes are escaped."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def said_of(what: str, text: str) -> str:
    """A comment that had to move, with what it was said of.

    >>> said_of("row 2, S5", "led quickly")
    'row 2, S5: led quickly'
    """
    return f"{what}:{'' if text[:1].isspace() else ' '}{text}"


def text_of(document: Document) -> str:
    """A document as it is, tag by tag."""
    lines = [_remark(remark) for remark in document.head]
    for tag in document.tags:
        value = tag.value
        if "\\" in value or '"' in value:
            value = _escaped_columns(value) if tag.is_table else quote(value)[1:-1]
        lines.append(f'[{tag.name} "{value}"]')
        if tag.remarks:
            lines.extend(map(_remark, tag.remarks))
        if tag.rows:
            lines.extend(_rows(tag) if tag.insets else map(" ".join, tag.rows))
    lines.append("")
    return "\n".join(lines)


def _rows(tag: Tag) -> Iterator[str]:
    """The rows of a section with the remarks that stand in them."""
    rows: list[list[str]] = [list(row) for row in tag.rows]
    for inset in reversed(tag.insets):
        rows[inset.row].insert(inset.cell, _remark(inset.remark))
    return map(" ".join, rows)


def _escaped_columns(value: str) -> str:
    """The columns of a table: the backslash before a width is no escape."""
    first, *pieces = value.replace('"', '\\"').split("\\")
    return first + "".join(
        ("\\" if piece[:1] == '"' or piece[:1].isdigit() else "\\\\") + piece for piece in pieces
    )


def _remark(remark: Remark) -> str:
    return f"{{{remark.text}}}" if isinstance(remark, Comment) else f"%{remark.text}"
