"""The frame of every printed page of a table: a head, notes, and the foot with the code."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.messages import Message
from tournaments.tables.lettering import wrap_text
from tournaments.tables.model import Properties
from tournaments.tables.press import GREY, INK, RULE, Pen, Press, draw_code

MARGIN = 36.0
_CODE = 66.0
_FOOT = 68.0
_LOW_FOOT = 32.0
"""The height of a foot with a code, and of one without."""
TOP_AGAIN = MARGIN + 24
"""Where the rows begin on a page that goes on."""
_TITLES = (25.0, 20.0, 16.0)
_PROMINENT = ("date", "place")
"""Details that are read first, so they need no label."""
_GAP = 18.0
_NOTE = 9.0
_LEADING = 1.35
_GROUP = 4
"""Digits of a digest stand in groups, to be compared by eye."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note below a table: a title, and lines of text."""

    title: str
    lines: tuple[str, ...]


def shrink_to_fit(
    text: str, sizes: Sequence[float], room: float, *, most: int = 2, bold: bool = True
) -> tuple[float, list[str]]:
    """Break a text into lines, in the largest letters in which it needs at most so many.

    Nothing is cut off: in the smallest it has as many lines as it needs.
    """
    for size in sizes:
        lines = wrap_text(text, size, room, bold=bold)
        if len(lines) <= most:
            return size, lines
    return sizes[-1], wrap_text(text, sizes[-1], room, bold=bold)


def draw_head(press: Press, about: Properties) -> float:
    """Draw club, title, status and details at the top of a page; return where the head ends."""
    room = press.width - 2 * MARGIN
    base = MARGIN + 10
    taken = _draw_status(press, about.status)
    if about.author:
        _, lines = shrink_to_fit(about.author, (11.0,), room - taken)
        for line in lines:
            press.text(MARGIN, base, line, Pen(11, bold=True, colour=GREY))
            base += 14
        base += 15
    else:
        base += 16
    size, lines = shrink_to_fit(about.title, _TITLES, room - taken)
    for line in lines:
        press.text(MARGIN, base, line, Pen(size, bold=True))
        base += size * 1.15
    base -= size * 1.15
    first = [one.text for one in about.details if one.key in _PROMINENT and one.text]
    others = [
        f"{one.label}: {one.text}" if one.label else one.text
        for one in about.details
        if one.key not in _PROMINENT and one.text
    ]
    for parts, pen in ((first, Pen(11.5)), (others, Pen(9, colour=GREY))):
        for number, line in enumerate(wrap_text(" · ".join(parts), pen.size, room)):
            if line:
                base += pen.size * (1.3 if number else 1.6)
                press.text(MARGIN, base, line, pen)
    base += 9
    press.rule((MARGIN, base), (press.width - MARGIN, base), INK, 1.1)
    return base


def draw_title_again(press: Press, about: Properties) -> float:
    """Draw title and status at the top of a page that goes on; return where that ends."""
    pen = Pen(11, bold=True)
    words = " · ".join(part for part in (about.title, about.status) if part)
    press.text(MARGIN, MARGIN + 11, pen.fit(words, press.width - 2 * MARGIN), pen)
    return TOP_AGAIN


def _draw_status(press: Press, status: str) -> float:
    """Draw a stamp in the upper right corner; return how much room it takes from the title."""
    if not status:
        return 0
    size, lines = shrink_to_fit(status, (11.0,), press.width * 0.3, most=3)
    pen = Pen(size, bold=True, align=0.5)
    width = max(pen.width(line) for line in lines) + 22
    height = len(lines) * size * 1.3 + 10
    left = press.width - MARGIN - width
    press.box((left, MARGIN), (width, height), INK)
    for number, line in enumerate(lines):
        press.text(left + width / 2, MARGIN + size * (1.3 * number + 1.32), line, pen)
    return width + 14


def foot_height(about: Properties) -> float:
    """Give the height of the foot of each page."""
    return _FOOT if about.address else _LOW_FOOT


def draw_foot(press: Press, about: Properties, page: tuple[int, int], caption: Message) -> None:
    """Draw where the live version stands, with its code, and what proves this one.

    ``caption`` stands above the address.
    """
    top = press.height - MARGIN - foot_height(about) + 6
    right = press.width - MARGIN
    press.rule((MARGIN, top), (right, top), RULE)
    pen = Pen(8, colour=GREY)
    number, pages = page
    say, say_moment = about.locale.say, about.locale.say_moment
    moment = say_moment(about.made_at) if about.made_at else ""
    left_lines = [
        say(Message("As of {moment}", moment=moment)) if moment else "",
        say(Message("Page {number} of {pages}", number=number, pages=pages)) if pages > 1 else "",
    ]
    for place, line in enumerate(line for line in left_lines if line):
        press.text(MARGIN, top + 15 + 12 * place, line, pen)
    if about.address:
        draw_code(press, (right - _CODE + 6, top + 3), _CODE, about.link)
        right -= _CODE + 4
    aside = Pen(8, colour=GREY, align=1)
    room = (right - MARGIN) * 0.75
    lines = [
        *(wrap_text(about.address, 8, room) if about.address else ()),
        group_digits(about.digest),
    ]
    if about.address:
        press.text(right, top + 15, say(caption), Pen(8, bold=True, align=1))
    for place, line in enumerate(line for line in lines if line):
        press.text(right, top + 27 + 12 * place, line, aside)


def group_digits(digest: str) -> str:
    """Write the first digits of a digest so that two can be compared by eye.

    >>> group_digits("7f3a91c204de55ab0000")
    '7F3A 91C2 04DE 55AB'
    """
    known = digest[: 4 * _GROUP].upper()
    return " ".join(known[start : start + _GROUP] for start in range(0, len(known), _GROUP))


def wrap_note(note: Note, room: float) -> list[tuple[str, bool]]:
    """Break a note into lines, each with whether it is bold."""
    titles = [(line, True) for line in wrap_text(note.title, _NOTE, room, bold=True)]
    texts = [(line, False) for text in note.lines for line in wrap_text(text, _NOTE, room)]
    return [*titles, *texts]


class Notes:
    """Notes side by side, in at most three columns, each below the shortest."""

    def __init__(self, notes: Sequence[Note], room: float) -> None:
        count = max(1, min(3, len(notes)))
        self._width = (room - _GAP * (count - 1)) / count
        self._columns: list[list[tuple[str, bool]]] = [[] for _ in range(count)]
        for note in notes:
            column = min(self._columns, key=len)
            column.extend([("", False)] if column else [])
            column.extend(wrap_note(note, self._width))

    @property
    def height(self) -> float:
        """Return the room they need, the space above them included."""
        most = max(map(len, self._columns))
        return most * _NOTE * _LEADING + 10 if most else 0.0

    def draw(self, press: Press, top: float) -> None:
        """Draw them below a point."""
        for place, column in enumerate(self._columns):
            left = MARGIN + place * (self._width + _GAP)
            for number, (line, bold) in enumerate(column):
                base = top + 10 + _NOTE * (_LEADING * number + 1)
                press.text(left, base, line, Pen(_NOTE, bold=bold))
