"""Imports of tables as jobs: one part each, because a table comes in whole or not at all."""

from datetime import datetime

from tournaments.imports import ImportLog, plan_import, request_from_params, run_import
from tournaments.jobs import Part
from tournaments.models import Job


def table_part(job: Job, at: datetime) -> Part:
    """Bring an uploaded table into the club, or only say row by row what that would do."""
    params = {**job.params, "name": job.file_name}
    request = request_from_params(job.kind, job.upload_path.read_bytes(), params)
    log = ImportLog.for_job(job, at)
    if log is None:
        plan = plan_import(job.club, request, at)
    else:
        plan = run_import(club_id=job.club_id, request=request, by=job.actor, at=at, log=log)
    return Part(
        done=len(plan.rows),
        total=len(plan.rows),
        outcome=plan.as_data(),
        problems=tuple(plan.problems_as_data()),
    )
