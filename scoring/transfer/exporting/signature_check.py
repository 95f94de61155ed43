"""Check whether a file was signed, by whom, and for which club it was made here."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scoring.transfer.signatures import (
    Signature,
    SignatureError,
    own_key,
    public_key,
    signer_of,
)
from tournaments.access import rights
from tournaments.access.rights import Asker, Place, Right
from tournaments.core.errors import RefusedError
from tournaments.models import Club, Job


class SignatureVerdict(StrEnum):
    """The worth of a signature beside a file."""

    HERE = "here"
    """This installation signed the file, and not a byte of it has changed."""
    KNOWN = "known"
    """Somebody did whose key was written down here."""
    UNKNOWN = "unknown"
    """Somebody did whose key nobody wrote down here."""
    CHANGED = "changed"
    """The signature is right, but that of another file, or of this one before it was changed."""
    FORGED = "forged"
    """It was not made with the key that it names."""
    NONE = "none"
    """It is no signature."""


@dataclass(frozen=True, slots=True)
class SignatureCheckResult:
    """A verdict, the name of the key, whose it is, and where the file was made as a job here.

    ``signer`` is empty where nobody wrote it down, ``club`` None where the job is forgotten or its
    club is none that the asker may know of.
    """

    verdict: SignatureVerdict
    key: str = ""
    signer: str = ""
    made_at: datetime | None = None
    club: Club | None = None


def judge(digest: bytes, text: bytes, asker: Asker) -> SignatureCheckResult:
    """Judge a file by its SHA-256 and the text of its signature. One query, if it is from here."""
    try:
        signature = Signature.read(text)
    except SignatureError:
        return SignatureCheckResult(SignatureVerdict.NONE)
    try:
        signature.check(signature.digest)
    except SignatureError:
        return SignatureCheckResult(SignatureVerdict.FORGED, signature.key)
    who = signer_of(signature)
    if digest != signature.digest:
        return SignatureCheckResult(SignatureVerdict.CHANGED, signature.key, who or "")
    if public_key(signature) == own_key():
        jobs = Job.objects.filter(outcome__signature=signature.text()).select_related("club")
        job = jobs.order_by("finished_at").first()
        if job is None or not _may_know(asker, job.club):
            return SignatureCheckResult(SignatureVerdict.HERE, signature.key)
        return SignatureCheckResult(
            SignatureVerdict.HERE, signature.key, made_at=job.finished_at, club=job.club
        )
    verdict = SignatureVerdict.UNKNOWN if who is None else SignatureVerdict.KNOWN
    return SignatureCheckResult(verdict, signature.key, who or "")


def _may_know(asker: Asker, club: Club) -> bool:
    try:
        rights.admit(asker, Place(club), Right.CLUB_READ)
    except RefusedError:
        return False
    return True
