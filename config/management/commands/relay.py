import signal
import threading
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.celery import app
from config.operations import alerts
from config.operations.health import read_state
from config.operations.relay import Hint, Relay
from scoring.jobs.kinds import WORK

TASK: Final = "scoring.jobs.tasks.run"


class Command(BaseCommand):
    help = "Look for work that is due and hand it to the worker; a part of `serve`."
    requires_system_checks = []  # they import every view, which the relay never needs

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="say by the exit status whether a relay runs"
        )

    def handle(self, *, check: bool, **_options: Any) -> None:
        if check:
            if read_state(timezone.now()).relay == "down":
                raise CommandError("No relay has written a heartbeat lately.")
            return
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: stop.set())
        if alerts.is_configured():
            watch = alerts.Watch(alerts.send)
            threading.Thread(target=watch.run, args=[stop], daemon=True).start()
        Relay(send).run(stop)


def send(hints: Sequence[Hint]) -> None:
    """Put hints into the broker's queue; each step is bounded by the socket's timeouts.

    A connection of its own each time: there is nothing to repair after the broker was away.
    """
    with app.connection_for_write() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
        producer = app.amqp.Producer(connection)
        for hint in hints:
            app.send_task(
                TASK,
                kwargs={"kind": hint.kind, "name": hint.name},
                queue=WORK[hint.kind].queue,
                producer=producer,
                retry=False,
                ignore_result=True,
            )
