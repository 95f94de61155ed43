"""Shares of money: whole minor units that always sum to what was there (tournaments.md 7).

Everywhere players are listed in finishing order: by place, tied ones by the tie-break. Spare
units go one each to the largest fractions, equal fractions to the larger weight first, then in
finishing order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.core.chips import Chips, apportion, share
from engine.core.seats import Seat
from engine.rules.rules import Rules
from engine.rules.switches import EndPot
from engine.settlement.payout import share_pool, share_with_carried_pot
from tournaments.prizes.settings import OddUnits, PotLeft, Ties


@dataclass(frozen=True, slots=True)
class Shared:
    """The players' shares, in the order in which they were given, and what nobody gets."""

    amounts: tuple[int, ...]
    left: int = 0


def by_weight(total: int, weights: Sequence[int]) -> list[int]:
    """Share an amount in proportion to weights, by largest remainder.

    >>> by_weight(5000, [83, 41, 26])
    [2767, 1367, 866]

    Raises ValueError for weights below zero, or where there is nobody.
    """
    if not weights or min(weights) < 0:
        raise ValueError(f"nothing can be shared by the weights {list(weights)}")
    order = sorted(range(len(weights)), key=lambda place: -weights[place])
    return apportion(total, weights, order)


def by_chips(
    pool: int, chips: Sequence[int], pot: int = 0, *, pot_left: PotLeft = PotLeft.EQUAL
) -> Shared:
    """Share a pool by the chips held at the end (A11); ``left`` is what the pot was worth.

    The odd unit between the players and a pot that is carried stays with the pot (DEC-11).
    Who is below zero pays instead (Q22). Raises ValueError where there are fewer chips than debts,
    so that no chip has a worth.
    """
    if not any(chips) and not pot:
        return Shared(tuple(by_weight(pool, [1] * len(chips))))
    if pot < 0 or sum(chips) + pot <= 0:
        raise ValueError(f"{sum(chips)} chips with {pot} in the pot share nothing")
    # The last dealer is the last in the list: clockwise from their left is the finishing order.
    dealer = Seat(len(chips) - 1)
    if pot_left is PotLeft.CARRY:
        payout, carried = share_with_carried_pot(Rules(), pool, chips, pot, dealer)
        return Shared(payout.amounts, carried)
    payout = share_pool(_POTS[pot_left], pool, chips, pot, dealer)
    return Shared(payout.amounts, payout.fund)


_POTS: Final = {
    pot_left: replace(Rules(), end_pot=end_pot)
    for pot_left, end_pot in (
        (PotLeft.EQUAL, EndPot.EQUAL_SPLIT),
        (PotLeft.PRO_RATA, EndPot.PRO_RATA),
        (PotLeft.HOUSE, EndPot.CLUB_FUND),
    )
}


def to_winner(pool: int, places: Sequence[int], *, odd: OddUnits = OddUnits.TIEBREAK) -> Shared:
    """Everything to the winner; tied winners share, the odd units as is said.

    >>> to_winner(1250, [1, 1, 1, 4, 5]).amounts
    (417, 417, 416, 0, 0)
    """
    winners = next(_ties(places), range(0))
    others = (0,) * (len(places) - len(winners))
    if odd is OddUnits.CARRY and winners:
        each, left = share(Chips(pool), len(winners))
        return Shared((each,) * len(winners) + others, left)
    return Shared((*by_weight(pool, [1] * len(winners)), *others))


def by_place(
    prizes: Sequence[int],
    places: Sequence[int],
    *,
    ties: Ties = Ties.AVERAGE,
    threshold: int = 0,
) -> list[int]:
    """The prizes of the first, the second and so on, to players in finishing order.

    Tied players do not share where one of them would get less than ``threshold``; each then has
    their own by the tie-break. Prizes for places that nobody took stay.

    >>> by_place([100, 60, 30], [1, 1, 3, 3])
    [80, 80, 15, 15]
    >>> by_place([100, 60, 30], [1, 1, 3, 3], threshold=20)
    [80, 80, 30, 0]

    Raises ValueError for places that are not in order like 1, 2, 2, 4.
    """
    amounts: list[int] = []
    for tied in _ties(places):
        own = [prizes[index] if index < len(prizes) else 0 for index in tied]
        amounts += own if ties is Ties.NONE else _share_ties(own, ties, threshold)
    return amounts


def _share_ties(own: Sequence[int], ties: Ties, threshold: int) -> Sequence[int]:
    """The prizes of tied players, shared if everybody then gets enough."""
    whole = sum(own)
    halves = [len(own) * one + whole for one in own]
    amounts = by_weight(whole, halves if ties is Ties.HORT else [1] * len(own))
    return amounts if min(amounts) >= threshold else own


def _ties(places: Sequence[int]) -> Iterator[range]:
    """Yield ties as stretches of the list. Raises ValueError for no order of places."""
    if not places:
        return
    first = 0
    for index, place in enumerate(places):
        if place == index + 1:
            if index:
                yield range(first, index)
            first = index
        elif place != first + 1:
            raise ValueError(f"place {place} cannot come after {index} others")
    yield range(first, len(places))
