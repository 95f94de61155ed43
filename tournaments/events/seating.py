"""Seating: who would sit where in the rounds to come; nothing is written here.

Entrants are numbered for `tournaments.movements` by their place among the entries of the event.
Rounds that have begun stay as they are; all that come after are seated again at will, so that a
latecomer or a leaver never forces a new start.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count, groupby, islice
from typing import Any, Final, cast
from uuid import UUID

from django.db.models import Q

from engine.core.messages import Message, PluralMessage, message_of
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events.events import closed_tables_of, wishes_of
from tournaments.models import (
    Apart,
    Entry,
    Event,
    Movement,
    Presence,
    Round,
    Scope,
    SitOut,
    Stage,
    TableSeat,
)
from tournaments.models.limits import TABLE_NUMBER_MAX
from tournaments.movements import (
    EFFORT,
    Certificate,
    MovementPlan,
    RepeatFreeReach,
    RoundSeating,
    SeatingError,
    Stay,
    Wishes,
    judge,
    next_round,
    plan,
    repeat_free_rounds,
)
from tournaments.movements import Movement as Kind
from tournaments.publishing.event_inputs import read_event_inputs
from tournaments.publishing.event_standings import rank_event_inputs
from tournaments.publishing.versions import find_latest

_ALL_AT_ONCE: Final = (Movement.PLANNED, Movement.PRESCRIBED)
_FOREVER: Final = 10_000


@dataclass(frozen=True, slots=True)
class EventSeating:
    """An event as its seating sees it: entries in order, and the rounds that have begun."""

    event: Event
    entries: tuple[Entry, ...]
    begun: tuple[RoundSeating, ...]

    @property
    def places(self) -> dict[UUID, int]:
        """The number of each entry as an entrant."""
        return {entry.pk: place for place, entry in enumerate(self.entries)}

    def presence(self, *, expected: bool) -> dict[int, range]:
        """By entrant, the rounds (from 0) in which they are there."""
        return {
            place: range(entry.first - 1, _last(entry, expected=expected))
            for place, entry in enumerate(self.entries)
        }


def _last(entry: Entry, *, expected: bool) -> int:
    if entry.presence == Presence.EXPECTED and not expected:
        return 0
    return _FOREVER if entry.last is None else entry.last


def read_event_seating(event: Event) -> EventSeating:
    """Read an event for seating. Four queries."""
    entries = tuple(
        Entry.objects.filter(event=event).select_related("player__person").order_by("number")
    )
    places = {entry.pk: place for place, entry in enumerate(entries)}
    begun = Round.objects.filter(event=event).exclude(stage=Stage.DRAWN).order_by("number")
    return EventSeating(event, entries, tuple(seatings_of(begun, places)))


def seatings_of(rounds: Iterable[Round], places: dict[UUID, int]) -> list[RoundSeating]:
    """The seatings of rounds, in order, entrants by ``places``. Three queries."""
    rows = list(rounds)
    seats = TableSeat.objects.filter(round__in=rows).order_by("round", "table__number", "seat")
    columns = ("round_id", "table__number", "entry_id")
    tables: dict[UUID, list[tuple[int, ...]]] = {}
    for (number, _), found in groupby(seats.values_list(*columns), key=lambda row: row[:2]):
        tables.setdefault(number, []).append(tuple(places[entry] for _, _, entry in found))
    outs: dict[UUID, list[int]] = {}
    sit_outs = SitOut.objects.filter(round__in=rows)
    for number, entry in sit_outs.values_list("round_id", "entry_id"):
        outs.setdefault(number, []).append(places[entry])
    return [
        RoundSeating(tuple(tables.get(row.pk, ())), tuple(sorted(outs.get(row.pk, ()))))
        for row in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawRequest:
    """A draw to make: so many ``rounds`` (None: all that the movement plans at once).

    Another ``attempt`` is another draw; ``expected``: also those who are not here yet.
    """

    rounds: int | None = None
    attempt: int = 0
    expected: bool = False


@dataclass(frozen=True, slots=True)
class DrawProposal:
    """A draw that is not stored: its rounds, from number ``first`` on, and their quality.

    ``certificate`` is that of the whole event, rounds that have begun counted in. ``paired_on``
    is the version of the standings that it was made from, where it was.
    """

    hall: EventSeating
    first: int
    rounds: tuple[RoundSeating, ...]
    certificate: Certificate
    paired_on: int | None = None


def propose(*, event_id: UUID, wanted: DrawRequest) -> DrawProposal:
    """Seat the rounds to come, and write nothing. Raises RefusedError saying why it cannot be."""
    event = Event.objects.select_related("club", "rule_set").filter(pk=event_id).first()
    if event is None:
        raise NotThereError
    return propose_for(read_event_seating(event), wanted)


def propose_for(hall: EventSeating, wanted: DrawRequest) -> DrawProposal:
    """Like `propose`, for an event that was read already."""
    event = hall.event
    begun = len(hall.begun)
    left = event.rounds - begun
    if left < 1:
        raise RefusedError(
            Message("All {rounds} rounds have begun.", rounds=event.rounds), "rounds"
        )
    usual = left if event.movement in _ALL_AT_ONCE else 1
    many = usual if wanted.rounds is None else wanted.rounds
    if not 1 <= many <= left:
        raise RefusedError(Message("{left} more rounds can be drawn.", left=left), "rounds")
    if many > rounds_at_once(event, left):
        raise RefusedError(Message("This movement is drawn round by round."), "rounds")
    try:
        found, paired_on = _plan_seating(hall, wanted, many)
    except SeatingError as error:
        raise RefusedError(
            _with_names(message_of(error), error.entrants, hall), "entries"
        ) from error
    return DrawProposal(hall, begun + 1, found.rounds, found.certificate, paired_on)


def rounds_at_once(event: Event, left: int) -> int:
    """Return how many of the rounds left can be drawn together: one where results decide."""
    return left if event.movement in (*_ALL_AT_ONCE, Movement.RANDOM) else 1


_MEETING_AGAIN: Final = {
    Movement.SWISS: Message(
        "Swiss rounds follow the standings and avoid meeting again as long as they can."
    ),
    Movement.DANISH: Message("In this movement players may meet again at any time."),
    Movement.LADDER: Message("In this movement players may meet again at any time."),
    Movement.SNAKE: Message("In this movement players may meet again at any time."),
    Movement.FIXED: Message("Everybody stays at one table and meets the same players again."),
}


def describe_repeat_free_rounds(event: Event, players: int | None = None) -> list[str]:
    """Say how many rounds of an event bring nobody together twice, by its movement, in sentences.

    The number holds for rounds that are drawn together, from the first one on, while the players
    stay the same; what makes it less is said. ``players`` as for `count_repeat_free_rounds`. Four
    queries at most. Raises RefusedError where so many cannot be seated.
    """
    many, reach = count_repeat_free_rounds(event, players)
    begins = Message("With {players} players:", players=many)
    if again := _MEETING_AGAIN.get(Movement(event.movement)):
        if event.movement != Movement.SWISS:
            return [again]
        most = PluralMessage(
            "More than {count} round without a repeat meeting is impossible.",
            "More than {count} rounds without a repeat meeting are impossible.",
            count=reach.at_most,
        )
        return [begins, most, again]
    said = [begins, reach.sentence]
    begun = Round.objects.filter(event=event).exclude(stage=Stage.DRAWN).count()
    if begun:
        words = Message(
            "That counts from round 1 on, if nobody came or left since; the draw says how many of"
            " the rounds to come are without a repeat."
        )
        said.append(words)
    elif _has_wishes(event):
        said.append(Message("Players who are kept apart or keep a table can make it less."))
    return said


def _has_wishes(event: Event) -> bool:
    """Whether something stands against the plan that was counted. Two queries at most."""
    if Apart.objects.filter(event=event).exists():
        return True
    kept = Q(stay_table__isnull=False) | ~Q(team="") | ~Q(never_tables=[])
    return Entry.objects.filter(kept, event=event).exists()


def count_repeat_free_rounds(
    event: Event, players: int | None = None
) -> tuple[int, RepeatFreeReach]:
    """Count the players, and the rounds of an event that bring nobody together twice.

    ``players``: how many there will be; None: those who are entered and have not left. One query.
    Raises RefusedError where so many cannot be seated.
    """
    gone = (Presence.LEFT, Presence.WITHDRAWN)
    many = players or Entry.objects.filter(event=event).exclude(presence__in=gone).count()
    try:
        return many, repeat_free_rounds(many, tuple(event.sizes), byes=event.sit_outs)
    except SeatingError as error:
        raise RefusedError(message_of(error), "players") from error


def _plan_seating(
    hall: EventSeating, wanted: DrawRequest, many: int
) -> tuple[MovementPlan, int | None]:
    event, n = hall.event, len(hall.entries)
    wishes, present = wishes_in(hall), hall.presence(expected=wanted.expected)
    seed = f"{event.seed}/{wanted.attempt}"
    if event.movement in (*_ALL_AT_ONCE, Movement.RANDOM):
        return plan(
            n, many, wishes, seed=seed, history=hall.begun, present=present, effort=EFFORT
        ), None
    order, version = _standing(hall)
    there = [[one for one in group if len(hall.begun) in present[one]] for group in order]
    kind = Kind[event.movement.upper()]
    seating = next_round(
        kind, n, [group for group in there if group], hall.begun, wishes, seed=seed
    )
    certificate = judge([*hall.begun, seating], n, wishes)
    return MovementPlan((seating,), certificate), version


def _standing(hall: EventSeating) -> tuple[list[list[int]], int | None]:
    """Entrants as they stand, those who share a rank together, and by which version.

    Before the first round nobody stands anywhere: pots come first, then the order of entry. Who is
    not ranked yet (a latecomer, a guest) stands behind the others.
    """
    if not hall.begun:
        by_pot = sorted(range(len(hall.entries)), key=lambda one: _pot(hall.entries[one]))
        return [
            list(group) for _, group in groupby(by_pot, lambda one: _pot(hall.entries[one]))
        ], None
    standings = cast("dict[str, Any]", rank_event_inputs(read_event_inputs(hall.event.pk)))
    rows = standings["rows"]
    places = {str(entry.pk): place for place, entry in enumerate(hall.entries)}
    ranked = [(row["rank_from"], places[row["entry"]]) for row in rows if row["rank_from"]]
    groups = [[one for _, one in group] for _, group in groupby(ranked, lambda pair: pair[0])]
    known = {one for group in groups for one in group}
    others = [one for one in range(len(hall.entries)) if one not in known]
    return [*groups, others], find_latest(Scope.EVENT, hall.event.pk).latest or None


def _pot(entry: Entry) -> int:
    return entry.pot or _FOREVER


def _with_names(message: str, entrants: Sequence[int], hall: EventSeating) -> str:
    if not entrants or len(entrants) > 10:
        return message
    numbers = ", ".join(
        str(hall.entries[entrant].number) for entrant in entrants if entrant < len(hall.entries)
    )
    if not numbers:
        return message
    return Message("{message} (Entry {numbers}.)", message=message, numbers=numbers)


def wishes_in(hall: EventSeating) -> Wishes:
    """All that the seating of an event keeps to, its people's wishes too."""
    places = hall.places
    numbers = number_tables(hall.event, TABLE_NUMBER_MAX)
    indices = {number: index for index, number in enumerate(numbers)}
    pairs = Apart.objects.filter(event=hall.event).values_list("one_id", "other_id")
    return replace(
        wishes_of(hall.event),
        apart=tuple((places[one], places[other]) for one, other in pairs),
        teams=_group_entries(hall, "team"),
        households=_group_entries(hall, "household"),
        pots=_group_entries(hall, "pot"),
        stay=tuple(
            Stay(place, indices[entry.stay_table], entry.stay_seat, entry.stay_table)
            for place, entry in enumerate(hall.entries)
            if entry.stay_table is not None and _check_open(entry, indices)
        ),
        never=tuple(
            (place, indices[number])
            for place, entry in enumerate(hall.entries)
            for number in entry.never_tables
            if number in indices
        ),
        volunteers=tuple(place for place, entry in enumerate(hall.entries) if entry.sits_out),
    )


def number_tables(event: Event, many: int) -> list[int]:
    """Return the numbers of so many tables of a round: closed ones are left out."""
    closed = set(closed_tables_of(event))
    return list(islice((number for number in count(1) if number not in closed), many))


def _check_open(entry: Entry, indices: Collection[int]) -> bool:
    if entry.stay_table not in indices:
        words = Message(
            "Entry {number} keeps a seat at table {table}, which is closed.",
            number=entry.number,
            table=str(entry.stay_table),
        )
        raise RefusedError(words, "entries")
    return True


def _group_entries(hall: EventSeating, name: str) -> tuple[tuple[int, ...], ...]:
    groups: dict[object, list[int]] = {}
    for place, entry in enumerate(hall.entries):
        value = getattr(entry, name)
        if value not in ("", None):
            groups.setdefault(value, []).append(place)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
