"""An export as a job: a file that is made in one go, as of one moment."""

import os
from datetime import datetime
from uuid import UUID

from scoring.transfer.exporting.files import ExportRequest, export
from scoring.transfer.signatures import Signing
from tournaments.jobs import Part
from tournaments.models import Job


def export_part(job: Job, at: datetime) -> Part:
    """Make the whole file; after a kill it is made anew.

    It is another file then: a worker that was thought dead goes on with one that nobody sees.
    """
    job.result_path.unlink(missing_ok=True)
    params = job.params
    wanted = ExportRequest(
        what=params["what"],
        format=params["format"],
        event=UUID(params["event"]) if params.get("event") else None,
        league=UUID(params["league"]) if params.get("league") else None,
    )
    made = export(job.club, wanted, at)
    size, signing = 0, Signing()
    with job.result_path.open("wb") as file:
        for piece in signing.passing(made.pieces):
            size += file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    signature = signing.sign()
    signed = {} if signature is None else {"signature": signature.text()}
    return Part(
        done=size,
        total=size,
        outcome={"bytes": size, "head": made.head, "media_type": made.media_type, **signed},
        file_name=made.name,
    )
