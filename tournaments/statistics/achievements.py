"""Achievements: what players have done once and keep, each with a sentence on what it takes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.core.messages import Message
from tournaments.statistics.lines import PlayerHandLine, TableLine

JACKPOT_LEAST: Final = 50
"""A jackpot that is worth telling holds so many chips."""
CLEAN_LEAST: Final = 5


@dataclass(frozen=True, slots=True)
class Achievement:
    """Something that a player can achieve: its name, and what it takes."""

    key: str
    title: str
    definition: str


ACHIEVEMENTS: Final = (
    Achievement(
        "moon",
        Message("Shot the moon"),
        Message("Took every heart and the queen of spades in one hand."),
    ),
    Achievement(
        "sweep",
        Message("All of the pain"),
        Message("Took every pain card of the pack in one hand."),
    ),
    Achievement(
        "five_clean",
        Message("Five clean"),
        Message("Took no pain card in {least} hands in a row.", least=CLEAN_LEAST),
    ),
    Achievement(
        "jackpot",
        Message("Big jackpot"),
        Message("Took {least} chips or more from one jackpot.", least=JACKPOT_LEAST),
    ),
    Achievement(
        "comeback",
        Message("From last to first"),
        Message("Alone in the last place at half-time, and then alone in the first."),
    ),
)

OF_A_HAND: Final[dict[str, Callable[[PlayerHandLine], bool]]] = {
    "moon": lambda line: bool(line.moon),
    "sweep": lambda line: line.captured is not None and line.captured == line.whole > 0,
    "jackpot": lambda line: bool(line.jackpot) and (line.won or 0) >= JACKPOT_LEAST,
}
"""Whether a hand was one."""


def is_comeback(line: TableLine) -> bool:
    """Whether somebody alone in the last place at half-time came in alone in the first."""
    alone = all(rival.place > line.place for rival in line.rivals)
    return line.half_place == line.players and alone
