"""The fonts of printed pages: which one has a letter, loaded when it is first needed."""

from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

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
    return ord(sign) in _signs(name)


@cache
def _signs(name: str) -> frozenset[int]:
    """Know what a font has of its own, before any code is lent to a shape without one."""
    return frozenset(code for code, glyph in font(name).face.charToGlyph.items() if glyph) - (
        _lent(name)
    )


def font(name: str) -> Any:
    """Give a font of reportlab, registered under its own name."""
    with _LOADING:
        return _load(name)


@cache
def _load(name: str) -> Any:
    loaded = TTFont(name, str(FOLDER / f"{name}.ttf"))
    _LENT[name] = frozenset() if name == LAST else _lend_codes(loaded)
    pdfmetrics.registerFont(loaded)
    return loaded


_LENT: dict[str, frozenset[int]] = {}


def _lent(name: str) -> frozenset[int]:
    return _LENT[name]


def _lend_codes(loaded: Any) -> frozenset[int]:
    """Give every shape without a code one, in order: else the first name drawn decides."""
    before = frozenset(loaded.face.charToGlyph)
    shapes = loaded.hbFont()
    for glyph in range(loaded.face.numGlyphs):
        if glyph not in loaded.face.glyphToChar:
            advance = shapes.get_glyph_h_advance(glyph)
            loaded.hbAddPrivate(shapes.glyph_to_string(glyph), glyph, advance)
    return frozenset(loaded.face.charToGlyph) - before
