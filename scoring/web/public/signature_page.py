"""The page of signatures: whether a file is as it was signed, and by whom. Nothing is kept."""

from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from scoring.transfer.exporting import judge
from scoring.transfer.signatures import DIGEST_BYTES, TEXT_MOST, key_of, own_key
from scoring.web.public.digested_upload import DigestedFile, digest_uploads, is_too_long
from scoring.web.rate_limit import SignatureThrottle
from tournaments.web.responses import page
from tournaments.web.viewer import asker_of

_REFUSED: Final = 400
_TOO_LONG: Final = 413
_TOO_OFTEN: Final = 429


# Checking changes nothing and knows nobody: there is nothing that a forged request could gain.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def signature_page(request: HttpRequest) -> HttpResponse:
    """Say of a file and its signature what they are worth, or show the empty page."""
    if request.method != "POST":
        return _answered(request)
    if is_too_long(request):
        return _too_long(request)
    if SignatureThrottle.wait_for(request) is not None:
        words = _("Too many files at once; try again in a few minutes.")
        return _answered(request, status=_TOO_OFTEN, problem=words)
    digest_uploads(request)
    try:
        return _judged(request)
    except RequestDataTooBig:
        return _too_long(request)


def _judged(request: HttpRequest) -> HttpResponse:
    file: object = request.FILES.get("file")
    digest, name = _digest_in(request.POST.get("digest", "")), request.POST.get("name", "")
    if isinstance(file, DigestedFile):
        digest, name = file.digest, file.name
    signature = _signature_in(request)
    if not digest:
        return _answered(request, status=_REFUSED, problem=_("Choose the file first."))
    if not signature:
        words = _("Nothing says who signed it: choose its signature too, or paste it.")
        return _answered(request, status=_REFUSED, problem=words, name=name)
    found = judge(digest, signature, asker_of(request))
    return _answered(request, found=found, name=name, digest=digest.hex())


def _signature_in(request: HttpRequest) -> bytes:
    """The signature, from its file or else from the box."""
    beside: object = request.FILES.get("signature_file")
    if isinstance(beside, DigestedFile):
        return beside.beginning
    return request.POST.get("signature", "").strip()[: TEXT_MOST + 1].encode("utf-8", "replace")


def _digest_in(text: str) -> bytes:
    """The digest that the browser made of the file, which then stays where it is."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        return b""
    return found if len(found) == DIGEST_BYTES else b""


def _too_long(request: HttpRequest) -> HttpResponse:
    words = _("This is longer than 64 MiB: check it with manage.py signature.")
    return _answered(request, status=_TOO_LONG, problem=words)


def _answered(request: HttpRequest, *, status: int = 200, **context: Any) -> HttpResponse:
    own = own_key()
    context |= {
        "own": own,
        "own_name": "" if own is None else key_of(own),
        "pasted": request.POST.get("signature", "") if status < _TOO_LONG else "",
    }
    answer = page(request, "window/signature.html", context)
    answer.status_code = status
    return answer
