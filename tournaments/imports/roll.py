"""The members of a club as an import matches its rows with them: each row with one at most."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from django.db.models import Max

from engine.core.messages import Message, message_of
from engine.core.player_names import name_key
from tournaments.core.errors import RefusedError
from tournaments.core.similar_names import SimilarNames
from tournaments.imports.names import read_number, split_number
from tournaments.imports.table import ImportRow
from tournaments.models import Person, Player

SOMEBODY_NEW: Final = "new"
"""The decision that a name is not that of any member with a similar one."""


class RowError(ValueError):
    """Why a row cannot be matched, for people to read; ``key`` names the field that is wrong.

    ``similar`` are members who may be meant: a decision about the name says who is.
    """

    def __init__(
        self, message: str, key: str = "name", *, similar: "Sequence[ImportedMember]" = ()
    ) -> None:
        super().__init__(message)
        self.key = key
        self.similar = tuple(one for one in similar if one.player is not None)

    def note_in(self, row: ImportRow) -> None:
        """Note in a row why it is about nobody in particular, and who may be meant."""
        row.refuse(message_of(self), self.key)
        row.similar = tuple((one.name, min(one.numbers)) for one in self.similar)


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
        self.names.add(name_key(name))
        self.numbers.add(number)
        if email:
            self.emails.add(email.casefold())


@dataclass(frozen=True, slots=True, kw_only=True)
class RowIdentity:
    """The identity of a person in a row."""

    line: int
    name: str
    email: str = ""
    number: int | None = None


class MemberRoll:
    """Everybody whom a club knows, and whom the rows of one file add.

    ``decisions`` say who a name is that is like a member's, or of which there are more: the number
    of the member, or `SOMEBODY_NEW`; a name may have the number of its row, as "Anna Jansen (7)".
    """

    def __init__(self, club: UUID, decisions: Mapping[str, str] | None = None) -> None:
        self._decisions: dict[tuple[str, int | None], str] = {}
        for written, who in (decisions or {}).items():
            name, number = split_number(written)
            self._decisions[name_key(name), number] = who
        self._similar = SimilarNames()
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
        known = (name_key(name), email.casefold())
        member.add(name, email, number)
        self._by_number[number] = member
        for key, index in zip(known, (self._by_name, self._by_email), strict=True):
            same = index.setdefault(key, [])
            if key and member not in same:
                same.append(member)
        if member.player is not None:
            self._similar.add(known[0])

    def members_named(self, name: str) -> list[ImportedMember]:
        """The members with this name."""
        return self._by_name.get(name_key(name), [])

    def members_like(self, name: str) -> list[ImportedMember]:
        """Members of the club with nearly this name: part of theirs, its words turned, mistyped."""
        keys = self._similar.find(name)
        return [
            one
            for one in dict.fromkeys(one for key in keys for one in self._by_name[key])
            if one.player is not None
        ]

    def find_exact(self, row: RowIdentity) -> ImportedMember | None:
        """The member with the name and the number of a row."""
        member = self._by_number.get(row.number) if row.number is not None else None
        return member if member and name_key(row.name) in member.names else None

    def find(self, row: RowIdentity) -> ImportedMember | None:
        """The member whom a row is about; None: somebody new. Raises RowError."""
        try:
            member = self._find_undecided(row)
        except RowError as error:
            member = self.decide(row, error)
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

    def _find_undecided(self, row: RowIdentity) -> ImportedMember | None:
        member = self.find_exact(row)
        if member is not None:
            return member
        if same := self.members_named(row.name):
            choose = self._choose if row.number is None else self._choose_numbered
            return choose(row, same)
        if similar := self._may_mean(row):
            raise RowError(ask_who(row.name, [one.name for one in similar]), similar=similar)
        return None

    def _may_mean(self, row: RowIdentity) -> list[ImportedMember]:
        """Members with a similar name, or another surname with the same address or number."""
        first = name_key(row.name).split()[:1]
        owners = self._by_email.get(row.email.casefold(), []) if row.email else []
        if row.number in self._by_number:
            owners = [*owners, self._by_number[row.number]]
        renamed = [
            owner for owner in owners if owner.player and name_key(owner.name).split()[:1] == first
        ]
        return list(dict.fromkeys([*self.members_like(row.name), *renamed]))

    def decide(self, row: RowIdentity, error: RowError) -> ImportedMember | None:
        """The member whom somebody decided a row to be about; None: somebody new.

        Raises the error where nobody decided it, RowError where there is no such member.
        """
        key = name_key(row.name)
        who = self._decisions.get((key, row.number)) or self._decisions.get((key, None), "")
        if not who or not error.similar:
            raise error
        if who == SOMEBODY_NEW:
            return None
        member = self._by_number.get(read_number(who) or 0)
        if member is None:
            raise RowError(Message("no member has the number {number}", number=who)) from error
        return member

    def _choose(self, row: RowIdentity, same: list[ImportedMember]) -> ImportedMember | None:
        email = row.email.casefold()
        if email:
            meant = [one for one in same if email in one.emails]
            if not meant and (len(same) > 1 or same[0].emails):
                words = Message(
                    "somebody of this name is known with another e-mail address, or none"
                )
                raise RowError(words, "email", similar=same)
            same = meant or same
        if len(same) > 1:
            raise RowError(
                Message(
                    "more than one is called so; the member number or the e-mail address says which"
                ),
                similar=same,
            )
        return same[0]

    def _choose_numbered(
        self, row: RowIdentity, same: list[ImportedMember]
    ) -> ImportedMember | None:
        """Namesakes with other numbers are other people, but who was known before may be meant."""
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
                similar=same,
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


def ask_who(name: str, similar: Iterable[str]) -> Message:
    """Ask whether a name that nobody has is one of these."""
    return Message(
        "no member is called {name}; is it {alike}?", name=repr(name[:80]), alike=", ".join(similar)
    )


def check_new_name(club: UUID, name: str) -> None:
    """Raise RefusedError where a new name is that of a member, or like one."""
    roll = MemberRoll(club)
    members = [*roll.members_named(name), *roll.members_like(name)]
    if members:
        names = ", ".join(f"{member.name} ({min(member.numbers)})" for member in members)
        words = Message("The club has {names}. Say whether this is somebody else.", names=names)
        raise RefusedError(words, "name")
