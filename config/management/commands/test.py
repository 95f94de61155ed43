import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.lifeline import die_with

NO_TESTS_RAN: Final = 5
"""pytest's status when nothing fits what was asked for."""
ASKS_NO_TEST: Final = {"--version", "-V", "--help", "-h", "--collect-only", "--co", "--fixtures"}


SLOW: Final = "--slow"
SLOW_MARKERS: Final = "browser or chaos or slow"


class Command(BaseCommand):
    """Run the tests; what follows goes to pytest, whose exit status is ours.

    By default everything runs with SQLite except the slow groups. With ``--slow`` these run: first
    what uses a database on PostgreSQL, from a Python package, then browser and chaos tests. With
    TEST_DATABASE_URL there is one run, on that server.
    """

    help = (
        "Run the tests with pytest; --slow runs the slow groups instead (PostgreSQL, browser,"
        " chaos). Options of pytest may follow: manage.py test -k pot -x"
    )

    def run_from_argv(self, argv: list[str]) -> None:
        # pytest brings its own options and its own Django: it runs beside us.
        if find_spec("pytest") is None:
            self.stderr.write(
                "pytest is not installed here: python -m pip install --require-hashes"
                " -r requirements-dev.lock"
            )
            sys.exit(1)
        os.chdir(settings.BASE_DIR)
        os.environ.pop("DJANGO_SETTINGS_MODULE")  # the tests have settings of their own
        asked = [word for word in argv[2:] if word != SLOW]
        if "TEST_DATABASE_URL" in os.environ or not ASKS_NO_TEST.isdisjoint(asked):
            sys.exit(run_pytest(asked))
        if SLOW in argv:
            sys.exit(self._run_slow(asked))
        sys.exit(run_pytest(asked if "-m" in asked else ["-m", f"not ({SLOW_MARKERS})", *asked]))

    def _run_slow(self, asked: Sequence[str]) -> int:
        self.stderr.write("What uses a database on PostgreSQL, then browser and chaos tests.")
        beside_a_server = [sys.executable, "-m", "tests.postgresql"]
        first = run_pytest(asked, through=beside_a_server)
        then = run_pytest(["-m", SLOW_MARKERS, *asked])
        if first in (0, NO_TESTS_RAN):
            return 0 if (first, then) == (0, NO_TESTS_RAN) else then
        self.stderr.write("The run on PostgreSQL, further up, was not green.")
        return first

    def handle(self, *_args: Any, **_options: Any) -> None:
        raise CommandError("Tests run from the command line only: manage.py test")


def run_pytest(asked: Sequence[str], *, through: Sequence[str] = ()) -> int:
    """Run pytest, perhaps through another program; gives its exit status."""
    # Two processes suit a small machine; a later -n (or --pdb with -n 0) has the last word.
    pytest = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup"]
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
