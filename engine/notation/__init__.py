"""PHN, Portable Hearts Notation 1.0: texts in, hand records out, and back (notation.md)."""

from .building import to_document
from .canonical import canonical
from .csv_profile import csv_lines, write_csv
from .diagnostics import RULES, Diagnostic, Meaning, NotationRule
from .document import Comment, Document, Escape, Inset, Tag
from .fault_places import place
from .json_profile import json_records, read_json, write_json
from .json_text import JsonError
from .pbn import PBN_HEAD, PbnFile, pbn_records, write_pbn
from .reader import Mode, Reader, RecordEntry, read, read_text
from .writer import content_id, pieces, write, write_record

__all__ = [
    "PBN_HEAD",
    "RULES",
    "Comment",
    "Diagnostic",
    "Document",
    "Escape",
    "Inset",
    "JsonError",
    "Meaning",
    "Mode",
    "NotationRule",
    "PbnFile",
    "Reader",
    "RecordEntry",
    "Tag",
    "canonical",
    "content_id",
    "csv_lines",
    "json_records",
    "pbn_records",
    "pieces",
    "place",
    "read",
    "read_json",
    "read_text",
    "to_document",
    "write",
    "write_csv",
    "write_json",
    "write_pbn",
    "write_record",
]
