import os
import sys
from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    """Run the whole test suite; what follows goes to pytest, whose exit status is ours."""

    help = "Run all tests with pytest. Options of pytest may follow: manage.py test -k pot -x"

    def run_from_argv(self, argv: list[str]) -> None:
        # pytest brings its own options and its own Django: it takes this process over.
        if find_spec("pytest") is None:
            self.stderr.write(
                "pytest is not installed here: python -m pip install --require-hashes"
                " -r requirements-dev.lock"
            )
            sys.exit(1)
        os.chdir(settings.BASE_DIR)
        os.environ.pop("DJANGO_SETTINGS_MODULE")  # the tests have settings of their own
        # Two processes suit a small machine; a later -n (or --pdb with -n 0) has the last word.
        pytest = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup"]
        os.execv(sys.executable, [*pytest, *argv[2:]])  # noqa: S606

    def handle(self, *_args: Any, **_options: Any) -> None:
        raise CommandError("Tests run from the command line only: manage.py test")
