"""Cards: a page for each table, and one for each player to take along through all rounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from engine.core.messages import Message
from tournaments.printing.seating import (
    Journey,
    PrintedSitter,
    PrintHeading,
    SeatedRound,
    SeatedTable,
    journeys,
)
from tournaments.tables.lettering import wrap_text
from tournaments.tables.press import ACCENT, GREY, PALE, RULE, Pen, Press, draw_code, printing

MARGIN = 48.0
CODE = 215.0
"""The side of a code: 7.5 cm, to be read across a table."""
_PAGE = CODE + 70
"""The height of the code with the lines below it."""
_SHORT = 92.0


def table_cards(heading: PrintHeading, cards: Sequence[SeatedTable], note: str = "") -> bytes:
    """Print a card for each table; ``note``: a line for all of them, such as the round."""
    result = BytesIO()
    with printing(result, heading.paper.points, heading.title_of(Message("Table cards"))) as press:
        for card in cards:
            _draw(press, heading, card, note)
            press.next_page()
    return result.getvalue()


def _draw(press: Press, heading: PrintHeading, card: SeatedTable, note: str) -> None:
    room = press.width - 2 * MARGIN
    middle = press.width / 2
    title = Pen(17, bold=True, align=0.5)
    press.text(middle, MARGIN + 16, title.fit(heading.title, room), title)
    small = Pen(11, colour=GREY, align=0.5)
    about = " · ".join(part for part in (heading.about, heading.say(note)) if part)
    press.text(middle, MARGIN + 36, small.fit(about, room), small)
    press.rule((MARGIN, MARGIN + 52), (press.width - MARGIN, MARGIN + 52), ACCENT, 1.2)
    press.text(
        middle,
        MARGIN + 82,
        heading.say(Message("Table")).upper(),
        Pen(13, bold=True, colour=GREY, align=0.5),
    )
    press.text(middle, MARGIN + 186, str(card.number), Pen(118, bold=True, align=0.5))
    top = MARGIN + 220
    bottom = press.height - MARGIN - (_PAGE if card.url else 0)
    _draw_sitters(press, card.sitters, top, bottom)
    if card.url:
        _draw_page(press, heading, card)


def _draw_sitters(
    press: Press, sitters: Sequence[PrintedSitter], top: float, bottom: float
) -> None:
    if not sitters:
        return
    height = min(46.0, (bottom - top) / len(sitters))
    for place, sitter in enumerate(sitters):
        line = top + place * height
        if place:
            press.rule((MARGIN, line), (press.width - MARGIN, line), RULE)
        _draw_sitter(press, sitter, line, height)


def _draw_sitter(press: Press, sitter: PrintedSitter, top: float, height: float) -> None:
    seat = Pen(min(13.0, height * 0.4), bold=True, colour=ACCENT)
    press.text(MARGIN + 4, top + height * 0.62, seat.fit(sitter.seat, _SHORT - 12), seat)
    room = press.width - 2 * MARGIN - _SHORT
    pen = Pen(min(21.0, height * 0.45))
    if pen.width(sitter.label) <= room:
        press.text(MARGIN + _SHORT, top + height * 0.64, sitter.label, pen)
        return
    less = Pen(min(13.0, height * 0.32))
    for number, words in enumerate(wrap_text(sitter.label, less.size, room, most=2)):
        press.text(MARGIN + _SHORT, top + height * 0.42 + number * less.size * 1.25, words, less)


def _draw_page(press: Press, heading: PrintHeading, card: SeatedTable) -> None:
    url, top = card.url, press.height - MARGIN - _PAGE + 18
    left = (press.width - CODE) / 2
    draw_code(press, (left, top), CODE, url)
    words = heading.say(Message("Scan to write down hands and to see the score"))
    press.text(press.width / 2, top + CODE + 14, words, Pen(11, bold=True, align=0.5))
    small = Pen(9, colour=GREY, align=0.5)
    room = press.width - 2 * MARGIN
    press.text(press.width / 2, top + CODE + 30, small.fit(url, room), small)
    if card.typed:
        words = Message("No camera? Type {code} at {page}", code=card.typed, page=card.typing_page)
        plain = Pen(11, align=0.5)
        press.text(press.width / 2, top + CODE + 48, plain.fit(heading.say(words), room), plain)


_PAD = 17.0
_NAME = 54.0
_LINE = 19.0
_COLUMN = 18
"""So many rounds stand below each other, more beside them."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """The layout of cards on a page, and of rounds on a card."""

    across: int
    down: int
    columns: int
    lines: int
    size: tuple[float, float]


def _grid(rounds: int, page: tuple[float, float]) -> _Grid:
    columns = -(-max(rounds, 1) // _COLUMN)
    lines = -(-max(rounds, 1) // columns)
    across = 2 if columns <= 2 else 1
    down = max(1, int(page[1] // (_NAME + lines * _LINE + 2 * _PAD)))
    return _Grid(across, down, columns, lines, (page[0] / across, page[1] / down))


def movement_cards(heading: PrintHeading, rounds: Sequence[SeatedRound]) -> bytes:
    """Print a card for everybody, in the order of their names, to be cut apart."""
    result = BytesIO()
    size = heading.paper.points
    grid = _grid(len(rounds), size)
    with printing(result, size, heading.title_of(Message("Movement cards"))) as press:
        for place, journey in enumerate(journeys(rounds)):
            spot = place % (grid.across * grid.down)
            if place and not spot:
                press.next_page()
            if not spot:
                _draw_cuts(press, grid)
            _draw_card(press, heading, journey, (grid, spot))
            numbers = [each.number for each in rounds]
            _draw_rounds(press, heading, journey, numbers, (grid, spot))
        press.next_page()
    return result.getvalue()


def _draw_cuts(press: Press, grid: _Grid) -> None:
    for column in range(1, grid.across):
        edge = grid.size[0] * column
        press.fold((edge, 0), (edge, press.height))
    for row in range(1, grid.down):
        press.fold((0, grid.size[1] * row), (press.width, grid.size[1] * row))


def _corner(where: tuple[_Grid, int]) -> tuple[float, float]:
    grid, spot = where
    row, column = divmod(spot, grid.across)
    return column * grid.size[0] + _PAD, row * grid.size[1] + _PAD


def _draw_card(
    press: Press, heading: PrintHeading, journey: Journey, where: tuple[_Grid, int]
) -> None:
    left, top = _corner(where)
    room = where[0].size[0] - 2 * _PAD
    small = Pen(8, colour=GREY)
    about = " · ".join(part for part in (heading.title, heading.about) if part)
    press.text(left, top + 8, small.fit(about, room), small)
    size = 14.0 if Pen(14, bold=True).width(journey.name) <= room else 11.0
    for number, words in enumerate(wrap_text(journey.name, size, room, bold=True, most=2)):
        press.text(left, top + 25 + number * 13, words, Pen(size, bold=True))


def _draw_rounds(
    press: Press,
    heading: PrintHeading,
    journey: Journey,
    rounds: Sequence[int],
    where: tuple[_Grid, int],
) -> None:
    left, top = _corner(where)
    grid = where[0]
    part = (grid.size[0] - 2 * _PAD) / grid.columns
    for place, number in enumerate(rounds):
        column, line = divmod(place, grid.lines)
        spot = (left + column * part, top + _NAME - 10 + line * _LINE)
        if line % 2 == 0:
            press.fill(spot, (part - 8, _LINE), PALE)
        round_ = Message("Round {number}", number=number)
        words = tuple(map(heading.say, (round_, *_words(journey, number))))
        _draw_round(press, spot, part - 8, words)


def _words(journey: Journey, number: int) -> tuple[str, str]:
    if number not in journey.places:
        return "\u2013", ""
    place = journey.places[number]
    if place is None:
        return Message("sit out"), ""
    return Message("Table {number}", number=place[0]), place[1]


def _draw_round(press: Press, at: tuple[float, float], room: float, what: Sequence[str]) -> None:
    (left, top), (title, table, seat) = at, what
    press.text(left + 4, top + 13, title, Pen(8.5, colour=GREY))
    pen = Pen(10, bold=bool(seat), colour=ACCENT if seat else GREY)
    press.text(left + max(46.0, room * 0.4), top + 13.5, table, pen)
    pen = Pen(10, bold=True, align=1)
    press.text(left + room - 4, top + 13.5, pen.fit(seat, room * 0.28), pen)
