"""App configurations: the project itself, and Django's admin with our site."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class House(AppConfig):
    """Registers the management commands and the Celery app in every process."""

    name = "config"
    label = "house"

    def ready(self) -> None:
        # Makes the app's settings the current ones, so that tasks can be declared without it.
        import config.celery  # noqa: F401, PLC0415 (needs finished settings)


class Admin(SimpleAdminConfig):
    """Django's admin, for operators alone, with our models and no others."""

    default_site = "tournaments.admin.site.OperatorSite"

    def ready(self) -> None:
        super().ready()
        # In place of autodiscovery, which would register models of Django as well. Importing
        # scoring.admin registers its models and, through its base, those of tournaments.admin.
        import scoring.admin  # noqa: F401, PLC0415 (models are there only now)
