"""Hand: one deal from the cards on the table to its settlement, step by step.

    >>> from engine.presets import HOYLE_HEARTS
    >>> from engine.carried import beginning
    >>> from engine.deals import deal
    >>> hand = start(HOYLE_HEARTS, beginning(HOYLE_HEARTS, 4), deal(HOYLE_HEARTS, 4, range(52)))
    >>> hand.phase, hand.turn
    (<Phase.PLAY: 'play'>, 1)
    >>> hand = hand.apply(Play(hand.turn, next(members(hand.legal_cards))))
    >>> hand.undo().turn
    1

A hand never changes: `apply` gives the next one, `undo` the one before.
"""

from dataclasses import dataclass, replace
from typing import Self, cast

from engine.actions import Action, Bid, ChooseMoon, Deal, NamePain, Play, TakeCard
from engine.cards import Suit, members
from engine.carried import Carried
from engine.facts import Facts
from engine.faults import Fault, Severity
from engine.moment import Moment, Phase, facts_of
from engine.play import Trick
from engine.refusals import fault_of
from engine.rules import Rules
from engine.settlement import Settlement, settle
from engine.steps import STEPS

__all__ = ["Hand", "IllegalActionError", "Phase", "Trick", "start"]


class IllegalActionError(ValueError):
    """An action that is not legal now; ``fault`` says why and what is."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand(Moment):
    """A hand of cards in play: a moment with the actions that led to it.

    Whose turn it is, what is legal, why something is not, one step on and one step back.
    """

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions so far, in order."""
        done: list[Action] = []
        hand: Moment | None = self
        while hand is not None and hand.last is not None:
            done.append(hand.last)
            hand = hand.previous
        return tuple(reversed(done))

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """Every legal action of the seat in turn, where they can be listed.

        Papers, passes and centre bids are too many to list; the tuple is then empty, and
        `fault` judges any one of them.
        """
        return _legal_actions(self)

    @property
    def facts(self) -> Facts:
        """What settlement needs to know; of an unfinished hand, as far as it has gone."""
        return facts_of(self)

    def fault(self, action: Action) -> Fault | None:
        """Why an action is not legal now, or None when it is."""
        return fault_of(self, action)

    def apply(self, action: Action) -> Self:
        """The hand after an action. Raises IllegalActionError."""
        fault = self.fault(action)
        if fault is not None and fault.severity is not Severity.WARNING:
            raise IllegalActionError(fault)
        after = cast("Self", STEPS[type(action)](self, action))
        return replace(after, last=action, previous=self)

    def undo(self) -> Self:
        """The hand before the last action. Raises IndexError at the beginning."""
        if self.previous is None:
            raise IndexError("nothing to undo")
        return cast("Self", self.previous)

    def settle(self) -> Settlement:
        """The settlement of a hand that is over. Raises ValueError before that."""
        if self.phase is not Phase.DONE:
            raise ValueError("the hand is not over")
        return settle(self.rules, self.before, self.facts)


def start(rules: Rules, before: Carried, dealt: Deal | None = None) -> Hand:
    """A new hand; with the deal, if it is known. Raises IllegalActionError for a bad deal."""
    hand = Hand(rules=rules, before=before, to_act=(before.dealer,))
    return hand.apply(dealt) if dealt is not None else hand


def _is_legal(hand: Hand, action: Action) -> bool:
    fault = hand.fault(action)
    return fault is None or fault.severity is Severity.WARNING


def _legal_actions(hand: Hand) -> tuple[Action, ...]:
    seat = hand.turn
    if seat is None:
        return ()
    match hand.phase:
        case Phase.PLAY:
            return tuple(Play(seat, card) for card in members(hand.legal_cards))
        case Phase.AUCTION:
            bids = (Bid(seat, n) for n in range(hand.rules.min_bid, hand.before.chips[seat] + 1))
            legal = (bid for bid in bids if _is_legal(hand, bid))
            return (Bid(seat, None), *legal)
        case Phase.NAMING:
            named = (NamePain(seat, suit) for suit in Suit)
            return tuple(action for action in named if hand.fault(action) is None)
        case Phase.LEFT_OVERS:
            return tuple(TakeCard(seat, card) for card in members(hand.left))
        case Phase.MOON:
            return (ChooseMoon(seat, add_to_others=True), ChooseMoon(seat, add_to_others=False))
        case _:
            return ()
