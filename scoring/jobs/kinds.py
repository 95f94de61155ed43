"""The kinds of background work: how the relay finds what is due, and how a worker does it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

from django.db.models import Count

from scoring.handouts.result_mail import send_result_mail
from scoring.handouts.sign_in_mail import (
    send_invitation,
    send_link,
    send_password_link,
    send_reply_link,
)
from scoring.hands import analyses
from scoring.jobs import nightly, rules_lab
from scoring.models import Delivery, HandAnalysis, SlipPicture
from scoring.slips import intake
from scoring.transfer import exporting, importing
from scoring.webhooks import queue, subscriptions
from tournaments import jobs, publishing
from tournaments.events import replies
from tournaments.imports import TABLE_IMPORTS
from tournaments.jobs import JobType
from tournaments.models import (
    EventReply,
    Invitation,
    Job,
    JobKind,
    JobState,
    LeasedRow,
    PasswordLink,
    PlayerSignInCode,
    Quorum,
    ResultMail,
)

Clock = Callable[[], datetime]

JOB_TYPES: Final[Mapping[str, JobType]] = {
    JobKind.ARCHIVE: JobType(importing.import_part),
    **dict.fromkeys(TABLE_IMPORTS, JobType(importing.table_part)),
    JobKind.EXPORT: JobType(exporting.export_part, is_read_only=True),
    JobKind.LAB: JobType(rules_lab.run_part, is_read_only=True),
}


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of background work.

    ``due`` gives at most so many names of what is due at a moment and since when, the oldest first:
    one cheap query by index, asked every second. ``run`` does the work of a name if it is still
    due, and sees to it that it is not due meanwhile. What is due ``again`` seconds after a hint is
    hinted at again, then ever more rarely, and at least every ``longest`` seconds. ``count`` says
    how much is due at a moment.
    """

    due: Callable[[datetime, int], Sequence[tuple[str, datetime]]]
    run: Callable[[str, Clock], object]
    count: Callable[[datetime], int]
    queue: str = "painsuit"
    again: float = 5.0
    longest: float = 300.0


def _mail(model: type[LeasedRow], run: Callable[[str, Clock], object]) -> Work:
    """Work that sends an e-mail for each row, for which somebody may be waiting."""
    rows = model.objects
    return Work(rows.due_names, run, rows.count_due, queue="deliveries", longest=15.0)


WORK: Final[Mapping[str, Work]] = {
    "delivery": Work(
        Delivery.objects.due_names,
        lambda name, clock: queue.deliver(delivery_id=UUID(name), clock=clock),
        count=Delivery.objects.count_due,
        queue="deliveries",
        # A broker that loses hint after hint must not make the next one wait for minutes.
        longest=15.0,
    ),
    "sign-in link": _mail(
        PlayerSignInCode,
        lambda name, clock: send_link(link_id=UUID(name), clock=clock),
    ),
    "password link": _mail(
        PasswordLink,
        lambda name, clock: send_password_link(link_id=UUID(name), clock=clock),
    ),
    "invitation": _mail(
        Invitation,
        lambda name, clock: send_invitation(invitation_id=UUID(name), clock=clock),
    ),
    "result mail": _mail(
        ResultMail,
        lambda name, clock: send_result_mail(mail_id=UUID(name), clock=clock),
    ),
    "reply link": _mail(
        EventReply,
        lambda name, clock: send_reply_link(reply_id=UUID(name), clock=clock),
    ),
    "quorum": Work(
        Quorum.objects.due_names,
        lambda name, clock: replies.call_off_if_short(event_id=UUID(name), clock=clock),
        count=Quorum.objects.count_due,
    ),
    "analysis": Work(
        HandAnalysis.objects.due_names,
        lambda name, clock: analyses.make_analysis(hand_id=UUID(name), clock=clock),
        count=HandAnalysis.objects.count_due,
    ),
    "slip picture": Work(
        SlipPicture.objects.due_names,
        lambda name, clock: intake.read_picture(picture_id=UUID(name), clock=clock),
        count=SlipPicture.objects.count_due,
        longest=15.0,  # somebody looks on as they are read
    ),
    "nightly": Work(nightly.due, nightly.run, count=nightly.count_due),
    "job": Work(
        Job.objects.due_names,
        lambda name, clock: jobs.run(job_id=UUID(name), types=JOB_TYPES, clock=clock),
        count=Job.objects.count_due,
        longest=60.0,  # one that waits for space on the disk goes on soon after there is
    ),
    "standings": Work(
        publishing.find_due,
        lambda name, clock: publishing.publish_due(
            clock=clock, hint=name, tell=subscriptions.enqueue_published_standings
        ),
        count=publishing.count_due,
        queue="standings",
        # Whoever looks at standings waits for them, at most 5 s after a worker was killed: its
        # lease ends after 3 s, and then no hint may be long in coming.
        again=2.0,
        longest=2.0,
    ),
    "statistics": Work(
        partial(publishing.find_due, scopes=publishing.STATISTICS),
        lambda name, clock: publishing.publish_due(
            clock=clock, hint=name, scopes=publishing.STATISTICS
        ),
        count=partial(publishing.count_due, scopes=publishing.STATISTICS),
    ),
}


def count_put_aside() -> dict[str, int]:
    """Count the work of each kind that nobody does any more until somebody has it tried again.

    Four queries. A link that could not be sent is asked for anew instead.
    """
    aside = publishing.put_aside().values_list("scope").annotate(Count("pk"))
    scopes: dict[str, int] = dict(aside)
    return {
        "delivery": queue.given_up().count(),
        "job": Job.objects.filter(state=JobState.FAILED).count(),
        "nightly": nightly.put_aside().count(),
        "standings": sum(scopes.get(scope, 0) for scope in publishing.STANDINGS),
        "statistics": sum(scopes.get(scope, 0) for scope in publishing.STATISTICS),
    }
