"""Counts as the jobs of `test_jobs` do and kills itself inside a given part.

`test_jobs` runs it in a process of its own.
"""

import os
import signal
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from tests.tournaments.jobs.test_jobs import count
from tournaments import jobs
from tournaments.jobs import JobType, Part
from tournaments.models import Job


def main(job_id: str, files: str, last_part: str) -> None:
    def count_and_die(job: Job, moment: datetime) -> Part:
        part = count(job, moment)
        if job.place.get("number", 0) + 1 == int(last_part):
            os.kill(os.getpid(), signal.SIGKILL)
        return part

    settings.FILES = files
    types = {"count": JobType(count_and_die)}
    jobs.run(job_id=UUID(job_id), types=types, clock=timezone.now)
