"""The view that keeps the reader's choice of a language (`config.middleware` follows it)."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

_LONG: Final = 2000
"""Letters of an address that is gone back to."""


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
