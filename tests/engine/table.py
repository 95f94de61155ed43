"""A table of players, set up briefly: who holds what before a hand, and hands played at random."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

from engine.core.cards import (
    BIT,
    EMPTY,
    CardSet,
    Suit,
    card,
    card_set,
    members,
    parse_cards,
)
from engine.core.seats import Seat
from engine.live.hand import Hand, Phase, start
from engine.live.scorer import record_hand
from engine.record.actions import (
    Action,
    Bid,
    CallFoot,
    Deal,
    Insure,
    Pass,
    Play,
    Seal,
)
from engine.record.facts import Facts
from engine.record.game_state import GameState, beginning
from engine.record.record import Ending, HandRecord
from engine.replay.centre import start_of
from engine.replay.deals import deal
from engine.rules.rules import Rules, change
from engine.rules.switches import Toggle

N, E, S, W = (Seat(place) for place in range(4))
SEAT = {name: Seat(place) for place, name in enumerate("NESW")}
LETTER = {name: Seat(place) for place, name in enumerate("ABCDEF")}


def example(*ids: str) -> pytest.MarkDecorator:
    """Name a test by the rows of rules.md section 9 that it is."""
    return pytest.mark.parametrize((), [()] * len(ids), ids=ids)


def numbers(text: str) -> tuple[int, ...]:
    """Amounts in seat order, as rules.md writes them: ``50/50/50/50``."""
    return tuple(int(number) for number in text.split("/"))


def names(players: int) -> dict[str, Seat]:
    """The seats as rules.md section 9 names them: N E S W, at other tables A B C."""
    return SEAT if players == 4 else LETTER


def house(base: Rules, **overrides: str) -> Rules:
    """A club's rules: a preset with some switches set."""
    return change(base, overrides)


def game(rules: Rules, chips: Sequence[int] | int = 4, pot: int = 0, **state: Any) -> GameState:
    """A game before a hand: chips by seat (or only how many play), the pot, anything else."""
    fresh = beginning(rules, chips if isinstance(chips, int) else len(chips))
    held = fresh.chips if isinstance(chips, int) else tuple(chips)
    return replace(fresh, chips=held, pot=pot, bought=sum(held) + pot, **state)


def played(taken: Sequence[int], **facts: Any) -> Facts:
    """A hand of which only the captures count; the whole suit is what was captured."""
    return Facts(taken=tuple(taken), **{"whole": sum(taken), **facts})


def some_deal(rules: Rules, players: int = 4, eldest: Seat = E) -> Deal:
    """The pack dealt unshuffled, so that everybody gets a bit of everything."""
    return deal(rules, players, range(52), eldest)


def deal_of(rules: Rules, players: int, held: dict[Seat, str], centre: str = "") -> Deal:
    """A deal in which some seats hold certain cards; the rest goes round as it lies."""
    aside = parse_cards(centre)
    holdings = [int(parse_cards(held.get(Seat(seat), ""))) for seat in range(players)]
    rest = [one for one in members(rules.pack(players)) if not BIT[one] & (aside | sum(holdings))]
    size = rules.hand_size(players)
    for seat in range(players):
        while holdings[seat].bit_count() < size:
            holdings[seat] |= 1 << rest.pop()
    return Deal(tuple(CardSet(mask) for mask in holdings), aside)


def in_play(
    rules: Rules,
    holding: str,
    *,
    trick: int = 1,
    led: str = "",
    broken: bool = False,
    pain: Suit = Suit.HEARTS,
    players: int = 4,
) -> Hand:
    """A hand in the middle of the play: North's cards, the trick, and the card led to it."""
    return Hand(
        rules=rules,
        before=beginning(rules, players),
        phase=Phase.PLAY,
        to_act=(N,),
        holdings=(parse_cards(holding), *(EMPTY,) * (players - 1)),
        trick=(card(led),) if led else (),
        tricks=(None,) * (trick - 1),  # type: ignore[arg-type]  # only their number matters here
        broken=broken,
        pain=pain,
    )


def seeded(seed: int | str) -> Random:
    """Dice that fall the same way for the same seed."""
    return Random(seed)


def shuffled(rules: Rules, players: int, dice: Random, eldest: Seat) -> Deal:
    """A shuffled deal."""
    return deal(rules, players, dice.sample(range(52), 52), eldest)


def some_action(hand: Hand, dice: Random) -> Action:
    """Any legal action of the seat in turn."""
    seat = hand.turn
    assert seat is not None
    if hand.phase is Phase.PLAY:
        return Play(seat, dice.choice(list(members(hand.legal_cards))))
    choose = _CHOICES.get(hand.phase)
    return choose(hand, seat, dice) if choose else dice.choice(hand.legal_actions)


def _some_paper(hand: Hand, seat: Seat, dice: Random) -> Action:
    foot = hand.rules.foot is Toggle.ON and seat not in hand.before.feet and dice.random() < 0.03
    number = dice.randrange(7) if hand.rules.insurance is Toggle.ON else None
    return CallFoot(seat, number) if foot else Insure(seat, number)


def _some_pass(hand: Hand, seat: Seat, dice: Random) -> Action:
    held = list(members(hand.holdings[seat]))
    return Pass(seat, card_set(dice.sample(held, hand.rules.pass_count)))


def _some_seal(hand: Hand, seat: Seat, dice: Random) -> Action:
    shown = dice.choice(list(members(hand.holdings[seat])))
    wanted = dice.choice([None, *members(hand.centre)])
    bid = start_of(wanted) + dice.randrange(3) if wanted is not None else 0
    return Seal(seat, wanted, bid, shown)


def _some_bid(hand: Hand, seat: Seat, dice: Random) -> Action:
    chips = hand.before.chips[seat]
    wish = Bid(seat, dice.randint(1, max(1, min(7, chips))))
    return wish if dice.random() < 0.6 and hand.fault(wish) is None else Bid(seat, None)


_CHOICES: Final[dict[Phase, Callable[[Hand, Seat, Random], Action]]] = {
    Phase.PAPERS: _some_paper,
    Phase.EXCHANGE: _some_pass,
    Phase.CENTRE: _some_seal,
    Phase.AUCTION: _some_bid,
}


def playout(rules: Rules, before: GameState, dice: Random) -> Hand:
    """A hand dealt and played to its end by people who only know what is legal."""
    eldest = Seat((before.dealer + 1) % before.players)
    hand = start(rules, before, shuffled(rules, before.players, dice, eldest))
    while hand.phase is not Phase.DONE:
        hand = hand.apply(some_action(hand, dice))
    return hand


def record_of(hand: Hand, *, in_order: bool = False, ending: Ending | None = None) -> HandRecord:
    """What a careful scorer would have written down about a hand, without what came of it.

    The play stands in columns of seats from the opening leader, or trick by trick in order. A hand
    that is not over needs its ``ending``.
    """
    return record_hand(hand, ending=ending, in_order=in_order)


def playouts(rules: Rules, players: int, dice: Random, hands: int = 6) -> list[Hand]:
    """The hands of a game, one after the other, until it is over or that many are dealt."""
    state = beginning(rules, players, Seat(dice.randrange(players)))
    played_out: list[Hand] = []
    while state.over is None and len(played_out) < hands:
        played_out.append(playout(rules, state, dice))
        state = played_out[-1].settle().after
    return played_out
