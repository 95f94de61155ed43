"""Exports of a club: small files at once, long ones by a job; signatures of files."""

from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from django.http import StreamingHttpResponse
from rest_framework import serializers
from rest_framework.response import Response

from engine.core.messages import Message
from scoring.transfer import exporting
from scoring.transfer.exporting import FORMATS, KINDS, TABLES, ExportRequest, judge
from scoring.transfer.signatures import DIGEST_BYTES, EXTENSION, TEXT_MAX, Signing
from tournaments import jobs
from tournaments.access.rights import Right
from tournaments.api.files import FileOutput, download
from tournaments.api.idempotency import idempotent
from tournaments.api.jobs import JobSerializer, JobViewSetBase
from tournaments.api.openapi import example
from tournaments.api.parsers import JSON_TYPE
from tournaments.api.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.language import translate
from tournaments.core.public_address import public_site
from tournaments.models import Job
from tournaments.tables.formats import FILE_TYPES, TABLE_TYPES


class StandingsFileSerializer(StrictSerializer):
    """Which standings, and as what file."""

    format = ChoiceField(choices=TABLES)
    event = UUIDField(required=False, help_text="Of one event.")
    league = UUIDField(required=False, help_text="Of one league.")
    ids = BooleanField(required=False, help_text="Whether columns for programs come last in it.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse at once what no file can be."""
        try:
            exporting.check_request(ExportRequest(**{"what": "standings", **attrs}))
        except RefusedError as error:
            words = translate(error.message)
            raise serializers.ValidationError({error.field: [words]}) from error
        return attrs


@example({"what": "standings", "format": "xlsx", "event": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e"})
class ExportSerializer(StandingsFileSerializer):
    """What is taken away, and as what file; ``event`` and ``league`` leave out all others."""

    what = ChoiceField(choices=list(KINDS))
    format = ChoiceField(choices=list(FORMATS))


class ExportViewSet(ApiViewSet):
    """What a club takes away."""

    queryset = Job.objects.all()
    inputs = {"create": ExportSerializer}
    parameters = {"retrieve": ExportSerializer}
    outputs = {"retrieve": FileOutput.of(*FILE_TYPES), "create": JobSerializer}
    statuses = {"create": (202,)}
    rights = {"retrieve": Right.EXPORTS_MAKE, "create": Right.EXPORTS_MAKE}

    def retrieve(self, request: ApiRequest, club_id: UUID) -> StreamingHttpResponse:
        """Take something away at once, if it is small.

        ``Painsuit-Trail-Head`` is the digest of the heads of all trails of the club,
        ``Painsuit-Signature`` that of the file, where this installation signs.
        """
        wanted = ExportRequest(site=public_site(request), **self.read_parameters())
        if not exporting.is_small(request.club, wanted):
            words = Message("This is too long to wait for; ask for it with POST.")
            raise RefusedError(words, "what")
        return _signed_file(request, wanted)

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Ask for a file of any length: the answer is a job, which has the file in the end.

        The file is in the language of this request.
        """
        site = public_site(request)
        wanted = ExportRequest(site=site, **self.validated_data)
        job = exporting.create_job(request.club, wanted, by=request.by, at=request.at)
        return self.answer(job, location=f"/api/v1/jobs/{job.pk}")


class StandingsFileViewSet(ApiViewSet):
    """Published standings, for everybody who may know of the club."""

    queryset = Job.objects.all()
    parameters = {"retrieve": StandingsFileSerializer}
    outputs = {"retrieve": FileOutput.of(*TABLE_TYPES)}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, club_id: UUID) -> StreamingHttpResponse:
        """Take published standings away as a file; strangers get first names and initials."""
        wanted = ExportRequest(
            what="standings",
            in_full=Right.NAMES_READ in request.rights,
            hidden=request.sees_hidden,
            site=public_site(request),
            **self.read_parameters(),
        )
        return _signed_file(request, wanted)


def _signed_file(request: ApiRequest, wanted: ExportRequest) -> StreamingHttpResponse:
    made = exporting.export(request.club, wanted, request.at)
    signing = Signing()
    whole = b"".join(signing.passing(made.pieces))
    file = download(request.django_request, [whole], made.name, made.media_type)
    file["Painsuit-Trail-Head"] = made.head
    if (signature := signing.sign()) is not None:
        file["Painsuit-Signature"] = signature.text()
    return file


class FileSignatureViewSet(JobViewSetBase):
    """The signature of what a job made."""

    outputs = {"retrieve": FileOutput.of(JSON_TYPE)}
    rights = {"retrieve": Right.EXPORTS_MAKE}

    def retrieve(self, request: ApiRequest, job_id: UUID) -> StreamingHttpResponse:
        """Take away the signature of a file, to be kept beside it under its name and `.sig`."""
        job = self.get_object()
        jobs.find_result(job)
        text = job.outcome.get("signature")
        if not isinstance(text, str):
            raise NotThereError
        name = f"{job.file_name}{EXTENSION}"
        return download(request.django_request, [f"{text}\n".encode()], name, JSON_TYPE)


class SignatureQuerySerializer(StrictSerializer):
    """A file and its signature."""

    digest = CharField(
        max_length=2 * DIGEST_BYTES, help_text="The SHA-256 of the whole file, in hexadecimal."
    )
    signature = CharField(
        max_length=TEXT_MAX, help_text="The signature that lies beside it, as it was written."
    )


class JudgedOut(TypedDict):
    """What a signature is worth.

    ``verdict``: ``here`` (this installation signed the file and not a byte has changed), ``known``
    (somebody whose ``signer`` name was written down here), ``unknown`` (somebody else),
    ``changed`` (it is that of another file), ``forged`` (not made with its ``key``), ``none`` (it
    is no signature). ``club`` and ``made_at`` of what a job made here in the last week, and of a
    club that the asker may know of.
    """

    verdict: str
    key: str
    signer: str
    club: str | None
    made_at: datetime | None


class SignatureViewSet(ApiViewSet):
    """Whether a file is as it was signed; the file itself stays where it is."""

    parameters = {"retrieve": SignatureQuerySerializer}
    outputs = {"retrieve": JudgedOut}
    rights = {"retrieve": None}

    def retrieve(self, request: ApiRequest) -> Response:
        """Judge a file by its digest and its signature."""
        wanted = self.read_parameters()
        try:
            digest = bytes.fromhex(wanted["digest"])
        except ValueError:
            digest = b""
        if len(digest) != DIGEST_BYTES:
            raise RefusedError(Message("This is no SHA-256: 64 digits, 0-9 and a-f."), "digest")
        found = judge(digest, wanted["signature"].encode(), request.asker)
        data: JudgedOut = {
            "verdict": found.verdict.value,
            "key": found.key,
            "signer": found.signer,
            "club": None if found.club is None else str(found.club.pk),
            "made_at": found.made_at,
        }
        return Response(data)
