"""Time, fairly: all runners in turn, round after round, on CPU time; only ratios are kept.

The speed of a shared machine moves by a factor of two within minutes. Within one round all
runners meet about the same machine, so the median over the rounds of the ratios of two runners
says more than any rate.
"""

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

ROUNDS: Final = 7


@dataclass(frozen=True)
class Runner:
    """Something that takes time: ``run`` does its work once and says how many hands it was."""

    name: str
    run: Callable[[], int]


@dataclass(frozen=True)
class Race:
    """Seconds a hand by runner, one number a round."""

    seconds: dict[str, list[float]]

    def cost(self, name: str) -> float:
        """The median microseconds a hand."""
        return median(self.seconds[name]) * 1e6

    def ratio(self, name: str, base: str) -> float:
        """How many times as much one runner costs as another: the median over the rounds."""
        pairs = zip(self.seconds[name], self.seconds[base], strict=True)
        return median(mine / theirs for mine, theirs in pairs)


def race(runners: Sequence[Runner], rounds: int = ROUNDS) -> Race:
    """Let runners take turns; a round before the first one warms everything up."""
    seconds: dict[str, list[float]] = {runner.name: [] for runner in runners}
    gc.collect()
    gc.freeze()
    for number in range(rounds + 1):
        for runner in runners:
            spent = clocked(runner)
            if number:
                seconds[runner.name].append(spent)
    gc.unfreeze()
    return Race(seconds)


def clocked(runner: Runner) -> float:
    """The CPU seconds that a runner needs for one hand."""
    before = time.process_time()
    hands = runner.run()
    return (time.process_time() - before) / hands
