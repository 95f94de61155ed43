"""Whole games as records, written as careful scorers write them."""

from typing import Final

from benchmarks.hands import SEED, Table, dice, played_out, record_of
from engine.core.seats import Seat
from engine.notation import to_document, write_record
from engine.record.game_state import GameState, beginning

HANDS_A_GAME: Final = 12


def texts(table: Table, seed: int) -> list[bytes]:
    """The records of one whole game, as careful scorers write them."""
    luck = dice(f"{SEED} {table} {seed}")
    state: GameState = beginning(table.rules, table.players, Seat(0))
    found: list[bytes] = []
    while state.over is None and len(found) < HANDS_A_GAME:
        hand = played_out(table.rules, state, luck)
        record = record_of(hand, state.hands + 1)
        written = write_record(to_document(record, {"Event": "Club night"}))
        found.append(("% PHN 1.0\n" + written).encode())
        state = hand.settle().after
    return found
