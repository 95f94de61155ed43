"""The supervisor is run as a process of its own, with real children, and looked at from outside."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.running import supervisor
from config.running.service import Service

ROOT = Path(__file__).resolve().parents[2]
# Each argument is one child's Python code; it says "ready" in its log when it serves.
KEEPER = """
import sys
from pathlib import Path
from config.running.supervisor import Child, Supervisor

def child(number, code):
    log = Path(sys.argv[1]) / f"{number}.log"
    return Child(
        name=f"Child {number}", command=[sys.executable, "-uc", code], log=log, grace=2.0,
        is_ready=lambda: b"ready" in log.read_bytes(), steady_after=0.5,
    )

children = [child(number, code) for number, code in enumerate(sys.argv[2:])]
say = lambda words: print(words, flush=True)
Supervisor(children, say=say, when_ready=lambda: say("all ready")).run()
print("stopped", flush=True)
"""
STEADY = "import os, time; print('ready', os.getpid()); time.sleep(600)"
STUBBORN = (
    "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "print('ready', os.getpid()); time.sleep(600)"
)
WITH_A_CHILD = (
    "import os, subprocess, sys, time;"
    "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
    "print('ready', p.pid); time.sleep(600)"
)
SLOW = "import os, time; time.sleep(1); print('ready', os.getpid()); time.sleep(600)"
BROKEN = "import sys; print('no such table'); sys.exit(3)"


class Keeper:
    """A running supervisor and what can be seen of it."""

    def __init__(self, folder: Path, codes: tuple[str, ...]) -> None:
        self.folder = folder
        self.said = folder / "said"
        with self.said.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-c", KEEPER, str(folder), *codes],
                cwd=ROOT,
                stdout=out,
                stderr=out,
            )

    def words(self) -> str:
        return self.said.read_text(encoding="utf-8")

    def pids(self, number: int) -> list[int]:
        """The process ids that this child wrote into its log, one for each start."""
        log = self.folder / f"{number}.log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [int(line.split()[1]) for line in lines if line.startswith("ready ")]

    def wait_for(self, words: str) -> None:
        until(lambda: words in self.words(), self.words)


def until(seen: Callable[[], object], otherwise: Callable[[], object] = lambda: "") -> None:
    deadline = time.monotonic() + 15
    while not seen():
        assert time.monotonic() < deadline, otherwise()
        time.sleep(0.02)


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"  # ended, and only waiting to be noticed


@pytest.fixture
def keep(tmp_path: Path) -> Iterator[Callable[..., Keeper]]:
    keepers: list[Keeper] = []

    def start(*codes: str) -> Keeper:
        keepers.append(Keeper(tmp_path, codes))
        return keepers[-1]

    yield start
    for keeper in keepers:
        keeper.process.terminate()
        keeper.process.wait(timeout=15)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_one_signal_stops_every_child_and_leaves_nothing(
    keep: Callable[..., Keeper], number: signal.Signals
) -> None:
    keeper = keep(STEADY, WITH_A_CHILD)
    keeper.wait_for("all ready")
    pids = [keeper.pids(0)[0], keeper.pids(1)[0]]
    keeper.process.send_signal(number)
    assert keeper.process.wait(timeout=10) == 0
    assert keeper.words() == "all ready\nstopped\n"
    until(lambda: not any(lives(pid) for pid in pids))


def test_a_child_that_dies_is_reported_and_started_again(keep: Callable[..., Keeper]) -> None:
    keeper = keep(STEADY, STEADY)
    keeper.wait_for("all ready")
    first, other = keeper.pids(0)[0], keeper.pids(1)[0]
    time.sleep(0.8)
    os.kill(first, signal.SIGKILL)
    keeper.wait_for("Child 0 was killed (SIGKILL); starting it again.")
    keeper.wait_for("Child 0 runs again.")
    until(lambda: len(keeper.pids(0)) == 2)
    assert lives(keeper.pids(0)[1])
    assert keeper.pids(1) == [other]  # the one beside it was not touched


def test_what_a_dead_child_started_is_swept_away(keep: Callable[..., Keeper]) -> None:
    keeper = keep(STEADY, WITH_A_CHILD)
    keeper.wait_for("all ready")
    orphan = keeper.pids(1)[0]
    parent = int(Path(f"/proc/{orphan}/stat").read_text(encoding="utf-8").split()[3])
    os.kill(parent, signal.SIGKILL)
    keeper.wait_for("Child 1 was killed")
    until(lambda: not lives(orphan))


def test_no_child_survives_kill_9_of_the_supervisor(keep: Callable[..., Keeper]) -> None:
    keeper = keep(STEADY, STUBBORN)
    keeper.wait_for("all ready")
    pids = [keeper.pids(0)[0], keeper.pids(1)[0]]
    keeper.process.kill()
    keeper.process.wait(timeout=5)
    until(lambda: not any(lives(pid) for pid in pids))


def test_a_child_that_will_not_stop_is_killed_after_its_grace(keep: Callable[..., Keeper]) -> None:
    keeper = keep(STUBBORN)
    keeper.wait_for("all ready")
    begun = time.monotonic()
    keeper.process.send_signal(signal.SIGINT)
    assert keeper.process.wait(timeout=10) == 0
    assert 1.5 < time.monotonic() - begun < 6
    assert "Child 0 did not stop within 2 s; killed." in keeper.words()
    assert not lives(keeper.pids(0)[0])


def test_a_second_ctrl_c_does_not_wait(keep: Callable[..., Keeper]) -> None:
    keeper = keep(STUBBORN)
    keeper.wait_for("all ready")
    begun = time.monotonic()
    keeper.process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    keeper.process.send_signal(signal.SIGINT)
    assert keeper.process.wait(timeout=10) == 0
    assert time.monotonic() - begun < 1.8
    assert not lives(keeper.pids(0)[0])


def test_children_start_in_order_each_when_the_one_before_serves(
    keep: Callable[..., Keeper],
) -> None:
    keeper = keep(SLOW, STEADY)
    until((keeper.folder / "0.log").exists)
    time.sleep(0.4)
    assert not (keeper.folder / "1.log").exists()
    keeper.wait_for("all ready")


def test_a_child_that_keeps_dying_is_tried_ever_more_slowly(keep: Callable[..., Keeper]) -> None:
    keeper = keep(BROKEN)
    keeper.wait_for("Child 0 ended by itself (status 3); starting it again in 1 s.")
    keeper.wait_for("starting it again in 2 s.")
    keeper.process.send_signal(signal.SIGINT)
    assert keeper.process.wait(timeout=10) == 0
    assert "all ready" not in keeper.words()


def test_a_child_that_serves_and_dies_at_once_is_tried_more_slowly_too(
    keep: Callable[..., Keeper],
) -> None:
    keeper = keep("print('ready')")
    keeper.wait_for("starting it again in 1 s.")
    keeper.wait_for("starting it again in 2 s.")


def test_a_child_that_serves_and_is_killed_a_few_times_is_started_again_at_once(
    keep: Callable[..., Keeper],
) -> None:
    keeper = keep(STEADY)
    keeper.wait_for("all ready")

    def was_started(times: int) -> Callable[[], bool]:
        return lambda: len(keeper.pids(0)) == times

    for times in range(1, 5):
        until(was_started(times))
        time.sleep(0.8)
        os.kill(keeper.pids(0)[-1], signal.SIGKILL)
    until(was_started(5))
    assert keeper.words().count("starting it again.") == 4
    assert "starting it again in" not in keeper.words()


def test_a_child_that_served_is_back_within_a_second_however_often_it_dies(
    tmp_path: Path,
) -> None:
    said: list[str] = []
    child = supervisor.Child(
        name="Child", command=["sleep", "600"], log=tmp_path / "log", steady_after=1.0
    )
    keeper = supervisor.Supervisor([child], say=said.append, when_ready=lambda: None)
    (kept,) = keeper._children
    now = 1000.0

    def delay_after_serving(seconds: float) -> float:
        nonlocal now
        keeper._check_children(now)
        assert kept.process is not None
        kept.process.kill()
        kept.process.wait()
        died = now = now + seconds
        keeper._check_children(now)
        now = kept.due
        return kept.due - died

    assert [delay_after_serving(5) for _death in range(7)] == [0, 0, 0, 0, 1, 1, 1]
    assert len([words for words in said if "keeps dying" in words]) == 1
    assert delay_after_serving(supervisor.CRASH_WINDOW) == 0
    assert [delay_after_serving(30) for _death in range(6)] == [0] * 6
    assert len([words for words in said if "keeps dying" in words]) == 1
    # Killed while it started: that is no failure of its own.
    assert [delay_after_serving(0.1) for _death in range(7)] == [1] * 7


def test_a_crash_loop_shows_the_end_of_the_childs_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from config.running import supervisor  # noqa: PLC0415 (patched below, for this test alone)

    monkeypatch.setattr(supervisor, "LONGEST_DELAY", 0.0)
    said: list[str] = []
    child = supervisor.Child(
        name="Child", command=[sys.executable, "-c", BROKEN], log=tmp_path / "log"
    )
    keeper = supervisor.Supervisor([child], say=said.append, when_ready=lambda: None)

    def seen() -> bool:
        keeper._check_children(time.monotonic())
        return any("keeps dying" in words for words in said)

    until(seen)
    assert "Child keeps dying (5 times by now)." in said[-1]
    assert "no such table" in said[-1]


def test_a_command_for_every_hour_runs_beside_the_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "UPKEEP_EVERY", 0.0)
    words = ["sh", "-c", f"kill -TERM {os.getpid()}; sleep 0.2; touch {tmp_path}/done"]
    Service([], "ready", words).run()
    assert (tmp_path / "done").exists()


def test_what_stays_in_memory_of_serve_knows_neither_django_nor_anything_else_of_ours() -> None:
    code = (
        "import config.running.service, sys;"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    assert {"config", "django", "redis", "celery", "cryptography", "ssl"} & set(loaded) == {
        "config"
    }


def test_a_probe_tells_a_server_that_answers_from_one_that_only_listens(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = ("127.0.0.1", listener.getsockname()[1])
        probe = supervisor.Probe(address, b"PING\r\n", b"+PONG")
        assert not probe()
        listener.accept()[0].close()

        def answer() -> None:
            with listener.accept()[0] as line:
                assert line.recv(100) == b"PING\r\n"
                line.sendall(b"+PONG\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        assert probe()
        thread.join()
    assert not probe()
    assert not supervisor.Probe(str(tmp_path / "socket"), b"PING\r\n", b"+PONG")()
