"""A settled hand in a sentence, as a director would say it."""

from typing import Final

from engine.game import HandResult
from engine.record.facts import Status
from engine.rules.rules import Rules
from engine.rules.switches import SettledBy
from engine.seats import COMPASS_NAMES, Seat
from engine.settlement import Kind, Settlement

_SAID = {"NorthEast": "North-East", "SouthEast": "South-East"} | {
    "SouthWest": "South-West",
    "NorthWest": "North-West",
}


def seat_name(seats: tuple[str, ...], seat: Seat) -> str:
    """The name of a seat in a sentence."""
    name = COMPASS_NAMES[seats[seat]]
    return _SAID.get(name, name)


def _list(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else "nobody"


def sentence(result: HandResult, rules: Rules) -> str:
    """What happened in a hand and who won what.

    For instance: "South bid 4 and named hearts. East took none and wins 17."
    """
    seats = result.replay.record.seats
    settled = result.settlement
    if settled is None:
        return "This hand cannot be settled as it is written."
    if settled.facts.status.settles:
        return _played(settled, rules, seats)
    callers = _list([seat_name(seats, seat) for seat in settled.facts.feet])
    return _WITHOUT_RESULT[settled.facts.status].format(callers=callers)


_WITHOUT_RESULT: Final = {
    Status.PASSED_OUT: "Everybody passed; the deal goes on.",
    Status.FOOT: "{callers} called a foot; the hand is cancelled.",
    Status.VOID_REDEAL: "The hand is void; the same dealer deals again.",
    Status.VOID_NO_REPLAY: "The hand is void and is not replayed.",
    Status.NOT_PLAYED: "The hand was not played.",
    Status.DRAFT: "The hand is not finished.",
}


def _played(settled: Settlement, rules: Rules, seats: tuple[str, ...]) -> str:
    if rules.settlement is SettledBy.POT:
        return f"{_bidding(settled, seats)} {_award(settled, seats)}".strip()
    return _points(settled, seats)


def _bidding(settled: Settlement, seats: tuple[str, ...]) -> str:
    facts = settled.facts
    suit = facts.pain.name.lower() if facts.pain is not None else "no suit"
    if facts.bidder is not None:
        return f"{seat_name(seats, facts.bidder)} bid {facts.bid} and named {suit}."
    if facts.namer is not None:
        return f"{seat_name(seats, facts.namer)} named {suit} for the jackpot."
    return f"{suit.capitalize()} was the pain suit."


def _award(settled: Settlement, seats: tuple[str, ...]) -> str:
    winners = [seat_name(seats, seat) for seat in settled.winners]
    amount = settled.moved(Kind.AWARD)
    if len(winners) == 1:
        return f"{winners[0]} took none and wins {amount}."
    if winners:
        odd = f"; {settled.odd} stays in the pot" if settled.odd else ""
        return f"{_list(winners)} took none and win {amount // len(winners)} each{odd}."
    reason = "Nobody was clean"
    if settled.facts.sweep is not None:
        reason = f"{seat_name(seats, settled.facts.sweep)} took them all"
    elif settled.clean:
        reason = f"{_list([seat_name(seats, seat) for seat in settled.clean])} were clean"
    kind = "is a jackpot" if settled.after.jackpot else "stays"
    return f"{reason}: the pot of {settled.after.pot} {kind}."


def _points(settled: Settlement, seats: tuple[str, ...]) -> str:
    score = settled.score
    assert score is not None
    if score.shooter is not None:
        return f"{seat_name(seats, score.shooter)} shot the moon."
    parts = [
        f"{seat_name(seats, Seat(place))} scores {points}"
        for place, points in enumerate(score.points)
        if points
    ]
    clean = [seat_name(seats, Seat(n)) for n, points in enumerate(score.points) if not points]
    tail = f"; {_list(clean)} nothing" if clean else ""
    return f"{_list(parts)}{tail}."
