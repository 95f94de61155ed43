"""Idempotent forms: a form that is sent twice is applied once.

Every page has a key of its own. With what was typed it says which question this is: the second tap
of a button asks the same one and is led to where the first was led.
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


def question_of(request: HttpRequest, by: Actor) -> RequestKey:
    """What a form asks for. Raises BadRequest for one that no page of ours made."""
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


def carried_out(question: RequestKey, work: Callable[[], str], at: datetime) -> str:
    """Do the work and say where to go on; a repeated question only says so.

    Raises what the work raises, and InProgressError while the same is still being done.
    """

    def kept() -> tuple[StoredResponse, StoredResponse]:
        answer = StoredResponse(303, b"", {"Location": work()})
        return answer, answer

    answer = find_stored_response(question) or apply_once(question, kept, at=at)
    return answer.headers["Location"]
