"""`manage.py` with settings that cannot be."""

import subprocess
import sys

import pytest

from config.running import bootstrap
from engine.cli.commands import COMMANDS as RECORD_COMMANDS


def test_nonsense_in_the_environment_is_one_sentence_and_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, str(bootstrap.ROOT / "manage.py"), "check"],
        capture_output=True,
        text=True,
        check=False,
        env={"PAINSUIT_PROXIES": "many", "PAINSUIT_NO_BOOTSTRAP": "1"},
    )
    assert done.returncode == 2
    assert done.stderr == "PAINSUIT_PROXIES='many' is not a whole number from 0 to 10.\n"


def test_where_it_cannot_run_it_says_so_in_one_sentence() -> None:
    """There the module fcntl does not exist either."""
    code = (
        "import runpy, sys; sys.platform = 'win32'; sys.modules['fcntl'] = None;"
        f"sys.path.insert(0, {str(bootstrap.ROOT)!r});"
        f"runpy.run_path({str(bootstrap.ROOT / 'manage.py')!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == (
        "Painsuit needs Linux or macOS; on Windows run it in WSL (wsl --install).\n"
    )


@pytest.mark.parametrize("name", RECORD_COMMANDS)
def test_commands_for_records_run_without_django_and_without_an_environment(name: str) -> None:
    blocked = "import sys; sys.modules['django'] = None; import manage; manage.main()"
    done = subprocess.run(
        [sys.executable, "-c", blocked, name, "--help"],
        cwd=bootstrap.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: manage.py {name} ")
