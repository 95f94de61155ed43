"""The check endpoint, open to everybody, and the page that lists all problem codes."""

from collections.abc import Mapping
from typing import IO, Any, Final

from django.core.validators import ProhibitNullCharactersValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import parse_header_parameters
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.permissions import AllowAny
from rest_framework.response import Response

from engine.notation import Mode
from engine.notation.foreign_files import describe_foreign
from engine.rules.rules import RulesError
from engine.verdicts.judge import latest_date
from scoring.presentation import checks
from tournaments.api.exceptions import KINDS, ProblemError
from tournaments.api.files import BYTES_TYPE
from tournaments.api.openapi import BINARY, example
from tournaments.api.parsers import StrictJSONParser, read_bytes, read_charset
from tournaments.api.permissions import AddressThrottle
from tournaments.api.serializers import CharField, ChoiceField, StrictSerializer
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.tables.formats import RECORDS_TYPE

ENCODINGS = {"iso-8859-1": "latin-1", "latin-1": "latin-1", "windows-1252": "cp1252"}
MODES = [str(mode) for mode in Mode]


class TextParser(BaseParser):
    """A text to judge: its bytes, or decoded where its header says another encoding than UTF-8."""

    media_type = "text/plain"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        assert parser_context is not None
        encoding = ENCODINGS.get(read_charset(media_type, *ENCODINGS))
        body = read_bytes(stream, parser_context["request"])
        if encoding is None:
            return body  # the reader of the notation finds out what they are
        try:
            return body.decode(encoding)
        except UnicodeDecodeError as error:
            words = f"Not {encoding} at byte {error.start}."
            raise ProblemError("ENCODING", words, where={"byte": error.start}) from error


class RecordParser(TextParser):
    """The same, which calls itself a record."""

    media_type = RECORDS_TYPE


class BytesParser(TextParser):
    """The same, which calls itself bytes, as programs do that are generated."""

    media_type = BYTES_TYPE


class TextField(CharField):
    """A text with any characters: what is wrong with them is part of the answer."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(raw=True, allow_blank=True, **kwargs)
        self.validators = [
            validator
            for validator in self.validators
            if not isinstance(validator, ProhibitNullCharactersValidator)
        ]


class CheckParametersSerializer(StrictSerializer):
    """How a text is judged that is sent as it is."""

    rules = CharField(
        raw=True,
        required=False,
        allow_null=True,
        allow_blank=True,
        help_text="Overrules what the records say, as in a Rules tag.",
    )
    mode = ChoiceField(required=False, allow_null=True, allow_blank=True, choices=MODES)


EXAMPLE: Final = '[Event "Club night"]\n[Variant "insurance"]\n'


@example({"text": EXAMPLE})
class CheckSerializer(CheckParametersSerializer):
    """A text, and how it is judged."""

    text = TextField(help_text="One record or many, in PHN or PBN.")


class CheckThrottle(AddressThrottle):
    """Counts checks by address."""

    scope = "check"


class CheckViewSet(ApiViewSet):
    """Judges a text: the same answer as the page and the command line."""

    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = [CheckThrottle]
    parser_classes = [StrictJSONParser, TextParser, RecordParser, BytesParser]
    inputs = {"check": CheckSerializer}
    parameters = {"check": CheckParametersSerializer}
    outputs = {"check": checks.Report}
    rights = {"check": None}

    @property
    def is_text(self) -> bool:
        """Whether the text comes as it is, and not as a member of an object."""
        kind, _parameters = parse_header_parameters(self.request.content_type)
        return kind in (RECORDS_TYPE, BYTES_TYPE, TextParser.media_type)

    def get_parameter_names(self) -> tuple[str, ...]:
        return super().get_parameter_names() if self.is_text else ()

    def get_body(self) -> Mapping[str, Any]:
        if self.is_text:
            return {"text": self.request.data if self.request.stream else ""}
        return super().get_body()

    @extend_schema(
        operation_id="check",
        request={
            "application/json": CheckSerializer,
            BYTES_TYPE: BINARY,
        },
        parameters=[
            OpenApiParameter("rules", str, description="For a text that is sent as it is."),
            OpenApiParameter("mode", str, enum=MODES, description="As rules."),
        ],
        examples=[
            OpenApiExample(
                "A line of a record",
                value=EXAMPLE,
                request_only=True,
                media_type=BYTES_TYPE,
            )
        ],
    )
    def check(self, request: ApiRequest) -> Response:
        """Check a record.

        Replays, judges and settles every record of a text. What is wrong with a record is part of
        the answer, never an error: the status is 200 with diagnostics. A text may also be sent as
        it is, as text/plain, application/x-phn or application/octet-stream, with rules and mode in
        the address.
        """
        wanted = {**self.body, **self.read_parameters()} if self.is_text else self.read_body()
        text = wanted["text"]
        if not text.strip():
            raise ProblemError("EMPTY", "Nothing to read yet.", where={"key": "text"})
        if foreign := describe_foreign(text, takes_bridge=True):
            raise ProblemError("NOT_TEXT", foreign, where={"key": "text"})
        try:
            report = checks.check(
                text,
                rules=wanted.get("rules") or "",
                mode=wanted.get("mode") or "",
                today=latest_date(request.at),
            )
        except RulesError as error:
            code = "RULESET_UNKNOWN" if error.switch in ("preset", "variant") else "RULES"
            where = {"key": "rules", "switch": error.switch[:60]}
            raise ProblemError(code, str(error)[:500], where=where) from error
        except checks.TooManyRecordsError as error:
            raise ProblemError("TOO_LONG", str(error), hint="Send them in parts.") from error
        return Response(report)


def problems(request: HttpRequest) -> HttpResponse:
    """What every code means, for people."""
    return render(request, "problems.html", {"kinds": KINDS.items()})
