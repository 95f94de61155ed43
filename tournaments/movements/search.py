"""The search for rounds: from the best start to the least cost that a number of moves finds."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heapreplace
from itertools import chain, combinations
from math import comb
from random import Random
from typing import Final

from engine.core.messages import Message, message_of
from tournaments.movements.annealing import Cooling, anneal, level, mend
from tournaments.movements.balancing import balance_teams
from tournaments.movements.bounds import proved_minimum
from tournaments.movements.catalogue import Rounds
from tournaments.movements.certificate import shape_of
from tournaments.movements.floor import BURDEN, NEVER, PlacementCosts, SwappableRounds, blank_prices
from tournaments.movements.mixed import count_mixed_rounds, name_seed
from tournaments.movements.orders import draw_order, lots_of
from tournaments.movements.seating import RoundSeating, SeatingError, Shape, odd_tables
from tournaments.movements.sizes import choose, odd_games, sizes, with_latecomers
from tournaments.movements.starts import (
    UnseatedRound,
    complete_rounds,
    construct,
    put_at_kept_tables,
)
from tournaments.movements.wishes import Wishes

_HOUSEHOLD: Final = 50
_POT: Final = 20
EFFORT: Final = 1_200_000
"""Moves: a second or two of searching."""
_MOVES_A_SEAT: Final = 10_000
_FEW: Final = 16
_AGAIN: Final = 4


class Search:
    """A search: who plays in which round, and what it costs to let two meet."""

    def __init__(
        self,
        n: int,
        wishes: Wishes,
        history: Sequence[RoundSeating],
        there: Sequence[Sequence[int]],
        *,
        moves: int = EFFORT,
    ) -> None:
        self.moves = moves
        self.n, self.wishes, self.history, self.there = n, wishes, history, there
        self.rounds: list[UnseatedRound] = []
        self.weights = weights(wishes)
        met = Counter(pair for seating in history for pair in seating.meetings())
        self.prices = blank_prices(n, met + self.weights)
        self.played = sum(comb(count, 2) for count in met.values())

    def divide(self, lots: Random) -> None:
        """Find the sizes of all rounds and who sits out."""
        known = list(self.history)
        order = draw_order(range(self.n), lots)
        for number, there in enumerate(self.there, start=len(known)):
            here = set(there)
            tables = _sizes(len(here), self.wishes, number)
            ranked = [one for one in order if one in here]
            outs = choose(len(here) - sum(tables), ranked, known, self.wishes.volunteers)
            seated = tuple(one for one in sorted(here) if one not in outs)
            self.rounds.append(UnseatedRound(tables, seated, outs, self.n - len(here)))
            # One table will do: all that is asked of these rounds is who sat out.
            known.append(RoundSeating((seated,), outs))

    @property
    def is_plain(self) -> bool:
        """Whether nothing is given but how many play how often, at tables of one size."""
        sizes = {size for each in self.rounds for size in each.sizes}
        idle = self.weights or self.history or self.wishes.stay
        return not idle and len(sizes) == 1 and all(len(r.seated) == self.n for r in self.rounds)

    def shape(self) -> Shape:
        """The sizes of the tables of the first round, and how many sit out."""
        first = self.rounds[0]
        return tuple(sorted(first.sizes)), len(first.sit_outs)

    @property
    def is_repeat_free_known(self) -> bool:
        """Whether so many rounds without a repeat are known, and nothing stands against them."""
        idle = self.weights or self.history or self.wishes.stay or self.wishes.volunteers
        everybody = all(len(each.seated) + len(each.sit_outs) == self.n for each in self.rounds)
        return not idle and everybody and len(self.rounds) <= count_mixed_rounds(self.shape())

    def affordable_moves(self) -> int:
        """Return how many moves are worth it: few where there is little to choose from."""
        seats = sum(len(each.seated) for each in self.rounds)
        moves = min(self.moves, seats * _MOVES_A_SEAT)
        return moves if all(set(each.sizes) == {4} for each in self.rounds) else moves * 5 // 8

    def least_meetings(self) -> int:
        """The most that two meet, at least, if all meet about equally often."""
        met = sum(size * (size - 1) for each in self.rounds for size in each.sizes)
        return -(-met // max(1, self.n * (self.n - 1)))

    def target(self) -> int:
        """The least that the cost can be."""
        shapes = [shape_of(seating, self.n) for seating in self.history]
        shapes += [(tuple(sorted(each.sizes)), self.n - len(each.seated)) for each in self.rounds]
        # Where everybody plays from the first round on, `level` shares odd tables evenly.
        levelled = not self.history and all(r.away == 0 for r in self.rounds)
        least = proved_minimum(shapes, self.n, levelled=levelled) - self.played
        return max(0, least) + _least_burden(self)

    def placement_costs(self) -> PlacementCosts:
        """Return the facts for a floor."""
        there = {one for each in self.rounds for one in each.seated}
        counts = with_latecomers(odd_games(self.history), self.history, there)
        return PlacementCosts(
            prices=self.prices,
            burdens=[counts[one] for one in range(self.n)],
            odd=[odd_tables(each.sizes) for each in self.rounds],
            kept=frozenset(stay.entrant for stay in self.wishes.stay),
        )


def weights(wishes: Wishes) -> Counter[tuple[int, int]]:
    """Return the prices that wishes add to pairs, the lower number first."""
    found: Counter[tuple[int, int]] = Counter()
    for pair in wishes.forbidden() | _where_no_table_is_left(wishes):
        found[pair] += NEVER
    sorts = ((wishes.households, _HOUSEHOLD), (wishes.pots, _POT))
    for groups, weight in sorts:
        for group in groups:
            for one, other in combinations(sorted(set(group)), 2):
                found[one, other] += weight
    return found


def _where_no_table_is_left(wishes: Wishes) -> set[tuple[int, int]]:
    """Pairs of which one keeps a seat where the other one never sits, or at another table."""
    at = {stay.entrant: stay.table for stay in wishes.stay}
    never = set(wishes.never)
    return {
        (min(one, other), max(one, other))
        for one, table in at.items()
        for other, _ in wishes.never
        if (other, table) in never and one != other
    }


def _sizes(many: int, wishes: Wishes, number: int) -> tuple[int, ...]:
    try:
        return sizes(many, wishes.allowed, byes=wishes.byes)
    except SeatingError as error:
        raise SeatingError(message_of(error), round_number=number) from None


def _least_burden(search: Search) -> int:
    """Return the least cost of odd tables: always the least burdened go there."""
    given = search.placement_costs()
    burdens = list(given.burdens)
    heapify(burdens)
    cost = 0
    for each, odd in zip(search.rounds, given.odd, strict=True):
        for _ in range(sum(size for size, is_odd in zip(each.sizes, odd, strict=True) if is_odd)):
            cost += BURDEN * burdens[0]
            heapreplace(burdens, burdens[0] + 1)
    return cost


def search_rounds(search: Search, lots: Random) -> Rounds:
    """Tables for all rounds. Raises SeatingError."""
    search.divide(lots)
    _check_teams(search)
    if search.is_plain:
        return _plain(search, lots)
    found = _improve_rounds(search, lots)
    if search.is_repeat_free_known and _has_repeats(found):
        return find_known_mixed_rounds(search)
    for _ in range(2):
        if not _broken(chain.from_iterable(found), search.weights):
            return found
        found = _improve_rounds(search, lots, from_scratch=True)
    check_apart(list(chain.from_iterable(found)), search.weights)
    return found


def _has_repeats(rounds: Rounds) -> bool:
    pairs = [pair for tables in rounds for table in tables for pair in combinations(table, 2)]
    return len({frozenset(pair) for pair in pairs}) < len(pairs)


def find_known_mixed_rounds(search: Search) -> Rounds:
    """Return the rounds without a repeat that are found from the seed that is known for them."""
    sizes = _sizes(search.n, search.wishes, 0)
    shape = (tuple(sorted(sizes)), search.n - sum(sizes))
    lots = lots_of(name_seed(shape, len(search.there)))
    search.moves = EFFORT
    search.rounds = []
    search.divide(lots)
    return _improve_rounds(search, lots)


def _plain(search: Search, lots: Random) -> Rounds:
    """Whole designs first, then the rounds that are left over, as if those had not been."""
    first = search.rounds[0]
    entrants = draw_order(range(search.n), lots)
    whole = complete_rounds(search.n, first.usual, len(search.rounds), lots)
    named = [[[entrants[place] for place in table] for table in tables] for tables in whole]
    left = len(search.rounds) - len(named)
    if not left:
        return named
    rest = Search(search.n, search.wishes, (), search.there[:left], moves=search.moves)
    rest.rounds = search.rounds[:left]
    return named + _improve_rounds(rest, lots)


def _improve_rounds(search: Search, lots: Random, *, from_scratch: bool = False) -> Rounds:
    """The best of what the moves find: the cheapest, and of those where nobody meets too often."""
    floor = _cheapest(search, lots, from_scratch=from_scratch)
    for _ in range(_AGAIN if search.n <= _FEW else 0):
        if floor.cost > search.target() or floor.most_meetings() <= search.least_meetings():
            break
        other = _cheapest(search, lots, from_scratch=True)
        floor = min(floor, other, key=lambda each: (each.cost, each.most_meetings()))
    level(floor, 1)
    balance_teams(floor, search.wishes.teams, lots)
    return floor.rounds()


def _cheapest(search: Search, lots: Random, *, from_scratch: bool) -> SwappableRounds:
    target, given, moves = search.target(), search.placement_costs(), search.affordable_moves()
    there = {one for each in search.rounds for one in each.seated}
    begun, reach = construct(search.rounds, draw_order(sorted(there), lots), lots)
    for number, tables in enumerate(begun, start=len(search.history)):
        put_at_kept_tables(tables, search.wishes.stay, number)
    floor = SwappableRounds(begun, given)
    if from_scratch or reach < 2:
        anneal(floor, Cooling(moves), lots, target)
        return floor
    if reach < len(begun):
        _add_rounds(floor, reach, Cooling(moves // 4), lots, target)
        if floor.cost > target:
            other = SwappableRounds(floor.rounds(), given)
            anneal(other, Cooling(moves // 2), lots, target)
            floor = min(floor, other, key=lambda each: each.cost)
        anneal(floor, Cooling(moves // 4, 0.3), lots, target)
        return floor
    level(floor, 1)
    mend(floor, moves // 10, lots, target)
    anneal(floor, Cooling(moves, 0.4), lots, target)
    return floor


def _add_rounds(
    floor: SwappableRounds, reach: int, cooling: Cooling, lots: Random, target: int
) -> None:
    """Better the rounds that the construction does not reach, and leave alone the others."""
    movable = floor.movable
    floor.movable = [[] if number < reach else who for number, who in enumerate(movable)]
    anneal(floor, cooling, lots, target)
    floor.movable = movable


def _check_teams(search: Search) -> None:
    """Raise SeatingError where more members of a team play than there are tables."""
    for number, each in enumerate(search.rounds, start=len(search.history)):
        seated = set(each.seated)
        for team in search.wishes.teams:
            here = sorted(seated.intersection(team))
            if len(here) > len(each.sizes):
                there = len(each.sizes)
                words = Message(
                    "{count} team-mates need {count} tables, and there are {there}.",
                    count=len(here),
                    there=there,
                )
                raise SeatingError(words, here, number)


def check_apart(tables: Iterable[Sequence[int]], prices: Mapping[tuple[int, int], int]) -> None:
    """Raise SeatingError where two share a table who never should."""
    broken = _broken(tables, prices)
    if broken:
        words = Message("No seating was found that keeps apart all who are never to share a table.")
        raise SeatingError(words, broken)


def _broken(tables: Iterable[Sequence[int]], prices: Mapping[tuple[int, int], int]) -> list[int]:
    pairs = (pair for table in tables for pair in combinations(sorted(table), 2))
    return sorted({one for pair in pairs if prices.get(pair, 0) >= NEVER for one in pair})
