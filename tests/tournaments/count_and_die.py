"""Counts as the jobs of `test_jobs` do and kills itself inside a given part.

Run by `test_jobs` as a process of its own:
python -m tests.tournaments.count_and_die JOB FILES PART.
"""

import os
import signal
import sys
from datetime import datetime
from uuid import UUID

import django

django.setup()

from django.conf import settings  # noqa: E402 - Django must be set up first
from django.utils import timezone  # noqa: E402

from tests.tournaments.test_jobs import count  # noqa: E402
from tournaments import jobs  # noqa: E402
from tournaments.jobs import JobType, Part  # noqa: E402
from tournaments.models import Job  # noqa: E402

job_id, files, last_part = sys.argv[1:]
settings.FILES = files


def count_and_die(job: Job, moment: datetime) -> Part:
    part = count(job, moment)
    if job.place.get("number", 0) + 1 == int(last_part):
        os.kill(os.getpid(), signal.SIGKILL)
    return part


types = {"count": JobType(count_and_die)}
jobs.run(job_id=UUID(job_id), types=types, clock=timezone.now)
