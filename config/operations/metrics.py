"""/metrics: the state of the service for Prometheus; docs/operate/monitoring.md explains each name.

Web processes count requests in files that they share (prometheus_client's multiprocess mode);
everything else is read when somebody asks, so that no process has to report anything.
"""

import os
import platform
import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from resource import getpagesize

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

import engine
from config.operations import health
from config.operations.health import RELAY, WORKER, ServiceState
from config.running import counters
from config.running.middleware import DURATION, REQUESTS
from scoring.jobs.kinds import WORK, count_put_aside
from scoring.models import Delivery, Webhook


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all metrics in Prometheus' text format; Http404 for whoever may not read them."""
    if not may_read(request):
        raise Http404
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        # Its constructor has no types; it registers itself.
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(REQUESTS)
        registry.register(DURATION)
    registry.register(StateCollector())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def may_read(request: HttpRequest) -> bool:
    """Whether a request has the token; without one in the settings, whether it is from here.

    What a proxy passes on is from elsewhere.
    """
    if settings.METRICS_TOKEN is not None:
        sent = request.headers.get("Authorization", "")
        return secrets.compare_digest(sent.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:  # a socket of this machine has no address; a proxy may stand behind it
        return False


class StateCollector(Collector):
    """Figures that are read from the database, the broker and the disk when somebody asks."""

    def collect(self) -> Iterator[Metric]:
        """Yield all families; those of the database are missing while it is away."""
        state = health.read_state(timezone.now())
        yield from _process_metrics(state)
        yield from _machine_metrics(state)
        if state.database == "ok":
            try:
                yield from list(_work_metrics(state))
            except DatabaseError:  # it went away meanwhile
                return


def _process_metrics(state: ServiceState) -> Iterator[Metric]:
    parts = {"database": state.database, "broker": state.broker}
    parts |= {RELAY: state.relay, WORKER: state.worker}
    yield _gauges("up", "Whether a part runs.", "part", {k: v == "ok" for k, v in parts.items()})
    yield _gauges(
        "heartbeat_age_seconds",
        "Seconds since the last sign of life of a process.",
        "process",
        {name: _age(last.at, state) for name, last in state.heartbeats.items()},
    )
    tasks = CounterMetricFamily(
        "painsuit_tasks", "Tasks that a worker ended.", labels=["kind", "outcome"]
    )
    for (kind, outcome), count in counters.task_counts().items():
        tasks.add_metric([kind, outcome], count)
    yield tasks


def _machine_metrics(state: ServiceState) -> Iterator[Metric]:
    info = {"version": engine.__version__, "python": platform.python_version()}
    info["database"] = connection.vendor
    family = GaugeMetricFamily("painsuit_info", "What runs here; always 1.", labels=list(info))
    family.add_metric(list(info.values()), 1)
    yield family
    yield _gauges("web_resident_bytes", "Memory of a web process.", "pid", _web_memory())
    yield _gauge("disk_free_bytes", "Room left for database and files.", state.disk.free)


def _work_metrics(state: ServiceState) -> Iterator[Metric]:
    at = state.at
    ages = {kind: _age(state.due_since.get(kind, at), state) for kind in WORK}
    yield _gauges("queue_age_seconds", "Seconds that the oldest work has been due.", "kind", ages)
    lengths = {kind: work.count(at) for kind, work in WORK.items()}
    yield _gauges("queue_length", "Pieces of work that are due.", "kind", lengths)
    yield _gauge(
        "relay_lag_seconds",
        "Seconds that the oldest work of any kind has been due.",
        state.waiting or 0.0,
    )
    yield _gauges("work_put_aside", "Work that nobody does any more.", "kind", count_put_aside())
    yield _gauge(
        "standings_staleness_seconds",
        "Age of the oldest change that published standings do not show.",
        _age(health.standings_behind_since() or at, state),
    )
    yield _gauge(
        "webhook_deliveries_waiting",
        "Messages to webhooks that were not taken yet.",
        Delivery.objects.filter(due_at__isnull=False).count(),
    )
    yield _gauge(
        "webhooks_failing",
        "Webhooks that did not answer the last message.",
        Webhook.objects.filter(failures__gt=0, stopped_at=None).count(),
    )
    yield _gauge("database_bytes", "Size of the database.", health.database_bytes())


def _age(since: datetime, state: ServiceState) -> float:
    return max(0.0, (state.at - since).total_seconds())


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(f"painsuit_{name}", words, value=value)


def _gauges(name: str, words: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(f"painsuit_{name}", words, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _web_memory() -> dict[str, int]:
    """Resident bytes by process; of those that answered a request yet. Empty without /proc."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    pids = {str(os.getpid())}
    if folder is not None:
        pids |= {path.stem.rpartition("_")[2] for path in Path(folder).glob("counter_*.db")}
    found: dict[str, int] = {}
    for pid in sorted(pids):
        try:
            pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
        except OSError:  # it ended, or there is no /proc
            continue
        found[pid] = int(pages) * getpagesize()
    return found
