"""The page of signatures: whether a file is as it was signed, and by whom. Nothing is kept."""

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from scoring.transfer.exporting import judge
from scoring.transfer.signatures import DIGEST_BYTES, TEXT_MAX, key_of, own_key
from scoring.web.rate_limit import SignatureThrottle
from tournaments.web.base import PrivatePage
from tournaments.web.viewer import asker_of

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


_REFUSED: Final = 400
_TOO_LONG: Final = 413
_TOO_OFTEN: Final = 429


# Checking changes nothing and knows nobody: there is nothing that a forged request could gain.
@method_decorator(csrf_exempt, name="dispatch")
class SignaturePage(PrivatePage):
    """Says of a file and its signature what they are worth; without a file the page is empty."""

    http_method_names = ["get", "head", "post"]
    template_name = "window/signature.html"

    def post(self, request: HttpRequest) -> HttpResponse:
        """Judge what was sent."""
        if is_too_long(request):
            return self._refuse_length()
        if SignatureThrottle.wait_for(request) is not None:
            return self._refuse(
                _TOO_OFTEN, _("Too many files at once. Please try again in a few minutes.")
            )
        digest_uploads(request)
        try:
            file: object = request.FILES.get("file")
            digest, name = _digest_in(request.POST.get("digest", "")), request.POST.get("name", "")
            if isinstance(file, DigestedFile):
                digest, name = file.digest, file.name
            signature = _signature_in(request)
            if not digest:
                return self._refuse(_REFUSED, _("Choose the file first."))
            if not signature:
                words = _("Nothing says who signed it: choose its signature too, or paste it.")
                return self._refuse(_REFUSED, words, name=name)
            found = judge(digest, signature, asker_of(request))
            context = self.get_context_data(found=found, name=name, digest=digest.hex())
            return self.render_to_response(context)
        except RequestDataTooBig:
            return self._refuse_length()

    def _refuse(self, status: int, problem: str, **context: Any) -> HttpResponse:
        return self.render_to_response(
            self.get_context_data(problem=problem, **context), status=status
        )

    def _refuse_length(self) -> HttpResponse:
        words = _("This is longer than 64 MiB: check it with manage.py signature.")
        # Nothing of what was sent may be read.
        return self._refuse(_TOO_LONG, words, pasted="")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        own = own_key()
        frame = {"own": own, "own_name": "" if own is None else key_of(own)}
        if "pasted" not in kwargs:
            frame["pasted"] = self.request.POST.get("signature", "")
        return super().get_context_data(**frame, **kwargs)


def _signature_in(request: HttpRequest) -> bytes:
    """The signature, from its file or else from the box."""
    beside: object = request.FILES.get("signature_file")
    if isinstance(beside, DigestedFile):
        return beside.beginning
    return request.POST.get("signature", "").strip()[: TEXT_MAX + 1].encode("utf-8", "replace")


def _digest_in(text: str) -> bytes:
    """The digest that the browser made of the file, which then stays where it is."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        return b""
    return found if len(found) == DIGEST_BYTES else b""
