"""Seats: everybody deals first as often as anybody else, and so for every seat (2.4).

At tables of one size this is a theorem (Koenig, de Werra): cut everybody's games, in order, into
blocks of as many as a table has seats; blocks and tables are the two sides of a graph whose edges
can be coloured with so many colours. A colour is a seat: everybody has each of them once in every
block. Elsewhere, and after rounds that are played, seats are given out one after the other, each
by a flow that comes as near to everybody's due as can be.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from tournaments.movements.catalogue import Rounds
from tournaments.movements.certificate import seats_taken
from tournaments.movements.exchanges import TableArrangement
from tournaments.movements.seating import LARGEST, RoundSeating

_DUE = 60
"""A game at a table of 3, 4, 5 or 6 is a whole number of sixtieths of a deal."""
Node = tuple[int, int]


def assign_seats(
    rounds: Rounds, history: Sequence[RoundSeating] = (), kept: Mapping[int, int] | None = None
) -> Rounds:
    """Return the tables in seat order; ``kept`` are seats that do not change, by entrant."""
    sizes = {len(table) for tables in rounds for table in tables}
    if history or kept or len(sizes) > 1:
        return _dealt_out(rounds, history, kept or {})
    return _colour_seats(rounds, max(sizes, default=0))


def _colour_seats(rounds: Rounds, size: int) -> Rounds:
    """All tables are of one size: everybody has each seat once in every block of their games."""
    games: Counter[int] = Counter()
    blocks: dict[Node, list[Node | None]] = {}
    tables: dict[Node, list[Node | None]] = {}
    for number, played in enumerate(rounds):
        for table, sat in enumerate(played):
            at = (number, table)
            tables[at] = [None] * size
            for one in sat:
                block = (one, games[one] // size)
                games[one] += 1
                blocks.setdefault(block, [None] * size)
                _colour(block, at, blocks, tables)
    return [
        [[node[0] for node in tables[number, table] if node] for table in range(len(played))]
        for number, played in enumerate(rounds)
    ]


def _colour(
    block: Node,
    table: Node,
    blocks: dict[Node, list[Node | None]],
    tables: dict[Node, list[Node | None]],
) -> None:
    """Give an edge a colour that is free at the block; make it free at the table first."""
    free, spare = blocks[block].index(None), tables[table].index(None)
    if tables[table][free] is not None:
        _flip(table, free, spare, blocks, tables)
    blocks[block][free] = table
    tables[table][free] = block


def _flip(
    table: Node,
    one: int,
    other: int,
    blocks: dict[Node, list[Node | None]],
    tables: dict[Node, list[Node | None]],
) -> None:
    """Exchange two colours along the path that begins with the first of them at a table."""
    path: list[tuple[Node, Node, int]] = []
    colour, here = one, table
    while (block := tables[here][colour]) is not None:
        path.append((block, here, colour))
        colour = one + other - colour
        there = blocks[block][colour]
        if there is None:
            break
        path.append((block, there, colour))
        colour, here = one + other - colour, there
    for block, at, shade in path:
        blocks[block][shade] = tables[at][shade] = None
    for block, at, shade in path:
        blocks[block][one + other - shade] = at
        tables[at][one + other - shade] = block


def _dealt_out(rounds: Rounds, history: Sequence[RoundSeating], kept: Mapping[int, int]) -> Rounds:
    tables = list(chain.from_iterable(rounds))
    left = [set(table) for table in tables]
    order: list[list[int]] = [[] for _ in tables]
    ahead = _ahead(history, tables)
    for seat in range(LARGEST):
        open_here = [number for number, table in enumerate(tables) if len(table) > seat]
        choices = [_may_have(left[number], seat, kept) for number in open_here]
        begun = _initial_balance(choices, seat, ahead)
        for number, one in zip(open_here, _even(choices, begun), strict=True):
            order[number].append(one)
            left[number].remove(one)
    _level(order, history, kept)
    seats = iter(order)
    return [[next(seats) for _ in played] for played in rounds]


def _level(
    order: list[list[int]], history: Sequence[RoundSeating], kept: Mapping[int, int]
) -> None:
    had = seats_taken(history)
    had.update((one, seat) for table in order for seat, one in enumerate(table))
    TableArrangement(order, had, smallest_tables(history, order), kept).level()


def smallest_tables(
    history: Sequence[RoundSeating], tables: Sequence[Sequence[int]]
) -> dict[int, int]:
    """The size of the smallest table that everybody comes to."""
    smallest: dict[int, int] = {}
    for table in chain(tables, *(seating.tables for seating in history)):
        for one in table:
            smallest[one] = min(len(table), smallest.get(one, LARGEST))
    return smallest


def _may_have(left: set[int], seat: int, kept: Mapping[int, int]) -> list[int]:
    """Return who of those without a seat may have this one: its owner, or anybody without."""
    owners = [one for one in left if kept.get(one) == seat]
    return owners or sorted(one for one in left if one not in kept) or sorted(left)


def _ahead(
    history: Sequence[RoundSeating], tables: Sequence[Sequence[int]]
) -> dict[int, list[int]]:
    """By entrant and seat, how much more of it they had than their share, in sixtieths.

    Only for the seats of the smallest table that they come to.
    """
    smallest = smallest_tables((), tables)
    ahead = {one: [0] * size for one, size in smallest.items()}
    for table in chain.from_iterable(seating.tables for seating in history):
        for seat, taker in enumerate(table):
            for one in table:
                if seat < smallest.get(one, 0):
                    ahead[one][seat] += _DUE * (one == taker) - _DUE // len(table)
    return ahead


def _initial_balance(
    choices: Sequence[Sequence[int]], seat: int, ahead: Mapping[int, Sequence[int]]
) -> dict[int, int]:
    """Return everybody's balance before a seat is given out; dues count against them.

    Due is their share of each table, and what they are behind in this seat beyond later ones.
    """
    stands = {one: 0 for choice in choices for one in choice}
    for choice in choices:
        for one in choice:
            stands[one] -= _DUE // len(choice)
    for one in stands:
        rest = ahead[one][seat:]
        if rest:
            stands[one] += rest[0] - sum(rest) // len(rest)
    return stands


def _even(choices: Sequence[Sequence[int]], begun: Mapping[int, int]) -> list[int]:
    """One of each choice, so that everybody ends as near to zero as can be (least squares).

    ``begun``: where everybody stands before, in sixtieths; to be chosen adds sixty.
    """
    stands = dict(begun)
    chosen = []
    for choice in choices:
        one = min(choice, key=lambda one: (stands[one], one))
        stands[one] += _DUE
        chosen.append(one)
    held: dict[int, set[int]] = {}
    for number, one in enumerate(chosen):
        held.setdefault(one, set()).add(number)
    moved = True
    while moved:
        moved = False
        for one in sorted(held, key=lambda one: -stands[one]):
            while (path := _path(one, chosen, choices, held, stands)) is not None:
                moved = True
                for number, taker in path:
                    held[chosen[number]].discard(number)
                    held.setdefault(taker, set()).add(number)
                    chosen[number] = taker
                stands[one] -= _DUE
                stands[path[0][1]] += _DUE
    return chosen


def _path(
    giver: int,
    chosen: Sequence[int],
    choices: Sequence[Sequence[int]],
    held: Mapping[int, set[int]],
    stands: Mapping[int, int],
) -> list[tuple[int, int]] | None:
    """Return choices by which the giver gives one up to somebody far lower.

    The last one of those in between keeps as many as they had. The first of the list is the end.
    """
    lowest = stands[giver] - _DUE
    if not held.get(giver) or min(stands.values()) >= lowest:
        return None
    came: dict[int, tuple[int, int]] = {}
    queue = [giver]
    for one in queue:
        for number in sorted(held.get(one, ())):
            for other in choices[number]:
                if other != giver and other not in came:
                    came[other] = (number, one)
                    queue.append(other)
    ends = [one for one in came if stands[one] < lowest]
    if not ends:
        return None
    at = min(ends, key=lambda one: (stands[one], one))
    path = []
    while at != giver:
        number, before = came[at]
        path.append((number, at))
        at = before
    return path
