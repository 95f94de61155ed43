"""`manage.py` with settings that cannot be."""

import subprocess
import sys

from config import bootstrap


def test_nonsense_in_the_environment_is_one_sentence_and_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, str(bootstrap.ROOT / "manage.py"), "rules"],
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
