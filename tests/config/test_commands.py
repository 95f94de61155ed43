"""Every command ends with a sentence, whatever a person can cause, and never with a traceback."""

import errno
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest
from django.core import management
from django.db import OperationalError

import engine
import manage
from config.running import bootstrap

NOISE: Final = "NOISE"
"""Stands for a file of random bytes."""
COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "account": ("nora@club.example", "--unlock"),
    "analyse": (NOISE,),
    "backup": ("NEW",),
    "convert": (NOISE,),
    "deal": ("zz",),
    "demo": ("--nights", "0"),
    "export": ("hands", "nowhere"),
    "import": (NOISE,),
    "rehearse": (),
    "restore": (NOISE,),
    "rules": ("nonsense",),
    "serve": ("--host", "127.0.0.1", "--port", "0"),
    "settle": (NOISE,),
    "setup_code": (),
    "show": (NOISE,),
    "signature": (NOISE,),
    "slips": (NOISE, "--event", "nowhere"),
    "validate": (NOISE,),
    "verify": (),
    "migrate": (),
}
RUNS_ON: Final = {
    "lab",  # for developers
    "messages",  # for developers
    "relay",  # waits for what is away
    "renew_certificate",  # of the service itself
    "test",  # for developers
}
OURS: Final = ("config", "scoring", "tournaments")


def test_every_command_has_its_row() -> None:
    ours = {name for name, app in management.get_commands().items() if str(app).startswith(OURS)}
    assert ours - RUNS_ON <= {*COMMANDS}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_ends_with_a_sentence_whatever_is_in_its_way(name: str, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "painsuit.sqlite3").write_text("this is no database" * 100, encoding="utf-8")
    file = tmp_path / "noise"
    file.write_bytes(os.urandom(4000))
    words = [{NOISE: str(file), "NEW": str(tmp_path / "new")}.get(w, w) for w in COMMANDS[name]]
    ways = {
        "the data folder is a file": {"PAINSUIT_DATA": str(file)},
        "the data folder cannot be made": {"PAINSUIT_DATA": "/proc/nowhere/data"},
        "the database is damaged": {"PAINSUIT_DATA": str(damaged)},
        "the server is away": {
            "PAINSUIT_DATA": str(tmp_path / "data"),
            "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nowhere",
        },
    }
    for way, environ in ways.items():
        done = subprocess.run(
            [sys.executable, str(bootstrap.ROOT / "manage.py"), name, *words],
            env={"PATH": os.environ["PATH"], "PAINSUIT_NO_BOOTSTRAP": "1", **environ},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode in {1, 2}, (way, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr, (way, done.stderr)
        assert (done.stdout + done.stderr).strip(), way


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), 130, "\nStopped.\n"),
        (
            OSError(errno.EACCES, "Permission denied", "data"),
            2,
            "migrate: [Errno 13] Permission denied: 'data' (--traceback shows where)\n",
        ),
        (
            OperationalError("connection refused\n\tIs it running?"),
            2,
            "migrate: connection refused Is it running? (--traceback shows where)\n",
        ),
        (BrokenPipeError(), 141, ""),
    ],
    ids=["interrupted", "no permission", "database away", "reader gone"],
)
def test_what_stops_any_command_is_one_sentence(
    error: BaseException,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stop(_argv: list[str]) -> None:
        raise error

    monkeypatch.setattr(bootstrap, "ensure", lambda _argv: None)
    monkeypatch.setattr(management, "execute_from_command_line", stop)
    monkeypatch.setattr(sys, "argv", ["manage.py", "migrate"])
    with pytest.raises(SystemExit) as ended:
        manage.main()
    assert ended.value.code == status
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("words", ["version", "--version"])
def test_the_version_is_ours_and_not_that_of_django(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "ensure", lambda _argv: None)
    monkeypatch.setattr(sys, "argv", ["manage.py", words])
    manage.main()
    assert capsys.readouterr().out == f"{engine.__version__}\n"


def test_the_place_in_the_code_is_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_argv: list[str]) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(bootstrap, "ensure", lambda _argv: None)
    monkeypatch.setattr(management, "execute_from_command_line", stop)
    monkeypatch.setattr(sys, "argv", ["manage.py", "migrate", "--traceback"])
    with pytest.raises(PermissionError):
        manage.main()
