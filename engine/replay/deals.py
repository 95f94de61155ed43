"""The deal: who gets which cards, and what is wrong with one (rules.md K3, K4)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..core.cards import CARDS, EMPTY, NAMES, Card, CardSet, count, members, show
from ..core.faults import Code, Fault, Part
from ..core.messages import Message
from ..core.seats import Seat
from ..record.actions import Deal
from ..rules.rules import CENTRE_CARDS, Rules
from ..rules.switches import Toggle


def deal(rules: Rules, players: int, order: Iterable[int], eldest: Seat = Seat(0)) -> Deal:
    """Deal a shuffled pack, one card at a time, clockwise from eldest (K4).

    ``order`` is the whole pack in the order in which it lies, as numbers of cards; cards that
    are not in this pack are left out. The last cards are laid aside for a centre auction.
    """
    pack = rules.pack(players)
    cards = [CARDS[number] for number in order if pack >> number & 1]
    aside = CENTRE_CARDS if rules.centre_auction is Toggle.ON else 0
    holdings = [0] * players
    for place, card in enumerate(cards[: len(cards) - aside]):
        holdings[(eldest + place) % players] |= 1 << card
    centre = sum(1 << card for card in cards[len(cards) - aside :]) if aside else 0
    return Deal(tuple(CardSet(held) for held in holdings), CardSet(centre))


def judge_deal(
    rules: Rules,
    holdings: Sequence[CardSet],
    centre: CardSet = EMPTY,
    *,
    partial: bool = False,
) -> list[Fault]:
    """Everything that is wrong with a deal; of a partial one, with the hands that are written."""
    players = len(holdings)
    pack, size = rules.pack(players), rules.hand_size(players)
    faults: list[Fault] = []
    seen = centre
    missing = CardSet(pack & ~centre)
    for held in holdings:
        missing = CardSet(missing & ~held)
    for place, held in enumerate(holdings):
        seat = Seat(place)
        if partial and not held:
            continue
        faults += [_twice(seat, card, missing) for card in members(CardSet(held & seen))]
        faults += [_not_in_pack(players, seat, card) for card in members(CardSet(held & ~pack))]
        if count(held) != size:
            words = Message("has {count} cards instead of {size}", count=count(held), size=size)
            hint = Message("there are too many cards here")
            if count(held) < size:
                hint = Message("cards are missing here")
            faults.append(replace(_fault(Code.HAND_SIZE, "K4", words, seat), hint=hint))
        seen = CardSet(seen | held)
    aside = CENTRE_CARDS if rules.centre_auction is Toggle.ON else 0
    if count(centre) != aside:
        words = Message(
            "{count} cards lie in the centre instead of {aside}", count=count(centre), aside=aside
        )
        fault = _fault(Code.CENTRE_SIZE, "D20", words, None)
        faults.append(replace(fault, hint=centre_hint(aside)))
    return faults


def centre_hint(aside: int) -> Message:
    """Return advice on a wrong number of centre cards, of which so many are due."""
    if not aside:
        return Message("these house rules lay no cards aside; remove the tag Centre")
    return Message("write the cards that were laid aside in the tag Centre")


def _twice(seat: Seat, card: Card, missing: CardSet) -> Fault:
    words = Message("{card} is dealt twice", card=NAMES[card])
    if 0 < count(missing) < 4:
        words = Message(
            "{card} is dealt twice, and nobody holds {cards}",
            card=NAMES[card],
            cards=show(missing),
        )
    return _fault(Code.CARD_TWICE, "K3", words, seat, card)


def _not_in_pack(players: int, seat: Seat, card: Card) -> Fault:
    words = Message(
        "{card} is not in the pack of {players} players", card=NAMES[card], players=players
    )
    return _fault(Code.NOT_IN_PACK, "K3", words, seat, card)


def _fault(
    code: Code,
    rule: str,
    message: Message,
    seat: Seat | None,
    card: Card | None = None,
) -> Fault:
    part = Part.CENTRE if code is Code.CENTRE_SIZE else Part.DEAL
    return Fault(code=code, rule=rule, message=message, seat=seat, part=part, card=card)
