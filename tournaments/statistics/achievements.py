"""Achievements: deeds that a player keeps, each with the sentence that says what it takes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tournaments.statistics.lines import HandLine, TableLine

JACKPOT_LEAST: Final = 50
"""A jackpot that is worth telling holds so many chips."""
CLEAN_LEAST: Final = 5


@dataclass(frozen=True, slots=True)
class Achievement:
    """A deed: its name, and what it takes."""

    key: str
    title: str
    definition: str


ACHIEVEMENTS: Final = (
    Achievement("moon", "Shot the moon", "Took every heart and the queen of spades in one hand."),
    Achievement("sweep", "All of the pain", "Took every pain card of the pack in one hand."),
    Achievement("five_clean", "Five clean", f"Took no pain card in {CLEAN_LEAST} hands in a row."),
    Achievement("jackpot", "Big jackpot", f"Took {JACKPOT_LEAST} chips or more from one jackpot."),
    Achievement(
        "comeback",
        "From last to first",
        "Alone in the last place at half-time, and then alone in the first.",
    ),
)

OF_A_HAND: Final[dict[str, Callable[[HandLine], bool]]] = {
    "moon": lambda line: bool(line.moon),
    "sweep": lambda line: line.captured is not None and line.captured == line.whole > 0,
    "jackpot": lambda line: bool(line.jackpot) and (line.won or 0) >= JACKPOT_LEAST,
}
"""Whether a hand was one."""


def is_comeback(line: TableLine) -> bool:
    """Whether somebody alone in the last place at half-time came in alone in the first."""
    alone = all(rival.place > line.place for rival in line.rivals)
    return line.half_place == line.players and alone
