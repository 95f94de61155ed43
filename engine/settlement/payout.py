"""Money at the end of a game, to the minor unit (rules.md A11, E8, Q25, Q26, Q33)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.chips import apportion, floors
from ..core.ranking import payout_order
from ..core.seats import Seat
from ..rules.rules import Rules
from ..rules.switches import EndPot, SpareUnits


@dataclass(frozen=True, slots=True)
class Payout:
    """Everybody's part of the pool, and the club's; together the whole pool."""

    amounts: tuple[int, ...]
    fund: int = 0


def share_pool(
    rules: Rules, pool: int, chips: Sequence[int], pot: int, last_dealer: Seat
) -> Payout:
    """Share a pool of money by the chips held at the end, a left pot by `end_pot` (Q25, Q26).

    ``pool`` is in minor units. Spare units go to the largest fractions, equal ones to who holds
    more chips, then clockwise from the left of the last dealer; or to the club.
    """
    players = len(chips)
    if rules.end_pot is EndPot.PRO_RATA and sum(chips) > 0:
        weights = [*chips, 0]
    elif rules.end_pot is EndPot.CLUB_FUND:
        weights = [*chips, pot]
    else:
        weights = [*(players * held + pot for held in chips), 0]
    order = payout_order(chips, last_dealer)
    if rules.spare_units is SpareUnits.CLUB_FUND:
        parts, _ = floors(pool, weights)
        amounts = parts[:-1]
    else:
        amounts = apportion(pool, weights, [*order, Seat(players)])[:-1]
    return Payout(tuple(amounts), pool - sum(amounts))


def share_with_carried_pot(
    rules: Rules, pool: int, chips: Sequence[int], pot: int, last_dealer: Seat
) -> tuple[Payout, int]:
    """Share a pool by chips where the pot goes on to another game; also the pot's part (DEC-11).

    As odd chips do, the odd unit between the players and the pot stays in the pot. The units that
    are left among the players are spare units as ever (Q26).

    >>> from ..rules.presets import BICYCLE
    >>> share_with_carried_pot(BICYCLE, 10, (1, 1, 1), 1, Seat(0))
    (Payout(amounts=(2, 3, 2), fund=0), 3)
    """
    parts, lost = floors(pool, [*chips, pot])
    *amounts, carried = parts
    carried += lost.pop() > 0
    spare = pool - carried - sum(amounts)
    if rules.spare_units is SpareUnits.CLUB_FUND:
        return Payout(tuple(amounts), spare), carried
    order = sorted(payout_order(chips, last_dealer), key=lambda seat: -lost[seat])
    for seat in order[:spare]:
        amounts[seat] += 1
    return Payout(tuple(amounts)), carried


def winner_takes_all(pool: int, winners: Sequence[Seat], players: int, last_dealer: Seat) -> Payout:
    """The whole pool to the winner; tied winners share, odd units clockwise (E8, Q33)."""
    weights = [1 if seat in winners else 0 for seat in range(players)]
    order = payout_order(weights, last_dealer)
    return Payout(tuple(apportion(pool, weights, order)))
