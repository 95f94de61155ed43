"""Pages for what went wrong; they need nothing but their template."""

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.api.exceptions import DISK_FULL, problem_response
from tournaments.core.language import translate
from tournaments.core.storage import is_disk_full, note_refused_write


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that no browser sends by itself."""
    if _is_of_program(request):
        return problem_response("BAD_REQUEST", "The request cannot be understood.")
    words = _("Go back, reload the page and try again.")
    return _apology(request, 400, _("This request could not be understood"), words)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Something that is not for this visitor."""
    if _is_of_program(request):
        return problem_response("FORBIDDEN", "Nobody has been let in here.")
    return _apology(
        request, 403, _("You have no access to this page"), _("Ask the person who sent you here.")
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that did not come from our own page, or a browser that keeps no cookies."""
    if _is_of_program(request):
        return problem_response("CSRF", "This did not come from our own page.")
    words = _(
        "The page may have been open for a long time, or cookies are turned off. Reload"
        " it and try again."
    )
    return _apology(request, 403, _("This form could not be accepted"), words)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A link that leads nowhere."""
    if _is_of_program(request):
        return problem_response("NOT_FOUND", "There is nothing at this address.")
    words = _("The link may be incomplete, or the page it leads to is not public.")
    return _apology(request, 404, _("Page not found"), words)


def failure(request: HttpRequest) -> HttpResponse:
    """Our own mistake; or a full disk that no view has met but the store of sessions, say."""
    error = sys.exc_info()[1]
    if error is not None and is_disk_full(error):
        return disk_full(request, error)
    if _is_of_program(request):
        return problem_response("INTERNAL", "This should not happen; it has been logged.")
    words = _("This is our mistake, and it has been logged. Your text is still in your browser.")
    return _apology(request, 500, _("Something went wrong"), words)


def disk_full(request: HttpRequest, exception: BaseException) -> HttpResponse:
    """A write that failed for want of space."""
    note_refused_write(exception)
    if _is_of_program(request):
        return problem_response("DISK_FULL", DISK_FULL)
    return _apology(request, 507, _("The disk is full"), translate(DISK_FULL))


def address_too_long(request: HttpRequest) -> HttpResponse:
    """An address that no link of ours has."""
    if _is_of_program(request):
        return problem_response("ADDRESS_TOO_LONG", "No address needs to be as long as this one.")
    words = _("The link may be wrong. Go back and try another way.")
    return _apology(request, 414, _("This address is too long"), words)


def headers_too_long(request: HttpRequest) -> HttpResponse:
    """Headers that no browser sends by itself, unless others on this name set many cookies."""
    if _is_of_program(request):
        return problem_response("HEADERS_TOO_LONG", "No request needs headers as long as these.")
    words = _("Delete this site's cookies in your browser, then reload the page.")
    return _apology(request, 431, _("Your browser sends too much"), words)


def body_too_long(request: HttpRequest) -> HttpResponse:
    """A form that the web server did not keep; the API refuses its bodies itself."""
    words = _("Nothing was saved. Go back and send it in smaller parts.")
    return _apology(request, 413, _("This is too long"), words)


def _is_of_program(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _apology(request: HttpRequest, status: int, title: str, words: str) -> HttpResponse:
    # What is not there and what is not for everybody look alike to the last byte.
    at_desk = request.path.startswith(reverse("desk"))
    context = {"title": title, "words": words, "to": reverse("landing"), "at_desk": at_desk}
    return render(request, "error.html", context, status=status)
