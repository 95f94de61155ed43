"""Idempotent forms: a form that is sent twice is applied once.

Every page has a key of its own. With what was typed it makes the idempotency key of the request:
the second tap of a button sends the same one and is led to where the first was led.
"""

import hashlib
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID, uuid5

from django.core.exceptions import BadRequest
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest

from tournaments.core.actors import Actor
from tournaments.idempotency import (
    RequestKey,
    StoredResponse,
    apply_once,
    find_stored_response,
)

_NOT_CONTENT = ("csrfmiddlewaretoken", "key")


def _request_key(request: HttpRequest, by: Actor) -> RequestKey:
    """The idempotency key of a form. Raises BadRequest for a form that no page of ours made."""
    try:
        page = UUID(request.POST.get("key", ""))
    except ValueError as error:
        raise BadRequest("A form of the desk has a key.") from error
    pairs = [
        (name, text)
        for name, texts in request.POST.lists()
        if name not in _NOT_CONTENT
        for text in texts
    ]
    files = [
        (name, _digest(file))
        for name, file in request.FILES.items()
        if isinstance(file, UploadedFile)
    ]
    asked = f"{request.path}?{urlencode(sorted(pairs))}&{urlencode(sorted(files))}"
    digest = hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()
    return RequestKey(
        asker=by.label,
        key=str(uuid5(page, digest)),
        method="POST",
        path=request.path[:300],
        # What was typed may name people: only its digest is kept.
        body=f'{{"digest":"{digest}"}}'.encode(),
    )


def _digest(file: "UploadedFile[bytes]") -> str:
    found = hashlib.sha256()
    for chunk in file.chunks():
        found.update(chunk)
    file.seek(0)
    return found.hexdigest()


def apply_form_once(
    request: HttpRequest, work: Callable[[], str], *, by: Actor, at: datetime
) -> str:
    """Do the work that a form asks for and return where to go on; a repeated form only says so.

    Raises what the work raises, BadRequest for a form that no page of ours made, and
    InProgressError while the same form is still being applied.
    """
    key = _request_key(request, by)

    def respond() -> tuple[StoredResponse, StoredResponse]:
        response = StoredResponse(303, b"", {"Location": work()})
        return response, response

    response = find_stored_response(key) or apply_once(key, respond, at=at)
    return response.headers["Location"]
