"""The packed file of a spreadsheet: measured before it is unpacked, its XML read in bounds."""

import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.sax import SAXException
from xml.sax.handler import ContentHandler
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from defusedxml.common import DefusedXmlException
from defusedxml.sax import make_parser

from engine.core.messages import Message
from tournaments.tables.input_model import MIB, ReadLimits, TableError, is_opendocument

_PIECE = 1 << 16
_SILENT = 16
"""So many pieces without one event are one monstrous tag."""
_DEEP = 64
_EVENTS, _AROUND = 8, 10_000
"""So many tags and texts for each cell that may be, and for what stands around them."""
_INSIDE = 100_000
"""So many tags in one row; Excel has 16,384 columns."""
_SMALL = MIB
"""A part below this may be packed as tightly as it likes."""
BROKEN = Message("The file is damaged: its parts cannot be read. Save it again.")
_UNREADABLE = (BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, OSError, LookupError)


class _Collector(ContentHandler):
    """Builds the elements of some names, and forgets all others; names lose their prefixes.

    Of those in ``starts`` it gives the attributes where they begin, and goes on inside.
    """

    def __init__(self, wanted: tuple[str, ...], starts: tuple[str, ...], most: int) -> None:
        super().__init__()
        self.ready: list[Element] = []
        self.events = 0
        self._wanted, self._starts, self._most = wanted, starts, most
        self._depth = self._base = self._inside = 0
        self._builder: TreeBuilder | None = None

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802 (the parser's name)
        self.events += 1
        self._depth += 1
        if self._depth > _DEEP:
            raise TableError(BROKEN)
        tag = name.rpartition(":")[2]
        if self._builder is None and tag in self._wanted:
            self._builder, self._base, self._inside = TreeBuilder(), self._depth, 0
        self._inside += 1
        if self.events > self._most or (self._builder and self._inside > _INSIDE):
            raise TableError(Message("The file has far too many cells, most of them empty."))
        if self._builder is not None:
            self._builder.start(tag, _attributes(attrs))
        elif tag in self._starts:
            self.ready.append(Element(tag, _attributes(attrs)))

    def endElement(self, name: str) -> None:  # noqa: N802 (the parser's name)
        self.events += 1
        if self._builder is not None:
            self._builder.end(name.rpartition(":")[2])
            if self._depth == self._base:
                self.ready.append(self._builder.close())
                self._builder = None
        self._depth -= 1

    def characters(self, content: str) -> None:
        self.events += 1
        if self._builder is not None:
            self._builder.data(content)


class PackedFile:
    """A packed file within its limits; ``is_ods``: an OpenDocument spreadsheet, else an XLSX."""

    def __init__(self, data: bytes, limits: ReadLimits) -> None:
        """Measure it. Raises TableError: no spreadsheet, damaged, too big unpacked, locked."""
        try:
            self._zip = ZipFile(BytesIO(data))
        except _UNREADABLE:
            raise TableError(BROKEN) from None
        self._most = _AROUND + _EVENTS * limits.cells
        _measure(self._zip, len(data), limits)
        self._names = {part.filename.lower(): part.filename for part in self._zip.infolist()}
        mimetype = next(self.pieces("mimetype", 100), b"") if self.has("mimetype") else b""
        self.is_ods = is_opendocument(frozenset(self._zip.namelist()), mimetype)

    def has(self, name: str) -> bool:
        """Tell whether there is such a part."""
        return name.lower() in self._names

    def pieces(self, name: str, size: int = _PIECE) -> Iterator[bytes]:
        """The bytes of a part, unpacked piece by piece. Raises TableError."""
        try:
            with self._zip.open(self._names[name.lower()]) as part:
                while piece := part.read(size):
                    yield piece
        except _UNREADABLE:
            raise TableError(BROKEN) from None

    def elements(self, name: str, *wanted: str, starts: tuple[str, ...] = ()) -> Iterator[Element]:
        """Elements of some names in a part; none where there is no such part.

        Of those in ``starts`` only the attributes, before what lies inside.

        Raises TableError: damaged, or XML that nobody should write.
        """
        if not self.has(name):
            return
        collector = _Collector(wanted, starts, self._most)
        parser = make_parser()
        parser.forbid_dtd = True
        parser.setContentHandler(collector)
        silent = 0
        try:
            for piece in self.pieces(name):
                before = collector.events
                parser.feed(piece)
                silent = silent + 1 if collector.events == before else 0
                if silent > _SILENT:
                    raise TableError(BROKEN)
                ready, collector.ready = collector.ready, []
                yield from ready
            parser.close()
        except DefusedXmlException:
            words = Message(
                "The file declares things that no spreadsheet needs (DTD), and was not read."
            )
            raise TableError(words) from None
        except (SAXException, ValueError, LookupError):
            raise TableError(BROKEN) from None
        yield from collector.ready


def _attributes(attrs: Any) -> dict[str, str]:
    return {key.rpartition(":")[2]: text for key, text in attrs.items()}


def _measure(file: ZipFile, size: int, limits: ReadLimits) -> None:
    parts = file.infolist()
    if len(parts) > limits.parts:
        words = Message(
            "The file packs {count} files; {most} are the most.",
            count=len(parts),
            most=limits.parts,
        )
        raise TableError(words)
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
