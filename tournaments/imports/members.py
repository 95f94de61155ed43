"""Members from a table: new ones are added, those that are known stay as they are."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final
from unicodedata import normalize
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from tournaments.actors import Actor
from tournaments.imports.table import Brought, Heading, read
from tournaments.members import NewPlayer, add_player
from tournaments.models import Club, Person, PlayerKind

HEADINGS: Final = (
    Heading(
        "name", ("name", "full name", "player", "member", "spieler", "mitglied"), required=True
    ),
    Heading("email", ("e mail", "email", "mail", "e mail address")),
    Heading("phone", ("phone", "telephone", "mobile", "tel", "telefon", "handy")),
    Heading("kind", ("kind", "type", "status", "art")),
    Heading("note", ("note", "notes", "remark", "remarks", "notiz", "bemerkung", "bemerkungen")),
)
_LENGTHS: Final = {"name": 200, "email": 254, "phone": 40, "note": 500}


def bring_members(
    *, club_id: UUID, data: bytes, by: Actor, at: datetime, dry_run: bool = False
) -> Brought:
    """Add everybody in a table whom the club does not know; the caller holds a transaction.

    Known is who has the same name and no other e-mail address, or the same address. A row that
    contradicts somebody known, or another row, is told and left out.

    Raises RefusedError: nothing of the file can be used.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    brought = Brought()
    known = _known(club_id)
    for line in read(data, HEADINGS, brought):
        person = {key: normalize("NFC", line.cells.get(key, "")) for key in _LENGTHS}
        kind = line.cells.get("kind", "").casefold() or str(PlayerKind.MEMBER)
        why_not = _wrong(person, kind) or known.differs(person)
        if why_not:
            brought.complain(line.number, why_not)
        elif known.has(person):
            brought.known += 1
        else:
            brought.new += 1
            known.add(person)
            if not dry_run:
                add_player(club_id=club_id, new=NewPlayer(person=person, kind=kind), by=by, at=at)
    return brought


def _wrong(person: Mapping[str, str], kind: str) -> str:
    """What is wrong with a row by itself, or nothing."""
    if not person["name"]:
        return "there is no name"
    for key, most in _LENGTHS.items():
        if len(person[key]) > most:
            return f"the {key} has more than {most} characters"
    if kind not in PlayerKind.values:
        return f"{kind[:40]!r} is no kind; there are {', '.join(PlayerKind.values)}"
    try:
        if person["email"]:
            validate_email(person["email"])
    except ValidationError:
        return f"{person['email'][:60]!r} is no e-mail address"
    return ""


class _Known:
    """Who is known, by name and by address."""

    def __init__(self) -> None:
        self._addresses: dict[str, set[str]] = {}
        self._names: dict[str, str] = {}

    def add(self, person: Mapping[str, str]) -> None:
        """Know somebody from now on."""
        name, email = person["name"].casefold(), person["email"].casefold()
        self._addresses.setdefault(name, set()).add(email)
        if email:
            self._names.setdefault(email, person["name"])

    def has(self, person: Mapping[str, str]) -> bool:
        """Whether a row is of somebody who is known."""
        name, email = person["name"].casefold(), person["email"].casefold()
        addresses = self._addresses.get(name, set())
        return bool(addresses) and (not email or email in addresses)

    def differs(self, person: Mapping[str, str]) -> str:
        """How a row contradicts somebody who is known, or nothing."""
        name, email = person["name"].casefold(), person["email"].casefold()
        owner = self._names.get(email) if email else None
        if owner is not None and owner.casefold() != name:
            return f"this e-mail address is that of {owner}"
        addresses = self._addresses.get(name, set())
        if len(addresses) > 1 and not email:
            return "more than one is called so; the e-mail address says which"
        if email and addresses and email not in addresses:
            return "somebody of this name is known with another e-mail address, or none"
        return ""


def _known(club: UUID) -> _Known:
    found = _Known()
    rows = Person.objects.filter(player__club=club).order_by("player__number")
    for name, email in rows.values_list("name", "email").iterator():
        found.add({"name": name, "email": email})
    return found
