"""The cost of a hand to each seat, as a table that a search or a simulation can add up.

The settlement itself is asked, once for every set of seats that can have taken a counting card
(rules.md A7, A8, B5, D6-D12, E6), so every switch of the rules counts as it does in a real hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import sub
from typing import Final

from ..core.cards import BIT, CARDS, EMPTY, QUEEN, CardSet, count, members
from ..core.messages import Choice, Message
from ..core.seats import Seat
from ..record.facts import Facts, Status
from ..record.game_state import GameState
from ..replay.play import Restrictions, restrictions
from ..replay.replay import Replay
from ..rules.rules import QUEEN_POINTS, Rules
from ..rules.switches import ON, SettledBy
from ..settlement.settlement import Kind, settle

PARTS_OF_A_CHIP: Final = 60
"""So many parts can be divided by three to six players without a remainder."""
_STACK: Final = 10_000
"""Chips with which everybody can pay whatever they owe."""


class Measure(Choice):
    """Measures of a cost."""

    POINTS = "points", Message("points")
    CHIPS = "chips", Message("chips")


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTable:
    """The cost of a hand: what its settlement takes from a seat; negative where it gives.

    Points of the hand, or chips lost after the first lead, in whole numbers of 1/``parts``. A seat
    pays ``weights[seat][card]`` for every card that it takes and, once, ``extra[mask][seat]``: bit
    s of ``mask`` is set where seat s took any card of ``counting``. Bids, and points paid for
    centre cards, are spent before the first lead and are left out. Chips that stay in the pot are
    everybody's in equal parts.

    Not in it: insolvency, the end of a game, all tricks as a moon. Where the shooter may choose
    and has not, a moon costs the others (Q39b).
    """

    measure: Measure
    parts: int
    counting: CardSet
    weights: tuple[tuple[int, ...], ...]
    extra: tuple[tuple[int, ...], ...]

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.weights)

    def costs(self, taken: Sequence[CardSet]) -> tuple[int, ...]:
        """Return each seat's cost of a whole hand from the cards that each seat took."""
        mask = sum(1 << seat for seat, cards in enumerate(taken) if cards & self.counting)
        return tuple(
            extra + sum(weights[card] for card in members(CardSet(cards & self.counting)))
            for extra, weights, cards in zip(self.extra[mask], self.weights, taken, strict=True)
        )


def cost_table(
    rules: Rules, before: GameState, facts: Facts, *, shares_pot: bool = True
) -> CostTable:
    """The costs of a hand, from the state before it and its pain suit, bid and papers.

    Captures in ``facts`` are not looked at. Without ``shares_pot``, chips that stay in the pot
    are nobody's. Raises ValueError where no pain suit is named.

    >>> from ..rules.presets import BICYCLE
    >>> from ..record.game_state import beginning
    >>> from ..core.cards import Suit
    >>> table = cost_table(BICYCLE, beginning(BICYCLE, 4), Facts(pain=Suit.HEARTS))
    >>> [cost // table.parts for cost in table.extra[0b1101]]
    [0, -13, 0, 0]
    """
    if facts.pain is None:
        raise ValueError("nothing costs anything before the pain suit is named")
    players, is_pot = before.players, rules.settlement is SettledBy.POT
    limits = restrictions(rules, facts.pain, players)
    papers = facts.papers if rules.insurance is ON and facts.papers else (0,) * players
    parts = PARTS_OF_A_CHIP if is_pot else 1
    table = CostTable(
        measure=Measure.CHIPS if is_pot else Measure.POINTS,
        parts=parts,
        counting=limits.penalty,
        weights=tuple(_weights(limits, paper, parts) for paper in papers),
        extra=((0,) * players,) * (1 << players),
    )
    rich = replace(before, chips=(_STACK,) * players, bought=_STACK * players + before.pot)
    extra = [(0,) * players]
    for mask in range(1, 1 << players):
        taken = _share_out(limits.penalty, mask, players)
        settlement = settle(rules, rich, _with_captures(facts, taken, limits))
        if settlement.score is None:
            kept = settlement.after.pot * parts // players if shares_pot else 0
            costs = [
                settlement.moved(Kind.CAPTURE, payer=Seat(seat)) * parts
                - settlement.moved(Kind.AWARD, payee=Seat(seat)) * parts
                - kept
                for seat in range(players)
            ]
        else:
            spent = facts.centre or (0,) * players
            costs = list(map(sub, settlement.score.points, spent))
        extra.append(tuple(map(sub, costs, table.costs(taken))))
    return replace(table, extra=tuple(extra))


def hand_costs(hand: Replay) -> CostTable:
    """The costs of a judged hand. Raises ValueError where its pain suit is not known."""
    return cost_table(hand.rules, hand.before, hand.facts)


def _weights(limits: Restrictions, paper: int, parts: int) -> tuple[int, ...]:
    """The cost of each card of the pack to a seat; who takes the queen is relieved (D11)."""
    weights = [parts if BIT[card] & limits.pain else 0 for card in CARDS]
    if limits.penalty & ~limits.pain:
        weights[QUEEN] = (QUEEN_POINTS - 2 * paper) * parts
    return tuple(weights)


def _share_out(counting: CardSet, mask: int, players: int) -> list[CardSet]:
    """Captures in which the seats of a mask, and no others, took the counting cards."""
    takers = [seat for seat in range(players) if mask >> seat & 1]
    taken = [EMPTY] * players
    for place, card in enumerate(members(counting)):
        seat = takers[min(place, len(takers) - 1)]
        taken[seat] = CardSet(taken[seat] | BIT[card])
    return taken


def _with_captures(facts: Facts, taken: Sequence[CardSet], limits: Restrictions) -> Facts:
    """The facts of a hand that was played out with these captures and no irregularity."""
    takers = (seat for seat, cards in enumerate(taken) if cards & limits.penalty & ~limits.pain)
    return replace(
        facts,
        status=Status.PLAYED,
        taken=tuple(count(CardSet(cards & limits.pain)) for cards in taken),
        queen=next(map(Seat, takers), None),
        tricks=(),
        offenders=(),
        adjust=(),
        chips=(),
        rebuys=(),
    )
