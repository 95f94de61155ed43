"""What deploy/ says fits the service: its settings, its commands, its secrets."""

import re
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from config.data_folder import SIGNING_KEY_BYTES
from config.database import database
from config.env import env_key, env_secret

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
OURS = ("migrate", "web", "worker", "relay")


def test_every_setting_of_ours_is_on_the_page_of_settings() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    named = {
        name.removesuffix("_FILE")
        for service in OURS
        for name in COMPOSE["services"][service]["environment"]
    }
    assert [name for name in sorted(named - {"REMAP_SIGTERM"}) if f"`{name}`" not in page] == []


def test_every_secret_that_is_read_is_made(tmp_path: Path) -> None:
    script = tmp_path / "begin"
    script.write_bytes((DEPLOY / "begin").read_bytes())
    for _ in range(2):
        subprocess.run(["sh", str(script)], check=True, capture_output=True)
    made = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert set(made) == set(COMPOSE["secrets"])
    assert made["database_password"] in made["database_url"]
    assert made["broker_password"] in made["redis_url"]
    assert len(made["secret_key"]) >= 32
    before = dict(made)
    subprocess.run(["sh", str(script)], check=True, capture_output=True)
    assert {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()} == before


def test_secrets_can_be_read_in_a_container_and_by_nobody_else_outside(tmp_path: Path) -> None:
    """A container's processes are users of their own: other users than the files' owner."""
    script = tmp_path / "begin"
    script.write_bytes((DEPLOY / "begin").read_bytes())
    (tmp_path / "secrets").mkdir(mode=0o755)
    (tmp_path / "secrets" / "secret_key").write_text("made by an older version of the script")
    (tmp_path / "secrets" / "secret_key").chmod(0o600)
    subprocess.run(["sh", str(script)], check=True, capture_output=True)
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "secrets").iterdir()}
    assert modes == {0o444}
    assert "USER painsuit" in (DEPLOY / "Containerfile").read_text(encoding="utf-8")


def test_the_service_starts_with_the_secrets_that_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "begin"
    script.write_bytes((DEPLOY / "begin").read_bytes())
    subprocess.run(["sh", str(script)], check=True, capture_output=True)
    for name in ("PAINSUIT_SECRET_KEY", "PAINSUIT_SIGNING_KEY", "DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in COMPOSE["services"]["web"]["environment"].items():
        if name.endswith("_FILE"):
            monkeypatch.setenv(name, str(tmp_path / "secrets" / Path(value).name))
    assert env_key("PAINSUIT_SIGNING_KEY", size=SIGNING_KEY_BYTES) is not None
    assert env_secret("PAINSUIT_SECRET_KEY", least=32) is not None
    kept = database(env_secret("DATABASE_URL"), file=tmp_path / "none")
    assert (kept["HOST"], kept["NAME"]) == ("database", "painsuit")
    assert str(env_secret("REDIS_URL")).endswith("@broker:6379/0")


@pytest.mark.parametrize("service", OURS)
def test_every_command_is_one_of_ours(service: str) -> None:
    words = " ".join(COMPOSE["services"][service]["command"])
    for command in re.findall(r"manage\.py (\w+)", words):
        assert command in get_commands()
    assert "manage.py" in words or "-m gunicorn config.wsgi" in words or "-m celery" in words


def test_the_broker_evicts_nothing_and_is_reached_from_inside_alone() -> None:
    broker = COMPOSE["services"]["broker"]
    assert "--maxmemory-policy noeviction" in broker["command"][-1]
    assert "--appendonly yes" in broker["command"][-1]
    assert "ports" not in broker
    assert COMPOSE["networks"]["back"]["internal"] is True


def test_no_secret_lies_in_the_repository() -> None:
    assert "deploy/secrets/" in (ROOT / ".gitignore").read_text().splitlines()
    assert "deploy/secrets" in (ROOT / ".dockerignore").read_text().splitlines()
