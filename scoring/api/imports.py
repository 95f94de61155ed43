"""Imports of uploaded files, with an optional dry run, done by a worker."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from engine.core.messages import Message
from scoring.models import SharedRecord
from scoring.transfer.importing import AS_WRITTEN, read_options
from tournaments import jobs
from tournaments.access.rights import Right
from tournaments.api.exceptions import ProblemError
from tournaments.api.idempotency import idempotent
from tournaments.api.imports import ListedImportSerializer
from tournaments.api.jobs import JobSerializer
from tournaments.api.parsers import UploadParser
from tournaments.api.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DictField,
    IntegerField,
    StrictSerializer,
)
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.imports import (
    LEAVE_OUT,
    MEMBERS_KNOWN,
    NIGHT_UNITS,
    QUESTIONS,
    TABLE_IMPORTS,
    DateOrder,
    DecimalMark,
)
from tournaments.imports.table import HEADER_ROW_MAX
from tournaments.jobs import UPLOAD_BYTES_MAX, JobRequest
from tournaments.models import Import, JobKind
from tournaments.models.limits import max_length


class ImportSerializer(StrictSerializer):
    """What is brought in, and how."""

    kind = ChoiceField(
        choices=[str(JobKind.ARCHIVE), *TABLE_IMPORTS],
        help_text="archive: records of hands, PHN or PBN; all others: a table, CSV, XLSX or ODS.",
    )
    league = CharField(
        required=False,
        max_length=36,
        help_text="openings, nights: the league that they are brought into. nights: "
        "new, or nothing, begins one; none leaves them by themselves.",
    )
    counts = ChoiceField(
        required=False,
        choices=list(NIGHT_UNITS),
        help_text="nights: what stands in the cells. Where it is left out: points, or penalty "
        "points where places or the order of the rows say that less is better.",
    )
    year = CharField(
        required=False,
        max_length=4,
        help_text="nights: the year of the first one, where days have none.",
    )
    first = CharField(
        required=False,
        max_length=40,
        help_text="nights: the day of the first one, where none has a day; the others follow it "
        "week by week.",
    )
    rule_set = CharField(
        required=False,
        max_length=60,
        help_text="nights: the house rules, or preset: and the name of a preset; those of the last "
        "night where it is left out.",
    )
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
    mapping = DictField(
        child=CharField(max_length=40, allow_blank=True),
        required=False,
        help_text="Tables: what columns hold, by their headings or letters, as JSON; an empty text "
        'leaves a column out. {"Vorname": "first", "C": ""}. What is not named is guessed.',
    )
    header_row = IntegerField(
        required=False,
        min_value=0,
        max_value=HEADER_ROW_MAX,
        help_text="Tables: the row with the headings, 0 for none. Found where it is not given.",
    )
    dates = ChoiceField(
        required=False,
        choices=list(DateOrder),
        help_text="Tables: what comes first in a date such as 03/04/2026, where the other dates of "
        "the column do not tell.",
    )
    decimals = ChoiceField(
        required=False,
        choices=list(DecimalMark),
        help_text="Tables: what begins the decimals of a number such as 1.234, where the other "
        "numbers of the column do not tell.",
    )
    answers = DictField(
        child=CharField(max_length=40),
        required=False,
        help_text="Tables: answers to the questions of a dry run, by their keys, as JSON: "
        + "; ".join(f"{key}: {one.answers}" for key, one in QUESTIONS.items()),
    )
    accept_differences = BooleanField(
        required=False,
        help_text="nights: bring it in although totals or places differ from those in the file; a "
        "dry run lists them.",
    )
    sheet = CharField(
        required=False, max_length=100, help_text="Tables: the worksheet, instead of the first."
    )
    people = DictField(
        child=CharField(max_length=9),
        required=False,
        help_text="Who a name is that is like a member's, or that several have: the number of the "
        'member, or new, by names, as JSON. {"Nora Adms": "12", "Jon Smith": "new"}. Rows and '
        "hands with such a name are left out until that is said; a dry run names them (similar).",
    )
    known = ChoiceField(
        required=False,
        choices=list(MEMBERS_KNOWN),
        help_text="members: what differs of members who are known stays as it is (keep, where it is"
        " left out), is filled in where nothing stands, or is replaced.",
    )
    new = ChoiceField(
        required=False,
        choices=["member", "guest", "visitor", AS_WRITTEN, LEAVE_OUT],
        help_text="What a player is whom nobody knows: guest where it is left out. archive: "
        "written is what an archive of a club says. nights: none leaves them out.",
    )


class ImportViewSet(ListModelMixin, ApiViewSet):
    """List what was brought into a club, in the order of bringing; that stays when its job goes."""

    queryset = Import.objects.all()
    serializer_class = JobSerializer
    outputs = {"list": ListedImportSerializer}
    parser_classes = [UploadParser]
    upload_bytes_max = UPLOAD_BYTES_MAX
    parameters = {"create": ImportSerializer}
    statuses = {"create": (202,)}
    rights = {"list": Right.IMPORTS_MAKE, "create": Right.IMPORTS_MAKE}

    def get_queryset(self) -> QuerySet[Import]:
        return Import.objects.filter(club=self.request.club)

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Bring in a file: the answer is a job, which tells how far it is and what was wrong.

        The same file again changes nothing; what broke off goes on where it was.
        """
        wanted = self.read_parameters()
        file: Any = request.data
        if not file:
            raise ProblemError("EMPTY", "There is nothing in this file.")
        params = {name: value for name, value in wanted.items() if name not in ("kind", "dry_run")}
        read_options(params)
        if wanted["kind"] == JobKind.ARCHIVE and params.get("new") == LEAVE_OUT:
            words = "Whoever played in a game is a player of the club."
            raise ProblemError("UNPROCESSABLE", words, where={"key": "new"})
        for key, value in params.get("answers", {}).items():
            if key not in QUESTIONS or value not in QUESTIONS[key].choices:
                words = Message(
                    "There is no such answer to {question}: {answer}",
                    question=repr(key[:40]),
                    answer=repr(value),
                )
                raise ProblemError("UNPROCESSABLE", words, where={"key": "answers"})
        asked = JobRequest(
            kind=wanted["kind"],
            params=params,
            dry_run=wanted.get("dry_run", False),
            upload=file,
        )
        job = jobs.create(club_id=club_id, request=asked, by=request.by, at=request.at)
        return self.answer(job, location=f"/api/v1/jobs/{job.pk}")
