"""What all tests share: whether a browser is there, and which tests run on PostgreSQL too."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import caches
from django.db import transaction
from django.test import TransactionTestCase
from django.utils import translation
from hypothesis import HealthCheck, is_hypothesis_test, settings
from pytest_django import DjangoDbBlocker

from tests.browsers import browser_path
from tests.examples import FAST, FEW, FULL
from tests.migrated import fill_migrated
from tests.unguarded import unguarded

# The same examples every time, and no hurry on a busy machine; to look for new ones:
# python3 manage.py test --slow --hypothesis-profile=search
settings.register_profile(
    FULL, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(FAST, settings.get_profile(FULL), max_examples=2 * FEW)
settings.register_profile("search", deadline=None)
settings.load_profile(FAST)

ADVICE = "Install one (on Debian and Ubuntu: sudo apt install chromium) and run the tests again."
# Settings of child processes, which say themselves what they need.
collect_ignore = ["imported_settings.py"]
# The environment of whoever runs the tests; continuous integration says "required".
REQUIRED = os.environ.get("BROWSER_TESTS") == "required"

# A browser, a server and a test share two cores: one that fails is tried once more, and the report
# says that it was. To find out which ones need that: -p no:rerunfailures
ONCE_MORE = pytest.mark.flaky(reruns=1)

# With a server's address only what asks for a database is run: the rest knows no difference.
ON_A_SERVER = "TEST_DATABASE_URL" in os.environ
HERE = Path(__file__).parent
WITH_A_DATABASE = ("api", "chaos", "scoring", "tournaments", "web")
LITTLE_SEARCH = 5_000
DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "shared_database"}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: drives a real browser")
    config.addinivalue_line("markers", "chaos: kills processes of a running service")
    config.addinivalue_line("markers", "slow: takes long and needs neither of these")
    config.addinivalue_line(
        "markers", "property: tries a few of its examples in the fast run, all in the slow one"
    )
    config.addinivalue_line("markers", "flaky: tried once more, by the plugin if it is there")
    if REQUIRED and browser_path() is None:
        raise pytest.UsageError(
            f"The browser tests are required, but there is no browser. {ADVICE}"
        )


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """On a server look only where a database is used; None leaves it to others."""
    if not ON_A_SERVER or collection_path == HERE or collection_path in HERE.parents:
        return None
    folders = [HERE / name for name in WITH_A_DATABASE]
    if any(folder in (collection_path, *collection_path.parents) for folder in folders):
        return None
    return True


@pytest.hookimpl(tryfirst=True)  # before -m looks at the markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    without = [item for item in items if not _can_run(item)]
    if without:
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if _can_run(item)]
    for item in items:
        if HERE / "chaos" in item.path.parents:
            item.add_marker("chaos")
        if item.get_closest_marker("browser"):
            item.add_marker(ONCE_MORE)
            # One worker keeps what a module shares.
            if item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group(item.path.name))
        if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
            item.add_marker("property")


def pytest_collection_finish() -> None:
    """Collect garbage seldom, and not among what is imported: 12 to 35 % less CPU time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def _can_run(item: pytest.Item) -> bool:
    if item.get_closest_marker("browser") and browser_path() is None:
        return False
    return not ON_A_SERVER or _asks_for_a_database(item)


def _asks_for_a_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(fixtures & DATABASE_FIXTURES)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if browser_path() is None and not ON_A_SERVER:
        terminalreporter.section("BROWSER TESTS NOT RUN", yellow=True, bold=True)
        terminalreporter.line(f"No Chromium or Chrome was found on this machine. {ADVICE}")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Fill the test database in memory from one that is migrated already; a server migrates.

    Events are seated with little search: how good a seating is, the tests of movements tell.
    """
    if not ON_A_SERVER:
        with django_db_blocker.unblock():
            fill_migrated()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tournaments.events.seating.EFFORT", LITTLE_SEARCH)
        yield


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A database for what all tests of a module begin with; each of them is rolled back to it.

    Not for a module with tests that commit.
    """
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]
    with django_db_blocker.unblock(), block:
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _empty_caches() -> None:
    """The same ids come again in every test, with other names and numbers behind them."""
    for cache in caches.all():
        cache.clear()


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A page that a test asked for in German leaves its language to the thread."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True, scope="session")
def _tests_clean_up_past_the_guards() -> Iterator[None]:
    """A test that commits leaves rows behind; only the tests' own clean-up may remove them."""
    with pytest.MonkeyPatch.context() as patch:
        flush = vars(TransactionTestCase)["_fixture_teardown"]

        def unguarded_flush(case: TransactionTestCase) -> None:
            with unguarded():
                flush(case)

        patch.setattr(TransactionTestCase, "_fixture_teardown", unguarded_flush)
        yield
