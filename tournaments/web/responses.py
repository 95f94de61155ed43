"""Private and conditional responses: pages for one viewer, 304 for unchanged ones."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

LIVE: Final = "live"
"""What ``part`` says in the address of the part of a page that is asked for again and again."""


def page(request: HttpRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """A page for this viewer; a browser asks again before it shows it a second time."""
    return _private(render(request, template, dict(context)))


def with_etag(tag: str, answer: HttpResponse) -> HttpResponse:
    """An answer with what its reader knows it by."""
    answer["ETag"] = tag
    return answer


def tag_of(facts: object) -> str:
    """An entity tag: other facts or another language, another tag."""
    text = json.dumps([get_language(), facts], sort_keys=True, default=str)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def not_modified_response(request: HttpRequest, tag: str) -> HttpResponse | None:
    """The answer for a reader who has what the tag stands for; None for any other."""
    found: HttpResponseBase | None = get_conditional_response(request, etag=tag)
    if not isinstance(found, HttpResponse):
        return None
    return _private(with_etag(tag, found))


def _private(answer: HttpResponse) -> HttpResponse:
    answer["Cache-Control"] = "private, no-cache"
    patch_vary_headers(answer, ["Cookie"])
    # With no-referrer, browsers send forms with "Origin: null", which looks like a forgery.
    answer["Referrer-Policy"] = "same-origin"
    return answer
