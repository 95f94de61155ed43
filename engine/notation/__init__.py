"""PHN, Portable Hearts Notation 1.0: texts in, hand records out, and back (notation.md)."""

from engine.notation.building import to_document
from engine.notation.canonical import canonical
from engine.notation.csv_profile import csv_lines, write_csv
from engine.notation.diagnostics import RULES, Diagnostic, Meaning, NotationRule
from engine.notation.document import Comment, Document, Escape, Inset, Tag
from engine.notation.fault_places import place
from engine.notation.json_profile import json_records, read_json, write_json
from engine.notation.json_text import JsonError
from engine.notation.pbn import PBN_HEAD, PbnFile, pbn_records, write_pbn
from engine.notation.reader import Mode, Reader, RecordEntry, read, read_text
from engine.notation.writer import content_id, pieces, write, write_record

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
