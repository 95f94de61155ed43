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


class Command(BaseCommand):
    """Run the whole test suite; what follows goes to pytest, whose exit status is ours.

    What uses a database runs on PostgreSQL first, from a Python package; then everything runs
    with SQLite. With TEST_DATABASE_URL there is one run, on that server.
    """

    help = "Run all tests with pytest. Options of pytest may follow: manage.py test -k pot -x"

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
        asked = argv[2:]
        once = "TEST_DATABASE_URL" in os.environ or not ASKS_NO_TEST.isdisjoint(asked)
        sys.exit(run_pytest(asked) if once else self._on_both(asked))

    def _on_both(self, asked: Sequence[str]) -> int:
        self.stderr.write("On PostgreSQL: what uses a database. Then everything, with SQLite.")
        beside_a_server = [sys.executable, "-m", "tests.postgresql"]
        first = run_pytest(asked, through=beside_a_server)
        then = run_pytest(asked)
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
    parent = os.getpid()
    done = subprocess.Popen(  # noqa: S603 (our own commands)
        [*through, *pytest, *asked],
        preexec_fn=lambda: die_with(parent),  # noqa: PLW1509 (one thread starts it)
    )
    while True:
        try:
            return done.wait()
        except KeyboardInterrupt:  # it reaches pytest too, which says what it had done
            continue
