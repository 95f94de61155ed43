"""Work of one club that waits, failed or was put aside, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Count, Min, Q
from django.utils.translation import gettext as _

from scoring.models import Delivery, Webhook
from scoring.web.desk.jobs import describe_jobs
from scoring.webhooks import queue, subscriptions
from tournaments import publishing
from tournaments.models import (
    ALIVE,
    Club,
    Event,
    Job,
    JobKind,
    JobState,
    League,
    Player,
    Published,
    Scope,
    Stale,
)

SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class WaitingWork:
    """Waiting pieces of one kind, and since when the oldest waits; None where none does."""

    count: int
    since: datetime | None


def find_behind(club: Club) -> WaitingWork:
    """Standings of a club that do not show something yet. One query."""
    subjects = (
        Q(subject=club.pk)
        | Q(subject__in=Event.objects.filter(club=club).values("pk"))
        | Q(subject__in=League.objects.filter(club=club).values("pk"))
    )
    found = Stale.objects.filter(subjects, scope__in=publishing.STANDINGS).aggregate(
        count=Count("subject", distinct=True), since=Min("since")
    )
    return WaitingWork(**found)


def find_jobs(club: Club) -> WaitingWork:
    """Imports and exports of a club that wait or run. One query."""
    rows = Job.objects.filter(club=club, state__in=ALIVE)
    return WaitingWork(**rows.aggregate(count=Count("pk"), since=Min("created_at")))


def find_messages(club: Club) -> WaitingWork:
    """Messages to webhooks of a club that were not taken yet. One query."""
    rows = Delivery.objects.filter(webhook__club=club, due_at__isnull=False)
    return WaitingWork(**rows.aggregate(count=Count("pk"), since=Min("created_at")))


@dataclass(frozen=True, slots=True)
class FailedWork:
    """Work that nobody does any more: what, why, and by which button it is tried again.

    Without ``button`` it cannot be.
    """

    title: str
    why: str
    button: str
    value: str


def find_failed(club: Club) -> list[FailedWork]:
    """Return failed work and work put aside, the latest jobs first. Five queries at most."""
    return [*_failed_jobs(club), *_standings_put_aside(club)]


def _failed_jobs(club: Club) -> Iterator[FailedWork]:
    rows = Job.objects.filter(club=club, state=JobState.FAILED).order_by("-created_at", "-pk")
    for job, words, _progress, problems, _notices, _is_alive in describe_jobs(list(rows[:SHOWN])):
        button = "job" if job.kind == JobKind.EXPORT else ""
        yield FailedWork(words, problems[0] if problems else "", button, str(job.pk))


def _standings_put_aside(club: Club) -> Iterator[FailedWork]:
    rows = list(publishing.put_aside().filter(club=club).order_by("scope", "subject")[:SHOWN])
    subjects = [row.subject for row in rows]
    names: dict[UUID, str] = {}
    if rows:
        names |= Event.objects.filter(pk__in=subjects).values_list("pk", "name")
        names |= League.objects.filter(pk__in=subjects).values_list("pk", "name")
        names |= Player.objects.filter(pk__in=subjects).values_list("pk", "person__name")
    for row in rows:
        yield FailedWork(_title(row, names), row.trouble, "standings", str(row.pk))


def _title(row: Published, names: dict[UUID, str]) -> str:
    name = names.get(row.subject, "")
    match row.scope:
        case Scope.EVENT | Scope.LEAGUE:
            return _("Standings of %(name)s") % {"name": name}
        case Scope.STATISTICS:
            return _("Statistics of %(name)s") % {"name": name}
        case _:
            return _("Ratings of the club")


class WebhookStatus(NamedTuple):
    """A webhook, its last test, and how many messages were given up."""

    webhook: Webhook
    test: Delivery | None
    given_up: int

    @property
    def is_failing(self) -> bool:
        """Whether messages to it were not taken."""
        return bool(self.webhook.failures or self.given_up)


def list_webhooks(club: Club) -> list[WebhookStatus]:
    """The webhooks of a club that are told something. One query, and two where there are some."""
    rows = list(subscriptions.webhooks(club.pk).filter(stopped_at=None))
    if not rows:
        return []
    given_up = queue.given_up().filter(webhook__in=rows).order_by().values_list("webhook")
    counts = dict(given_up.annotate(Count("pk")))
    tests = Delivery.objects.filter(webhook__in=rows, event=subscriptions.TEST).order_by("id")
    last = {row.webhook_id: row for row in tests}
    return [WebhookStatus(row, last.get(row.pk), counts.get(row.pk, 0)) for row in rows]
