"""The worker's application; its settings are the CELERY_* names in config/settings.py."""

from celery import Celery

app = Celery("painsuit")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
