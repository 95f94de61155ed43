"""A line of text as it is drawn: the fonts that have its letters, joined and turned as they need.

The order of scripts from the right is that of UAX 9, for names: explicit marks of direction are not
honoured, as who reads a name should see what was written. Widths and sizes are in points.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from tournaments.tables.cells import readable

_STRONG = {"L": 0, "R": 1, "AL": 1}
_NUMBERS = frozenset({"EN", "AN"})


def levels(text: str) -> list[int]:
    """Say for each sign how deep it is embedded: odd ones are drawn from the right.

    >>> levels("abc"), levels("אב 12")
    ([0, 0, 0], [1, 1, 1, 2, 2])
    """
    kinds = [unicodedata.bidirectional(sign) for sign in text]
    base = next((_STRONG[kind] for kind in kinds if kind in _STRONG), 0)
    if base == 0 and not any(kind in ("R", "AL") for kind in kinds):
        return [0] * len(text)
    return _resolve_levels(kinds, base)


def _resolve_levels(kinds: Sequence[str], base: int) -> list[int]:
    found: list[int | None] = []
    last = base
    for kind in kinds:
        if kind in _STRONG:
            last = _STRONG[kind]
            found.append(2 if base and not last else last)
        elif kind in _NUMBERS:
            found.append(2 if base or last else 0)
        elif kind == "NSM" and found:
            found.append(found[-1])
        else:
            found.append(None)
    return _neutrals(found, base)


def _neutrals(found: Sequence[int | None], base: int) -> list[int]:
    """Give signs without a direction that of both neighbours, where these agree."""
    result: list[int] = []
    place = 0
    for is_neutral, run in groupby(found, key=lambda level: level is None):
        length = len(list(run))
        if is_neutral:
            before = result[-1] if result else base
            after = found[place + length] if place + length < len(found) else base
            level = before if before == after else base
            result.extend([level] * length)
        else:
            result.extend(level or 0 for level in found[place : place + length])
        place += length
    return result


def drawn_order(depths: Sequence[int]) -> list[int]:
    """Order runs for drawing from the left, by how deep each is embedded.

    >>> drawn_order([0, 1, 2, 1, 0])
    [0, 3, 2, 1, 4]
    """
    order = list(range(len(depths)))
    for depth in range(max(depths, default=0), 0, -1):
        runs = groupby(order, key=lambda place: depths[place] >= depth)
        order = [
            place for is_deep, run in runs for place in (reversed(list(run)) if is_deep else run)
        ]
    return order


FOLDER = Path(__file__).parent / "fonts"
REGULAR = "DejaVuSansCondensed"
BOLD = "DejaVuSansCondensed-Bold"
_OTHERS = ("NotoSansDevanagari-Regular", "NotoSansThai-Regular")
LAST = "DroidSansFallback"
"""The one with Chinese, Japanese and Korean: big, so asked last, and never shaped."""
_LOADING = Lock()


def font_for(sign: str, *, bold: bool) -> str | None:
    """Name the first font that has a sign; None if none has."""
    for name in (BOLD if bold else REGULAR, *_OTHERS, LAST):
        if has(name, sign):
            return name
    return None


def has(name: str, sign: str) -> bool:
    """Tell whether a font has a sign."""
    return ord(sign) in _load_font(name)[1]


def font(name: str) -> Any:
    """Give a font of reportlab, registered under its own name."""
    return _load_font(name)[0]


@cache
def _load_font(name: str) -> tuple[Any, frozenset[int]]:
    """A font and the codes of the signs that it has; read once, though many may ask."""
    with _LOADING:
        return _load(name)


@cache
def _load(name: str) -> tuple[Any, frozenset[int]]:
    from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415 (loaded to print, only)
    from reportlab.pdfbase.ttfonts import TTFont  # noqa: PLC0415

    loaded: Any = TTFont(name, str(FOLDER / f"{name}.ttf"))
    signs = frozenset(code for code, glyph in loaded.face.charToGlyph.items() if glyph)
    if name != LAST:
        # Every shape without a code gets one, in order: else the first name drawn decides.
        shapes = loaded.hbFont()
        for glyph in range(loaded.face.numGlyphs):
            if glyph not in loaded.face.glyphToChar:
                advance = shapes.get_glyph_h_advance(glyph)
                loaded.hbAddPrivate(shapes.glyph_to_string(glyph), glyph, advance)
    pdfmetrics.registerFont(loaded)
    return loaded, signs


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
