import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand

from config import alerts
from config.relay import Relay, send


class Command(BaseCommand):
    help = "Look for work that is due and hand it to the worker; a part of `serve`."
    requires_system_checks = []  # they import every view, which the relay never needs

    def handle(self, **_options: Any) -> None:
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: stop.set())
        if alerts.is_configured():
            watch = alerts.Watch(alerts.send)
            threading.Thread(target=watch.run, args=[stop], daemon=True).start()
        Relay(send).run(stop)
