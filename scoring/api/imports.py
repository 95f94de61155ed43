"""Imports of uploaded files, with an optional dry run, done by a worker."""

from typing import Any
from uuid import UUID

from rest_framework.response import Response

from engine.messages import message_of
from engine.rules.presets import parse_rules
from engine.rules.rules import RulesError
from scoring.models import SharedRecord
from scoring.transfer.importing import event_in
from tournaments import jobs
from tournaments.access.rights import Right
from tournaments.api.exceptions import ProblemError
from tournaments.api.idempotency import idempotent
from tournaments.api.jobs import JobSerializer
from tournaments.api.parsers import UploadParser
from tournaments.api.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.imports import DecimalMark
from tournaments.jobs import UPLOAD_BYTES_MAX, JobRequest
from tournaments.models import Job, JobKind
from tournaments.models.limits import max_length


class ImportSerializer(StrictSerializer):
    """What is brought in, and how."""

    kind = ChoiceField(
        choices=[JobKind.ARCHIVE, JobKind.MEMBERS, JobKind.OPENINGS],
        help_text="archive: records of hands, PHN or PBN; members, openings: a table, CSV or XLSX.",
    )
    league = UUIDField(required=False, help_text="openings: the league that they are brought into.")
    dry_run = BooleanField(required=False, help_text="Only say what would happen.")
    event = CharField(
        required=False,
        max_length=40,
        help_text="archive: the event that its games become part of; tags: that of their tags.",
    )
    rules = CharField(
        required=False,
        max_length=max_length(SharedRecord, "rules"),
        help_text="Instead of the rules that records name.",
    )
    decimals = ChoiceField(
        required=False,
        choices=list(DecimalMark),
        help_text="openings: what begins the decimals of a number such as 1.234, where the other "
        "numbers of the column do not tell.",
    )
    new = ChoiceField(
        required=False,
        choices=["guest", "visitor"],
        help_text="What a player is whom nobody knows.",
    )


class ImportViewSet(ApiViewSet):
    """What a club brings in."""

    queryset = Job.objects.all()
    serializer_class = JobSerializer
    parser_classes = [UploadParser]
    upload_bytes_max = UPLOAD_BYTES_MAX
    parameters = {"create": ImportSerializer}
    statuses = {"create": (202,)}
    rights = {"create": Right.IMPORTS_MAKE}

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Bring in a file: the answer is a job, which tells how far it is and what was wrong.

        The same file again changes nothing; what broke off goes on where it was.
        """
        wanted = self.read_parameters()
        file: Any = request.data
        if not file:
            raise ProblemError("EMPTY", "There is nothing in this file.")
        params: dict[str, str] = {
            name: str(wanted[name])
            for name in ("rules", "new", "league", "event", "decimals")
            if name in wanted
        }
        try:
            parse_rules(params.get("rules", ""))
        except RulesError as error:
            raise ProblemError("RULES", message_of(error), where={"key": "rules"}) from error
        event_in(params.get("event", ""))
        asked = JobRequest(
            kind=wanted["kind"],
            params=params,
            dry_run=wanted.get("dry_run", False),
            upload=file,
        )
        job = jobs.create(club_id=club_id, request=asked, by=request.by, at=request.at)
        return self.answer(job, location=f"/api/v1/jobs/{job.pk}")
