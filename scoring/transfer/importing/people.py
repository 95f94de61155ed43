"""Match the names in an archive with players of the club, or add them as new ones."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize
from uuid import UUID

from engine.messages import Message
from engine.notation.reader import RecordEntry
from engine.seats import DEFAULT_SEATS
from scoring.ledger.transfers import Stamp
from scoring.transfer.importing.report import ImportReport
from tournaments.core.ids import new_id
from tournaments.imports import read_number, split_number
from tournaments.models import Person, Player, PlayerKind
from tournaments.people.members import NewPlayer, add_player
from tournaments.selectors import former_name

NAME_MOST = 200
AS_WRITTEN = "written"
"""Instead of a kind: new players are what the archive says they are, else guests."""


class WrittenPlayer(NamedTuple):
    """A player as a record writes them: the name, and the number and the kind of an archive."""

    name: str
    number: int | None = None
    kind: str = ""


class People:
    """Who is who: a name is the player of the club who has exactly this name.

    Of namesakes it is the one with the number in "Anna Jansen (7)" or in the archive, else the one
    with the lowest number, which `unsure` reports. Somebody unknown is added as ``kind``, with the
    number that is written if it is free; a dry run (``dry``) adds nobody.
    """

    def __init__(self, club: UUID, kind: str, *, dry: bool, report: ImportReport) -> None:
        self._club, self._kind, self._dry, self._report = club, kind, dry, report
        self._known: dict[WrittenPlayer, UUID] = {}
        self._would_be: dict[WrittenPlayer, UUID] = {}
        self._namesakes: dict[str, list[int]] = {}
        self._numbers: dict[UUID, int] = {}
        self.met: dict[str, int | None] = {}
        """By name the member number, None for a new player; filled in a dry run only."""
        self.added: list[Player] = []
        """The players added since this list was last cleared."""

    def look_up(self, written: Iterable[WrittenPlayer]) -> None:
        """Find out who some players are; the caller holds the club's lock. Two queries at most."""
        apart = {one: split_number(one.name) for one in written}
        wanted = {name for one, (base, _mark) in apart.items() for name in (one.name, base)}
        rows = Person.objects.filter(
            player__club=self._club, player__removed_at=None, name__in=wanted
        )
        columns = ("name", "player__number", "player_id", "player__merged_into")
        found: dict[str, dict[UUID, int]] = {}
        numbered: dict[tuple[str, int | None], UUID] = {}
        for name, number, player, into in rows.order_by("player__number").values_list(*columns):
            found.setdefault(name, {}).setdefault(into or player, number)
            self._numbers.setdefault(into or player, number)
            numbered[name, number] = into or player
        numbered |= self._former_members(apart)
        self._known = {}
        for one, (base, mark) in apart.items():
            same = found.get(one.name)
            player = numbered.get((one.name, one.number)) or numbered.get((base, mark))
            if player is None and same:
                player = next(iter(same))
            if player is not None:
                self._known[one] = player
        many = {name: list(players.values()) for name, players in found.items()}
        self._namesakes = {name: numbers for name, numbers in many.items() if len(numbers) > 1}

    def _former_members(
        self, written: Iterable[WrittenPlayer]
    ) -> dict[tuple[str, int | None], UUID]:
        """Players of the club without a person who are written by their number. One query."""
        numbers = [one.number or 0 for one in written if _is_former(one)]
        if not numbers:
            return {}
        rows = Player.objects.filter(club=self._club, person=None, number__in=numbers)
        return {
            (former_name(number), number): into or player
            for number, player, into in rows.values_list("number", "pk", "merged_into")
        }

    def unsure(self, written: Iterable[WrittenPlayer]) -> str:
        """Which of these names several members have, and who was meant; or nothing."""
        for one in written:
            numbers = self._namesakes.get(one.name, [])
            if numbers and one.number not in numbers:
                return Message(
                    "{count} members are called {name}; number {first} was taken, and "
                    '"{name} ({last})" means number {last}',
                    count=len(numbers),
                    name=one.name,
                    first=numbers[0],
                    last=numbers[-1],
                )
        return ""

    def meet(self, written: Iterable[WrittenPlayer]) -> None:
        """Note who is known and who is new."""
        for one in written:
            player = self._known.get(one)
            self.met.setdefault(one.name, self._numbers.get(player) if player else None)

    def player(self, written: WrittenPlayer, stamp: Stamp) -> UUID:
        """The player of a name; one who is new is added."""
        if self._dry:
            self.meet([written])
        if written not in self._known:
            self._known[written] = self._add(written, stamp)
        return self._known[written]

    def _add(self, written: WrittenPlayer, stamp: Stamp) -> UUID:
        if self._dry:
            if written not in self._would_be:
                self._would_be[written] = new_id()
                self._report.players += 1
            return self._would_be[written]
        name, mark = split_number(written.name)
        number = written.number or mark
        if number is not None:
            taken = Player.objects.filter(club=self._club, number=number).exists()
            number = None if taken else number
        if number is None:
            name = written.name
        kind = written.kind or PlayerKind.GUEST if self._kind == AS_WRITTEN else self._kind
        self._report.players += 1
        if number is not None and _is_former(written):
            new = Player(club_id=self._club, number=number, kind=kind, created_at=stamp.at)
            new.save(force_insert=True)
        else:
            named = NewPlayer(person={"name": name}, kind=kind, number=number)
            new = add_player(club_id=self._club, new=named, by=stamp.by, at=stamp.at)
        self.added.append(new)
        return new.pk


def _is_former(written: WrittenPlayer) -> bool:
    """Whether this is the number of somebody who was erased, and no name."""
    return written.number is not None and written.name == former_name(written.number)


def people_of(entry: RecordEntry, names: Sequence[str]) -> tuple[WrittenPlayer, ...]:
    """The players of a record by seat, with what its SeatTable says of them."""
    if "[SeatTable " not in entry.text:
        return _unnumbered(tuple(names))
    rows = {row.get("Seat"): row for row in entry.table("SeatTable")}
    seats = DEFAULT_SEATS[len(names)] if entry.record is None else entry.record.seats
    return tuple(
        WrittenPlayer(
            name,
            read_number(rows[seat].get("Id", "")) if seat in rows else None,
            _kind(rows[seat].get("Kind", "")) if seat in rows else "",
        )
        for seat, name in zip(seats, names, strict=True)
    )


def _kind(text: str) -> str:
    return text if text in PlayerKind.values else ""


@lru_cache(maxsize=64)
def _unnumbered(names: tuple[str, ...]) -> tuple[WrittenPlayer, ...]:
    return tuple(map(WrittenPlayer, names))


@lru_cache(maxsize=64)  # the tables of a club that take turns in a file
def names_of(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """The names by seat; a seat without one has its own.

    >>> names_of(("Adams, Nora", "", "Clark, Sue"), 3)
    ('Adams, Nora', 'Unnamed (2)', 'Clark, Sue')
    """
    seats = DEFAULT_SEATS[players]
    known = [normalize("NFC", name).strip()[:NAME_MOST] for name in names or [""] * len(seats)]
    return tuple([name or f"Unnamed ({seat})" for seat, name in enumerate(known, 1)])
