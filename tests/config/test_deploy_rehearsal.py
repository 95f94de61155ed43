"""`deploy/rehearse` starts what compose.yaml says, and says what it lacks; CI runs all of it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.rehearsal.compose import image_environment, read_compose
from deploy.rehearsal.machine import PATIENCE, PATIENCE_PER_MIGRATION, Machine, RehearsalError

ROOT = Path(__file__).parents[2]
HOST = {"PAINSUIT_HOSTS": "hearts.example"}


def test_variables_are_filled_in_as_docker_compose_does() -> None:
    services = read_compose({**HOST, "PAINSUIT_WEB_THREADS": "3", "PAINSUIT_WORKERS": ""})
    assert services["worker"].environment["PAINSUIT_HOSTS"] == "hearts.example"
    assert "--threads=3" in services["web"].command
    assert services["worker"].replicas == 2, "an empty variable is as good as none"
    assert '"$(cat /run/secrets/broker_password)"' in services["broker"].command[-1]
    assert services["worker"].health_check[:2] == ["sh", "-c"]
    assert services["backup"].volumes["backups"] == "/backups"
    with pytest.raises(KeyError, match="PAINSUIT_HOSTS"):
        read_compose({})


def test_settings_of_the_image_are_those_of_the_containerfile() -> None:
    assert image_environment() == {
        "PAINSUIT_NO_BOOTSTRAP": "1",
        "PAINSUIT_DATA": "/data",
        "PAINSUIT_LOG_FORM": "json",
    }


def test_what_is_missing_on_the_machine_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_args, **_options: None)
    with pytest.raises(RehearsalError) as refused:
        Machine(tmp_path)
    assert str(refused.value) == (
        "Missing on this machine: Debian's postgresql, valkey-server or redis-server,"
        " valkey-tools or redis-tools, caddy."
    )
    assert list(tmp_path.iterdir()) == []


def test_the_rehearsal_explains_itself() -> None:
    done = subprocess.run(
        [ROOT / "deploy" / "rehearse", "--help"], check=True, capture_output=True, text=True
    )
    assert done.stdout.startswith("usage: deploy/rehearse")
    assert "postgresql, redis-server, caddy" in done.stdout


def test_a_slow_machine_gets_more_time_by_what_its_migration_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moments = iter([0.0, 30.0])
    monkeypatch.setattr("deploy.rehearsal.machine.time.monotonic", lambda: next(moments))
    monkeypatch.setattr(Machine, "run", lambda *_words: "")
    slow = Machine.__new__(Machine)
    slow.patience = PATIENCE
    slow.migrate()
    assert slow.patience == 30 * PATIENCE_PER_MIGRATION > PATIENCE
