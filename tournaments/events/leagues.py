"""Leagues: seasons of events, their rolls and sessions, closed, and who moves up and down.

Whoever writes to a league, its roll or its sessions locks the club's row first (docs/locks.md).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, cast
from uuid import UUID

from django.core.cache import caches
from django.db import transaction
from django.db.models import Max

from engine.core.messages import Message, Sentence, message_of
from tournaments import audit, invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, NotThereError, RefusedError, StaleError
from tournaments.database.transactions import read_snapshot
from tournaments.events import amendments
from tournaments.events.amendments import AmendmentChoice
from tournaments.events.events import check_boards, check_unit, describe_hiding
from tournaments.events.notices import enqueue_divisions
from tournaments.models import (
    LEAGUE_SETTINGS,
    Club,
    Event,
    League,
    LeagueEvent,
    LeagueMember,
    Player,
    Scope,
    Status,
    TableGame,
)
from tournaments.models.limits import SESSIONS_MAX
from tournaments.publishing.documents import digest_of
from tournaments.publishing.league_standings import rank_league, read_league_inputs
from tournaments.standings.promotion import Boundary
from tournaments.standings.promotion import promotions as promoted
from tournaments.standings.season import SeasonRules
from tournaments.standings.settings import ScoringError, exact


@transaction.atomic
def create_league(*, club_id: UUID, new: Mapping[str, Any], by: Actor, at: datetime) -> League:
    """Begin a season; the same again, by an id that the client made, changes nothing.

    ``new`` are settings of the league by name (`LEAGUE_SETTINGS`), and perhaps its id.

    Raises RefusedError naming the setting, ConflictError for an id that something else has.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    known = League.objects.filter(pk=new["id"]).first() if "id" in new else None
    if known is not None:
        if (known.club_id, known.name) != (club.pk, new["name"]):
            raise ConflictError(Message("Another league has this id."), "id")
        return known
    league = League(club=club, created_at=at, **new)
    season_of(league)
    league.save(force_insert=True)
    invalidation.mark(Scope.LEAGUE, [league.pk], at)
    hidden = {"is_hidden": True} if league.is_hidden else {}
    _note(
        league,
        AuditRecord(Message("league created"), details={"league": league.pk, **hidden}),
        by,
        at,
    )
    return league


@transaction.atomic
def change_league(
    *, league_id: UUID, changes: Mapping[str, Any], version: int, by: Actor, at: datetime
) -> League:
    """Change what is named in ``changes``; the table follows by itself.

    Raises StaleError, and RefusedError naming the setting: of a closed season only who may know
    of it can be changed.
    """
    league = _lock(league_id)
    _check_version(league, version)
    if set(changes) != {"is_hidden"}:
        _check_open(league)
    was_rated = league.rated
    for name, value in changes.items():
        setattr(league, name, value)
    season_of(league)
    if league.rated != was_rated:
        invalidation.mark(Scope.RATINGS, [league.club_id], at)
    details = {"fields": sorted(changes), **describe_hiding(changes)}
    _touch(league, AuditRecord(Message("league changed"), details=details), by, at)
    return league


def season_of(league: League) -> SeasonRules:
    """Return the rules of a league. Raises RefusedError naming the setting."""
    try:
        return SeasonRules.from_data({"planned": league.planned or None, **league.season})
    except ScoringError as error:
        raise RefusedError(error.message, f"season.{error.field}") from error


@transaction.atomic
def enrol(
    *,
    league_id: UUID,
    player: UUID,
    division: int = 1,
    opening: str = "",
    opening_events: int = 0,
    handicap: str = "",
    by: Actor,
    at: datetime,
) -> LeagueMember:
    """Put somebody on the roll; who is there already stays as they are. Raises RefusedError."""
    league = _lock(league_id)
    _check_open(league)
    row = Player.objects.select_related("merged_into").filter(pk=player).first()
    if row is None or row.club_id != league.club_id:
        raise RefusedError(Message("The club does not know this player."), "player")
    row = row.merged_into or row
    known = LeagueMember.objects.filter(league=league, player=row).first()
    if known is not None:
        return known
    member = LeagueMember(
        league=league,
        player=row,
        division=division,
        opening=_amount(opening, "opening"),
        opening_events=opening_events,
        handicap=_amount(handicap, "handicap"),
        joined_at=at,
    )
    _check_division(league, member.division)
    member.save(force_insert=True)
    _touch(league, AuditRecord(Message("league joined"), details={"player": row.pk}), by, at)
    return member


@transaction.atomic
def change_member(
    *,
    league_id: UUID,
    player_id: UUID,
    changes: Mapping[str, Any],
    version: int | None,
    by: Actor,
    at: datetime,
) -> LeagueMember:
    """Change what a member brings or where they play; ``withdrawn`` lets them leave or come back.

    Raises NotThereError, StaleError and RefusedError.
    """
    league = _lock(league_id)
    _check_open(league)
    rows = LeagueMember.objects.select_related("player__merged_into")
    member = rows.filter(league=league, player=player_id).first()
    if member is None:
        raise NotThereError
    if version not in (None, member.version):
        names = ("division", "opening", "opening_events", "handicap")
        current = {name: getattr(member, name) for name in names}
        current["withdrawn"] = member.withdrawn_at is not None
        raise StaleError(
            Message("The member has been changed in the meantime."), member.version, current
        )
    for name in ("opening", "handicap"):
        if name in changes:
            setattr(member, name, _amount(changes[name], name))
    member.division = changes.get("division", member.division)
    member.opening_events = changes.get("opening_events", member.opening_events)
    if "withdrawn" in changes and changes["withdrawn"] != (member.withdrawn_at is not None):
        member.withdrawn_at = at if changes["withdrawn"] else None
    _check_division(league, member.division)
    member.version += 1
    member.save()
    details = {"player": member.player_id, "fields": sorted(changes)}
    _touch(league, AuditRecord(Message("league member changed"), details=details), by, at)
    return member


def _check_division(league: League, division: int) -> None:
    divisions = len(season_of(league).divisions)
    if not 1 <= division <= max(divisions, 1):
        words = (
            Message("The season has {divisions} divisions.", divisions=divisions)
            if divisions
            else Message("There are no divisions.")
        )
        raise RefusedError(words, "division")


def _amount(text: str, name: str) -> str:
    if not text:
        return ""
    try:
        return str(exact(text))
    except ScoringError as error:
        raise RefusedError(error.message, name) from error
    except ValueError as error:
        raise RefusedError(Sentence(message_of(error)), name) from error


@transaction.atomic
def add_session(
    *,
    league_id: UUID,
    event: UUID,
    number: int | None = None,
    weight: str = "1",
    division: int | None = None,
    by: Actor,
    at: datetime,
) -> LeagueEvent:
    """Let an event of the club count for the season; one that does already stays as it is.

    Without a ``number`` it is the next session; ``division`` None: it counts for all.

    Raises RefusedError, ConflictError for a number that another session has.
    """
    league = _lock(league_id)
    _check_open(league)
    row = Event.objects.filter(pk=event, club=league.club_id).first()
    if row is None:
        raise RefusedError(Message("The club has no such event."), "event")
    known = LeagueEvent.objects.filter(league=league, event=row).first()
    if known is not None:
        return known
    session = LeagueEvent(
        league=league,
        event=row,
        number=number or _next_number(league),
        weight=_weight(weight),
        division=division,
    )
    _check_session(league, session)
    check_unit(row, league.pk, "event")
    session.save(force_insert=True)
    details = {"event": row.pk, "number": session.number}
    _touch(league, AuditRecord(Message("league session added"), details=details), by, at)
    _mark_ratings(league, at)
    invalidation.mark_players(TableGame.objects.filter(event=row), at)
    return session


@transaction.atomic
def change_session(
    *,
    league_id: UUID,
    event_id: UUID,
    changes: Mapping[str, Any],
    version: int | None,
    by: Actor,
    at: datetime,
) -> LeagueEvent:
    """Change the number, the weight or the division of a session.

    Raises NotThereError, StaleError, RefusedError, ConflictError for a number that another session
    has.
    """
    league = _lock(league_id)
    _check_open(league)
    session = _session(league, event_id, version)
    session.number = changes.get("number", session.number)
    session.division = changes.get("division", session.division)
    if "weight" in changes:
        session.weight = _weight(changes["weight"])
    _check_session(league, session)
    session.version += 1
    session.save()
    details = {"event": event_id, "fields": sorted(changes)}
    _touch(league, AuditRecord(Message("league session changed"), details=details), by, at)
    return session


@transaction.atomic
def remove_session(
    *, league_id: UUID, event_id: UUID, version: int | None, by: Actor, at: datetime
) -> None:
    """Let an event count for the season no more. Raises NotThereError and StaleError."""
    league = _lock(league_id)
    _check_open(league)
    _session(league, event_id, version).delete()
    _touch(
        league, AuditRecord(Message("league session removed"), details={"event": event_id}), by, at
    )
    _mark_ratings(league, at)
    invalidation.mark_players(TableGame.objects.filter(event=event_id), at)


def _mark_ratings(league: League, at: datetime) -> None:
    """Whether an event counts in ratings hangs on a league that does not."""
    if not league.rated:
        invalidation.mark(Scope.RATINGS, [league.club_id], at)


def _session(league: League, event_id: UUID, version: int | None) -> LeagueEvent:
    league_event = LeagueEvent.objects.filter(league=league, event=event_id).first()
    if league_event is None:
        raise NotThereError
    if version not in (None, league_event.version):
        current = {name: getattr(league_event, name) for name in ("number", "weight", "division")}
        raise StaleError(
            Message("The session has been changed in the meantime."), league_event.version, current
        )
    return league_event


def _next_number(league: League) -> int:
    last = LeagueEvent.objects.filter(league=league).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def _weight(text: str) -> str:
    weight = Fraction(_amount(text, "weight") or 1)
    if weight <= 0:
        raise RefusedError(Message("A weight is above 0."), "weight")
    return str(weight)


def _check_session(league: League, session: LeagueEvent) -> None:
    if not 1 <= session.number <= SESSIONS_MAX:
        raise RefusedError(
            Message("Sessions are numbered from 1 to {most}.", most=SESSIONS_MAX), "number"
        )
    others = LeagueEvent.objects.filter(league=league, number=session.number)
    if others.exclude(event=session.event_id).exists():
        raise ConflictError(
            Message("The season has a session {number} already.", number=session.number), "number"
        )
    if session.division is not None:
        _check_division(league, session.division)


@transaction.atomic
def close_league(*, league_id: UUID, version: int | None, by: Actor, at: datetime) -> League:
    """End a season and let its table be official (DEC-7); a second time changes nothing.

    Raises StaleError, RefusedError while an event of it is not official, or a hand of one has other
    cards than its board and nothing is decided.
    """
    league = _lock(league_id)
    if league.closed_at is not None:
        return league
    _check_version(league, version)
    settled = (Status.OFFICIAL, Status.CANCELLED)
    sessions = LeagueEvent.objects.filter(league=league).exclude(event__status__in=settled)
    waiting = sorted(sessions.values_list("number", flat=True))
    if waiting:
        numbers = ", ".join(map(str, waiting))
        raise RefusedError(
            Message("Not official yet: session {numbers}.", numbers=numbers), "status"
        )
    _check_boards(league)
    league.closed_at = at
    league.version += 1
    league.save()
    row = amendments.make_official(league, by=by, at=at)
    enqueue_divisions(league, promotions(league_id=league.pk), at)
    details = {"standings": row.version}
    _note(league, AuditRecord(Message("league closed"), details=details), by, at)
    return league


def _check_boards(league: League) -> None:
    for event in Event.objects.filter(leagues__league=league).order_by("leagues__number"):
        check_boards(event)


@transaction.atomic
def reopen_league(
    *, league_id: UUID, why: str, version: int | None, by: Actor, at: datetime
) -> League:
    """Let a season that was ended go on; its official table is withdrawn with the reason.

    Raises StaleError, RefusedError without a reason.
    """
    league = _lock(league_id)
    _check_version(league, version)
    if league.closed_at is None:
        raise RefusedError(Message("This season is not closed."), "status")
    if not why.strip():
        raise RefusedError(Message("Say why the season is opened again."), "why")
    league.closed_at = None
    amendments.withdraw(league, why=why, by=by, at=at)
    _touch(league, AuditRecord(Message("league reopened"), why), by, at)
    return league


@transaction.atomic
def confirm_amendment(
    *, league_id: UUID, choice: AmendmentChoice, by: Actor, at: datetime
) -> League:
    """Let the amended table of a closed season be official; a second time changes nothing.

    Raises RefusedError, and StaleError where it is another one by now than the one seen.
    """
    league = _lock(league_id)
    _check_boards(league)
    made = amendments.confirm(league, choice=choice, by=by, at=at)
    if made is not None:
        details = {"standings": made}
        _touch(league, AuditRecord(Message("amendment confirmed"), choice.reason, details), by, at)
    return league


@transaction.atomic
def decline_amendment(
    *, league_id: UUID, choice: AmendmentChoice, by: Actor, at: datetime
) -> League:
    """Leave the official table of a season as it is, whatever was corrected; once is enough.

    Raises RefusedError, and StaleError where another amendment waits by now.
    """
    league = _lock(league_id)
    if amendments.decline(league, choice=choice, by=by, at=at):
        details = {"standings": choice.version}
        _touch(league, AuditRecord(Message("amendment declined"), choice.reason, details), by, at)
    return league


def promotions(*, league_id: UUID) -> Sequence[Boundary]:
    """Return moves up and down as the table stands now; none without two divisions.

    The season is ranked for them, once for the same results.
    """
    with read_snapshot():
        inputs = read_league_inputs(league_id)
    if len(inputs.season.divisions) < 2:
        return []
    found = caches["pages"].get_or_set(
        f"promotions-{digest_of(inputs.facts())}",
        lambda: promoted(rank_league(inputs, history=False), inputs.season),
    )
    return cast("Sequence[Boundary]", found)


def _lock(league_id: UUID) -> League:
    """A league as it is now, under its club's lock."""
    club_id = League.objects.filter(pk=league_id).values_list("club_id", flat=True).first()
    if club_id is None:
        raise NotThereError
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    return League.objects.select_related("club").get(pk=league_id)


def _check_version(league: League, version: int | None) -> None:
    if version is not None and version != league.version:
        current = {name: getattr(league, name) for name in LEAGUE_SETTINGS}
        raise StaleError(
            Message("The league has been changed in the meantime."), league.version, current
        )


def _check_open(league: League) -> None:
    if league.closed_at is not None:
        raise RefusedError(
            Message("This season is closed; open it again, with a reason."), "status"
        )


def _touch(league: League, action: AuditRecord, by: Actor, at: datetime) -> None:
    """Write down what was done, and let the table be computed anew."""
    league.version += 1
    league.save()
    invalidation.mark(Scope.LEAGUE, [league.pk], at)
    _note(league, action, by, at)


def _note(league: League, action: AuditRecord, by: Actor, at: datetime) -> None:
    audit.note(action, chain=league.pk, club=league.club_id, by=by, at=at)
