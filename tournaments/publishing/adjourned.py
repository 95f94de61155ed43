"""Adjourned tables: their games are finished another day, and standings are provisional till then.

A table is adjourned from the director's word, `Table.adjourned_at`, until its game is closed.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple, TypedDict
from uuid import UUID

from django.utils import timezone

from engine.core.messages import Message, joined_by_semicolons
from tournaments.core.time_zones import day, format_day
from tournaments.models import UNFINISHED, Event, Published, Table


class AdjournedData(TypedDict):
    """An adjourned table in published standings; ``finish_on`` is a day of ISO 8601, or unknown."""

    round: int
    table: int
    finish_on: str | None


class AdjournedTable(NamedTuple):
    """A table whose game is finished another day; ``event`` is the name of its night, if needed.

    ``is_late``: the day is over, and the game is not.
    """

    round: int
    table: int
    finish_on: date | None
    event: str = ""
    is_late: bool = False

    @classmethod
    def of(cls, table: Table) -> "AdjournedTable":
        """Return a table that was read with its round, the event and the club."""
        is_late = is_day_over(table.finish_on, table.round.event.club.time_zone)
        return cls(table.round.number, table.number, table.finish_on, is_late=is_late)

    @property
    def sentence(self) -> Message:
        """The day on which it will be finished, as a part of a sentence."""
        if self.finish_on is None:
            said = Message(
                "table {table} of round {round} will be finished another day",
                table=self.table,
                round=self.round,
            )
        elif self.is_late:
            said = Message(
                "table {table} of round {round} was to be finished on {day}",
                table=self.table,
                round=self.round,
                day=format_day(self.finish_on),
            )
        else:
            said = Message(
                "table {table} of round {round} will be finished on {day}",
                table=self.table,
                round=self.round,
                day=format_day(self.finish_on),
            )
        return Message("“{event}”: {said}", event=self.event, said=said) if self.event else said

    def to_data(self) -> AdjournedData:
        """Return the table as published standings have it."""
        finish_on = None if self.finish_on is None else self.finish_on.isoformat()
        return {"round": self.round, "table": self.table, "finish_on": finish_on}


def find_adjourned(events: Iterable[UUID], players: Sequence[UUID] | None = None) -> list[Table]:
    """Return the adjourned tables of events with rounds and clubs, in order. One query.

    With ``players`` only those where one of them sits.
    """
    rows = Table.objects.filter(round__event__in=events, games__phase__in=UNFINISHED)
    if players is not None:
        rows = rows.filter(seats__entry__player__in=players)
    found = rows.exclude(adjourned_at=None).select_related("round__event__club").distinct()
    return list(found.order_by("round__event__starts_at", "round__number", "number", "pk"))


def is_day_over(finish_on: date | None, clock: str) -> bool:
    """Whether a day has passed by the clock of a club; not one that is unknown."""
    return finish_on is not None and finish_on < day(timezone.now(), clock)


def adjourned_in(data: Mapping[str, Any], row: Published) -> list[AdjournedTable]:
    """Return the adjourned tables that published standings tell of; of a season one query, or none.

    What they say is as old as the standings, but for whether the day is over. ``row`` is that of
    the standings, with its club.
    """
    sessions = {
        UUID(one["event"]): one["adjourned"]
        for one in data.get("sessions", ())
        if one.get("adjourned")
    }
    names = (
        dict(Event.objects.filter(pk__in=sessions).values_list("pk", "name")) if sessions else {}
    )
    return [
        *(_table_of(one, row) for one in data.get("adjourned", ())),
        *(
            _table_of(one, row)._replace(event=names.get(event, ""))
            for event, tables in sessions.items()
            for one in tables
        ),
    ]


def _table_of(data: AdjournedData, row: Published) -> AdjournedTable:
    said = data["finish_on"]
    finish_on = None if said is None else date.fromisoformat(said)
    is_late = is_day_over(finish_on, row.club.time_zone)
    return AdjournedTable(data["round"], data["table"], finish_on, is_late=is_late)


def describe_adjourned(tables: Iterable[AdjournedTable]) -> Message:
    """Say when adjourned tables will be finished, as a part of a sentence."""
    return joined_by_semicolons([one.sentence for one in tables])
