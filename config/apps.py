from django.apps import AppConfig


class House(AppConfig):
    """Brings the start command and the worker's settings into every process."""

    name = "config"
    label = "house"

    def ready(self) -> None:
        # Makes the app's settings the current ones, so that tasks can be declared without it.
        import config.celery  # noqa: F401, PLC0415 (needs finished settings)
