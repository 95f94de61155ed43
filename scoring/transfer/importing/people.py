"""Match the names in an archive with players of the club, or add them as new ones."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple
from unicodedata import normalize
from uuid import UUID

from engine.core.messages import Message
from engine.core.player_names import PlayerNameError, clean_name, name_key
from engine.core.seats import DEFAULT_SEATS
from engine.notation.reader import RecordEntry
from scoring.ledger.transfers import Stamp
from scoring.transfer.importing.report import ImportReport
from tournaments.core.ids import new_id
from tournaments.core.similar_names import SimilarNames
from tournaments.imports import SOMEBODY_NEW, ImportLog, ask_who, read_number, split_number
from tournaments.models import Person, Player, PlayerKind
from tournaments.people.members import NewPlayer, add_player
from tournaments.selectors import former_name, people_named

NAME_MAX = 200
AS_WRITTEN = "written"
"""Instead of a kind: new players are what the archive says they are, else guests."""


class WrittenPlayer(NamedTuple):
    """A player as a record writes them: the name, and the number and the kind of an archive."""

    name: str
    number: int | None = None
    kind: str = ""


class _Key(NamedTuple):
    """The key by which a written player is compared."""

    name: str
    number: int | None


def _key(written: WrittenPlayer) -> _Key:
    return _Key(name_key(written.name), written.number)


class People:
    """People of a club: a name is the player of the club who has this name (`name_key`).

    Of namesakes it is the one with the number in "Anna Jansen (7)" or in the archive, else the one
    with the lowest number, which `unsure` reports. Somebody unknown is added as ``kind``, with the
    number that is written if it is free; a dry run (``dry``) adds nobody. ``decisions`` say who a
    name is that is like a member's (`find_doubt`): the number of the member, or `SOMEBODY_NEW`.
    ``log`` is that of the import, of whose own players nobody is asked.
    """

    def __init__(
        self,
        club: UUID,
        kind: str,
        *,
        dry: bool,
        report: ImportReport,
        decisions: Mapping[str, str] | None = None,
        log: ImportLog | None = None,
    ) -> None:
        self._decisions = {name_key(name): who for name, who in (decisions or {}).items()}
        self._log = log
        self._club, self._kind, self._dry, self._report = club, kind, dry, report
        self._known: dict[_Key, UUID] = {}
        self._would_be: dict[_Key, UUID] = {}
        self._namesakes: dict[str, list[int]] = {}
        self._numbers: dict[UUID, int] = {}
        self.met: dict[str, int | None] = {}
        """By name the member number, None for a new player; filled in a dry run only."""
        self.added: list[Player] = []
        """The players added since this list was last cleared."""

    @cached_property
    def _similar(self) -> SimilarNames:
        index = SimilarNames()
        for key in self._by_name:
            index.add(key)
        return index

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[str, int]]]:
        """Names and numbers of the members from before the import, by their keys."""
        rows = Person.objects.filter(
            player__club=self._club, player__removed_at=None, player__merged_into=None
        )
        own = set()
        if self._log is not None:
            keys = self._log.row.items.filter(model="tournaments.player")
            own = {key["id"] for key in keys.values_list("key", flat=True)}
        found: dict[str, list[tuple[str, int]]] = {}
        columns = ("name", "player__number", "player_id")
        for name, number, player in rows.order_by("player__number").values_list(*columns):
            if str(player) not in own:
                found.setdefault(name_key(name), []).append((name, number))
        return found

    def find_similar(self, name: str) -> list[tuple[str, int]]:
        """Members whose names are like a name, with their numbers."""
        return [one for key in self._similar.find(name) for one in self._by_name[key]]

    def find_doubt(self, written: Iterable[WrittenPlayer]) -> str:
        """Why somebody of these cannot be told, or nothing."""
        for one in written:
            key = _key(one)
            if key in self._known or key in self._would_be:
                continue
            try:
                name = clean_name(split_number(one.name)[0])
            except PlayerNameError as error:
                return error.message
            who = self._decisions.get(key.name, "")
            if who and who != SOMEBODY_NEW:
                return Message("no member has the number {number}", number=who)
            similar = [] if who else self.find_similar(name)
            if similar:
                return ask_who(name, [f"{known} ({number})" for known, number in similar])
        return ""

    def look_up(self, written: Iterable[WrittenPlayer]) -> None:
        """Find out who some players are; the caller holds the club's lock. Four queries at most."""
        assert self._by_name is not None  # read before anybody is added
        apart = {_key(one): split_number(one.name) for one in written}
        decided = self._decided_players()
        wanted = {name for key, (base, _mark) in apart.items() for name in (key.name, base)}
        found: dict[str, dict[UUID, int]] = {}
        numbered: dict[_Key, UUID] = {}
        for person in people_named(self._club, wanted):
            name, number = name_key(person.name), person.player.number
            member = person.player.merged_into_id or person.player_id
            found.setdefault(name, {}).setdefault(member, number)
            self._numbers.setdefault(member, number)
            numbered[_Key(name, number)] = member
        numbered |= self._former_members(written)
        self._known = {}
        for key, (base, mark) in apart.items():
            same = found.get(key.name)
            player = numbered.get(key, numbered.get(_Key(name_key(base), mark)))
            player = player or decided.get(key.name) or next(iter(same or ()), None)
            if player is not None:
                self._known[key] = player
        many = {name: list(players.values()) for name, players in found.items()}
        self._namesakes = {
            name: numbers
            for name, numbers in many.items()
            if len(numbers) > 1 and name not in decided
        }

    def _decided_players(self) -> dict[str, UUID]:
        """The members whom names were decided to mean. One query, none without decisions."""
        numbers = [number for who in self._decisions.values() if (number := read_number(who))]
        found: dict[str, UUID] = {}
        if not numbers:
            return found
        for row in Player.objects.filter(club=self._club, number__in=numbers):
            player = row.merged_into_id or row.pk
            self._numbers.setdefault(player, row.number)
            found |= {
                name: player
                for name, who in self._decisions.items()
                if read_number(who) == row.number
            }
        return found

    def _former_members(self, written: Iterable[WrittenPlayer]) -> "dict[_Key, UUID]":
        """Players of the club without a person who are written by their number. One query."""
        numbers = [one.number or 0 for one in written if _is_former(one)]
        if not numbers:
            return {}
        rows = Player.objects.filter(club=self._club, person=None, number__in=numbers)
        return {
            _Key(name_key(former_name(number)), number): into or player
            for number, player, into in rows.values_list("number", "pk", "merged_into")
        }

    def unsure(self, written: Iterable[WrittenPlayer]) -> str:
        """Return those of these names that several members have, and who was meant; or nothing."""
        for one in written:
            numbers = self._namesakes.get(name_key(one.name), [])
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
            player = self._known.get(_key(one))
            self.met.setdefault(one.name, self._numbers.get(player) if player else None)

    def player(self, written: WrittenPlayer, stamp: Stamp) -> UUID:
        """The player of a name; one who is new is added."""
        if self._dry:
            self.meet([written])
        key = _key(written)
        if key not in self._known:
            self._known[key] = self._add(written, stamp)
        return self._known[key]

    def _add(self, written: WrittenPlayer, stamp: Stamp) -> UUID:
        if self._dry:
            key = _key(written)
            if key not in self._would_be:
                self._would_be[key] = new_id()
                self._report.players += 1
            return self._would_be[key]
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
            read_kind(rows[seat].get("Kind", "")) if seat in rows else "",
        )
        for seat, name in zip(seats, names, strict=True)
    )


def read_kind(text: str) -> str:
    """The kind of player that a word is; empty if it is none."""
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
    known = [normalize("NFC", name).strip()[:NAME_MAX] for name in names or [""] * len(seats)]
    return tuple([name or f"Unnamed ({seat})" for seat, name in enumerate(known, 1)])
