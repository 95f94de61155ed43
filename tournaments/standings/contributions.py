"""The parts of an entry's total, line by line."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypedDict, cast

from engine.core.values import maker, quickly_made
from tournaments.standings.exact import Exact


class ContributionStatus(StrEnum):
    """Why a contribution is worth what it is."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    """Left before the end, or never came: the hands missed count by the forfeit policy."""
    FIXED = "fixed"
    """By the director."""
    SUBSTITUTE = "substitute"
    """A substitute sat there, and the entry gets fixed points."""
    CREDITED_AWAY = "credited away"
    """A substitute sat there, and the points are theirs."""
    INCOMPLETE = "incomplete"
    NOT_PLAYED = "not played"
    SIT_OUT = "sit-out"
    RECORDED = "recorded"
    """As it was written down; the games are not on record."""


class ContributionData(TypedDict, total=False):
    """The worth of one game or board; ``table`` is the id of the game."""

    table: str
    round: int
    status: str
    value: str
    score: str
    hands: int
    place: int
    tied: int
    board: int


@quickly_made
@dataclass(frozen=True, slots=True)
class Contribution:
    """One line of what a total is made of; ``value`` None counts nothing.

    ``table`` is the id of the game; ``board`` tells its boards apart; ``score`` is what was
    counted there.
    """

    table: str | None
    round: int
    status: ContributionStatus
    value: Exact | None
    score: Exact | None = None
    hands: int = 0
    place: int | None = None
    tied: int | None = None
    board: int | None = None

    def to_data(self) -> ContributionData:
        """The line as JSON, without what it does not have."""
        data: dict[str, Any] = {
            "table": self.table,
            "round": self.round,
            "status": self.status.value,
            "value": None if self.value is None else str(self.value),
            "score": None if self.score is None else str(self.score),
            "hands": self.hands,
            "place": self.place,
            "tied": self.tied,
            "board": self.board,
        }
        present = {name: value for name, value in data.items() if value is not None}
        return cast("ContributionData", present)


contribution = maker(Contribution)
"""Makes them quicker than the class; it is called like it."""
