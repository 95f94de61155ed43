"""Jobs: how far they are, what was wrong, the file they made."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict
from uuid import UUID

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from tournaments import jobs
from tournaments.access.rights import Place, Right
from tournaments.api.files import BYTES_TYPE, FileOutput, download
from tournaments.api.filters import BooleanFilter, ChoiceFilter, FilterSet
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import serializer_of
from tournaments.api.serializers import (
    IntegerField,
    JSONObjectField,
    ListField,
    StrictModelSerializer,
)
from tournaments.api.views import ApiRequest, ApiViewSet, RetrieveModelMixin
from tournaments.imports.planned_standings import PlannedStandings
from tournaments.models import Job, JobState
from tournaments.tables.formats import FILE_TYPES

PIECE_BYTES = 64 * 1024


class JobProblemOut(TypedDict, total=False):
    """Something wrong at a place of the file, counted from 1; line 0 is the file as a whole.

    Of hands: ``stored``: it is on record all the same, disputed; ``conflict``: another record of
    the same hand says something else.
    """

    line: int
    column: int
    message: str
    stored: bool
    conflict: bool


class CellProblemOut(TypedDict):
    """Something wrong in a cell of a row."""

    column: int
    message: str


class PlacedGameOut(TypedDict):
    """A game of an archive, and where it is in an event."""

    game: str
    name: str
    event: str
    round: int
    table: int


class NumberedPersonOut(TypedDict):
    """A member, with their number."""

    name: str
    number: int


class PlannedRowOut(TypedDict, total=False):
    """The plan for a row, and the reason; ``similar``: members who may be meant."""

    line: int
    action: str
    subject: str
    detail: str
    problems: list[CellProblemOut]
    similar: list[NumberedPersonOut]


class NewPersonOut(TypedDict):
    """A new name, and the members whom it may mean."""

    name: str
    similar: list[NumberedPersonOut]


class ArchiveGameOut(TypedDict, total=False):
    """A game as an archive has it."""

    name: str
    event: str
    date: str
    round: str
    table: str
    line: int
    players: list[str]
    is_new: bool
    new_hands: int
    known_hands: int


class ArchivePreviewOut(TypedDict):
    """What a dry run understood of an archive."""

    games: list[ArchiveGameOut]
    game_count: int
    known_game_count: int
    new_people: list[NewPersonOut]
    known_people: list[NumberedPersonOut]


class QuestionDetailsOut(TypedDict, total=False):
    """A question as a file raises it: examples, and the answers that may be right.

    ``previews``: what the file says with each answer.
    """

    examples: list[str]
    answers: list[str]
    previews: dict[str, str]


class JobOutcomeOut(TypedDict, total=False):
    """What came of a job, as its kind has it; ``why``: it failed.

    Exports: ``bytes``, ``head`` of the trail, ``media_type``, ``signature``. Archives of hands:
    counts, ``preview`` of a dry run, ``places``; ``notices`` are sentences about what an archive
    does not carry, or what of it was not brought in. Tables: counts, ``plan``, ``unused`` headings,
    ``questions`` that must be answered first, with ``details``; sentences about what was
    ``understood``; ``differences`` from totals and places in the file, which must be accepted;
    ``newcomers``, ``new_nights`` and ``new_leagues`` of the club; ``standings``: the league as it
    will be, where all its nights are in the table.
    """

    why: str
    problems: int
    bytes: int
    head: str
    media_type: str
    signature: str
    records: int
    games: int
    hands: int
    known: int
    disputed: int
    left_out: int
    conflicts: int
    new_players: int
    placed: int
    preview: ArchivePreviewOut
    places: list[PlacedGameOut]
    notices: list[str]
    rows: int
    new: int
    changed: int
    plan: list[PlannedRowOut]
    unused: list[str]
    questions: list[str]
    details: dict[str, QuestionDetailsOut]
    understood: list[str]
    differences: list[JobProblemOut]
    difference_count: int
    newcomers: list[str]
    new_nights: int
    new_leagues: int
    standings: PlannedStandings


@extend_schema_field(dict[str, str | int | bool | dict[str, str] | None])
class JobParametersField(JSONObjectField):
    """What a job was asked for, as it was sent."""


@extend_schema_field(serializer_of(JobOutcomeOut))
class JobOutcomeField(JSONObjectField):
    """What came of a job."""


@extend_schema_field(serializer_of(JobProblemOut))
class JobProblemField(JSONObjectField):
    """Something wrong at a place of a file."""


class ListedJobSerializer(StrictModelSerializer):
    """A job in a list. ``done`` of ``total``: hands, rows or bytes, as its kind counts."""

    done = IntegerField(source="progress")
    file_name = serializers.SerializerMethodField()

    class Meta:
        model = Job
        fields = [
            "id",
            "kind",
            "state",
            "dry_run",
            "done",
            "total",
            "file_name",
            "created_at",
            "finished_at",
        ]

    def get_file_name(self, job: Job) -> str | None:
        """Return the name of the file that it made or was sent, None for none."""
        return job.file_name or None


class JobSerializer(ListedJobSerializer):
    """A job: what was asked, what came of it, and what was wrong, line by line."""

    params = JobParametersField()
    outcome = JobOutcomeField()
    problems = ListField(child=JobProblemField())

    class Meta(ListedJobSerializer.Meta):
        fields = [*ListedJobSerializer.Meta.fields, "params", "outcome", "problems"]


class JobFilter(FilterSet):
    """Filters of the list of jobs."""

    state = ChoiceFilter(choices=JobState.choices)
    dry_run = BooleanFilter(help_text="Only those that tried, or only those that did it.")


class ClubJobViewSet(ListModelMixin, ApiViewSet):
    """List jobs, in the order of asking; those that ended are kept for a week."""

    queryset = Job.objects.all()
    serializer_class = ListedJobSerializer
    filterset_class = JobFilter
    rights = {"list": Right.EXPORTS_MAKE}

    def get_queryset(self) -> QuerySet[Job]:
        return Job.objects.filter(club=self.request.club).exclude(state=JobState.DRAFT)


@dataclass(frozen=True, slots=True)
class JobPlace(Place):
    """The club of a job, and the job."""

    job: Job | None = None


class JobViewSetBase(ApiViewSet):
    """The base of viewsets whose URL names a job."""

    queryset = Job.objects.all()

    def get_place(self) -> Place:
        job = jobs.find(self.kwargs["job_id"])
        return Place(None) if job is None else JobPlace(job.club, None, job)

    def get_object(self) -> Job:
        assert isinstance(self.request.place, JobPlace)
        assert self.request.place.job is not None
        return self.request.place.job


class JobViewSet(RetrieveModelMixin, JobViewSetBase):
    """One job."""

    serializer_class = JobSerializer
    lookup_url_kwarg = "job_id"
    lookup_value_converter = "uuid"
    outputs = {"file": FileOutput.of(*FILE_TYPES)}
    rights = {
        "retrieve": Right.EXPORTS_MAKE,
        "destroy": Right.EXPORTS_MAKE,
        "file": Right.EXPORTS_MAKE,
    }

    def retrieve(self, request: ApiRequest, **ids: UUID) -> Response:
        """Read how far a job is, and what was wrong so far."""
        return super().retrieve(request, **ids)

    @idempotent
    def destroy(self, request: ApiRequest, job_id: UUID) -> Response:
        """Cancel a job: what it has done stays, the part that is being done is undone."""
        return self.answer(jobs.cancel(job_id=job_id, at=request.at))

    @action(detail=True)
    def file(self, request: ApiRequest, job_id: UUID) -> StreamingHttpResponse:
        """Take away the file that a job made."""
        job = self.get_object()
        kind = job.outcome.get("media_type", BYTES_TYPE)
        pieces = _read(jobs.find_result(job))
        return download(request.django_request, pieces, job.file_name, kind)


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            yield piece
