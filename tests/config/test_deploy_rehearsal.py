"""`deploy/rehearse` starts what compose.yaml says, and says what it lacks; CI runs all of it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.rehearsal import containers
from deploy.rehearsal.compose import image_environment, read_compose
from deploy.rehearsal.figures import REMEDIES, project
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
    assert services["worker"].volumes["backups"] == "/backups"
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


def test_a_million_hands_a_day_are_worked_out_of_what_a_hand_costs() -> None:
    costs = {"web": 28.3, "database": 24.0, "worker": 21.7, "relay": 1.0}
    sizes = {"scoring_transfer": 1946.0, "tournaments_answeredrequest": 3092.0}
    services, disk = project(costs, 0.41, 22_400, sizes)
    rows = {row[0]: row[1:] for row in services.rows}
    assert rows["worker"] == ["52.9", "8.8", f"**the first limit**: {REMEDIES['worker']}"]
    assert rows["web"] == ["28.3", "4.7", REMEDIES["web"]]
    assert "On 16 cores the database takes 400 hands a second." in services.note
    assert [row[0] for row in disk.rows] == [
        "`tournaments_answeredrequest`",
        "`scoring_transfer`",
        "WAL",
    ]
    assert disk.rows[1][1:] == ["1,946", "1.9", "for good"]


def _write_engine(folder: Path, name: str, text: str) -> None:
    """Write an engine of containers that keeps a list of its calls."""
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "{name} $*" >>{folder}/calls\n{text}\n', encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize(
    "broken", [{}, {"docker": "exit 1"}, {"podman": "exit 0"}, {"podman-compose": "exit 0"}]
)
def test_without_an_engine_of_containers_the_rehearsal_says_so_and_ends_with_2(
    tmp_path: Path, broken: dict[str, str]
) -> None:
    (tmp_path / "sh").symlink_to("/bin/sh")
    (tmp_path / "dirname").symlink_to(str(shutil.which("dirname")))
    for name, text in broken.items():
        _write_engine(tmp_path, name, text)
    done = subprocess.run(
        [ROOT / "deploy" / "rehearse", "--containers"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout == (
        "failed: No containers on this machine: neither docker with its plugin compose nor "
        "podman with podman-compose works here.\n"
    )


@pytest.mark.parametrize("engine", ["docker", "podman"])
def test_containers_are_a_project_of_their_own_that_alone_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    programs, folder = tmp_path / "bin", tmp_path / "painsuit-rehearsal-x"
    programs.mkdir()
    folder.mkdir()
    answers = """case "$*" in
      *"image ls"*) echo 1a;;
      *"volume ls"*"name=painsuit-rehearsal-x") echo without_label;;
      *"network ls"*) echo left_over;;
      "ps "*service=migrate) echo migrate;;
      "ps "*service=worker|"ps "*service=relay) printf 'c1\\nc2\\n';;
      "ps "*) echo c1;;
      *Health*) echo healthy;;
      "inspect "*migrate) echo exited 0;;
      "inspect "*) echo running 0;;
      *root.crt) echo certificate;;
    esac"""
    for name in ("docker", "podman", "podman-compose"):
        _write_engine(programs, name, answers if name.startswith(engine) else "exit 1")
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PAINSUIT_HOSTS", "hearts.example")
    assert containers.find_engine() == engine
    with containers.Containers(folder, engine) as site:
        site.build()
        site.up()
        assert site.authority.read_text() == "certificate\n"
        settings = (folder / "painsuit" / "deploy" / ".env").read_text().splitlines()
    assert "PAINSUIT_HOSTS=localhost" in settings
    assert "PAINSUIT_IMAGE=painsuit-rehearsal-x" in settings
    assert not (folder / "painsuit" / ".git").exists()
    calls = (programs / "calls").read_text().splitlines()
    removals = [call for call in calls if " rm" in call or " down" in call]
    compose = {"docker": "docker compose", "podman": "podman-compose"}[engine]
    assert removals == [
        f"{compose} --project-name painsuit-rehearsal-x --file deploy/compose.yaml"
        " down --volumes --timeout 10",
        f"{engine} volume rm --force without_label",
        f"{engine} network rm --force left_over",
        f"{engine} image rm painsuit:painsuit-rehearsal-x",
    ]
    listed = [call for call in calls if " ls " in call or " ps " in call]
    assert [call for call in listed if "painsuit-rehearsal-x" not in call] == []
