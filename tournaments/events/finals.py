"""Finals: the cut of an event, and the event that its best play on in.

A final is an event of its own: the chosen are entered, and what they carry over is on record as an
adjustment.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, cast
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message, message_of
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events.events import create_event, lock, touch
from tournaments.models import Adjustment, Club, Entry, Event
from tournaments.movements import CarryOver, Cut, CutPolicy, SeatingError, carry_over, cut
from tournaments.people.bars import check_not_barred
from tournaments.publishing.event_inputs import read_event_inputs
from tournaments.publishing.event_standings import rank_event_inputs
from tournaments.standings.settings import exact

CARRIED = Message("Carried over")
_SIGN = {False: 1, True: -1}


@dataclass(frozen=True, slots=True, kw_only=True)
class CutLine:
    """A cut: how many go on (all, where fewer are ranked), and what becomes of ties on the line."""

    places: int
    policy: CutPolicy = CutPolicy.TIEBREAK


@dataclass(frozen=True, slots=True)
class CutField:
    """An event as its cut sees it: entries in order, their totals, and the cut itself."""

    event: Event
    entries: tuple[Entry, ...]
    totals: Mapping[UUID, Fraction]
    cut: Cut

    def entries_at(self, places: Sequence[int]) -> list[Entry]:
        """The entries of some numbers of the cut."""
        return [self.entries[place] for place in places]


def cut_of(*, event_id: UUID, line: CutLine) -> CutField:
    """Return the cut of an event as it stands; nothing is written. Raises RefusedError."""
    event = Event.objects.select_related("club", "rule_set").filter(pk=event_id).first()
    if event is None:
        raise NotThereError
    return _field(event, line)


def _field(event: Event, line: CutLine) -> CutField:
    standings = cast("dict[str, Any]", rank_event_inputs(read_event_inputs(event.pk)))
    totals = {
        UUID(row["entry"]): exact(row["total"]) for row in standings["rows"] if row["rank_from"]
    }
    known = Entry.objects.filter(event=event).select_related("player__person").in_bulk()
    order = [UUID(entry) for entry in standings["cut_order"]]
    entries = tuple(known[entry] for entry in order if entry in totals)
    sign = _SIGN[bool(standings["low"])]
    ranking = [(place, sign * totals[entry.pk]) for place, entry in enumerate(entries)]
    if not ranking:
        return CutField(event, (), totals, Cut(places=line.places, sure=(), tied=(), chosen=()))
    places = min(line.places, len(ranking))
    try:
        found = cut(ranking, places, line.policy, table=max(event.sizes), seed=event.seed)
    except SeatingError as error:
        raise RefusedError(message_of(error), "places") from error
    return CutField(event, entries, totals, found)


@transaction.atomic
def make_final(
    *,
    event_id: UUID,
    new: Mapping[str, Any],
    line: CutLine,
    carry: CarryOver = CarryOver.NONE,
    by: Actor,
    at: datetime,
) -> Event:
    """Set a final up with those who are over the line. Raises RefusedError.

    ``new`` are its settings as for `create_event`; ``carry`` is how much the finalists keep.
    A play-off has to be decided before: with places still open there is no final. That of a
    hidden event is hidden too.
    """
    known = Event.objects.only("club_id").filter(pk=event_id).first()
    if known is None:
        raise NotThereError
    Club.objects.select_for_update(no_key=True).get(pk=known.club_id)
    event = lock(event_id)
    field = _field(event, line)
    if field.cut.still_open:
        words = Message(
            "{count} places are open until a play-off decides them.",
            count=field.cut.still_open,
        )
        raise RefusedError(words, "policy")
    if len(field.cut.chosen) < min(field.event.sizes):
        words = Message(
            "A final needs {least} players; {ranked} have a rank.",
            least=min(field.event.sizes),
            ranked=len(field.cut.chosen),
        )
        raise RefusedError(words, "places")
    # What is carried over would tell of an event that is hidden.
    settings = {**new, **({"is_hidden": True} if event.is_hidden else {})}
    made = create_event(club_id=event.club_id, new=settings, by=by, at=at)
    if not made.entries.exists():
        finalists = [entry.player for entry in field.entries_at(field.cut.chosen)]
        check_not_barred(event.club, finalists, fields=["places"] * len(finalists), at=at)
        _enter(made, field, carry, (by, at))
    chosen = [entry.pk for entry in field.entries_at(field.cut.chosen)]
    details = {"final": made.pk, "entries": chosen, "carry": carry.value}
    touch(event, AuditRecord(Message("final made"), details=details), by, at)
    return made


def _enter(made: Event, field: CutField, carry: CarryOver, stamp: tuple[Actor, datetime]) -> None:
    by, at = stamp
    for number, entry in enumerate(field.entries_at(field.cut.chosen), 1):
        finalist = Entry.objects.create(
            event=made,
            number=number,
            player=entry.player,
            standing=entry.standing,
            team=entry.team,
            household=entry.household,
            never_tables=entry.never_tables,
            handicap=entry.handicap,
            entered_at=at,
        )
        amount = carry_over(field.totals[entry.pk], carry)
        if amount:
            Adjustment.objects.create(
                entry=finalist, amount=str(amount), reason=CARRIED, by=by.label, at=at
            )
    invalidation.mark_event(made.pk, at)
