"""Imports of tables as jobs; a table is small enough for a single part."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from engine.messages import Message
from tournaments.core.errors import RefusedError
from tournaments.imports import (
    DecimalMark,
    ImportLog,
    ImportSummary,
    bring_members,
    bring_openings,
    league_of,
)
from tournaments.jobs import Part
from tournaments.models import Job


def members_part(job: Job, at: datetime) -> Part:
    """Bring members of an uploaded table into the club."""
    with transaction.atomic():
        log = ImportLog.for_job(job, at)
        brought = bring_members(
            club_id=job.club_id,
            data=job.upload_path.read_bytes(),
            by=job.actor,
            at=at,
            dry_run=job.dry_run,
            log=log,
        )
        return _part(brought, log, at)


def openings_part(job: Job, at: datetime) -> Part:
    """Bring opening balances of an uploaded table into a league."""
    league = job.params.get("league")
    if not league:
        raise RefusedError(Message("Say of which league."), "league")
    with transaction.atomic():
        log = ImportLog.for_job(job, at)
        brought = bring_openings(
            league=league_of(job.club_id, UUID(str(league))),
            data=job.upload_path.read_bytes(),
            by=job.actor,
            at=at,
            dry_run=job.dry_run,
            mark=DecimalMark(job.params["decimals"]) if "decimals" in job.params else None,
            log=log,
        )
        return _part(brought, log, at)


def _part(brought: ImportSummary, log: ImportLog | None, at: datetime) -> Part:
    if log is not None:
        log.finish(brought.as_data(), at)
    return Part(
        done=brought.rows,
        total=brought.rows,
        outcome=brought.as_data(),
        problems=tuple(brought.problems),
    )
