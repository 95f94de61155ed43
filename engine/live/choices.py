"""The legal actions of the seat in turn: all of them, or one at random."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Final

from ..core.cards import Card, Suit, card_set, members
from ..core.faults import Severity
from ..core.seats import Seat
from ..record.actions import (
    Action,
    Bid,
    CallFoot,
    ChooseMoon,
    Insure,
    NamePain,
    Pass,
    Play,
    Seal,
    TakeCard,
)
from ..replay.centre import HIGH_BID, start_of
from ..rules.rules import INSURANCE_MAX
from ..rules.switches import Toggle
from .legality import fault_of
from .state import HandState, Phase


def list_actions(hand: HandState) -> Iterable[Action]:
    """The legal actions of the seat in turn; none before the deal and after the end."""
    if hand.turn is None or hand.phase not in _LISTS:
        return ()
    return _LISTS[hand.phase](hand, hand.turn)


def sample_action(hand: HandState, dice: Random) -> Action:
    """A legal action of the seat in turn, by chance, without listing all of them.

    A card, a pass or a paper is any with equal chance; a bid is a small one or none, as people
    bid, and a foot is rare. Raises ValueError where nobody is to act.
    """
    if hand.turn is None or hand.phase not in _LISTS:
        raise ValueError("nobody is to act")
    sample = _SAMPLES.get(hand.phase)
    if sample is not None:
        return sample(hand, hand.turn, dice)
    return dice.choice(list(list_actions(hand)))


def _list_papers(hand: HandState, seat: Seat) -> Iterator[Action]:
    """Every number, or the blank paper of rules without insurance; then a foot not yet used."""
    insured = hand.rules.insurance is Toggle.ON
    yield from (Insure(seat, n) for n in (range(INSURANCE_MAX + 1) if insured else (None,)))
    if hand.rules.foot is Toggle.ON and seat not in hand.before.feet:
        yield CallFoot(seat)


def _list_passes(hand: HandState, seat: Seat) -> Iterator[Action]:
    held = members(hand.holdings[seat])
    return (Pass(seat, card_set(cards)) for cards in combinations(held, hand.rules.pass_count))


def _list_seals(hand: HandState, seat: Seat) -> Iterator[Action]:
    """No bid, and every bid from the start of a card to the highest one, with each card shown."""
    most = _highest_seal(hand)
    bids: list[tuple[Card | None, int]] = [(None, 0)]
    bids += ((card, n) for card in members(hand.centre) for n in range(start_of(card), most + 1))
    shown = tuple(members(hand.holdings[seat]))
    return (Seal(seat, card, bid, sample) for card, bid in bids for sample in shown)


def _highest_seal(hand: HandState) -> int:
    cap = hand.rules.max_centre_bid
    return min(cap, HIGH_BID) if isinstance(cap, int) else HIGH_BID


def _list_bids(hand: HandState, seat: Seat) -> Iterator[Action]:
    bids = (Bid(seat, n) for n in range(hand.rules.min_bid, hand.before.chips[seat] + 1))
    yield Bid(seat, None)
    yield from (bid for bid in bids if _is_legal(hand, bid))


def _list_suits(hand: HandState, seat: Seat) -> Iterator[Action]:
    named = (NamePain(seat, suit) for suit in Suit)
    return (action for action in named if _is_legal(hand, action))


def _is_legal(hand: HandState, action: Action) -> bool:
    fault = fault_of(hand, action)
    return fault is None or fault.severity is Severity.WARNING


_LISTS: Final[Mapping[Phase, Callable[[HandState, Seat], Iterable[Action]]]] = {
    Phase.PAPERS: _list_papers,
    Phase.EXCHANGE: _list_passes,
    Phase.CENTRE: _list_seals,
    Phase.LEFT_OVERS: lambda hand, seat: (TakeCard(seat, card) for card in members(hand.left)),
    Phase.AUCTION: _list_bids,
    Phase.NAMING: _list_suits,
    Phase.PLAY: lambda hand, seat: (Play(seat, card) for card in members(hand.legal_cards)),
    Phase.MOON: lambda _hand, seat: (ChooseMoon(seat, add_to_others=add) for add in (True, False)),
}
"""The legal actions of the seat in turn, by phase."""


def _sample_paper(hand: HandState, seat: Seat, dice: Random) -> Action:
    may_call = hand.rules.foot is Toggle.ON and seat not in hand.before.feet
    is_insured = hand.rules.insurance is Toggle.ON
    number = dice.randint(0, INSURANCE_MAX) if is_insured else None
    return CallFoot(seat) if may_call and dice.random() < 0.02 else Insure(seat, number)


def _sample_pass(hand: HandState, seat: Seat, dice: Random) -> Action:
    held = list(members(hand.holdings[seat]))
    return Pass(seat, card_set(dice.sample(held, hand.rules.pass_count)))


def _sample_seal(hand: HandState, seat: Seat, dice: Random) -> Action:
    shown = dice.choice(list(members(hand.holdings[seat])))
    wanted = dice.choice([None, *members(hand.centre)])
    if wanted is None or start_of(wanted) > _highest_seal(hand):
        return Seal(seat, None, 0, shown)
    least = start_of(wanted)
    return Seal(seat, wanted, dice.randint(least, min(least + 2, _highest_seal(hand))), shown)


def _sample_bid(hand: HandState, seat: Seat, dice: Random) -> Action:
    least = hand.rules.min_bid
    wish = Bid(seat, dice.randint(least, least + 6))
    can_bid = (wish.chips or 0) <= hand.before.chips[seat] and _is_legal(hand, wish)
    return wish if can_bid and dice.random() < 0.5 else Bid(seat, None)


_SAMPLES: Final[Mapping[Phase, Callable[[HandState, Seat, Random], Action]]] = {
    Phase.PAPERS: _sample_paper,
    Phase.EXCHANGE: _sample_pass,
    Phase.CENTRE: _sample_seal,
    Phase.AUCTION: _sample_bid,
}
"""One of the legal actions by chance, in the phases that have many of them."""
