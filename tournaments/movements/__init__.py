"""Seatings of a whole event or of one round, and how good they are."""

from tournaments.movements.boards import boards, duplicate, replays
from tournaments.movements.certificate import Certificate, judge
from tournaments.movements.cuts import (
    CarryOver,
    Cut,
    CutPolicy,
    carry_over,
    cut,
)
from tournaments.movements.next_rounds import Movement, next_round
from tournaments.movements.planning import ALGORITHM, MovementPlan, plan
from tournaments.movements.reach import RepeatFreeReach, repeat_free_rounds
from tournaments.movements.search import EFFORT
from tournaments.movements.seating import RoundSeating, SeatingError
from tournaments.movements.sizes import sizes
from tournaments.movements.wishes import Stay, Wishes

__all__ = [
    "ALGORITHM",
    "EFFORT",
    "CarryOver",
    "Certificate",
    "Cut",
    "CutPolicy",
    "Movement",
    "MovementPlan",
    "RepeatFreeReach",
    "RoundSeating",
    "SeatingError",
    "Stay",
    "Wishes",
    "boards",
    "carry_over",
    "cut",
    "duplicate",
    "judge",
    "next_round",
    "plan",
    "repeat_free_rounds",
    "replays",
    "sizes",
]
