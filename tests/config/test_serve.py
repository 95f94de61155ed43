"""`manage.py serve` as a club starts it: all its processes, real ones, on free ports."""

import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError

from benchmarks.idle import memory_of
from config import celery, gunicorn_config
from config.management.commands import serve as start_command
from config.running import addresses, children
from config.running.data_folder import DataFolder
from tests.config.serving import ROOT, Serve, free_port, read_until, serve
from tests.migrated import make_data_folder

__all__ = ["serve"]


def read_until_ready(process: "subprocess.Popen[str]") -> str:
    return read_until("is ready", process)


def children_of(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8")
    children = [int(word) for word in listed.split()]
    return children + [deeper for child in children for deeper in children_of(child)]


def health(port: int) -> dict[str, Any]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def ask_the_workers(data: Path) -> str:
    """Ask through the broker who is there to work."""
    done = subprocess.run(
        [sys.executable, "-m", "celery", "--app", "config.celery", "inspect", "ping"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PAINSUIT_DATA": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.slow
def test_one_command_starts_it_all_and_one_ctrl_c_stops_it_all(
    serve: Serve, tmp_path: Path
) -> None:
    # A folder this deep does not fit into the address of a socket.
    data = tmp_path / ("deep-" * 20) / "data"
    port = free_port()
    process = serve("--port", str(port), data=data)
    said = read_until("manage.py demo", process)
    assert f"Painsuit is ready: http://127.0.0.1:{port}/" in said
    # Nobody has an account yet; and plain http lacks something.
    assert said.count("/desk/set-up/#") == said.count("Without https") == 1

    parts = ("web", "database", "broker", "relay", "worker", "disk")
    all_is_well = {**dict.fromkeys(parts, "ok"), "waiting": 0.0}
    deadline = time.monotonic() + 15
    while (told := health(port)) != {**all_is_well, "disk_free": told["disk_free"]}:
        assert time.monotonic() < deadline, told
        time.sleep(0.1)
    assert "1 node online" in ask_the_workers(data)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        assert b'painsuit_http_requests_total{method="GET",route="healthz"' in answer.read()
    assert list(DataFolder(data).metrics.iterdir())
    pids = children_of(process.pid)
    assert len(pids) >= 7  # broker; worker and its process; relay; web server and its two
    assert stat.S_IMODE((data / "secret_key").stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700

    second = serve("--port", str(free_port()), data=data)
    assert "already runs on" in second.communicate(timeout=30)[0]
    assert second.returncode == 1

    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=30)[0]
    assert time.monotonic() - begun < 10
    assert (process.returncode, rest) == (0, "Stopped.\n")
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    logs = "".join(log.read_text(encoding="utf-8") for log in (data / "logs").iterdir())
    assert "Traceback" not in logs
    DataFolder(data).broker_socket.parent.rmdir()  # it lay outside, and is empty again
    assert not DataFolder(data).metrics.exists()


@pytest.mark.slow
def test_kill_9_leaves_no_process_behind_and_the_next_start_finds_all_free(
    serve: Serve, tmp_path: Path
) -> None:
    make_data_folder(tmp_path / "data")
    port = str(free_port())
    process = serve("--port", port)
    read_until_ready(process)
    ask_the_workers(tmp_path / "data")  # by now the worker has its process
    pids = children_of(process.pid)
    broker = next(pid for pid in pids if b"valkey" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.kill(broker, signal.SIGKILL)
    process.kill()
    process.wait(timeout=5)
    deadline = time.monotonic() + 5
    while left := [pid for pid in pids if runs(pid)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.02)
    again = serve("--port", port)
    read_until_ready(again)


def runs(pid: int) -> bool:
    """Whether a process is there, and not only waits to be noticed."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return told.rpartition(")")[2].split()[0] != "Z"


def test_the_data_folder_stays_taken_until_the_last_holder_lets_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = DataFolder(tmp_path / "data")
    data.prepare()
    monkeypatch.setattr(settings, "DATA", data)
    monkeypatch.setattr(start_command, "MOMENT", 0.1)
    with start_command.alone() as lock:
        kept = os.dup(lock)
    with pytest.raises(CommandError, match="already runs on"), start_command.alone():
        pass
    threading.Timer(0.02, os.close, [kept]).start()
    monkeypatch.setattr(start_command, "MOMENT", 10.0)
    with start_command.alone():
        pass


@pytest.mark.slow
def test_a_taken_port_is_named_with_the_way_out(serve: Serve) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = serve("--port", str(port))
        said = process.communicate(timeout=30)[0]
    assert process.returncode == 1
    assert f"Port {port} is taken by another program." in said
    assert "--port" in said
    assert "Traceback" not in said


@pytest.mark.slow
@pytest.mark.parametrize("number", ["70000", "-1"])
def test_a_number_that_is_no_port_is_refused(serve: Serve, number: str) -> None:
    process = serve(f"--port={number}")
    assert "is not a port" in process.communicate(timeout=30)[0]
    assert process.returncode == 1


def test_nonsense_in_the_environment_stops_the_start_by_name(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "check"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PAINSUIT_HTTPS": "perhaps"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "PAINSUIT_HTTPS='perhaps' is neither yes nor no" in done.stderr
    assert not (ROOT / "perhaps").exists()


@pytest.mark.slow
def test_the_test_command_passes_pytests_exit_status_on() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "test", "-n0", "tests/config/test_env.py", "-k", "no_such"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 5  # pytest's status for: no test was found
    assert "deselected" in done.stdout


def test_the_key_is_made_once_and_kept(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    assert folder.stored_key() is None
    folder.prepare()
    key = folder.stored_key()
    assert key is not None
    assert len(key) >= 50
    folder.prepare()
    assert folder.stored_key() == key
    assert [path.name for path in folder.root.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("damaged", ["", "short", "\xff" * 40])
def test_a_key_that_was_cut_off_stops_every_command_by_name(tmp_path: Path, damaged: str) -> None:
    folder = DataFolder(tmp_path / "data")
    folder.prepare()
    folder.secret_key.write_text(damaged, encoding="latin-1")
    folder.signing_key.write_text(damaged, encoding="latin-1")
    with pytest.raises(ImproperlyConfigured, match=r"data/secret_key is damaged.* 32 characters"):
        folder.stored_key()
    with pytest.raises(ImproperlyConfigured, match=r"data/signing_key is damaged.* 32 bytes"):
        folder.stored_signing_key()


def test_keys_that_were_copied_into_the_folder_are_for_its_owner_alone(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    folder.root.mkdir(mode=0o755)
    keys = (folder.secret_key, folder.signing_key, folder.signers)
    files = (*keys, folder.serve_lock, folder.migrate_lock, folder.database)
    for path in files:
        path.write_text("kept", encoding="ascii")
        path.chmod(0o644)
    folder.prepare()
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert {path.read_text(encoding="ascii") for path in files} == {"kept"}
    assert stat.S_IMODE(folder.root.stat().st_mode) == 0o700


def test_web_server_and_worker_write_files_for_their_owner_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where they are started on their own, as in a container."""

    class Master:
        pid = 1

    monkeypatch.setattr(celery, "_master", [])
    before = os.umask(0o022)
    try:
        celery._begin()
        assert os.umask(0o022) == 0o077
        gunicorn_config.on_starting(Master())
        assert os.umask(0o022) == 0o077
    finally:
        os.umask(before)


def test_a_name_for_the_address_is_accepted_only_when_it_is_ours() -> None:
    everywhere = addresses.allowed_hosts(["localhost"], "0.0.0.0")
    assert set(addresses.local_network("0.0.0.0")) < set(everywhere)
    assert "*" not in everywhere
    assert addresses.allowed_hosts(["localhost"], "127.0.0.1") == ["localhost", "127.0.0.1"]
    assert addresses.allowed_hosts(["localhost"], "::1") == ["localhost", "[::1]"]


@pytest.mark.parametrize("host", ["::", "0.0.0.0"])
def test_every_announced_address_answers(host: str) -> None:
    with addresses.listen(host, 0) as listener:
        port = listener.getsockname()[1]
        line = addresses.announcement(host, port)
        announced = re.findall(r"http://\[?([0-9a-f.:]+?)\]?:\d+/", line)
        assert "127.0.0.1" in announced or not socket.has_dualstack_ipv6()
        for address in announced:
            with socket.create_connection((address, port), timeout=2):
                assert address in line
        hosts = addresses.allowed_hosts([], host)
        near = [one for one in announced if one != "127.0.0.1"]
        assert [one for one in near if (f"[{one}]" if ":" in one else one) not in hosts] == []


def test_without_a_dual_stack_only_ipv6_addresses_are_announced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    monkeypatch.setattr(addresses, "_ipv6_interfaces", lambda: ["fd00::2"])
    assert addresses.announcement("::", 80) == (
        "Painsuit is ready: http://[::1]/ (phones on this network: http://[fd00::2]/)"
    )
    assert "[fd00::2]" in addresses.allowed_hosts([], "::")
    with addresses.listen("::", 0) as listener:
        with socket.create_connection(("::1", listener.getsockname()[1]), timeout=2):
            pass
        with pytest.raises(OSError, match=r"."):
            socket.create_connection(("127.0.0.1", listener.getsockname()[1]), timeout=2)


@pytest.mark.slow
def test_nobody_else_can_read_what_lies_in_the_data_folder(serve: Serve, tmp_path: Path) -> None:
    data = tmp_path / "data"
    make_data_folder(data)
    data.chmod(0o755)
    (data / "files").chmod(0o755)
    for name in ("painsuit.sqlite3", "signers", "files/old.out"):
        (data / name).touch()
        (data / name).chmod(0o644)
    read_until_ready(serve("--port", str(free_port()), data=data))
    modes = {
        str(path.relative_to(data)): oct(stat.S_IMODE(path.lstat().st_mode))
        for path in (data, *data.rglob("*"))
        if "static" not in path.parts
        and not path.is_symlink()
        and stat.S_IMODE(path.lstat().st_mode) & 0o077
    }
    assert modes == {}
    assert (data / "painsuit.sqlite3").stat().st_size > 0


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["absent", "empty"])
def test_commands_without_a_data_folder_create_one_or_say_so(folder: str, tmp_path: Path) -> None:
    data = tmp_path / "deeper" / "data"
    if folder == "empty":
        data.mkdir(parents=True)
    environ = {"PATH": os.environ["PATH"], "PAINSUIT_DATA": str(data), "HOME": str(tmp_path)}

    def run(*words: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *words],
            cwd=tmp_path, env=environ, input=typed, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stderr
        return done

    for words in (["verify"], ["backup", "b"], ["export", "--club", "x", "c"]):
        done = run(*words)
        assert (done.returncode, "There is no database in" in done.stderr) == (2, True), done
    assert not (data / "painsuit.sqlite3").exists()
    done = run("account", "nora@club.example", "--name", "Nora", "--password-file", "-",
               typed="a password for nora\n")  # fmt: skip
    assert done.stdout == "nora@club.example can sign in.\n", done
    (tmp_path / "b").touch(mode=0o644)
    assert run("backup", "b").returncode == 0
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600
    shutil.rmtree(data)
    assert "restored" in run("restore", "b").stdout
    assert "no difference" in run("verify").stdout
    modes = {stat.S_IMODE(path.stat().st_mode) for path in data.glob("painsuit.sqlite3*")}
    assert modes == {0o600}


@pytest.mark.slow
def test_a_data_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environ = {"PATH": os.environ["PATH"], "PAINSUIT_DATA": str(tmp_path / "file" / "data")}
    for words in (["restore", "b"], ["account", "a@b.example", "--unlock"], ["demo"]):
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *words],
            cwd=tmp_path, env=environ, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode != 0
        assert "Cannot use the data folder" in done.stderr
        assert "Traceback" not in done.stderr


def test_the_announcement_names_the_address_for_the_phones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "local_network", lambda _host: ["192.168.1.5"])
    assert addresses.announcement("0.0.0.0", 8000) == (
        "Painsuit is ready: http://127.0.0.1:8000/"
        " (phones on this network: http://192.168.1.5:8000/)"
    )
    assert addresses.announcement("127.0.0.1", 81) == "Painsuit is ready: http://127.0.0.1:81/"


@pytest.mark.django_db
def test_behind_a_proxy_its_address_is_announced(settings: Any) -> None:
    settings.HTTPS = True
    hosts = ["hearts.example", "localhost"]
    lines = list(start_command.announcement("127.0.0.1", 8000, None, hosts))
    assert lines[0].startswith("Painsuit is ready: https://hearts.example/ ")
    assert "https://hearts.example/desk/set-up/#" in lines[1]
    assert len(lines) == 2


def test_who_waits_for_a_migration_that_hangs_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.running.data_folder.MIGRATING_MAX", 0.1)
    folder = DataFolder(tmp_path)
    waiting = pytest.raises(TimeoutError, match="Another command has been bringing")
    with folder.migrating(), waiting, folder.migrating():
        pass


def test_who_comes_while_the_database_is_brought_up_to_date_waits(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    done: list[str] = []

    def come() -> None:
        with folder.migrating():
            done.append("second")

    second = threading.Thread(target=come)
    with folder.migrating():
        second.start()
        second.join(timeout=0.2)
        done.append("first")
    second.join(timeout=30)
    assert done == ["first", "second"]


@pytest.mark.parametrize("installed", ["valkey-server", "redis-server"])
def test_without_a_broker_in_our_packages_the_systems_is_used(
    installed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / installed
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert children.valkey_server() != program  # that of our packages comes first
    monkeypatch.setattr(children, "files", lambda _name: [])
    assert children.valkey_server() == program
    program.unlink()
    with pytest.raises(ImproperlyConfigured, match="install Valkey or Redis"):
        children.valkey_server()


MIB_NEVER: Final = 420
"""What the service must not grow to; the goal, which is lower, is that of ``benchmarks idle``."""


@pytest.mark.slow
def test_the_whole_service_takes_little_memory_while_nothing_happens(
    serve: Serve, tmp_path: Path
) -> None:
    make_data_folder(tmp_path / "data")
    process = serve("--port", str(free_port()))
    read_until_ready(process)
    ask_the_workers(tmp_path / "data")
    assert sum(pss for _name, _rss, pss in memory_of(process.pid)) < MIB_NEVER
