"""Awards: what the pool of an event comes to for everybody, by the standings that hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast
from uuid import UUID

from engine.core.messages import Message
from tournaments.core.errors import RefusedError
from tournaments.events.events import fee_due, prizes_of
from tournaments.models import Event, Scope, Status
from tournaments.prizes import Awards, Finisher, PrizeKind, award
from tournaments.publishing.event_inputs import read_event_inputs
from tournaments.publishing.event_standings import rank_event_inputs
from tournaments.publishing.official import find_current
from tournaments.publishing.versions import Standings
from tournaments.standings.program import PROGRAM


@dataclass(frozen=True, slots=True)
class Sheet:
    """The awards of an event; finishers are named by their entries.

    ``unranked`` entries have no place and win nothing; what they owe is in the pool. ``players``
    are those of the entries, as they entered.
    """

    event: Event
    awards: Awards
    unranked: tuple[UUID, ...]
    players: Mapping[str, UUID]


def awards_of(event: Event, held: Standings | None = None) -> Sheet:
    """Share the fees that are owed; tied players share what their places bring (DEC-14).

    ``held`` are the standings that hold, if they are read already. Raises RefusedError where prizes
    go by chips that are no whole numbers.
    """
    prizes = prizes_of(event)
    paid = fees_of_pool(event)
    standings = _standings_of(event, held or find_current(Scope.EVENT, event.pk))
    ranked = [row for row in standings["rows"] if row["rank_from"]]
    others = [row for row in standings["rows"] if not row["rank_from"]]
    by_chips = prizes.kind is PrizeKind.CHIPS
    finishers = [
        Finisher(
            player=row["entry"],
            place=row["score_from"],
            paid=paid.pop(UUID(row["entry"]), 0),
            chips=_chips(row) if by_chips else 0,
        )
        for row in ranked
    ]
    # What is left is owed by those who have no place.
    brought = event.added + sum(paid.values())
    found = award(prizes, finishers, brought=brought)
    return Sheet(
        event=event,
        awards=found,
        unranked=tuple(UUID(row["entry"]) for row in others),
        players={entry: UUID(one["player"]) for entry, one in standings["entries"].items()},
    )


def fees_of_pool(event: Event) -> dict[UUID, int]:
    """The fees that make the pool, by entry: those owed now, frozen once it is official.

    An event that was official before pools were frozen has those that were paid. One query, and one
    for each who withdrew; none without an entry fee, or where the entries were prefetched.
    """
    if event.frozen_fees is not None:
        return {UUID(entry): fee for entry, fee in event.frozen_fees.items()}
    if event.status == Status.OFFICIAL:
        return {row.pk: row.fee_paid for row in event.entries.all()}
    return {row.pk: fee_due(event, row) for row in event.entries.all()} if event.entry_fee else {}


def _standings_of(event: Event, held: Standings) -> Mapping[str, Any]:
    """The official table, else the standings as results make them now (DEC-7)."""
    if held.snapshot is not None:
        is_current = held.snapshot.program == PROGRAM and held.behind_since is None
        if held.row.official is not None or is_current:
            return held.data
    return cast("dict[str, Any]", rank_event_inputs(read_event_inputs(event.pk)))


def _chips(row: Mapping[str, Any]) -> int:
    held = Fraction(str(row["total"]))
    if held < 0 or held.denominator != 1:
        words = Message("Prizes by chips need totals that are whole chips, and none below nothing.")
        raise RefusedError(words, "prizes.kind")
    return int(held)
