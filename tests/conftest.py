"""What all tests share: whether a browser is there, and saying so when it is not."""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ADVICE = "Install one (on Debian and Ubuntu: sudo apt install chromium) and run the tests again."
# The environment of whoever runs the tests; continuous integration says "required".
REQUIRED = os.environ.get("BROWSER_TESTS") == "required"


def browser_path() -> str | None:
    """A browser of this machine that the tests can drive."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: drives a real browser")
    if REQUIRED and browser_path() is None:
        raise pytest.UsageError(
            f"The browser tests are required, but there is no browser. {ADVICE}"
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if browser_path() is not None:
        return
    without = [item for item in items if item.get_closest_marker("browser")]
    if without:
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if not item.get_closest_marker("browser")]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if browser_path() is None:
        terminalreporter.section("BROWSER TESTS NOT RUN", yellow=True, bold=True)
        terminalreporter.line(f"No Chromium or Chrome was found on this machine. {ADVICE}")
