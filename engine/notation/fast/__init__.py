"""The fast path: a canonical record in which nothing is wrong, from text to settled state.

Programs write nearly all records, in canonical form, and for most hands only the resulting game
state is needed. `read_fast` is the entry point. It accepts a text only if every byte is where the
canonical form puts it and nothing needs a diagnostic; otherwise it returns None and the caller
takes the complete path. That path is the specification: `notation.reader` reads the same
record from every accepted text, and `games.game.judge_hand` finds no fault and the same
state whenever `FastRecord.state_after` returns one. Property tests compare the two
(tests/engine/notation/test_laws.py, tests/engine/test_fast_path.py).

    record      the text and its parts -> header (tags), tables, cells (values looked up)
    state       the hand -> the state that it leaves
"""

from .header import NOT_CONTENT
from .record import FastRecord, read_fast
from .tables import FastHand, table_in

__all__ = ["NOT_CONTENT", "FastHand", "FastRecord", "read_fast", "table_in"]
