"""Work of one club that waits, failed or was put aside, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
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


def list_webhooks(club: Club) -> list[tuple[Webhook, Delivery | None]]:
    """The webhooks of a club that are told something, each with its last test. Two queries."""
    tests = Delivery.objects.filter(webhook__club=club, event=subscriptions.TEST).order_by("id")
    last = {row.webhook_id: row for row in tests}
    return [
        (row, last.get(row.pk)) for row in subscriptions.webhooks(club.pk).filter(stopped_at=None)
    ]


def find_failing_webhooks(club: Club) -> list[tuple[Webhook, int]]:
    """Webhooks of a club that fail, and how many messages were given up. Two queries."""
    counts = dict(
        queue.given_up()
        .filter(webhook__club=club)
        .values_list("webhook")
        .annotate(Count("pk"))
        .order_by()
    )
    rows = Webhook.objects.filter(Q(failures__gt=0) | Q(pk__in=counts), club=club, stopped_at=None)
    return [(row, counts.get(row.pk, 0)) for row in rows.order_by("pk")]
