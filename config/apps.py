"""App configurations: the project itself, and Django's admin with our site."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig
from django.core import checks
from django.db.backends.signals import connection_created

from config.running.database import check_limits
from tournaments.core.ports import check_books


class House(AppConfig):
    """Registers the management commands, our system check and the check of connections.

    Celery's app is only for the worker and the relay.
    """

    name = "config"
    label = "house"

    def ready(self) -> None:
        checks.register(check_books)
        connection_created.connect(check_limits)


class Admin(SimpleAdminConfig):
    """Django's admin, for operators alone, with our models and no others."""

    default_site = "tournaments.admin.read_only.OperatorSite"

    def ready(self) -> None:
        super().ready()
        # In place of autodiscovery, which would register models of Django as well. Importing
        # scoring.admin registers its models and, through its base, those of tournaments.admin.
        import scoring.admin  # noqa: F401, PLC0415 (models are there only now)
