"""The desk's page of the service: what runs, what waits, what failed, and what to do about it.

The parts of the installation are for the admins of every club; work is that of their own club.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import connection
from django.utils.translation import gettext as _

import engine
from config.operations import health
from config.operations.health import RELAY, WORKER, ServiceState
from scoring.models import Webhook
from scoring.web.desk import unfinished_work
from scoring.webhooks import subscriptions
from tournaments import jobs, publishing
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError
from tournaments.core.ids import parse_id
from tournaments.models import Published
from tournaments.selectors import describe_backups
from tournaments.web.desk.base import ButtonsMixin, DeskPage

WAITS_TOO_LONG: Final = 60
"""Seconds after which waiting work is a reason to look."""


@dataclass(frozen=True, slots=True)
class ServicePart:
    """A part of the service: whether it runs, and since when it does or does not."""

    name: str
    is_up: bool
    since: datetime | None
    advice: str
    """What it means that it is down, and what to do."""


class StatusPage(ButtonsMixin, DeskPage):
    """The state of the service, with buttons that have work tried again."""

    needs = Right.AUDIT_READ
    needs_to_write = Right.CLUB_EDIT
    template_name = "desk/status.html"
    buttons = ("job", "standings", "webhook", "test")

    def job(self, value: str) -> str:
        """Begin an export anew."""
        job = jobs.find(parse_id(value))
        if job is None or job.club_id != self.club.pk:
            raise NotThereError
        jobs.try_again(job_id=job.pk, at=self.at)
        return _("It is tried again.")

    def standings(self, value: str) -> str:
        """Have standings that were put aside computed anew."""
        row = Published.objects.filter(pk=parse_id(value), club=self.club).first()
        if row is None:
            raise NotThereError
        publishing.try_again(scope=row.scope, subject=row.subject, at=self.at)
        return _("It is tried again.")

    def webhook(self, value: str) -> str:
        """Send what a webhook did not take."""
        row = self._webhook(value)
        subscriptions.send_all_again(webhook_id=row.pk, by=self.by, at=self.at)
        return _("The messages are sent again.")

    def test(self, value: str) -> str:
        """Send a test message to a webhook."""
        subscriptions.send_test(webhook_id=self._webhook(value).pk, by=self.by, at=self.at)
        return _("The test message is on its way; its answer appears at the webhook in a moment.")

    def _webhook(self, value: str) -> Webhook:
        row = subscriptions.webhooks(self.club.pk).filter(pk=parse_id(value)).first()
        if row is None:
            raise NotThereError
        return row

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        state = health.read_state(self.at)
        parts = list(_parts(state))
        waiting = round(state.waiting or 0.0)
        failed = unfinished_work.find_failed(self.club)
        webhooks = unfinished_work.list_webhooks(self.club)
        failing_webhooks = [one for one in webhooks if one.is_failing]
        reports = describe_backups(self.at)
        is_well = all(part.is_up for part in parts) and state.disk.state == "ok"
        is_well = is_well and not any(line.is_missed for line in reports)
        return super().get_context_data(
            parts=parts,
            waiting=waiting,
            is_late=waiting > WAITS_TOO_LONG,
            is_well=is_well and waiting <= WAITS_TOO_LONG and not failed and not failing_webhooks,
            behind=unfinished_work.find_behind(self.club),
            jobs=unfinished_work.find_jobs(self.club),
            messages_waiting=unfinished_work.find_messages(self.club),
            failed=failed,
            failing_webhooks=failing_webhooks,
            webhooks=webhooks,
            reports=reports,
            database_size=health.database_bytes(),
            version=engine.__version__,
            **kwargs,
        )


def _parts(state: ServiceState) -> Iterator[ServicePart]:
    yield ServicePart(_("Web server"), is_up=True, since=health.STARTED_AT, advice="")
    database = "PostgreSQL" if connection.vendor == "postgresql" else "SQLite"
    yield ServicePart(
        _("Database (%(name)s)") % {"name": database},
        is_up=state.database == "ok",
        since=health.database_since(),
        advice=_("No hand can be entered. Whoever runs the server looks at its log and starts it."),
    )
    yield ServicePart(
        _("Broker"),
        is_up=state.broker == "ok",
        since=health.broker_since(state.at),
        advice=_(
            "Hands are entered; standings and messages wait. Whoever runs the server starts it."
        ),
    )
    for key, name, is_up in (
        (RELAY, _("Relay"), state.relay == "ok"),
        (WORKER, _("Worker"), state.worker == "ok"),
    ):
        last = state.heartbeats.get(key)
        yield ServicePart(
            name,
            is_up=is_up,
            since=None if last is None else last.since if is_up else last.at,
            advice=_(
                "Hands are entered; standings and messages wait. Whoever runs the server starts it."
            ),
        )
