"""Score slips: paper for a table and a round, a line for each hand, for when phones are away."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO

from engine.core.messages import Message
from tournaments.printing.seating import PrintedSitter, PrintHeading, SeatedRound, SeatedTable
from tournaments.tables.page_frame import shrink_to_fit
from tournaments.tables.press import ACCENT, GREY, INK, PALE, Pen, Press, draw_code, printing

MARGIN = 34.0
_HEAD = 62.0
_TITLES = 46.0
_FOOT = 40.0
_GAP = 26.0
_LINE = 22.0
_CODE = 62.0
_NARROW = 37.0
_FIRST = 24.0
_ONE_LINE, _TWO_LINES = (10.5, 9.5, 8.5), (8.5, 7.5, 6.5, 5.5)
"""Sizes of names in one line, and in more."""
_LINES_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipForm:
    """The questions of a slip: so many hands, what of each before the seats, and after them.

    ``seats``: what is written under each name.
    """

    hands: int
    before: tuple[str, ...] = (
        Message("Dealer"),
        Message("Bid by"),
        Message("Bid"),
        Message("Suit"),
    )
    seats: str = Message("cards taken")
    after: tuple[str, ...] = (Message("Pot"),)

    def __post_init__(self) -> None:
        """Check that there is a hand to write. Raises ValueError."""
        if self.hands < 1:
            raise ValueError("A score slip needs at least one hand.")


@dataclass(frozen=True, slots=True)
class _Part:
    """A slip, or as much of it as fits on one page."""

    round: SeatedRound
    table: SeatedTable
    first: int
    last: int


def score_slips(heading: PrintHeading, rounds: Sequence[SeatedRound], form: SlipForm) -> bytes:
    """Print a slip for each table of each round; short ones share a page, with a line to cut."""
    result = BytesIO()
    size = heading.paper.points
    with printing(result, size, heading.title_of(Message("Score slips"))) as press:
        top = MARGIN
        for part in _parts(rounds, form, size[1] - 2 * MARGIN):
            height = _height(part)
            if top > MARGIN and top + height > press.height - MARGIN + 1:
                press.next_page()
                top = MARGIN
            elif top > MARGIN:
                press.fold((0, top - _GAP / 2), (press.width, top - _GAP / 2))
            _draw(press, heading, part, (form, top))
            top += height + _GAP
        press.next_page()
    return result.getvalue()


def _parts(rounds: Sequence[SeatedRound], form: SlipForm, room: float) -> Iterator[_Part]:
    most = int((room - _HEAD - _TITLES - _FOOT) // _LINE)
    for each in rounds:
        for table in each.tables:
            for first in range(1, form.hands + 1, most):
                yield _Part(each, table, first, min(form.hands, first + most - 1))


def _height(part: _Part) -> float:
    return _HEAD + _TITLES + (part.last - part.first + 1) * _LINE + _FOOT


def _draw(press: Press, heading: PrintHeading, part: _Part, how: tuple[SlipForm, float]) -> None:
    form, top = how
    _draw_head(press, heading, part, top)
    edges = _edges(press, form, len(part.table.sitters))
    _draw_titles(press, _slip_labels(form, heading), part.table, edges, top + _HEAD)
    first = top + _HEAD + _TITLES
    for place, number in enumerate(range(part.first, part.last + 1)):
        line = first + place * _LINE
        if place % 2:
            press.fill((MARGIN, line), (edges[-1] - MARGIN, _LINE), PALE)
        pen = Pen(10, bold=True, align=0.5)
        press.text((edges[0] + edges[1]) / 2, line + 15, str(number), pen)
    end = first + (part.last - part.first + 1) * _LINE
    for line in range(part.last - part.first + 2):
        press.rule((MARGIN, first + line * _LINE), (edges[-1], first + line * _LINE))
    for edge in edges:
        press.rule((edge, top + _HEAD), (edge, end))
    _draw_foot(press, heading, end + 28)


def _draw_head(press: Press, heading: PrintHeading, part: _Part, top: float) -> None:
    taken = _CODE + 8 if part.table.url else 0
    room = press.width - 2 * MARGIN - taken
    pen = Pen(19, bold=True)
    words = heading.say(Message("Table {number}", number=part.table.number))
    press.text(MARGIN, top + 20, words, pen)
    after = MARGIN + pen.width(words) + 14
    beside = Pen(13, colour=ACCENT, bold=True)
    press.text(
        after, top + 20, heading.say(Message("Round {number}", number=part.round.number)), beside
    )
    title = Pen(10.5)
    press.text(MARGIN, top + 38, title.fit(heading.title, room), title)
    small = Pen(9, colour=GREY)
    press.text(MARGIN, top + 51, small.fit(heading.about, room), small)
    if part.table.url:
        draw_code(press, (press.width - MARGIN - _CODE, top - 4), _CODE, part.table.url)


def _edges(press: Press, form: SlipForm, seats: int) -> list[float]:
    """Place the lines between the columns; seats share what the others leave."""
    others = len(form.before) + len(form.after)
    room = press.width - 2 * MARGIN - _FIRST
    narrow = min(_NARROW, room / (others + 1.5 * seats)) if others else 0
    wide = (room - others * narrow) / seats if seats else 0
    widths = [_FIRST, *[narrow] * len(form.before), *[wide] * seats, *[narrow] * len(form.after)]
    edges = [MARGIN]
    for width in widths:
        edges.append(edges[-1] + width)
    return edges


def _draw_titles(
    press: Press, form: SlipForm, table: SeatedTable, edges: Sequence[float], top: float
) -> None:
    press.rule((MARGIN, top), (edges[-1], top), INK, 1.1)
    press.rule((MARGIN, top + _TITLES), (edges[-1], top + _TITLES), INK, 1.1)
    words = ["#", *form.before, *[""] * len(table.sitters), *form.after]
    pen = Pen(9, bold=True, align=0.5)
    for word, left, right in zip(words, edges[:-1], edges[1:], strict=True):
        press.text((left + right) / 2, top + 27, pen.fit(word, right - left - 4), pen)
    first = 1 + len(form.before)
    for place, sitter in enumerate(table.sitters, first):
        _draw_seat(press, sitter, form.seats, (edges[place], edges[place + 1], top))


def _draw_seat(
    press: Press, sitter: PrintedSitter, below: str, box: tuple[float, float, float]
) -> None:
    left, right, top = box
    middle, room = (left + right) / 2, right - left - 5
    small, smaller = Pen(8, colour=GREY, align=0.5), Pen(7.5, colour=GREY, align=0.5)
    press.text(middle, top + 9, small.fit(sitter.seat, room), small)
    size, lines = shrink_to_fit(sitter.label, _ONE_LINE, room, most=1)
    if len(lines) > 1:
        size, lines = shrink_to_fit(sitter.label, _TWO_LINES, room)
    pen = Pen(size, bold=True, align=0.5)
    if len(lines) > _LINES_MAX:
        lines = [sitter.fit_label(pen, room)]
    first = top + (25 if len(lines) == 1 else 19)
    for number, line in enumerate(lines):
        press.text(middle, first + number * size * 1.15, line, pen)
    press.text(middle, top + _TITLES - 5, smaller.fit(below, room), smaller)


def _slip_labels(form: SlipForm, heading: PrintHeading) -> SlipForm:
    before, after = (tuple(map(heading.say, words)) for words in (form.before, form.after))
    return replace(form, before=before, seats=heading.say(form.seats), after=after)


def _draw_foot(press: Press, heading: PrintHeading, base: float) -> None:
    pen = Pen(8.5, colour=GREY)
    half = (press.width - 2 * MARGIN - 20) / 2
    labels = (MARGIN, Message("Written by")), (MARGIN + half + 20, Message("Agreed by"))
    for left, label in labels:
        words = heading.say(label)
        press.text(left, base, words, pen)
        start = left + pen.width(words) + 8
        press.rule((start, base + 2), (left + half, base + 2), INK, 0.5)
