"""Opening balances of league members, imported from a table."""

from datetime import datetime
from uuid import UUID

from engine.messages import Message, MessageError, message_of
from tournaments import audit, invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.imports.headings import OPENING_HEADINGS
from tournaments.imports.log import ImportLog
from tournaments.imports.names import (
    read_name,
    read_number,
    require_name,
    split_number,
)
from tournaments.imports.numbers import DecimalMark, find_decimal_mark, parse_number
from tournaments.imports.roll import MemberRoll
from tournaments.imports.table import ImportRow, ImportSummary, read_rows
from tournaments.models import Club, League, LeagueMember, Scope


def bring_openings(
    *,
    league: League,
    data: bytes,
    by: Actor,
    at: datetime,
    dry_run: bool = False,
    mark: DecimalMark | None = None,
    log: ImportLog | None = None,
) -> ImportSummary:
    """Put opening balances down for members of a league; the caller holds a transaction.

    Who is not on its roll is put on it. A row that names nobody, or two people, is told and left
    out. The same table again changes nothing. ``mark`` begins decimals where the table leaves it
    open.

    Raises RefusedError: the league is closed, nothing of the file can be used.
    """
    club_id = league.club_id
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if league.closed_at is not None:
        raise RefusedError(Message("This league is closed."), "league")
    brought, seen = ImportSummary(), set[UUID]()
    roll = MemberRoll(club_id)
    lines = list(read_rows(data, OPENING_HEADINGS, brought, check=require_name))
    mark = find_decimal_mark(line.cells["opening"] for line in lines) or mark
    for line in lines:
        try:
            player, row = _row(line, roll, mark)
            if player in seen:
                raise MessageError(Message("this member came before in the table"))
        except ValueError as error:
            brought.complain(line.number, message_of(error))
            continue
        seen.add(player)
        place = LeagueMember.objects.filter(league=league, player=player).first()
        _count(place, row, brought)
        if not dry_run:
            if place is None:
                place, before = LeagueMember(league=league, player_id=player, joined_at=at), None
            else:
                before = {name: getattr(place, name) for name in row}
            _write_opening(place, row)
            if log is not None and before is None:
                log.note_new(place)
            elif log is not None and before is not None and before != row:
                log.note_change(place, before)
    if dry_run or not (brought.new or brought.changed):
        return brought
    deed = AuditRecord(
        Message("openings brought"), details={"league": league.pk, **brought.as_data()}
    )
    audit.note(deed, chain=club_id, club=club_id, by=by, at=at)
    invalidation.mark(Scope.LEAGUE, [league.pk], at)
    return brought


def league_of(club: UUID, league: UUID) -> League:
    """A league of a club. Raises NotThereError."""
    found = League.objects.filter(club=club, pk=league).first()
    if found is None:
        raise NotThereError
    return found


def _row(
    line: ImportRow, roll: MemberRoll, mark: DecimalMark | None
) -> tuple[UUID, dict[str, object]]:
    """Whose row it is and what it says. Raises ValueError in the words for people."""
    player = _player(read_name(line.cells), line.cells.get("number", ""), roll)
    row: dict[str, object] = {"opening": str(parse_number(line.cells["opening"], mark))}
    for key, field, least in (("events", "opening_events", 0), ("division", "division", 1)):
        written = line.cells.get(key, "")
        if written:
            row[field] = _whole(written, key, least)
    return player, row


def _player(name: str, written: str, roll: MemberRoll) -> UUID:
    """The member of this name, and of this number where one is given, also as "Name (7)"."""
    number = read_number(written)
    if written and number is None:
        raise MessageError(Message("{written} is no member number", written=repr(written[:40])))
    found = roll.members_named(name)
    if not found and number is None:
        name, number = split_number(name)
        found = roll.members_named(name)
    if number is not None:
        found = [member for member in found if number in member.numbers]
    if len(found) == 1 and found[0].player is not None:
        return found[0].player
    if found:
        raise MessageError(
            Message(
                "more than one member is called {name}; the member number says which",
                name=repr(name[:80]),
            )
        )
    if number is not None:
        raise MessageError(
            Message(
                "no member with the number {number} is called {name}",
                number=number,
                name=repr(name[:80]),
            )
        )
    raise MessageError(Message("no member is called {name}", name=repr(name[:80])))


def _whole(text: str, key: str, least: int) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 4 or int(text) < least:
        raise MessageError(Message("{text} is no number of {key}", text=repr(text[:40]), key=key))
    return int(text)


def _count(place: LeagueMember | None, row: dict[str, object], brought: ImportSummary) -> None:
    if place is None:
        brought.new += 1
    elif all(getattr(place, name) == value for name, value in row.items()):
        brought.known += 1
    else:
        brought.changed += 1


def _write_opening(place: LeagueMember, row: dict[str, object]) -> None:
    for name, value in row.items():
        setattr(place, name, value)
    place.save()
