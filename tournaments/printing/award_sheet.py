"""A certificate on half a sheet across: a figure, whom it belongs to, and how it came about."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from engine.core.messages import Message
from tournaments.tables.model import TableLocale
from tournaments.tables.page_frame import shrink_to_fit
from tournaments.tables.press import GREY, INK, Pen, Press, printing

SIZE: Final = (595.28, 419.53)
"""A5 across, in points."""
_GOLD: Final = 0xB07D0C
_GREEN: Final = 0x1E5A49
_RED: Final = 0xB0182A
_ROOM: Final = 460.0
_RED_SUITS: Final = "\N{BLACK HEART SUIT}\N{BLACK DIAMOND SUIT}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """The words of a certificate; ``course`` are suits and figures that led to its ``figure``."""

    about: str
    title: str
    figure: str
    won_by: str
    story: Sequence[str]
    course: Sequence[tuple[str, str]]
    locale: TableLocale


def print_award(award: Award) -> bytes:
    """Print a certificate, with lines for two to sign on."""
    result, middle = BytesIO(), SIZE[0] / 2
    with printing(result, SIZE, award.title, author=award.about) as press:
        for margin in (14.0, 19.0):
            press.box((margin, margin), (SIZE[0] - 2 * margin, SIZE[1] - 2 * margin), _GOLD)
        heart = Pen(30, colour=_RED, align=0.5)
        press.text(middle, 70, "\N{BLACK HEART SUIT}", heart)
        base = _write(press, 98, award.about, (11, 9, 7), GREY)
        base = _write(press, base + 34, award.title, (28, 22, 16), INK, bold=True)
        press.text(middle, base + 72, award.figure, Pen(76, bold=True, colour=_GREEN, align=0.5))
        base = _write(press, base + 102, award.won_by, (17, 14, 11), INK, bold=True)
        for text in award.story:
            base = _write(press, base + 18, text, (11, 9.5, 8), INK)
        _draw_course(press, base + 28, award.course)
        for at, words in ((0.33, Message("the director")), (0.67, Message("the chair"))):
            across = SIZE[0] * at
            press.rule((across - 60, 370), (across + 60, 370), INK)
            press.text(across, 383, award.locale.say(words), Pen(9, colour=GREY, align=0.5))
        press.next_page()
    return result.getvalue()


def _write(
    press: Press,
    base: float,
    text: str,
    sizes: Sequence[float],
    colour: int,
    *,
    bold: bool = False,
) -> float:
    """Write centred lines in the largest letters in which they fit; return the last base."""
    size, lines = shrink_to_fit(text, sizes, _ROOM, bold=bold)
    for number, line in enumerate(lines):
        pen = Pen(size, bold=bold, colour=colour, align=0.5)
        press.text(SIZE[0] / 2, base + number * size * 1.25, line, pen)
    return base + (len(lines) - 1) * size * 1.25


def _draw_course(press: Press, base: float, course: Sequence[tuple[str, str]]) -> None:
    """Draw what led to the figure, from left to right."""
    step = min(72.0, _ROOM / max(len(course), 1))
    start = SIZE[0] / 2 - step * (len(course) - 1) / 2
    for place, (suit, figure) in enumerate(course):
        across = start + place * step
        if place:
            press.text(
                across - step / 2,
                base,
                "\N{RIGHTWARDS ARROW}",
                Pen(12, colour=_GOLD, align=0.5),
            )
        colour = _RED if suit and suit in _RED_SUITS else INK
        press.text(across - 3, base, suit, Pen(13, colour=colour, align=1))
        press.text(across, base, figure, Pen(12, bold=True, colour=GREY))
