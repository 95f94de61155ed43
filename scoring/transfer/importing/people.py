"""Match the names in an archive with players of the club, or add them as new ones."""

from collections.abc import Iterable
from functools import lru_cache
from unicodedata import normalize
from uuid import UUID

from engine.messages import Message
from engine.seats import DEFAULT_SEATS
from scoring.ledger.transfers import Stamp
from scoring.transfer.importing.report import ImportReport
from tournaments.core.ids import new_id
from tournaments.imports import split_number
from tournaments.models import Person
from tournaments.people.members import NewPlayer, add_player

NAME_MOST = 200


class People:
    """Who is who: a name is the player of the club who has exactly this name.

    Of namesakes it is the one with the number in "Anna Jansen (7)", else the oldest, which `unsure`
    tells. Whoever nobody knows is added as ``kind``, unless this is only tried (``dry``).
    """

    def __init__(self, club: UUID, kind: str, *, dry: bool, report: ImportReport) -> None:
        self._club, self._kind, self._dry, self._report = club, kind, dry, report
        self._known: dict[str, UUID] = {}
        self._would_be: dict[str, UUID] = {}
        self._namesakes: dict[str, list[int]] = {}

    def look_up(self, names: Iterable[str]) -> None:
        """Find out who some names are; the caller holds the club's lock. One query."""
        apart = {name: split_number(name) for name in names}
        wanted = {*apart, *(name for name, _number in apart.values())}
        rows = Person.objects.filter(
            player__club=self._club, player__removed_at=None, name__in=wanted
        )
        columns = ("name", "player__number", "player_id", "player__merged_into")
        found: dict[str, dict[UUID, int]] = {}
        numbered: dict[tuple[str, int | None], UUID] = {}
        for name, number, player, into in rows.order_by("player__number").values_list(*columns):
            found.setdefault(name, {}).setdefault(into or player, number)
            numbered[name, number] = into or player
        self._known = {name: next(iter(players)) for name, players in found.items()}
        for name, mark in apart.items():
            if name not in self._known and mark in numbered:
                self._known[name] = numbered[mark]
        many = {name: list(players.values()) for name, players in found.items()}
        self._namesakes = {name: numbers for name, numbers in many.items() if len(numbers) > 1}

    def unsure(self, names: Iterable[str]) -> str:
        """Which of these names several members have, and who was meant; or nothing."""
        shared = [name for name in names if name in self._namesakes]
        if not shared:
            return ""
        name, numbers = shared[0], self._namesakes[shared[0]]
        return Message(
            "{count} members are called {name}; number {first} was taken, and "
            '"{name} ({last})" means number {last}',
            count=len(numbers),
            name=name,
            first=numbers[0],
            last=numbers[-1],
        )

    def player(self, name: str, stamp: Stamp) -> UUID:
        """The player of a name; one who is new is added."""
        if name not in self._known:
            self._known[name] = self._add(name, stamp)
        return self._known[name]

    def _add(self, name: str, stamp: Stamp) -> UUID:
        if self._dry:
            if name not in self._would_be:
                self._would_be[name] = new_id()
                self._report.players += 1
            return self._would_be[name]
        new = NewPlayer(person={"name": name}, kind=self._kind)
        self._report.players += 1
        return add_player(club_id=self._club, new=new, by=stamp.by, at=stamp.at).pk


@lru_cache(maxsize=64)  # the tables of a club that take turns in a file
def names_of(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """The names by seat; a seat without one has its own.

    >>> names_of(("Adams, Nora", "", "Clark, Sue"), 3)
    ('Adams, Nora', 'Unnamed (2)', 'Clark, Sue')
    """
    seats = DEFAULT_SEATS[players]
    known = [normalize("NFC", name).strip()[:NAME_MOST] for name in names or [""] * len(seats)]
    return tuple([name or f"Unnamed ({seat})" for seat, name in enumerate(known, 1)])
