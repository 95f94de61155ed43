"""The browser of this machine that tests and benchmarks can drive, if it has one."""

import shutil
from typing import Final

NAMES: Final = (
    # The same engine without the windows around it, which take half of the processor's time.
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)


def browser_path() -> str | None:
    """Where it is; None for none."""
    return next(filter(None, map(shutil.which, NAMES)), None)
