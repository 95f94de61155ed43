"""Doors: read the request, let in who may come, call one use case, answer.

`read` and `write` make a door of a method and describe it for OpenAPI at the same time. What they
promise is written in the docstring of `tournaments.api`.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from functools import partial, wraps
from typing import Any, Final

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework.permissions import BasePermission
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from tournaments.access.rights import Asker, Place, Right, admit, sees_hidden
from tournaments.api.authentication import KeyAuthentication, SessionAuthentication, asker_of
from tournaments.api.bodies import JSON_TYPE, body_of, media_type, object_of, upload_of
from tournaments.api.describing import Described, describe
from tournaments.api.fields import Form
from tournaments.api.pages import TURNING, page_of, paged
from tournaments.api.problems import ProblemError
from tournaments.api.repeating import once, question_of, recalled, told
from tournaments.api.throttles import AskerThrottle
from tournaments.api.versions import etag, stale, version_seen
from tournaments.core.actors import Actor
from tournaments.core.errors import NotSignedInError, StaleError
from tournaments.core.language import translate
from tournaments.idempotency import StoredResponse
from tournaments.models import Club

PRIVATE: Final = "private, no-store"
_NOTHING: Final = Form()


class Anyone(Enum):
    """Who may come in where it is not a matter of a right in a club."""

    ANYBODY = "anybody"
    SIGNED_IN = "signed in"


Who = Right | Anyone


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request as a door sees it: who asks for what, where and when.

    ``query`` and ``values`` are what stands in the address and in the body, read strictly;
    ``upload`` is a file that came as the body;
    ``version`` is the one that an editor saw; ``rights`` all that he may do in this place.
    """

    asker: Asker
    at: datetime
    path: str
    place: Place | None = None
    rights: frozenset[Right] = frozenset()
    query: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    upload: bytes = b""
    version: int = 0
    request: Request

    @property
    def by(self) -> Actor:
        """Whom use cases are told of."""
        return self.asker.actor

    @property
    def club(self) -> Club:
        """The club that the address names."""
        assert self.place is not None
        assert self.place.club is not None
        return self.place.club

    @property
    def sees_hidden(self) -> bool:
        """Whether he may know of what the club hides from strangers."""
        return self.place is not None and sees_hidden(self.asker, self.place)

    @property
    def filters(self) -> dict[str, Any]:
        """What stands in the address of a list, but for turning its pages."""
        return {name: value for name, value in self.query.items() if name not in TURNING}

    def page(self, rows: Any, render: Callable[[Any], Any], key: str = "pk") -> "Answer":
        """Answer with one page of rows, in ascending order of ``key``."""
        return Answer(page_of(rows, render, path=self.path, query=self.query, key=key))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a door answers; ``version`` becomes the ETag, ``location`` where a new thing is.

    ``once`` are secrets: members that are shown this once and stand nowhere; whoever repeats the
    request finds null in their place. ``status`` is for a door that has more than one. ``file`` is
    sent as it is, in place of data.
    """

    data: Any = None
    version: int | None = None
    location: str | None = None
    once: Mapping[str, str] = field(default_factory=dict)
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    file: HttpResponseBase | None = None


class OnlyDoors(BasePermission):
    """Lets a request through to what `read` or `write` made, which asks who comes in."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        method = (request.method or "").lower()
        handler = getattr(view, method, None) if method in view.http_method_names else None
        return handler is None or hasattr(handler, "door")


class Door(APIView):
    """Doors at one address. A kind of place other than a club overrides ``find``."""

    authentication_classes = [KeyAuthentication, SessionAuthentication]
    permission_classes = [OnlyDoors]
    throttle_classes = [AskerThrottle]
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        """The place that the address names; None where it names none. One query."""
        if "club_id" not in ids:
            return None
        return Place(Club.objects.filter(pk=ids["club_id"]).first())

    @property
    def default_response_headers(self) -> dict[str, str]:
        """What an answer says as long as nothing else is said: it is for this asker alone."""
        return {**super().default_response_headers, "Cache-Control": PRIVATE}


Handler = Callable[..., Answer]


def _knows_nothing(_ask: Ask) -> Answer | None:
    return None


def read(
    who: Who, *, gives: type, query: Form = _NOTHING, pages: bool = False
) -> Callable[[Handler], Any]:
    """A door that only looks; ``pages``: it gives a list of ``gives``, a page at a time."""
    words = paged(query) if pages else query

    def make(handler: Handler) -> Any:
        @wraps(handler)
        def door(view: Door, request: Request, **ids: Any) -> HttpResponseBase:
            ask = _come_in(view, request, who, ids, words)
            answer = handler(view, ask, **ids)
            if answer.file is not None:
                return answer.file
            if answer.version is not None and _knows(request, answer.version):
                return _response(StoredResponse(304, b"", {"ETag": etag(answer.version)}))
            return _response(_kept(answer, 200))

        said = Described(who=who.value, gives=gives, query=words, pages=pages)
        return _made(door, handler, said)

    return make


def write(
    who: Who,
    *,
    takes: Form | None = None,
    gives: type | None = None,
    edits: bool = False,
    status: int | tuple[int, ...] = 200,
    upload: int = 0,
    query: Form = _NOTHING,
    knows: Callable[[Ask], Answer | None] = _knows_nothing,
) -> Callable[[Handler], Any]:
    """A door that changes something, once for each Idempotency-Key, in one transaction.

    ``edits``: an If-Match must say which version was seen. ``upload``: the body is a file of at
    most so many bytes, and what else is to be said stands in the address (``query``). ``status``:
    of the answer; more than one where the handler chooses, the first being the rule. ``knows``
    gives the answer where nothing is left to be written, as of one moment of the database.
    """
    statuses = status if isinstance(status, tuple) else (status,)

    def make(handler: Handler) -> Any:
        @wraps(handler)
        def door(view: Door, request: Request, **ids: Any) -> HttpResponse:
            asker = asker_of(request)
            if asker.is_visitor:
                raise NotSignedInError
            sent, body = _upload(request, upload) if upload else (b"", _body(request, takes))
            version = version_seen(request.META.get("HTTP_IF_MATCH")) if edits else 0
            question = question_of(request, asker, body)
            answered = recalled(question)
            # An answer without content tells nothing: who gave his own role back may hear it again.
            if answered is not None and not answered.body:
                return _response(answered)
            ask = _come_in(view, request, who, ids, query)
            if answered is not None:
                return _response(answered)
            club = ask.place.club if ask.place is not None else None
            question = replace(question, club=None if club is None else club.pk)
            values = takes.read(body, "") if takes else {}
            ask = replace(ask, values=values, version=version, upload=sent)
            known = knows(ask)
            if known is not None:
                return _response(told(question, _kept(known, statuses[0]), at=ask.at))
            say = partial(handler, view, ask, **ids)
            work = partial(_worked, say, statuses[0], yours=version, sent=body)
            return _response(once(question, work, at=ask.at))

        said = Described(
            who=who.value,
            gives=gives,
            takes=takes,
            edits=edits,
            statuses=statuses,
            writes=True,
            uploads=bool(upload),
            query=query,
        )
        return _made(door, handler, said)

    return make


def _come_in(
    view: Door, request: Request, who: Who, ids: Mapping[str, Any], query: Form = _NOTHING
) -> Ask:
    """Let the asker in, or not; the address must be one that is understood."""
    asker = asker_of(request)
    place = view.find(ids)
    rights: frozenset[Right] = frozenset()
    if isinstance(who, Right):
        assert place is not None, "a right is one in a place"
        rights = admit(asker, place, who)
    elif who is Anyone.SIGNED_IN and asker.is_visitor:
        raise NotSignedInError
    pairs = {str(key): [str(text) for text in texts] for key, texts in request.GET.lists()}
    return Ask(
        asker=asker,
        at=timezone.now(),
        path=request.path,
        place=place,
        rights=rights,
        query=query.of_query(pairs),
        request=request,
    )


def _body(request: Request, takes: Form | None) -> Mapping[str, Any]:
    plain = request._request  # noqa: SLF001 (the body as it came)
    if takes is not None:
        if media_type(plain) != JSON_TYPE:
            raise ProblemError("MEDIA_TYPE", "Only JSON is read here.", hint=JSON_TYPE)
        return object_of(plain)
    if body_of(plain).strip() not in (b"", b"{}"):
        raise ProblemError("BODY", "Nothing is read from a body here.")
    return {}


def _upload(request: Request, most: int) -> tuple[bytes, Mapping[str, Any]]:
    """The file that was sent, and what stands for it where requests are compared."""
    sent = upload_of(request._request, most)  # noqa: SLF001 (the body as it came)
    return sent, {"file": hashlib.sha256(sent).hexdigest()} if sent else {}


def _knows(request: Request, version: int) -> bool:
    return str(request.META.get("HTTP_IF_NONE_MATCH", "")).strip() == etag(version)


def _worked(
    say: Callable[[], Answer], status: int, *, yours: int, sent: Mapping[str, Any]
) -> tuple[StoredResponse, StoredResponse]:
    """What a handler says as it is sent, and as it is kept: without what is shown only once."""
    try:
        answer = say()
    except StaleError as error:
        raise stale(error, yours=yours, sent=sent) from error
    shown = _kept(answer, status)
    return shown, _kept(answer, status, shows_secrets=False) if answer.once else shown


def _kept(answer: Answer, status: int, *, shows_secrets: bool = True) -> StoredResponse:
    headers = dict(answer.headers)
    if answer.version is not None:
        headers["ETag"] = etag(answer.version)
    if answer.location is not None:
        headers["Location"] = answer.location
    data = answer.data
    if answer.once:
        data = {**data, **(answer.once if shows_secrets else dict.fromkeys(answer.once))}
    body = b"" if data is None else JSONRenderer().render(translate(data))
    return StoredResponse(answer.status or status, body, headers)


def _response(answer: StoredResponse) -> HttpResponse:
    body = answer.body
    response = HttpResponse(body, status=answer.status, headers=dict(answer.headers))
    if answer.body:
        response["Content-Type"] = JSON_TYPE
    else:
        del response["Content-Type"]
    return response


def _made(door: Callable[..., HttpResponseBase], handler: Handler, said: Described) -> Any:
    door.door = said  # type: ignore[attr-defined]
    return describe(door, handler, said)
