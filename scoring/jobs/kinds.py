"""The kinds of background work: how the relay finds what is due, and how a worker does it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

from scoring.handouts.sign_in_mail import send_link
from scoring.jobs import nightly
from scoring.models import Delivery
from scoring.transfer import exporting, importing
from scoring.transfer.importing import tables
from scoring.webhooks import queue, subscriptions
from tournaments import jobs, publishing
from tournaments.imports import TABLE_IMPORTS
from tournaments.jobs import JobType
from tournaments.models import Job, JobKind, PlayerSignInCode

Clock = Callable[[], datetime]

JOB_TYPES: Final[Mapping[str, JobType]] = {
    JobKind.ARCHIVE: JobType(importing.import_part),
    **dict.fromkeys(TABLE_IMPORTS, JobType(tables.table_part)),
    JobKind.EXPORT: JobType(exporting.export_part, is_read_only=True),
}


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of background work.

    ``due`` gives at most so many names of what is due at a moment and since when, the oldest first:
    one cheap query by index, asked every second. ``run`` does the work of a name if it is still
    due, and sees to it that it is not due meanwhile. What is due ``again`` seconds after a hint is
    hinted at again, then ever more rarely, and at least every ``longest`` seconds.
    """

    due: Callable[[datetime, int], Sequence[tuple[str, datetime]]]
    run: Callable[[str, Clock], object]
    queue: str = "painsuit"
    again: float = 5.0
    longest: float = 300.0


WORK: Final[Mapping[str, Work]] = {
    "delivery": Work(
        Delivery.objects.due_names,
        lambda name, clock: queue.deliver(delivery_id=UUID(name), clock=clock),
        queue="deliveries",
        # A broker that loses hint after hint must not make the next one wait for minutes.
        longest=15.0,
    ),
    "sign-in link": Work(
        PlayerSignInCode.objects.due_names,
        lambda name, clock: send_link(link_id=UUID(name), clock=clock),
        queue="deliveries",
        longest=15.0,
    ),
    "nightly": Work(nightly.due, nightly.run),
    "job": Work(
        Job.objects.due_names,
        lambda name, clock: jobs.run(job_id=UUID(name), types=JOB_TYPES, clock=clock),
        longest=60.0,  # one that waits for space on the disk goes on soon after there is
    ),
    "standings": Work(
        publishing.find_due,
        lambda name, clock: publishing.publish_due(
            clock=clock, hint=name, tell=subscriptions.enqueue_published_standings
        ),
        queue="standings",
        # Whoever looks at standings waits for them: a lost hint is missed sooner.
        again=2.0,
        longest=5.0,
    ),
    "statistics": Work(
        partial(publishing.find_due, scopes=publishing.STATISTICS),
        lambda name, clock: publishing.publish_due(
            clock=clock, hint=name, scopes=publishing.STATISTICS
        ),
    ),
}


def waiting(at: datetime) -> float:
    """For how many seconds the oldest work has been due; 0 when nothing is."""
    oldest = [since for work in WORK.values() for _name, since in work.due(at, 1)]
    return max(0.0, *((at - since).total_seconds() for since in oldest), 0.0)
