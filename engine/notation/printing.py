"""Print a document as text, tag by tag, unchanged."""

from collections.abc import Iterator

from .document import Comment, Document, Remark, Tag, quote


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
