"""Instructions of the interpreter that a hand costs: the same on every machine and at any hour.

They do not tell how long a hand takes, but whether the engine has other work to do than when its
times were measured (tests/benchmarks/test_figures.py).
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any, Final

from benchmarks.figures import Figure
from benchmarks.hands import TABLES, Written, games, text_of
from engine.replay.replay import replay
from engine.verdicts.judge import Judge

TITLE: Final = "Instructions a hand"
_HANDS: Final = 12
"""So many of each system."""


def count_instructions(work: Callable[[], object]) -> int:
    """Count the instructions of Python code that ``work`` runs, the second time that it is done."""
    counted = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal counted
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        counted += event == "opcode"
        return trace

    work()
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


def count_of_hands() -> dict[str, tuple[int, ...]]:
    """By system, the instructions of a hand that is replayed, judged from text, and written."""
    return {str(table): _count(list(games(table, _HANDS))) for table in TABLES}


def _count(hands: Sequence[Written]) -> tuple[int, ...]:
    text = "% PHN 1.0\n" + "\n".join(map(text_of, hands))
    ways: tuple[Callable[[], object], ...] = (
        lambda: [replay(one.record) for one in hands],
        lambda: [record.ok for record in Judge(text)],
        lambda: [text_of(one) for one in hands],
    )
    return tuple(count_instructions(way) // len(hands) for way in ways)


def figures(_rounds: int) -> Iterator[Figure]:
    """One table of all systems."""
    rows = [[name, *(f"{one:,}" for one in counts)] for name, counts in count_of_hands().items()]
    note = (
        "Instructions of the interpreter, without what C code does: the same on every machine. A "
        "test counts them anew, and fails where they differ by more than 5 %: then the times of "
        "the engine are measured again."
    )
    yield Figure(TITLE, ["system", "replayed", "judged from text", "written"], rows, note)
