"""Upload handler that digests a file while it arrives and stores nothing."""

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest

from scoring.transfer.signatures import TEXT_MAX

BYTES_MAX: Final = 64 * 1024 * 1024
_FIELDS_BYTES: Final = 64 * 1024
"""What the small fields of the form may have besides."""


@dataclass(frozen=True, slots=True)
class DigestedFile:
    """A file that went by: its SHA-256 and its first bytes."""

    name: str
    digest: bytes
    beginning: bytes


class DigestingHandler(FileUploadHandler):
    """Digests every file of a form piece by piece."""

    _whole: Any
    _beginning: bytes

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin with the next one."""
        super().new_file(*args, **kwargs)
        self._whole, self._beginning = hashlib.sha256(), b""

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Go on."""
        self._whole.update(raw_data)
        if start <= TEXT_MAX:
            self._beginning = (self._beginning + raw_data)[: TEXT_MAX + 1]

    # The stubs know of an UploadedFile alone; Django puts into FILES whatever comes back here.
    def file_complete(self, file_size: int) -> DigestedFile:  # type: ignore[override]
        """Return the digest and the first bytes."""
        return DigestedFile(self.file_name or "", self._whole.digest(), self._beginning)


def is_too_long(request: HttpRequest) -> bool:
    """Whether a form is refused before any of it is read."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    return not length.isdigit() or int(length) > BYTES_MAX + _FIELDS_BYTES


def digest_uploads(request: HttpRequest) -> None:
    """From now on, before anything was read, files of this request are digested."""
    request.upload_handlers = [DigestingHandler(request)]
