"""The members of a club as a table, which an import reads back."""

from operator import attrgetter
from typing import Final
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.core.time_zones import day
from tournaments.models import Club, Person, Player, PlayerKind
from tournaments.selectors import shown_name
from tournaments.tables.model import Column, ColumnKind, Table

_NOBODY: Final = Person()


def members(club: Club, *, event: UUID | None = None, league: UUID | None = None) -> Table[Player]:
    """Everybody who plays at a club, with how to reach them; erased people as numbers.

    Of an event or a league: who entered or sat there. Without times, which nobody asks for.
    """
    rows = Player.objects.filter(club=club, merged_into=None)
    for way, subject in (("event", event), ("event__leagues__league", league)):
        if subject is not None:
            there = Q(**{f"entries__{way}": subject}) | Q(**{f"results__game__{way}": subject})
            # Who turned out to be somebody else may have sat there.
            who = Player.objects.filter(there, club=club)
            rows = rows.filter(Q(pk__in=who.values("pk")) | Q(pk__in=who.values("merged_into")))

    def person(player: Player) -> Person:
        return getattr(player, "person", _NOBODY)

    columns: tuple[Column[Player], ...] = (
        Column(
            key="number",
            title=_("Member no."),
            kind=ColumnKind.INTEGER,
            value=attrgetter("number"),
        ),
        Column(key="name", title=_("Name"), value=lambda player: shown_name(player, in_full=True)),
        Column(
            key="kind",
            title=_("Kind"),
            value=lambda player: pgettext("state", PlayerKind(player.kind).label),
        ),
        Column(key="email", title=_("E-mail"), value=lambda player: person(player).email),
        Column(key="phone", title=_("Phone"), value=lambda player: person(player).phone),
        Column(key="note", title=_("Note"), value=lambda player: person(player).note),
        Column(
            key="since",
            title=_("Joined"),
            kind=ColumnKind.DATE,
            value=lambda player: day(player.created_at, club.time_zone),
        ),
        Column(
            key="left",
            title=_("Left"),
            kind=ColumnKind.DATE,
            value=lambda player: player.left_at and day(player.left_at, club.time_zone),
        ),
        Column(
            key="kind_code", title="kind_code", value=lambda player: str(player.kind), is_id=True
        ),
        Column(key="player_id", title="player_id", value=lambda player: str(player.pk), is_id=True),
    )
    found = rows.select_related("person").order_by("number")
    return Table(_("Members"), columns, list(found))
