"""A PDF being made: pages, lines of text, rules, boxes, QR codes; equal content is equal bytes.

Lengths are in points, from the upper left corner of the page. reportlab, which takes 4 MB, is
imported where something is drawn.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

import segno

from tournaments.tables.cells import readable
from tournaments.tables.lettering import draw, fit_text, width_of

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

INK, GREY, PALE, RULE = 0x1B1B1F, 0x5A5A62, 0xF3F4F7, 0xC9CBD3
"""Colours, red in the highest byte."""
ACCENT = 0x2F3E55
_WORKING = Lock()


class PaperSize(StrEnum):
    """Sizes of paper."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def points(self) -> tuple[float, float]:
        """Give width and height of an upright page."""
        from reportlab.lib.pagesizes import A4, LETTER  # noqa: PLC0415 (see above)

        return A4 if self is PaperSize.A4 else LETTER


@dataclass(frozen=True, slots=True)
class Pen:
    """The look of a line of text; ``align``: 0 left, 0.5 centred, 1 right of its point."""

    size: float
    bold: bool = False
    colour: int = INK
    align: float = 0

    def width(self, text: str) -> float:
        """Measure a line."""
        return width_of(text, self.size, bold=self.bold)

    def fit(self, text: str, room: float) -> str:
        """Shorten a text to what fits."""
        return fit_text(text, self.size, room, bold=self.bold)


class Press:
    """One PDF; `printing` makes it."""

    def __init__(
        self,
        canvas: "Canvas",
        width: float,
        height: float,
        codes: "dict[bytes, str] | None" = None,
    ) -> None:
        self._canvas = canvas
        self.width = width
        self.height = height
        self._codes = {} if codes is None else codes
        """The names of the codes that were drawn, by their squares."""

    def resize(self, width: float, height: float) -> None:
        """Give this page and those that follow another size."""
        self.width, self.height = width, height
        self._canvas.setPageSize((width, height))

    @contextmanager
    def part(self, at: tuple[float, float], size: tuple[float, float]) -> "Iterator[Press]":
        """A part of the page, in which lengths begin at its upper left corner."""
        self._canvas.saveState()
        self._canvas.translate(at[0], self.height - at[1] - size[1])
        yield Press(self._canvas, *size, self._codes)
        self._canvas.restoreState()

    def stamp(self, name: str, draw_once: "Callable[[Press], None]") -> None:
        """Draw what is in the file once, under a name, however many pages show it."""
        if not self._canvas.hasForm(name):
            self._canvas.beginForm(name, 0, 0, self.width, self.height)
            draw_once(Press(self._canvas, self.width, self.height, self._codes))
            self._canvas.endForm()
        self._canvas.doForm(name)

    def text(self, x: float, y: float, text: str, pen: Pen) -> None:
        """Write a line; y is its base."""
        left = x - pen.align * pen.width(text) if pen.align else x
        self._canvas.setFillColor(_colour(pen.colour))
        draw(self._canvas, (left, self.height - y), text, pen.size, bold=pen.bold)

    def rule(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        colour: int = RULE,
        width: float = 0.6,
    ) -> None:
        """Draw a straight line."""
        self._canvas.setStrokeColor(_colour(colour))
        self._canvas.setLineWidth(width)
        self._canvas.line(start[0], self.height - start[1], end[0], self.height - end[1])

    def fold(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw a thin broken line, where paper is folded or cut."""
        self._canvas.setDash(3, 3)
        self.rule(start, end, width=0.5)
        self._canvas.setDash()

    def fill(self, at: tuple[float, float], size: tuple[float, float], colour: int) -> None:
        """Fill a box, given by its upper left corner."""
        self._canvas.setFillColor(_colour(colour))
        self._canvas.rect(at[0], self.height - at[1] - size[1], *size, stroke=0, fill=1)

    def box(self, at: tuple[float, float], size: tuple[float, float], colour: int = RULE) -> None:
        """Draw an empty box."""
        self._canvas.setStrokeColor(_colour(colour))
        self._canvas.setLineWidth(0.7)
        self._canvas.rect(at[0], self.height - at[1] - size[1], *size, stroke=1, fill=0)

    def circle(
        self,
        middle: tuple[float, float],
        radius: float,
        colour: int = RULE,
        width: float = 0.7,
        *,
        is_filled: bool = False,
    ) -> None:
        """Draw a circle."""
        self._canvas.setStrokeColor(_colour(colour))
        self._canvas.setFillColor(_colour(colour))
        self._canvas.setLineWidth(width)
        x, y = middle[0], self.height - middle[1]
        self._canvas.circle(x, y, radius, stroke=not is_filled, fill=is_filled)

    def modules(
        self, at: tuple[float, float], side: float, matrix: "tuple[bytearray, ...]"
    ) -> None:
        """Draw the dark squares of a QR code, as runs, so that no hairlines show between them.

        They are in the file once, however many pages show them.
        """
        name = self._codes.setdefault(b"".join(matrix), f"code{len(self._codes)}")
        count = len(matrix)
        if not self._canvas.hasForm(name):
            self._canvas.beginForm(name, 0, 0, count, count)
            path = self._canvas.beginPath()
            for row, line in enumerate(matrix):
                for start, length in _runs(line):
                    path.rect(start, count - row - 1, length, 1)
            self._canvas.drawPath(path, stroke=0, fill=1)
            self._canvas.endForm()
        self._canvas.saveState()
        self._canvas.setFillColor(_colour(0))
        self._canvas.translate(at[0], self.height - at[1] - side)
        self._canvas.scale(side / count, side / count)
        self._canvas.doForm(name)
        self._canvas.restoreState()

    def next_page(self) -> None:
        """Begin a new page."""
        self._canvas.showPage()


def _runs(line: bytearray) -> Iterator[tuple[int, int]]:
    start = 0
    while (start := line.find(1, start)) >= 0:
        end = line.find(0, start)
        end = len(line) if end < 0 else end
        yield start, end - start
        start = end


@contextmanager
def printing(
    result: BytesIO,
    size: tuple[float, float],
    title: str,
    *,
    author: str = "",
    language: str = "en",
    keywords: Sequence[str] = (),
) -> Iterator[Press]:
    """Make a PDF of pages of this size; it is in ``result`` afterwards, unless something failed.

    One at a time: the fonts of reportlab are read from one place.
    """
    from reportlab import rl_config  # noqa: PLC0415 (see above)
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415

    # Written as ASCII, pages are a quarter longer, and take a tenth more time.
    rl_config.useA85 = 0
    with _WORKING:
        canvas = Canvas(result, pagesize=size, invariant=1, pageCompression=1, lang=language)
        canvas.setTitle(readable(title))
        canvas.setAuthor(readable(author))
        canvas.setKeywords(readable(", ".join(keywords)))
        canvas.setCreator("Painsuit")
        yield Press(canvas, *size)
        canvas.save()


def _colour(number: int) -> tuple[float, float, float]:
    return (number >> 16) / 255, (number >> 8 & 255) / 255, (number & 255) / 255


QUIET = 4
"""Squares of white around a code (ISO/IEC 18004)."""


def draw_code(press: Press, at: tuple[float, float], side: float, url: str) -> None:
    """Draw the code of an address into a square, its white border included."""
    matrix = _matrix(url)
    count = len(matrix)
    unit = side / (count + 2 * QUIET)
    press.fill(at, (side, side), 0xFFFFFF)
    press.modules((at[0] + QUIET * unit, at[1] + QUIET * unit), count * unit, matrix)


def squares(url: str) -> tuple[int, str]:
    """The code of an address for a page: its side in squares, and the path of the dark ones (SVG).

    The white border is counted in.
    """
    matrix = _matrix(url)
    path = "".join(
        f"M{column + QUIET} {row + QUIET}h1v1h-1z"
        for row, line in enumerate(matrix)
        for column, is_dark in enumerate(line)
        if is_dark
    )
    return len(matrix) + 2 * QUIET, path


@lru_cache(maxsize=1 << 10)
def _matrix(url: str) -> tuple[bytearray, ...]:
    """Make a code once for card and slip; as sure as may be without smaller squares."""
    return segno.make(url, error="m", micro=False, boost_error=True).matrix
