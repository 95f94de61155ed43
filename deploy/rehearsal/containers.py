"""The containers of compose.yaml, built and run by the engine of this machine.

They are a project of their own, made from a copy of the repository in a temporary folder: nothing
of an installation that runs here is touched.
"""

import os
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from deploy.rehearsal.compose import ROOT, read_compose
from deploy.rehearsal.machine import HOST, RehearsalError, free_ports

ENGINES: Final = {
    "docker": (["docker", "compose"], "docker with its plugin compose"),
    "podman": (["podman-compose"], "podman with podman-compose"),
}
"""Commands of compose by the program of the engine."""
PATIENCE: Final = 300.0
"""Seconds until all containers are healthy; health checks are up to a minute apart."""
BUILD_PATIENCE: Final = 1800.0
"""Seconds for a command of the engine, such as one that fetches images and packages."""
AUTHORITY: Final = "/data/caddy/pki/authorities/local/root.crt"
"""The certificate of Caddy's own authority in the container of the proxy."""


class NoEngineError(RehearsalError):
    """No engine of containers works on this machine."""


def find_engine() -> str:
    """Return docker or podman, the first that answers together with its compose."""
    for engine, (compose, _) in ENGINES.items():
        # `podman-compose version` would succeed without podman.
        if _answers([engine, "info"]) and _answers([*compose, "version"]):
            return engine
    wanted = " nor ".join(name for _, name in ENGINES.values())
    raise NoEngineError(f"No containers on this machine: neither {wanted} works here.")


def _answers(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@dataclass
class Containers:
    """All services as a project of compose, which goes with its volumes and image at the end."""

    folder: Path
    engine: str
    patience: float = PATIENCE

    def __post_init__(self) -> None:
        self.project = self.folder.name.lower()
        http_port, self.https_port = free_ports(2)
        self._root = self.folder / "painsuit"
        shutil.copytree(ROOT, self._root, ignore=_left_out, symlinks=True)
        self.settings = {
            "PAINSUIT_HOSTS": HOST,
            "PAINSUIT_ADDRESS": f"https://{HOST}:{self.https_port}",
            "PAINSUIT_IMAGE": self.project,
            "PAINSUIT_HTTP_PORT": str(http_port),
            "PAINSUIT_HTTPS_PORT": str(self.https_port),
        }
        lines = "".join(f"{name}={value}\n" for name, value in self.settings.items())
        (self._root / "deploy" / ".env").write_text(lines, encoding="utf-8")
        subprocess.run([self._root / "deploy" / "begin"], check=True, stdout=subprocess.DEVNULL)
        self.services = read_compose(self.settings)

    @property
    def authority(self) -> Path:
        return self.folder / "root.crt"

    def compose(self, *words: str) -> str:
        """Run a command of compose on the project; what it printed."""
        command, _ = ENGINES[self.engine]
        return self._call(
            *command, "--project-name", self.project, "--file", "deploy/compose.yaml", *words
        )

    def run(self, name: str, *words: str) -> str:
        """`compose run`, as the first steps in deploy/README.md have it."""
        return self.compose("run", "--rm", "-T", name, *words)

    def execute(self, name: str, *words: str) -> str:
        """Run a command in the first container of a service; what it printed."""
        return self._call(self.engine, "exec", self._list(name)[0], *words)

    def build(self) -> None:
        """Build the image. Raises RehearsalError."""
        said = self.compose("build", "web")  # the image of all services of ours
        # Older versions of podman-compose end with 0 where the engine failed.
        if not self._image():
            raise RehearsalError(f"no image was built:\n{said.strip()[-2000:]}")

    def up(self) -> None:
        """Start everything, and wait until every health check is content."""
        # Older versions of podman-compose do not wait for what a service depends on.
        first = ("database", "broker", "migrate") if self.engine == "podman" else ()
        for names in (*((name,) for name in first), ()):
            self.compose("up", "--detach", "--no-build", *names)
            ready = partial(self.are_ready, names or tuple(self.services))
            self.wait_until(ready, ", ".join(names) or "all")
        self.authority.write_text(self.execute("proxy", "cat", AUTHORITY), encoding="utf-8")

    def are_ready(self, names: Iterable[str]) -> bool:
        """Whether each has all its containers, and all run and are healthy."""
        return all(map(self._is_ready, names))

    def wait_until(self, is_so: Callable[[], Any], name: str) -> None:
        """Wait. Raises RehearsalError, with the services that are not ready."""
        until = time.monotonic() + self.patience
        while not is_so():
            if time.monotonic() > until:
                unready = [service for service in self.services if not self._is_ready(service)]
                raise RehearsalError(
                    f"waited {self.patience:.0f} s for {name}; not ready: {', '.join(unready)}"
                )
            time.sleep(1)

    def count_containers(self) -> str:
        """How many containers of each service there are, in words."""
        counts = Counter({name: len(self._list(name)) for name in self.services})
        return ", ".join(f"{count} {name}" for name, count in counts.items())

    def down(self) -> None:
        """Remove the containers, volumes, networks and the image of this project, and no other."""
        self.compose("down", "--volumes", "--timeout", "10")
        # podman-compose may leave networks behind, and podman forgets labels of volumes.
        for kind in ("container", "volume", "network"):
            options = ["--all"] if kind == "container" else []
            options += ["--quiet", "--filter", f"name={self.project}"]
            left = self._call(self.engine, kind, "ls", *options).split()
            if left:
                self._call(self.engine, kind, "rm", "--force", *left)
        if self._image():
            self._call(self.engine, "image", "rm", f"painsuit:{self.project}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Keep what the containers logged, and remove them."""
        logs = self.folder / "logs"
        logs.mkdir()
        try:
            for name in self.services:
                for number, container in enumerate(self._list(name), 1):
                    kept = self._call(self.engine, "logs", container)
                    (logs / f"{name}-{number}").write_text(kept, encoding="utf-8")
        finally:
            self.down()

    def _is_ready(self, name: str) -> bool:
        service = self.services[name]
        containers = self._list(name)
        if len(containers) < service.replicas:
            return False
        return all(self._is_container_ready(container, name) for container in containers)

    def _is_container_ready(self, container: str, name: str) -> bool:
        service = self.services[name]
        state = "{{.State.Status}} {{.State.ExitCode}}"
        status, code = self._call(self.engine, "inspect", "--format", state, container).split()
        if not service.restarts:
            return (status, code) == ("exited", "0")
        if status != "running":
            return False
        if not service.health_check:
            return True
        if self.engine == "podman":
            # Without systemd podman checks nothing; old podman-compose quotes checks wrongly.
            return _answers(["podman", "exec", container, *service.health_check])
        health = self._call(
            self.engine, "inspect", "--format", "{{.State.Health.Status}}", container
        )
        return health.strip() == "healthy"

    def _image(self) -> str:
        reference = f"reference=painsuit:{self.project}"
        return self._call(self.engine, "image", "ls", "--quiet", "--filter", reference)

    def _label(self) -> str:
        return f"label=com.docker.compose.project={self.project}"

    def _list(self, name: str) -> list[str]:
        service = f"label=com.docker.compose.service={name}"
        words = ["ps", "--all", "--quiet", "--filter", self._label(), "--filter", service]
        return self._call(self.engine, *words).split()

    def _call(self, *words: str) -> str:
        # Ours come before those of .env; older versions of podman-compose give settings without a
        # value in compose.yaml from here alone.
        environ = {key: kept for key, kept in os.environ.items() if not key.startswith("PAINSUIT_")}
        environ |= self.settings
        try:
            done = subprocess.run(
                words,
                cwd=self._root,
                env=environ,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=BUILD_PATIENCE,
            )
        except subprocess.TimeoutExpired as error:
            raise RehearsalError(f"{' '.join(words)} does not end") from error
        if done.returncode:
            last = (done.stderr or done.stdout).strip()[-2000:]
            raise RehearsalError(f"{' '.join(words)} ended with {done.returncode}:\n{last}")
        return done.stdout


def _left_out(folder: str, names: list[str]) -> list[str]:
    """The names that .dockerignore leaves out of an image, and so of the copy."""
    patterns = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    paths = {name: Path(folder, name).relative_to(ROOT).as_posix() for name in names}
    return [
        name
        for name, path in paths.items()
        if any(
            fnmatch(path, pattern.removeprefix("**/")) or fnmatch(path, pattern)
            for pattern in patterns
        )
    ]
