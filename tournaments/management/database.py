"""The beginning of a management command: find the database, or create it."""

from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


def prepare_database() -> None:
    """Create the data folder where it is missing, and migrate the database.

    Raises CommandError, in a sentence for whoever runs the command.
    """
    try:
        settings.DATA.prepare()
        if not settings.SECRET_KEY_IS_KEPT:
            # What is encrypted from here on must be readable tomorrow.
            settings.SECRET_KEY, settings.SECRET_KEY_IS_KEPT = settings.DATA.stored_key(), True
        with settings.DATA.migrating():
            call_command("migrate", interactive=False, verbosity=0)
    except TimeoutError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"Cannot use the data folder: {error}") from error
    except DatabaseError as error:
        raise CommandError(f"The database cannot be used: {error}") from error
    settings.DATA.restrict_access()


def require_database() -> None:
    """Raise CommandError where there is no database yet; nothing is created."""
    name = connection.settings_dict["NAME"]
    is_missing_file = isinstance(name, Path) and not name.is_file()
    try:
        if not is_missing_file and "django_migrations" in connection.introspection.table_names():
            return
    except DatabaseError as error:
        raise CommandError(f"The database cannot be used: {error}") from error
    where = f"in {settings.DATA.root}" if connection.vendor == "sqlite" else "on this server"
    raise CommandError(
        f"There is no database {where} yet. `manage.py serve` makes one,"
        " and `manage.py restore` fills one from a backup."
    )


def require_migrated_database() -> None:
    """Raise CommandError where there is no database, or one of an older version."""
    require_database()
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        first = missing[0][0]
        raise CommandError(
            f"The database is of an older version: {len(missing)} migrations are missing, the"
            f" first is {first.app_label}.{first.name}. `manage.py serve` or `manage.py migrate`"
            " applies them."
        )
