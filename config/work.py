"""What the relay looks for: each kind of work that may be due, and the task that does it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from scoring import chores, delivering
from tournaments import jobs, publishing

Due = Callable[[datetime, int], Sequence[tuple[str, datetime]]]
"""What is due at a moment, at most so many: names and since when, the oldest first."""


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work. ``due`` is one cheap query by index: it is asked every second.

    ``task`` is given a name as ``argument``. Whoever does the work sees to it that it is not
    due meanwhile; what is still due ``again`` seconds after the hint is hinted at again, then ever
    more rarely, and at least every ``longest`` seconds.
    """

    task: str
    argument: str
    due: Due
    again: float = 5.0
    longest: float = 300.0


WORK: Final = (
    # A broker that loses hint after hint must not make the next one wait for minutes.
    Work("scoring.tasks.deliver", "delivery_id", delivering.due, longest=15.0),
    Work("scoring.tasks.do_chore", "name", chores.due),
    Work("scoring.tasks.do_job", "job_id", jobs.due),
    # Whoever looks at standings waits for them: a lost hint is missed sooner.
    Work("scoring.tasks.publish", "hint", publishing.due, again=2.0, longest=5.0),
)


def waiting(at: datetime) -> float:
    """For how many seconds the oldest work has been due; 0 when nothing is."""
    oldest = [since for work in WORK for _name, since in work.due(at, 1)]
    return max(0.0, *((at - since).total_seconds() for since in oldest), 0.0)
