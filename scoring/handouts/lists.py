"""Lists of people on paper: arrivals to tick with what they owe, and the members of a club."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from engine.core.messages import Message
from scoring.handouts.properties import SheetOrder, describe_sheet
from tournaments import selectors
from tournaments.core.name_folding import fold_text
from tournaments.models import Club, EntryStanding, Event
from tournaments.people.display_names import distinct_name, players_by_name, shared_names
from tournaments.printing.paper_sheets import PaperSheet, RowGroup, print_sheets
from tournaments.reports.members import members
from tournaments.selectors import shown_name
from tournaments.tables.model import Column, ColumnKind, Table
from tournaments.tables.paper_rows import table_texts

_BOX, _TICKED = "\N{BALLOT BOX}", "\N{BALLOT BOX WITH CHECK}"
_WALK_INS = 4
"""So many lines are left empty for people who are on no list."""


class _Arrival(NamedTuple):
    name: str
    number: int | None = None
    due: int | None = None
    paid: int = 0


def print_check_in_list(event: Event, order: SheetOrder) -> bytes:
    """Print who has entered, or everybody who plays at the club while nobody has."""
    about = describe_sheet(event, order, what=_("Check-in"))
    arrivals = sorted(_arrivals(event), key=lambda one: fold_text(one.name))
    columns: list[Column[_Arrival]] = [
        Column(key="here", title=_("Here"), value=lambda _arrival: _BOX),
        Column(key="name", title=_("Name"), value=lambda arrival: arrival.name),
        Column(
            key="number",
            title=_("Member no."),
            kind=ColumnKind.INTEGER,
            value=lambda arrival: arrival.number,
        ),
    ]
    if event.entry_fee:
        columns += [
            Column(
                key="fee",
                title=_("Fee"),
                kind=ColumnKind.MONEY,
                currency=event.club.currency,
                value=lambda arrival: arrival.due,
            ),
            Column(key="paid", title=_("Paid"), value=_paid_box),
        ]
    rows = [*arrivals, *[_Arrival("")] * _WALK_INS]
    texts = table_texts(Table("", tuple(columns), rows), about.locale)
    sheet = PaperSheet(columns=tuple(columns), groups=[RowGroup("", texts)])
    return print_sheets(about, [sheet], order.paper)


def _arrivals(event: Event) -> Iterator[_Arrival]:
    entries = list(selectors.entries(event))
    shared = shared_names(event.club)
    for row in entries:
        player = row.player
        due = 0 if row.standing == EntryStanding.HOUSE else event.entry_fee
        yield _Arrival(distinct_name(player, shared), player.number, due, row.fee_paid)
    if not entries:
        for player, name in players_by_name(event.club):
            yield _Arrival(name, player.number, event.entry_fee)


def _paid_box(arrival: _Arrival) -> str:
    return _TICKED if arrival.due and arrival.paid >= arrival.due else _BOX


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
