"""Planning: the movement of an event, or what is left of it, before it is played (2.3).

Constructions come first; where they do not reach the bound, or wishes and rounds that are played
stand against them, annealing goes on from there.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engine.core.messages import Message, message_of
from tournaments.movements.certificate import Certificate, judge
from tournaments.movements.neighbours import vary_seats
from tournaments.movements.numbering import NumberingLimits, number_tables
from tournaments.movements.orders import draw_order, lots_of
from tournaments.movements.search import EFFORT, Search, search_rounds
from tournaments.movements.seating import ROUNDS_MAX, RoundSeating, SeatingError, check_entrants
from tournaments.movements.seats import assign_seats
from tournaments.movements.wishes import Wishes

ALGORITHM: Final = 2
"""Counts up whenever the same seed gives another movement."""
Present = Mapping[int, Collection[int]]
"""By entrant, the numbers of the rounds in which they are there, those played counted too."""


def attendance_by_round(
    n: int, rounds: Iterable[int], present: Mapping[int, Collection[int]]
) -> list[list[int]]:
    """By round, who is there; who is not named by ``present`` always is."""
    unknown = sorted(one for one in present if not 0 <= one < n)
    if unknown:
        raise SeatingError(Message("Somebody is said to be there who is not entered."), unknown)
    return [
        [one for one in range(n) if one not in present or number in present[one]]
        for number in rounds
    ]


@dataclass(frozen=True, slots=True)
class MovementPlan:
    """Rounds that are still to be played, and the certificate of the whole event with them."""

    rounds: tuple[RoundSeating, ...]
    certificate: Certificate

    def to_data(self) -> dict[str, Any]:
        """The plan as plain data, with the version of the algorithm for the audit."""
        rounds = [seating.to_data() for seating in self.rounds]
        return {
            "rounds": rounds, "certificate": self.certificate.to_data(), "algorithm": ALGORITHM
        }  # fmt: skip


def plan(
    n: int,
    rounds: int,
    wishes: Wishes | None = None,
    *,
    seed: int | str,
    history: Sequence[RoundSeating] = (),
    present: Present | None = None,
    effort: int = EFFORT,
) -> MovementPlan:
    """Seat n entrants for so many more rounds, after those of ``history``, which stay as they are.

    Who is not named by ``present`` is always there. ``effort`` is how many moves the search may
    take, where constructions do not suffice. The same arguments give the same plan on every
    machine. Raises SeatingError with a sentence where there is no seating.
    """
    kept = wishes or Wishes()
    kept.check(n)
    check_entrants(n, history)
    if rounds < 0 or rounds + len(history) > ROUNDS_MAX:
        raise SeatingError(Message("An event has at most {most} rounds.", most=ROUNDS_MAX))
    lots = lots_of(f"{ALGORITHM}/{seed}")
    there = attendance_by_round(n, range(len(history), len(history) + rounds), present or {})
    if not there:
        return MovementPlan((), judge(history, n, kept))
    # Wherever two ways are equally good, the search takes the lower number. Entrants are therefore
    # planned under numbers drawn by lot, so that the order of entry decides nothing.
    entrants = draw_order(range(n), lots)
    numbers = sorted(range(n), key=entrants.__getitem__)
    search = Search(
        n,
        kept.renumber(numbers),
        [seating.renumber(numbers) for seating in history],
        [sorted(numbers[one] for one in here) for here in there],
        moves=effort,
    )
    try:
        planned = _plan_rounds(search, lots)
    except SeatingError as error:
        named = sorted(entrants[entrant] for entrant in error.entrants)
        raise SeatingError(message_of(error), named, error.round) from None
    found = tuple(seating.renumber(entrants) for seating in planned)
    return MovementPlan(found, judge([*history, *found], n, kept))


def _plan_rounds(search: Search, lots: Random) -> list[RoundSeating]:
    """Find the tables of all rounds, their numbers and the seats."""
    history, wishes, effort = search.history, search.wishes, search.moves
    tables = search_rounds(search, lots)
    stays = {stay.entrant for stay in wishes.stay}
    banned = {one: {t for other, t in wishes.never if other == one} for one, _ in wishes.never}
    walked = number_tables(tables, history, NumberingLimits(stays, banned, effort // 20), lots)
    seats = {stay.entrant: stay.seat for stay in wishes.stay if stay.seat is not None}
    ordered = vary_seats(assign_seats(walked, history, seats), history, seats, lots, effort // 40)
    return [
        RoundSeating(tuple(map(tuple, played)), each.sit_outs)
        for played, each in zip(ordered, search.rounds, strict=True)
    ]
