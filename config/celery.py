"""The worker's application; its settings are the CELERY_* names in config/settings.py.

Only the worker and the relay import it: the web server never talks to the broker.
"""

import os
import time

import structlog
from celery import Celery
from celery.signals import heartbeat_sent, task_postrun, worker_init, worker_process_init
from kombu import Exchange, Queue

from config.running.counters import count_task
from config.running.supervisor import die_with

# The celery command comes here without manage.py.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("painsuit")
app.config_from_object("django.conf:settings", namespace="CELERY")
# A worker takes from them by turns: slow strangers hold up nothing but messages to strangers, and
# standings wait for one task of another kind at most.
app.conf.task_queues = [
    Queue(name, Exchange(name), routing_key=name)
    for name in ("painsuit", "deliveries", "standings")
]
app.autodiscover_tasks(["scoring.jobs"])

log = structlog.get_logger(__name__)
_master: list[int] = []
_last_heartbeat = float("-inf")


@worker_init.connect
def _begin(**_: object) -> None:
    _master[:] = [os.getpid()]
    os.umask(0o077)  # files of jobs are for the service alone


@worker_process_init.connect
def _tie_to_parent(**_: object) -> None:
    """Make a new pool process end with the worker, even if that is killed."""
    for pid in _master:
        die_with(pid)


@task_postrun.connect
def _count_task(kwargs: dict[str, str], state: str, **_: object) -> None:
    """Count a task for /metrics."""
    count_task(kwargs.get("kind", ""), "done" if state == "SUCCESS" else "failed")


@heartbeat_sent.connect
def _record_heartbeat(**_: object) -> None:
    """Record Celery's heartbeat, sent while the broker is reachable, in the database."""
    # Models can be imported only once Django is set up, which Celery does after this module.
    from django.db import DatabaseError, connection  # noqa: PLC0415
    from django.utils import timezone  # noqa: PLC0415

    from config.operations import alerts  # noqa: PLC0415
    from config.operations.health import HEARTBEAT_INTERVAL, WORKER, record_heartbeat  # noqa: PLC0415

    global _last_heartbeat  # noqa: PLW0603 (one worker to a process)
    if time.monotonic() - _last_heartbeat < HEARTBEAT_INTERVAL:
        return
    _last_heartbeat = time.monotonic()
    try:
        record_heartbeat(WORKER, timezone.now())
    except DatabaseError as error:
        log.warning("the heartbeat could not be recorded", error=str(error))
    else:
        alerts.watch_relay()
    finally:
        # Processes of the pool are copies of this one: they must not share its connection.
        connection.close()
