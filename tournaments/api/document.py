"""The OpenAPI document: made once by each process for each language, and sent with its ETag."""

import gzip
import json
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import Any, Final, cast

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.request import Request

from tournaments.api.files import accepts_gzip

_MAKING: Final = Lock()
_documents: Final[dict[str, "Document"]] = {}


@dataclass(frozen=True, slots=True)
class Document:
    """The document in one language, as it is sent: as it is, or ``packed`` by gzip."""

    body: bytes
    packed: bytes
    etag: str


def describe_api() -> Document:
    """Return the document in the active language.

    drf-spectacular keeps what it works on in the views, for the whole process: of two threads that
    make it at once, both get nonsense. So the first makes it while the others wait.
    """
    language = get_language()
    with _MAKING:
        if language not in _documents:
            schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
            body = json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()
            etag = f'"{sha256(body).hexdigest()[:32]}"'
            _documents[language] = Document(body, gzip.compress(body), etag)
        return _documents[language]


def clear_cache() -> None:
    """Clear the memory of this process."""
    with _MAKING:
        _documents.clear()


class OpenApiView(SpectacularJSONAPIView):
    """Send the document, or 304 to a reader who has it."""

    schema = None  # it does not describe itself

    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        document = describe_api()
        headers, body = {"ETag": document.etag, "Vary": "Accept, Accept-Encoding"}, document.body
        if accepts_gzip(request):
            headers |= {"ETag": f"W/{document.etag}", "Content-Encoding": "gzip"}
            body = document.packed
        response = get_conditional_response(
            cast("HttpRequest", request),  # it gives Django's own attributes
            etag=document.etag,
            response=HttpResponse(
                body, content_type=request.accepted_renderer.media_type, headers=headers
            ),
        )
        assert isinstance(response, HttpResponse)
        patch_cache_control(response, public=True, no_cache=True)
        return response
