"""Views of the public page *Check a record*."""

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.judge import latest_date
from engine.messages import message_of
from engine.notation.encoding import is_not_text
from engine.rules.rules import RulesError
from scoring.models import SharedRecord
from scoring.presentation import checks, shared_records
from scoring.selectors import queries
from scoring.web import check_page
from scoring.web.examples import EXAMPLES, example_text
from scoring.web.rate_limit import ShareThrottle
from scoring.web.record_listing import decode
from scoring.web.record_upload import (
    RecordPlace,
    Submission,
    TooLongError,
    check_length,
    place_of,
    submission_of,
)
from tournaments.core.language import translate


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    """What this is, and the way to the page."""
    return _page(request, "landing.html", {"examples": EXAMPLES})


# Checking changes nothing and knows nobody: there is nothing that a forged request could gain.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)
def check(request: HttpRequest) -> HttpResponse:
    """Check what was sent, or show the empty page."""
    if request.method != "POST":
        return _show_empty_form(request)
    try:
        check_length(request)
        sent = submission_of(request)
    except (TooLongError, RequestDataTooBig):
        return _too_long(request)
    return _show_result(request, sent)


def _show_empty_form(request: HttpRequest) -> HttpResponse:
    """The empty page, an example, or a copy of a shared text to edit."""
    text = example_text(request.GET.get("example", ""))
    rules = mode = ""
    if copy := request.GET.get("copy"):
        shared = _find_shared(copy)
        text, rules, mode = bytes(shared.text), shared.rules, shared.mode
    sent = Submission(text or b"", rules, mode, place_of(request.GET))
    return _show_result(request, sent) if text else _page(request, "check.html", _form(sent))


def _show_result(request: HttpRequest, sent: Submission) -> HttpResponse:
    context = _form(sent)
    if sent.text.strip():
        context |= _answer(sent, context["text"])
    elif request.method == "POST":
        context["problem"] = _("Nothing to read yet: paste a record, or choose a file.")
    if request.POST.get("part") == "answer":
        return _page(request, "parts/answer.html", context | {"part": True})
    return _page(request, "check.html", context, status=400 if "problem" in context else 200)


def _answer(sent: Submission, text: str) -> dict[str, Any]:
    """The judgement, or why there is none."""
    if is_not_text(sent.text):
        return {"problem": _("This is not a text record.")}
    try:
        today = latest_date(timezone.now())
        report = checks.check(sent.text, rules=sent.rules, mode=sent.mode, today=today)
    except (RulesError, ValueError, checks.TooManyRecordsError) as error:
        return {"problem": translate(message_of(error))}
    return check_page.answer(report, text, sent.place)


# Exempt here and protected within: to look for the form's secret is to read all that was sent.
@csrf_exempt
@require_POST
def share(request: HttpRequest) -> HttpResponse:
    """Keep the text and go to its link."""
    try:
        check_length(request)
        return _shared_now(request)
    except (TooLongError, RequestDataTooBig):
        return _too_long(request)


@csrf_protect
def _shared_now(request: HttpRequest) -> HttpResponse:
    wait = ShareThrottle.wait_for(request)
    if wait is not None:
        return _show_problem(request, _("Too many links at once; try again in a few minutes."), 429)
    try:
        sent = submission_of(request)
        shared = shared_records.share(
            text=sent.text, rules=sent.rules, mode=sent.mode, at=timezone.now()
        )
    except (shared_records.CannotShareError, RulesError, ValueError) as error:
        return _show_problem(request, translate(message_of(error)), 400)
    return HttpResponseRedirect(reverse("shared", args=[shared.public_id]))


@require_safe
@cache_control(private=True, no_cache=True)
def shared_record(request: HttpRequest, public_id: str) -> HttpResponse:
    """A shared record, at the trick that the link names."""
    found = _find_shared(public_id)
    text = bytes(found.text)
    sent = Submission(text, found.rules, found.mode, place_of(request.GET))
    context = _form(sent)
    context |= _answer(sent, context["text"])
    path = reverse("shared", args=[public_id])
    context |= {"shared": found, "permalink": request.build_absolute_uri(path)}
    return _page(request, "shared.html", context)


@require_safe
def original(request: HttpRequest, public_id: str) -> HttpResponse:
    """The text as it was given, byte for byte."""
    answer = HttpResponse(bytes(_find_shared(public_id).text), content_type="application/x-phn")
    answer["Content-Disposition"] = 'attachment; filename="record.phn"'
    return answer


def _find_shared(public_id: str) -> SharedRecord:
    found = queries.shared_record(public_id)
    if found is None:
        raise Http404
    return found


def _form(sent: Submission) -> dict[str, Any]:
    """What the form shows again."""
    choices = check_page.rule_choices()
    preset = sent.rules in {name for name, _title in choices}
    return {
        "text": decode(sent.text),
        "rules": sent.rules if preset else "",
        "house": "" if preset else sent.rules,
        "mode": sent.mode,
        "rule_choices": choices,
        "examples": EXAMPLES,
        "place": sent.place,
    }


def _too_long(request: HttpRequest) -> HttpResponse:
    return _show_problem(request, _("This is longer than 1 MiB. Check it in parts."), 413)


def _show_problem(request: HttpRequest, words: str, status: int) -> HttpResponse:
    context = _form(Submission(b"", "", "", RecordPlace())) | {"problem": words}
    return _page(request, "check.html", context, status=status)


def _page(
    request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    answer = render(request, template, context, status=status)
    # With no-referrer, browsers send the form with "Origin: null", which looks like a forgery.
    answer["Referrer-Policy"] = "same-origin"
    return answer
