"""What deploy/ says fits the service: its settings, its commands, its secrets."""

import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands
from django.test import Client
from django.urls import URLResolver, get_resolver
from pytest_django import Settings

from config.env import env_key, env_secret
from config.running.data_folder import SIGNING_KEY_BYTES
from config.running.database import database
from config.running.logs import redact_secret_addresses
from scoring.slips.intake import PICTURE_BYTES_MAX as SLIP_BYTES_MAX
from tournaments.jobs import UPLOAD_BYTES_MAX
from tournaments.people.club_pictures import BYTES_MAX as PICTURE_BYTES_MAX

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
        if value is not None and name.endswith("_FILE"):
            monkeypatch.setenv(name, str(tmp_path / "secrets" / Path(value).name))
    assert env_key("PAINSUIT_SIGNING_KEY", size=SIGNING_KEY_BYTES) is not None
    assert env_secret("PAINSUIT_SECRET_KEY", least=32) is not None
    kept = database(env_secret("DATABASE_URL"), file=tmp_path / "none")
    assert (kept["HOST"], kept["NAME"]) == ("database", "painsuit")
    assert str(env_secret("REDIS_URL")).endswith("@broker:6379/0")


def test_the_key_of_the_bucket_is_the_workers_alone_and_may_be_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = COMPOSE["services"]
    assert [one for one in services if "s3_secret_key" in services[one].get("secrets", ())] == [
        "worker"
    ]
    named = {one: " ".join(services[one]["environment"]) for one in OURS}
    assert [one for one in OURS if "S3" in named[one] or "BUCKET" in named[one]] == ["worker"]
    script = tmp_path / "begin"
    script.write_bytes((DEPLOY / "begin").read_bytes())
    subprocess.run(["sh", str(script)], check=True, capture_output=True)
    monkeypatch.setenv("PAINSUIT_S3_SECRET_KEY_FILE", str(tmp_path / "secrets" / "s3_secret_key"))
    assert env_secret("PAINSUIT_S3_SECRET_KEY", least=0) == ""


@pytest.mark.parametrize("service", OURS)
def test_every_command_is_one_of_ours(service: str) -> None:
    words = " ".join(COMPOSE["services"][service]["command"])
    for command in re.findall(r"manage\.py (\w+)", words):
        assert command in get_commands()
    starts = "manage.py", "-m gunicorn config.wsgi", "-m celery"
    assert any(start in words for start in starts)


def test_the_broker_evicts_nothing_and_is_reached_from_inside_alone() -> None:
    broker = COMPOSE["services"]["broker"]
    assert "--maxmemory-policy noeviction" in broker["command"][-1]
    assert "--appendonly yes" in broker["command"][-1]
    assert "ports" not in broker
    assert COMPOSE["networks"]["back"]["internal"] is True


def test_the_broker_gives_up_root() -> None:
    """Its image does so in its entrypoint, which a shell as the command passes by."""
    assert COMPOSE["services"]["broker"]["command"][-1].startswith("exec docker-entrypoint.sh ")


def test_every_action_of_a_forge_is_pinned_by_its_digest() -> None:
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    actions = re.findall(r"uses: (\S+)", text)
    assert actions
    assert [action for action in actions if not re.search(r"@[0-9a-f]{40}$", action)] == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_the_unit_of_systemd_exposes_little() -> None:
    analyze = ["systemd-analyze", "security", "--offline=true", "--threshold=30"]
    done = subprocess.run(
        [*analyze, str(DEPLOY / "painsuit.service")], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout.decode()[-2000:]


def test_every_image_has_a_version() -> None:
    images = {service["image"].rpartition("/")[2] for service in COMPOSE["services"].values()}
    assert "painsuit:${PAINSUIT_IMAGE:-local}" in images, "built here, not fetched"
    for image in images:
        assert re.search(r":(\d+\.\d+|\$)", image), image


def test_every_process_of_ours_that_goes_on_has_a_limit_and_what_serves_a_health_check() -> None:
    services = COMPOSE["services"]
    assert [name for name in OURS if "mem_limit" not in services[name]] == ["migrate"]
    checked = {name for name, service in services.items() if "healthcheck" in service}
    assert checked == {"web", "worker", "relay", "database", "broker"}
    assert services["proxy"]["depends_on"] == {"web": {"condition": "service_healthy"}}
    compile(services["web"]["healthcheck"]["test"][-1], "healthcheck", "exec")


def test_the_proxy_lets_files_through_that_the_desk_takes() -> None:
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    (files,) = re.findall(r"@files path (.*)", text)
    (others,) = re.findall(r"@others not path (.*)", text)
    assert files == others
    assert "/desk/*" in files.split()
    (most,) = re.findall(r"request_body @files \{\s+max_size (\d+)MiB", text)
    assert int(most) * 2**20 > max(UPLOAD_BYTES_MAX, PICTURE_BYTES_MAX, SLIP_BYTES_MAX)


def test_the_proxy_keeps_no_bodies_which_it_might_send_to_another_game() -> None:
    """A request that Caddy buffered and sends again may have the body of another one."""
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert not re.search(r"^\s*(request_buffers|buffer_requests)", text, re.M)


# Texts in addresses that open nothing: names of pages and pictures, and the links of records that
# somebody shared.
OPEN_ROUTES = {"help-page", "help-rules", "help-picture", "club-picture", "shared", "original"}


def test_no_log_keeps_what_lets_people_in() -> None:
    secret = {
        route: name
        for route, name in _routes(get_resolver(), "/")
        if re.search(r"<(str|slug|path):|\(\?P<", route)
        and name not in OPEN_ROUTES
        and not route.startswith(f"/{settings.ADMIN_PATH}/")
    }
    assert set(secret.values()) == {
        "phone-link",
        "door-page",
        "my-link",
        "secret-calendar",
        "reply",
        "reply-calendar",
        "my-no-results",
        "my-results",
        "invitation",
        "password-link",
    }
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    ((pattern, replacement),) = re.findall(r"request>uri regexp (\S+) (\S+)", text)
    for route in secret:
        address = re.sub("<.*?>", "S3cret-S3cret_7", route)
        kept = re.sub(pattern, replacement.replace("$", "\\"), f"{address}?a=b")
        assert kept == re.sub("<.*?>", "REDACTED", route) + "?a=b"
        event = redact_secret_addresses(None, "", {"event": f"Not Found: {address}"})
        assert "S3cret" not in event["event"]
    assert re.search(pattern, "/desk/clubs/1/invitations/") is None


def test_the_proxy_logs_no_header_that_lets_people_in_not_even_of_an_error() -> None:
    """Errors go to the default log, which the options at the head of the file describe."""
    options, _, site = (DEPLOY / "Caddyfile").read_text(encoding="utf-8").partition("{$SITE}")
    deleted = set(re.findall(r"(\S+) delete", options))
    assert deleted == {
        *(f"request>headers>{name}" for name in ("Authorization", "Cookie", "Referer")),
        "resp_headers>Location",
    }
    assert re.findall(r"^\tlog.*", site, re.M) == ["\tlog"], "to the default log"


def _routes(found: URLResolver, start: str) -> Iterator[tuple[str, str | None]]:
    for one in found.url_patterns:
        route = f"{start}{one.pattern}"
        if isinstance(one, URLResolver):
            yield from _routes(one, route)
        else:
            yield route, one.name


def test_backups_are_written_where_the_documents_say_and_the_service_may_write() -> None:
    unit = (DEPLOY / "painsuit.service").read_text(encoding="utf-8")
    (folder,) = re.findall(r"PAINSUIT_BACKUPS_FOLDER=(\S+)", unit)
    assert re.findall(r"^ReadWritePaths=-(.*)$", unit, re.M) == [folder]
    assert f"-m 700 {folder}" in (ROOT / "docs" / "operate" / "systemd.md").read_text()
    worker = COMPOSE["services"]["worker"]
    assert f"backups:{worker['environment']['PAINSUIT_BACKUPS_FOLDER']}" in worker["volumes"]


@pytest.mark.django_db
def test_forms_are_taken_by_each_name_of_the_service(settings: Settings) -> None:
    """Behind a proxy that ends TLS, without a list of trusted origins."""
    settings.ALLOWED_HOSTS = ["hearts.example", "club.example"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert settings.CSRF_TRUSTED_ORIGINS == []
    for host, origin, status in (
        ("hearts.example", "https://hearts.example", 422),
        ("club.example", "https://club.example", 422),
        ("club.example", "https://hearts.example", 403),
    ):
        client = Client(enforce_csrf_checks=True)
        headers = {"host": host, "x-forwarded-proto": "https"}
        page = client.get("/desk/sign-in/", headers=headers)
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.content.decode())
        assert found
        form = {"csrfmiddlewaretoken": found[1], "email": "nobody", "password": "x"}
        answer = client.post("/desk/sign-in/", form, headers={**headers, "origin": origin})
        assert answer.status_code == status, (host, origin)


def test_no_secret_lies_in_the_repository() -> None:
    assert "deploy/secrets/" in (ROOT / ".gitignore").read_text().splitlines()
    assert "deploy/secrets" in (ROOT / ".dockerignore").read_text().splitlines()


def test_what_git_ignores_lies_in_no_image() -> None:
    """Else caches of a developer are part of the image, and change it."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    folders = {line.rstrip("/") for line in ignored if line.endswith("/") and "*" not in line}
    left_out = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert folders - {line.removeprefix("**/") for line in left_out} <= {".idea", ".vscode"}


def test_the_ports_of_the_proxy_can_be_others() -> None:
    ports = COMPOSE["services"]["proxy"]["ports"]
    assert ports == ["${PAINSUIT_HTTP_PORT:-80}:80", "${PAINSUIT_HTTPS_PORT:-443}:443"]


def test_every_service_reaches_those_that_it_depends_on() -> None:
    """One that names no network is in one of its own, where neither database nor broker is."""
    services = COMPOSE["services"]
    networks = {name: set(service.get("networks", ())) for name, service in services.items()}
    assert [name for name, joined in networks.items() if not joined] == []
    apart = [
        (name, other)
        for name, service in services.items()
        for other in service.get("depends_on", ())
        if networks[name].isdisjoint(networks[other])
    ]
    assert apart == []


def test_no_health_check_needs_a_variable_that_only_docker_sets() -> None:
    checks = [str(service.get("healthcheck")) for service in COMPOSE["services"].values()]
    assert [check for check in checks if "HOSTNAME" in check] == []
