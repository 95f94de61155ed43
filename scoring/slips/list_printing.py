"""The check-in list on paper: a circle before each name, to be marked and read by a camera."""

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Final

from engine.core.messages import Message
from scoring.slips.check_in import Arrival, ListPage
from scoring.slips.layout import MARGIN, RADIUS, Circle, SlipLayout, lay_out_list
from scoring.slips.printing import DARK, EXAMPLES, MM, draw_codes, draw_examples, draw_small
from tournaments.printing.seating import PrintHeading
from tournaments.tables.press import GREY, RULE, Pen, Press, printing

_BOX, _TICKED = "\N{BALLOT BOX}", "\N{BALLOT BOX WITH CHECK}"
_WALK_INS: Final = 3
"""Lines in each of two columns for people who are on no list."""


def print_list(
    heading: PrintHeading, pages: Sequence[ListPage], moment: str, say_fee: Callable[[int], str]
) -> bytes:
    """Print a check-in list: a circle before each name, and a box behind each fee.

    ``moment`` is that of which it is true; ``say_fee`` writes an amount of minor units.
    """
    result = BytesIO()
    title = heading.title_of(Message("Check-in"))
    with printing(result, heading.paper.points, title, language=heading.locale.code) as press:
        for page in pages:
            layout = lay_out_list(len(page.arrivals))
            size = (layout.width * MM, layout.height * MM)
            at = ((press.width - size[0]) / 2, (press.height - size[1]) / 2)
            with press.part(at, size) as paper:
                draw_codes(paper, layout, page.code)
                draw_examples(paper, heading.say, layout.width - MARGIN)
                numbers = Message(
                    "Page {number} of {pages}", number=page.code.number, pages=len(pages)
                )
                _draw_list_head(paper, heading, (moment, heading.say(numbers)))
                for row, arrival in zip(layout.rows, page.arrivals, strict=True):
                    _draw_arrival(paper, row.circles[0], arrival, say_fee)
                _draw_walk_ins(paper, heading, layout)
            press.next_page()
    return result.getvalue()


def _draw_list_head(press: Press, heading: PrintHeading, last: Sequence[str]) -> None:
    left = 29 * MM
    room = press.width - (MARGIN + EXAMPLES + 2) * MM - left
    press.text(left, 11.5 * MM, heading.say(Message("Check-in")), Pen(20, bold=True))
    about = " · ".join((heading.title, heading.about))
    draw_small(press, (left, 17.0 * MM), about, room)
    draw_small(press, (left, 22.5 * MM), " · ".join(last), room)


def _draw_arrival(
    press: Press, circle: Circle, arrival: Arrival, say_fee: Callable[[int], str]
) -> None:
    press.circle((circle.x * MM, circle.y * MM), RADIUS * MM, DARK)
    base = (circle.y + 1.3) * MM
    left, right = (circle.x + RADIUS + 2) * MM, (circle.x - RADIUS) * MM + press.width / 2 - 14 * MM
    if arrival.due:
        box = _TICKED if arrival.paid >= arrival.due else _BOX
        fee = Pen(10, align=1)
        press.text(right, base, f"{say_fee(arrival.due)} {box}", fee)
        right -= 22 * MM
    number = "" if arrival.number is None else str(arrival.number)
    small, pen = Pen(7, colour=GREY), Pen(11)
    words = pen.fit(arrival.name, right - left - small.width(number) - 6)
    press.text(left, base, words, pen)
    press.text(left + pen.width(words) + 4, base, number, small)


def _draw_walk_ins(press: Press, heading: PrintHeading, layout: SlipLayout) -> None:
    """Draw empty lines, beside the second code, for names that somebody has to type."""
    end, top = layout.codes[1].x - 4, layout.codes[1].y
    column = (end - MARGIN) / 2
    label = heading.say(Message("Not on the list:"))
    press.text(MARGIN * MM, (top - 1) * MM, label, Pen(8, colour=GREY))
    for place in range(2 * _WALK_INS):
        left = MARGIN + place // _WALK_INS * column
        base = (top + 6.5 + place % _WALK_INS * 6.7) * MM
        press.rule((left * MM, base), ((left + column - 5) * MM, base), RULE)
