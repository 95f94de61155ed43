"""The check-in list on paper: who is on it, its print, and who is marked on a picture of it."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final, NamedTuple
from uuid import UUID

from engine.core.messages import Message
from scoring.slips.codes import SlipCode, short_id
from scoring.slips.layout import (
    LIST_MAX,
    MARGIN,
    RADIUS,
    Circle,
    Mark,
    SlipLayout,
    lay_out_list,
)
from scoring.slips.matching import own_installation
from scoring.slips.pictures import UnreadablePictureError
from scoring.slips.printing import DARK, EXAMPLES, MM, draw_codes, draw_examples, draw_small
from scoring.slips.recognition import SlipReading, read_pictures
from tournaments import selectors
from tournaments.core.errors import RefusedError
from tournaments.core.name_folding import fold_text
from tournaments.models import EntryStanding, Event
from tournaments.people.display_names import distinct_name, players_by_name, shared_names
from tournaments.printing.seating import PrintHeading
from tournaments.tables.press import GREY, RULE, Pen, Press, printing

_ENTERED, _EVERYBODY = 1, 0
"""Who is on a list, in the place of the round in its codes."""
_BOX, _TICKED = "\N{BALLOT BOX}", "\N{BALLOT BOX WITH CHECK}"
_WALK_INS: Final = 3
"""Lines in each of two columns for people who are on no list."""
LIST_BYTES_MAX: Final = 12 * 1024 * 1024
LIST_PAGES_MAX: Final = 12
"""Of a file with pictures of a list, which is read while somebody waits for the answer."""


class Arrival(NamedTuple):
    """Somebody on a check-in list; ``due`` and ``paid`` are of the entry fee, in minor units."""

    player: UUID
    name: str
    number: int | None
    due: int
    paid: int = 0


class ListPage(NamedTuple):
    """A page of a list: its code, and who is on it."""

    code: SlipCode
    arrivals: Sequence[Arrival]


@dataclass(frozen=True, slots=True)
class ListReading:
    """The players marked on pictures of a list, and the names of those whose mark is unsure."""

    marked: frozenset[UUID]
    unsure: tuple[str, ...]


def list_pages(event: Event) -> list[ListPage]:
    """The pages of a list of who has entered, or of all who play at the club while nobody has."""
    kind = _ENTERED if selectors.entries(event).exists() else _EVERYBODY
    return list(_pages(event, kind, None))


def _pages(event: Event, kind: int, latest: int | None) -> Iterator[ListPage]:
    """The pages of a list; those who came to it after ``latest`` are on none."""
    found = list(_entered(event) if kind == _ENTERED else _everybody(event))
    if latest is None:
        latest = max((stamp for stamp, _arrival in found), default=0)
    known = (arrival for stamp, arrival in found if stamp <= latest)
    arrivals = sorted(known, key=lambda one: fold_text(one.name))
    for first in range(0, len(arrivals), LIST_MAX):
        page = arrivals[first : first + LIST_MAX]
        digest = hashlib.sha256(b"".join(one.player.bytes for one in page)).hexdigest()
        code = SlipCode(
            installation=own_installation(),
            event=short_id(event.pk),
            players=0,
            rules=int(digest[:6], 16),
            table=latest,
            round=kind,
            number=first // LIST_MAX + 1,
            hand=len(page),
        )
        yield ListPage(code, page)


def _entered(event: Event) -> Iterator[tuple[int, Arrival]]:
    shared = shared_names(event.club)
    for row in selectors.entries(event).order_by("number"):
        player = row.player
        due = 0 if row.standing == EntryStanding.HOUSE else event.entry_fee
        name = distinct_name(player, shared)
        yield _stamp(row.pk), Arrival(player.pk, name, player.number, due, row.fee_paid)


def _everybody(event: Event) -> Iterator[tuple[int, Arrival]]:
    for player, name in players_by_name(event.club):
        yield _stamp(player.pk), Arrival(player.pk, name, player.number, event.entry_fee)


def _stamp(identifier: UUID) -> int:
    """The millisecond in which an identifier was made (`tournaments.core.ids`), but its first bits.

    There is room for 40 of them in a code, which are 34 years.
    """
    return identifier.int >> 80 & (1 << 40) - 1


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


def read_list(event: Event, data: bytes) -> ListReading:
    """Read who is marked on the pages of a check-in list. Raises RefusedError saying why not."""
    if not data:
        raise RefusedError(Message("Choose a picture of the list."), "picture")
    if len(data) > LIST_BYTES_MAX:
        most = LIST_BYTES_MAX // 1024 // 1024
        raise RefusedError(Message("A picture may have {most} MiB.", most=most), "picture")

    def layout_of(code: SlipCode) -> SlipLayout | None:
        is_ours = code.is_list and code.event == short_id(event.pk)
        return lay_out_list(code.hand) if is_ours and code.hand <= LIST_MAX else None

    marked, unsure = set(), []
    printed: dict[tuple[int, int], list[ListPage]] = {}
    try:
        readings = read_pictures(data, layout_of, LIST_PAGES_MAX)
        for count, reading in enumerate(readings, 1):
            if count > LIST_PAGES_MAX:
                words = Message("The picture has more than {most} lists.", most=LIST_PAGES_MAX)
                raise RefusedError(words, "picture")
            if not isinstance(reading, SlipReading):
                raise RefusedError(reading.reason, "picture")
            code = reading.code
            key = code.round, code.table
            if key not in printed:
                printed[key] = list(_pages(event, *key))
            arrivals = _find_page(printed[key], code).arrivals
            for arrival, row in zip(arrivals, reading.rows, strict=True):
                ((_place, circle),) = row.marks.items()
                if circle.mark is Mark.MARKED:
                    marked.add(arrival.player)
                elif circle.mark is Mark.UNSURE:
                    unsure.append(arrival.name)
    except UnreadablePictureError as error:
        raise RefusedError(error.message, "picture") from None
    return ListReading(frozenset(marked), tuple(unsure))


def _find_page(pages: Sequence[ListPage], code: SlipCode) -> ListPage:
    """The page of a code as it was printed. Raises RefusedError where it would be another now."""
    for page in pages:
        if page.code == code:
            return page
    raise RefusedError(
        Message(
            "Names have changed since this list was printed. Tick who came, or print it again."
        ),
        "picture",
    )
