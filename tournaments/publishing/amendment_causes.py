"""Causes of amendments: what was changed since a table was made official, and why (DEC-7).

They are read from the trail, which keeps the reason of each correction, ruling and adjustment and
from which names can be erased; nothing is copied.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from operator import itemgetter
from typing import Any, Final, TypedDict
from uuid import UUID

from engine.core.messages import Message
from tournaments.models import (
    AuditEntry,
    Entry,
    LeagueEvent,
    LeagueMember,
    Published,
    Scope,
    StandingsDecision,
    TableGame,
    Verdict,
)
from tournaments.publishing.official import TableStatus
from tournaments.selectors import hide_names

_IN_EVENTS: Final = (
    "hand corrected",
    "record chosen",
    "ruling",
    "seat taken",
    "seats permuted",
    "game closed",
    "game reopened",
    "game placed",
    "game taken out",
    "results corrected",
    "results recorded",
    "score adjusted",
    "adjustment cancelled",
    "seats decided",
    "decision cancelled",
    "board decided",
    "entry changed",
)
_OF_PEOPLE: Final = ("player merged", "person erased")
_CAUSES_MAX: Final = 100


class AmendmentCause(TypedDict):
    """What was changed since the table was made official, where, and in whose words why."""

    what: str
    place: str | None
    why: str
    at: datetime


def causes_of(status: TableStatus, row: Published, *, in_full: bool) -> list[AmendmentCause]:
    """Return changes since the table that holds was made official; none without a successor.

    Unless ``in_full``, reasons have the names that strangers see.
    """
    since = status.amended_at or status.since
    if status.pending is None or since is None:
        return []
    find = causes_in_event if row.scope == Scope.EVENT else causes_in_league
    found = find(row.subject, row.club_id, since)
    if in_full:
        return found
    return [{**one, "why": hide_names(row.club, one["why"])} for one in found]


def causes_in_event(event: UUID, club: UUID, since: datetime) -> list[AmendmentCause]:
    """Return changes in an event since a moment, the first first. Four queries."""
    games = {
        pk: (number, table)
        for pk, number, table in TableGame.objects.filter(event=event).values_list(
            "pk", "table__round__number", "table__number"
        )
    }
    entered = Entry.objects.filter(event=event).values_list("player", "player__merged_into")
    people = {str(one) for pair in entered for one in pair if one is not None}
    rows = AuditEntry.objects.filter(
        chain__in=[event, *games], what__in=_IN_EVENTS, at__gt=since
    ).order_by("at", "pk")[:_CAUSES_MAX]
    found = [_cause(row, games.get(row.chain)) for row in rows]
    return sorted([*found, *_of_people(club, people, since)], key=itemgetter("at"))


def causes_in_league(league: UUID, club: UUID, since: datetime) -> list[AmendmentCause]:
    """Return changes in a season since a moment: official tables of its events, and people.

    Five queries.
    """
    sessions = dict(LeagueEvent.objects.filter(league=league).values_list("event", "number"))
    amended = StandingsDecision.objects.filter(
        published__scope=Scope.EVENT,
        published__subject__in=sessions,
        verdict__in=(Verdict.AMENDED, Verdict.REOPENED),
        at__gt=since,
    ).select_related("published")
    found = [
        AmendmentCause(
            what=Message("event amended")
            if row.verdict == Verdict.AMENDED
            else Message("event reopened"),
            place=Message("session {number}", number=sessions[row.published.subject]),
            why=row.reason,
            at=row.at,
        )
        for row in amended.order_by("at", "number")[:_CAUSES_MAX]
    ]
    on_roll = LeagueMember.objects.filter(league=league).values_list("player", flat=True)
    played = Entry.objects.filter(event__in=sessions).values_list("player", flat=True)
    people = {str(one) for one in (*on_roll, *played)}
    return sorted([*found, *_of_people(club, people, since)], key=itemgetter("at"))


def _cause(row: AuditEntry, table: tuple[int | None, int | None] | None) -> AmendmentCause:
    details: Mapping[str, Any] = json.loads(row.details)
    place = None
    number, at_table = table or (None, None)
    if number is not None and at_table is not None:
        place = Message("round {round}, table {table}", round=number, table=at_table)
        if "number" in details:
            place = Message(
                "round {round}, table {table}, hand {hand}",
                round=number,
                table=at_table,
                hand=details["number"],
            )
    return {"what": Message(row.what), "place": place, "why": row.why, "at": row.at}


def _of_people(club: UUID, people: set[str], since: datetime) -> list[AmendmentCause]:
    """Merges and erasures of people who are ranked, without their names."""
    rows = AuditEntry.objects.filter(chain=club, what__in=_OF_PEOPLE, at__gt=since)
    found: list[AmendmentCause] = [
        {"what": Message(row.what), "place": None, "why": "", "at": row.at}
        for row in rows.order_by("at", "pk")
        if json.loads(row.details).get("player") in people
    ]
    return found[:_CAUSES_MAX]
