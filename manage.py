#!/usr/bin/env python3
"""The one way into Painsuit: prepares its own environment, then hands over to Django."""

import os
import sys

# Nothing above this line may need a recent Python: the message must reach those who lack one.
if sys.version_info < (3, 11):  # noqa: UP036 (this is where an old Python is told so)
    sys.exit("Painsuit needs Python 3.11 or newer; this is %s." % sys.version.split()[0])

if sys.platform == "win32":
    sys.exit("Painsuit needs Linux or macOS; on Windows run it in WSL (wsl --install).")

from config.running import bootstrap
from engine.cli.commands import COMMANDS as RECORD_COMMANDS
from engine.cli.main import main as run_record_command


def main():
    # type: () -> None
    """Run one management command inside an environment that has what it needs."""
    if sys.argv[1:2] and sys.argv[1] in RECORD_COMMANDS:
        # They need the standard library alone; Django would take a second to start.
        sys.exit(run_record_command(sys.argv[1:], program="manage.py"))
    bootstrap.ensure(sys.argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415
        from django.core.management import execute_from_command_line  # noqa: PLC0415
        from django.db import Error as DatabaseError  # noqa: PLC0415
    except ModuleNotFoundError:
        sys.exit(bootstrap.EMPTY_ENVIRONMENT)
    if sys.argv[1:] in (["version"], ["--version"]):  # Django would tell its own
        import engine  # noqa: PLC0415 (not before the environment is ready)

        sys.stdout.write("%s\n" % engine.__version__)
        return
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.stderr.write("%s\n" % error)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(141)
    except (OSError, DatabaseError) as error:
        # Whoever started the command can put this right; the place in the code says nothing of it.
        if "--traceback" in sys.argv:
            raise
        from django.conf import settings  # noqa: PLC0415

        words = " ".join(str(error).split())
        if str(settings.DATA.root) in str(getattr(error, "filename", None)):
            words = "Cannot use the data folder: %s" % words
        sys.stderr.write("%s: %s (--traceback shows where)\n" % (sys.argv[1], words))
        sys.exit(2)


if __name__ == "__main__":
    main()
