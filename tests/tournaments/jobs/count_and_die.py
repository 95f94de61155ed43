"""Counts as the jobs of `test_jobs` do and kills itself inside a given part.

Run by `test_jobs` as a process of its own:
python -m tests.tournaments.jobs.count_and_die JOB FILES PART.
"""

import os
import signal
import sys
from datetime import datetime
from uuid import UUID

import django
from django.conf import settings
from django.utils import timezone


def main(job_id: str, files: str, last_part: str) -> None:
    from tests.tournaments.jobs.test_jobs import count  # noqa: PLC0415 (models are there only now)
    from tournaments import jobs  # noqa: PLC0415
    from tournaments.jobs import JobType, Part  # noqa: PLC0415
    from tournaments.models import Job  # noqa: PLC0415

    def count_and_die(job: Job, moment: datetime) -> Part:
        part = count(job, moment)
        if job.place.get("number", 0) + 1 == int(last_part):
            os.kill(os.getpid(), signal.SIGKILL)
        return part

    settings.FILES = files
    types = {"count": JobType(count_and_die)}
    jobs.run(job_id=UUID(job_id), types=types, clock=timezone.now)


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
