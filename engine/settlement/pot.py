"""The pot: who takes it, and the jackpot that it becomes when nobody does (rules.md A7, A8, C6)."""

from typing import Final, NamedTuple

from ..core.cards import Suit
from ..core.seats import Seat
from ..record.game_state import GameState
from ..rules.rules import Rules
from ..rules.switches import JackpotSplit, ThreePlayerSweep, ZeroClean

_CARRY_WITH_AUCTION: Final = ZeroClean.CARRY_WITH_AUCTION


def pot_winners(
    rules: Rules, before: GameState, clean: tuple[Seat, ...], *, swept: bool
) -> tuple[Seat, ...]:
    """Who takes the pot: one clean player, or two; nobody otherwise (A7.1-A7.4, C6.1-C6.5)."""
    if len(clean) == 1:
        return clean
    if len(clean) != 2:
        return ()
    if swept:
        divides = rules.three_player_sweep is ThreePlayerSweep.DIVIDE
        if before.players != 3 or not divides:
            return ()
    if before.jackpot and rules.jackpot_split is JackpotSplit.SOLE_WINNER_ONLY:
        return ()
    return clean


class Jackpot(NamedTuple):
    """The next jackpot hand, who names the suit in it, and which it was at first."""

    hand: int
    namer: Seat | None
    pain: Suit | None


NO_JACKPOT: Final = Jackpot(0, None, None)


def jackpot_after(
    rules: Rules,
    before: GameState,
    named: tuple[Seat | None, Suit | None],
    *,
    won: bool,
    nobody: bool,
) -> Jackpot:
    """The jackpot that a pot which nobody won becomes (A7.3, A7.4, C6.3, Q13).

    ``nobody`` was clean, where that is so. The bid-winner of the original auction keeps the right
    to name (Q11): they and their suit, ``named``, are those of this hand, or carried.
    """
    if won or (nobody and rules.zero_clean is _CARRY_WITH_AUCTION):
        return NO_JACKPOT
    if before.jackpot:
        return Jackpot(before.jackpot + 1, before.namer, before.pain)
    return Jackpot(1, *named)
