"""The check endpoint and the page that lists all problem codes."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.judge import latest_date
from engine.notation.encoding import is_not_text
from engine.rules.rules import RulesError
from scoring.api.asking import MODES, question_of
from scoring.presentation import checks
from tournaments.api.problems import KINDS, MEDIA_TYPE, ProblemError
from tournaments.api.schema import reference
from tournaments.api.throttles import AddressThrottle

ASKED = {
    "type": "object",
    "required": ["text"],
    "additionalProperties": False,
    "properties": {
        "text": {"type": "string", "description": "One record or many, in PHN or PBN."},
        "rules": {
            "type": ["string", "null"],
            "description": "Overrules what the records say, as in a Rules tag.",
            "examples": ["auction-bicycle/1;min-bid=2"],
        },
        "mode": {"enum": [*MODES, None], "default": "lenient"},
    },
}
PROBLEM = {"$ref": "#/components/schemas/Problem"}
REFUSALS = {
    (status, MEDIA_TYPE): OpenApiResponse(PROBLEM, description=words)
    for status, words in {
        400: "The request cannot be read: JSON, OBJECT_EXPECTED, KEY_TWICE, KEY_UNKNOWN, ...",
        405: "METHOD: not possible here.",
        406: "NOT_ACCEPTABLE: only JSON is written.",
        411: "LENGTH_REQUIRED: a body in chunks is not read.",
        413: "TOO_LONG: more than 1 MiB, or more than 2,000 records.",
        415: "MEDIA_TYPE: a kind of body or a character set that is not read.",
        429: "THROTTLED: too many requests; Retry-After says how long to wait.",
        503: "BUSY: try again after Retry-After.",
        507: "DISK_FULL: the disk is full; nothing was changed.",
    }.items()
}


class CheckThrottle(AddressThrottle):
    """Counts checks by address."""

    scope = "check"


class Check(APIView):
    """Judges a text: the same answer as the page and the command line."""

    permission_classes = [AllowAny]
    throttle_classes = [CheckThrottle]

    @extend_schema(
        operation_id="check",
        summary="Check a record",
        description=(
            "Replays, judges and settles every record of a text. What is wrong with a record "
            "is part of the answer, never an error: the status is 200 with diagnostics. A text "
            "may also be sent as it is, as text/plain or application/x-phn, with rules and "
            "mode in the address."
        ),
        request={
            "application/json": ASKED,
            "text/plain": {"type": "string"},
            "application/x-phn": {"type": "string"},
        },
        parameters=[
            OpenApiParameter("rules", str, description="For a text that is sent as it is."),
            OpenApiParameter("mode", str, enum=MODES, description="As rules."),
        ],
        responses={
            200: OpenApiResponse(reference(checks.Report), description="The answer."),
            **REFUSALS,
        },
        examples=[
            OpenApiExample(
                "A line of a record",
                value={"text": '[Event "Club night"]\n[Variant "insurance"]\n'},
                request_only=True,
                media_type="application/json",
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Answer one question."""
        asked = question_of(request._request)  # noqa: SLF001 (the body as it came)
        if not asked.text.strip():
            raise ProblemError("EMPTY", "Nothing to read yet.", where={"key": "text"})
        if is_not_text(asked.text):
            raise ProblemError("NOT_TEXT", checks.NOT_TEXT, where={"key": "text"})
        today = latest_date(timezone.now())
        try:
            return Response(
                checks.check(asked.text, rules=asked.rules, mode=asked.mode, today=today)
            )
        except RulesError as error:
            raise _bad_rules(error) from error
        except checks.TooManyRecordsError as error:
            raise ProblemError("TOO_LONG", str(error), hint="Send them in parts.") from error


def _bad_rules(error: RulesError) -> ProblemError:
    code = "RULESET_UNKNOWN" if error.switch in ("preset", "variant") else "RULES"
    where: dict[str, Any] = {"key": "rules", "switch": error.switch[:60]}
    return ProblemError(code, str(error)[:500], where=where)


def problems(request: HttpRequest) -> HttpResponse:
    """What every code means, for people."""
    return render(request, "problems.html", {"kinds": KINDS.items()})
