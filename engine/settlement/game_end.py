"""The end of a game: whether this was its last hand, and the places (rules.md A9.3, A10, D8, E7).

Pure functions of the rules and of a state; the questions Q21 to Q29 and Q42 are answered here.
"""

from dataclasses import replace
from typing import Final

from ..core.ranking import places
from ..record.game_state import EndReason, GameState
from ..rules.rules import Rules
from ..rules.switches import EndPot, Ends, SettledBy, Tie, Tiebreak, Winner

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
    pot_to_win = rules.end_pot is EndPot.PLAY_UNTIL_WON and (after.jackpot or after.pot > 1)
    tie_to_break = rules.tie is Tie.EXTRA_HAND and standings(rules, after).count(1) > 1
    if pot_to_win or tie_to_break:
        return replace(after, due=reason)
    return replace(after, due=None, over=reason)


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
