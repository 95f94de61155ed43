"""Views of the public page *Check a record*."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.generic import TemplateView, View

from engine.analysis.account import AnalysisError, analyse_hand
from engine.core.messages import message_of
from engine.notation.foreign_files import describe_foreign
from engine.rules.rules import RulesError
from engine.verdicts.judge import Judged, latest_date
from scoring.models import SharedRecord
from scoring.models.states import digest
from scoring.presentation import checks
from scoring.presentation.cards import seat_name
from scoring.selectors import queries
from scoring.web import check_page
from scoring.web.public.hand_analysis import AnalysisView, draw_analysis
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
from tournaments.core.entity_tags import tag_of
from tournaments.core.language import translate
from tournaments.core.public_address import public_url
from tournaments.people import accounts
from tournaments.tables.cells import isolate_name

NODES_OF_A_PAGE = 10_000
"""The positions of the last tricks that are looked at while somebody waits: a tenth of a second."""
EXAMPLES_FOLDER = Path(__file__).parent / "examples"


@dataclass(frozen=True, slots=True)
class Example:
    slug: str
    title: str | Promise
    note: str | Promise


EXAMPLES = (
    Example(
        "1-bicycle-auction-full",
        gettext_lazy("Auction Hearts"),
        gettext_lazy("four players, one clean"),
    ),
    Example(
        "2-hoyle-hearts-5p-play",
        gettext_lazy("Hearts, Hoyle"),
        gettext_lazy("five players, the play"),
    ),
    Example(
        "3-hoyle-auction-6p-jackpot",
        gettext_lazy("Hoyle's auction"),
        gettext_lazy("six players, a jackpot"),
    ),
    Example(
        "4-insurance-centre-full",
        gettext_lazy("Insurance Hearts"),
        gettext_lazy("papers and a blind auction"),
    ),
    Example(
        "5-sahara-3p-claim-ruling",
        gettext_lazy("Sahara Sands"),
        gettext_lazy("three players, claim and ruling"),
    ),
    Example(
        "6-bicycle-score-only-split",
        gettext_lazy("A jackpot won"),
        gettext_lazy("only the result, pot split"),
    ),
    Example(
        "7-hoyle-game-settlement", gettext_lazy("A game's end"), gettext_lazy("average settlement")
    ),
    Example("8-insurance-foot", gettext_lazy("A foot"), gettext_lazy("a hand cancelled")),
)


@cache
def example_text(slug: str) -> bytes | None:
    """The bytes of an example; None for a name that is not one."""
    if slug not in {example.slug for example in EXAMPLES}:
        return None
    return (EXAMPLES_FOLDER / f"{slug}.phn").read_bytes()


class RecordPage(TemplateView):
    """A page with the form for a record."""

    http_method_names = ["get", "head"]
    template_name = "check.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer = super().dispatch(request, *args, **kwargs)
        # With no-referrer, browsers send the form with "Origin: null", which looks like a forgery.
        answer["Referrer-Policy"] = "same-origin"
        return answer

    def refuse(self, problem: str, status: int) -> HttpResponse:
        """Show the empty form with what is wrong."""
        form = _form(Submission(b"", "", "", RecordPlace()))
        return self.render_to_response(
            self.get_context_data(**form, problem=problem), status=status
        )

    def refuse_length(self) -> HttpResponse:
        """Say that it is too long."""
        return self.refuse(_("This is longer than 1 MiB. Check it in parts."), 413)


class LandingPage(RecordPage):
    """The front page: the ways in, that of whoever runs a night first.

    Where nobody has an account, it leads to the page that makes the first.
    """

    template_name = "landing.html"
    extra_context = {
        "examples": EXAMPLES,
        "nobody_yet": lambda: not accounts.has_accounts(),
        "own_certificate": settings.OWN_CERTIFICATE,
    }


# Checking changes nothing and knows nobody: there is nothing that a forged request could gain.
@method_decorator(csrf_exempt, name="dispatch")
@method_decorator(cache_control(private=True, no_cache=True), name="dispatch")
class CheckPage(RecordPage):
    """The verdict on what was sent, on an example or on a copy of a shared text; or the form."""

    http_method_names = ["get", "head", "post"]

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        text = example_text(request.GET.get("example", ""))
        rules = mode = ""
        if copy := request.GET.get("copy"):
            shared = _find_shared(copy)
            text, rules, mode = bytes(shared.text), shared.rules, shared.mode
        sent = Submission(text or b"", rules, mode, place_of(request.GET))
        context = _form(sent)
        return self._show(context | _answer(sent, context["text"]) if text else context)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Check a record."""
        try:
            check_length(request)
            sent = submission_of(request)
        except (TooLongError, RequestDataTooBig):
            return self.refuse_length()
        context = _form(sent)
        if sent.text.strip():
            context |= _answer(sent, context["text"])
        else:
            context["problem"] = _("Nothing to read yet: paste a record, or choose a file.")
        if request.POST.get("part") != "answer":
            return self._show(context)
        context["part"] = True
        return self.response_class(request, ["parts/answer.html"], context)

    def _show(self, context: dict[str, Any]) -> HttpResponse:
        status = 400 if "problem" in context else 200
        return self.render_to_response(self.get_context_data(**context), status=status)


# Exempt here and protected within: to look for the form's secret is to read all that was sent.
@method_decorator(csrf_exempt, name="dispatch")
class ShareRecord(RecordPage):
    """Keeps a text and goes to its link."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> HttpResponse:
        """Keep the text, unless it is too long."""
        try:
            check_length(request)
            return self._share(request)
        except (TooLongError, RequestDataTooBig):
            return self.refuse_length()

    @method_decorator(csrf_protect)
    def _share(self, request: HttpRequest) -> HttpResponse:
        if ShareThrottle.wait_for(request) is not None:
            return self.refuse(_("Too many links at once. Please try again in a few minutes."), 429)
        try:
            sent = submission_of(request)
            shared = checks.share_record(
                text=sent.text, rules=sent.rules, mode=sent.mode, at=timezone.now()
            )
        except (checks.CannotShareError, RulesError, ValueError) as error:
            return self.refuse(translate(message_of(error)), 400)
        return redirect("shared", shared.public_id)


@method_decorator(cache_control(private=True, no_cache=True), name="dispatch")
class SharedRecordPage(RecordPage):
    """A shared record, at the trick that the link names."""

    template_name = "shared.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        shared = _find_shared(self.kwargs["public_id"])
        sent = Submission(bytes(shared.text), shared.rules, shared.mode, place_of(self.request.GET))
        context = _form(sent)
        permalink = public_url(self.request, self.request.path)
        context |= _answer(sent, context["text"])
        return super().get_context_data(**context, shared=shared, permalink=permalink)


class OriginalRecord(View):
    """The text as it was given, byte for byte."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, public_id: str) -> HttpResponse:
        """Send it as a file."""
        answer = HttpResponse(bytes(_find_shared(public_id).text), content_type="application/x-phn")
        answer["Content-Disposition"] = 'attachment; filename="record.phn"'
        return answer


def _answer(sent: Submission, text: str) -> dict[str, Any]:
    """The judgement, or why there is none."""
    if foreign := describe_foreign(sent.text, takes_bridge=True):
        return {"problem": translate(foreign)}
    try:
        today = latest_date(timezone.now())
        verdict = checks.judge(sent.text, rules=sent.rules, mode=sent.mode, today=today)
    except (RulesError, ValueError, checks.TooManyRecordsError) as error:
        return {"problem": translate(message_of(error))}
    context = check_page.answer(checks.report_on(verdict), text, sent.place)
    number = context["number"]
    if verdict.records:
        tag = tag_of((digest(sent.text), sent.rules, sent.mode, number))
        context["analysis"] = caches["pages"].get_or_set(
            f"last-tricks-{tag}", lambda: _last_tricks(verdict.records[number - 1], number)
        )
    return context


def _last_tricks(judged: Judged, number: int) -> AnalysisView | None:
    """The last tricks of a hand of which every card is written; None of any other."""
    if judged.result is None:
        return None
    hand = judged.result.replay
    try:
        analysis = analyse_hand(hand, nodes=NODES_OF_A_PAGE)
    except AnalysisError:
        return None
    seats, names = hand.record.seats, hand.record.names
    known = {seat: isolate_name(name) for seat, name in zip(seats, names, strict=False) if name}
    called = [seat_name(seat, known) for seat in seats]
    return draw_analysis(analysis, seats, called, record=number)


def _find_shared(public_id: str) -> SharedRecord:
    shared = queries.shared_record(public_id)
    if shared is None:
        raise Http404
    return shared


def _form(sent: Submission) -> dict[str, Any]:
    """Return the values that the form shows again."""
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
