"""Score slips on paper: what `layout` places, with words and names, four or two to a sheet.

What is the same on all slips of a table is in the file once. Sheets are cut all at once: the
quarters, or halves, of the pile are in order then, one after the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby, pairwise
from typing import Final

from engine.core.cards import SUIT_NAMES, SUIT_OF_LETTER
from engine.core.messages import Message
from engine.core.seats import DEFAULT_SEATS, SEAT_NAMES, Seat
from engine.rules.rules import Rules
from engine.rules.switches import PainBy
from scoring.slips.codes import SlipCode, write_code
from scoring.slips.layout import (
    CODE_SQUARES,
    MARGIN,
    RADIUS,
    SMALL,
    VALUE_WORDS,
    Circle,
    RowKey,
    SlipLayout,
    SlipRow,
    lay_out,
)
from tournaments.printing.seating import PrintedSitter, PrintHeading, Say
from tournaments.tables.lettering import wrap_text
from tournaments.tables.page_frame import shrink_to_fit
from tournaments.tables.press import GREY, INK, QUIET, RULE, Pen, Press, draw_code, printing

MM: Final = 72 / 25.4
"""Points in a millimetre."""
LIGHT, DARK, FAINT = 0x8C8C92, 0x55555C, 0x9C9CA2
"""Of circles with a number, of those without, and of what is in circles: fainter than a pencil."""
_OUTLINED: Final = {
    "S": "\N{BLACK SPADE SUIT}",
    "H": "\N{WHITE HEART SUIT}",
    "D": "\N{WHITE DIAMOND SUIT}",
    "C": "\N{BLACK CLUB SUIT}",
}
"""Suits in black and white: the red ones are outlined."""
_WHITE_SUITS: Final = {
    "S": "\N{WHITE SPADE SUIT}",
    "H": "\N{WHITE HEART SUIT}",
    "D": "\N{WHITE DIAMOND SUIT}",
    "C": "\N{WHITE CLUB SUIT}",
}
"""Suits in circles, as faint as numbers."""
_SIZES: Final = {1: 7.5, 2: 6.5, 3: 5.5}
"""The size of so many characters in a circle: it is never half as dark as a mark."""
_WORDED: Final = (RowKey.PAIN, RowKey.ENDING, RowKey.DIRECTOR, RowKey.MOON, RowKey.TRICKS)
"""Rows with words beside their circles."""
_LABELS: Final[Mapping[RowKey, Message]] = {
    **{key: key.words for key in (RowKey.TABLE, RowKey.HAND, RowKey.BID, RowKey.PAIN)},
    RowKey.MOON: Message("Took all"),
    RowKey.TRICKS: Message("Took all"),
    RowKey.ENDING: Message("Otherwise"),
}
"""Words before a line."""
_TITLES: Final[Mapping[RowKey, Message]] = {
    RowKey.BIDDER: Message("bid"),
    RowKey.QUEEN: Message("\N{BLACK SPADE SUIT}Q"),
    RowKey.TAKEN: Message("took this many cards of the suit"),
    RowKey.PAPER: Message("insurance"),
    RowKey.FOOT: Message("foot"),
    RowKey.REBUYS: Message("stacks bought"),
    RowKey.CENTRE: Message("pays for a centre card"),
    RowKey.CENTRE_SUIT: Message("its centre card"),
}
"""Words above the circles of the seats."""
_LEADS: Final = (RowKey.BIDDER, RowKey.QUEEN)
_ADDED: Final = (
    RowKey.TABLE_TENS,
    RowKey.HAND_TENS,
    RowKey.BID_TENS,
    RowKey.BID_HUNDREDS,
    RowKey.CENTRE_TENS,
)
"""Parts of a number that are added to the one before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSlip:
    """A slip to print: its code says for which hand; ``game`` is what the house rules are called.

    A blank slip has no sitters.
    """

    code: SlipCode
    rules: Rules
    game: str
    sitters: Sequence[PrintedSitter] = ()

    @property
    def layout(self) -> SlipLayout:
        """The places of everything on it."""
        return lay_out(self.rules, self.code.players, is_blank=self.code.is_blank)

    @property
    def is_small(self) -> bool:
        """Whether four of it fit on a sheet, and not two."""
        return self.layout.width == SMALL.width

    @property
    def per_sheet(self) -> int:
        """How many of it fit on a sheet."""
        return 4 if self.is_small else 2


def print_slips(heading: PrintHeading, slips: Sequence[PrintedSlip]) -> bytes:
    """Print slips, the small ones first. Each size keeps its order when the pile is cut."""
    result = BytesIO()
    short, long = heading.paper.points
    title = heading.title_of(Message("Score slips"))
    with printing(result, (short, long), title, language=heading.locale.code) as press:
        small = [slip for slip in slips if slip.is_small]
        large = [slip for slip in slips if not slip.is_small]
        _print_sheets(press, heading, small, (long, short))
        _print_sheets(press, heading, large, (short, long))
    return result.getvalue()


def _print_sheets(
    press: Press, heading: PrintHeading, slips: Sequence[PrintedSlip], size: tuple[float, float]
) -> None:
    across = 2 if size[0] > size[1] else 1
    cell = (size[0] / across, size[1] / 2)
    sheets = -(-len(slips) // (2 * across))
    press.resize(*size)
    for sheet in range(sheets):
        press.fold((0, cell[1]), (press.width, cell[1]))
        if across > 1:
            press.fold((cell[0], 0), (cell[0], press.height))
        for place, slip in enumerate(slips[sheet::sheets]):
            width, height = slip.layout.width * MM, slip.layout.height * MM
            left = place % across * cell[0] + (cell[0] - width) / 2
            top = place // across * cell[1] + (cell[1] - height) / 2
            with press.part((left, top), (width, height)) as paper:
                _draw_slip(paper, heading, slip)
        press.next_page()


def _draw_slip(press: Press, heading: PrintHeading, slip: PrintedSlip) -> None:
    layout, code = slip.layout, slip.code
    form = f"slip{code.rules}-{code.players}-{code.is_blank}"
    press.stamp(form, lambda paper: _Form(paper, heading.say, layout, slip.rules).draw())
    _draw_head(press, heading, slip)
    draw_codes(press, layout, code)
    if slip.sitters:
        for lines in _seat_lines(layout):
            fitting = _room_for_names(layout, lines[0]), _name_size(lines)
            for sitter, line in zip(slip.sitters, lines, strict=True):
                _draw_name(press, sitter.called or sitter.label, line, fitting)


def draw_codes(press: Press, layout: SlipLayout, code: SlipCode) -> None:
    """Draw the two codes of a slip or a list."""
    for place in layout.codes:
        white = QUIET * place.side / CODE_SQUARES
        at = ((place.x - white) * MM, (place.y - white) * MM)
        draw_code(press, at, (place.side + 2 * white) * MM, write_code(code.at(place.corner)))


def _seat_lines(layout: SlipLayout) -> list[list[float]]:
    """The middles of the lines of the seats, block by block."""
    found: dict[Seat, set[float]] = {}
    for row in layout.rows:
        if row.seat is not None:
            found.setdefault(row.seat, set()).add(row.circles[0].y)
    return [list(lines) for lines in zip(*map(sorted, found.values()), strict=True)]


def _line(layout: SlipLayout, y: float) -> list[float]:
    """The circles that stand on a line, from the left."""
    return sorted(one.x for row in layout.rows for one in row.circles if abs(one.y - y) < 0.1)


def _room_for_names(layout: SlipLayout, line: float) -> float:
    return _line(layout, line)[0] - RADIUS - 2 - MARGIN


def _draw_name(press: Press, name: str, line: float, fitting: tuple[float, float]) -> None:
    room, largest = fitting
    sizes = (largest, 12.5, 11.5, 10.0, 9.0, 8.0)
    size, lines = shrink_to_fit(name, sizes, room * MM, most=1)
    pen = Pen(size, bold=True)
    words = lines[0] if len(lines) == 1 else pen.fit(name, room * MM)
    press.text(MARGIN * MM, (line + 0.5) * MM, words, pen)


def _draw_head(press: Press, heading: PrintHeading, slip: PrintedSlip) -> None:
    code, first = slip.code, slip.layout.codes[0]
    left = (first.x + first.side + 4) * MM
    room = press.width - (MARGIN + EXAMPLES + 2) * MM - left
    title = Message("Score slip")
    if not code.is_blank:
        title = Message("Table {table}, hand {hand}", table=code.number, hand=code.hand)
    size, lines = shrink_to_fit(heading.say(title), (20.0, 18.0, 16.0, 14.0, 12.0), room, most=1)
    press.text(left, 11.5 * MM, lines[0], Pen(size, bold=True))
    number = heading.say(Message("Round {number}", number=code.round)) if code.round else ""
    about = " · ".join(part for part in (number, heading.about) if part)
    draw_small(press, (left, 17.0 * MM), about, room)
    draw_small(press, (left, 20.8 * MM), heading.title, room)
    right, examples = press.width - MARGIN * MM, EXAMPLES * MM
    draw_small(press, (right, 8.0 * MM), slip.game, examples, align=1)


def draw_small(
    press: Press, at: tuple[float, float], words: str, room: float, *, align: float = 0
) -> None:
    """Write small words in one line, or in two of still smaller letters."""
    size, lines = shrink_to_fit(words, (8.5, 8.0, 7.5, 7.0), room, most=1, bold=False)
    base = at[1]
    if len(lines) > 1:
        size = 6.5
        lines = wrap_text(words, size, room, most=2)
        base -= (len(lines) - 1) * 2
    pen = Pen(size, colour=GREY, align=align)
    for place, line in enumerate(lines):
        press.text(at[0], base + place * size * 1.1, line, pen)


def _name_size(lines: Sequence[float]) -> float:
    """The size of names on lines so far apart."""
    height = lines[1] - lines[0]
    return 18.0 if height > 10 else 15.0 if height > 8 else 12.5


_TEN_LINE: Final = 22.8
"""Where it says, below how to mark, that the units of a number are never left out."""
EXAMPLES: Final = 38.0
"""Room for how to mark, on the right of the head."""


def draw_examples(press: Press, say: Say, right: float) -> None:
    """Show how to mark: with a cross, a tick, or all of the circle."""
    pen = Pen(8, colour=GREY, align=1)
    words = pen.fit(say(Message("Mark with a pencil:")), EXAMPLES * MM)
    press.text(right * MM, 12.5 * MM, words, pen)
    y, cross, tick, spot = 17.0, *(right - RADIUS - 7 * place for place in (2, 1, 0))
    for x in (cross, tick, spot):
        press.circle((x * MM, y * MM), RADIUS * MM, DARK)
    press.circle((spot * MM, y * MM), 1.6 * MM, INK, is_filled=True)
    for points in (
        ((cross - 1.4, y - 1.4), (cross + 1.4, y + 1.4)),
        ((cross - 1.4, y + 1.4), (cross + 1.4, y - 1.4)),
        ((tick - 1.3, y), (tick - 0.3, y + 1.3), (tick + 1.9, y - 1.9)),
    ):
        for (left, top), (to_x, to_y) in pairwise(points):
            press.rule((left * MM, top * MM), (to_x * MM, to_y * MM), INK, 1.4)


WORDED: Final = frozenset((*_WORDED, *_LEADS, RowKey.HERE))
"""Rows whose circles have nothing in them: what they mean stands beside or above them."""


def words_of(value: str) -> tuple[str, float]:
    """Give what is printed in the circle of a value, and its size in points."""
    words = _WHITE_SUITS.get(value, value.replace("T", "10"))
    return words, _SIZES[len(words)]


class _Form:
    """The part that all slips of the same rules and number of players share."""

    def __init__(self, press: Press, say: Say, layout: SlipLayout, rules: Rules) -> None:
        self.press, self.say, self.layout, self.rules = press, say, layout, rules
        self.right = layout.width - MARGIN
        self.beside_code = layout.codes[1].x - 3
        self.is_blank = layout.row(RowKey.TABLE) is not None

    def draw(self) -> None:
        """Draw circles, words and lines."""
        draw_examples(self.press, self.say, self.right)
        if any(row.key in _ADDED for row in self.layout.rows):
            self.text(self.right, _TEN_LINE, "10 = 0 + 10", Pen(8, colour=GREY, align=1))
        for row in self.layout.rows:
            self.draw_row(row)
        worded = [row for row in self.layout.rows if row.key in _WORDED]
        for _, line in groupby(worded, key=lambda row: row.circles[0].y):
            self.draw_words([(row.key, circle) for row in line for circle in row.circles])
        for lines in _seat_lines(self.layout):
            self.draw_seats(lines)
        self.draw_signatures()

    def text(self, x: float, y: float, words: str, pen: Pen, room: float = 0) -> None:
        """Write a line from a point on, shortened to a room where one is given."""
        self.press.text(x * MM, y * MM, pen.fit(words, room * MM) if room else words, pen)

    def rule(
        self, left: float, right: float, y: float, colour: int = RULE, width: float = 0.6
    ) -> None:
        """Draw a level line."""
        self.press.rule((left * MM, y * MM), (right * MM, y * MM), colour, width)

    def draw_row(self, row: SlipRow) -> None:
        """Draw circles with what is in them and beside them, and the words before their line."""
        is_empty = row.key in WORDED
        for circle in row.circles:
            at = (circle.x * MM, circle.y * MM)
            self.press.circle(at, RADIUS * MM, DARK if is_empty else LIGHT)
            if not is_empty:
                words, size = words_of(circle.value)
                pen = Pen(size, colour=FAINT, align=0.5)
                self.text(circle.x, circle.y + pen.size * 0.125, words, pen)
        first = row.circles[0]
        before = [x for x in _line(self.layout, first.y) if x < first.x]
        if row.key in _ADDED:
            middle = (before[-1] + first.x) / 2 if before else first.x - RADIUS - 2
            self.text(middle, first.y + 1.1, "+", Pen(9, colour=GREY, align=0.5))
        elif row.key in _LABELS and not before:
            room = first.x - RADIUS - 1.5 - MARGIN
            words = self.say(_LABELS[row.key])
            size, _ = shrink_to_fit(words, (11.0, 10.0, 9.0, 8.0, 7.0), room * MM, most=1)
            self.text(MARGIN, first.y + 1.3, words, Pen(size, bold=True), room)

    def draw_words(self, line: Sequence[tuple[RowKey, Circle]]) -> None:
        """Write beside each circle of a line, as far as the next, in letters of one size."""
        places: list[tuple[float, float, str]] = []
        for place, (key, circle) in enumerate(line):
            left = circle.x + RADIUS + 1.1
            end = self.right if key is RowKey.PAIN else self.beside_code
            if place + 1 < len(line):
                end = line[place + 1][1].x - RADIUS
            if key is RowKey.PAIN:
                self.text(left - 0.3, circle.y + 1.5, _OUTLINED[circle.value], Pen(13))
                left += 4.2
                words = self.say(SUIT_NAMES[SUIT_OF_LETTER[circle.value]])
            else:
                words = self.say(VALUE_WORDS[circle.value])
            places.append((left, end - left - 1, words))
        size = min(
            shrink_to_fit(words, (10.0, 9.0, 8.0, 7.0), room * MM, most=1, bold=False)[0]
            for _, room, words in places
        )
        for left, room, words in places:
            self.text(left, line[0][1].y + 1.2, words, Pen(size), room)

    def draw_seats(self, lines: Sequence[float]) -> None:
        """Draw a block of seats: titles above the circles, lines between the seats."""
        half = max(min((lines[1] - lines[0]) / 2, 5.5), 4.2) + 0.3
        top, bottom = lines[0] - 6.4, lines[-1] + half
        code = self.layout.codes[0]
        below_code = code.y + code.side + 3.2
        self.rule(MARGIN if top > below_code else below_code, self.right, top, INK, 1.1)
        if lines[-1] == _seat_lines(self.layout)[-1][-1]:
            self.rule(MARGIN, self.beside_code, bottom, INK, 1.1)
        for line, after in pairwise(lines):
            self.rule(MARGIN, self.right, (line + after) / 2 + 0.3)
        self.draw_titles(lines[0])
        names = DEFAULT_SEATS[len(lines)]
        room, size = _room_for_names(self.layout, lines[0]), 6.0
        below = {18.0: 4.4, 15.0: 3.9, 12.5: 3.2}[_name_size(lines)]
        if self.is_blank:
            # The seats stand for the names.
            size, below = 9.0, 1.1
        small = Pen(size, colour=GREY)
        for name, line in zip(names, lines, strict=True):
            self.text(MARGIN, line + below, self.say(SEAT_NAMES[name]), small, room)

    def draw_titles(self, line: float) -> None:
        """Write above each row of the first seat what it tells."""
        heads = [row for row in self.layout.rows if abs(row.circles[0].y - line) < 0.1]
        for row in heads:
            first = row.circles[0].x
            words = _TITLES.get(row.key, "")
            if row.key is RowKey.TAKEN and self.rules.pain is PainBy.HEARTS:
                words = Message("took this many hearts")
            if row.key in _LEADS:
                self.text(first, line - 3.4, self.say(words), Pen(7.5, colour=GREY, align=0.5))
                continue
            titled = [other.circles[0].x for other in heads if other.key in _TITLES]
            end = min([x for x in titled if x > first], default=self.right + RADIUS)
            pen, room = Pen(7.5, colour=GREY), end - first - 1
            said = self.say(words)
            if pen.width(said) > room * MM and end > self.right:
                self.text(self.right, line - 3.4, said, Pen(7.5, colour=GREY, align=1))
            else:
                self.text(first - RADIUS, line - 3.4, said, pen, room)

    def draw_signatures(self) -> None:
        """Draw lines for the initials of two who agree."""
        base = self.layout.height - MARGIN
        left, part = MARGIN + 22, (self.beside_code - MARGIN - 22) / 3
        words = self.say(Message("Agreed"))
        size, _ = shrink_to_fit(words, (11.0, 10.0, 9.0, 8.0, 7.0), 21 * MM, most=1)
        self.text(MARGIN, base - 0.6, words, Pen(size, bold=True), 21)
        for place in range(2):
            self.rule(left + place * part, left + (place + 1) * part - 4, base, INK, 0.7)
        words = self.say(Message("two initials"))
        self.text(left + 2 * part, base - 0.6, words, Pen(8.5, colour=GREY), part)
