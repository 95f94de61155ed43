"""The worker's application; its settings are the CELERY_* names in config/settings.py."""

import os

from celery import Celery

# The celery command comes here without manage.py.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("painsuit")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
