"""Imports: a file of a club's own, sent whole, tried first if asked to, and done by a worker."""

from uuid import UUID

from engine.rules.presets import parse_rules
from engine.rules.rules import RulesError
from scoring.transfer.importing import event_in
from tournaments import jobs
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, Door, write
from tournaments.api.fields import Flag, Identifier, OneOf, Text, form
from tournaments.api.jobs import JobOut, job_out
from tournaments.api.problems import ProblemError
from tournaments.jobs import UPLOAD_BYTES_MAX, JobRequest
from tournaments.models import JobKind

IMPORT = form(
    kind=OneOf(
        of=(JobKind.ARCHIVE, JobKind.MEMBERS, JobKind.OPENINGS),
        words="archive: records of hands, PHN or PBN; members, openings: a table, CSV or XLSX.",
    ),
    league=Identifier(required=False, words="openings: the league that they are brought into."),
    dry_run=Flag(required=False, words="Only say what would happen."),
    event=Text(
        required=False,
        most=40,
        words="archive: the event that its games become part of; tags: that of their tags.",
    ),
    rules=Text(required=False, most=4096, words="Instead of the rules that records name."),
    new=OneOf(of=("guest", "visitor"), required=False, words="What a player is whom nobody knows."),
)

_PARAMS = ("rules", "new", "league", "event")


class Imports(Door):
    """What a club brings in."""

    @write(Right.IMPORTS_MAKE, gives=JobOut, status=202, upload=UPLOAD_BYTES_MAX, query=IMPORT)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Bring in a file: the answer is a job, which tells how far it is and what was wrong.

        The same file again changes nothing; what broke off goes on where it was.
        """
        if not ask.upload:
            raise ProblemError("EMPTY", "There is nothing in this file.")
        params = {name: str(ask.query[name]) for name in _PARAMS if name in ask.query}
        try:
            parse_rules(params.get("rules", ""))
        except RulesError as error:
            raise ProblemError("RULES", str(error), where={"key": "rules"}) from error
        event_in(params.get("event", ""))
        wanted = JobRequest(
            kind=ask.query["kind"],
            params=params,
            dry_run=ask.query.get("dry_run", False),
            upload=ask.upload,
        )
        job = jobs.create(club_id=club_id, request=wanted, by=ask.by, at=ask.at)
        return Answer(job_out(job), location=f"/api/v1/jobs/{job.pk}")
