"""Passing cards before the play (rules.md D2)."""

from collections.abc import Sequence
from typing import cast

from ..core.cards import CardSet, count, show
from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import NO_MESSAGE, Message
from ..core.seats import Seat, direction_name, left_of, pass_places
from ..record.record import PassedCards


def judge_pass(
    passed: PassedCards, holding: CardSet, direction: str, players: int, cards: int
) -> Fault | None:
    """Return the fault of one seat's pass: the number, the cards or the direction."""
    missing, hint = CardSet(passed.cards & ~holding), NO_MESSAGE
    to = left_of(passed.seat, players, pass_places(direction, players))
    if missing:
        words = Message("passes {cards}, which it does not hold", cards=show(missing))
        severity = Severity.ERROR
        hint = Message("write cards that this seat was dealt, or correct the deal")
    elif count(passed.cards) != cards:
        words = Message(
            "passes {count} cards instead of {due}", count=count(passed.cards), due=cards
        )
        severity = Severity.RULING
    elif passed.to != to:
        words = Message(
            "passes to the wrong seat; the cards go {direction}",
            direction=direction_name(direction),
        )
        severity = Severity.RULING
    else:
        return None
    return Fault(
        code=Code.WRONG_PASS,
        rule="D2",
        message=words,
        severity=severity,
        part=Part.EXCHANGE,
        seat=passed.seat,
        hint=hint,
    )


def exchange(holdings: Sequence[CardSet], passes: Sequence[PassedCards]) -> tuple[CardSet, ...]:
    """The holdings after everybody has passed; cards that were not held do not move."""
    after = list(holdings)
    for passed in passes:
        moved = CardSet(holdings[passed.seat] & passed.cards)
        after[passed.seat] = CardSet(after[passed.seat] & ~moved)
    for passed in passes:
        moved = CardSet(holdings[passed.seat] & passed.cards)
        after[passed.to] = CardSet(after[passed.to] | moved)
    return tuple(after)


def passed_on(
    holdings: Sequence[CardSet], passes: Sequence[PassedCards], direction: str, cards: int
) -> tuple[CardSet, ...] | None:
    """The holdings after passes with which nothing is wrong; None after any others.

    No card may be in two of the holdings.
    """
    players = len(holdings)
    places, givers = pass_places(direction, players), 0
    after: list[int] = [*holdings]
    for passed in passes:
        seat, to, moved = passed.seat, passed.to, passed.cards
        if moved & ~holdings[seat] or moved.bit_count() != cards:
            return None
        if to != (seat + places) % players:
            return None
        givers |= 1 << seat
        # Nobody else has these cards, so that the order of the passes makes no difference.
        after[seat] ^= moved
        after[to] ^= moved
    everybody = len(passes) == players and givers == (1 << players) - 1
    return cast("tuple[CardSet, ...]", tuple(after)) if everybody and places else None


def receivers(direction: str, players: int) -> tuple[Seat, ...]:
    """To whom each seat passes."""
    places = pass_places(direction, players)
    return tuple(left_of(Seat(seat), players, places) for seat in range(players))
