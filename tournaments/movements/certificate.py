"""A certificate: how good a movement is, and how good it could be (tournaments.md 2.1)."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import combinations
from math import comb
from typing import Any, Final

from engine.core.messages import Message, PluralMessage
from tournaments.movements.presence import everybody, least_possible
from tournaments.movements.seating import RoundSeating, SeatingError, Shape, fewest_common
from tournaments.movements.sizes import odd_games, sat_out
from tournaments.movements.wishes import Wishes

Range = tuple[int, int]


class Condition(StrEnum):
    """An assumption of the proof of a bound about a seating."""

    ODD_TABLES = "odd_tables"
    APART = "apart"


_WITH_CONDITIONS: Final = {
    (Condition.ODD_TABLES,): Message("{minimum} with odd tables shared evenly"),
    (Condition.APART,): Message("{minimum} with the same players kept apart"),
    (Condition.ODD_TABLES, Condition.APART): Message(
        "{minimum} with odd tables shared evenly and the same players kept apart"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """The measures of a movement.

    ``entrants`` are those who are there in one round at least; nobody else counts in any measure.
    ``repeats`` are meetings beyond the first one of a pair (E), ``quality`` the sum over all pairs
    of C(meetings, 2) (Q) and ``bound`` the least Q that is possible for these sizes of tables with
    who is there in each round, among the seatings that meet ``conditions`` as this one does (none:
    among all).
    ``fewest_rivals``: the fewest rivals in common of two who never meet, None where all meet.
    ``seats``: how seldom and how often the same player has the same seat; ``seat_spread``: the
    greatest difference between two seats of a player. ``sit_outs`` and ``odd_tables``: the greatest
    difference among those who are there in every round. ``beside``: the most that somebody has the
    same left-hand neighbour. ``same_table``: visits to a table beyond the first one, of all.
    ``together``: meetings of those who wished to sit apart. ``teams``: the fewest and the most
    meetings of two teams.
    """

    entrants: int
    rounds: int
    repeats: int
    quality: int
    bound: int
    conditions: tuple[Condition, ...]
    most_meetings: int
    unmet: int
    fewest_rivals: int | None
    seats: Range
    seat_spread: int
    sit_outs: int
    odd_tables: int
    beside: int
    same_table: int
    together: int
    teams: Range | None

    @property
    def is_best(self) -> bool:
        """Whether no movement of the same sizes and ``conditions`` has a smaller Q."""
        return self.quality == self.bound

    def to_data(self) -> dict[str, Any]:
        """The measures as plain data."""
        found = asdict(self)
        found["seats"] = list(self.seats)
        found["conditions"] = list(self.conditions)
        found["teams"] = list(self.teams) if self.teams else None
        return found

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Certificate":
        """The certificate of such data."""
        teams = tuple(data["teams"]) if data["teams"] else None
        conditions = tuple(map(Condition, data.get("conditions", ())))
        changed = {"seats": tuple(data["seats"]), "teams": teams, "conditions": conditions}
        return cls(**{**data, **changed})

    def sentences(self) -> tuple[str, ...]:
        """Return sentences for a director."""
        return tuple(_sentences(self))


def judge(rounds: Sequence[RoundSeating], n: int, wishes: Wishes | None = None) -> Certificate:
    """Measure any rounds of n entrants. Raises SeatingError where they name others."""
    kept = wishes or Wishes()
    strangers = sorted(
        {entrant for seating in rounds for entrant in seating.entrants if not 0 <= entrant < n}
    )
    if strangers:
        raise SeatingError(Message("The rounds name players who are not entered."), strangers)
    met = Counter(pair for seating in rounds for pair in seating.meetings())
    seats = seats_taken(rounds)
    always = frozenset.intersection(*(seating.entrants for seating in rounds)) if rounds else ()
    due = [one for one in always if one not in kept.volunteers]
    outs, odd = sat_out(rounds), odd_games(rounds)
    fewest = fewest_common([seating.tables for seating in rounds], n)
    forbidden = kept.forbidden()
    entrants = len(everybody(rounds)) if rounds else n
    together = sum(count for pair, count in met.items() if pair in forbidden)
    is_level = any(odd.values()) and _spread([odd[one] for one in everybody(rounds)]) <= 1
    kept_to = [Condition.ODD_TABLES] if is_level else []
    kept_to += [Condition.APART] if forbidden and not together else []
    bound, conditions = _bound(rounds, kept_to, forbidden)
    return Certificate(
        entrants=entrants,
        rounds=len(rounds),
        repeats=sum(count - 1 for count in met.values()),
        quality=sum(comb(count, 2) for count in met.values()),
        bound=bound,
        conditions=conditions,
        most_meetings=max(met.values(), default=0),
        unmet=comb(entrants, 2) - len(met),
        fewest_rivals=fewest if len(met) < comb(entrants, 2) else None,
        seats=_seat_range(rounds, seats),
        seat_spread=seat_spread(rounds, seats),
        sit_outs=_spread([outs[one] for one in due]),
        odd_tables=_spread([odd[one] for one in due]),
        beside=max(_left_hand(rounds).values(), default=0),
        same_table=_same_table(rounds),
        together=together,
        teams=_between_teams(met, kept),
    )


def _bound(
    rounds: Sequence[RoundSeating],
    kept_to: Sequence[Condition],
    forbidden: Collection[tuple[int, int]],
) -> tuple[int, tuple[Condition, ...]]:
    """The greatest bound that holds, and the fewest conditions under which it does."""
    ways = [some for many in range(len(kept_to) + 1) for some in combinations(kept_to, many)]
    bounds = [
        least_possible(
            rounds,
            levelled=Condition.ODD_TABLES in conditions,
            apart=forbidden if Condition.APART in conditions else (),
        )
        for conditions in ways
    ]
    best = max(bounds)
    return best, ways[bounds.index(best)]


def shape_of(seating: RoundSeating, n: int) -> Shape:
    """Return the shape of a round for the bounds."""
    return tuple(sorted(seating.sizes)), n - sum(seating.sizes)


def seats_taken(rounds: Sequence[RoundSeating]) -> Counter[tuple[int, int]]:
    """Count how often everybody had each seat."""
    return Counter(
        (one, seat) for each in rounds for table in each.tables for seat, one in enumerate(table)
    )


def seat_spread(rounds: Sequence[RoundSeating], seats: Counter[tuple[int, int]]) -> int:
    """The greatest difference between how often somebody had one seat and another one.

    Only seats count that all their tables had.
    """
    return max((most - least for least, most in _by_player(rounds, seats)), default=0)


def _seat_range(rounds: Sequence[RoundSeating], seats: Counter[tuple[int, int]]) -> Range:
    ranges = list(_by_player(rounds, seats)) or [(0, 0)]
    return min(least for least, _ in ranges), max(most for _, most in ranges)


def _by_player(rounds: Sequence[RoundSeating], seats: Counter[tuple[int, int]]) -> Iterator[Range]:
    smallest: dict[int, int] = {}
    for seating in rounds:
        for table in seating.tables:
            for one in table:
                smallest[one] = min(len(table), smallest.get(one, len(table)))
    for one, size in smallest.items():
        counts = [seats[one, seat] for seat in range(size)]
        yield min(counts), max(counts)


def _spread(counts: Sequence[int]) -> int:
    return max(counts) - min(counts) if counts else 0


def _left_hand(rounds: Sequence[RoundSeating]) -> Counter[tuple[int, int]]:
    tables = [table for seating in rounds for table in seating.tables]
    return Counter(
        pair for table in tables for pair in zip(table, table[1:] + table[:1], strict=True)
    )


def _same_table(rounds: Sequence[RoundSeating]) -> int:
    visits = Counter(
        (one, number)
        for each in rounds
        for number, table in enumerate(each.tables)
        for one in table
    )
    return sum(count - 1 for count in visits.values())


def _between_teams(met: Counter[tuple[int, int]], wishes: Wishes) -> Range | None:
    team = {member: number for number, members in enumerate(wishes.teams) for member in members}
    if len(wishes.teams) < 2:
        return None
    meetings: Counter[tuple[int, int]] = Counter()
    for (one, other), count in met.items():
        if one in team and other in team and team[one] != team[other]:
            first, second = sorted((team[one], team[other]))
            meetings[first, second] += count
    many = comb(len(wishes.teams), 2)
    return (min(meetings.values()) if len(meetings) == many else 0), max(
        meetings.values(), default=0
    )


def _sentences(certificate: Certificate) -> Iterator[str]:
    yield _repeats_in_words(certificate)
    if certificate.repeats:
        yield Message(
            "Nobody meets the same rival more than {times}.",
            times=_often(certificate.most_meetings),
        )
    yield from _seats_in_words(certificate)
    if certificate.fewest_rivals is None:
        yield Message("Everybody meets everybody.")
    elif certificate.fewest_rivals < certificate.entrants:
        rivals = PluralMessage(
            "{count} common rival", "{count} common rivals", count=certificate.fewest_rivals
        )
        yield Message("Two who never meet have {rivals} at least.", rivals=rivals)
    yield from _differences_in_words(certificate)
    if certificate.together:
        meetings = PluralMessage("{count} meeting", "{count} meetings", count=certificate.together)
        yield Message("{meetings} of players who are to sit apart.", meetings=meetings)
    if certificate.teams:
        yield Message("Two teams meet {times} times.", times=_from_to(certificate.teams))


def _repeats_in_words(certificate: Certificate) -> Message:
    repeats = PluralMessage(
        "{count} repeat meeting", "{count} repeat meetings", count=certificate.repeats
    )
    minimum: int | Message = certificate.bound
    if certificate.conditions:
        minimum = Message(
            _WITH_CONDITIONS[certificate.conditions].template, minimum=certificate.bound
        )
    if certificate.quality == certificate.repeats:
        return Message("{repeats} (fewest possible: {minimum}).", repeats=repeats, minimum=minimum)
    return Message(
        "{repeats}, weighted {cost} (fewest possible: {minimum}).",
        repeats=repeats,
        cost=certificate.quality,
        minimum=minimum,
    )


def _differences_in_words(certificate: Certificate) -> Iterator[str]:
    if certificate.sit_outs:
        yield Message(
            "Nobody sits out more than {times} more often than anybody else.",
            times=_often(certificate.sit_outs),
        )
    if certificate.odd_tables:
        yield Message(
            "Nobody has an odd table more than {times} more often than anybody else.",
            times=_often(certificate.odd_tables),
        )


def _seats_in_words(certificate: Certificate) -> Iterator[str]:
    if certificate.seats[1]:
        times = _from_to(certificate.seats)
        if certificate.seat_spread <= 1:
            yield Message("Everybody has every seat {times} times (best possible).", times=times)
        else:
            yield Message("Everybody has every seat {times} times.", times=times)


def _from_to(ends: Range) -> str:
    least, most = ends
    return f"{least}-{most}" if least < most else str(least)


def _often(times: int) -> str:
    match times:
        case 1:
            return Message("once")
        case 2:
            return Message("twice")
        case _:
            return Message("{times} times", times=times)
