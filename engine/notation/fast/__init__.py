"""The fast path: a canonical record in which nothing is wrong, from text to settled state.

Nearly all records are written by a program, in the canonical form, and of nearly all hands nothing
has to be known but the state that they leave. `read_fast` is the one way in: it accepts a text only
when every byte is where the canonical form puts it and nothing asks for a diagnostic, and gives
up (None) on anything else. The complete way is its specification: `engine.notation.reader` reads
the same record from every text that is accepted, and `engine.game.judge_hand` finds no fault and
leaves the same state wherever `FastRecord.state_after` tells one. Properties compare both
(tests/engine/notation/test_laws.py, tests/engine/test_fast_path.py).

    record      the text and its parts -> header (tags), tables, cells (values looked up)
    state       the hand -> the state that it leaves
"""

from engine.notation.fast.header import NOT_CONTENT
from engine.notation.fast.record import FastRecord, read_fast
from engine.notation.fast.tables import FastHand

__all__ = ["NOT_CONTENT", "FastHand", "FastRecord", "read_fast"]
