"""PHN, Portable Hearts Notation 1.0: texts in, hand records out, and back (notation.md)."""

from engine.notation.diagnostics import RULES, Diagnostic, Meaning, Rule
from engine.notation.document import Comment, Document, Escape, Tag
from engine.notation.reader import Entry, Mode, Reader, read, read_text

__all__ = [
    "RULES",
    "Comment",
    "Diagnostic",
    "Document",
    "Entry",
    "Escape",
    "Meaning",
    "Mode",
    "Reader",
    "Rule",
    "Tag",
    "read",
    "read_text",
]
