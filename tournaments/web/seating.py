"""The seating of a round, how far the tables are, and how good the seating is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count

from engine.core.seats import DEFAULT_SEATS
from tournaments import selectors
from tournaments.core.language import translate
from tournaments.models import Club, Event, Result, Round, Stage, Table, TableSeat
from tournaments.movements import Certificate
from tournaments.people.display_names import distinct_names


@dataclass(frozen=True, slots=True)
class Seated:
    seat: str
    player: UUID
    name: str


@dataclass(frozen=True, slots=True)
class AtTable:
    """A game at a table, and how many of its hands were entered."""

    id: UUID
    hands: int
    is_open: bool
    is_over: bool


@dataclass(frozen=True, slots=True)
class TableNow:
    number: int
    seats: list[Seated]
    games: list[AtTable]
    boards: str


@dataclass(frozen=True, slots=True)
class RoundNow:
    """A round. ``quality`` are the sentences of its seating certificate."""

    number: int
    stage: str
    is_playing: bool
    is_drawn: bool
    tables: list[TableNow]
    sits_out: list[Seated]
    quality: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EventRounds:
    """The rounds of an event by number, and the one that is looked at."""

    numbers: list[int]
    shown: RoundNow | None


def rounds_of(event: Event, wanted: int | None, *, in_full: bool) -> EventRounds:
    """The round that is wanted, or else the one that matters now. Nine queries at most."""
    rows = Round.objects.filter(event=event).order_by("number")
    stages = dict(rows.values_list("number", "stage"))
    numbers = list(stages)
    if not numbers:
        return EventRounds([], None)
    number = wanted if wanted in stages else _now(stages)
    round_ = selectors.rounds(event, named=False).get(number=number)
    return EventRounds(numbers, _round(round_, event.club, in_full=in_full))


def _now(stages: Mapping[int, str]) -> int:
    """The round that is played, or is next; the last one when all are over."""
    for stage in (Stage.PLAYING, Stage.DRAWN):
        found = [number for number, is_at in stages.items() if is_at == stage]
        if found:
            return found[0]
    return max(stages)


def _round(row: Round, club: Club, *, in_full: bool) -> RoundNow:
    hands = _hands(row)
    data = row.certificate
    seated = [seat.entry.player_id for table in row.tables.all() for seat in table.seats.all()]
    out = [sit_out.entry.player_id for sit_out in row.sit_outs.all()]
    names = distinct_names(club, [*seated, *out], in_full=in_full)
    return RoundNow(
        number=row.number,
        stage=row.get_stage_display(),
        is_playing=row.stage == Stage.PLAYING,
        is_drawn=row.stage == Stage.DRAWN,
        tables=[_table(table, hands, names) for table in row.tables.all()],
        sits_out=[Seated("", player, names.get(str(player), "")) for player in out],
        quality=tuple(map(translate, Certificate.from_data(data).sentences())) if data else (),
    )


def _hands(row: Round) -> Mapping[UUID, int]:
    """Count the hands of the round that each game has in the books. One query."""
    rows = (
        Result.objects.filter(game__table__round=row, counts=True).order_by().values_list("game_id")
    )
    return dict(rows.annotate(Count("number", distinct=True)))


def _table(table: Table, hands: Mapping[UUID, int], names: Mapping[str, str]) -> TableNow:
    places = DEFAULT_SEATS[table.size]
    return TableNow(
        number=table.number,
        seats=[_seated_row(seat, places, names) for seat in table.seats.all()],
        games=[
            AtTable(game.pk, hands.get(game.pk, 0), game.is_open, game.phase != "open")
            for game in table.games.all()
        ],
        boards=", ".join(map(str, table.boards)),
    )


def _seated_row(seat: TableSeat, places: Sequence[str], names: Mapping[str, str]) -> Seated:
    player = seat.entry.player_id
    return Seated(places[seat.seat], player, names.get(str(player), ""))
