"""Private and conditional responses: pages for one viewer, 304 for unchanged ones."""

from typing import Final, TypeVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

Response = TypeVar("Response", bound=HttpResponseBase)

_SAME_ORIGIN: Final = "same-origin"
"""With no-referrer, browsers send forms with "Origin: null", which looks like a forgery."""


def not_modified_response(request: HttpRequest, tag: str) -> HttpResponse | None:
    """The answer for a reader who has what the tag stands for; None for any other."""
    response: HttpResponseBase | None = get_conditional_response(request, etag=tag)
    if not isinstance(response, HttpResponse):
        return None
    response["ETag"] = tag
    return require_revalidation(response)


def require_revalidation(answer: Response) -> Response:
    """Keep it for this reader; a browser asks again before it shows it a second time."""
    answer["Cache-Control"] = "private, no-cache"
    patch_vary_headers(answer, ["Cookie"])
    answer["Referrer-Policy"] = _SAME_ORIGIN
    return answer


def forbid_storing(response: Response) -> Response:
    """Forbid storing a response, and let its forms send their origin (for the CSRF check)."""
    patch_cache_control(response, private=True, no_store=True)
    response["Referrer-Policy"] = _SAME_ORIGIN
    return response
