"""Screen: lines of text with colour on a terminal, and without it everywhere else.

Everything is composed with the glyphs of a good terminal; a plain one gets letters instead, one
for one, so that columns stay where they are.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

Part = tuple[str, str]
"""A text and its style in the words of rich, both possibly empty."""
Line = Sequence[Part]

PLAIN_WIDTH: Final = 80
"""How wide lines are where nobody says, the same in every pipe."""

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


def fit(text: str, width: int) -> str:
    """A text cut to a number of columns, with a mark where something is left out."""
    if cell_len(text) <= width:
        return text
    while cell_len(text) >= width:
        text = text[:-1]
    return text.rstrip() + "…"


def pad(text: str, width: int) -> str:
    """A text filled up to a number of columns."""
    return text + " " * (width - cell_len(text))


class Screen:
    """Where lines go: ``colour`` and ``ascii_only`` say what it can show, ``width`` how much.

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
        self._make_room = make_room
        self.width = PLAIN_WIDTH
        self._out = out
        self._console = None
        if colour or out.isatty():
            self.width = max(Console(file=out).width, 40)
        if colour:
            self._console = Console(
                file=out, force_terminal=True, no_color=False, highlight=False, markup=False
            )

    def line(self, *parts: Part | str) -> None:
        """One line; it is never wrapped."""
        self._make_room()
        pieces = [(part, "") if isinstance(part, str) else part for part in parts]
        if self._console is None:
            self._out.write(self._shown("".join(text for text, _ in pieces)).rstrip() + "\n")
            return
        text = Text.assemble(*((self._shown(text), style) for text, style in pieces))
        text.rstrip()
        self._console.print(text, soft_wrap=True)

    def raw(self, text: str) -> None:
        """Text for programs, exactly as it is."""
        self._make_room()
        self._out.write(text)

    def _shown(self, text: str) -> str:
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
