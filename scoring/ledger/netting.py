"""Netting: the fewest payments that settle all balances.

Pure. People whose balances sum to zero among themselves can settle with one payment fewer than
they are; so the fewest payments come from the most such groups. Finding those is exact for up to
`EXACT_MAX` people who owe or are owed. With more, pairs that cancel out settle first and the
rest go greedily, the largest debt to the largest claim: never more payments than people less one,
but perhaps not the fewest.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

EXACT_MAX: Final = 12
"""The most people for whom the fewest payments are found exactly: 2^12 groups are looked at."""

Person = TypeVar("Person", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Payment(Generic[Person]):
    """One pays another."""

    payer: Person
    payee: Person
    amount: int


def settle_up(balances: Mapping[Person, int]) -> list[Payment[Person]]:
    """The fewest payments that bring every balance to zero; who is below zero owes.

    >>> [(one.payer, one.payee, one.amount) for one in settle_up({"a": -5, "b": 3, "c": 2})]
    [('a', 'b', 3), ('a', 'c', 2)]

    Raises ValueError for balances that do not sum to zero.
    """
    if sum(balances.values()):
        raise ValueError(f"balances sum to {sum(balances.values())}, not to zero")
    people = [person for person, balance in balances.items() if balance]
    amounts = [balances[person] for person in people]
    groups = _most_groups(amounts) if len(people) <= EXACT_MAX else _pairs(amounts)
    return [
        Payment(people[payer], people[payee], amount)
        for group in groups
        for payer, payee, amount in _greedily({place: amounts[place] for place in group})
    ]


def _most_groups(amounts: Sequence[int]) -> list[list[int]]:
    """Places divided into as many groups as can be that each sum to zero.

    In the best order of all the people, the groups are the stretches between moments at which
    what has been counted so far sums to zero; ``best`` counts those moments for every set of
    people, ``last`` is who comes last in the best order of that set.
    """
    size = 1 << len(amounts)
    total, best, last = [0] * size, [0] * size, [0] * size
    for group in range(1, size):
        members = [place for place in range(len(amounts)) if group >> place & 1]
        total[group] = total[group & (group - 1)] + amounts[members[0]]
        last[group] = max(members, key=lambda place: best[group ^ (1 << place)])
        best[group] = best[group ^ (1 << last[group])] + (total[group] == 0)
    groups: list[list[int]] = []
    rest = len(total) - 1
    while rest:
        if total[rest] == 0:
            groups.append([])
        groups[-1].append(last[rest])
        rest ^= 1 << last[rest]
    return [sorted(group) for group in reversed(groups)]


def _pairs(amounts: Sequence[int]) -> list[list[int]]:
    """Two who cancel out are a group; everybody else is one."""
    groups: list[list[int]] = []
    waiting: dict[int, list[int]] = {}
    for place, amount in enumerate(amounts):
        if waiting.get(-amount):
            groups.append([waiting[-amount].pop(0), place])
        else:
            waiting.setdefault(amount, []).append(place)
    others = sorted(place for places in waiting.values() for place in places)
    return [*groups, others] if others else groups


def _greedily(balances: Mapping[int, int]) -> list[tuple[int, int, int]]:
    """Each payment brings at least one to zero, and the last brings two."""
    left = dict(balances)
    payments = []
    while any(left.values()):
        payer = min(left, key=lambda place: left[place])
        payee = max(left, key=lambda place: left[place])
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        payments.append((payer, payee, amount))
    return payments
