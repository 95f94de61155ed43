import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config import alerts
from config.health import read_state
from config.relay import Relay, send


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
