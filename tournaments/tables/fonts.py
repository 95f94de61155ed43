"""The fonts of printed pages: which one has a letter, loaded when it is first needed."""

from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

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
