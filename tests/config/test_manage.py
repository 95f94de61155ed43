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
