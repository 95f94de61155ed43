"""Payouts: what a game comes to in money when it ends (rules.md A11, B6, E8, Q25, Q26, Q31, Q33).

Pure. The engine shares; here is only what lies in the pool, and where a left pot's value goes when
the club keeps its jackpots.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from engine.core.seats import left_of
from engine.games.game import final
from engine.record.game_state import GameState
from engine.rules.rules import Rules, plays_for_chips
from engine.rules.switches import AverageEach, EndPot, Prize, SettledBy, SpareUnits
from engine.settlement.payout import share_pool, share_with_carried_pot
from scoring.models import EntryKind


@dataclass(frozen=True, slots=True)
class Stake:
    """Every seat's stake in the pool at the beginning; 0 where no money is played for."""

    kind: EntryKind
    amount: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A game's part of the club's jackpot: chips into its pot, money into its pool."""

    chips: int = 0
    money: int = 0


@dataclass(frozen=True, slots=True)
class GamePayout:
    """The money of a game at its end: by seat, to the club's fund, to the club's jackpot.

    Together they are the whole ``pool``. A seat with chips below zero pays instead (Q22).
    """

    pool: int
    amounts: tuple[int, ...]
    fund: int = 0
    jackpot: int = 0


def currency_of(club: str, rules: Rules) -> str:
    """The currency of a game: that of its rules, else that of the club's books."""
    return club if rules.currency == "none" else rules.currency


def stake(rules: Rules) -> Stake:
    """Return every seat's stake in the pool at the beginning (A1, E8)."""
    if rules.settlement is SettledBy.AVERAGE and rules.average_each is AverageEach.SESSION:
        return Stake(EntryKind.BUYIN, 0)
    if rules.prize is Prize.WINNER_TAKES_ALL:
        return Stake(EntryKind.ANTE, rules.ante)
    return Stake(EntryKind.BUYIN, rules.buy_in if plays_for_chips(rules) else 0)


def worth(club: str, rules: Rules) -> str:
    """Return the price of a chip and its currency, exactly; empty where chips cost nothing.

    Jackpots of games whose chips have one worth are one; others never meet.
    """
    owed = stake(rules)
    if owed.kind != EntryKind.BUYIN or not owed.amount:
        return ""
    return f"{Fraction(owed.amount, rules.starting_chips)} {currency_of(club, rules)}"


def outcome(
    rules: Rules, state: GameState, drawn: Drawn, *, keeps_jackpot: bool, old_law: bool = False
) -> GamePayout:
    """Share the money of a game that ends in some state; ``old_law``: see `scoring.models.Game`."""
    if stake(rules).kind == EntryKind.BUYIN and stake(rules).amount:
        if keeps_jackpot and old_law:
            return _by_old_law(rules, state, drawn)
        return _by_chips(rules, state, drawn, keeps_jackpot=keeps_jackpot)
    payout = final(rules, state).payout
    if payout is None:
        return GamePayout(0, (0,) * state.players)
    return GamePayout(sum(payout.amounts) + payout.fund, payout.amounts, payout.fund)


def _by_chips(rules: Rules, state: GameState, drawn: Drawn, *, keeps_jackpot: bool) -> GamePayout:
    """The pool by chips held at the end; a pot that is kept goes on with its worth (DEC-11)."""
    pool, jackpot = _pool(rules, state, drawn), 0
    last_dealer = left_of(state.dealer, state.players, -1)
    if keeps_jackpot:
        payout, jackpot = share_with_carried_pot(rules, pool, state.chips, state.pot, last_dealer)
    else:
        payout = share_pool(rules, pool, state.chips, state.pot, last_dealer)
    return GamePayout(pool, payout.amounts, payout.fund, jackpot)


def _pool(rules: Rules, state: GameState, drawn: Drawn) -> int:
    """The money on the table; chips from the jackpot cost nobody here anything."""
    stacks = (state.bought - drawn.chips) // rules.starting_chips
    return rules.buy_in * stacks + drawn.money


def _by_old_law(rules: Rules, state: GameState, drawn: Drawn) -> GamePayout:
    """Return the closing by the law before DEC-11: the kept pot came last among equal fractions."""
    pool, last_dealer = _pool(rules, state, drawn), left_of(state.dealer, state.players, -1)
    kept = replace(rules, end_pot=EndPot.CLUB_FUND)
    payout = share_pool(kept, pool, state.chips, state.pot, last_dealer)
    floored = rules.spare_units is SpareUnits.CLUB_FUND
    jackpot = pool * state.pot // state.bought if floored else payout.fund
    return GamePayout(pool, payout.amounts, payout.fund - jackpot, jackpot)
