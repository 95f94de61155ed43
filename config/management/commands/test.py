import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.running.supervisor import die_with

NO_TESTS_RAN: Final = 5
"""pytest's status when nothing fits what was asked for."""
ASKS_NO_TEST: Final = {"--version", "-V", "--help", "-h", "--collect-only", "--co", "--fixtures"}
SLOW: Final = "--slow"
WORKERS: Final = max(2, min(os.cpu_count() or 1, 8))


class Group(NamedTuple):
    """One run of pytest: what it is called, which markers it takes, and its options."""

    name: str
    markers: str
    options: tuple[str, ...] = ()
    on_postgresql: bool = False


WITHOUT_ANY_REQUEST: Final = "--ignore=tests/api/test_any_request.py"
"""All of it is slow, and so is collecting it: its requests are made up meanwhile."""
FAST_GROUP: Final = Group("fast", "not (browser or chaos or slow)", (WITHOUT_ANY_REQUEST,))
FULL: Final = "--hypothesis-profile=full"
SLOW_GROUPS: Final = (
    # All examples of properties are tried once, with SQLite.
    # Pages mostly ask by the selectors of the API and the packages, whose tests run there, too.
    Group(
        "PostgreSQL",
        "not (browser or slow)",
        ("--ignore=tests/web", WITHOUT_ANY_REQUEST),
        on_postgresql=True,
    ),
    Group("slow", "(slow or property) and not (browser or chaos)", (FULL,)),
    # Browsers and killed processes mostly wait.
    Group(
        "browser and chaos",
        "browser or chaos",
        (FULL, WITHOUT_ANY_REQUEST, "-n", str(2 * WORKERS), "--dist", "loadgroup"),
    ),
)


class Command(BaseCommand):
    """Run the tests; what follows goes to pytest, whose exit status is ours.

    By default everything runs with SQLite except the slow groups. With ``--slow`` these run, one
    after the other. With TEST_DATABASE_URL there is one run, on that server.
    docs/development/testing.md says what is in each group.
    """

    help = (
        "Run the tests with pytest; --slow runs the slow groups instead (PostgreSQL, all examples"
        " of properties, browser, chaos). Options of pytest may follow: manage.py test -k pot -x"
    )

    def run_from_argv(self, argv: list[str]) -> None:
        # pytest brings its own options and its own Django: it runs beside us.
        if find_spec("pytest") is None:
            self.stderr.write(
                "pytest is not installed here: python -m pip install --no-deps --require-hashes"
                " -r requirements-dev.lock"
            )
            sys.exit(1)
        os.chdir(settings.BASE_DIR)
        os.environ.pop("DJANGO_SETTINGS_MODULE")  # the tests have settings of their own
        asked = [word for word in argv[2:] if word != SLOW]
        if "TEST_DATABASE_URL" in os.environ or not ASKS_NO_TEST.isdisjoint(asked):
            sys.exit(run_pytest(asked))
        if SLOW in argv:
            sys.exit(self._run_groups(SLOW_GROUPS, asked))
        if "-m" in asked:
            sys.exit(run_pytest(asked))
        sys.exit(run_group(FAST_GROUP, asked))

    def _run_groups(self, groups: Sequence[Group], asked: Sequence[str]) -> int:
        """Run all groups, also after one that is not green; gives the first status that is not."""
        statuses = {}
        for group in groups:
            self.stderr.write(f"== {group.name}")
            statuses[group.name] = run_group(group, asked)
        failed = {name: one for name, one in statuses.items() if one not in (0, NO_TESTS_RAN)}
        if failed:
            self.stderr.write(f"Not green: {', '.join(failed)}.")
            return next(iter(failed.values()))
        return min(statuses.values())

    def handle(self, *_args: Any, **_options: Any) -> None:
        raise CommandError("Tests run from the command line only: manage.py test")


def run_group(group: Group, asked: Sequence[str]) -> int:
    """Run those tests of a group that are asked for; gives pytest's exit status."""
    markers, rest = group.markers, list(asked)
    if "-m" in rest:
        place = rest.index("-m")
        markers = f"({markers}) and ({rest[place + 1]})"
        del rest[place : place + 2]
    through = [sys.executable, "-m", "tests.postgresql"] if group.on_postgresql else []
    return run_pytest([*group.options, "-m", markers, *rest], through=through)


def run_pytest(asked: Sequence[str], *, through: Sequence[str] = ()) -> int:
    """Run pytest, perhaps through another program; gives its exit status."""
    # A later -n (or --pdb with -n 0) has the last word.
    pytest = [sys.executable, "-m", "pytest", "-n", str(WORKERS), "--dist", "worksteal"]
    # Many tests start programs: without compiled files each would compile all of us again.
    environ = {name: os.environ[name] for name in os.environ if name != "PYTHONDONTWRITEBYTECODE"}
    parent = os.getpid()
    done = subprocess.Popen(  # noqa: S603 (our own commands)
        [*through, *pytest, *asked],
        env=environ,
        preexec_fn=lambda: die_with(parent),  # noqa: PLW1509 (one thread starts it)
    )
    while True:
        try:
            return done.wait()
        except KeyboardInterrupt:  # it reaches pytest too, which says what it had done
            continue
