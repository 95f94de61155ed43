"""The last touches to one round: who is to sit apart, table numbers, and seats (2.4)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Final

from engine.core.messages import Message
from tournaments.movements.certificate import seats_taken
from tournaments.movements.neighbours import sides
from tournaments.movements.numbering import make_room
from tournaments.movements.orders import Tables, draw_order
from tournaments.movements.seating import RoundSeating, SeatingError
from tournaments.movements.wishes import Wishes

_SEAT: Final = 100
Pair = tuple[int, int]


def set_apart(tables: Tables, dear: Mapping[Pair, int]) -> Tables:
    """Swap those who are to sit apart for the nearest players of other tables with whom it helps.

    ``dear``: by pair, the lower number first, what it costs if the two share a table.
    """
    tables = [list(table) for table in tables]
    while (swap := _best_swap(tables, dear)) is not None:
        (at, seat), (to, place) = swap
        tables[at][seat], tables[to][place] = tables[to][place], tables[at][seat]
    return tables


def _best_swap(tables: Tables, dear: Mapping[Pair, int]) -> tuple[Pair, Pair] | None:
    ways = [
        (cost, abs(to - at), abs(place - seat), (at, seat), (to, place))
        for at, seat in _violated_pairs(tables, dear)
        for to, other in enumerate(tables)
        if to != at
        for place in range(len(other))
        if (cost := _gain(tables, dear, (at, seat), (to, place))) < 0
    ]
    return min(ways)[3:] if ways else None


def _violated_pairs(tables: Tables, dear: Mapping[Pair, int]) -> Iterator[Pair]:
    for at, table in enumerate(tables):
        for seat, one in enumerate(table):
            if any(dear.get((min(one, x), max(one, x))) for x in table if x != one):
                yield at, seat


def _gain(tables: Tables, dear: Mapping[Pair, int], one: Pair, other: Pair) -> int:
    """Return the extra cost of a swap, negative where it helps."""
    (at, seat), (to, place) = one, other
    mine, his = tables[at], tables[to]
    leaver, comer = mine[seat], his[place]
    stay = [x for x in mine if x != leaver]
    rest = [x for x in his if x != comer]
    return (
        _with(comer, stay, dear) + _with(leaver, rest, dear)
        - _with(leaver, stay, dear) - _with(comer, rest, dear)
    )  # fmt: skip


def _with(one: int, others: Iterable[int], dear: Mapping[Pair, int]) -> int:
    return sum(dear.get((min(one, other), max(one, other)), 0) for other in others)


def in_places(tables: Tables, wishes: Wishes) -> Tables:
    """The tables in their order, but for those that have to be elsewhere. Raises SeatingError."""
    at = {stay.entrant: stay.table for stay in wishes.stay}
    never = set(wishes.never)
    barred = {
        table: {
            number
            for number in range(len(tables))
            if any((one, number) in never or at.get(one, number) != number for one in sat)
        }
        for table, sat in enumerate(tables)
    }
    taken: dict[int, int] = {}
    for table in sorted(barred, key=lambda table: (-len(barred[table]), table)):
        numbers = sorted(range(len(tables)), key=lambda number: abs(number - table))
        if not make_room(table, numbers, taken, barred, set()):
            words = Message(
                "The tables cannot be numbered so that everybody sits where they are to sit."
            )
            raise SeatingError(words, tables[table])
    return [tables[taken[number]] for number in range(len(tables))]


def seat_orders(
    tables: Tables, history: Sequence[RoundSeating], wishes: Wishes, lots: Random
) -> Iterator[tuple[int, ...]]:
    """Each table in the seat order that is fairest: by seats so far, by neighbours, by lot."""
    had = seats_taken(history)
    sat = Counter(side for each in history for table in each.tables for side in sides(table))
    kept = {stay.entrant: stay.seat for stay in wishes.stay if stay.seat is not None}
    for table in tables:
        ways = [
            way
            for way in permutations(draw_order(table, lots))
            if all(kept.get(one, seat) == seat for seat, one in enumerate(way))
        ]
        if not ways:
            words = Message("Somebody keeps a seat that their table does not have.")
            raise SeatingError(words, [one for one in table if one in kept])
        yield min(
            ways,
            key=lambda way: (
                sum([had[one, seat] for seat, one in enumerate(way)]) * _SEAT
                + sum([sat[side] for side in sides(way)])
            ),
        )
