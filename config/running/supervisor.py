"""Keep a few child processes running, restart the ones that die, and leave none behind.

Imports no Django, because its process runs as long as `serve` does and must stay small. Children
start in order, each when the one before it is ready, and stop in the opposite order. Each gets a
session of its own, so that a Ctrl-C in the terminal reaches only this process, which then stops
them properly; and each is tied to this process's life, so that even kill -9 here ends them (Linux;
elsewhere they outlive a kill -9).
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

TICK = 0.1
LONGEST_DELAY = 30.0
PROBE_TIMEOUT = 0.5
UPKEEP_EVERY = 3600.0
CRASH_LOOP = 5  # deaths within CRASH_WINDOW: the log is shown, and the next start waits a little
CRASH_WINDOW = 120.0
CRASH_DELAY = 1.0  # of what served, or was killed: people wait for its answers

PR_SET_PDEATHSIG = 1

# Loaded once, in the parent: nothing may be imported or looked up between fork and exec.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Probe:
    """A readiness probe: sends ``request``; True if the response begins with ``answer``.

    ``address`` is a host and a port, or the path of a Unix socket. With ``authority``, the PEM file
    of a certificate authority, it connects by TLS and expects a certificate for ``localhost``.
    """

    address: tuple[str, int] | str
    request: bytes
    answer: bytes
    authority: Path | None = None

    def __call__(self) -> bool:
        try:
            with self._connect() as connection:
                connection.sendall(self.request)
                return connection.recv(len(self.answer)) == self.answer
        except OSError:
            return False

    def _connect(self) -> socket.socket:
        if isinstance(self.address, str):
            plain = socket.socket(socket.AF_UNIX)
            plain.settimeout(PROBE_TIMEOUT)
            try:
                plain.connect(self.address)
            except OSError:
                plain.close()
                raise
            return plain
        plain = socket.create_connection(self.address, timeout=PROBE_TIMEOUT)
        if self.authority is None:
            return plain
        import ssl  # noqa: PLC0415 (3 MB that plain http does not need)

        tls = ssl.create_default_context(cafile=self.authority)
        return tls.wrap_socket(plain, server_hostname="localhost")


def is_started() -> bool:
    """Readiness of a process that serves as soon as it runs."""
    return True


@dataclass(frozen=True, slots=True)
class Child:
    """One process to keep: how to start it, how to see that it serves, how to end it."""

    name: str
    command: Sequence[str]
    log: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    keep_fds: Sequence[int] = ()
    is_ready: Callable[[], bool] = is_started
    grace: float = 10.0  # seconds between the request to stop and the order
    # One that ends by itself before it served for so many seconds is started again with ever longer
    # delays; any other at once, also one that was killed while it started.
    steady_after: float = 0.0


@dataclass(slots=True)
class _ManagedChild:
    """A child with its process and the history of its deaths."""

    child: Child
    process: subprocess.Popen[bytes] | None = None
    due: float = 0.0
    failures: int = 0  # times in a row that it ended by itself before it was steady
    deaths: list[float] = field(default_factory=list)  # when, within the last CRASH_WINDOW
    is_looping: bool = False  # and the log says so
    was_ready: bool = False
    ready_at: float | None = None  # since when it serves; None: not yet since it was started
    is_recovering: bool = False  # it died and does not serve again yet


class Supervisor:
    def __init__(
        self,
        children: Sequence[Child],
        *,
        say: Say,
        when_ready: Callable[[], None],
        upkeep: Sequence[str] = (),
    ):
        """``upkeep`` is a command that is run every hour; its output goes to the terminal."""
        self._children = [_ManagedChild(child) for child in children]
        self._say = say
        self._when_ready = when_ready
        self._upkeep = upkeep
        self._upkeep_due = time.monotonic() + UPKEEP_EVERY
        self._upkeep_process: subprocess.Popen[bytes] | None = None
        self._announced = False
        self._stops = 0

    def run(self) -> None:
        """Supervise until SIGINT, SIGTERM or SIGHUP; every child is gone on return."""
        before = {
            number: signal.signal(number, self._request_stop)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        }
        try:
            while not self._stops:
                now = time.monotonic()
                self._check_children(now)
                if self._upkeep and now >= self._upkeep_due:
                    self._run_upkeep(now)
                time.sleep(TICK)
        finally:
            if self._upkeep_process is not None:
                self._upkeep_process.wait()
            for managed in reversed(self._children):
                self._stop(managed)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _request_stop(self, _number: int, _frame: object) -> None:
        self._stops += 1

    def _run_upkeep(self, now: float) -> None:
        if self._upkeep_process is None or self._upkeep_process.poll() is not None:
            self._upkeep_due = now + UPKEEP_EVERY
            self._upkeep_process = subprocess.Popen(  # noqa: S603 (our own command, no shell)
                self._upkeep, stdin=subprocess.DEVNULL
            )

    def _check_children(self, now: float) -> None:
        for managed in self._children:
            if managed.process is None:
                if now >= managed.due:
                    self._start(managed)
            elif managed.process.poll() is not None:
                self._handle_death(managed, managed.process, now)
            self._check_ready(managed, now)
            if not managed.was_ready:
                return  # the next ones build on this one
        if not self._announced:
            self._announced = True
            self._when_ready()

    def _check_ready(self, managed: _ManagedChild, now: float) -> None:
        if managed.process is None or managed.ready_at is not None:
            return
        if managed.child.is_ready():
            if managed.is_recovering:
                self._say(f"{managed.child.name} runs again.")
            managed.was_ready, managed.is_recovering = True, False
            managed.ready_at = now

    def _start(self, managed: _ManagedChild) -> None:
        child, parent = managed.child, os.getpid()
        with child.log.open("ab") as log:
            managed.process = subprocess.Popen(  # noqa: S603 (our own commands, no shell)
                child.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **child.environ},
                pass_fds=child.keep_fds,
                start_new_session=True,
                # Safe here: this process has one thread, and the call only sets a flag.
                preexec_fn=lambda: die_with(parent),  # noqa: PLW1509 (one thread starts children)
            )

    def _handle_death(
        self, managed: _ManagedChild, process: subprocess.Popen[bytes], now: float
    ) -> None:
        _kill_session(process)
        was_steady = (
            managed.ready_at is not None and now - managed.ready_at >= managed.child.steady_after
        )
        was_killed = -process.returncode in (signal.SIGKILL, signal.SIGTERM)
        has_failed = not was_steady and not was_killed
        managed.process, managed.ready_at, managed.is_recovering = None, None, True
        managed.deaths = [*(at for at in managed.deaths if now - at < CRASH_WINDOW), now]
        is_often = len(managed.deaths) >= CRASH_LOOP
        managed.failures = managed.failures + 1 if has_failed else 0
        if has_failed:
            delay = min(2.0 ** (managed.failures - 1), LONGEST_DELAY)
        else:
            delay = CRASH_DELAY if is_often else 0.0
        managed.due = now + delay
        when = f" in {delay:.0f} s" if delay else ""
        self._say(
            f"{managed.child.name} {_describe_exit(process.returncode)}; starting it again{when}."
        )
        was_looping = managed.is_looping
        managed.is_looping = is_often or managed.failures >= CRASH_LOOP
        if managed.is_looping and not was_looping:
            self._say(
                f"{managed.child.name} keeps dying ({CRASH_LOOP} times by now). "
                f"The end of {managed.child.log}:\n{_tail(managed.child.log)}"
            )

    def _stop(self, managed: _ManagedChild) -> None:
        process = managed.process
        if process is None:
            return
        stops, deadline = self._stops, time.monotonic() + managed.child.grace
        with suppress(ProcessLookupError):
            process.terminate()
        # A second Ctrl-C means: now.
        while process.poll() is None and time.monotonic() < deadline and self._stops == stops:
            time.sleep(TICK / 4)
        if process.poll() is None and self._stops == stops:
            self._say(
                f"{managed.child.name} did not stop within {managed.child.grace:.0f} s; killed."
            )
        _kill_session(process)
        process.wait()
        managed.process = None


def _kill_session(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the child's session, its own children included."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _describe_exit(status: int) -> str:
    """Say how a process ended.

    >>> _describe_exit(-9), _describe_exit(3)
    ('was killed (SIGKILL)', 'ended by itself (status 3)')
    """
    if status < 0:
        return f"was killed ({signal.Signals(-status).name})"
    return f"ended by itself (status {status})"


def _tail(path: Path, lines: int = 12) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 8192))
        last = file.read().decode("utf-8", errors="replace").splitlines()[-lines:]
    return "\n".join(f"  {line}" for line in last)


def die_with(parent: int) -> None:
    """Ask the kernel, in a new process, to kill it when its parent ends (Linux; elsewhere nothing).

    A process that was killed with -9 can stop nothing any more, so the kernel does it: it kills the
    children, and those kill theirs in the same way. SIGKILL, because a polite signal lets a process
    wait for what died with its parent; every promise that we keep is in the database by then, and
    the broker's log takes an end at any byte.
    """
    if _libc is None:
        return
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before we could ask
        os._exit(1)
