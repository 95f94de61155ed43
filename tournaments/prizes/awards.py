"""Awarding: the money of an event from what was paid in to what everybody gets, to the unit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tournaments.prizes.settings import PotLeft, PrizeKind, Prizes
from tournaments.prizes.shares import Shared, by_chips, by_place, by_weight, to_winner


class Payer(StrEnum):
    """Payers: a player, the club, or what is kept for the next session."""

    PLAYER = "player"
    CLUB = "club"
    CARRIED = "carried"


@dataclass(frozen=True, slots=True)
class Leg:
    """Money that somebody gets, or pays where it is below zero; all legs sum to zero."""

    account: Payer
    amount: int
    player: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finisher:
    """Somebody who finished: their place, what they paid into the pool, their chips at the end."""

    player: str
    place: int
    paid: int = 0
    chips: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Awards:
    """The parts of a pool: ``fee``, ``house``, ``carried`` and ``amounts`` are the whole of it.

    ``brought`` of the pool came from earlier sessions; ``amounts`` are in finishing order.
    """

    finishers: tuple[Finisher, ...]
    pool: int
    brought: int
    fee: int
    amounts: tuple[int, ...]
    house: int = 0
    carried: int = 0

    def __post_init__(self) -> None:
        given = self.fee + sum(self.amounts) + self.house + self.carried
        assert given == self.pool, "what is given out is what was paid in"

    @property
    def legs(self) -> tuple[Leg, ...]:
        """Return everybody's gain or loss by it, for the books; they sum to zero."""
        players = [
            Leg(Payer.PLAYER, amount - one.paid, one.player)
            for one, amount in zip(self.finishers, self.amounts, strict=True)
        ]
        club = Leg(Payer.CLUB, self.fee + self.house)
        return (*players, club, Leg(Payer.CARRIED, self.carried - self.brought))


def reversing(legs: Sequence[Leg]) -> tuple[Leg, ...]:
    """The legs that undo others: a refund is booked, nothing is edited."""
    return tuple(replace(leg, amount=-leg.amount) for leg in legs)


def award(
    prizes: Prizes, finishers: Sequence[Finisher], *, brought: int = 0, pot: int = 0
) -> Awards:
    """Take the fee, then share the rest as the prizes say.

    ``finishers`` come in finishing order: by place, tied ones by the tie-break. ``brought`` is
    money kept from earlier sessions, ``pot`` the chips that nobody won.

    Raises ValueError for places that are in no order, chips that have no worth, or money below
    zero.
    """
    if brought < 0 or any(finisher.paid < 0 for finisher in finishers):
        raise ValueError("nobody pays less than nothing into a pool")
    pool = sum(finisher.paid for finisher in finishers) + brought
    fee = prizes.fee.of(pool, len(finishers))
    shared = (
        _share_prizes(prizes, finishers, pool - fee, pot) if finishers else Shared((), pool - fee)
    )
    house = _is_house(prizes) and bool(finishers)
    return Awards(
        finishers=tuple(finishers),
        pool=pool,
        brought=brought,
        fee=fee,
        amounts=shared.amounts,
        house=shared.left if house else 0,
        carried=0 if house else shared.left,
    )


def _is_house(prizes: Prizes) -> bool:
    """Whether what nobody gets is the club's."""
    if prizes.kind is PrizeKind.CHIPS:
        return prizes.pot_left is PotLeft.HOUSE
    return prizes.kind is PrizeKind.FIXED


def _share_prizes(prizes: Prizes, finishers: Sequence[Finisher], money: int, pot: int) -> Shared:
    places = [finisher.place for finisher in finishers]
    match prizes.kind:
        case PrizeKind.CHIPS:
            return by_chips(
                money, [finisher.chips for finisher in finishers], pot, pot_left=prizes.pot_left
            )
        case PrizeKind.WINNER:
            return to_winner(money, places, odd=prizes.odd)
        case PrizeKind.PLACES | PrizeKind.FIXED:
            amounts = _prizes(prizes, len(finishers), money)
            given = by_place(amounts, places, ties=prizes.ties, threshold=prizes.threshold)
            return Shared(tuple(given), money - sum(given))


def _prizes(prizes: Prizes, finishers: int, money: int) -> Sequence[int]:
    """The prize of each place; fixed ones shrink together where there is too little money."""
    listed = prizes.prizes[:finishers]
    if prizes.kind is PrizeKind.FIXED and sum(listed) <= money:
        return listed
    return by_weight(money, listed)
