"""Languages: how the language of a response is chosen, and the view that changes it.

A page follows the reader's own choice, kept in a cookie, then what the browser asks for. The API
follows what the request asks for and nothing else, so that a program hears English unless it wants
another language.
"""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.http import require_safe

API: Final = "/api/"
_LONG: Final = 2000
"""Letters of an address that is gone back to."""


class LanguageMiddleware(LocaleMiddleware):
    """Answers in the reader's language, and says which one that is."""

    def process_request(self, request: HttpRequest) -> None:
        if not request.path_info.startswith(API):
            super().process_request(request)
            return
        translation.activate(asked_for(request.headers.get("Accept-Language", "")))
        # The name that Django's own middleware gives it.
        request.LANGUAGE_CODE = translation.get_language()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if "immutable" in response.get("Cache-Control", ""):
            return response  # a file, the same for everybody
        answer: HttpResponseBase = super().process_response(request, response)
        if not request.path_info.startswith(API):
            patch_vary_headers(answer, ["Cookie"])
        return answer


def asked_for(header: str) -> str:
    """The language that is liked best of those there are; English where none is asked for."""
    for code, _weight in parse_accept_lang_header(header.lower()):
        if code == "*":
            break
        try:
            return translation.get_supported_language_variant(code)
        except LookupError:
            continue
    return settings.LANGUAGE_CODE


@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """Keep the language that is chosen, and go back to the page where it was."""
    back = request.GET.get("to", "")[:_LONG]
    is_ours = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    answer = HttpResponseRedirect(back if is_ours else reverse("landing"))
    answer["Cache-Control"] = "private, no-store"
    chosen = request.GET.get("language", "")
    if chosen in dict(settings.LANGUAGES):
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite="Lax",
        )
    return answer
