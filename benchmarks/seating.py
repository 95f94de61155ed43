"""Figure 9: seating an event: how near to the least cost, and how fast (tournaments.md 2.3)."""

import time
from collections.abc import Iterator
from typing import Final

from benchmarks.figures import Figure, verdict
from tournaments.movements import Certificate, MovementPlan, plan

_ENTRANTS: Final = (8, 12, 16, 20, 24, 28, 32, 40, 64, 100, 200, 400)
_ROUNDS: Final = (3, 5, 7, 10)
_SEED: Final = 1
_CELLS: Final = 41
"""How many cells have to reach the bound."""
_SLOWEST: Final = 2.5
_LARGEST: Final = 1.0
"""Seconds for a cell, and for 400 players x 10 rounds."""


def figures(rounds: int) -> Iterator[Figure]:
    """The 48 cells that tournaments.md measures; each seed of as many rounds plans them anew."""
    cells = {
        (entrants, played): [_measured(entrants, played, _SEED + turn) for turn in range(rounds)]
        for entrants in _ENTRANTS
        for played in _ROUNDS
    }
    yield _summary(list(cells.values()), [seconds for _, seconds in cells[400, 10]])
    yield _grid(cells)


Measured = tuple[Certificate, float]


def _measured(entrants: int, rounds: int, seed: int) -> Measured:
    begun = time.process_time()
    found: MovementPlan = plan(entrants, rounds, seed=seed)
    return found.certificate, time.process_time() - begun


def _summary(cells: list[list[Measured]], largest: list[float]) -> Figure:
    fewest = min(
        sum(cell[turn][0].is_best and cell[turn][1] <= _SLOWEST for cell in cells)
        for turn in range(len(cells[0]))
    )
    slowest = max(seconds for cell in cells for _, seconds in cell)
    spread = max(told.seat_spread for cell in cells for told, _ in cell)
    rows = [
        [
            f"cells of {len(cells)} at the lower bound, worst seed", str(fewest),
            f">= {_CELLS}", verdict(reached=fewest >= _CELLS),
        ],
        [
            "slowest cell, CPU s", f"{slowest:.2f}",
            f"<= {_SLOWEST}", verdict(reached=slowest <= _SLOWEST),
        ],
        [
            "400 players x 10 rounds, slowest, CPU s", f"{max(largest):.2f}",
            f"<= {_LARGEST}", verdict(reached=max(largest) <= _LARGEST),
        ],
        ["seats of a player differ by", str(spread), "<= 1", verdict(reached=spread <= 1)],
    ]  # fmt: skip
    return Figure("Seating an event", ["what", "measured", "goal", "reached"], rows)


def _grid(cells: dict[tuple[int, int], list[Measured]]) -> Figure:
    rows = []
    for (entrants, rounds), found in cells.items():
        worst = max(found, key=lambda each: each[0].quality)[0]
        row = [entrants, rounds, worst.quality, worst.bound, worst.repeats, worst.most_meetings]
        seconds = sorted(seconds for _, seconds in found)
        rows.append([*map(str, row), f"{seconds[len(seconds) // 2]:.2f}", f"{seconds[-1]:.2f}"])
    columns = ["players", "rounds", "Q", "bound", "repeats", "most meetings"]
    columns += ["median CPU s", "worst CPU s"]
    note = (
        "The worst of all seeds. Q is the sum over pairs of C(meetings, 2). The bound of 8 players "
        "in 10 rounds is what an exact solver proved (204), the others are formulas."
    )
    return Figure("Seatings, cell by cell", columns, rows, note)
