"""Keep a few child processes running, restart the ones that die, and leave none behind.

Knows no Django: it is what stays in memory of `serve`. Children start in order, each when the one
before it is ready, and stop in the opposite order.
Each gets a session of its own, so that a Ctrl-C in the terminal reaches only this process, which
then stops them properly; and each is tied to this process's life, so that even kill -9 here ends
them (Linux; elsewhere they outlive a kill -9).
"""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from config.lifeline import die_with

TICK = 0.1
LONGEST_DELAY = 30.0
PROBE_TIMEOUT = 0.5
UPKEEP_EVERY = 3600.0
CRASH_LOOP = 5  # deaths within CRASH_WINDOW: the log is shown, and the next start waits a little
CRASH_WINDOW = 120.0
CRASH_DELAY = 1.0  # of what served before: people wait for its answers

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Probe:
    """A request that a process answers once it serves; calling it tells whether it does.

    ``address`` is a host and a port, or the path of a socket. ``authority`` is the PEM file of who
    signed the certificate, where the process talks TLS by the name of ``localhost``.
    """

    address: tuple[str, int] | str
    request: bytes
    answer: bytes  # how it begins
    authority: Path | None = None

    def __call__(self) -> bool:
        try:
            with self._connect() as line:
                line.sendall(self.request)
                return line.recv(len(self.answer)) == self.answer
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
    # Seconds for which it must have served to be started again at once; one that did not serve so
    # long cannot do its work, and is tried ever more slowly.
    steady_after: float = 0.0


@dataclass(slots=True)
class _Kept:
    """What the supervisor remembers of a child between two looks."""

    child: Child
    process: subprocess.Popen[bytes] | None = None
    due: float = 0.0
    failures: int = 0  # deaths in a row that are answered more and more slowly
    deaths: list[float] = field(default_factory=list)  # when, within the last CRASH_WINDOW
    is_looping: bool = False  # and the log says so
    was_ready: bool = False
    ready_at: float | None = None  # since when it serves; None: not yet since it was started
    is_missed: bool = False  # it died and does not serve yet again


class Supervisor:
    def __init__(
        self,
        children: Sequence[Child],
        *,
        say: Say,
        when_ready: Callable[[], None],
        upkeep: Sequence[str] = (),
    ):
        """``upkeep`` is a command for every hour; what it has to say, it says itself."""
        self._kept = [_Kept(child) for child in children]
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
            number: signal.signal(number, self._asked_to_stop)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        }
        try:
            while not self._stops:
                now = time.monotonic()
                self._look(now)
                if self._upkeep and now >= self._upkeep_due:
                    self._keep_up(now)
                time.sleep(TICK)
        finally:
            if self._upkeep_process is not None:
                self._upkeep_process.wait()
            for kept in reversed(self._kept):
                self._stop(kept)
            for number, handler in before.items():
                signal.signal(number, handler)

    def _asked_to_stop(self, _number: int, _frame: object) -> None:
        self._stops += 1

    def _keep_up(self, now: float) -> None:
        if self._upkeep_process is None or self._upkeep_process.poll() is not None:
            self._upkeep_due = now + UPKEEP_EVERY
            self._upkeep_process = subprocess.Popen(  # noqa: S603 (our own command, no shell)
                self._upkeep, stdin=subprocess.DEVNULL
            )

    def _look(self, now: float) -> None:
        for kept in self._kept:
            if kept.process is None:
                if now >= kept.due:
                    self._start(kept)
            elif kept.process.poll() is not None:
                self._note_death(kept, kept.process, now)
            self._ask(kept, now)
            if not kept.was_ready:
                return  # the next ones build on this one
        if not self._announced:
            self._announced = True
            self._when_ready()

    def _ask(self, kept: _Kept, now: float) -> None:
        if kept.process is None or kept.ready_at is not None:
            return
        if kept.child.is_ready():
            if kept.is_missed:
                self._say(f"{kept.child.name} runs again.")
            kept.was_ready, kept.is_missed = True, False
            kept.ready_at = now

    def _start(self, kept: _Kept) -> None:
        child, parent = kept.child, os.getpid()
        with child.log.open("ab") as log:
            kept.process = subprocess.Popen(  # noqa: S603 (our own commands, no shell)
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

    def _note_death(self, kept: _Kept, process: subprocess.Popen[bytes], now: float) -> None:
        _sweep(process)
        was_steady = kept.ready_at is not None and now - kept.ready_at >= kept.child.steady_after
        kept.process, kept.ready_at, kept.is_missed = None, None, True
        kept.deaths = [*(at for at in kept.deaths if now - at < CRASH_WINDOW), now]
        is_often = len(kept.deaths) >= CRASH_LOOP
        kept.failures = 0 if was_steady else kept.failures + 1
        if was_steady:
            delay = CRASH_DELAY if is_often else 0.0
        else:
            delay = min(2.0 ** (kept.failures - 1), LONGEST_DELAY)
        kept.due = now + delay
        when = f" in {delay:.0f} s" if delay else ""
        self._say(f"{kept.child.name} {_ending(process.returncode)}; starting it again{when}.")
        was_looping = kept.is_looping
        kept.is_looping = is_often or kept.failures >= CRASH_LOOP
        if kept.is_looping and not was_looping:
            self._say(
                f"{kept.child.name} keeps dying ({CRASH_LOOP} times by now). "
                f"The end of {kept.child.log}:\n{_tail(kept.child.log)}"
            )

    def _stop(self, kept: _Kept) -> None:
        process = kept.process
        if process is None:
            return
        stops, deadline = self._stops, time.monotonic() + kept.child.grace
        with suppress(ProcessLookupError):
            process.terminate()
        # A second Ctrl-C means: now.
        while process.poll() is None and time.monotonic() < deadline and self._stops == stops:
            time.sleep(TICK / 4)
        if process.poll() is None and self._stops == stops:
            self._say(f"{kept.child.name} did not stop within {kept.child.grace:.0f} s; killed.")
        _sweep(process)
        process.wait()
        kept.process = None


def _sweep(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the child's session, its own children included."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _ending(status: int) -> str:
    """Say how a process ended.

    >>> _ending(-9), _ending(3)
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
