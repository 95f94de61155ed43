"""The events to which games of an archive are assigned, named or found by their tags."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from engine.core.game_identity import parse_day
from engine.core.messages import Message
from engine.notation.reader import RecordEntry
from engine.notation.sheet import NOTHING
from engine.rules.rules import plays_for_chips
from scoring.games.assign_to_event import (
    Where,
    check_scoring_direction,
    find_scoring_directions,
    place_games,
)
from scoring.ledger.transfers import Stamp
from scoring.transfer.importing.games import Imported, name_of
from scoring.transfer.importing.log import PlacesLog
from scoring.transfer.importing.report import Problem
from tournaments.core.errors import RefusedError
from tournaments.events.events import check_running
from tournaments.events.layout import GamePlacement, Room, RoundTable
from tournaments.models import Event, TableGame

Seatings = dict[tuple[UUID, int, int], dict[int, UUID]]
"""Players by seat, by event, round and table: whose seats they are where others sat down first."""
BY_TAGS: Final = "tags"
"""Instead of an event: the one that is called as the tag Event says, on that day."""
PLACES_MAX: Final = 200
"""How many places are listed; all are counted."""
_NEAR: Final = timedelta(days=1)
"""An evening may begin on another day by universal time than by the clock on the wall."""
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class GameOrigin:
    """A game of an archive with what its first record says of where it was played.

    ``tag`` is its GameId, by which other records of the archive refer to it.
    """

    game: UUID
    name: str
    players: Sequence[UUID]
    low: bool
    line: int
    event: str
    day: date | None
    round: int | None
    table: int | None
    tag: str = ""

    @classmethod
    def of(cls, game: Imported, entry: RecordEntry) -> "GameOrigin":
        """Read the origin of a game from its first record."""
        return cls(
            game=game.id,
            name=name_of(entry),
            players=tuple(game.players),
            low=not plays_for_chips(game.rules),
            line=entry.line,
            event=(entry.value("Event") or "").strip(),
            day=parse_day(entry.value("EventDate") or entry.value("Date") or ""),
            round=_number(entry.value("Round") or ""),
            table=_number(entry.value("Table") or ""),
            tag=entry.value("GameId") or "",
        )

    def problem(self, words: str) -> Problem:
        """The problem that the game has no place in an event; it stays a game of the club."""
        return Problem(
            self.line, 1, Message("left out of every event: {words}", words=words), stored=True
        )


@dataclass(frozen=True, slots=True)
class GameDestination:
    """The place to which a game goes, or would go."""

    origin: GameOrigin
    event: UUID
    spot: RoundTable

    def as_data(self) -> dict[str, Any]:
        """The place as plain data."""
        return {
            "game": str(self.origin.game),
            "name": self.origin.name,
            "event": str(self.event),
            "round": self.spot.round,
            "table": self.spot.table,
        }


@dataclass(slots=True)
class Evenings:
    """Puts games into events; `find` refuses what belongs to none."""

    club: UUID
    wanted: UUID | None
    log: PlacesLog | None = None
    seatings: Seatings = field(default_factory=dict)
    _known: dict[tuple[str, date | None], Event] = field(default_factory=dict)
    _rooms: dict[UUID, Room] = field(default_factory=dict)

    def find(self, origin: GameOrigin) -> Event:
        """The event of a game. Raises RefusedError."""
        return self.find_named(origin.event, origin.day)

    def find_named(self, name: str, day: date | None) -> Event:
        """The wanted event, or else the one of this name and day. Raises RefusedError."""
        key = ("", None) if self.wanted is not None else (name, day)
        if key not in self._known:
            if self.wanted is None:
                self._known[key] = self._find_event_by_tag(name, day)
            elif event := _events(self.club).filter(pk=self.wanted).first():
                self._known[key] = event
            else:
                raise RefusedError(Message("The club has no such event."), "event")
        return self._known[key]

    def _find_event_by_tag(self, name: str, day: date | None) -> Event:
        rows = list(_events(self.club).filter(name=name)) if name else []
        if day is not None:
            rows = [row for row in rows if abs(row.starts_at.date() - day) <= _NEAR]
            rows.sort(key=lambda row: abs(row.starts_at.date() - day))
            same = [row for row in rows if row.starts_at.date() == day]
            rows = same or rows
        if not rows:
            words = Message("There is no event {event}.", event=repr(name))
            if day is not None:
                words = Message(
                    "There is no event {event} on {day}.", event=repr(name), day=str(day)
                )
            raise RefusedError(words, "event")
        if len(rows) > 1:
            raise RefusedError(
                Message("More than one event is called {event}.", event=repr(name)), "event"
            )
        return rows[0]

    def plan(self, origin: GameOrigin) -> GameDestination:
        """Return the place for a game, after those asked for before. Raises RefusedError."""
        event = self.find(origin)
        held = TableGame.objects.filter(pk=origin.game, event__isnull=False)
        if at := held.values_list("event", "table__round__number", "table__number").first():
            if at[0] != event.pk:
                raise RefusedError(Message("This game is part of another event."), "game")
            return GameDestination(origin, event.pk, RoundTable(at[1], at[2]))
        check_running(event)
        check_scoring_direction(find_scoring_directions(event), is_low_good=origin.low)
        room = self._rooms.get(event.pk)
        if room is None:
            room = self._rooms[event.pk] = Room.of(event)
        brought = GamePlacement(players=origin.players, round=origin.round, table=origin.table)
        spot = room.spot(brought)
        room.take(brought, spot)
        return GameDestination(origin, event.pk, spot)

    def place_all(
        self, games: Sequence[GameOrigin], stamp: Stamp
    ) -> dict[UUID, GameDestination | RefusedError]:
        """Put games into their events; return the place of each, or why it has none."""
        found: dict[UUID, GameDestination | RefusedError] = {}
        of_event: dict[UUID, list[GameOrigin]] = {}
        for origin in games:
            try:
                event = self.find(origin)
            except RefusedError as error:
                found[origin.game] = error
                continue
            if self.log is not None:
                self.log.watch(event)
            of_event.setdefault(event.pk, []).append(origin)
        for number, some in of_event.items():
            wanted = {}
            for origin in some:
                owners = self.seatings.get((number, origin.round or 0, origin.table or 0), {})
                where = Where(round=origin.round, table=origin.table, owners=owners)
                wanted[origin.game] = where
            spots = place_games(event_id=number, games=wanted, by=stamp.by, at=stamp.at)
            for origin in some:
                spot = spots[origin.game]
                if not isinstance(spot, RefusedError):
                    found[origin.game] = GameDestination(origin, number, spot)
                else:
                    found[origin.game] = spot
        return found

    def all_of(
        self, games: Iterable[GameOrigin], stamp: Stamp | None
    ) -> Iterator[tuple[GameOrigin, GameDestination | RefusedError]]:
        """Every game with its place, or why it has none; without a stamp nothing is written.

        A game that names no event is left out where tags decide: it was played in none.
        """
        played = [one for one in games if self.wanted is not None or one.event not in NOTHING]
        placed = None if stamp is None else self.place_all(played, stamp)
        for origin in played:
            try:
                yield origin, self.plan(origin) if placed is None else placed[origin.game]
            except RefusedError as error:
                yield origin, error


def in_order(games: Mapping[UUID, GameOrigin]) -> list[GameOrigin]:
    """Games as they were played: by the rounds that are written, then as the archive has them."""
    return sorted(games.values(), key=lambda origin: (origin.round is None, origin.round or 0))


def _events(club: UUID) -> QuerySet[Event]:
    return Event.objects.filter(club=club).select_related("club", "rule_set").order_by("starts_at")


def _number(text: str) -> int | None:
    plain = text.strip()
    is_number = plain.isascii() and plain.isdigit() and len(plain) <= _DIGITS
    return int(plain) or None if is_number else None
