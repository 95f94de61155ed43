"""Rounds: drawn, seated by hand, begun and closed.

Rounds that have begun stay as they are; those that are only drawn can be drawn again at will.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message, joined_sentences
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.events.events import check_running, check_version, lock, touch
from tournaments.events.round_clocks import begin_break_clock, begin_round_clock, remove_clock
from tournaments.events.seating import (
    DrawProposal,
    DrawRequest,
    EventSeating,
    number_tables,
    propose_for,
    read_event_seating,
    wishes_in,
)
from tournaments.models import (
    Entry,
    Event,
    Presence,
    Round,
    SitOut,
    Stage,
    Status,
    Table,
    TableGame,
    TableSeat,
)
from tournaments.movements import RoundSeating, judge
from tournaments.people.bars import check_not_barred
from tournaments.publishing.deals import find_undecided


@dataclass(frozen=True, slots=True)
class Since:
    """People who came and who left since a round was drawn."""

    came: tuple[Entry, ...]
    left: tuple[Entry, ...]

    @property
    def sentences(self) -> list[Message]:
        """Why the round does not fit any more; empty where it fits."""
        found = []
        if self.came:
            numbers = ", ".join(str(one.number) for one in self.came)
            found.append(Message("Entry {numbers} came after it was drawn.", numbers=numbers))
        if self.left:
            numbers = ", ".join(str(one.number) for one in self.left)
            found.append(Message("Entry {numbers} left after it was drawn.", numbers=numbers))
        return found


class OutdatedError(RefusedError):
    """A round does not fit who is here now."""

    def __init__(self, since: Since) -> None:
        advice = Message("Draw the round again, or seat it by hand.")
        super().__init__(joined_sentences([*since.sentences, advice]), "number")
        self.since = since


@transaction.atomic
def draw(
    *, event_id: UUID, wanted: DrawRequest, version: int | None, by: Actor, at: datetime
) -> list[Round]:
    """Draw the rounds to come; those that were drawn and have not begun are drawn anew.

    Raises StaleError, and RefusedError saying why there is no such seating.
    """
    event = lock(event_id)
    check_version(event, version)
    check_running(event)
    proposal = propose_for(read_event_seating(event), wanted)
    _check_seated(proposal.hall, proposal.rounds, at)
    rows = _write(proposal, at)
    details = {
        "rounds": [row.number for row in rows],
        "attempt": wanted.attempt,
        "seed": event.seed,
        "paired on": proposal.paired_on,
    }
    touch(event, AuditRecord(Message("rounds drawn"), details=details), by, at)
    return rows


def _check_seated(hall: EventSeating, seatings: Sequence[RoundSeating], at: datetime) -> None:
    """Raise BarredError if somebody who is barred from the club would be seated."""
    seated = {one for seating in seatings for table in seating.tables for one in table}
    players = [hall.entries[one].player for one in sorted(seated)]
    fields = ["entries"] * len(players)
    check_not_barred(hall.event.club, players, fields=fields, at=at)


def _write(proposal: DrawProposal, at: datetime) -> list[Round]:
    event = proposal.hall.event
    Round.objects.filter(event=event, stage=Stage.DRAWN).delete()
    rows = [
        Round(
            event=event,
            number=number,
            certificate=proposal.certificate.to_data(),
            paired_on=proposal.paired_on,
            drawn_at=at,
        )
        for number, _ in enumerate(proposal.rounds, proposal.first)
    ]
    Round.objects.bulk_create(rows)
    for row, seating in zip(rows, proposal.rounds, strict=True):
        _fill(row, seating, proposal.hall)
    return rows


def _fill(row: Round, seating: RoundSeating, hall: EventSeating) -> None:
    """Write a seating down as tables, seats and sit-outs of a round."""
    boards = boards_in(hall.event, row.number)
    numbers = number_tables(hall.event, len(seating.tables))
    tables = [
        Table(round=row, number=number, size=len(entrants), boards=boards)
        for number, entrants in zip(numbers, seating.tables, strict=True)
    ]
    Table.objects.bulk_create(tables)
    TableSeat.objects.bulk_create(
        TableSeat(round=row, table=table, seat=seat, entry=hall.entries[one])
        for table, entrants in zip(tables, seating.tables, strict=True)
        for seat, one in enumerate(entrants)
    )
    SitOut.objects.bulk_create(
        SitOut(round=row, entry=hall.entries[sit_out]) for sit_out in seating.sit_outs
    )


def boards_in(event: Event, round_number: int) -> list[int]:
    """The boards of a round: all its tables play the same ones (a barometer)."""
    if not event.duplicate:
        return []
    return list(range((round_number - 1) * event.hands + 1, round_number * event.hands + 1))


def round_of_board(event: Event, board: int) -> int:
    """Return the round in which a board is played."""
    return (board - 1) // event.hands + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHand:
    """A seating made by hand: entries by table in seat order, and who sits out.

    ``version`` is that of the event as they saw it, None if they did not look.
    """

    number: int
    tables: Sequence[Sequence[UUID]]
    sit_outs: Sequence[UUID] = ()
    version: int | None = None


@transaction.atomic
def seat_by_hand(*, event_id: UUID, wanted: ByHand, by: Actor, at: datetime) -> Round:
    """Seat a round that has not begun as somebody says; later draws keep to what is played.

    Raises StaleError, and RefusedError: it has begun, an entry twice, left out, not here, or a
    table of a size that these rules do not know.
    """
    event = lock(event_id)
    check_version(event, wanted.version)
    check_running(event)
    hall, number = read_event_seating(event), wanted.number
    if not 1 <= number <= event.rounds:
        raise RefusedError(Message("There is no round {number}.", number=number), "number")
    if number <= len(hall.begun):
        raise RefusedError(Message("Round {number} has begun.", number=number), "number")
    seating = _by_hand(hall, wanted)
    _check_seated(hall, [seating], at)
    certificate = judge([*hall.begun, seating], len(hall.entries), wishes_in(hall))
    row, made = Round.objects.get_or_create(event=event, number=number, defaults={"drawn_at": at})
    if not made:
        row.tables.all().delete()
        row.sit_outs.all().delete()
    row.certificate, row.paired_on, row.drawn_at = certificate.to_data(), None, at
    row.save()
    _fill(row, seating, hall)
    touch(event, AuditRecord(Message("seated by hand"), details={"round": number}), by, at)
    return row


def _by_hand(hall: EventSeating, wanted: ByHand) -> RoundSeating:
    places = hall.places
    named: set[UUID] = set()
    for where, entries in (
        *((f"tables.{place}", table) for place, table in enumerate(wanted.tables)),
        ("sit_outs", wanted.sit_outs),
    ):
        for entry in entries:
            if entry not in places:
                raise RefusedError(Message("There is no such entry in this event."), where)
            if entry in named:
                words = Message(
                    "Entry {number} is named twice.", number=hall.entries[places[entry]].number
                )
                raise RefusedError(words, where)
            named.add(entry)
    for place, table in enumerate(wanted.tables):
        if len(table) not in hall.event.sizes:
            words = Message("A table of {count} is not allowed in this event.", count=len(table))
            raise RefusedError(words, f"tables.{place}")
    present = hall.presence(expected=False)
    here = [entry for entry in hall.entries if wanted.number - 1 in present[places[entry.pk]]]
    if forgotten := [str(entry.number) for entry in here if entry.pk not in named]:
        numbers = ", ".join(forgotten)
        raise RefusedError(
            Message("Nobody says where entry {numbers} sits.", numbers=numbers), "tables"
        )
    tables = tuple(tuple(places[entry] for entry in table) for table in wanted.tables)
    return RoundSeating(tables, tuple(places[entry] for entry in wanted.sit_outs))


@transaction.atomic
def begin_round(*, event_id: UUID, number: int, by: Actor, at: datetime) -> Round:
    """Let a drawn round begin; what opens its games calls this first, under the club's lock.

    Raises RefusedError: not drawn, begun already, the round before it is not closed, or somebody
    came or left since it was drawn.
    """
    event = lock(event_id)
    check_running(event)
    row = Round.objects.filter(event=event, number=number).first()
    if row is None:
        raise RefusedError(Message("Round {number} is not drawn.", number=number), "number")
    if row.stage != Stage.DRAWN:
        raise RefusedError(Message("Round {number} has begun already.", number=number), "number")
    before = Round.objects.filter(event=event, number__lt=number).exclude(stage=Stage.CLOSED)
    if earlier := before.order_by("number").first():
        raise RefusedError(
            Message("Round {number} is not closed.", number=earlier.number), "number"
        )
    if since := since_drawn(event).get(number):
        raise OutdatedError(since)
    row.stage, row.started_at = Stage.PLAYING, at
    row.save(update_fields=["stage", "started_at"])
    if event.status == Status.PLANNED:
        event.status = Status.RUNNING
    details = {"round": number}
    if minutes := begin_round_clock(event, at):
        details["minutes"] = minutes
    touch(event, AuditRecord(Message("round begun"), details=details), by, at)
    invalidation.mark_event(event.pk, at)
    row.event = event
    return row


@transaction.atomic
def close_round(*, event_id: UUID, number: int, why: str = "", by: Actor, at: datetime) -> Round:
    """Close a round.

    Raises RefusedError naming the tables that still play, unless it says why, and a hand with
    other cards than its board on which nothing is decided (DEC-15). Tables that are to be finished
    another day go on after it.
    """
    event = lock(event_id)
    check_running(event)
    row = Round.objects.filter(event=event, number=number).first()
    if row is None or row.stage != Stage.PLAYING:
        raise RefusedError(Message("Round {number} is not being played.", number=number), "number")
    if foreign := [one for one in find_undecided(event_id) if one.round == number]:
        words = Message(
            "Round {number} cannot be closed: hand {hand} of table {table} has other cards than"
            " board {board}. Decide on it first.",
            number=number,
            hand=foreign[0].number,
            table=foreign[0].table,
            board=foreign[0].board,
        )
        raise RefusedError(words, "number")
    waiting = unfinished_tables(row)
    if waiting and not why.strip():
        tables = ", ".join(map(str, waiting))
        words = Message(
            "Round {number} cannot be closed: table {tables} has not finished. Say why, if so.",
            number=number,
            tables=tables,
        )
        raise RefusedError(words, "why")
    row.stage, row.closed_at = Stage.CLOSED, at
    row.save(update_fields=["stage", "closed_at"])
    begin_break_clock(event, at)
    touch(
        event,
        AuditRecord(Message("round closed"), why, {"round": number, "unfinished": waiting}),
        by,
        at,
    )
    invalidation.mark_event(event.pk, at)
    row.event = event
    return row


@transaction.atomic
def take_back(*, event_id: UUID, number: int, why: str, by: Actor, at: datetime) -> Round:
    """Let a round be only drawn again; what took its games out calls this, under the club's lock.

    Raises RefusedError if it is not being played.
    """
    event = lock(event_id)
    check_running(event)
    row = Round.objects.filter(event=event, number=number).first()
    if row is None or row.stage != Stage.PLAYING:
        raise RefusedError(Message("Round {number} is not being played.", number=number), "number")
    row.stage, row.started_at = Stage.DRAWN, None
    row.save(update_fields=["stage", "started_at"])
    row.tables.update(adjourned_at=None, finish_on=None, adjourn_reason="")
    remove_clock(event)
    if not Round.objects.filter(event=event).exclude(stage=Stage.DRAWN).exists():
        event.status = Status.PLANNED
    touch(event, AuditRecord(Message("round taken back"), why, {"round": number}), by, at)
    invalidation.mark_event(event.pk, at)
    row.event = event
    return row


def outdated_draws(event: Event) -> dict[int, str]:
    """By number, why a round that is only drawn does not fit who is here now. Three queries."""
    return {
        number: joined_sentences(since.sentences) for number, since in since_drawn(event).items()
    }


def since_drawn(event: Event) -> dict[int, Since]:
    """By number, who came or left since a round was drawn that does not fit now. Three queries."""
    known: dict[int, set[UUID]] = {}
    for kind in (TableSeat, SitOut):
        rows = kind.objects.filter(round__event=event, round__stage=Stage.DRAWN)
        for number, entry in rows.values_list("round__number", "entry_id"):
            known.setdefault(number, set()).add(entry)
    return compare_with_draws(known, list(Entry.objects.filter(event=event).order_by("number")))


def compare_with_draws(
    drawn: Mapping[int, AbstractSet[UUID]], entries: Sequence[Entry]
) -> dict[int, Since]:
    """By number, who came or left since a round was drawn that does not fit now.

    ``drawn``: by number of a round that is only drawn, the entries that it has a place for.
    """
    found = {}
    for number, known in sorted(drawn.items()):
        missing = tuple(
            entry
            for entry in entries
            if entry.presence == Presence.HERE
            and entry.first <= number
            and (entry.last is None or entry.last >= number)
            and entry.pk not in known
        )
        since = Since(missing, _entries_gone(entries, known))
        if since.came or since.left:
            found[number] = since
    return found


def _entries_gone(entries: Sequence[Entry], known: AbstractSet[UUID]) -> tuple[Entry, ...]:
    away = (Presence.LEFT, Presence.WITHDRAWN)
    return tuple(entry for entry in entries if entry.pk in known and entry.presence in away)


def unfinished_tables(row: Round) -> list[int]:
    """The numbers of the tables of a round whose game is not over, or has something undecided.

    Those that are to be finished another day are not among them.
    """
    games = TableGame.objects.filter(table__round=row)
    done = {
        table
        for table, phase, is_open in games.values_list("table__number", "phase", "is_open")
        if phase in ("closed", "official", "over") and not is_open
    }
    here = row.tables.filter(adjourned_at=None).order_by("number")
    tables = here.values_list("number", flat=True)
    return [number for number in tables if number not in done]
