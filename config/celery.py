"""The worker's application; its settings are the CELERY_* names in config/settings.py."""

import os

from celery import Celery
from celery.signals import worker_init, worker_process_init

from config.lifeline import die_with

# The celery command comes here without manage.py.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("painsuit")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

_master: list[int] = []


@worker_init.connect
def _begin(**_: object) -> None:
    _master[:] = [os.getpid()]


@worker_process_init.connect
def _tie(**_: object) -> None:
    """In a new process of the pool: end with the worker, even when that is killed."""
    for pid in _master:
        die_with(pid)
