"""A line of text as it is drawn: the fonts that have its letters, joined and turned as they need.

Widths and sizes are in points.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tournaments.tables.cells import readable
from tournaments.tables.directions import drawn_order, levels
from tournaments.tables.fonts import LAST, REGULAR, font, font_for, has

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

UNKNOWN = "\ufffd"
"""Drawn for a letter that no font has."""
_JOINERS = "\u200c\u200d"
_PLAIN = 0x300
"""Below this every letter stands for itself, so nothing has to be shaped."""
_SHAPED_FONTS = ("NotoSansDevanagari-Regular",)


@dataclass(frozen=True, slots=True)
class Piece:
    """A run in one font, in the order of drawing; ``width`` at one point of size."""

    font: str
    text: str
    width: float


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Measure a line."""
    return sum(piece.width for piece in pieces(text, bold=bold)) * size


def draw(
    canvas: "Canvas", at: tuple[float, float], text: str, size: float, *, bold: bool = False
) -> None:
    """Draw a line from a point of its base on to the right."""
    words = canvas.beginText(*at)
    for piece in pieces(text, bold=bold):
        words.setFont(piece.font, size)
        words.textOut(piece.text)
    canvas.drawText(words)


@lru_cache(maxsize=1 << 14)
def pieces(text: str, *, bold: bool = False) -> tuple[Piece, ...]:
    """Cut a line into runs, in the order in which they are drawn."""
    words = unicodedata.normalize("NFC", readable(" ".join(text.split())))
    # Signs of format show nothing; only those that join letters are for the font.
    signs = "".join(s for s in words if s in _JOINERS or unicodedata.category(s) != "Cf")
    if not signs:
        return ()
    depths = levels(signs)
    faces = _faces(signs, bold=bold)
    edges = [
        0,
        *(
            place
            for place in range(1, len(signs))
            if (depths[place], faces[place]) != (depths[place - 1], faces[place - 1])
        ),
        len(signs),
    ]
    starts = edges[:-1]
    runs = [
        _piece(signs[start:end], faces[start], turned=bool(depths[start] % 2))
        for start, end in zip(starts, edges[1:], strict=True)
    ]
    return tuple(runs[place] for place in drawn_order([depths[start] for start in starts]))


def _faces(signs: str, *, bold: bool) -> list[str]:
    """Choose a font for each sign; marks and joiners stay with the letter that they belong to."""
    faces: list[str] = []
    for sign in signs:
        clings = sign in _JOINERS or unicodedata.combining(sign) or sign == " "
        if faces and clings and has(faces[-1], sign):
            faces.append(faces[-1])
        else:
            faces.append(font_for(sign, bold=bold) or REGULAR)
    return faces


def _piece(signs: str, name: str, *, turned: bool) -> Piece:
    signs = "".join(sign for sign in signs if has(name, sign) or sign not in _JOINERS)
    known = "".join(sign if has(name, sign) else UNKNOWN for sign in signs)
    has_marks = any(ord(sign) >= _PLAIN and unicodedata.combining(sign) for sign in known)
    if name != LAST and (turned or name in _SHAPED_FONTS or has_marks):
        from reportlab.pdfbase.ttfonts import shapeStr  # noqa: PLC0415 (loaded to print, only)

        known = shapeStr(known, name, 1000, force=True)
        return Piece(name, known, sum(each.x_advance for each in known.__shapeData__) / 1000)
    return Piece(name, known, font(name).stringWidth(known, 1000) / 1000)


def wrap_text(
    text: str, size: float, room: float, *, bold: bool = False, most: int = 0
) -> list[str]:
    """Break a text into lines that fit; ``most``: of so many, the last one ends in dots."""
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        lines.extend(_broken(paragraph.split(), size, room, bold=bold))
    if most and len(lines) > most:
        return [*lines[: most - 1], fit_text(f"{lines[most - 1]} …", size, room, bold=bold)]
    return lines or [""]


def _broken(words: list[str], size: float, room: float, *, bold: bool) -> list[str]:
    lines, line = [], ""
    for word in words:
        longer = f"{line} {word}" if line else word
        if width_of(longer, size, bold=bold) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _cut(word, size, room, bold=bold)
        lines.extend(full)
    return [*lines, line] if line or not lines else lines


def _cut(word: str, size: float, room: float, *, bold: bool) -> list[str]:
    """Cut a word that is wider than a line; a mark is never cut from its letter."""
    parts = []
    while width_of(word, size, bold=bold) > room and len(word) > 1:
        count = max(1, _fitting(word, size, room, bold=bold))
        while count < len(word) and unicodedata.combining(word[count]):
            count += 1
        parts.append(word[:count])
        word = word[count:]
    return [*parts, word] if word or not parts else parts


def _fitting(word: str, size: float, room: float, *, bold: bool) -> int:
    low, high = 0, min(len(word), 2000)
    while low < high:
        middle = (low + high + 1) // 2
        fits = width_of(word[:middle], size, bold=bold) <= room
        low, high = (middle, high) if fits else (low, middle - 1)
    return low


def fit_text(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Shorten a text to one line, with dots where something is left out."""
    words = " ".join(text.split())
    if width_of(words, size, bold=bold) <= room:
        return words
    dots = width_of("…", size, bold=bold)
    return words[: _fitting(words, size, max(0.0, room - dots), bold=bold)].rstrip(" …") + "…"
