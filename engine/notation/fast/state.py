"""Compute the game state after a faultless hand, from raw numbers.

Applies the same rules as `games.game.judge_hand`. Anything unusual gives None, and the
caller judges the hand on the complete path.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import add, sub
from typing import Final, NamedTuple, cast

from ...core.cards import QUEEN_SET, CardSet, Suit
from ...core.seats import HOLD, Seat, left_of, turns
from ...record.game_state import GameState
from ...record.raw_hand import RawHand
from ...replay.auction import Contract, undisputed_contract
from ...replay.centre import resolve_valid_bids
from ...replay.course import Course, find_legal_course
from ...replay.exchange import passed_on
from ...replay.insurance import plain_numbers
from ...replay.play import Restrictions, opening_leader, restrictions
from ...rules.rules import QUEEN_POINTS, Rules, Stock, plays_for_chips
from ...rules.switches import (
    ON,
    Insolvency,
    JackpotSuit,
    Moon,
    MoonAllTricks,
    PainBy,
    SettledBy,
)
from ...settlement.game_end import apply_game_end
from ...settlement.pot import Jackpot, jackpot_after, pot_winners
from ...settlement.settlement import advance_state
from ...settlement.tables import score_columns


@dataclass(frozen=True, slots=True)
class _GameSetup:
    """The rules of a game as flags; hands can be judged here only if ``plain``.

    ``pot``, ``auction``, ``papers`` (insurance), ``centre``, ``queen`` and ``moon`` say whether
    these rules use them; ``limits`` are the restrictions of play by pain suit. A player left with
    fewer than ``least`` chips before the pot is won cannot pay, or may rebuy (A9.2, DEC-9).
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
def _make_setup(rules: Rules, players: int) -> _GameSetup:
    odd = rules.moon_all_tricks is MoonAllTricks.GAME or rules.misdeal_if_all_forbidden is ON
    by_hand = rules.settlement is not SettledBy.POT and plays_for_chips(rules)
    return _GameSetup(
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


class _PlayStart(NamedTuple):
    """Known facts before the first lead: holdings, payments by seat, contract, pain suit."""

    held: tuple[CardSet, ...]
    papers: Sequence[int]
    centre: Sequence[int]
    contract: Contract
    namer: Seat | None
    pain: Suit


_NO_CONTRACT: Final = Contract(None)
_HEARTS: Final = Suit.HEARTS


def find_state(rules: Rules, before: GameState, hand: RawHand) -> GameState | None:
    """Return the state after a fully played hand, or None unless it is certainly faultless.

    ``before`` is the state in which the hand was dealt.
    """
    setup = _make_setup(rules, len(before.chips))
    if not setup.plain or before.over is not None or not _is_plain(setup, before, hand):
        return None
    start = _prepare_play(setup, before, hand)
    course = None if start is None else _find_course(setup, before, hand, start)
    if start is None or course is None:
        return None
    if setup.pot:
        return _settle_pot(setup, before, hand, start, course)
    return _settle_points(setup, before, hand, start, course)


def _prepare_play(setup: _GameSetup, before: GameState, hand: RawHand) -> _PlayStart | None:
    rules = setup.rules
    papers, held = _check_papers(setup, hand), _holdings_after_pass(setup, before, hand)
    if papers is None or held is None:
        return None
    if setup.auction:
        return _check_auction(rules, before, hand, held)
    centre: Sequence[int] = ()
    if setup.centre:
        outcome = resolve_valid_bids(rules, hand.centre, hand.bids or (), held)
        if outcome is None:
            return None
        held = cast("tuple[CardSet, ...]", tuple(map(add, held, outcome[0])))
        centre = outcome[1]
    return _PlayStart(held, papers, centre, _NO_CONTRACT, None, _HEARTS)


def _is_plain(setup: _GameSetup, before: GameState, hand: RawHand) -> bool:
    """Whether a hand has no claim, ruling, mark or rebuy and exactly the tables that are due."""
    odd = hand.captures or hand.rulings or hand.marks or hand.rebuys
    if odd or hand.claim is not None:
        return False
    named = hand.auction is not None or hand.pain not in (None, _HEARTS)
    foreign = hand.namer is not None or hand.jackpot is not None
    if foreign and not setup.auction:
        return False
    if (named and not setup.auction) or (hand.pot_cells is None) is setup.pot:
        return False
    if hand.bids is not None and not setup.centre:
        return False
    if hand.score_columns != setup.columns or hand.score_seats != setup.seats:
        return False
    return hand.dealer == before.dealer


def _check_papers(setup: _GameSetup, hand: RawHand) -> tuple[int, ...] | None:
    """Return the insurance numbers, or None if papers are missing, unexpected or unusual (D10)."""
    if hand.papers is not None:
        return plain_numbers(setup.rules, hand.papers)
    return None if setup.papers else ()


def _holdings_after_pass(
    setup: _GameSetup, before: GameState, hand: RawHand
) -> tuple[CardSet, ...] | None:
    """Return the holdings after the pass, or None if deal or pass is wrong (K3, K4, D2)."""
    _, pack, aside, size, *_ = setup.stock
    deal, due = hand.deal or (), setup.rules.direction(before.deals)
    sizes = [held.bit_count() for held in deal]
    # Sets of the right sizes that sum to the whole pack have no card in common.
    if sum(deal) + hand.centre != pack or sizes != [size] * len(setup.seats):
        return None
    if hand.centre.bit_count() != aside or hand.direction not in (None, due):
        return None
    if hand.exchange:
        return passed_on(deal, hand.exchange, due, setup.rules.pass_count)
    return deal if due == HOLD else None


def _check_auction(
    rules: Rules, before: GameState, hand: RawHand, held: tuple[CardSet, ...]
) -> _PlayStart | None:
    """Check a plain auction or a jackpot hand, and its suit (A3, A8, C3, C4, C7)."""
    pain, calls = hand.pain, hand.auction
    if pain is None or hand.jackpot != (before.jackpot or None):
        return None
    if before.jackpot:
        namer, contract = before.namer, _NO_CONTRACT
        free = rules.jackpot_suit is not JackpotSuit.SAME or before.pain in (None, pain)
        fine = calls is None and free
    else:
        eldest = left_of(before.dealer, len(before.chips))
        bids = None if calls is None else undisputed_contract(rules, before.chips, calls, eldest)
        contract = bids or _NO_CONTRACT
        namer = contract.bidder
        fine = before.pot <= 1 and hand.first_caller in (None, eldest)
    if not fine or namer is None or hand.namer not in (None, namer):
        return None
    return _PlayStart(held, (), (), contract, namer, pain)


def _find_course(
    setup: _GameSetup, before: GameState, hand: RawHand, start: _PlayStart
) -> Course | None:
    """Return the course of a complete, legal play, or None (K5, A4-A6, D3-D5)."""
    cards, columns, players = hand.cards, hand.columns, len(start.held)
    if cards is None or columns is None or columns != turns(columns[0], players):
        return None
    if len(cards) != players * setup.stock.tricks:
        return None
    eldest = left_of(before.dealer, players)
    if columns[0] != opening_leader(setup.rules, eldest, start.namer, start.held):
        return None
    limits = setup.limits[start.pain]
    # A card is a number, and the bytes of a play (`RawHand.cards`) are such numbers untyped.
    return find_legal_course(columns, cards, 0, start.held, limits)  # type: ignore[arg-type]


def _settle_pot(
    setup: _GameSetup, before: GameState, hand: RawHand, start: _PlayStart, course: Course
) -> GameState | None:
    """Settle a hand for the pot; None if the written scores differ (A7, A8, C6, C7)."""
    rules, stacks = setup.rules, before.chips
    bidder, bid = start.contract.bidder, start.contract.bid
    pain = setup.limits[start.pain].pain
    taken = [(cards & pain).bit_count() for cards in course.taken]
    nothing = [0] * len(stacks)
    bids, won = nothing, nothing
    chips = list(map(sub, stacks, taken))
    if bidder is not None:
        bids = nothing.copy()
        bids[bidder] = bid
        chips[bidder] -= bid
    paid = taken
    if min(chips) < setup.least:
        # Players who owe more than they hold pay what they hold (A9.2).
        if rules.insolvency is not Insolvency.PAY_WHAT_YOU_HAVE or min(stacks) < 0:
            return None
        paid = [owed + min(rest, 0) for owed, rest in zip(taken, chips, strict=True)]
        chips = [max(rest, 0) for rest in chips]
    total = sum(paid)
    pot = left = before.pot + bid + total
    clean = tuple([seat for seat in setup.seats if not taken[seat]])
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
            rules, before, (bidder, start.pain), won=bool(winners), nobody=not clean
        ),
    )
    return apply_game_end(rules, before, after)


def _settle_points(
    setup: _GameSetup, before: GameState, hand: RawHand, start: _PlayStart, course: Course
) -> GameState | None:
    """Settle a hand for points; None if the written scores differ (B5, D6, D11, E6)."""
    pain = setup.limits[_HEARTS].pain
    nothing = [0] * len(course.taken)
    taken = [(cards & pain).bit_count() for cards in course.taken]
    lines = [taken]
    if setup.queen:
        taker = [bool(cards & QUEEN_SET) for cards in course.taken].index(True)
        if setup.moon and taken[taker] == sum(taken):
            # The moon (D7, D12) can be scored in several ways: leave it to the complete path.
            return None
        lines.append(nothing.copy())
        lines[-1][taker] = QUEEN_POINTS
        if start.papers:
            lines.append([*start.papers])
            lines[-1][taker] = -start.papers[taker]
    if start.centre:
        lines.append([*start.centre])
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
    return apply_game_end(setup.rules, before, after)
