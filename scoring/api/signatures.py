"""Signatures of files: whether this installation signed one, or whoever else did."""

from datetime import datetime
from typing import Final, TypedDict

from engine.messages import Message
from scoring.transfer.exporting import judge
from scoring.transfer.signatures import DIGEST_BYTES, TEXT_MOST
from tournaments.api.doors import Answer, Anyone, Ask, Door, read
from tournaments.api.fields import Text, form
from tournaments.core.errors import RefusedError

_ASKED: Final = form(
    digest=Text(most=2 * DIGEST_BYTES, words="The SHA-256 of the whole file, in hexadecimal."),
    signature=Text(most=TEXT_MOST, words="The signature that lies beside it, as it was written."),
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


class SignatureCheck(Door):
    """Whether a file is as it was signed; the file itself stays where it is."""

    @read(Anyone.ANYBODY, gives=JudgedOut, query=_ASKED)
    def get(self, ask: Ask) -> Answer:
        """Judge a file by its digest and its signature."""
        found = judge(_digest(ask), ask.query["signature"].encode(), ask.asker)
        data: JudgedOut = {
            "verdict": found.verdict.value,
            "key": found.key,
            "signer": found.signer,
            "club": None if found.club is None else str(found.club.pk),
            "made_at": found.made_at,
        }
        return Answer(data)


def _digest(ask: Ask) -> bytes:
    try:
        found = bytes.fromhex(ask.query["digest"])
    except ValueError:
        found = b""
    if len(found) != DIGEST_BYTES:
        raise RefusedError(Message("This is no SHA-256: 64 digits, 0-9 and a-f."), "digest")
    return found
