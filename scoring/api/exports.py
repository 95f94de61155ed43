"""Exports of a club: small files at once, long ones by a job; signatures of files."""

import gzip
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict, cast
from uuid import UUID

from django.core.cache import caches
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.response import Response

from engine.core.messages import Message
from scoring.transfer import exporting
from scoring.transfer.exporting import FORMATS, KINDS, TABLES, ExportRequest, judge
from scoring.transfer.signatures import DIGEST_BYTES, EXTENSION, TEXT_MAX, Signing, own_key
from tournaments import jobs
from tournaments.access.rights import Right
from tournaments.api.files import FileOutput, accepts_gzip, download
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
from tournaments.api.views import PRIVATE, ApiRequest, ApiViewSet
from tournaments.core.entity_tags import tag_of
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
        return _send(request, _MadeFile.of(request, wanted))

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

    def retrieve(self, request: ApiRequest, club_id: UUID) -> HttpResponseBase:
        """Take published standings away as a file; strangers get first names and initials.

        For strangers it is made once and has an ETag, until something changes that it shows.
        """
        wanted = ExportRequest(
            what="standings",
            in_full=Right.NAMES_READ in request.rights,
            hidden=request.sees_hidden,
            site=public_site(request),
            **self.read_parameters(),
        )
        if wanted.in_full:  # it also names directors, whose names are no facts of the club
            return _send(request, _MadeFile.of(request, wanted))
        tag = tag_of((own_key(), exporting.list_standings_facts(request.club, wanted)))
        file: HttpResponseBase
        if self.is_known(tag):
            file = HttpResponse(status=304)
        else:
            made = caches["files"].get_or_set(
                tag, lambda: _MadeFile.of(request, wanted, is_packed=True)
            )
            file = _send(request, cast("_MadeFile", made))
        self.headers |= {
            "ETag": f"W/{tag}" if file.has_header("Content-Encoding") else tag,
            "Cache-Control": "public, no-cache" if request.asker.is_visitor else PRIVATE,
            "Vary": "Accept, Accept-Encoding, Accept-Language, Authorization, Cookie",
        }
        return file


@dataclass(frozen=True, slots=True)
class _MadeFile:
    """A file with what is told of it in headers; ``packed``: by gzip, where it pays."""

    name: str
    media_type: str
    head: str
    signature: str
    whole: bytes = b""
    packed: bytes = b""

    @classmethod
    def of(
        cls, request: ApiRequest, wanted: ExportRequest, *, is_packed: bool = False
    ) -> "_MadeFile":
        """Make a file. Raises RefusedError and NotThereError."""
        made = exporting.export(request.club, wanted, request.at)
        signing = Signing()
        whole = b"".join(signing.passing(made.pieces))
        signature = signing.sign()
        about = (made.name, made.media_type, made.head, signature.text() if signature else "")
        if is_packed and made.media_type.startswith(("text/", "application/json")):
            return cls(*about, packed=gzip.compress(whole))
        return cls(*about, whole)


def _send(request: ApiRequest, made: _MadeFile) -> StreamingHttpResponse:
    is_packed = bool(made.packed) and accepts_gzip(request)
    whole = made.packed if is_packed else made.whole or gzip.decompress(made.packed)
    file = download(request.django_request, [whole], made.name, made.media_type)
    if is_packed:
        file["Content-Encoding"] = "gzip"
    file["Painsuit-Trail-Head"] = made.head
    if made.signature:
        file["Painsuit-Signature"] = made.signature
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
