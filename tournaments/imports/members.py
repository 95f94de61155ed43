"""Members from a table: new ones are added, those who are known stay or are brought up to date."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any, Final
from unicodedata import normalize
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from engine.core.messages import Message, joined_by_semicolons
from engine.core.player_names import name_key
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.core.time_zones import zone
from tournaments.imports.fields import fold_heading
from tournaments.imports.headings import MEMBER_FIELDS
from tournaments.imports.log import ImportLog
from tournaments.imports.names import address_in, missing_name, name_in, read_number
from tournaments.imports.plan import (
    ImportOption,
    ImportPlan,
    RowAction,
    RowPlan,
    TableImport,
    leave_out,
)
from tournaments.imports.roll import MemberRoll, RowError, RowIdentity
from tournaments.imports.table import ImportRow, ImportTable
from tournaments.models import Club, Person, Player, PlayerKind
from tournaments.models.limits import max_length
from tournaments.people.members import PERSONAL, NewPlayer, add_player, change_player
from tournaments.selectors import former_name

_LENGTHS: Final = {key: max_length(Person, key) for key in ("name", "email", "phone", "note")}
_KINDS: Final = {
    **dict.fromkeys(["", "member", "members", "mitglied", "mitglieder", "m"], PlayerKind.MEMBER),
    **dict.fromkeys(["aktiv", "active", "vollmitglied"], PlayerKind.MEMBER),
    **dict.fromkeys(["guest", "guests", "gast", "gaste", "g"], PlayerKind.GUEST),
    **dict.fromkeys(["visitor", "visitors", "besuch", "besucher", "v"], PlayerKind.VISITOR),
    **dict.fromkeys(["besucherin", "visitor from another club"], PlayerKind.VISITOR),
    **dict.fromkeys(["besuch aus einem anderen club"], PlayerKind.VISITOR),
}
"""What people write in a column of kinds, folded."""


KEEP: Final = "keep"
FILL: Final = "fill"
REPLACE: Final = "replace"
MEMBERS_KNOWN: Final = {
    KEEP: Message("stays as it is here"),
    FILL: Message("is filled in where nothing stands here"),
    REPLACE: Message("is replaced by what the table says"),
}
"""The choices for what the table says otherwise of members who are known."""
_COLUMNS: Final = {"since": "created_at", "left": "left_at"}
_LABELS: Final = {one.key: one.label for one in MEMBER_FIELDS}


@dataclass(frozen=True, slots=True)
class _Row:
    """A row without problems of its own, not yet matched with the members."""

    row: ImportRow
    identity: RowIdentity
    new: NewPlayer


def plan_members(
    club: Club,
    table: ImportTable,
    rows: Iterable[ImportRow],
    options: Mapping[str, str],
    at: datetime,
) -> ImportPlan:
    """Plan to add everybody in a table whom the club does not know.

    A member is known by name and number, by name and address, or by a name that only one person
    has. Two rows never become one person: a row that contradicts a member or repeats another row
    is left out, and so is one with a name like a member's until somebody decides who that is. New
    members keep the number in the file if it is free. What the table says otherwise of a member is
    kept, filled in where nothing stands, or replaced, as the option ``known`` says.
    """
    known = options.get("known") or KEEP
    if known not in MEMBERS_KNOWN:
        raise RefusedError(Message("{word} is no such choice.", word=repr(known[:40])), "known")
    plans: list[RowPlan] = []
    sound: list[_Row] = []
    for row in rows:
        found = _read_row(row, zone(club.time_zone))
        if found is None:
            plans.append(leave_out(row, name_in(row)))
        else:
            sound.append(found)
    roll = MemberRoll(club.pk, table.people)
    for each in sound:
        member = roll.find_exact(each.identity)
        if member is not None and not member.line:
            member.line = each.identity.line
    rows_of_club = Player.objects.filter(club=club).exclude(person=None)
    players = {row.pk: row for row in rows_of_club.select_related("person", "club")}
    plans.extend(_plan_row(each, roll, players, known) for each in sound)
    newcomers = [plan.subject for plan in plans if plan.action is RowAction.NEW]
    return ImportPlan(rows=plans, newcomers=newcomers)


def _plan_row(each: _Row, roll: MemberRoll, players: Mapping[UUID, Player], known: str) -> RowPlan:
    row, identity = each.row, each.identity
    try:
        member = roll.find(identity)
    except RowError as error:
        error.note_in(row)
        return leave_out(row, identity.name)
    if member is not None:
        member.line = identity.line
        player = players[member.player] if member.player else None
        return _plan_known(each, player, min(member.numbers), known)
    number = roll.add(identity)
    _note_number(row, identity.number, number)
    return RowPlan(
        line=row.line,
        action=RowAction.NEW,
        subject=identity.name,
        detail=Message("gets number {number}", number=number),
        problems=tuple(row.problems),
        value=replace(each.new, number=number),
    )


def _plan_known(each: _Row, player: Player | None, number: int, known: str) -> RowPlan:
    """Compare a row with the member whom it is about; what differs and stays is a problem."""
    row, changes, words = each.row, dict[str, Any](), []
    for key, now, then in _differences(each, player) if player is not None else ():
        if known == REPLACE or (known == FILL and now in ("", None)):
            changes[key] = then
            words.append(
                Message(
                    "{field}: {new} instead of {old}",
                    field=_LABELS[key],
                    new=_show(then),
                    old=_show(now),
                )
            )
        else:
            row.refuse(
                Message("stays {old}; the table has {new}", old=_show(now), new=_show(then)), key
            )
    detail = Message("known as number {number}", number=number)
    return RowPlan(
        line=row.line,
        action=RowAction.CHANGED if changes else RowAction.KNOWN,
        subject=each.identity.name,
        detail=joined_by_semicolons([detail, *words]),
        problems=tuple(row.problems),
        value=(player, changes),
    )


def _differences(each: _Row, player: Player) -> Iterator[tuple[str, Any, Any]]:
    """The fields that a row fills in another way: what stands now, and what the row says."""
    person = player.person
    if name_key(person.name) != name_key(each.new.person["name"]):
        yield "name", person.name, each.new.person["name"]
    for key in ("email", "phone", "note"):
        now, then = getattr(person, key), each.new.person[key]
        if then and now != then and (key != "email" or now.casefold() != then.casefold()):
            yield key, now, then
    if each.row.text("kind") and player.kind != each.new.kind:
        yield "kind", player.kind, each.new.kind
    for key, column, moment in (
        ("since", "created_at", each.new.since),
        ("left", "left_at", each.new.left),
    ):
        now = getattr(player, column)
        if moment and (now is None or _day(moment, player) != _day(now, player)):
            yield key, now, moment


def _day(moment: datetime, player: Player) -> date:
    return moment.astimezone(zone(player.club.time_zone)).date()


def _show(value: object) -> str:
    """A value of a field for people to read."""
    if isinstance(value, datetime):
        return value.date().isoformat()
    return repr(str(value)) if value else Message("nothing")


def _note_number(row: ImportRow, wanted: int | None, number: int) -> None:
    """Say why a new member does not have the number in the row."""
    written = row.text("number")
    if written and wanted is None:
        words = Message(
            "{odd_number} is no member number; the new number is {number}",
            odd_number=repr(written[:40]),
            number=number,
        )
        row.refuse(words, "number")
    elif wanted is not None and wanted != number:
        words = Message(
            "the number {wanted} is somebody else's here; the new number is {number}",
            wanted=wanted,
            number=number,
        )
        row.refuse(words, "number")


def _read_row(row: ImportRow, clock: tzinfo) -> _Row | None:
    """Read a row; None if it has problems, which are then noted in it."""
    person = {key: normalize("NFC", row.text(key)) for key in _LENGTHS}
    person["name"] = name_in(row)
    person["email"] = person["email"] or address_in(row)
    kind = _KINDS.get(fold_heading(row.cell("kind")))
    number = read_number(row.text("number"))
    new = NewPlayer(
        person=person,
        kind=kind or PlayerKind.MEMBER,
        since=_moment(row, "since", clock),
        left=_moment(row, "left", clock),
    )
    if not person["name"]:
        row.refuse(Message("there is no name"), "name")
    for key, most in _LENGTHS.items():
        if len(person[key]) > most:
            row.refuse(
                Message("the {key} has more than {most} characters", key=key, most=most), key
            )
    if kind is None:
        row.refuse(
            Message(
                "{kind} is no kind; there are {kinds}",
                kind=repr(row.text("kind")[:40]),
                kinds=", ".join(PlayerKind.values),
            ),
            "kind",
        )
    try:
        if person["email"]:
            validate_email(person["email"])
    except ValidationError:
        row.refuse(
            Message("{email} is no e-mail address", email=repr(person["email"][:60])), "email"
        )
    if number is not None and person["name"] == former_name(number):
        row.refuse(Message("this member was erased: there is nobody to bring"), "name")
    if row.problems:
        return None
    identity = RowIdentity(line=row.line, name=person["name"], email=person["email"], number=number)
    return _Row(row, identity, new)


def _moment(row: ImportRow, key: str, clock: tzinfo) -> datetime | None:
    """The moment of a day in the club's time zone, as UTC; None without a day that is right."""
    day: date | None = row.day(key)
    if day is None:
        return None
    moment = day if isinstance(day, datetime) else datetime.combine(day, time())
    if key == "since" and row.table.today and moment.date() > row.table.today:
        row.refuse(Message("{day} is still to come", day=str(moment.date())), key)
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=clock)).astimezone(UTC)
    except OverflowError:
        words = Message("{text} is no date; write it as 2026-11-21", text=repr(row.text(key)[:40]))
        row.refuse(words, key)
        return None


def apply_members(club: Club, plan: ImportPlan, log: ImportLog, by: Actor, at: datetime) -> None:
    """Add the new members of a plan, and change those who are known as it says."""
    new = (row.value for row in plan.rows if row.action is RowAction.NEW)
    log.note_new(*[add_player(club_id=club.pk, new=one, by=by, at=at) for one in new])
    for row in plan.rows:
        if row.action is RowAction.CHANGED:
            player, changes = row.value
            _change(player, changes, log, by, at)


def _change(
    player: Player, changes: Mapping[str, Any], log: ImportLog, by: Actor, at: datetime
) -> None:
    columns = {_COLUMNS.get(key, key): value for key, value in changes.items()}
    personal = [key for key in columns if key in PERSONAL]
    personal += ["sought"] if "name" in columns else []
    own = [key for key in columns if key not in PERSONAL]
    before = {key: getattr(player.person, key) for key in personal}
    before_own = {
        key: value.isoformat() if isinstance(value := getattr(player, key), datetime) else value
        for key in own
    }
    changed = change_player(
        player_id=player.pk, changes=columns, version=player.version, by=by, at=at
    )
    for row, values in ((changed.person, before), (changed, before_own)):
        if values:
            row.refresh_from_db()
            log.note_change(row, values)


MEMBERS: Final = TableImport(
    kind="members",
    title=Message("Members"),
    help=Message("A list of names, perhaps with numbers, addresses, telephones and days."),
    fields=MEMBER_FIELDS,
    require=missing_name,
    plan=plan_members,
    apply=apply_members,
    options=(
        ImportOption(
            key="known",
            label=Message("What differs of members who are known"),
            choices=lambda _club: list(MEMBERS_KNOWN.items()),
        ),
    ),
)
