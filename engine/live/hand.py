"""A hand played step by step, from the deal to its settlement.

    >>> from ..rules.presets import HOYLE_HEARTS
    >>> from ..record.game_state import beginning
    >>> from ..replay.deals import deal
    >>> hand = start(HOYLE_HEARTS, beginning(HOYLE_HEARTS, 4), deal(HOYLE_HEARTS, 4, range(52)))
    >>> hand.phase, hand.turn
    (<Phase.PLAY: 'play'>, 1)
    >>> hand = hand.apply(hand.parse("C3"))
    >>> print(hand)
      0  SJ73 HQ84 DK95 CAT62
      1  SQ84 HK95 DAT62 CJ7
    > 2  SK95 HAT62 DJ73 CQ84
      3  SAT62 HJ73 DQ84 CK95
    play, seat 2 to act, trick 1: C3
    >>> hand.apply("SK")
    Traceback (most recent call last):
    TypeError: 'SK' is a text, no action; hand.parse(text) makes one of it
    >>> hand.undo().turn
    1

A hand never changes: `apply` gives the next one, `undo` the one before.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, Self, cast

from ..core.cards import NAMES, SUIT_CARDS, SUIT_OF_LETTER, CardSet, card, parse_cards, show
from ..core.chips import Rebuy
from ..core.faults import Fault, Severity
from ..core.messages import Message, MessageError
from ..core.pictures import draw_hand
from ..core.seats import Seat
from ..notation.building import to_document
from ..notation.writer import write
from ..record.actions import (
    Action,
    Bid,
    CallFoot,
    Deal,
    Insure,
    NamePain,
    Pass,
    Play,
    TakeCard,
)
from ..record.facts import Facts
from ..record.game_state import GameState
from ..record.record import HandRecord
from ..replay.play import Trick
from ..rules.rules import Rules
from ..settlement.settlement import Settlement, settle
from .choices import list_actions, sample_action
from .legality import fault_of
from .scorer import record_hand, record_result
from .state import HandState, Phase, facts_of
from .steps import STEPS

__all__ = ["Hand", "IllegalActionError", "Phase", "Trick", "start"]


class IllegalActionError(MessageError):
    """An action that is not legal now; ``fault`` says why and what is."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand(HandState):
    """A hand of cards in play: a moment with the actions that led to it.

    Whose turn it is, what is legal, why something is not, one step on and one step back.
    """

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions so far, in order."""
        done: list[Action] = []
        hand: HandState | None = self
        while hand is not None and hand.last is not None:
            done.append(hand.last)
            hand = hand.previous
        return tuple(reversed(done))

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """The legal actions of the seat in turn; none before the deal and after the end.

        Not listed are a claim, which any seat may make between two tricks, a bid of more than the
        bidder's chips, and papers that count for nothing, such as a missing one. `fault` judges
        every action.
        """
        return tuple(list_actions(self))

    def sample_action(self, dice: Random) -> Action:
        """A legal action of the seat in turn, by chance; quicker than to choose from all of them.

        A card, a pass or a paper is any with equal chance; a bid is a small one or none, as
        people bid, and a foot is rare. Raises ValueError where nobody is to act.
        """
        return sample_action(self, dice)

    @property
    def facts(self) -> Facts:
        """The facts for settlement; of an unfinished hand, as far as it has gone."""
        return facts_of(self)

    def fault(self, action: Action) -> Fault | None:
        """Why an action is not legal now, or None when it is."""
        return fault_of(self, action)

    def parse(self, text: str) -> Action:
        """Parse a move of the seat in turn: a card, cards, a bid, ``Pass``, a suit.

        The action need not be legal. Raises MessageError for a text that says nothing now.
        """
        reader = _READERS.get(self.phase)
        if reader is None or self.turn is None:
            words = Message(
                "no text says what happens now ({phase}); write an action", phase=self.phase
            )
            raise MessageError(words)
        return reader(self.turn, text)

    def apply(self, action: Action) -> Self:
        """The hand after an action. Raises IllegalActionError; TypeError for what is no action."""
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

    def __str__(self) -> str:
        """The cards of all seats, who is to act marked, and what is going on."""
        turn = _acting(self)
        lines = [
            f"{'>' if seat in turn else ' '} {seat}  {_format_holding(held)}".rstrip()
            for seat, held in enumerate(self.holdings)
        ]
        return "\n".join([*lines, _going_on(self)])

    def __repr__(self) -> str:
        return f"<Hand: {_going_on(self)}>"

    def _repr_svg_(self) -> str:
        """The cards that are held now, and the trick on the table."""
        return draw_hand(self.holdings, self.centre, self.leader, self.trick)

    def settle(self, rebuys: Iterable[Rebuy] = ()) -> Settlement:
        """The settlement of a hand that is over. Raises ValueError before that.

        ``rebuys`` are the table's decisions who buys chips again (DEC-9).
        """
        if self.phase is not Phase.DONE:
            raise ValueError("the hand is not over")
        return settle(self.rules, self.before, replace(self.facts, rebuys=tuple(rebuys)))

    def to_record(
        self,
        *,
        number: int | None = None,
        names: Sequence[str] = (),
        rebuys: Iterable[Rebuy] = (),
    ) -> HandRecord:
        """The record of the hand so far; of one that is over, with scores and pot.

        ``number`` is that of the hand in its game, ``names`` the players by seat, ``rebuys`` as
        for `settle`.
        """
        record = replace(record_hand(self), number=number, names=tuple(names))
        over = self.phase is Phase.DONE
        return record_result(record, self.settle(rebuys)) if over else record

    def to_phn(
        self,
        *,
        number: int | None = None,
        names: Sequence[str] = (),
        rebuys: Iterable[Rebuy] = (),
        tags: Mapping[str, str] | None = None,
    ) -> str:
        """The record as a text in Portable Hearts Notation, which `judge` reads.

        ``tags`` are further tags by name, such as Event, Site and Date.
        """
        record = self.to_record(number=number, names=names, rebuys=rebuys)
        return write([to_document(record, tags)])


def start(rules: Rules, before: GameState, dealt: Deal | None = None) -> Hand:
    """A new hand; with the deal, if it is known. Raises IllegalActionError for a bad deal."""
    hand = Hand(rules=rules, before=before, to_act=(before.dealer,))
    return hand.apply(dealt) if dealt is not None else hand


def _format_holding(held: CardSet) -> str:
    """A set of cards, suit by suit: ``SAK7 H2``."""
    suits = (show(CardSet(held & cards)) for cards in reversed(SUIT_CARDS))
    return " ".join(cards for cards in suits if cards != "-")


def _acting(hand: HandState) -> tuple[Seat, ...]:
    """Return the seats to act: some write and pass at once, the others in turn."""
    at_once = hand.phase in (Phase.PAPERS, Phase.EXCHANGE, Phase.CENTRE)
    return hand.to_act if at_once else hand.to_act[:1]


def _going_on(hand: HandState) -> str:
    """Return a line about the thing that a hand is waiting for."""
    turn = _acting(hand)
    if not turn:
        return f"{hand.status.lower()}, nobody to act"
    words = f"{hand.phase}, seat{'s' if len(turn) > 1 else ''} {', '.join(map(str, turn))} to act"
    if hand.phase is Phase.PLAY:
        cards = " ".join(NAMES[played] for played in hand.trick)
        words += f", trick {len(hand.tricks) + 1}: {cards}".removesuffix(": ")
    return words


def _bid(seat: Seat, text: str) -> Bid:
    return Bid(seat, None if text.casefold() == "pass" else _number(text))


def _paper(seat: Seat, text: str) -> Insure | CallFoot:
    if text[:1].upper() == "F":
        return CallFoot(seat, _number(text[1:]) if text[1:] else None)
    return Insure(seat, _number(text))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise MessageError(Message("{text} is not a number", text=repr(text[:40])))
    return int(text)


def _parse_pain(seat: Seat, text: str) -> NamePain:
    if text not in SUIT_OF_LETTER:
        words = Message(
            "{text} is not a suit; write one of {letters}",
            text=repr(text[:40]),
            letters=" ".join(SUIT_OF_LETTER),
        )
        raise MessageError(words)
    return NamePain(seat, SUIT_OF_LETTER[text])


_READERS: Final[Mapping[Phase, Callable[[Seat, str], Action]]] = {
    Phase.PAPERS: _paper,
    Phase.EXCHANGE: lambda seat, text: Pass(seat, parse_cards(text)),
    Phase.LEFT_OVERS: lambda seat, text: TakeCard(seat, card(text)),
    Phase.AUCTION: _bid,
    Phase.NAMING: _parse_pain,
    Phase.PLAY: lambda seat, text: Play(seat, card(text)),
}
"""What a text means to the seat in turn, by phase."""
