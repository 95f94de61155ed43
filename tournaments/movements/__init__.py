"""Seatings of a whole event or of one round, and how good they are."""

from tournaments.movements.boards import barometer, boards, duplicate, replays
from tournaments.movements.certificate import Certificate, judge
from tournaments.movements.cuts import (
    CarryOver,
    Cut,
    CutPolicy,
    carry_over,
    cut,
    final_ranking,
    team_score,
)
from tournaments.movements.next_rounds import Movement, next_round
from tournaments.movements.planning import ALGORITHM, MovementPlan, plan
from tournaments.movements.prescribed import faults, read_prescribed_rounds
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
    "barometer",
    "boards",
    "carry_over",
    "cut",
    "duplicate",
    "faults",
    "final_ranking",
    "judge",
    "next_round",
    "plan",
    "read_prescribed_rounds",
    "repeat_free_rounds",
    "replays",
    "sizes",
    "team_score",
]
