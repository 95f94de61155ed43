"""Opening balances of league members, imported from a table."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

from engine.core.messages import NO_MESSAGE, Message
from tournaments import audit, invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.core.ids import parse_id
from tournaments.imports.headings import OPENING_FIELDS
from tournaments.imports.log import ImportLog
from tournaments.imports.names import missing_name, name_in, read_number, split_number
from tournaments.imports.plan import (
    ImportOption,
    ImportPlan,
    RowAction,
    RowPlan,
    TableImport,
    leave_out,
)
from tournaments.imports.roll import MemberRoll, RowError, RowIdentity, ask_who
from tournaments.imports.table import ImportRow, ImportTable
from tournaments.models import Club, League, LeagueMember, Scope


def plan_openings(
    club: Club,
    table: ImportTable,
    rows: Iterable[ImportRow],
    options: Mapping[str, str],
    at: datetime,
) -> ImportPlan:
    """Plan opening balances for members of a league.

    Who is not on its roll is put on it. A row that names nobody, or two people, is left out. The
    same table again changes nothing. Raises RefusedError: there is no such league, or it is closed.
    """
    league = league_of(club, options)
    roll, plans, seen = MemberRoll(club.pk, table.people), list[RowPlan](), set[UUID]()
    enrolled = {row.player_id: row for row in LeagueMember.objects.filter(league=league)}
    for row in rows:
        name = name_in(row)
        values = _read_values(row)
        player = _find_player(row, name, roll)
        if player in seen:
            row.refuse(Message("this member came before in the table"), "name")
        if player is None or row.problems:
            plans.append(leave_out(row, name))
            continue
        seen.add(player)
        place = enrolled.get(player)
        action, detail = RowAction.NEW, NO_MESSAGE
        if place is not None:
            is_same = all(getattr(place, key) == value for key, value in values.items())
            action = RowAction.KNOWN if is_same else RowAction.CHANGED
            if not is_same:
                detail = Message(
                    "{old} becomes {new}", old=place.opening or "0", new=str(values["opening"])
                )
        place = place or LeagueMember(league=league, player_id=player, joined_at=at)
        plans.append(
            RowPlan(
                line=row.line, action=action, subject=name, detail=detail, value=(place, values)
            )
        )
    return ImportPlan(rows=plans, value=league)


def league_of(club: Club, options: Mapping[str, str]) -> League:
    """The open league of a club that the options name. Raises RefusedError."""
    wanted = options.get("league", "")
    if not wanted:
        raise RefusedError(Message("Say of which league."), "league")
    league = League.objects.filter(club=club, pk=parse_id(wanted)).first()
    if league is None:
        raise RefusedError(Message("There is no such league in this club."), "league")
    if league.closed_at is not None:
        raise RefusedError(Message("This league is closed."), "league")
    return league


def _read_values(row: ImportRow) -> dict[str, object]:
    """Read the values of a row; what is wrong in it is noted."""
    opening = row.number("opening")
    if opening is None and not row.problems:
        row.refuse(Message("there are no points"), "opening")
    values: dict[str, object] = {"opening": str(opening or 0)}
    for key, name, least in (("events", "opening_events", 0), ("division", "division", 1)):
        written = row.text(key)
        if not written:
            continue
        if written.isascii() and written.isdigit() and len(written) <= 4 and int(written) >= least:
            values[name] = int(written)
        else:
            words = Message("{text} is no number of {key}", text=repr(written[:40]), key=key)
            row.refuse(words, key)
    return values


def _find_player(row: ImportRow, name: str, roll: MemberRoll) -> UUID | None:
    """The member of this name, and of this number where one is given, also as "Name (7)"."""
    written = row.text("number")
    number = read_number(written)
    if written and number is None:
        words = Message("{written} is no member number", written=repr(written[:40]))
        row.refuse(words, "number")
        return None
    found = roll.members_named(name)
    if not found and number is None:
        name, number = split_number(name)
        found = roll.members_named(name)
    if number is not None:
        found = [member for member in found if number in member.numbers]
    if len(found) == 1 and found[0].player is not None:
        return found[0].player
    similar = found or roll.members_like(name)
    if found:
        words = Message(
            "more than one member is called {name}; the member number says which",
            name=repr(name[:80]),
        )
    elif similar and number is None:
        words = ask_who(name, [one.name for one in similar])
    elif number is not None:
        words = Message(
            "no member with the number {number} is called {name}",
            number=number,
            name=repr(name[:80]),
        )
    else:
        words = Message("no member is called {name}", name=repr(name[:80]))
    identity = RowIdentity(line=row.line, name=name, number=number)
    try:
        member = roll.decide(identity, RowError(words, similar=similar))
    except RowError as error:
        error.note_in(row)
        return None
    if member is None:
        row.refuse(words, "name")
        return None
    return member.player


def apply_openings(club: Club, plan: ImportPlan, log: ImportLog, by: Actor, at: datetime) -> None:
    """Write the opening balances of a plan."""
    league: League = plan.value
    for row in plan.rows:
        if row.action not in (RowAction.NEW, RowAction.CHANGED):
            continue
        place, values = row.value
        before = {key: getattr(place, key) for key in values}
        for key, value in values.items():
            setattr(place, key, value)
        place.save()
        if row.action is RowAction.NEW:
            log.note_new(place)
        else:
            log.note_change(place, before)
    action = AuditRecord(
        Message("openings brought"), details={"league": league.pk, **plan.counts_as_data()}
    )
    audit.note(action, chain=club.pk, club=club.pk, by=by, at=at)
    invalidation.mark(Scope.LEAGUE, [league.pk], at)


def missing_points(keys: Collection[str]) -> str:
    """Return what is missing for a table of opening balances, or nothing."""
    if "opening" not in keys:
        return Message("No column has the points. Say which one has them.")
    return missing_name(keys)


def _open_leagues(club: Club) -> list[tuple[str, str]]:
    rows = League.objects.filter(club=club, closed_at=None).order_by("-created_at", "-pk")
    return [(str(row.pk), row.name) for row in rows]


OPENINGS: Final = TableImport(
    kind="openings",
    title=Message("Opening balances of a league"),
    help=Message("Names and the points that they bring into a season from before."),
    fields=OPENING_FIELDS,
    require=missing_points,
    plan=plan_openings,
    apply=apply_openings,
    options=(
        ImportOption(
            key="league",
            label=Message("Into the league"),
            choices=_open_leagues,
            is_required=True,
        ),
    ),
)
