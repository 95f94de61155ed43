"""The members of a club as an import matches its rows with them: each row with one at most."""

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final
from uuid import UUID

from django.db.models import Max

from engine.messages import Message
from tournaments.core.name_folding import fold_text
from tournaments.models import Person, Player

LIKE_MOST: Final = 6
"""How many members are named who may be meant by a name that nobody has."""
_ALIKE: Final = 0.8
"""How much of two names is the same where one may be meant for the other (`difflib`)."""


def fold_whole_name(name: str) -> str:
    """Fold a whole name, the same whether the surname or the first name comes first.

    >>> fold_whole_name("Adams, Nora"), fold_whole_name("Nora ADAMS"), fold_whole_name("Łukasik")
    ('nora adams', 'nora adams', 'lukasik')
    """
    last, _, first = name.partition(",")
    return fold_text(f"{first} {last}")


class RowError(ValueError):
    """Why a row cannot be matched, for people to read; ``key`` names the field that is wrong."""

    def __init__(self, message: str, key: str = "name") -> None:
        super().__init__(message)
        self.key = key


@dataclass(eq=False, slots=True)
class ImportedMember:
    """One member, with everything that the rows of merged duplicates say as well.

    ``line`` is the row that is about this member; zero while there is none.
    """

    name: str
    player: UUID | None = None
    numbers: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    emails: set[str] = field(default_factory=set)
    line: int = 0

    def add(self, name: str, email: str, number: int) -> None:
        """Know one more name, address and number of this member."""
        self.names.add(fold_whole_name(name))
        self.numbers.add(number)
        if email:
            self.emails.add(email.casefold())


@dataclass(frozen=True, slots=True, kw_only=True)
class RowIdentity:
    """What a row says about who is meant."""

    line: int
    name: str
    email: str = ""
    number: int | None = None


class MemberRoll:
    """Everybody whom a club knows, and whom the rows of one file add."""

    def __init__(self, club: UUID) -> None:
        self.members: list[ImportedMember] = []
        self._by_name: dict[str, list[ImportedMember]] = {}
        self._by_number: dict[int, ImportedMember] = {}
        self._by_email: dict[str, list[ImportedMember]] = {}
        players = Player.objects.filter(club=club)
        self._numbers = set(players.values_list("number", flat=True))
        self._last = players.aggregate(last=Max("number"))["last"] or 0
        found: dict[UUID, ImportedMember] = {}
        rows = Person.objects.filter(player__club=club, player__removed_at=None).order_by(
            "player__number"
        )
        fields = ("name", "email", "player__number", "player_id", "player__merged_into")
        for name, email, number, player, into in rows.values_list(*fields):
            member = found.setdefault(into or player, ImportedMember(name, into or player))
            self._know(member, name, email, number)

    def _know(self, member: ImportedMember, name: str, email: str, number: int) -> None:
        known = (fold_whole_name(name), email.casefold())
        member.add(name, email, number)
        self._by_number[number] = member
        for key, index in zip(known, (self._by_name, self._by_email), strict=True):
            same = index.setdefault(key, [])
            if key and member not in same:
                same.append(member)

    def members_named(self, name: str) -> list[ImportedMember]:
        """The members with this name."""
        return self._by_name.get(fold_whole_name(name), [])

    def members_like(self, name: str) -> list[ImportedMember]:
        """Members of the club with nearly this name: part of theirs, its words turned, mistyped."""
        sought = fold_whole_name(name)
        words = sorted(sought.split())
        near = [one for one in self._by_name if sought in one or sorted(one.split()) == words]
        near += get_close_matches(sought, self._by_name, LIKE_MOST, _ALIKE)
        found = [one for key in dict.fromkeys(near) if key != sought for one in self._by_name[key]]
        return [one for one in dict.fromkeys(found) if one.player is not None][:LIKE_MOST]

    def find_exact(self, row: RowIdentity) -> ImportedMember | None:
        """The member with the name and the number of a row."""
        member = self._by_number.get(row.number) if row.number is not None else None
        return member if member and fold_whole_name(row.name) in member.names else None

    def find(self, row: RowIdentity) -> ImportedMember | None:
        """The member whom a row is about; None: somebody new. Raises RowError."""
        member = self.find_exact(row)
        if member is None:
            choose = self._choose if row.number is None else self._choose_numbered
            member = choose(row, self.members_named(row.name))
        elif row.email and member.emails and row.email.casefold() not in member.emails:
            raise _other_address()
        if member is not None and member.line not in (0, row.line):
            raise RowError(
                Message(
                    "row {line} is about {name} already; if this is somebody else, "
                    "the member number or the e-mail address says which",
                    line=member.line,
                    name=repr(member.name),
                )
            )
        return member

    def _choose(self, row: RowIdentity, same: list[ImportedMember]) -> ImportedMember | None:
        email = row.email.casefold()
        if email:
            owners = self._by_email.get(email, [])
            if owners and not any(one in same for one in owners):
                raise RowError(
                    Message("this e-mail address is that of {name}", name=repr(owners[0].name)),
                    "email",
                )
            if same and not any(one in same for one in owners):
                raise _other_address()
            same = [one for one in same if email in one.emails]
        if len(same) > 1:
            raise RowError(
                Message(
                    "more than one is called so; the member number or the e-mail address says which"
                )
            )
        return same[0] if same else None

    def _choose_numbered(
        self, row: RowIdentity, same: list[ImportedMember]
    ) -> ImportedMember | None:
        """Namesakes with other numbers are other people, but who was known before may be meant."""
        # Whom another row is about, this one is not.
        same = [one for one in same if not one.line]
        meant = [one for one in same if row.email and row.email.casefold() in one.emails]
        if same and len(meant) != 1:
            numbers = ", ".join(str(min(one.numbers)) for one in same)
            raise RowError(
                Message(
                    "somebody of this name is known as number {numbers}, not {number}",
                    numbers=numbers,
                    number=str(row.number),
                ),
                "number",
            )
        return meant[0] if meant else None

    def add(self, row: RowIdentity) -> int:
        """Know a new member, and return the number: the one in the row if it is free."""
        number = row.number
        if number is None or number in self._numbers:
            number = self._last + 1
        self._numbers.add(number)
        self._last = max(self._last, number)
        member = ImportedMember(row.name, line=row.line)
        self._know(member, row.name, row.email, number)
        return number


def _other_address() -> RowError:
    words = Message("somebody of this name is known with another e-mail address, or none")
    return RowError(words, "email")
