"""Lines of styled text: coloured on a terminal, plain everywhere else.

Everything is composed with the glyphs of a good terminal; a plain one gets letters instead, one
for one, so that columns stay where they are.
"""

import os
import re
import shutil
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final, TextIO

from .language import say

Part = tuple[str, str]
"""A text or message and its style, both possibly empty; a style is words of `SGR` with blanks
between."""
Line = Sequence[Part]

PLAIN_WIDTH: Final = 80
"""How wide lines are where nobody says, the same in every pipe."""

SGR: Final = {
    "bold": 1,
    "dim": 2,
    "underline": 4,
    "reverse": 7,
    "red": 31,
    "green": 32,
    "yellow": 33,
    "magenta": 35,
    "cyan": 36,
    "bright_blue": 94,
}
"""The parameters of the terminal's control sequence SGR (ECMA-48)."""

_LETTERS: Final = str.maketrans("♠♥♦♣─│┌┐└┘·…", "SHDC-|++++-~")
_HIDDEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def visible(text: str) -> str:
    r"""A text from a file, safe to print: nothing in it can move the cursor or hide.

    >>> visible("a\x1b[2Jb")
    'a\ufffd[2Jb'
    """
    if text.isascii() and text.isprintable():
        return text
    return _SURROGATES.sub("\ufffd", _HIDDEN.sub("\ufffd", text.replace("\t", " ")))


def plain_ascii(text: str) -> str:
    """A text in plain ASCII: suits as letters, accents dropped, the rest as question marks.

    >>> plain_ascii("Novák ♠A")
    'Novak SA'
    """
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    bare = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return bare.encode("ascii", "replace").decode()


def count_columns(text: str) -> int:
    """Return the number of columns that a terminal takes for a text.

    >>> count_columns("♠A"), count_columns("王"), count_columns("e\u0301")
    (2, 2, 1)
    """
    return len(text) if text.isascii() else sum(map(_count_letter, text))


def _count_letter(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in ("W", "F") else 1


def paint(text: str, style: str) -> str:
    r"""A text in a style, for a terminal.

    >>> paint("Q", "bold red")
    '\x1b[1;31mQ\x1b[0m'
    """
    if not text or not style:
        return text
    return f"\x1b[{';'.join(str(SGR[word]) for word in style.split())}m{text}\x1b[0m"


def fit(text: str, width: int) -> str:
    """A text cut to a number of columns, with a mark where something is left out."""
    if count_columns(text) <= width:
        return text
    while count_columns(text) >= width:
        text = text[:-1]
    return text.rstrip() + "…"


def pad(text: str, width: int) -> str:
    """A text filled up to a number of columns."""
    return text + " " * (width - count_columns(text))


class Screen:
    """A place for lines: ``colour`` and ``ascii_only`` say what it can show, ``width`` how much.

    ``make_room`` is called before every line, for a progress bar that stands in the way.
    """

    def __init__(
        self,
        out: TextIO,
        *,
        colour: bool = False,
        ascii_only: bool = False,
        make_room: Callable[[], None] = lambda: None,
    ) -> None:
        self.ascii_only = ascii_only
        self.width = PLAIN_WIDTH
        if colour or out.isatty():
            self.width = max(shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns, 40)
        self._make_room = make_room
        self._out = out
        self._colour = colour

    def line(self, *parts: Part | str) -> None:
        """One line; it is never wrapped, and has no blanks at its end."""
        self._make_room()
        pairs = [(part, "") if isinstance(part, str) else part for part in parts]
        pieces = [(say(text), style) for text, style in pairs]
        while pieces and not pieces[-1][0].rstrip():
            pieces.pop()
        if pieces:
            text, style = pieces[-1]
            pieces[-1] = text.rstrip(), style
        shown = ((self._render_text(text), style) for text, style in pieces)
        self._out.write("".join(paint(*one) if self._colour else one[0] for one in shown) + "\n")

    def raw(self, text: str) -> None:
        """Text for programs, exactly as it is."""
        self._make_room()
        self._out.write(text)

    def _render_text(self, text: str) -> str:
        return plain_ascii(text) if self.ascii_only else text


def wants_colour(out: TextIO, *, forced: bool, refused: bool) -> bool:
    """Whether to colour: on a terminal, unless the user or NO_COLOR says no."""
    if forced:
        return True
    if refused or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return out.isatty()


def can_show_suits(out: TextIO) -> bool:
    """Whether the glyphs of the suits can be written there at all."""
    encoding = getattr(out, "encoding", None) or "utf-8"
    try:
        "♠─…".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
