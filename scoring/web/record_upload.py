"""A visitor's upload: a text or a file, the rules, and where in it they want to look."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest

from scoring.presentation.checks import TEXT_BYTES_MAX
from tournaments.web.number_format import parse_number

FORM_BYTES_MAX = 2 * TEXT_BYTES_MAX + 64 * 1024
"""A file, its text in the box beside it, and the small fields."""


class TooLongError(Exception):
    """More than a page takes at once."""


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """A place in the answer, all counted from 1; 0 is not said."""

    record: int = 1
    trick: int = 0
    card: int = 0


@dataclass(frozen=True, slots=True)
class Submission:
    text: bytes
    rules: str
    mode: str
    place: RecordPlace


def place_of(values: Mapping[str, str]) -> RecordPlace:
    """``?record=2&trick=7&card=1``, or a button's ``at=2.7.1``."""
    record, trick, card = values.get("record"), values.get("trick"), values.get("card")
    if at := values.get("at"):
        record, trick, card, *_rest = [*at.split(".", 3), "", "", ""]
    return RecordPlace(max(parse_number(record), 1), parse_number(trick), parse_number(card))


def check_length(request: HttpRequest) -> None:
    """Refuse a form before any of it is read and stored. Raises TooLongError."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or len(length) > 9 or int(length) > FORM_BYTES_MAX:
        raise TooLongError


def submission_of(request: HttpRequest) -> Submission:
    """Read a form. Raises TooLongError."""
    upload = request.FILES.get("file")
    text = (
        _file(upload) if isinstance(upload, UploadedFile) and upload.size else _typed_bytes(request)
    )
    if len(text) > TEXT_BYTES_MAX:
        raise TooLongError
    rules = request.POST.get("house", "").strip() or request.POST.get("rules", "")
    return Submission(text, rules.strip(), request.POST.get("mode", ""), place_of(request.POST))


def _file(upload: "UploadedFile[bytes]") -> bytes:
    if upload.size is None or upload.size > TEXT_BYTES_MAX:
        raise TooLongError
    content: bytes = upload.read()
    return content


def _typed_bytes(request: HttpRequest) -> bytes:
    # A form sends every line end of its box as CR LF, whatever was typed; the box has LF.
    text = request.POST.get("text", "").replace("\r\n", "\n")
    return text.encode("utf-8", "replace")
