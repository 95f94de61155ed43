"""The rounds and tables of an event, in which imported games are given a place.

A room is what the rounds and tables of an event look like; games are given their places in it one
after another, and nothing is written before `sit_down`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from engine.core.messages import Message
from tournaments.core.errors import RefusedError
from tournaments.events.entries import standing_of
from tournaments.events.rounds import boards_in
from tournaments.models import (
    Entry,
    Event,
    Player,
    Presence,
    Round,
    SitOut,
    Stage,
    Status,
    Table,
    TableGame,
    TableSeat,
)
from tournaments.models.limits import TABLE_NUMBER_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlacement:
    """The players of a game, in seat order, and its place, as far as that is written down."""

    players: Sequence[UUID]
    round: int | None = None
    table: int | None = None


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table of a round."""

    round: int
    table: int


@dataclass(slots=True)
class Room:
    """An event as games are put into it: its rounds, who sits where, who sits out."""

    rounds: int
    stages: dict[int, str] = field(default_factory=dict)
    tables: dict[RoundTable, tuple[UUID, ...]] = field(default_factory=dict)
    busy: dict[int, set[UUID]] = field(default_factory=lambda: defaultdict(set))
    survivors: Mapping[UUID, UUID] = field(default_factory=dict)

    @classmethod
    def of(cls, event: Event) -> "Room":
        """See an event as it is. Four queries."""
        merged = Player.objects.filter(club=event.club_id, merged_into__isnull=False)
        found = cls(
            event.rounds,
            survivors={row: into for row, into in merged.values_list("pk", "merged_into") if into},
        )
        rows = Round.objects.filter(event=event).values_list("number", "stage")
        found.stages.update(rows)
        seats = TableSeat.objects.filter(round__event=event).order_by("seat")
        for number, table, player in seats.values_list(
            "round__number", "table__number", "entry__player_id"
        ):
            spot = RoundTable(number, table)
            found.tables[spot] = (*found.tables.get(spot, ()), found._person(player))
            found.busy[number].add(found._person(player))
        outs = SitOut.objects.filter(round__event=event)
        for number, player in outs.values_list("round__number", "entry__player_id"):
            found.busy[number].add(found._person(player))
        return found

    def spot(self, brought: GamePlacement) -> RoundTable:
        """Return the place of a game, by what is written of it; else the first round that has room.

        Raises RefusedError.
        """
        players = tuple(map(self._person, brought.players))
        if len(set(players)) < len(players):
            raise RefusedError(Message("Somebody sits twice at this table."), "players")
        if brought.round is not None:
            self._check(brought.round)
            return self._in_round(brought.round, brought.table, players)
        for number in self._open_rounds():
            if not self.busy[number].intersection(players):
                return self._in_round(number, brought.table, players)
        for spot in sorted(self.tables, key=lambda one: (one.round, one.table)):
            if self.tables[spot] == players and self.stages.get(spot.round) != Stage.DRAWN:
                return spot
        raise RefusedError(
            Message("There is no round left in which nobody of this table plays."), "round"
        )

    def take(self, brought: GamePlacement, spot: RoundTable) -> None:
        """Remember that a game has a place."""
        players = tuple(map(self._person, brought.players))
        self.stages.setdefault(spot.round, Stage.CLOSED)
        self.tables[spot] = players
        self.busy[spot.round].update(players)

    def _person(self, player: UUID) -> UUID:
        return self.survivors.get(player, player)

    def _open_rounds(self) -> Iterator[int]:
        """The rounds that have begun, and the next one if it is not drawn."""
        for number in range(1, self.rounds + 1):
            if self.stages.get(number) == Stage.DRAWN:
                return
            yield number
            if number not in self.stages:
                return

    def _check(self, number: int) -> None:
        if not 1 <= number <= self.rounds:
            words = Message(
                "Round {number} is not in this event, which has {rounds}.",
                number=number,
                rounds=self.rounds,
            )
            raise RefusedError(words, "round")
        if self.stages.get(number) == Stage.DRAWN:
            raise RefusedError(
                Message("Round {number} is drawn and has not begun.", number=number), "round"
            )
        if number > 1 and self.stages.get(number - 1, Stage.DRAWN) == Stage.DRAWN:
            raise RefusedError(
                Message("Round {number} of this event has not begun.", number=number - 1), "round"
            )

    def _in_round(self, number: int, table: int | None, players: tuple[UUID, ...]) -> RoundTable:
        if table is None:
            taken = {spot.table for spot in self.tables if spot.round == number}
            table = next(one for one in range(1, len(taken) + 2) if one not in taken)
        if not 1 <= table <= TABLE_NUMBER_MAX:
            raise RefusedError(Message("There is no table {table}.", table=table), "table")
        spot = RoundTable(number, table)
        known = self.tables.get(spot)
        if known is not None and known != players:
            raise RefusedError(
                Message(
                    "Table {table} of round {number} has other players.", table=table, number=number
                ),
                "table",
            )
        if known is None and self.busy[number].intersection(players):
            words = Message(
                "Somebody of this table plays elsewhere in round {number}, or sits out.",
                number=number,
            )
            raise RefusedError(words, "round")
        return spot


def sit_down(
    event: Event, places: Sequence[tuple[GamePlacement, RoundTable]], at: datetime
) -> list[Table]:
    """Write places down: rounds, tables and seats, and who was not entered; the event is locked.

    Uses a constant number of queries.
    """
    numbers = {spot.round for _brought, spot in places}
    known = set(Round.objects.filter(event=event).values_list("number", flat=True))
    times = {"drawn_at": at, "started_at": at, "closed_at": at}
    Round.objects.bulk_create(
        Round(event=event, number=number, stage=Stage.CLOSED, **times)
        for number in sorted(numbers - known)
    )
    rounds = {row.number: row for row in Round.objects.filter(event=event, number__in=numbers)}
    tables = {
        RoundTable(row.round.number, row.number): row
        for row in Table.objects.filter(round__in=rounds.values()).select_related("round")
    }
    new = {spot: brought for brought, spot in places if spot not in tables}
    entries = _enter(
        event, [(player, spot) for spot, one in new.items() for player in one.players], at
    )
    for spot, brought in new.items():
        boards = boards_in(event, spot.round)
        tables[spot] = Table(
            round=rounds[spot.round], number=spot.table, size=len(brought.players), boards=boards
        )
    Table.objects.bulk_create(tables[spot] for spot in new)
    TableSeat.objects.bulk_create(
        TableSeat(round=rounds[spot.round], table=tables[spot], seat=seat, entry=entries[player])
        for spot, brought in new.items()
        for seat, player in enumerate(brought.players)
    )
    if event.status == Status.PLANNED:
        event.status = Status.RUNNING
    for table in tables.values():
        table.round.event = event
    return [tables[spot] for _brought, spot in places]


def stand_up(table: Table) -> None:
    """Take a table away that has no game any more, and its round if that was the last of it."""
    if TableGame.objects.filter(table=table).exists():
        return
    row = table.round
    table.delete()
    later = Round.objects.filter(event=row.event_id, number__gt=row.number)
    if not row.tables.exists() and not later.exists():
        row.delete()


def _enter(
    event: Event, players: Sequence[tuple[UUID, RoundTable]], at: datetime
) -> dict[UUID, Entry]:
    """The entries of players, or of whom they turned out to be, who were here from a round on."""
    rows = Player.objects.select_related("merged_into")
    people = {
        row.pk: row.merged_into or row
        for row in rows.filter(pk__in={player for player, _spot in players})
    }
    entries: dict[UUID, Entry] = {}
    of_event = Entry.objects.filter(event=event).select_related("player").order_by("number")
    number = 0
    for entry in of_event:
        entries.setdefault(entry.player.merged_into_id or entry.player_id, entry)
        number = entry.number
    expected, new = [], []
    for player, spot in players:
        person = people[player]
        known = entries.get(person.pk)
        if known is None:
            number += 1
            known = entries[person.pk] = Entry(
                event=event,
                number=number,
                player=person,
                standing=standing_of(person),
                presence=Presence.HERE,
                first=spot.round,
                entered_at=at,
            )
            new.append(known)
        elif known.presence == Presence.EXPECTED:
            known.presence = Presence.HERE
            expected.append(known.pk)
    Entry.objects.filter(pk__in=expected).update(presence=Presence.HERE)
    Entry.objects.bulk_create(new)
    return {player: entries[person.pk] for player, person in people.items()}
