"""Members from a table: new ones are added, those who are known stay as they are."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import Final
from unicodedata import normalize
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from engine.messages import Message, message_of
from tournaments.core.actors import Actor
from tournaments.core.time_zones import zone
from tournaments.imports.headings import MEMBER_HEADINGS
from tournaments.imports.log import ImportLog
from tournaments.imports.names import read_name, read_number, require_name
from tournaments.imports.roll import MemberRoll, RowError, RowIdentity
from tournaments.imports.table import ImportRow, ImportSummary, read_rows
from tournaments.models import Club, Person, Player, PlayerKind
from tournaments.models.limits import max_length
from tournaments.people.members import NewPlayer, add_player
from tournaments.selectors import former_name

_LENGTHS: Final = {key: max_length(Person, key) for key in ("name", "email", "phone", "note")}
_DAYS: Final = ("%d.%m.%Y", "%d.%m.%y")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row that is right by itself."""

    identity: RowIdentity
    new: NewPlayer
    odd_number: str = ""


def bring_members(
    *,
    club_id: UUID,
    data: bytes,
    by: Actor,
    at: datetime,
    dry_run: bool = False,
    log: ImportLog | None = None,
) -> ImportSummary:
    """Add everybody in a table whom the club does not know; the caller holds a transaction.

    A member is known by name and number, by name and address, or by a name that only one person
    has. Two rows never become one person: a row that contradicts a member or repeats another row
    is reported and left out. New members keep the number in the file if it is free. ``log`` has
    whom it added, so that they can go again.

    Raises RefusedError: nothing of the file can be used.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    brought, roll = ImportSummary(), MemberRoll(club_id)
    rows = list(_read_rows(data, brought, zone(club.time_zone)))
    added: list[Player] = []
    for row in rows:
        member = roll.find_exact(row.identity)
        if member is not None and not member.line:
            member.line = row.identity.line
    for row in rows:
        try:
            member = roll.find(row.identity)
        except RowError as error:
            brought.complain(row.identity.line, message_of(error))
            continue
        if member is not None:
            member.line = row.identity.line
            brought.known += 1
            continue
        brought.new += 1
        number = roll.add(row.identity)
        if note := _note_number(row, number):
            brought.complain(row.identity.line, note)
        if not dry_run:
            added.append(
                add_player(club_id=club_id, new=replace(row.new, number=number), by=by, at=at)
            )
    if log is not None:
        log.note_new(*added)
    return brought


def _note_number(row: _Row, number: int) -> str:
    """Why a new member does not have the number in the row, or nothing."""
    wanted = row.identity.number
    if row.odd_number:
        return Message(
            "{odd_number} is no member number; the new number is {number}",
            odd_number=repr(row.odd_number[:40]),
            number=number,
        )
    if wanted is not None and wanted != number:
        return Message(
            "the number {wanted} is somebody else's here; the new number is {number}",
            wanted=wanted,
            number=number,
        )
    return ""


def _read_rows(data: bytes, brought: ImportSummary, clock: tzinfo) -> list[_Row]:
    rows = []
    for line in read_rows(data, MEMBER_HEADINGS, brought, check=require_name):
        try:
            rows.append(_read_row(line, clock))
        except RowError as error:
            brought.complain(line.number, message_of(error))
    return rows


def _read_row(line: ImportRow, clock: tzinfo) -> _Row:
    """Read what a row says. Raises RowError for one that is wrong by itself."""
    cells = line.cells
    person = {key: normalize("NFC", cells.get(key, "")) for key in _LENGTHS}
    person["name"] = read_name(cells)
    kind = cells.get("kind", "").casefold() or str(PlayerKind.MEMBER)
    if why_not := _wrong(person, kind):
        raise RowError(why_not)
    written = cells.get("number", "")
    number = read_number(written)
    if number is not None and person["name"] == former_name(number):
        raise RowError(Message("this member was erased: there is nobody to bring"))
    new = NewPlayer(
        person=person,
        kind=kind,
        since=_moment(cells.get("since", ""), clock),
        left=_moment(cells.get("left", ""), clock),
    )
    identity = RowIdentity(
        line=line.number, name=person["name"], email=person["email"], number=number
    )
    return _Row(identity, new, odd_number=written if number is None else "")


def _moment(text: str, clock: tzinfo) -> datetime | None:
    """Read a date, with or without the time. Raises RowError."""
    if not text:
        return None
    found = None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        for form in _DAYS:
            try:
                found = datetime.strptime(text, form)  # noqa: DTZ007 (the zone follows)
            except ValueError:
                continue
            break
    if found is None:
        raise RowError(Message("{text} is no date; write it as 2026-11-21", text=repr(text[:40])))
    try:
        return (found if found.tzinfo else found.replace(tzinfo=clock)).astimezone(UTC)
    except OverflowError:
        raise RowError(
            Message("{text} is no date; write it as 2026-11-21", text=repr(text[:40]))
        ) from None


def _wrong(person: Mapping[str, str], kind: str) -> str:
    """What is wrong with a row by itself, or nothing."""
    if not person["name"]:
        return Message("there is no name")
    for key, most in _LENGTHS.items():
        if len(person[key]) > most:
            return Message("the {key} has more than {most} characters", key=key, most=most)
    if kind not in PlayerKind.values:
        return Message(
            "{kind} is no kind; there are {kinds}",
            kind=repr(kind[:40]),
            kinds=", ".join(PlayerKind.values),
        )
    try:
        if person["email"]:
            validate_email(person["email"])
    except ValidationError:
        return Message("{email} is no e-mail address", email=repr(person["email"][:60]))
    return ""
