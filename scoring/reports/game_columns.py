"""The columns by which people know a game: date, event, round and table.

Every table that tells of games begins with them, with equal values, so that they can be joined.
"""

from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from scoring.models import Game
from tournaments.core.time_zones import day
from tournaments.models import Club
from tournaments.tables.model import Column, ColumnKind


class GameKey(NamedTuple):
    """The properties by which people know a game.

    ``date`` is that of its event, or else the day on which it was opened; ``table`` the number of
    the table in an event, or else the name of the game. ``number`` tells games apart that have all
    of this alike, from 1 in their order.
    """

    date: date
    event: str
    round: int | None
    table: int | str
    number: int = 1


_FIELDS: Final = (
    *("pk", "name", "opened_at", "table__number", "table__round__number"),
    *("table__round__event__name", "table__round__event__starts_at"),
)


class GameColumns:
    """The keys of all games of a club, and the columns that show them. One query.

    They are those of the whole club whichever games are asked for, so that files of one club have
    the same columns and values.
    """

    def __init__(self, club: Club) -> None:
        clock, seen = club.time_zone, Counter[GameKey]()
        found = {}
        rows = Game.objects.filter(club=club).order_by("opened_at", "pk").values_list(*_FIELDS)
        for pk, name, opened_at, table, round_, event, starts_at in rows:
            if table is None:
                key = GameKey(day(opened_at, clock), "", None, name)
            else:
                key = GameKey(day(starts_at, clock), event, round_, table)
            seen[key] += 1
            found[pk] = key._replace(number=seen[key])
        self.keys = found

    def columns(
        self, game_of: Callable[[Any], UUID | None], hand_of: Callable[[Any], int | None]
    ) -> tuple[Column[Any], ...]:
        """The columns for records of which ``game_of`` and ``hand_of`` give game and hand."""
        known = self.keys.values()

        def column(key: str, title: str, kind: ColumnKind = ColumnKind.INTEGER) -> Column[Any]:
            def value(record: Any) -> Any:
                found = self.keys.get(game_of(record) or _NONE)
                return getattr(found, key) if found else None

            return Column(key=key, title=title, kind=kind, value=value, is_heading=True)

        has_names = any(isinstance(one.table, str) for one in known)
        columns = [column("date", _("Date"), ColumnKind.DATE)]
        if any(one.event for one in known):
            columns.append(column("event", _("Event"), ColumnKind.TEXT))
            columns.append(column("round", _("Round")))
        kind = ColumnKind.TEXT if has_names else ColumnKind.INTEGER
        columns.append(column("table", _("Table"), kind))
        if any(one.number > 1 for one in known):
            columns.append(column("number", _("Game")))
        return (
            *columns,
            Column(key="hand", title=_("Hand"), kind=ColumnKind.INTEGER, value=hand_of),
        )


_NONE: Final = UUID(int=0)


def game_id_column(game_of: Callable[[Any], UUID | None]) -> Column[Any]:
    """The id of a game, for programs."""
    return Column(
        key="game_id",
        title="game_id",
        value=lambda record: str(game_of(record) or ""),
        is_id=True,
    )
