"""Movement cards: one for each player to take along, with their table and seat in every round."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from engine.messages import Message
from tournaments.printing.seats import Journey, PrintHeading, SeatedRound, journeys
from tournaments.tables.lettering import wrap_text
from tournaments.tables.press import ACCENT, GREY, PALE, Pen, Press, printing

_PAD = 17.0
_NAME = 54.0
_LINE = 19.0
_COLUMN = 18
"""So many rounds stand below each other, more beside them."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """How cards lie on a page, and rounds on a card."""

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
