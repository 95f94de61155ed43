"""Print what somebody asks for of a night."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext

from engine.core.messages import Message
from scoring.handouts.hands import print_hands_of_event
from scoring.handouts.lists import print_check_in_list
from scoring.handouts.properties import SheetOrder
from scoring.handouts.result_sheet import print_result_sheet
from scoring.handouts.seating import open_tables, tables_of
from scoring.handouts.slips import print_blank_slips, print_score_slips
from scoring.presentation.files import find_locale
from tournaments import selectors
from tournaments.core import time_zones
from tournaments.core.errors import RefusedError
from tournaments.models import Event
from tournaments.printing.cards import movement_cards, table_cards
from tournaments.printing.seating import PrintHeading, seating_list
from tournaments.tables.press import PaperSize


class HandoutKind(StrEnum):
    """Sheets that can be printed for a night."""

    CHECK_IN = "check-in"
    """Who is expected, with boxes to tick."""
    SEATING = "seating"
    """Who sits where, by name and by table."""
    MOVEMENT = "movement"
    """A card for each player: where they sit, round by round."""
    SLIPS = "slips"
    """Score slips, one for each hand of a table, to be marked and read by a camera."""
    BLANK_SLIPS = "blank-slips"
    """Score slips on which table and hand are marked as well."""
    RESULT = "result"
    """The result of the night, to be hung up."""
    HANDS = "hands"
    """The hands as diagrams: cards, tricks and settlement."""
    CARDS = "cards"
    """A card for each table of a round that is played, with the code of its page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintOrder:
    """An order to print: sheets of one ``round`` or of all, on which paper.

    ``table`` is that of the slips, by its number; None for those of all tables.

    ``site`` is where the pages are, such as ``https://hearts.example.org``, without a path.
    """

    kind: HandoutKind
    round: int | None = None
    table: int | None = None
    paper: PaperSize = PaperSize.A4
    site: str = ""


_SHEETS: Final[Mapping[HandoutKind, Callable[[Event, SheetOrder], bytes]]] = {
    HandoutKind.RESULT: print_result_sheet,
    HandoutKind.HANDS: print_hands_of_event,
    HandoutKind.CHECK_IN: print_check_in_list,
}


def print_handout(event: Event, order: PrintOrder, at: datetime) -> bytes:
    """A handout as PDF. Raises RefusedError where there is nothing to print."""
    sheet = SheetOrder(at=at, paper=order.paper, site=order.site)
    if (print_sheet := _SHEETS.get(order.kind)) is not None:
        return print_sheet(event, sheet)
    begins = time_zones.local(event.starts_at, event.club.time_zone)
    day = date_format(begins, gettext("j F Y"))
    heading = PrintHeading(title=event.name, about=day, paper=order.paper, locale=find_locale())
    if order.kind is HandoutKind.BLANK_SLIPS:
        return print_blank_slips(event, heading, order.round)
    rows = [row for row in selectors.rounds(event) if order.round in (None, row.number)]
    if not rows:
        raise RefusedError(Message("No such round is drawn."), "round")
    match order.kind:
        case HandoutKind.CARDS:
            tables = list(open_tables(event, rows, f"{order.site}/t/", at))
            if not tables:
                raise RefusedError(Message("No table of this round is played now."), "round")
            words = Message("Scan the code to enter hands. No account is needed.")
            return table_cards(heading, tables, words)
        case HandoutKind.SEATING:
            made_at = time_zones.local(at, event.club.time_zone)
            return seating_list(heading, tables_of(event, rows), made_at)
        case HandoutKind.MOVEMENT:
            return movement_cards(heading, tables_of(event, rows))
        case _:
            return print_score_slips(event, rows, heading, order.table)
