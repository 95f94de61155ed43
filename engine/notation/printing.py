"""Printing: a document as text, tag by tag, just as it is."""

from engine.notation.document import Comment, Document, Remark, Tag, quote


def text_of(document: Document) -> str:
    """A document as it is, tag by tag."""
    lines = [_remark(remark) for remark in document.head]
    for tag in document.tags:
        lines.append(_pair(tag))
        if tag.remarks:
            lines.extend(map(_remark, tag.remarks))
        lines.extend(map(" ".join, tag.rows))
    lines.append("")
    return "\n".join(lines)


def _pair(tag: Tag) -> str:
    value = tag.value
    if "\\" in value or '"' in value:
        value = _escaped_columns(value) if tag.is_table else quote(value)[1:-1]
    return f'[{tag.name} "{value}"]'


def _escaped_columns(value: str) -> str:
    """The columns of a table: the backslash before a width is no escape."""
    first, *pieces = value.replace('"', '\\"').split("\\")
    return first + "".join(
        ("\\" if piece[:1] == '"' or piece[:1].isdigit() else "\\\\") + piece for piece in pieces
    )


def _remark(remark: Remark) -> str:
    return f"{{{remark.text}}}" if isinstance(remark, Comment) else f"%{remark.text}"
