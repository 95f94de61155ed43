"""Correct one card in the moves of a hand: another was played or passed.

Every card stays with its seat. A card cannot be in two places: where the right one stood, now
stands the one that was wrong.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.cards import BIT, NAMES, Card, CardSet, show
from engine.core.messages import Message
from engine.core.seats import Seat, clockwise, left_of
from engine.replay.play import winning_place
from scoring.submissions.writing.moves import cards_in_order
from scoring.submissions.writing.table import (
    GameContext,
    SubmittedFields,
    UnclearError,
    cards_named,
)


@dataclass(frozen=True, slots=True)
class AmendedTrick:
    """A trick: the cards by seat, who led, and who won it, if it is whole.

    ``is_told``: who led is written, and is not only what follows.
    """

    leader: Seat
    is_told: bool
    cards: Mapping[Seat, Card]
    winner: Seat | None = None


def rows(table: GameContext, moves: Mapping[str, object]) -> list[AmendedTrick]:
    """The play of some moves, trick by trick. Raises UnclearError."""
    cards, leads = cards_in_order(SubmittedFields(table, moves))
    if cards and 0 not in leads:
        raise UnclearError(Message("Say who led first, too."), "play")
    return list(_rows(table.players, cards, leads))


def _rows(
    players: int, cards: tuple[Card, ...], leads: Mapping[int, Seat]
) -> Iterator[AmendedTrick]:
    leader = Seat(0)
    for base in range(0, len(cards), players):
        trick = cards[base : base + players]
        leader = leads.get(base, leader)
        seats = clockwise(leader, players)[: len(trick)]
        whole = len(trick) == players
        winner = left_of(leader, players, winning_place(trick)) if whole else None
        yield AmendedTrick(leader, base in leads, dict(zip(seats, trick, strict=True)), winner)
        leader = leader if winner is None else winner


def with_card(
    table: GameContext, moves: Mapping[str, object], place: tuple[int, Seat], card: Card
) -> dict[str, Any]:
    """The moves with another card in a trick (from 0) of a seat. Raises UnclearError.

    Who wins a trick by it leads the next one, except where the record says that somebody else did.
    """
    tricks = rows(table, moves)
    number, seat = place
    if not 0 <= number < len(tricks) or seat not in tricks[number].cards:
        raise UnclearError(Message("No card is written there."), "play")
    old = tricks[number].cards[seat]
    swap = {old: card, card: old}
    changed = [
        AmendedTrick(
            row.leader, row.is_told, {who: swap.get(one, one) for who, one in row.cards.items()}
        )
        for row in tricks
    ]
    return {**moves, "play": _format_play(table, changed)}


def _format_play(table: GameContext, tricks: list[AmendedTrick]) -> str:
    """The play in order: a trick that is not whole ends it."""
    said: list[str] = []
    leader = Seat(0)
    for row in tricks:
        leader = row.leader if row.is_told else leader
        order = [seat for seat in clockwise(leader, table.players) if seat in row.cards]
        cards = [row.cards[seat] for seat in order]
        if len(cards) < table.players and order != clockwise(leader, table.players)[: len(cards)]:
            words = Message("Somebody else leads the last trick then, and it is not whole.")
            raise UnclearError(words, "play")
        led = f"{table.seats[leader]}:" if row.is_told else ""
        said += [led + NAMES[cards[0]], *(NAMES[card] for card in cards[1:])]
        leader = left_of(leader, table.players, winning_place(tuple(cards)))
    return " ".join(said)


def with_passed(
    table: GameContext, moves: Mapping[str, object], seat: Seat, cards: tuple[Card, Card]
) -> dict[str, Any]:
    """The moves with one card in place of another in what a seat passed. Raises UnclearError.

    Whoever passed the right one, by what was written, passed the other.
    """
    old, new = cards
    both = BIT[old] | BIT[new]
    passed = {
        who: cards_named(str(mine), "pass")
        for who, mine in SubmittedFields(table, moves).by_seat("pass").items()
    }
    if not passed.get(seat, 0) & BIT[old]:
        raise UnclearError(Message("No card is written there."), "pass")
    changed = {}
    for who, mine in passed.items():
        has_one = mine & both in (BIT[old], BIT[new])
        changed[table.seats[who]] = show(CardSet(mine ^ both if has_one else mine))
    return {**moves, "pass": changed}
