"""The packed file that an XLSX is: measured before anything is unpacked, read in small pieces."""

import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Protocol
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from defusedxml.common import DefusedXmlException
from defusedxml.sax import make_parser

from engine.messages import Message
from tournaments.tables.sniffing import refuse_archive
from tournaments.tables.tables import MIB, ReadLimits, TableError

_PIECE = 1 << 16
_SILENT = 16
"""So many pieces without one event are one monstrous tag."""
_DEEP = 64
_EVENTS, _AROUND = 12, 10_000
"""So many tags and texts for each cell that may be, and for what stands around them."""
_SMALL = MIB
"""A part below this may be packed as tightly as it likes."""
BROKEN = Message("The file is damaged: its parts cannot be read. Save it again as .xlsx.")


class Attributes(Protocol):
    """What stands in a tag."""

    def items(self) -> "list[tuple[str, str]]":
        """Give names and values."""


class XlsxPartHandler(ContentHandler):
    """Hears a part of an XLSX; names come without their prefixes.

    ``done``: nothing more is needed of this part.
    """

    def __init__(self) -> None:
        super().__init__()
        self.done = False
        self.heard = 0
        self.most = 0
        self._depth = 0

    def opened(self, name: str, values: dict[str, str]) -> None:
        """Hear a tag that opens."""

    def closed(self, name: str) -> None:
        """Hear a tag that closes."""

    def said(self, text: str) -> None:
        """Hear a piece of text."""

    def startElement(self, name: str, attrs: Attributes) -> None:  # noqa: N802 (the parser's name)
        self.heard += 1
        self._depth += 1
        if self._depth > _DEEP:
            raise TableError(BROKEN)
        if self.heard > self.most:
            raise TableError(Message("The file has far too many cells, most of them empty."))
        values = {key.rpartition(":")[2]: value for key, value in attrs.items()}
        self.opened(name.rpartition(":")[2], values)

    def endElement(self, name: str) -> None:  # noqa: N802 (the parser's name)
        self.heard += 1
        self._depth -= 1
        self.closed(name.rpartition(":")[2])

    def characters(self, content: str) -> None:
        self.heard += 1
        self.said(content)


class ZipArchive:
    """A packed file within its limits."""

    def __init__(self, data: bytes, limits: ReadLimits) -> None:
        """Measure it. Raises TableError: no XLSX, damaged, too big unpacked, locked."""
        try:
            self._zip = ZipFile(BytesIO(data))
        except (BadZipFile, ValueError, NotImplementedError, OSError, RuntimeError):
            raise TableError(BROKEN) from None
        self._cells = limits.cells
        _measure(self._zip, len(data), limits)
        self._names = {part.filename.lower(): part.filename for part in self._zip.infolist()}
        refuse_archive(frozenset(self._zip.namelist()), self._start("mimetype"))

    def has(self, name: str) -> bool:
        """Tell whether there is such a part."""
        return name.lower() in self._names

    def _start(self, name: str) -> bytes:
        return next(self._pieces(name, 100), b"") if self.has(name) else b""

    def _pieces(self, name: str, size: int = _PIECE) -> Iterator[bytes]:
        try:
            with self._zip.open(self._names[name.lower()]) as part:
                while piece := part.read(size):
                    yield piece
        except (BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError):
            raise TableError(BROKEN) from None

    def listen(self, name: str, reader: XlsxPartHandler) -> None:
        """Let a reader hear a part. Raises TableError: damaged, or XML that nobody should write."""
        reader.most = _AROUND + _EVENTS * self._cells
        parser = make_parser()
        parser.forbid_dtd = True
        parser.setContentHandler(reader)
        silent = 0
        try:
            for piece in self._pieces(name):
                before = reader.heard
                parser.feed(piece)
                if reader.done:
                    return
                silent = silent + 1 if reader.heard == before else 0
                if silent > _SILENT:
                    raise TableError(BROKEN)
            parser.close()
        except DefusedXmlException:
            words = Message(
                "The file declares things that no spreadsheet needs (DTD), and was not read."
            )
            raise TableError(words) from None
        except (SAXException, ValueError, LookupError):
            raise TableError(BROKEN) from None


def _measure(file: ZipFile, size: int, limits: ReadLimits) -> None:
    parts = file.infolist()
    if len(parts) > limits.parts:
        raise TableError(
            Message(
                "The file packs {count} files; {most} are the most.",
                count=len(parts),
                most=limits.parts,
            )
        )
    total = sum(part.file_size for part in parts)
    if total > limits.unpacked:
        words = Message(
            "Unpacked, the file would have {size} MiB; at most {most} MiB are read.",
            size=-(-total // MIB),
            most=limits.unpacked // MIB,
        )
        raise TableError(words)
    if total > _SMALL and total > limits.ratio * size:
        raise TableError(Message("The file is packed far too tightly for a table. Save it again."))
    for part in parts:
        if part.flag_bits & 1:
            raise TableError(Message("The file is locked with a password. Save it without one."))
        if part.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise TableError(BROKEN)
