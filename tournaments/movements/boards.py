"""Boards: which deals are played where when all tables compare the same ones (2.2).

A set of boards is what one table plays in one round. In a barometer all tables play the same set
at the same time, from copies. Elsewhere every set is at one table in a round, and sets go around
so that nobody plays one twice.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import count

from engine.core.messages import Message
from tournaments.movements.catalogue import Rounds
from tournaments.movements.certificate import judge
from tournaments.movements.numbering import NumberingLimits, number_tables
from tournaments.movements.orders import draw_order, lots_of
from tournaments.movements.planning import MovementPlan, plan
from tournaments.movements.rainbow import Shifts, linear, rainbow, search_shifts
from tournaments.movements.seating import RoundSeating, SeatingError
from tournaments.movements.seats import assign_seats

Sets = tuple[tuple[int, ...], ...]
"""By round and table, the number of the set of boards, from 0."""


def barometer(rounds: Sequence[RoundSeating]) -> Sets:
    """All tables play the same boards in a round, and other ones in the next round."""
    return tuple((number,) * len(each.tables) for number, each in enumerate(rounds))


def boards(rounds: Sequence[RoundSeating], sets: int | None = None, *, seed: int | str = 0) -> Sets:
    """Let sets of boards go around a movement so that nobody plays one twice.

    ``sets``: how many there are; by default as many as tables in the largest round. Raises
    SeatingError where there are too few, or no way was found.
    """
    most = max((len(each.tables) for each in rounds), default=0)
    many = most if sets is None else sets
    played = Counter(one for each in rounds for table in each.tables for one in table)
    games = max(played.values(), default=0)
    if many < max(most, games):
        words = Message(
            "{count} sets of boards are needed, so that nobody plays one twice.",
            count=max(most, games),
        )
        raise SeatingError(words)
    lying = number_tables(
        [_pad_tables(each, many) for each in rounds], (), NumberingLimits(), lots_of(seed)
    )
    where = [
        {frozenset(table): number for number, table in enumerate(tables) if table}
        for tables in lying
    ]
    found = tuple(
        tuple(places[frozenset(table)] for table in each.tables)
        for each, places in zip(rounds, where, strict=True)
    )
    if replays(rounds, found):
        raise SeatingError(
            Message(
                "With {many} sets of boards no way was found in which nobody plays one twice; "
                "take more of them, or the same boards at all tables.",
                many=many,
            )
        )
    return found


def _pad_tables(seating: RoundSeating, many: int) -> list[list[int]]:
    """The tables of a round, and an empty one for every set that rests."""
    return [*map(list, seating.tables), *([] for _ in range(many - len(seating.tables)))]


def replays(rounds: Sequence[RoundSeating], sets: Sequence[Sequence[int]]) -> int:
    """Return how often somebody comes to boards that they have played, over all players."""
    seen: set[tuple[int, int]] = set()
    again = 0
    for each, numbers in zip(rounds, sets, strict=True):
        for table, number in zip(each.tables, numbers, strict=True):
            again += sum((one, number) in seen for one in table)
            seen.update((one, number) for one in table)
    return again


def duplicate(n: int, rounds: int, *, seed: int | str) -> tuple[MovementPlan, Sets]:
    """A movement for prepared deals at tables of four, with its sets of boards.

    Nobody meets a rival or plays a set twice where a rainbow of five rows is known: four of
    players, one of boards. Elsewhere the boards go around a movement that is planned without them,
    and there may be more sets than tables.
    Raises SeatingError.
    """
    lots = lots_of(f"boards/{seed}")
    tables = n // 4
    shifts = _five_rows(tables, rounds, seed) if n % 4 == 0 and 0 < rounds <= tables else None
    if shifts is None:
        found = plan(n, rounds, seed=seed)
        return found, _fewest_sets(found.rounds, seed)
    names = draw_order(range(n), lots)
    played: Rounds = []
    sets = []
    for each in rainbow(5, tables, shifts):
        played.append([[names[place] for place in table[:4]] for table in each])
        sets.append(tuple(table[4] - n for table in each))
    seatings = tuple(RoundSeating(tuple(map(tuple, each))) for each in assign_seats(played))
    return MovementPlan(seatings, judge(seatings, n)), tuple(sets)


def _fewest_sets(rounds: Sequence[RoundSeating], seed: int | str) -> Sets:
    """The boards with as few sets as they are found for; at worst every table has its own."""
    tables = max((len(each.tables) for each in rounds), default=0)
    fewest = max(tables, len(rounds))
    for more in (0, 1, 2, tables // 2, tables):
        try:
            return boards(rounds, fewest + more, seed=seed)
        except SeatingError:
            continue
    own = count()
    return tuple(tuple(next(own) for _ in each.tables) for each in rounds)


def _five_rows(tables: int, rounds: int, seed: int | str) -> Shifts | None:
    lots = lots_of(f"rows/{seed}")
    found = linear(5, tables, rounds)
    for _ in range(60):
        found = found or search_shifts(5, tables, rounds, lots)
    return found
