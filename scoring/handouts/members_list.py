"""The members of a club on paper: who they are, and how to reach them."""

from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _

from engine.messages import Message
from scoring.handouts.properties import SheetOrder, describe_sheet
from tournaments.core.name_folding import fold_text
from tournaments.models import Club
from tournaments.printing.paper_sheets import PaperSheet, RowGroup, print_sheets
from tournaments.reports.members import members
from tournaments.selectors import shown_name
from tournaments.tables.model import Column, Table
from tournaments.tables.paper_rows import table_texts

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
    shown: tuple[Column[Any], ...] = tuple(one for one in found.columns if one.key in _SHOWN)
    table = Table(found.title, shown, players).drop_empty_columns()
    about = describe_sheet(club, order, what=_("Members"))
    sheet = PaperSheet(
        columns=table.columns, groups=[RowGroup("", table_texts(table, about.locale))]
    )
    return print_sheets(about, [sheet], order.paper, _LIVE)
