"""Standings of events and leagues: as they stand, as they stood, and what moved between."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypedDict, cast
from urllib.parse import urlencode
from uuid import UUID

from rest_framework.response import Response

from engine.core.messages import Message
from tournaments.access.rights import Right
from tournaments.access.visibility import tells_of_hidden
from tournaments.api.serializers import DateTimeField, IntegerField, StrictSerializer
from tournaments.api.views import ApiRequest, EventViewSetBase, LeagueViewSetBase
from tournaments.core.entity_tags import tag_of
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.language import translate
from tournaments.core.time_zones import USUAL
from tournaments.models import Event, Scope, Snapshot
from tournaments.publishing import official, versions
from tournaments.publishing.answer_facts import (
    list_club_facts,
    list_name_facts,
    list_published_facts,
)
from tournaments.publishing.event_standings import EventTable
from tournaments.publishing.league_standings import LeagueTable
from tournaments.publishing.official import DecisionNote
from tournaments.publishing.versions import ChangesSince, Standings
from tournaments.standings import TieBreakReason
from tournaments.standings.changes import ChangeData, StandingChange

ROWS_MAX: Final = 100
"""The rows of a page unless fewer are asked for."""


class WhichSerializer(StrictSerializer):
    """Which version is asked for."""

    version = IntegerField(required=False, min_value=1, max_value=10**9, help_text="This version.")
    at = DateTimeField(required=False, help_text="What stood published at this moment.")


class StandingsQuerySerializer(WhichSerializer):
    """Which version is asked for, and what it is compared with."""

    since = IntegerField(
        required=False,
        min_value=1,
        max_value=10**9,
        help_text="What moved since this version.",
    )
    limit = IntegerField(
        required=False,
        min_value=1,
        max_value=ROWS_MAX,
        help_text="From 1 to 100; 100 unless given.",
    )
    offset = IntegerField(
        required=False,
        min_value=0,
        max_value=10**6,
        help_text="How many rows come before; from the address of the next page.",
    )


class ChangeOut(ChangeData):
    """An entry that moved since an older version."""

    name: str
    sentence: str


class NoteOut(TypedDict):
    """A decision of the director on a version, and why."""

    version: int
    reason: str
    at: datetime


class StatusOut(TypedDict):
    """What a version is: ``provisional``, ``official`` or ``amended`` (official too).

    ``sentence`` says it in words, with the tables until whose end it stays provisional.
    ``since`` is when the table was first official. An amended version took the place of ``before``
    at ``amended_at``, ``because`` of what. At ``replaced_at`` another took its place. ``official``
    is the version that holds, ``pending`` a later one that waits to take its place, ``declined``
    one that will not, ``reopened`` the version that was official until the event or the league
    went on.
    """

    state: str
    sentence: str
    since: datetime | None
    amended_at: datetime | None
    because: str
    before: int | None
    replaced_at: datetime | None
    official: int | None
    pending: int | None
    declined: NoteOut | None
    reopened: NoteOut | None


class CountedOut(TypedDict):
    """An event that a season counts, and which version of it; 0: one not published yet."""

    event: str
    number: int
    version: int
    state: str


class ThinnedOut(TypedDict):
    """The first and the last of some versions that are no longer kept."""

    first: int
    last: int


class StandingsOut(TypedDict):
    """Standings as they were published: ``digest`` is that of ``standings`` as canonical JSON.

    ``names`` and ``because`` (why somebody stands ahead of the next) go by the ``entry`` of a row;
    ``reasons`` of adjustments and of the ``decision`` of a seat are told to members. ``status``
    says whether they are official, ``counted`` which version of each event a season counts.
    ``behind_since``: something is not in it yet. ``trouble``: why they were put aside.

    ``thinned``: the moment that was asked for may be one of these versions, which are no longer
    kept; ``version`` is the last one before them. ``changes`` are those since version ``since``,
    the last one that is kept up to the one that was asked for.

    A table of more than 100 rows comes a page at a time: ``rows`` of ``standings``, ``because`` and
    ``changes`` are those of the page, ``next`` is the address of the next one, of the same version.
    All else is that of the whole table: ``count``, the number of its rows, and ``digest``, which is
    that of ``standings`` with the rows of all pages.
    """

    version: int
    latest: int
    computed_at: datetime | None
    behind_since: datetime | None
    trouble: str
    inputs: str
    digest: str
    program: str
    names: dict[str, str]
    because: dict[str, str]
    reasons: dict[str, str]
    thinned: ThinnedOut | None
    since: int | None
    changes: list[ChangeOut] | None
    status: StatusOut
    counted: list[CountedOut] | None
    standings: EventTable | LeagueTable
    count: int
    next: str | None


class EventStandingsViewSet(EventViewSetBase):
    """The standings of an event."""

    parameters = {"retrieve": StandingsQuerySerializer}
    outputs = {"retrieve": StandingsOut}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """Show the standings, with every game that they are made of, a page of rows at a time."""
        return _answer(self, Scope.EVENT, event_id)


class LeagueStandingsViewSet(LeagueViewSetBase):
    """The table of a season."""

    parameters = {"retrieve": StandingsQuerySerializer}
    outputs = {"retrieve": StandingsOut}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, league_id: UUID) -> Response:
        """Show the table of a season, with every event that it is made of, a page at a time."""
        return _answer(self, Scope.LEAGUE, league_id)


def _answer(view: EventViewSetBase | LeagueViewSetBase, scope: Scope, subject: UUID) -> Response:
    """Answer standings; nothing is read or put into words for who has this answer."""
    request, query = view.request, view.read_parameters()
    found = chosen(request, query, scope, subject)
    tag = tag_of(_list_facts(request, query, found, scope))
    if view.is_known(tag):
        return view.answer_document({}, tag)
    return view.answer_document(standings_out(request, query, found), tag)


def _list_facts(
    request: ApiRequest, query: Mapping[str, Any], found: Standings, scope: Scope
) -> list[Any]:
    """Return all that an answer is made of. Four queries, and three more for a season."""
    club = request.club
    told: list[Any] = [
        *(sorted(request.rights), query),
        *(found.row.subject, found.stamp, found.behind_since, found.row.trouble, found.thinned),
        list_club_facts(club),
        list_name_facts(club.pk),
        list_published_facts(club, scope, [found.row.subject]),
    ]
    if scope == Scope.LEAGUE:
        # It names its nights, and says which versions of theirs count and are kept.
        events = dict(Event.objects.filter(club=club).order_by("pk").values_list("pk", "name"))
        told += [
            list(events.items()),
            list_published_facts(club, Scope.EVENT, events),
            Snapshot.objects.filter(published__club=club).count(),
        ]
    return told


def chosen(request: ApiRequest, query: Mapping[str, Any], scope: Scope, subject: UUID) -> Standings:
    """The version that the address asks for.

    Raises NotThereError for one that never was, GoneError for one that is no longer kept.
    """
    if "version" in query and "at" in query:
        raise RefusedError(Message("Ask for a version or for a moment."), "at")
    found: Standings | None = None
    if "version" in query:
        found = versions.find_version_or_before(scope, subject, query["version"])
    elif "at" in query:
        found = official.find_as_of(scope, subject, query["at"])
    else:
        found = official.find_current(scope, subject)
    if found is None:
        raise NotThereError
    since = versions.find_last_kept(found.row, query["since"]) if "since" in query else None
    if not request.sees_hidden and tells_of_hidden(found.row, (found.version, since)):
        raise NotThereError
    if "version" in query and found.thinned is not None:
        raise GoneError(
            Message(
                "Version {n} is no longer kept; version {before} is the last one before it,"
                " {after} the first one after it.",
                n=query["version"],
                before=found.version,
                after=found.thinned.last + 1,
            ),
            "version",
        )
    return found


def visible_names(players: Iterable[str], request: ApiRequest) -> dict[str, str]:
    """Names of players by id, as far as this asker may know them."""
    ids = sorted({UUID(player) for player in players})
    return versions.names_of(ids, in_full=Right.NAMES_READ in request.rights)


def names_in(standings: Standings, request: ApiRequest) -> dict[str, str]:
    """Names by entry, as far as this asker may know them."""
    known = visible_names(standings.players.values(), request)
    return {entry: known.get(player, "") for entry, player in standings.players.items()}


def standings_out(
    request: ApiRequest, query: Mapping[str, Any], standings: Standings
) -> StandingsOut:
    """Return a page of standings as data, as far as this asker may know them."""
    names, snapshot = names_in(standings, request), standings.snapshot
    since = _changes_since(standings, query)
    first = query.get("offset", 0)
    end = first + query.get("limit", ROWS_MAX)
    rows = standings.rows[first:end]
    following = {**query, "version": standings.version, "offset": end}
    following.pop("at", None)
    shown = {row["entry"] for row in rows}
    if not first:
        shown |= {change.entry for change in since.changes if change.left} if since else set()
    return {
        "version": standings.version,
        "latest": standings.latest,
        "computed_at": None if snapshot is None else snapshot.computed_at,
        "behind_since": standings.behind_since,
        "trouble": standings.row.trouble,
        "inputs": "" if snapshot is None else snapshot.inputs,
        "digest": "" if snapshot is None else snapshot.digest,
        "program": "" if snapshot is None else snapshot.program,
        "names": names,
        "because": because(rows, names),
        "reasons": _reasons(standings, request),
        "thinned": None
        if standings.thinned is None
        else {"first": standings.thinned.first, "last": standings.thinned.last},
        "since": None if since is None else since.version,
        "changes": None
        if since is None
        else changes_out(
            [change for change in since.changes if change.entry in shown],
            names,
            in_full=Right.NAMES_READ in request.rights,
        ),
        "status": status_out(standings, in_full=Right.NAMES_READ in request.rights),
        "counted": _counted(standings) if standings.row.scope == Scope.LEAGUE else None,
        "standings": cast(
            "EventTable | LeagueTable",
            {**standings.data, "rows": rows} if standings.data else {},
        ),
        "count": len(standings.rows),
        "next": f"{request.path}?{urlencode(following)}" if end < len(standings.rows) else None,
    }


def because(rows: Iterable[Mapping[str, Any]], names: Mapping[str, str]) -> dict[str, str]:
    """Why everybody stands ahead of the next one below, by entry."""
    return {
        row["entry"]: _tie_break_reason(row["decided"]).sentence(names)
        for row in rows
        if row.get("decided") is not None
    }


def _tie_break_reason(data: Mapping[str, Any]) -> TieBreakReason:
    mine, theirs = (
        tuple(value) if isinstance(value, list) else value
        for value in (data["mine"], data["theirs"])
    )
    return TieBreakReason(data["over"], data["key"], mine, theirs)


def _reasons(standings: Standings, request: ApiRequest) -> dict[str, str]:
    """Why there are adjustments and decisions, by their id, for members of the club."""
    return versions.reasons_of(standings) if Right.NAMES_READ in request.rights else {}


def _changes_since(standings: Standings, query: Mapping[str, Any]) -> ChangesSince | None:
    if "since" not in query:
        return None
    since = versions.changes_since(standings, query["since"])
    if since is None:
        raise NotThereError
    return since


def changes_out(
    changes: Sequence[StandingChange], names: Mapping[str, str], *, in_full: bool
) -> list[ChangeOut]:
    """Return what moved with names, those of who is gone too."""
    gone = versions.find_departed(changes, in_full=in_full)
    names = {**names, **{entry: one.name for entry, one in gone.items()}}
    return [
        {
            **change.to_data(),
            "name": names.get(change.entry, ""),
            "sentence": change.sentence(names),
        }
        for change in changes
    ]


def status_out(standings: Standings, *, in_full: bool) -> StatusOut:
    """Return what a version of standings is, provisional, official or amended."""
    status = official.status_of(standings, in_full=in_full)
    # Before the first version there is no row, nor a moment to tell.
    clock = standings.row.club.time_zone if status.is_official else USUAL
    return {
        "state": str(status.state),
        "sentence": translate(status.sentence(clock)),
        "since": status.since,
        "amended_at": status.amended_at,
        "because": status.because,
        "before": status.before,
        "replaced_at": status.replaced_at,
        "official": standings.row.official,
        "pending": None if status.pending is None else status.pending.version,
        "declined": _note_out(status.declined),
        "reopened": _note_out(status.reopened),
    }


def _note_out(note: DecisionNote | None) -> NoteOut | None:
    if note is None:
        return None
    return {"version": note.version, "reason": note.reason, "at": note.at}


def _counted(standings: Standings) -> list[CountedOut]:
    counted = official.counted_versions(standings)
    return [
        {
            "event": session["event"],
            "number": session["number"],
            "version": counted[session["event"]].version,
            "state": str(counted[session["event"]].state),
        }
        for session in standings.data.get("sessions", ())
    ]
