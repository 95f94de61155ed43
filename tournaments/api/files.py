"""Files as answers: the media types that an action may answer, and the answer in one of them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, StreamingHttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAcceptable
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from tournaments.access.rights import Right
from tournaments.api.parsers import JSONRenderer
from tournaments.models import Account

BYTES_TYPE: Final = "application/octet-stream"
"""Every file is also answered to a program that only says that it takes bytes."""
PDF_TYPE: Final = "application/pdf"
_NO_WEIGHT: Final = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FileOutput:
    """The output of an action that answers a file: its media types, without parameters.

    >>> FileOutput.of("text/csv; charset=utf-8", "text/csv; charset=utf-8").media_types
    ('text/csv',)
    """

    media_types: tuple[str, ...]

    @classmethod
    def of(cls, *media_types: str) -> "FileOutput":
        """Return the output with each of these types once, in their order."""
        return cls(tuple(dict.fromkeys(kind.partition(";")[0] for kind in media_types)))

    def get_renderers(self) -> list[JSONRenderer]:
        """Return a renderer for each type that a client may ask for.

        Bytes come first where it may be any of several: a program that is generated from the
        description reads all of them as the first kind that it knows.
        """
        is_any = len(self.media_types) > 1
        types = (BYTES_TYPE, *self.media_types) if is_any else (*self.media_types, BYTES_TYPE)
        return [FileRenderer(kind) for kind in dict.fromkeys(types)]


class FileRenderer(JSONRenderer):
    """Stands for a file in content negotiation; what it renders are problems instead of it."""

    def __init__(self, media_type: str) -> None:
        self.media_type = media_type

    def get_indent(self, accepted_media_type: Any, renderer_context: Any) -> None:
        return None


class RefusalPage(BaseRenderer):
    """Tells who follows a link to a file with a browser why there is none."""

    media_type, format, charset = "text/html", "html", "utf-8"

    def render(
        self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None
    ) -> str:
        if not data:  # the file is as the browser has it
            return ""
        request, status = renderer_context["request"], data["status"]
        event_id = renderer_context["kwargs"].get("event_id")
        titles = {
            401: _("You have no access to this file"),
            403: _("You have no access to this file"),
            404: _("File not found"),
            429: _("Too many requests"),
        }
        context = {
            "title": titles.get(status) or _("This file cannot be made"),
            "words": data["detail"],
            "at_desk": isinstance(request.user, Account),
            "event_at_desk": reverse("desk-event", args=[event_id]) if event_id else "",
            "can_open_event": Right.EVENTS_EDIT in request.rights,
            "offers_sign_in": status in (401, 403, 404),
        }
        return render_to_string("error.html", context, request.django_request)


def choose_media_type(request: HttpRequest, media_type: str) -> str:
    """Return the Content-Type for a file of this type. Raises NotAcceptable.

    A program that accepts bytes alone is told that it gets bytes.
    """
    bare = media_type.partition(";")[0]
    if request.accepts(bare):
        return media_type
    if request.accepts(BYTES_TYPE):
        return BYTES_TYPE
    raise NotAcceptable(available_renderers=[FileRenderer(bare), FileRenderer(BYTES_TYPE)])


def accepts_gzip(request: HttpRequest | Request) -> bool:
    """Whether a client takes what is packed by gzip: with the weight 0 it says that it doesn't."""
    return any(
        coding.strip().lower() == "gzip" and not _NO_WEIGHT.fullmatch(weight)
        for coding, _, weight in (
            part.partition(";") for part in request.headers.get("Accept-Encoding", "").split(",")
        )
    )


def download(
    request: HttpRequest, pieces: Iterable[bytes], name: str, media_type: str
) -> StreamingHttpResponse:
    """Return a file that a browser saves under a name, sent piece by piece.

    Raises NotAcceptable for a client that does not take its type.
    """
    file = StreamingHttpResponse(pieces, content_type=choose_media_type(request, media_type))
    file["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    return file
