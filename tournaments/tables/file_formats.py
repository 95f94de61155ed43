"""What a file is by what lies in it, whatever it is called."""

from enum import Enum, auto

from engine.messages import Message
from tournaments.tables.input_model import TableError

_SAVE = Message("Open it in your spreadsheet program and save it as .xlsx, .ods or .csv.")
_STARTS = (
    (b"%PDF", Message("This is a PDF, from which no table can be read. {save}", save=_SAVE)),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        Message("This is an old Excel file (.xls), or one with a password. {save}", save=_SAVE),
    ),
    (b"\x1f\x8b", Message("This file is packed (gzip). Unpack it first.")),
    (b"Rar!", Message("This file is packed (RAR). Unpack it first.")),
    (b"7z\xbc\xaf\x27\x1c", Message("This file is packed (7-Zip). Unpack it first.")),
    (b"BZh", Message("This file is packed (bzip2). Unpack it first.")),
    (b"\xfd7zXZ", Message("This file is packed (xz). Unpack it first.")),
    (b"\x28\xb5\x2f\xfd", Message("This file is packed (Zstandard). Unpack it first.")),
    (b"{\\rtf", Message("This is a text document (RTF), not a table. {save}", save=_SAVE)),
    (b"\x89PNG", Message("This is a picture, not a table.")),
    (b"\xff\xd8\xff", Message("This is a picture, not a table.")),
    (b"GIF8", Message("This is a picture, not a table.")),
    (b"SQLite format 3", Message("This is a database, not a table.")),
)
_WEB = (b"<!doctype", b"<html", b"<?xml", b"<table", b"<workbook", b"<svg")


class FileFormat(Enum):
    """What can be read."""

    DELIMITED = auto()
    PACKED = auto()


def sniff(data: bytes) -> FileFormat:
    """Tell what to read a file as. Raises TableError with what to do instead."""
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise TableError(Message("The file is empty."))
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return FileFormat.PACKED
    for start, words in _STARTS:
        if data.startswith(start):
            raise TableError(words)
    if data[:512].removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_WEB):
        raise TableError(Message("This is a web page or XML, not a table. {save}", save=_SAVE))
    return FileFormat.DELIMITED


def is_opendocument(names: frozenset[str], mimetype: bytes) -> bool:
    """Tell whether a packed file is an ODS; if not, it is an XLSX. Raises TableError for others."""
    if "xl/workbook.xml" in {name.lower() for name in names}:
        return False
    if mimetype.startswith(b"application/vnd.oasis.opendocument.spreadsheet"):
        return True
    if mimetype.startswith(b"application/vnd.oasis.opendocument"):
        raise TableError(Message("This is an OpenDocument file, but not a spreadsheet."))
    if "xl/workbook.bin" in names:
        raise TableError(Message("This is a binary Excel file (.xlsb). {save}", save=_SAVE))
    if any(name.startswith("Index/") or name == "Index.zip" for name in names):
        raise TableError(Message("This is a Numbers file. Export it as Excel or CSV."))
    if any(name.startswith("word/") for name in names):
        raise TableError(Message("This is a Word document, not a table."))
    raise TableError(Message("This is a packed file (.zip). Unpack it, and send the table in it."))
