"""The rounds and tables of an event, in which imported games are given a place.

A room is what the rounds and tables of an event look like; games are given their places in it one
after another, and nothing is written before `sit_down`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db.models import Max

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


def sit_down(event: Event, brought: GamePlacement, spot: RoundTable, at: datetime) -> Table:
    """Write a place down: round, table and seats, and who was not entered; the event is locked."""
    row, _ = Round.objects.get_or_create(
        event=event,
        number=spot.round,
        defaults={"stage": Stage.CLOSED, "drawn_at": at, "started_at": at, "closed_at": at},
    )
    table = Table.objects.filter(round=row, number=spot.table).first()
    if table is None:
        entries = [_entry(event, player, spot.round, at) for player in brought.players]
        boards = boards_in(event, spot.round)
        table = Table.objects.create(round=row, number=spot.table, size=len(entries), boards=boards)
        TableSeat.objects.bulk_create(
            TableSeat(round=row, table=table, seat=seat, entry=entry)
            for seat, entry in enumerate(entries)
        )
    if event.status == Status.PLANNED:
        event.status = Status.RUNNING
    table.round = row
    row.event = event
    return table


def stand_up(table: Table) -> None:
    """Take a table away that has no game any more, and its round if that was the last of it."""
    if TableGame.objects.filter(table=table).exists():
        return
    row = table.round
    table.delete()
    later = Round.objects.filter(event=row.event_id, number__gt=row.number)
    if not row.tables.exists() and not later.exists():
        row.delete()


def _entry(event: Event, number: UUID, first: int, at: datetime) -> Entry:
    """The entry of a player or of whom they turned out to be; they were here."""
    player = Player.objects.select_related("merged_into").get(pk=number)
    person = player.merged_into or player
    who = [person.pk, *person.duplicates.values_list("pk", flat=True)]
    entry = Entry.objects.filter(event=event, player__in=who).order_by("number").first()
    if entry is not None:
        if entry.presence == Presence.EXPECTED:
            entry.presence = Presence.HERE
            entry.save(update_fields=["presence"])
        return entry
    last = Entry.objects.filter(event=event).aggregate(last=Max("number"))["last"] or 0
    return Entry.objects.create(
        event=event,
        number=last + 1,
        player=person,
        standing=standing_of(person),
        presence=Presence.HERE,
        first=first,
        entered_at=at,
    )
