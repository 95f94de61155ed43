"""The services of compose.yaml as processes of this machine, on its own address and free ports.

Each runs the command from compose.yaml, with its paths and ports replaced. Debian's programs take
the place of the images of PostgreSQL, Valkey and Caddy.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial, reduce
from pathlib import Path
from typing import Any, Final, Self

import psycopg

from deploy.rehearsal.compose import DEPLOY, ROOT, Service, image_environment, read_compose

HOST: Final = "localhost"
WEB_PORT: Final = 8000
RESTART_DELAY: Final = 0.1
"""Seconds after which Docker starts again what has ended."""
PATIENCE: Final = 60.0
"""Seconds for a start or an end in order, on a machine that is quick enough."""
PATIENCE_PER_MIGRATION: Final = 6.0
"""And for each second that migrating an empty database took: a busy machine starts more slowly."""


class RehearsalError(Exception):
    """What is missing or went wrong, in a sentence."""


@dataclass
class Unit:
    """What stands for one container: a command with its environment, and its process."""

    name: str
    service: Service
    command: list[str]
    environ: dict[str, str]
    log: Path
    is_wanted: bool = False
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                # Ends with us, even when we are killed.
                ["setpriv", "--pdeathsig", "KILL", *self.command],
                cwd=ROOT,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.is_wanted = True

    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def kill(self) -> None:
        """Kill the process and its descendants at once, as when a container is killed."""
        if self.process is None:
            return
        for pid in [self.process.pid, *_descendants(self.process.pid)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def stop(self, patience: float) -> None:
        """End it in order, as `docker compose stop` does; after some seconds at once."""
        self.is_wanted = False
        if self.process is not None and self.process.poll() is None:
            # On SIGTERM PostgreSQL waits until every client has left; its image stops it by SIGINT.
            is_database = self.service.name == "database"
            self.process.send_signal(signal.SIGINT if is_database else signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(patience)
        self.kill()

    def processor_seconds(self) -> float:
        """Processor time that its running processes have used."""
        if self.process is None:
            return 0.0
        ticks = 0
        for pid in [self.process.pid, *_descendants(self.process.pid)]:
            with suppress(OSError):
                stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
                # The fields after the name: utime, stime and those of children that have ended.
                ticks += sum(int(word) for word in stat.rpartition(")")[2].split()[11:15])
        return ticks / os.sysconf("SC_CLK_TCK")


def _descendants(pid: int) -> list[int]:
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    except OSError:  # it has just ended
        return []
    return [found for child in listed for found in (int(child), *_descendants(int(child)))]


@dataclass
class Machine:
    """All services in a folder, as `docker compose up` would have them."""

    folder: Path
    web_nodes: int = 2
    workers: int = 2
    database_options: Sequence[str] = ()
    patience: float = PATIENCE
    units: list[Unit] = field(default_factory=list)

    def __post_init__(self) -> None:
        programs = _programs()
        variables = {"PAINSUIT_HOSTS": HOST, "PAINSUIT_WORKERS": str(self.workers)}
        # A small machine's share for each node; see docs/settings.md.
        small = {"PAINSUIT_WEB_PROCESSES": "1", "PAINSUIT_WORKER_PROCESSES": "1"}
        self.services = read_compose({**small, **os.environ, **variables})
        self.http_port, self.https_port, self.database_port, self.broker_port, *self.web_ports = (
            free_ports(4 + self.web_nodes)
        )
        self._make_secrets()
        self._write_wrappers(programs)
        (self.folder / "logs").mkdir()
        self._close = threading.Event()
        self._restarts = threading.Thread(target=self._restart_what_ends, daemon=True)
        self._restarts.start()

    def _make_secrets(self) -> None:
        """Run deploy/begin, and point the addresses of database and broker to this machine."""
        shutil.copy(DEPLOY / "begin", self.folder)
        subprocess.run([self.folder / "begin"], check=True, stdout=subprocess.DEVNULL)
        ports = {"database_url": self.database_port, "redis_url": self.broker_port}
        for name, port in ports.items():
            path = self.folder / "secrets" / name
            path.chmod(0o600)
            path.write_text(re.sub(r"@\w+:\d+/", f"@127.0.0.1:{port}/", path.read_text()))

    def _write_wrappers(self, programs: Mapping[str, str]) -> None:
        """Write wrapper scripts under the names used in compose.yaml, with our address and port."""
        folder = self.folder / "bin"
        folder.mkdir()
        data = self.folder / "volumes" / "broker"
        data.mkdir(parents=True)
        at = f"--bind 127.0.0.1 --port {self.broker_port} --dir {data}"
        calls = {
            "docker-entrypoint.sh": '"$@"',
            "valkey-server": f'{programs["valkey-server"]} "$@" {at}',
            "valkey-cli": f'{programs["valkey-cli"]} -p {self.broker_port} "$@"',
            "pg_isready": f'{programs["pg_isready"]} -h 127.0.0.1 -p {self.database_port} "$@"',
        }
        for name, call in calls.items():
            (folder / name).write_text(f"#!/bin/sh\nexec {call}\n", encoding="utf-8")
            (folder / name).chmod(0o755)
        self.programs = programs

    def _localize(self, words: Sequence[str], service: Service, port: int) -> list[str]:
        """Replace paths, address and port in words of compose.yaml by those of this machine."""
        folders = {path: self.folder / "volumes" / name for name, path in service.volumes.items()}
        folders["/run/secrets"] = self.folder / "secrets"
        for folder in folders.values():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        changes = {rf"(?<![\w./-]){path}(?![\w-])": str(to) for path, to in folders.items()}
        changes |= {r"\b0\.0\.0\.0\b": "127.0.0.1", rf"\b{WEB_PORT}\b": str(port)}
        return [
            reduce(lambda text, old: re.sub(old, changes[old], text), changes, word)
            for word in words
        ]

    def environ(self, service: Service, port: int = WEB_PORT) -> dict[str, str]:
        """Return the environment of a service; nothing but PATH is inherited from ours."""
        # The port of the proxy is not the usual one.
        address = {"PAINSUIT_ADDRESS": f"https://{HOST}:{self.https_port}"}
        own = {**image_environment(), **service.environment, **address}
        return {
            "PATH": f"{self.folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            **dict(zip(own, self._localize(list(own.values()), service, port), strict=True)),
        }

    def add(self, name: str) -> list[Unit]:
        """Start a service, each of its replicas."""
        service = self.services[name]
        makers: dict[str, Callable[[Service], list[str]]] = {
            "database": self._database,
            "proxy": self._proxy,
        }
        ports = self.web_ports if name == "web" else [WEB_PORT] * service.replicas
        started = []
        for number, port in enumerate(ports, 1):
            unit = Unit(
                name=f"{name}-{number}",
                service=service,
                command=makers[name](service)
                if name in makers
                else self._localize(service.command, service, port),
                environ=self.environ(service, port),
                log=self.folder / "logs" / f"{name}-{number}",
            )
            unit.start()
            started.append(unit)
        self.units = [unit for unit in self.units if unit.service.name != name] + started
        return started

    def _database(self, service: Service) -> list[str]:
        """Make a cluster as the image of PostgreSQL does; return the command that serves it."""
        data = self.folder / "volumes" / "database"
        # It refuses to run as root.
        user = "postgres"
        become = ["setpriv", "--reuid", user, "--regid", user, "--init-groups"]
        become = become if os.geteuid() == 0 else []
        words = service.environment
        if not data.exists():
            data.mkdir(mode=0o700)
            password = self.folder / "database_password"
            shutil.copy(self.folder / "secrets" / "database_password", password)
            if become:
                shutil.chown(data, user)
                shutil.chown(password, user)
            initdb = [self.programs["initdb"], "--pgdata", str(data), "--no-instructions"]
            initdb += ["--username", words["POSTGRES_USER"], "--auth", "scram-sha-256"]
            initdb += ["--pwfile", str(password), *words["POSTGRES_INITDB_ARGS"].split()]
            initdb += ["--encoding", "UTF8"]
            subprocess.run([*become, *initdb], check=True, stdout=subprocess.DEVNULL, cwd="/")
            password.unlink()
        options = [f"--unix_socket_directories={data}", "--listen_addresses=127.0.0.1"]
        options += [f"--port={self.database_port}", *service.command, *self.database_options]
        return [*become, self.programs["postgres"], "-D", str(data), *options]

    def make_database(self) -> None:
        """The empty database, which the image makes at its first start."""
        name = self.services["database"].environment["POSTGRES_DB"]
        address = self.database_url.rpartition("/")[0] + "/postgres"
        with psycopg.connect(address, autocommit=True) as line:
            line.execute(f'CREATE DATABASE "{name}"')

    @property
    def database_url(self) -> str:
        return (self.folder / "secrets" / "database_url").read_text(encoding="utf-8")

    def _proxy(self, service: Service) -> list[str]:
        """Caddy with our Caddyfile, in which only ports and the addresses of web servers change."""
        caddy = self.programs["caddy"]
        adapt = [caddy, "adapt", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
        adapted = subprocess.run(adapt, check=True, capture_output=True, env=self.environ(service))
        config: dict[str, Any] = json.loads(adapted.stdout)
        http = config["apps"]["http"]
        http |= {"http_port": self.http_port, "https_port": self.https_port}
        for server in http["servers"].values():
            server["listen"] = [f"127.0.0.1:{self.https_port}"]
        for upstreams in _find_values(config, "upstreams"):
            upstreams[:] = [{"dial": f"127.0.0.1:{port}"} for port in self.web_ports]
        # Nobody else on this machine need trust it, or tell it anything.
        config["apps"]["pki"] = {"certificate_authorities": {"local": {"install_trust": False}}}
        config["admin"] = {"disabled": True}
        path = self.folder / "caddy.json"
        path.write_text(json.dumps(config), encoding="utf-8")
        return [caddy, "run", "--config", str(path)]

    @property
    def authority(self) -> Path:
        """The certificate of Caddy's own authority."""
        return self.folder / ".local/share/caddy/pki/authorities/local/root.crt"

    def units_of(self, name: str) -> list[Unit]:
        """The units of a service."""
        return [unit for unit in self.units if unit.service.name == name]

    def run(self, name: str, *words: str, stdin: Path | None = None) -> str:
        """`docker compose run NAME WORDS`, without words its command: what it printed."""
        service = self.services[name]
        with (stdin or Path(os.devnull)).open("rb") as source:
            done = subprocess.run(
                self._localize(words or service.command, service, WEB_PORT),
                cwd=ROOT,
                env=self.environ(service),
                stdin=source,
                capture_output=True,
                text=True,
                check=False,
            )
        if done.returncode:
            last = (done.stderr or done.stdout).strip()[-2000:]
            raise RehearsalError(f"{' '.join(words) or name} ended with {done.returncode}:\n{last}")
        return done.stdout

    def is_healthy(self, name: str) -> bool:
        """Whether the health check of a service is content with every replica."""
        service = self.services[name]
        ports = self.web_ports if name == "web" else [WEB_PORT]
        return all(
            subprocess.run(
                self._localize(service.health_check, service, port),
                env=self.environ(service, port),
                cwd=ROOT,
                capture_output=True,
                check=False,
            ).returncode
            == 0
            for port in ports
        )

    def wait_until_healthy(self, *names: str) -> None:
        for name in names:
            self.wait_until(partial(self.is_healthy, name), f"{name} is not healthy")

    def stop(self) -> None:
        """Stop everything in order, the database last."""
        for unit in reversed(self.units):
            unit.stop(self.patience)

    def migrate(self) -> None:
        """Migrate the empty database, and have patience by how long that took."""
        begun = time.monotonic()
        self.run("migrate")
        measured = PATIENCE_PER_MIGRATION * (time.monotonic() - begun)
        self.patience = max(self.patience, measured)

    def wait_until(self, is_so: Callable[[], Any], otherwise: str) -> float:
        """Wait; how many seconds it took. Raises RehearsalError when patience is at an end."""
        begun = time.monotonic()
        while not is_so():
            if time.monotonic() - begun > self.patience:
                raise RehearsalError(f"{otherwise} after {self.patience:.0f} s (see --patience)")
            time.sleep(0.05)
        return time.monotonic() - begun

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Kill whatever still runs."""
        self._close.set()
        self._restarts.join()
        for unit in self.units:
            unit.is_wanted = False
            unit.kill()

    def _restart_what_ends(self) -> None:
        while not self._close.wait(RESTART_DELAY):
            for unit in list(self.units):
                if unit.is_wanted and unit.service.restarts and unit.has_ended():
                    unit.start()


def _find_values(tree: Any, key: str) -> list[Any]:
    """Every value of a key, however deep it lies."""
    if isinstance(tree, list):
        return [found for one in tree for found in _find_values(one, key)]
    if not isinstance(tree, dict):
        return []
    return [
        found
        for name, value in tree.items()
        for found in ([value] if name == key else _find_values(value, key))
    ]


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    try:
        return [socket.getsockname()[1] for socket in sockets]
    finally:
        for one in sockets:
            one.close()


def _programs() -> dict[str, str]:
    """Where the programs are that stand in for images. Raises RehearsalError."""
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: int(one.parent.name)
    )
    path = os.pathsep.join([*map(str, reversed(versions)), os.environ["PATH"], "/usr/sbin"])
    wanted = {
        "postgres": ("postgresql", ["postgres"]),
        "initdb": ("postgresql", ["initdb"]),
        "pg_isready": ("postgresql", ["pg_isready"]),
        "valkey-server": ("valkey-server or redis-server", ["valkey-server", "redis-server"]),
        "valkey-cli": ("valkey-tools or redis-tools", ["valkey-cli", "redis-cli"]),
        "caddy": ("caddy", ["caddy"]),
    }
    found: dict[str, str] = {}
    missing: list[str] = []
    for name, (package, programs) in wanted.items():
        places = [place for program in programs if (place := shutil.which(program, path=path))]
        if places:
            found[name] = places[0]
        elif package not in missing:
            missing.append(package)
    if missing:
        raise RehearsalError(f"Missing on this machine: Debian's {', '.join(missing)}.")
    return found
