"""Exports: what a club knows, as a file at once where it is small, by a job where it is long."""

from typing import Any
from uuid import UUID

from scoring.transfer import exporting
from scoring.transfer.exporting import FORMATS, KINDS, ExportRequest
from scoring.transfer.signatures import EXTENSION, Signing
from tournaments import jobs
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, Door, read, write
from tournaments.api.fields import Identifier, OneOf, form
from tournaments.api.jobs import JobDoor, JobOut, download, job_of, job_out
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.jobs import JobRequest
from tournaments.models import JobKind

_OF = {
    "event": Identifier(required=False, words="Of one event: standings, results."),
    "league": Identifier(required=False, words="Of one league: standings."),
}
EXPORT = form(what=OneOf(of=tuple(KINDS)), format=OneOf(of=FORMATS), **_OF)
_TABLES = tuple(one for one in FORMATS if one not in ("phn", "bundle"))
STANDINGS = form(format=OneOf(of=_TABLES), **_OF)


class Exports(Door):
    """What a club takes away."""

    @read(Right.EXPORTS_MAKE, gives=bytes, query=EXPORT)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """Take something away at once, if it is small.

        ``Painsuit-Trail-Head`` is the digest of the heads of all trails of the club,
        ``Painsuit-Signature`` that of the file, where this installation signs.
        """
        wanted = ExportRequest(**ask.query)
        if not exporting.is_small(ask.club, wanted):
            raise RefusedError("This is too long to wait for; ask for it with POST.", "what")
        return _file(ask, wanted)

    @write(Right.EXPORTS_MAKE, takes=EXPORT, gives=JobOut, status=202)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Ask for a file of any length: the answer is a job, which has the file in the end."""
        params: dict[str, Any] = {name: str(value) for name, value in ask.values.items()}
        wanted = JobRequest(kind=JobKind.EXPORT, params=params)
        job = jobs.create(club_id=club_id, request=wanted, by=ask.by, at=ask.at)
        return Answer(job_out(job), location=f"/api/v1/jobs/{job.pk}")


class StandingsFile(Door):
    """Published standings, for everybody who may know of the club."""

    @read(Right.CLUB_READ, gives=bytes, query=STANDINGS)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """Take published standings away as a file; strangers get first names and initials."""
        in_full = Right.NAMES_READ in ask.rights
        hidden = ask.sees_hidden
        return _file(
            ask, ExportRequest(what="standings", in_full=in_full, hidden=hidden, **ask.query)
        )


def _file(ask: Ask, wanted: ExportRequest) -> Answer:
    made = exporting.export(ask.club, wanted, ask.at)
    signing = Signing()
    whole = b"".join(signing.passing(made.pieces))
    file = download(iter([whole]), made.name, made.media_type)
    file["Painsuit-Trail-Head"] = made.head
    if (signature := signing.sign()) is not None:
        file["Painsuit-Signature"] = signature.text()
    return Answer(file=file)


class FileSignature(JobDoor):
    """The signature of what a job made."""

    @read(Right.EXPORTS_MAKE, gives=bytes)
    def get(self, ask: Ask, job_id: UUID) -> Answer:
        """Take away the signature of a file, to be kept beside it under its name and `.sig`."""
        job = job_of(ask)
        jobs.find_result(job)
        text = job.outcome.get("signature")
        if not isinstance(text, str):
            raise NotThereError
        name = f"{job.file_name}{EXTENSION}"
        return Answer(file=download(iter([f"{text}\n".encode()]), name, "application/json"))
