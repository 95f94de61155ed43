"""Alerts: operators are told by e-mail or webhook that a part is down, or that work waits.

The relay watches in a thread of its own, so that no mail server delays it; of a relay that is down
a worker tells. One alert when something has been wrong for a minute, one when it is over, and at
most one in 15 minutes for each cause. docs/operate/monitoring.md lists the causes.
"""

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

import structlog
from django.conf import settings
from django.db import DatabaseError, connections
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from config.operations.health import RELAY, WORKER, ServiceState, read_state
from config.running import counters
from scoring.models import Heartbeat, Incident
from scoring.webhooks import queue
from scoring.webhooks.addresses import UrlError
from scoring.webhooks.client import NotSentError
from tournaments.core.mail import compose_mail
from tournaments.core.public_address import public_host
from tournaments.core.storage import disk_space

LOOK_EVERY: Final = 10.0
"""Seconds between two looks."""
FAILING_MIN: Final = timedelta(minutes=1)
"""What has been wrong for longer than this is reported."""
REPEAT_AFTER: Final = timedelta(minutes=15)
"""The least time between two alerts of one cause."""
ASLEEP_AFTER: Final = timedelta(minutes=1)
"""A process that did not look for so long was asleep, as on a laptop that was closed: what it knew
is out of date."""

log = structlog.get_logger(__name__)


class Cause(StrEnum):
    """Something that can be wrong."""

    DATABASE = "database"
    BROKER = "broker"
    RELAY = RELAY
    WORKER = WORKER
    DISK = "disk"
    WAITING = "waiting"
    """Work waits although all parts run."""


EVERY_CAUSE: Final = frozenset(Cause)


@dataclass(frozen=True, slots=True)
class Alert:
    """A message to operators: a cause, since when, and whether it is over."""

    cause: Cause
    since: datetime
    is_over: bool = False

    @property
    def text(self) -> str:
        """One or two sentences, in the active language."""
        since = f"{self.since.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        words = _describe_end(self.cause) if self.is_over else _describe(self.cause)
        names = {"installation": _installation(), "since": since, "disk": disk_space().name}
        return words % names


Send = Callable[[Alert], bool]
"""Sends an alert to the operators; returns whether anybody was reached."""


class Watch:
    """Looks at the state of the service, and tells of ``causes`` once each."""

    def __init__(
        self,
        send: Send,
        *,
        causes: frozenset[Cause] = EVERY_CAUSE,
        clock: Callable[[], datetime] = timezone.now,
        read: Callable[[datetime], ServiceState] = read_state,
    ) -> None:
        self._send, self._causes, self._clock, self._read = send, causes, clock, read
        self._looked_at: datetime | None = None
        self._awake_since = self._able_since = datetime.min.replace(tzinfo=UTC)
        self._failing: dict[Cause, datetime] = {}
        self._database = Incident(cause=Cause.DATABASE)
        """Kept here: while the database is away there is no other place."""

    def run(self, stop: threading.Event) -> None:
        """Look until told to stop; survives whatever a look raises."""
        while not stop.wait(LOOK_EVERY):
            try:
                self.look()
            except Exception:
                log.exception("a look at the state of the service failed")
            finally:
                connections.close_all()

    def look(self) -> None:
        """Tell what is new: of what has been wrong for a minute, and of what is over."""
        state = self._read(self._clock())
        if self._looked_at is None or state.at - self._looked_at > ASLEEP_AFTER:
            self._awake_since = self._able_since = state.at
            self._failing.clear()
        self._looked_at = state.at
        self._failing = self._find_failing(state)
        self._tell_of_database(state)
        if state.database == "ok":
            for cause in sorted(self._causes - {Cause.DATABASE}):
                self._tell(cause, state.at)

    def _find_failing(self, state: ServiceState) -> dict[Cause, datetime]:
        """Return the causes that hold, and since when as far as this process can know."""
        found = {}
        if state.database == "down":
            found[Cause.DATABASE] = state.at
        else:
            for cause, part in ((Cause.RELAY, state.relay), (Cause.WORKER, state.worker)):
                last = state.heartbeats.get(cause)
                if part == "down":
                    found[cause] = state.at if last is None else last.at
        if state.broker == "down":
            found[Cause.BROKER] = state.at
        if not state.disk.is_writable:
            found[Cause.DISK] = state.at
        since = {
            cause: self._failing.get(cause, max(at, self._awake_since))
            for cause, at in found.items()
        }
        if since:
            self._able_since = state.at  # what waits, waits for these
        oldest = min(state.due_since.values(), default=state.at)
        if state.at - oldest > FAILING_MIN:
            since[Cause.WAITING] = max(oldest, self._able_since)
        return since

    def _is_overdue(self, cause: Cause, at: datetime) -> bool:
        return cause in self._failing and at - self._failing[cause] > FAILING_MIN

    def _tell(self, cause: Cause, at: datetime) -> None:
        """Tell of a cause, if no other process does. Raises DatabaseError."""
        row = Incident.objects.filter(cause=cause).first()
        if row is not None and row.is_open:
            if cause not in self._failing and _set_open(row, is_open=False, told_at=row.told_at):
                alert = Alert(cause, row.since, is_over=True)
                if not self._send(alert):
                    _set_open(row, is_open=True, told_at=row.told_at)
            return
        if not self._is_overdue(cause, at):
            return
        since = self._failing[cause]
        if row is None:
            new = Incident(cause=cause, since=since)
            Incident.objects.bulk_create([new], ignore_conflicts=True)
            row = new
        before = row.told_at
        if before is not None and at - before < REPEAT_AFTER:
            return
        is_mine = _set_open(row, is_open=True, told_at=at, since=since)
        if is_mine and not self._send(Alert(cause, since)):
            _set_open(row, is_open=False, told_at=before)

    def _tell_of_database(self, state: ServiceState) -> None:
        """Tell of a database that is away; of several relays the one that the broker lets."""
        row, cause = self._database, Cause.DATABASE
        if row.is_open and cause not in self._failing:
            row.is_open = not self._send_first(Alert(cause, row.since, is_over=True))
        elif not row.is_open and cause in self._causes and self._is_overdue(cause, state.at):
            since, before = self._failing[cause], row.told_at
            is_early = before is not None and state.at - before < REPEAT_AFTER
            if not is_early and self._send_first(Alert(cause, since)):
                row.since, row.told_at, row.is_open = since, state.at, True

    def _send_first(self, alert: Alert) -> bool:
        """Send, unless another relay does; whether one of them did, as far as anybody knows."""
        key = f"alert:{alert.cause}:{alert.is_over}"
        if not counters.is_first(key, keep=int(REPEAT_AFTER.total_seconds())):
            return True
        is_sent = self._send(alert)
        if not is_sent:
            counters.forget(key)
        return is_sent


def _set_open(row: Incident, **fields: object) -> bool:
    """Change an incident, unless another process did since it was read; whether it was changed."""
    mine = Incident.objects.filter(cause=row.cause, is_open=row.is_open, told_at=row.told_at)
    if not mine.update(**fields):
        return False
    for name, value in fields.items():
        setattr(row, name, value)
    return True


def is_configured() -> bool:
    """Whether anybody is to be told."""
    return bool(settings.ALERT_EMAILS or settings.ALERT_WEBHOOK)


def send(alert: Alert) -> bool:
    """Tell by all ways that are configured, each with a deadline; whether one of them worked."""
    with translation.override(settings.ALERT_LANGUAGE):
        text = alert.text
        ways = [_mail] if settings.ALERT_EMAILS else []
        ways += [_post] if settings.ALERT_WEBHOOK else []
        reached = [way(alert, text) for way in ways]
        return any(reached)


def _mail(alert: Alert, text: str) -> bool:
    title = _("Painsuit: over") if alert.is_over else _("Painsuit: something is wrong")
    mail = compose_mail(subject=f"{title} ({alert.cause})", body=text, to=settings.ALERT_EMAILS)
    try:
        mail.send()  # within EMAIL_TIMEOUT for each step
    except OSError as error:  # also smtplib.SMTPException
        log.warning("an alert was not mailed", cause=alert.cause, error=type(error).__name__)
        return False
    return True


def _post(alert: Alert, text: str) -> bool:
    body = {
        "text": text,
        "cause": alert.cause,
        "state": "over" if alert.is_over else "failing",
        "since": alert.since.isoformat(),
    }
    try:
        status = queue.production_client().post(
            settings.ALERT_WEBHOOK, json.dumps(body).encode(), {}
        )
    except (NotSentError, UrlError) as error:
        log.warning("an alert was not posted", cause=alert.cause, error=str(error))
        return False
    if not 200 <= status < 300:
        log.warning("an alert was not posted", cause=alert.cause, status=status)
    return 200 <= status < 300


_relay_watch: Final = Watch(send, causes=frozenset({Cause.RELAY}))


def watch_relay() -> None:
    """Look after the relay, in a worker; in a thread only while the relay is silent.

    A process of the pool is a copy of the worker: a thread that always ran might hold a lock then.
    Raises DatabaseError.
    """
    silent = timezone.now() - FAILING_MIN / 2
    if not is_configured() or Heartbeat.objects.filter(name=RELAY, at__gt=silent).exists():
        return
    threading.Thread(target=_look_once, daemon=True).start()


def _look_once() -> None:
    try:
        _relay_watch.look()
    except DatabaseError as error:
        log.warning("the relay was not looked after", error=str(error))
    finally:
        connections.close_all()


def _installation() -> str:
    """The name that people use for this installation, or that of the machine."""
    return public_host() or socket.gethostname()


def _describe(cause: Cause) -> str:
    match cause:
        case Cause.DATABASE:
            return _(
                "%(installation)s: the database has been away since %(since)s. No hand can be"
                " entered. Look at the log of the database and at its disk."
            )
        case Cause.BROKER:
            return _(
                "%(installation)s: the broker has been away since %(since)s. Hands are entered;"
                " standings and messages wait. Start it again."
            )
        case Cause.RELAY:
            return _(
                "%(installation)s: the relay has been silent since %(since)s. Hands are entered;"
                " standings and messages wait. Start it again."
            )
        case Cause.WORKER:
            return _(
                "%(installation)s: no worker has been heard of since %(since)s. Hands are entered;"
                " standings and messages wait. Start it again."
            )
        case Cause.DISK:
            return _(
                "%(installation)s: the disk of %(disk)s has been full or read-only since %(since)s."
                " No hand can be entered until there is space again."
            )
        case Cause.WAITING:
            return _(
                "%(installation)s: work has been waiting since %(since)s although all parts run."
                " Look at the log of the worker; if it is only busy, add a worker."
            )


def _describe_end(cause: Cause) -> str:
    match cause:
        case Cause.DATABASE:
            return _("%(installation)s: the database is back. It was away since %(since)s.")
        case Cause.BROKER:
            return _("%(installation)s: the broker is back. It was away since %(since)s.")
        case Cause.RELAY:
            return _("%(installation)s: the relay runs again. It was silent since %(since)s.")
        case Cause.WORKER:
            return _("%(installation)s: a worker runs again. None was heard of since %(since)s.")
        case Cause.DISK:
            return _(
                "%(installation)s: there is space on the disk again. It was full since %(since)s."
            )
        case Cause.WAITING:
            return _("%(installation)s: no work waits any more. It had waited since %(since)s.")
