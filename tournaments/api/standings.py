"""Standings of events and leagues: as they stand, as they stood, and what moved between."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict, cast
from uuid import UUID

from rest_framework.response import Response

from engine.messages import Message
from tournaments.access.rights import Right
from tournaments.access.visibility import tells_of_hidden
from tournaments.api.serializers import DateTimeField, IntegerField, StrictSerializer
from tournaments.api.views import ApiRequest, EventViewSetBase, LeagueViewSetBase
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.models import Scope
from tournaments.publishing import official, versions
from tournaments.publishing.official import DecisionNote
from tournaments.publishing.versions import ChangesSince, Standings
from tournaments.standings import TieBreakReason
from tournaments.standings.changes import StandingChange


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


class ChangeOut(TypedDict):
    """An entry that moved since an older version."""

    entry: str
    before: str | None
    after: str | None
    label_before: str
    label_after: str
    came: bool
    left: bool
    name: str
    sentence: str


class NoteOut(TypedDict):
    """A decision of the director on a version, and why."""

    version: int
    reason: str
    at: datetime


class StatusOut(TypedDict):
    """What a version is: ``provisional``, ``official`` or ``amended`` (official too).

    ``since`` is when the table was first official. An amended version took the place of ``before``
    at ``amended_at``, ``because`` of what. At ``replaced_at`` another took its place. ``official``
    is the version that holds, ``pending`` a later one that waits to take its place, ``declined``
    one that will not, ``reopened`` the version that was official until the event or the league
    went on.
    """

    state: str
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


ExactOut = int | str | list[str] | None
"""Counts are numbers, exact amounts texts such as "7/4"; a countback is a list of them."""


class DecidedOut(TypedDict):
    """By which key an entry is ahead of the next one, ``over``, and the values of both."""

    over: str
    key: str
    mine: ExactOut
    theirs: ExactOut


class LineAdjustmentOut(TypedDict):
    """Points that the director gave or took; ``reason`` is the id under which it is told."""

    amount: str
    scope: NotRequired[str]
    affects_place: NotRequired[bool]
    reason: str


class ContributionOut(TypedDict, total=False):
    """What one game or board brought; ``table`` is the id of the game."""

    table: str
    round: int
    status: str
    value: str
    score: str
    hands: int
    place: int
    tied: int
    board: int


class RowOut(TypedDict, total=False):
    """What the rows of events and seasons have in common; ``label`` is the place as it is shown."""

    entry: str
    kind: str
    rank_from: int | None
    rank_to: int | None
    tied: int
    label: str
    score_from: int | None
    score_to: int | None
    total: ExactOut
    columns: dict[str, ExactOut]
    decided: DecidedOut | None
    withdrawn: bool
    adjustments: list[LineAdjustmentOut]


class EventRowOut(RowOut, total=False):
    """An entry; ``rounds`` by number, ``needs``: how many games are missing for a rank."""

    rounds: dict[str, str]
    contributions: list[ContributionOut]
    needs: int
    team: str | None


class SeasonLineOut(TypedDict, total=False):
    """What one event brought to a member; ``counted``: it is in the total."""

    event: str
    number: int
    points: str
    handicap: str
    net: str
    games: int
    weight: str
    source: str
    rank_from: int | None
    tied: int | None
    counted: bool


class StoodOut(TypedDict, total=False):
    """Where a member stood after an event."""

    event: str
    label: str
    total: ExactOut


class SeasonRowOut(RowOut, total=False):
    """A member of a season; ``delta``: how many places they went up with the last event."""

    division: str | None
    scratch: ExactOut
    scratch_label: str
    handicap: str
    lines: list[SeasonLineOut]
    needs_events: int
    needs_games: int
    history: list[StoodOut]
    delta: int | None
    clinched: bool
    safe: bool
    possible: bool
    opening: str
    attendance: str


class UpToOut(TypedDict, total=False):
    """How much of an event is in its standings."""

    round: int
    games: int
    hands: int


class RoundStageOut(TypedDict, total=False):
    """A round and its stage."""

    round: int
    stage: str


class TeamOut(TypedDict, total=False):
    """A team; ``counted`` are the members whose totals are in it."""

    entry: str
    rank_from: int | None
    rank_to: int | None
    tied: int
    label: str
    total: str
    members: list[str]
    counted: list[str]
    decided: DecidedOut | None


class RankedEntryOut(TypedDict, total=False):
    """Who an entry is; ``open``: something that touches it has still to be decided."""

    player: str
    number: int
    guest: bool
    house: bool
    open: bool
    ranked_guest: bool


class ScoredSeatOut(TypedDict, total=False):
    """A seat of a game; ``decision`` is the id of one on it."""

    entry: str
    score: str
    substitute: str | None
    decision: str


class ScoredGameOut(TypedDict, total=False):
    """A game that is in the standings."""

    game: str
    round: int
    table: int
    number: int
    phase: str
    open: bool
    hands: int
    seats: list[ScoredSeatOut]


class EventTableOut(TypedDict, total=False):
    """The standings of an event as they were published; empty as long as none were."""

    scope: Literal["event"]
    program: str
    subject: str
    status: str
    low: bool
    up_to: UpToOut
    rounds: list[RoundStageOut]
    teams: list[TeamOut]
    unit: str
    keys: list[str]
    cut_order: list[str]
    scoring: str
    results_only: bool
    rows: list[EventRowOut]
    house: list[EventRowOut]
    entries: dict[str, RankedEntryOut]
    games: list[ScoredGameOut]


class SessionInTableOut(TypedDict, total=False):
    """An event of a season, and the digest of what counts of it."""

    event: str
    number: int
    weight: str
    division: int | None
    digest: str


class LeagueTableOut(TypedDict, total=False):
    """The table of a season as it was published; empty as long as none was."""

    scope: Literal["league"]
    program: str
    subject: str
    status: str
    low: bool
    sessions: list[SessionInTableOut]
    open: list[str]
    keys: list[str]
    events: list[str]
    season: str
    rows: list[SeasonRowOut]


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
    standings: EventTableOut | LeagueTableOut


class EventStandingsViewSet(EventViewSetBase):
    """The standings of an event."""

    parameters = {"retrieve": StandingsQuerySerializer}
    outputs = {"retrieve": StandingsOut}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """Show the standings, with every game that they are made of."""
        query = self.read_parameters()
        found = chosen(request, query, Scope.EVENT, event_id)
        data = standings_out(request, query, found, names_in_event(found, request))
        return self.answer_document(data, tag(data))


class LeagueStandingsViewSet(LeagueViewSetBase):
    """The table of a season."""

    parameters = {"retrieve": StandingsQuerySerializer}
    outputs = {"retrieve": StandingsOut}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, league_id: UUID) -> Response:
        """Show the table of a season, with every event that it is made of."""
        query = self.read_parameters()
        found = chosen(request, query, Scope.LEAGUE, league_id)
        names = visible_names({row["entry"] for row in found.rows}, request)
        data = standings_out(request, query, found, names)
        return self.answer_document(data, tag(data))


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


def names_in_event(found: Standings, request: ApiRequest) -> dict[str, str]:
    """Names by entry; a substitute who has no entry goes by their player's id."""
    entries = found.data.get("entries", {})
    players = {entry: one["player"] for entry, one in entries.items()}
    others = {row["entry"] for row in (*found.rows, *found.data.get("house", ()))} - players.keys()
    known = visible_names([*players.values(), *others], request)
    names = {entry: known.get(player, "") for entry, player in players.items()}
    return names | {other: known.get(other, "") for other in others}


def standings_out(
    request: ApiRequest, query: Mapping[str, Any], found: Standings, names: Mapping[str, str]
) -> StandingsOut:
    """Return standings as data, as far as this asker may know them."""
    snapshot = found.snapshot
    since = _changes_since(found, query)
    return {
        "version": found.version,
        "latest": found.latest,
        "computed_at": None if snapshot is None else snapshot.computed_at,
        "behind_since": found.behind_since,
        "trouble": found.row.trouble,
        "inputs": "" if snapshot is None else snapshot.inputs,
        "digest": "" if snapshot is None else snapshot.digest,
        "program": "" if snapshot is None else snapshot.program,
        "names": dict(names),
        "because": because(found.rows, names),
        "reasons": _reasons(found, request),
        "thinned": None
        if found.thinned is None
        else {"first": found.thinned.first, "last": found.thinned.last},
        "since": None if since is None else since.version,
        "changes": None
        if since is None
        else changes_out(since.changes, names, in_full=Right.NAMES_READ in request.rights),
        "status": status_out(found, in_full=Right.NAMES_READ in request.rights),
        "counted": _counted(found) if found.row.scope == Scope.LEAGUE else None,
        "standings": cast("EventTableOut | LeagueTableOut", dict(found.data)),
    }


def tag(data: Mapping[str, Any]) -> int:
    """A number for what is said, names included: another content, another entity tag."""
    text = json.dumps(data, sort_keys=True, default=str)
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)


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


def _reasons(found: Standings, request: ApiRequest) -> dict[str, str]:
    """Why there are adjustments and decisions, by their id, for members of the club."""
    return versions.reasons_of(found) if Right.NAMES_READ in request.rights else {}


def _changes_since(found: Standings, query: Mapping[str, Any]) -> ChangesSince | None:
    if "since" not in query:
        return None
    since = versions.changes_since(found, query["since"])
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
            **change.to_data(),  # type: ignore[typeddict-item]
            "name": names.get(change.entry, ""),
            "sentence": change.sentence(names),
        }
        for change in changes
    ]


def status_out(found: Standings, *, in_full: bool) -> StatusOut:
    """Return what a version of standings is, provisional, official or amended."""
    status = official.status_of(found, in_full=in_full)
    return {
        "state": str(status.state),
        "since": status.since,
        "amended_at": status.amended_at,
        "because": status.because,
        "before": status.before,
        "replaced_at": status.replaced_at,
        "official": found.row.official,
        "pending": None if status.pending is None else status.pending.version,
        "declined": _note_out(status.declined),
        "reopened": _note_out(status.reopened),
    }


def _note_out(note: DecisionNote | None) -> NoteOut | None:
    if note is None:
        return None
    return {"version": note.version, "reason": note.reason, "at": note.at}


def _counted(found: Standings) -> list[CountedOut]:
    counted = official.counted_versions(found)
    return [
        {
            "event": one["event"],
            "number": one["number"],
            "version": counted[one["event"]].version,
            "state": str(counted[one["event"]].state),
        }
        for one in found.data.get("sessions", ())
    ]
