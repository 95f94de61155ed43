"""A worker whose client may come to this machine; no setting does that, only such a program."""

import os
from datetime import timedelta

import django

from config.celery import app

django.setup()

from scoring.webhooks import queue  # noqa: E402
from tests.scoring.listener import client_to  # noqa: E402
from tournaments.models import leased_row  # noqa: E402

__all__ = ["app"]

queue.production_client = lambda: client_to(int(os.environ["LISTENER_PORT"]))  # type: ignore[assignment]
# A killed worker's message is due again sooner than in life, where a task may take a minute.
leased_row.LEASE = timedelta(seconds=4)  # type: ignore[misc]
