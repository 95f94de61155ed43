"""Who sits where: seatings of a whole event or of one round, and how good they are."""

from tournaments.movements.certificate import Certificate, judge
from tournaments.movements.next_rounds import Movement, next_round
from tournaments.movements.planning import Plan, plan
from tournaments.movements.seating import Seating, SeatingError
from tournaments.movements.sizes import sizes
from tournaments.movements.wishes import Stay, Wishes

__all__ = [
    "Certificate",
    "Movement",
    "Plan",
    "Seating",
    "SeatingError",
    "Stay",
    "Wishes",
    "judge",
    "next_round",
    "plan",
    "sizes",
]
