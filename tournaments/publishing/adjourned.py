"""Adjourned tables: their games are finished another day, and standings are provisional till then.

A table is adjourned from the director's word, `Table.adjourned_at`, until its game is closed.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple, TypedDict
from uuid import UUID

from engine.core.messages import Message, joined_by_semicolons
from tournaments.core.time_zones import format_day
from tournaments.models import UNFINISHED, Event, Table


class AdjournedData(TypedDict):
    """An adjourned table in published standings; ``finish_on`` is a day of ISO 8601, or unknown."""

    round: int
    table: int
    finish_on: str | None


class AdjournedTable(NamedTuple):
    """A table whose game is finished another day; ``event`` is the name of its night, if needed."""

    round: int
    table: int
    finish_on: date | None
    event: str = ""

    @classmethod
    def of(cls, table: Table) -> "AdjournedTable":
        """Return a table that was read with its round."""
        return cls(table.round.number, table.number, table.finish_on)

    @property
    def sentence(self) -> Message:
        """The day on which it will be finished, as a part of a sentence."""
        if self.finish_on is None:
            said = Message(
                "table {table} of round {round} will be finished another day",
                table=self.table,
                round=self.round,
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
        day = None if self.finish_on is None else self.finish_on.isoformat()
        return {"round": self.round, "table": self.table, "finish_on": day}


def find_adjourned(events: Iterable[UUID]) -> list[Table]:
    """Return the adjourned tables of events with their rounds, in order. One query."""
    rows = Table.objects.filter(round__event__in=events, games__phase__in=UNFINISHED)
    found = rows.exclude(adjourned_at=None).select_related("round__event").distinct()
    return list(found.order_by("round__event__starts_at", "round__number", "number", "pk"))


def adjourned_in(data: Mapping[str, Any]) -> list[AdjournedTable]:
    """Return the adjourned tables that published standings tell of; of a season one query, or none.

    What they say is as old as the standings.
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
        *(_table_of(one) for one in data.get("adjourned", ())),
        *(
            _table_of(one)._replace(event=names.get(event, ""))
            for event, tables in sessions.items()
            for one in tables
        ),
    ]


def _table_of(data: AdjournedData) -> AdjournedTable:
    day = data["finish_on"]
    return AdjournedTable(
        data["round"], data["table"], None if day is None else date.fromisoformat(day)
    )


def describe_adjourned(tables: Iterable[AdjournedTable]) -> Message:
    """Say when adjourned tables will be finished, as a part of a sentence."""
    return joined_by_semicolons([one.sentence for one in tables])
