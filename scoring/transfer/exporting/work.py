"""An export as a job: a file that is made in one go, as of one moment."""

import os
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.utils.translation import get_language, override

from scoring.transfer.exporting.files import export
from scoring.transfer.exporting.kinds import ExportRequest, check_request, find_scope
from scoring.transfer.signatures import Signing
from tournaments import jobs
from tournaments.core.actors import Actor
from tournaments.jobs import JobRequest, Part
from tournaments.models import Club, Job, JobKind

_PARAMS: Final = ("what", "format", "event", "league", "ids", "site")


def create_job(club: Club, wanted: ExportRequest, *, by: Actor, at: datetime) -> Job:
    """Have a worker make a file, in the language that is active now.

    Raises RefusedError where there is no such file, TooOftenError.
    """
    check_request(wanted)
    find_scope(club, wanted)
    params = {name: value for name in _PARAMS if (value := getattr(wanted, name))}
    params |= {"language": get_language()}
    texts = {name: str(value) for name, value in params.items()}
    request = JobRequest(kind=JobKind.EXPORT, params=texts)
    return jobs.create(club_id=club.pk, request=request, by=by, at=at)


def _request_of(params: Mapping[str, str]) -> ExportRequest:
    return ExportRequest(
        what=params["what"],
        format=params["format"],
        event=UUID(params["event"]) if params.get("event") else None,
        league=UUID(params["league"]) if params.get("league") else None,
        ids="ids" in params,
        site=params.get("site", ""),
    )


def export_part(job: Job, at: datetime) -> Part:
    """Make the whole file; after a kill it is made anew.

    It is another file then: a worker that was thought dead goes on with one that nobody sees.
    """
    job.result_path.unlink(missing_ok=True)
    size, signing = 0, Signing()
    # Rows are made while they are written: the language of whoever asked is that of them, too.
    with (
        override(job.params.get("language", settings.LANGUAGE_CODE)),
        job.result_path.open("wb") as file,
    ):
        made = export(job.club, _request_of(job.params), at)
        for piece in signing.passing(made.pieces):
            size += file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    signature = signing.sign()
    more: dict[str, Any] = {} if signature is None else {"signature": signature.text()}
    if made.notices:
        more["notices"] = list(made.notices)
    return Part(
        done=size,
        total=size,
        outcome={
            "bytes": size,
            "head": made.head,
            "media_type": made.media_type,
            **more,
        },
        file_name=made.name,
    )
