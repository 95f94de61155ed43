"""Signatures of files: whether this installation signed one, or whoever else did."""

from datetime import datetime
from typing import TypedDict

from rest_framework.response import Response

from engine.core.messages import Message
from scoring.transfer.exporting import judge
from scoring.transfer.signatures import DIGEST_BYTES, TEXT_MAX
from tournaments.api.serializers import CharField, StrictSerializer
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.core.errors import RefusedError


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
