"""Lists of people on paper: arrivals to tick with what they owe, and the members of a club."""

from functools import partial
from typing import Any, Final
from uuid import UUID

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from engine.core.messages import Message
from scoring.handouts.properties import SheetOrder, describe_sheet
from scoring.presentation.files import find_locale
from scoring.slips.check_in import list_pages, print_list
from tournaments.core.errors import RefusedError
from tournaments.core.name_folding import fold_text
from tournaments.core.time_zones import local
from tournaments.models import Club, Event
from tournaments.printing.paper_sheets import PaperSheet, RowGroup, print_sheets
from tournaments.printing.seating import PrintHeading
from tournaments.reports.members import members
from tournaments.selectors import shown_name
from tournaments.tables.model import Column, Table
from tournaments.tables.paper_rows import table_texts
from tournaments.web.number_format import money


def print_check_in_list(event: Event, order: SheetOrder) -> bytes:
    """Print who has entered, or everybody who plays at the club while nobody has.

    Each has a circle to mark, which is read from a picture of the list. Raises RefusedError where
    nobody is on it.
    """
    pages = list_pages(event)
    if not pages:
        raise RefusedError(_("Nobody has entered, and the club has no players."), "kind")
    locale, clock = find_locale(), event.club.time_zone
    day = date_format(local(event.starts_at, clock), _("l j F Y, H:i"))
    heading = PrintHeading(title=event.name, about=day, paper=order.paper, locale=locale)
    moment = locale.say_moment(local(order.at, clock))
    as_of = locale.say(Message("As of {moment}", moment=moment))
    return print_list(heading, pages, as_of, partial(money, currency=event.club.currency))


_SHOWN: Final = ("number", "name", "kind", "email", "phone", "note")
_LIVE: Final = Message("The club's page:")


def print_members_list(
    club: Club, order: SheetOrder, *, event: UUID | None = None, league: UUID | None = None
) -> bytes:
    """Print those who have not left, by name; columns in which there is nothing are left out."""
    found = members(club, event=event, league=league)
    players = sorted(
        (player for player in found.records if player.left_at is None),
        key=lambda player: fold_text(shown_name(player, in_full=True)),
    )
    shown: tuple[Column[Any], ...] = tuple(
        column for column in found.columns if column.key in _SHOWN
    )
    table = Table(found.title, shown, players).drop_empty_columns()
    about = describe_sheet(club, order, what=_("Members"))
    sheet = PaperSheet(
        columns=table.columns, groups=[RowGroup("", table_texts(table, about.locale))]
    )
    return print_sheets(about, [sheet], order.paper, _LIVE)
