import ast
import json
import os
import re
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from config.running import bootstrap
from config.running.bootstrap import DEV_LOCK, RUNTIME_LOCK, BootstrapError, House

NOTHING_TO_INSTALL = "# no packages\n"
TWO_AT_ONCE = """
import sys
from pathlib import Path
from config.running import bootstrap
bootstrap.build(bootstrap.House(Path(sys.argv[1])), bootstrap.RUNTIME_LOCK)
"""


@pytest.fixture
def house(tmp_path: Path) -> House:
    for lock in (RUNTIME_LOCK, DEV_LOCK):
        (tmp_path / lock).write_text(NOTHING_TO_INSTALL, encoding="utf-8")
    return House(tmp_path)


@pytest.fixture
def ready(house: House) -> House:
    """A house whose stamp says that everything is there, without the work."""
    house.python.parent.mkdir(parents=True)
    house.python.symlink_to(sys.executable)
    stamp = {"python": os.path.realpath(sys.executable)}
    stamp |= {lock: house.digest(lock) for lock in (RUNTIME_LOCK, DEV_LOCK)}
    house.stamp.write_text(json.dumps(stamp), encoding="utf-8")
    return house


def test_only_the_tests_need_the_larger_lock() -> None:
    assert bootstrap.wanted_lock(["manage.py", "test"], {}) == DEV_LOCK
    assert bootstrap.wanted_lock(["manage.py"], {}) == RUNTIME_LOCK
    assert bootstrap.wanted_lock(["manage.py", "validate", "test"], {}) == RUNTIME_LOCK


def test_inside_a_virtual_environment_or_a_container_nothing_is_built() -> None:
    assert bootstrap.stands_aside({}, prefix="/home/x/.venv", base_prefix="/usr")
    assert bootstrap.stands_aside({"PAINSUIT_NO_BOOTSTRAP": "1"}, prefix="/usr", base_prefix="/usr")
    assert not bootstrap.stands_aside(
        {"PAINSUIT_NO_BOOTSTRAP": ""}, prefix="/usr", base_prefix="/usr"
    )


def test_a_whole_environment_is_left_alone(ready: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "_run", pytest.fail)
    bootstrap.build(ready, RUNTIME_LOCK)
    bootstrap.build(ready, DEV_LOCK)


def test_a_changed_lock_a_lost_stamp_or_another_python_is_noticed(ready: House) -> None:
    (ready.root / DEV_LOCK).write_text("# changed\n", encoding="utf-8")
    assert ready.is_ready(RUNTIME_LOCK)
    assert not ready.is_ready(DEV_LOCK)
    ready.python.unlink()
    ready.python.symlink_to("/bin/sh")
    assert not ready.is_ready(RUNTIME_LOCK)
    ready.stamp.write_text('{"requirements.lock": ', encoding="utf-8")
    assert ready.installed_stamps() == {}


@pytest.mark.slow
def test_the_first_run_builds_an_environment_and_the_second_does_nothing(house: House) -> None:
    bootstrap.build(house, DEV_LOCK)
    assert house.is_ready(DEV_LOCK)
    assert house.is_ready(RUNTIME_LOCK)  # the larger lock contains the smaller
    asked = [str(house.python), "-c", "import sys; print(sys.prefix != sys.base_prefix)"]
    assert subprocess.run(asked, capture_output=True, check=True).stdout == b"True\n"
    built = house.stamp.stat().st_mtime_ns
    bootstrap.build(house, DEV_LOCK)
    assert house.stamp.stat().st_mtime_ns == built


@pytest.mark.slow
def test_a_failed_install_says_so_and_is_not_taken_for_finished(
    ready: House, capfd: pytest.CaptureFixture[str]
) -> None:
    # A requirement without a hash is refused before anything is fetched.
    (ready.root / RUNTIME_LOCK).write_text("django==5.2\n", encoding="utf-8")
    with pytest.raises(BootstrapError, match="run the command again to retry"):
        bootstrap.build(ready, RUNTIME_LOCK)
    assert not ready.stamp.exists()
    assert "bringing ./.venv up to date" in capfd.readouterr().err


@pytest.mark.slow
def test_a_failed_install_of_the_larger_lock_leaves_a_service_that_runs(ready: House) -> None:
    (ready.root / DEV_LOCK).write_text("django==5.2\n", encoding="utf-8")
    with pytest.raises(BootstrapError):
        bootstrap.build(ready, DEV_LOCK)
    assert ready.is_ready(RUNTIME_LOCK)
    assert not ready.is_ready(DEV_LOCK)


def test_a_step_that_takes_long_says_that_it_still_runs(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert bootstrap.PROGRESS_INTERVAL < 10
    monkeypatch.setattr(bootstrap, "PROGRESS_INTERVAL", 0.05)
    bootstrap._run([sys.executable, "-c", "import time; time.sleep(0.3)"])
    assert capfd.readouterr().err.count("... still at it after") > 1


@pytest.mark.slow
def test_an_interrupted_install_begins_anew(house: House) -> None:
    debris = house.venv / "lib" / "half-a-package"
    debris.parent.mkdir(parents=True)
    debris.touch()
    bootstrap.build(house, RUNTIME_LOCK)
    assert house.is_ready(RUNTIME_LOCK)
    assert not debris.exists()


@pytest.mark.slow
def test_two_first_runs_at_once_build_once(house: House) -> None:
    command = [sys.executable, "-c", TWO_AT_ONCE, str(house.root)]
    runs = []
    for _ in range(2):
        runs.append(subprocess.Popen(command, cwd=bootstrap.ROOT, stderr=subprocess.PIPE))
        time.sleep(0.05)
    said = [run.communicate(timeout=120)[1].decode() for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert sum("Building the Python environment" in words for words in said) == 1
    assert house.is_ready(RUNTIME_LOCK)


def test_a_machine_without_venv_is_told_what_to_install(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(BootstrapError, match="apt install python3-venv"):
        bootstrap.build(house, RUNTIME_LOCK)


def test_an_old_python_can_read_the_file_that_refuses_it() -> None:
    text = (bootstrap.ROOT / "manage.py").read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 4))
    assert text.index("sys.version_info") < text.index("from config")


def test_somebody_elses_empty_environment_gets_a_clear_message(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path)], check=True)
    done = subprocess.run(
        [str(tmp_path / "bin" / "python"), str(bootstrap.ROOT / "manage.py"), "check"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.defpath},
    )
    assert done.returncode == 1
    assert "does not have Painsuit's packages" in done.stderr
    assert "Traceback" not in done.stderr


LARGER = tuple(f"requirements-{name}.lock" for name in ("s3", "dev", "bench"))
NEWEST = "requirements-newest.lock"
LOCKS = ("requirements.lock", *LARGER, NEWEST)
NEWEST_PYTHON = {"python_version": "3.12", "python_full_version": "3.12.0"}
"""The oldest Python for which the lock of the newest Django is made (Makefile)."""


def pins_of(lock: str) -> dict[NormalizedName, Requirement]:
    """Return the pinned requirements of a lock by their normalised names."""
    lines = (bootstrap.ROOT / lock).read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line.rstrip(" \\")) for line in lines if re.match(r"[\w.-]+(\[|==)", line)]
    return {canonicalize_name(pin.name): pin for pin in pins}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_a_hash_and_no_place_is_named(lock: str) -> None:
    text = (bootstrap.ROOT / lock).read_text(encoding="utf-8")
    pins = pins_of(lock)
    assert len(pins) > 30
    assert text.count(" \\\n    --hash=sha256:") >= len(pins)
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_every_requirement_of_what_it_names_with_its_extras(lock: str) -> None:
    """pip looks for nothing else. What is not installed here is checked where it is, by pip."""
    pins = pins_of(lock)
    installed = {canonicalize_name(one.metadata["Name"]): one for one in metadata.distributions()}
    python = NEWEST_PYTHON if lock == NEWEST else {}
    missing, compared = [], 0
    for name, pin in pins.items():
        distribution = installed.get(name)
        if distribution is None or not pin.specifier.contains(distribution.version, True):
            continue
        compared += 1
        for line in distribution.requires or ():
            wanted = Requirement(line)
            needed = wanted.marker is None or any(
                wanted.marker.evaluate({**python, "extra": extra}) for extra in ("", *pin.extras)
            )
            locked = pins.get(canonicalize_name(wanted.name))
            if needed and (locked is None or not wanted.extras <= locked.extras):
                missing.append(f"{pin} needs {wanted}")
    assert compared > 30
    assert missing == []


@pytest.mark.parametrize("larger", LARGER)
def test_the_larger_lock_contains_the_smaller(larger: str) -> None:
    smaller, pins = pins_of(RUNTIME_LOCK), pins_of(larger)
    assert {name: pins.get(name) for name in smaller} == smaller


def test_who_waits_for_another_build_that_hangs_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "WAIT_MAX", 0.2)
    path = tmp_path / ".venv.lock"
    waiting = pytest.raises(bootstrap.BootstrapError, match="Another run has been building")
    with bootstrap._alone(path), waiting, bootstrap._alone(path):
        pass
