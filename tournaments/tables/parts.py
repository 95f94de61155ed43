"""The parts of an XLSX around its cells: which worksheets there are, shared texts, date styles."""

import re
from dataclasses import dataclass, field

from tournaments.tables.archive import XlsxPartHandler
from tournaments.tables.tables import ReadLimits, too_many_cells

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
"""Number formats that every Excel knows as dates or times (ECMA-376, 18.8.30)."""


def unescape_text(text: str) -> str:
    """Read the way in which Excel writes characters that XML has not."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


@dataclass(frozen=True, slots=True)
class SheetPart:
    """One worksheet as the workbook names it."""

    name: str
    relation: str
    hidden: bool


class WorkbookReader(XlsxPartHandler):
    """Which worksheets there are, and from which year dates count."""

    def __init__(self) -> None:
        super().__init__()
        self.sheets: list[SheetPart] = []
        self.from_1904 = False

    def opened(self, name: str, values: dict[str, str]) -> None:
        """Hear a tag that opens."""
        if name == "sheet":
            hidden = values.get("state", "visible") != "visible"
            self.sheets.append(SheetPart(values.get("name", ""), values.get("id", ""), hidden))
        elif name == "workbookPr":
            self.from_1904 = values.get("date1904") in ("1", "true")


class RelationsReader(XlsxPartHandler):
    """Where the parts lie that the workbook names."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: dict[str, str] = {}
        self.kinds: dict[str, str] = {}

    def opened(self, name: str, values: dict[str, str]) -> None:
        """Hear a tag that opens."""
        if name == "Relationship" and values.get("TargetMode") != "External":
            target = values.get("Target", "")
            path = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            self.targets[values.get("Id", "")] = path
            self.kinds.setdefault(values.get("Type", "").rpartition("/")[2], path)


class SharedTextReader(XlsxPartHandler):
    """The texts that cells share; how to pronounce them is left out."""

    def __init__(self, limits: ReadLimits) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._limits = limits
        self._parts: list[str] = []
        self._in_text = self._in_reading = False

    def opened(self, name: str, values: dict[str, str]) -> None:
        """Hear a tag that opens."""
        if name == "si":
            self._parts = []
        elif name == "rPh":
            self._in_reading = True
        elif name == "t":
            self._in_text = not self._in_reading

    def said(self, text: str) -> None:
        """Hear a piece of text."""
        if self._in_text:
            self._parts.append(text)

    def closed(self, name: str) -> None:
        """Hear a tag that closes."""
        if name == "si":
            if len(self.texts) == self._limits.cells:
                raise too_many_cells(self._limits)
            self.texts.append(unescape_text("".join(self._parts)))
        elif name == "rPh":
            self._in_reading = False
        elif name == "t":
            self._in_text = False


class StyleReader(XlsxPartHandler):
    """Which styles show their numbers as dates or times."""

    def __init__(self) -> None:
        super().__init__()
        self.dates: list[bool] = []
        self._formats: dict[str, str] = {}
        self._in_cells = False

    def opened(self, name: str, values: dict[str, str]) -> None:
        """Hear a tag that opens."""
        if name == "numFmt":
            self._formats[values.get("numFmtId", "")] = values.get("formatCode", "")
        elif name == "cellXfs":
            self._in_cells = True
        elif name == "xf" and self._in_cells:
            self.dates.append(self._is_date(values.get("numFmtId", "0")))

    def closed(self, name: str) -> None:
        """Hear a tag that closes."""
        if name == "cellXfs":
            self._in_cells = False

    def _is_date(self, number: str) -> bool:
        if number in self._formats:
            return shows_date(self._formats[number])
        return number.isdecimal() and int(number[:4]) in _DATES


def shows_date(code: str) -> bool:
    """Tell whether a number format shows dates or times.

    >>> shows_date("yyyy-mm-dd"), shows_date('0.00 "days"'), shows_date("[Red]0")
    (True, False, False)
    """
    inside = ""
    for sign in code.lower():
        if inside:
            inside = "" if inside in (sign, "\\") else inside
        elif sign in '"[\\_*':
            inside = {"[": "]", "_": "\\", "*": "\\"}.get(sign, sign)
        elif sign in "ydhs" or sign == "m":
            return True
        elif sign == ";":
            return False
    return False


@dataclass(slots=True)
class Known:
    """What the cells of a worksheet refer to."""

    texts: list[str] = field(default_factory=list)
    dates: list[bool] = field(default_factory=list)
    from_1904: bool = False
