"""Starting states of prepared boards, which are alike at every table (DEC-6).

The number of a board fixes its dealer and its passing direction. Chips, pot, jackpot and used feet
are those of a first hand. What a table has won or lost on its boards is carried beside: its chips
and what was left in its pots are those that the game ends with.
"""

from dataclasses import replace

from ..core.seats import Seat
from ..record.game_state import GameState, beginning
from ..rules.rules import Rules, plays_for_chips


def first_state(rules: Rules, players: int, board: int) -> GameState:
    """Return what a game carries whose first board has this number.

    ``deals`` of what such a game carries is the number of the last board that is behind it.
    """
    return replace(beginning(rules, players, dealer_of(board, players)), deals=board - 1)


def dealer_of(board: int, players: int) -> Seat:
    """Return who deals a board: the first seat board 1, the next seat board 2."""
    return Seat((board - 1) % players)


def start_board(rules: Rules, carried: GameState, board: int) -> GameState:
    """Return the state in which a table begins a board.

    Feet that were called on this board stay used when it is dealt again.
    """
    anew = beginning(rules, carried.players, dealer_of(board, carried.players))
    start = replace(
        carried,
        dealer=anew.dealer,
        deals=board - 1,
        jackpot=0,
        namer=None,
        pain=None,
        due=None,
        over=None,
        winner=None,
    )
    if plays_for_chips(rules):
        start = replace(start, chips=anew.chips, bought=anew.bought, pot=0)
    return start


def start_next_board(rules: Rules, carried: GameState) -> GameState:
    """Return the state in which a table begins the board that is due."""
    return start_board(rules, carried, carried.deals + 1)


def finish_board(
    carried: GameState, start: GameState, after: GameState, *, is_behind: bool
) -> GameState:
    """Return what a game carries after a hand that began from ``start`` and left ``after``.

    ``is_behind``: the board is not dealt again at this table.
    """
    board = start.deals + 1
    last = max(carried.deals, board if is_behind else board - 1)
    gains = (now - then for now, then in zip(after.chips, start.chips, strict=True))
    return replace(
        after,
        dealer=dealer_of(last + 1, carried.players),
        deals=last,
        chips=tuple(chips + gain for chips, gain in zip(carried.chips, gains, strict=True)),
        bought=carried.bought + after.bought - start.bought,
        pot=carried.pot + after.pot - start.pot,
        feet=frozenset() if is_behind else after.feet,
        jackpot=0,
        namer=None,
        pain=None,
        due=None,
        over=None,
        winner=None,
    )
