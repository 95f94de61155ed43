"""The state that a hand leaves in which nothing is wrong.

The rules are those that `engine.game.judge_hand` applies, on the bare numbers that were read.
At the first thing that wants a second look the answer is None.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import add, sub
from typing import Final, NamedTuple, cast

from engine.auction import Contract, rising
from engine.cards import QUEEN_SET, CardSet, Suit
from engine.centre import resolve_valid_bids
from engine.course import Course, find_legal_course
from engine.exchange import passed_on
from engine.game_end import apply_game_end
from engine.game_state import GameState, plays_for_chips
from engine.insurance import plain_numbers
from engine.play import Restrictions, opening_leader, restrictions
from engine.pot import Jackpot, jackpot_after, pot_winners
from engine.record.raw_hand import RawHand
from engine.rules.rules import QUEEN_POINTS, Rules, Stock
from engine.rules.switches import (
    ON,
    Insolvency,
    JackpotSuit,
    Moon,
    MoonAllTricks,
    PainBy,
    SettledBy,
)
from engine.seats import HOLD, Seat, left_of, turns
from engine.settlement import advance_state
from engine.tables import score_columns


@dataclass(frozen=True, slots=True)
class _Ground:
    """What all hands of a game have in common; ``plain`` hands can be judged here.

    It is played for a ``pot``, after an ``auction``, with insurance ``papers``, a ``centre``, a
    ``queen`` and a ``moon`` where the rules say so; ``limits`` are the restrictions of the play
    by pain suit. Who has fewer than the ``least`` chips left before the pot is won cannot pay, or
    may buy chips again (A9.2, DEC-9).
    """

    rules: Rules
    plain: bool
    pot: bool
    auction: bool
    papers: bool
    centre: bool
    queen: bool
    moon: bool
    least: int
    stock: Stock
    seats: tuple[Seat, ...]
    columns: tuple[str, ...]
    limits: tuple[Restrictions, ...]


@lru_cache(maxsize=256)
def _ground(rules: Rules, players: int) -> _Ground:
    odd = rules.moon_all_tricks is MoonAllTricks.GAME or rules.misdeal_if_all_forbidden is ON
    by_hand = rules.settlement is not SettledBy.POT and plays_for_chips(rules)
    return _Ground(
        rules=rules,
        plain=not odd and not by_hand,
        pot=rules.settlement is SettledBy.POT,
        auction=rules.pain is PainBy.AUCTION,
        papers=rules.insurance is ON,
        centre=rules.centre_auction is ON,
        queen=rules.queen is ON,
        moon=rules.moon is not Moon.NONE,
        least=1 if rules.insolvency is Insolvency.REBUY else 0,
        stock=rules.stock(players),
        seats=turns(Seat(0), players),
        columns=score_columns(rules),
        limits=tuple([restrictions(rules, suit, players) for suit in Suit]),
    )


class _Eve(NamedTuple):
    """What is known before the first lead: the hands, and what was paid for; by seat."""

    held: tuple[CardSet, ...]
    papers: Sequence[int]
    centre: Sequence[int]
    contract: Contract
    namer: Seat | None
    pain: Suit


_NO_CONTRACT: Final = Contract(None)
_HEARTS: Final = Suit.HEARTS


def find_state(rules: Rules, before: GameState, hand: RawHand) -> GameState | None:
    """The state after a hand, if everything written of it is right; None where it may not be.

    The hand has been played to its end; ``before`` is the state in which it was dealt.
    """
    ground = _ground(rules, len(before.chips))
    if not ground.plain or before.over is not None or not _is_plain(ground, before, hand):
        return None
    eve = _eve(ground, before, hand)
    course = None if eve is None else _course(ground, before, hand, eve)
    if eve is None or course is None:
        return None
    if ground.pot:
        return _pot(ground, before, hand, eve, course)
    return _points(ground, before, hand, eve, course)


def _eve(ground: _Ground, before: GameState, hand: RawHand) -> _Eve | None:
    rules = ground.rules
    papers, held = _papers(ground, hand), _holdings_after_pass(ground, before, hand)
    if papers is None or held is None:
        return None
    if ground.auction:
        return _auction(rules, before, hand, held)
    centre: Sequence[int] = ()
    if ground.centre:
        outcome = resolve_valid_bids(rules, hand.centre, hand.bids or (), held)
        if outcome is None:
            return None
        held = cast("tuple[CardSet, ...]", tuple(map(add, held, outcome[0])))
        centre = outcome[1]
    return _Eve(held, papers, centre, _NO_CONTRACT, None, _HEARTS)


def _is_plain(ground: _Ground, before: GameState, hand: RawHand) -> bool:
    """Whether a hand is written as most are: no claim, ruling or mark, and the due tables."""
    odd = hand.captures or hand.rulings or hand.marks or hand.rebuys
    if odd or hand.claim is not None:
        return False
    named = hand.auction is not None or hand.pain not in (None, _HEARTS)
    foreign = hand.namer is not None or hand.jackpot is not None
    if foreign and not ground.auction:
        return False
    if (named and not ground.auction) or (hand.pot_cells is None) is ground.pot:
        return False
    if hand.bids is not None and not ground.centre:
        return False
    if hand.score_columns != ground.columns or hand.score_seats != ground.seats:
        return False
    return hand.dealer == before.dealer


def _papers(ground: _Ground, hand: RawHand) -> tuple[int, ...] | None:
    """The insurance papers, where there are some just when there should be (D10)."""
    if hand.papers is not None:
        return plain_numbers(ground.rules, hand.papers)
    return None if ground.papers else ()


def _holdings_after_pass(
    ground: _Ground, before: GameState, hand: RawHand
) -> tuple[CardSet, ...] | None:
    """The hands after the pass, of a right deal and a right pass (K3, K4, D2)."""
    _, pack, aside, size, *_ = ground.stock
    deal, due = hand.deal or (), ground.rules.direction(before.deals)
    sizes = [held.bit_count() for held in deal]
    # Sets of the right sizes that sum to the whole pack have no card in common.
    if sum(deal) + hand.centre != pack or sizes != [size] * len(ground.seats):
        return None
    if hand.centre.bit_count() != aside or hand.direction not in (None, due):
        return None
    if hand.exchange:
        return passed_on(deal, hand.exchange, due, ground.rules.pass_count)
    return deal if due == HOLD else None


def _auction(
    rules: Rules, before: GameState, hand: RawHand, held: tuple[CardSet, ...]
) -> _Eve | None:
    """An auction of rising bids, or a jackpot hand, with its suit named (A3, A8, C3, C4, C7)."""
    pain, calls = hand.pain, hand.auction
    if pain is None or hand.jackpot != (before.jackpot or None):
        return None
    if before.jackpot:
        namer, contract = before.namer, _NO_CONTRACT
        free = rules.jackpot_suit is not JackpotSuit.SAME or before.pain in (None, pain)
        fine = calls is None and free
    else:
        eldest = left_of(before.dealer, len(before.chips))
        bids = None if calls is None else rising(rules, before.chips, calls, eldest)
        contract = bids or _NO_CONTRACT
        namer = contract.bidder
        fine = before.pot <= 1 and hand.first_caller in (None, eldest)
    if not fine or namer is None or hand.namer not in (None, namer):
        return None
    return _Eve(held, (), (), contract, namer, pain)


def _course(ground: _Ground, before: GameState, hand: RawHand, eve: _Eve) -> Course | None:
    """The course of a play of all cards to which nobody could object (K5, A4-A6, D3-D5)."""
    cards, columns, players = hand.cards, hand.columns, len(eve.held)
    if cards is None or columns is None or columns != turns(columns[0], players):
        return None
    if len(cards) != players * ground.stock.tricks:
        return None
    eldest = left_of(before.dealer, players)
    if columns[0] != opening_leader(ground.rules, eldest, eve.namer, eve.held):
        return None
    # Cards are numbers, here the bytes of a play (`RawHand.cards`).
    return find_legal_course(columns, cards, 0, eve.held, ground.limits[eve.pain])  # type: ignore[arg-type]


def _pot(
    ground: _Ground, before: GameState, hand: RawHand, eve: _Eve, course: Course
) -> GameState | None:
    """The state after a hand for the pot, if it is the one that is written (A7, A8, C6, C7)."""
    rules, stacks = ground.rules, before.chips
    bidder, bid = eve.contract.bidder, eve.contract.bid
    pain = ground.limits[eve.pain].pain
    taken = [(cards & pain).bit_count() for cards in course.taken]
    nothing = [0] * len(stacks)
    bids, won = nothing, nothing
    chips = list(map(sub, stacks, taken))
    if bidder is not None:
        bids = nothing.copy()
        bids[bidder] = bid
        chips[bidder] -= bid
    paid = taken
    if min(chips) < ground.least:
        # Players who owe more than they hold pay what they hold (A9.2).
        if rules.insolvency is not Insolvency.PAY_WHAT_YOU_HAVE or min(stacks) < 0:
            return None
        paid = [owed + min(rest, 0) for owed, rest in zip(taken, chips, strict=True)]
        chips = [max(rest, 0) for rest in chips]
    total = sum(paid)
    pot = left = before.pot + bid + total
    clean = tuple([seat for seat in ground.seats if not taken[seat]])
    winners = pot_winners(rules, before, clean, swept=sum(taken) in taken)
    if winners:
        each, left = divmod(pot, len(winners))
        won = nothing.copy()
        for seat in winners:
            won[seat] = each
            chips[seat] += each
    rows = zip(taken, stacks, bids, paid, won, chips, strict=True)
    if hand.score_cells != tuple(chain.from_iterable(rows)):
        return None
    if hand.pot_cells != (before.pot, bid, total, pot - left, left):
        return None
    after = advance_state(
        before,
        chips=tuple(chips),
        pot=left,
        bought=before.bought,
        totals=before.totals,
        tricks=course.won,
        jackpot=jackpot_after(
            rules, before, (bidder, eve.pain), won=bool(winners), nobody=not clean
        ),
    )
    return apply_game_end(rules, before, after)


def _points(
    ground: _Ground, before: GameState, hand: RawHand, eve: _Eve, course: Course
) -> GameState | None:
    """The state after a hand for points, if it is the one that is written (B5, D6, D11, E6)."""
    pain = ground.limits[_HEARTS].pain
    nothing = [0] * len(course.taken)
    taken = [(cards & pain).bit_count() for cards in course.taken]
    lines = [taken]
    if ground.queen:
        taker = [bool(cards & QUEEN_SET) for cards in course.taken].index(True)
        if ground.moon and taken[taker] == sum(taken):
            # A moon (D7, D12).
            return None
        lines.append(nothing.copy())
        lines[-1][taker] = QUEEN_POINTS
        if eve.papers:
            lines.append([*eve.papers])
            lines[-1][taker] = -eve.papers[taker]
    if eve.centre:
        lines.append([*eve.centre])
    points = list(map(sum, zip(*lines, strict=True)))
    totals = tuple(map(add, before.totals, points))
    rows = zip(*lines, nothing, nothing, points, totals, strict=True)
    if hand.score_cells != tuple(chain.from_iterable(rows)):
        return None
    after = advance_state(
        before,
        chips=before.chips,
        pot=before.pot,
        bought=before.bought,
        totals=totals,
        tricks=course.won,
        jackpot=Jackpot(before.jackpot, before.namer, before.pain),
    )
    return apply_game_end(ground.rules, before, after)
