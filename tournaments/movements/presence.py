"""Lower bounds for rounds in which not everybody is present.

Who came late, left, or never came meets nobody in the rounds that they missed, so that the others
meet each other oftener than if they had stayed: bounds that count them in would ask the impossible
(tournaments.md 2.1).
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from itertools import combinations
from math import ceil, comb

from tournaments.movements.bounds import (
    Overlap,
    between_rounds,
    common_pairs,
    count_odd_seats,
    proved_minimum,
    spread,
)
from tournaments.movements.seating import RoundSeating, Shape

Pair = tuple[int, int]
Kind = tuple[tuple[int, ...], frozenset[int]]
"""A round's sizes of tables, and who is there, those who sit out included."""


def everybody(rounds: Sequence[RoundSeating]) -> frozenset[int]:
    """Return everybody who is there in one round at least."""
    return frozenset().union(*(seating.entrants for seating in rounds))


def least_possible(
    rounds: Sequence[RoundSeating], *, levelled: bool = False, apart: Collection[Pair] = ()
) -> int:
    """The least Q that any rounds of these sizes can have with the same people in each of them.

    ``levelled``: only of rounds in which nobody is at an odd table two times more than another;
    ``apart``: only of rounds in which these pairs never meet.
    """
    kinds = Counter((tuple(sorted(seating.sizes)), seating.entrants) for seating in rounds)
    here = everybody(rounds)
    n = len(here)
    kept = [(one, other) for one, other in apart if one in here and other in here]
    shapes = [_shape(kind, n - len(kind[1])) for kind in kinds.elements()]
    met = sum(comb(size, 2) for sizes, _ in shapes for size in sizes)
    return max(
        proved_minimum(shapes, n, levelled=levelled),
        spread(met, comb(n, 2) - len(kept)),
        _between_rounds(kinds, n, levelled=levelled),
        _over_rivals(kinds, kept),
    )


def _shape(kind: Kind, away: int) -> Shape:
    sizes, there = kind
    return sizes, len(there) - sum(sizes) + away


def _between_rounds(kinds: Counter[Kind], n: int, *, levelled: bool) -> int:
    """The least number of pairs that rounds have in common, two by two.

    Of another round, only those are at no table who sit out there, or who are away.
    """
    overlaps: list[Overlap] = [
        (comb(many, 2), common_pairs(_shape(kind, 0), _shape(kind, 0)))
        for kind, many in kinds.items()
    ]
    overlaps += [
        (
            many * more,
            common_pairs(
                _shape(one, len(other[1] - one[1])), _shape(other, len(one[1] - other[1]))
            ),
        )
        for (one, many), (other, more) in combinations(kinds.items(), 2)
    ]
    odd = sum(many * count_odd_seats(sizes) for (sizes, _), many in kinds.items())
    return between_rounds(overlaps, spread(odd, n), levelled=levelled)


def _over_rivals(kinds: Counter[Kind], apart: Collection[Pair]) -> int:
    """Return the cost of everybody's meetings, spread evenly over the rivals there with them.

    The cheapest are taken: the k-th meeting of two costs k - 1, and there are as many as rounds in
    which both are there.
    """
    due = sum(many * size * (size - 1) for (sizes, _), many in kinds.items() for size in sizes)
    paid = 0
    for price, many in sorted(_meetings_on_offer(kinds, apart).items()):
        taken = min(due, many)
        paid += price * taken
        due -= taken
    return ceil(paid / 2)


def _meetings_on_offer(kinds: Counter[Kind], apart: Collection[Pair]) -> Counter[int]:
    """By price, how many meetings everybody could have at most, of all together."""
    rounds = list(kinds.elements())
    there: Counter[int] = Counter()
    for number, (_, people) in enumerate(rounds):
        there.update(dict.fromkeys(people, 1 << number))
    alike = Counter(there.values())
    avoided: dict[int, list[int]] = defaultdict(list)
    for pair in apart:
        for one, other in (pair, pair[::-1]):
            avoided[one].append(there[other])
    sorts = Counter((mine, tuple(sorted(avoided[one]))) for one, mine in there.items())
    offer: Counter[int] = Counter()
    for (mine, never), many in sorts.items():
        seats = sum(
            max(sizes, default=1) - 1
            for number, (sizes, _) in enumerate(rounds)
            if mine >> number & 1
        )
        for price, rivals in enumerate(_rivals(mine, alike, never)):
            taken = min(seats, rivals)
            offer[price] += many * taken
            seats -= taken
    return offer


def _rivals(mine: int, alike: Counter[int], never: Sequence[int]) -> list[int]:
    """Count the rivals to meet a first time, a second time and so on."""
    together = Counter({mine.bit_count(): -1})
    together.subtract((mine & other).bit_count() for other in never)
    for other, many in alike.items():
        together[(mine & other).bit_count()] += many
    most = mine.bit_count()
    return [sum(many for times, many in together.items() if times > price) for price in range(most)]
