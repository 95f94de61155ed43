"""The end of a game: whether this was its last hand, and the places (rules.md A9.3, A10, D8, E7).

Pure functions of the rules and of a state; the questions Q21 to Q29 and Q42 are answered here.
"""

from dataclasses import replace
from math import lcm
from typing import Final

from ..core.ranking import places
from ..record.game_state import EndReason, GameState
from ..rules.rules import Rules
from ..rules.switches import EndPot, Ends, Passing, SettledBy, Tie, Tiebreak, Winner

# An enumeration takes long to find a member by its name, and these are asked after every hand.
_LIMIT: Final = Ends.LIMIT
_HANDS: Final = Ends.HANDS
_ORBITS: Final = Ends.DEALER_ORBITS
_FOR_POT: Final = SettledBy.POT


def apply_game_end(rules: Rules, before: GameState, after: GameState) -> GameState:
    """The state with the end of the game, if this hand ended it (A9.3, D8, E7, Q21-Q29)."""
    reason = before.over or before.due or end_reason(rules, after)
    if reason is None:
        return after
    pot_to_win = rules.end_pot is EndPot.PLAY_UNTIL_WON and _has_pot_to_win(after)
    tie_to_break = rules.tie is Tie.EXTRA_HAND and standings(rules, after).count(1) > 1
    if pot_to_win or tie_to_break:
        return replace(after, due=reason)
    return replace(after, due=None, over=reason)


def _has_pot_to_win(state: GameState) -> bool:
    """Whether a jackpot is carried, or a pot of more than the odd chip that a division leaves."""
    return state.jackpot > 0 or state.pot > 1


def end_reason(rules: Rules, state: GameState) -> EndReason | None:
    """Whether the game has reached its end, and by which measure (Q23, Q28, Q42)."""
    ends, number = rules.length
    if ends is _LIMIT:
        if max(state.totals) >= rules.limit:
            return EndReason.LIMIT
    elif ends is _HANDS:
        if state.hands >= number:
            return EndReason.HANDS
    elif ends is _ORBITS and min(state.dealt) >= number:
        return EndReason.ORBITS
    broke = rules.settlement is _FOR_POT and min(state.chips) <= 0
    return EndReason.BUST if broke else None


def hands_until_even(rules: Rules, state: GameState) -> int | None:
    """After how many more hands nobody is ahead by when the game stops; None: no number does.

    Everybody has dealt equally often then, passing has gone round its cycle (D2), and no pot or
    jackpot is carried: one that is carried now is taken to be won by then. A foot is called once a
    game (D30): as long as some have called theirs and others not, it would be lost to those.

    >>> from ..record.game_state import beginning
    >>> from ..rules.presets import BICYCLE, STANDARD
    >>> hands_until_even(BICYCLE, replace(beginning(BICYCLE, 4), deals=6))
    2
    >>> hands_until_even(STANDARD, replace(beginning(STANDARD, 4), deals=4))
    0
    """
    if 0 < len(state.feet) < state.players:
        return None
    cycle = len(rules.pass_cycle) if rules.passing is Passing.CYCLE else 1
    whole = lcm(state.players, cycle)
    left = -state.deals % whole
    return left or (0 if state.deals and not _has_pot_to_win(state) else whole)


def standing_values(rules: Rules, state: GameState) -> list[int]:
    """Return the ranking values, higher is better: chips, or points taken negative."""
    if rules.settlement is SettledBy.POT:
        return list(state.chips)
    return [-total for total in state.totals]


def standings(rules: Rules, state: GameState) -> list[int]:
    """The place of each seat, by what the house counts; ties as it says (A10, Q21, Q27, Q69)."""
    if rules.winner is Winner.TRICKS:
        return places(state.tricks)
    values = standing_values(rules, state)
    if rules.tiebreak is Tiebreak.TRICKS:
        return places(list(zip(values, state.tricks, strict=True)))
    return places(values)


def final_places(rules: Rules, state: GameState) -> tuple[int, ...]:
    """The places if the game ends in this state; who won by all tricks is first (Q23)."""
    if state.winner is not None:
        counts_tricks = rules.winner is Winner.TRICKS
        values = list(state.tricks) if counts_tricks else standing_values(rules, state)
        values[state.winner] = max(values) + 1
        return tuple(places(values))
    return tuple(standings(rules, state))
