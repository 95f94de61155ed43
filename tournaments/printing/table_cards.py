"""Table cards: one page for each table, with who sits where and the code of its page."""

from collections.abc import Sequence
from io import BytesIO

from engine.messages import Message
from tournaments.printing.seats import PrintedSitter, PrintHeading, SeatedTable
from tournaments.tables.codes import draw_code
from tournaments.tables.lettering import wrap_text
from tournaments.tables.press import ACCENT, GREY, RULE, Pen, Press, printing

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
