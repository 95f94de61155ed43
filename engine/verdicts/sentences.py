"""A settled hand in a sentence, as a director would say it."""

from collections.abc import Sequence
from typing import Final

from ..core.cards import SUIT_NAMES, Suit
from ..core.messages import Message, join_with_and
from ..core.seats import SEAT_NAMES, Seat
from ..games.game import HandResult
from ..record.facts import Status
from ..rules.rules import Rules
from ..rules.switches import SettledBy
from ..settlement.settlement import Kind, Settlement

_PAIN_SUIT: Final = {
    Suit.CLUBS: Message("Clubs was the pain suit."),
    Suit.DIAMONDS: Message("Diamonds was the pain suit."),
    Suit.HEARTS: Message("Hearts was the pain suit."),
    Suit.SPADES: Message("Spades was the pain suit."),
    None: Message("No suit was the pain suit."),
}


def seat_name(seats: tuple[str, ...], seat: Seat) -> Message:
    """The name of a seat in a sentence."""
    return SEAT_NAMES[seats[seat]]


def _list(items: Sequence[Message]) -> str:
    return join_with_and(items) if items else Message("nobody")


def sentence(result: HandResult, rules: Rules) -> Message:
    """Return a sentence on a hand and its winner.

    For instance: "South bid 4 and named hearts. East took none and wins 17."
    """
    seats = result.replay.record.seats
    settled = result.settlement
    if settled is None:
        return Message("This hand cannot be settled as it is written.")
    status = settled.facts.status
    if status.settles:
        return _describe_play(settled, rules, seats)
    if status is Status.FOOT:
        callers = _list([seat_name(seats, seat) for seat in settled.facts.feet])
        return Message("{callers} called a foot; the hand is cancelled.", callers=callers)
    return status.details


def _describe_play(settled: Settlement, rules: Rules, seats: tuple[str, ...]) -> Message:
    if rules.settlement is not SettledBy.POT:
        return _points(settled, seats)
    bidding, award = _bidding(settled, seats), _award(settled, seats)
    return Message("{bidding} {award}", bidding=bidding, award=award)


def _bidding(settled: Settlement, seats: tuple[str, ...]) -> Message:
    facts = settled.facts
    suit = SUIT_NAMES[facts.pain] if facts.pain is not None else Message("no suit")
    if facts.bidder is not None:
        seat = seat_name(seats, facts.bidder)
        return Message("{seat} bid {bid} and named {suit}.", seat=seat, bid=facts.bid, suit=suit)
    if facts.namer is not None:
        seat = seat_name(seats, facts.namer)
        return Message("{seat} named {suit} for the jackpot.", seat=seat, suit=suit)
    return _PAIN_SUIT[facts.pain]


def _award(settled: Settlement, seats: tuple[str, ...]) -> Message:
    winners = [seat_name(seats, seat) for seat in settled.winners]
    amount = settled.moved(Kind.AWARD)
    if len(winners) == 1:
        return Message("{seat} took none and wins {chips}.", seat=winners[0], chips=amount)
    if winners and settled.odd:
        return Message(
            "{seats} took none and win {chips} each; {odd} stays in the pot.",
            seats=_list(winners),
            chips=amount // len(winners),
            odd=settled.odd,
        )
    if winners:
        return Message(
            "{seats} took none and win {chips} each.",
            seats=_list(winners),
            chips=amount // len(winners),
        )
    reason, pot = Message("Nobody was clean"), settled.after.pot
    if settled.facts.sweep is not None:
        reason = Message("{seat} took them all", seat=seat_name(seats, settled.facts.sweep))
    elif settled.clean:
        clean = _list([seat_name(seats, seat) for seat in settled.clean])
        reason = Message("{seats} were clean", seats=clean)
    if settled.after.jackpot:
        return Message("{reason}: the pot of {chips} is a jackpot.", reason=reason, chips=pot)
    return Message("{reason}: the pot of {chips} stays.", reason=reason, chips=pot)


def _points(settled: Settlement, seats: tuple[str, ...]) -> Message:
    score = settled.score
    assert score is not None
    if score.shooter is not None:
        return Message("{seat} shot the moon.", seat=seat_name(seats, score.shooter))
    scores = _list(
        [
            Message("{seat} scores {points}", seat=seat_name(seats, Seat(place)), points=points)
            for place, points in enumerate(score.points)
            if points
        ]
    )
    clean = [seat_name(seats, Seat(n)) for n, points in enumerate(score.points) if not points]
    if clean:
        return Message("{scores}; {seats} nothing.", scores=scores, seats=_list(clean))
    return Message("{scores}.", scores=scores)
