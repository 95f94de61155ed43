"""The base of all viewsets of the API.

A viewset of an area is five tables and short actions::

    class PlayerViewSet(ListModelMixin, RetrieveModelMixin, ApiViewSet):
        '''Players of a club.'''

        queryset = Player.objects.all()
        serializer_class = PlayerSerializer
        filterset_class = PlayerFilter
        inputs = {"create": NewPlayerSerializer}
        rights = {"list": Right.CLUB_READ, "create": Right.PLAYERS_EDIT}

        @idempotent
        def create(self, request: ApiRequest, club_id: UUID) -> Response:
            '''Add a player.'''
            player = members.add_player(club_id=club_id, ..., by=request.by, at=request.at)
            return self.answer(player, location=f"{request.path}/{player.pk}")

What the base promises:

- An asker who may not know of a place gets 404, as for a missing one; an asker who may see it but
  lacks the right gets 403, or 401 if anonymous. Rights are checked before the body is read.
  ``request.rights`` are all rights in this place.
- Unexpected input is refused: unknown keys, wrong types, a body or parameters where none are
  expected.
- Service functions refuse with the errors of `tournaments.core.errors`, each with its code; views
  with `ProblemError` and a code of `tournaments.api.exceptions.KINDS`.
"""

import hashlib
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, ClassVar, cast

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.cache import get_conditional_response
from rest_framework.pagination import BasePagination
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, Serializer
from rest_framework.viewsets import GenericViewSet

from tournaments import selectors
from tournaments.access import rights as access
from tournaments.access.rights import Asker, Place, Right
from tournaments.access.visibility import EventPlace, LeaguePlace, event_place, league_place
from tournaments.api.exceptions import ProblemError
from tournaments.api.files import FileOutput, RefusalPage
from tournaments.api.filters import (
    PAGE_PARAMETERS,
    SignedCursorPagination,
    StrictFilterBackend,
    check_parameters,
)
from tournaments.api.idempotency import OneTimeResponse, etag
from tournaments.api.openapi import ApiSchema
from tournaments.api.parsers import (
    BrowsableAPIRenderer,
    JSONRenderer,
    StrictJSONParser,
    check_length,
)
from tournaments.api.permissions import (
    AskerThrottle,
    HasRight,
    IsSignedIn,
    KeyAuthentication,
    SessionAuthentication,
    asker_of,
)
from tournaments.api.serializers import StrictSerializer
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.models import Account, Club, Event, League

PRIVATE = "private, no-store"


class ApiRequest(Request):
    """A request with who asks, when and where, and all rights there.

    ``if_match`` is the version that an editor saw.
    """

    asker: Asker
    at: datetime
    place: Place = Place(None)
    rights: frozenset[Right] = frozenset()
    if_match: int = 0

    @property
    def by(self) -> Actor:
        """The actor to pass to service functions."""
        return self.asker.actor

    @property
    def django_request(self) -> HttpRequest:
        """Django's own request, with its session."""
        return self._request

    @property
    def club(self) -> Club:
        """The club that the URL names."""
        assert self.place.club is not None
        return self.place.club

    @property
    def sees_hidden(self) -> bool:
        """Whether the asker may know of what the club hides from strangers."""
        return access.sees_hidden(self.asker, self.place)


class ApiViewSet(GenericViewSet[Any]):
    """The base of all viewsets; its tables are read by the views and by the OpenAPI document.

    ``rights``: the right that each action needs in the place of the URL; None lets everybody in.
    ``inputs``: the serializer that reads the body of an action. ``parameters``: the one that reads
    what stands in the URL of an action that is no list. ``outputs``: the response, where it is not
    that of ``serializer_class``: another serializer, a TypedDict, ``list[...]`` for pages of one,
    a `FileOutput` for a file, None for nothing (204). ``statuses``: of a success, where they are
    not 201 for "create" and 200 for all others. ``version_field``: what the ETag of one object is.
    ``upload_bytes_max``: how long a file may be that is sent as the body.
    ``ordering``: names whose values are unique together, with blanks between them.
    """

    authentication_classes = [KeyAuthentication, SessionAuthentication]
    permission_classes = [HasRight]
    throttle_classes = [AskerThrottle]
    parser_classes = [StrictJSONParser]
    pagination_class: type[BasePagination] | None = SignedCursorPagination
    filter_backends = [StrictFilterBackend]
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    schema = ApiSchema()

    rights: ClassVar[Mapping[str, Right | None]] = {}
    inputs: ClassVar[Mapping[str, type[StrictSerializer]]] = {}
    parameters: ClassVar[Mapping[str, type[StrictSerializer]]] = {}
    outputs: ClassVar[Mapping[str, Any]] = {}
    statuses: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    version_field: ClassVar[str] = ""
    ordering: ClassVar[str] = "pk"
    upload_bytes_max: ClassVar[int] = 0

    request: ApiRequest
    body: Mapping[str, Any]
    validated_data: dict[str, Any]

    # The place

    def get_place(self) -> Place:
        """Return the place that the URL names. One query."""
        if "club_id" not in self.kwargs:
            return Place(None)
        return Place(Club.objects.filter(pk=self.kwargs["club_id"]).first())

    # Before the action

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> ApiRequest:
        plain = super().initialize_request(request, *args, **kwargs)
        api_request = ApiRequest(
            request,
            parsers=plain.parsers,
            authenticators=self.get_authenticators(),
            negotiator=plain.negotiator,
            parser_context=plain.parser_context,
        )
        api_request.at = timezone.now()
        return api_request

    def get_renderers(self) -> list[Any]:
        """Offer JSON, and the browsable API to signed-in people; or the file of the action.

        Who asks for a file with a browser is told on a page why there is none.
        """
        output, headers = self.get_output(), self.request.headers
        accepts_html = "text/html" in headers.get("Accept", "")
        if isinstance(output, FileOutput):
            usual = output.get_renderers()
            is_browser = accepts_html and "Authorization" not in headers
            return [*usual, RefusalPage()] if is_browser else usual
        usual = [JSONRenderer()]
        try:
            is_signed_in = accepts_html and isinstance(self.request.user, Account)
        except (RefusedError, ProblemError):  # invalid credentials are answered in JSON
            is_signed_in = False
        return [*usual, BrowsableAPIRenderer()] if is_signed_in else usual

    def perform_authentication(self, request: Request) -> None:
        """Authenticate and throttle, before any right is checked."""
        cast("ApiRequest", request).asker = asker_of(request)
        super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """Nothing: requests that are denied count as well (`perform_authentication`)."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.query_params:
            check_parameters(request, self.get_parameter_names())
        if request.method not in SAFE_METHODS:
            if request.stream is None:  # no parser sees a body of this length
                check_length(request)
            self.body = self.get_body()

    def get_parameter_names(self) -> tuple[str, ...]:
        """Return the names that may stand in the URL after its question mark."""
        if self.is_paged:
            filterset_class = getattr(self, "filterset_class", None)
            filters = filterset_class.base_filters if filterset_class else ()
            return (*filters, *PAGE_PARAMETERS)
        serializer_class = self.parameters.get(self.action)
        return tuple(serializer_class().fields) if serializer_class else ()

    @property
    def is_paged(self) -> bool:
        """Whether this action gives pages of a list, which may be filtered."""
        return self.action == "list" and self.paginator is not None

    # What was sent

    def get_body(self) -> Mapping[str, Any]:
        """Return the body, or the digest of a file. Raises ProblemError."""
        request = self.request
        data: Any = request.data
        if isinstance(data, bytes):
            return {"file": hashlib.sha256(data).hexdigest()} if data else {}
        if self.action in self.inputs and request.stream is None:
            raise ProblemError("OBJECT_EXPECTED", "The body is empty.")
        if self.action not in self.inputs and data:
            raise ProblemError("BODY", "Nothing is read from a body here.")
        found: Mapping[str, Any] = data
        return found

    def read_body(self) -> dict[str, Any]:
        """Return what the body holds, validated. Raises ValidationError."""
        serializer_class = self.inputs.get(self.action)
        if serializer_class is None:
            return {}
        return serializer_class.read(self.body, partial=self.action == "partial_update")

    def read_parameters(self) -> dict[str, Any]:
        """Return what stands in the URL after its question mark. Raises ValidationError."""
        return self.parameters[self.action].read_text(self.request.query_params.dict())

    # What is answered

    def answer(
        self, row: Any, *, location: str = "", secrets: Mapping[str, str] | None = None
    ) -> Response:
        """Return the response with one object and its ETag, or 304 if the asker knows it.

        ``secrets`` are members that are shown this once: a repeated request gets null.
        """
        headers = {"Location": location} if location else {}
        if self.version_field:
            headers["ETag"] = etag(getattr(row, self.version_field))
            if self.is_known(headers["ETag"]):
                return Response(status=304, headers=headers)
        data, status = self.represent(row), self.get_statuses()[0]
        if secrets:
            return OneTimeResponse(data, secrets, status=status, headers=headers)
        return Response(data, status, headers=headers)

    def answer_document(self, data: Mapping[str, Any], tag: str) -> Response:
        """Return computed data with its ETag, or 304 if the asker has what it names."""
        headers = {"ETag": tag}
        if self.is_known(tag):
            return Response(status=304, headers=headers)
        return Response(data, headers=headers)

    def is_known(self, tag: str) -> bool:
        """Whether If-None-Match names this tag."""
        if self.request.method not in SAFE_METHODS:
            return False
        response = get_conditional_response(self.request.django_request, etag=tag)
        return getattr(response, "status_code", 0) == 304

    def answer_page(self, rows: QuerySet[Any], render: Callable[[Any], Any]) -> Response:
        """Return one page of rows, each rendered by a function instead of a serializer."""
        page = self.paginate_queryset(self.filter_queryset(rows))
        assert page is not None
        return self.get_paginated_response([render(row) for row in page])

    def read_page(self, rows: QuerySet[Any]) -> tuple[list[Any], str | None]:
        """Return one page of rows and the address of the next, where the response has more."""
        page, paginator = self.paginate_queryset(rows), self.paginator
        assert page is not None
        assert isinstance(paginator, SignedCursorPagination)
        return list(page), paginator.get_next_link()

    def represent(self, row: Any) -> Any:
        """Return an object as data, as the output of this action shows it."""
        output = self.get_output()
        assert output is not None
        assert issubclass(output, BaseSerializer)
        return output(row, context=self.get_serializer_context()).data

    def get_output(self) -> Any:
        """Return the serializer class or TypedDict of this action's response, None for none."""
        return self.outputs.get(self.action, self.serializer_class)

    def get_serializer_class(self) -> type[BaseSerializer[Any]]:
        output = self.get_output()
        if isinstance(output, type) and issubclass(output, BaseSerializer):
            return output
        return self.inputs.get(self.action, Serializer)  # a TypedDict: only bodies have fields

    def get_statuses(self) -> tuple[int, ...]:
        """Return the statuses of a success, the usual one first."""
        usual = 204 if self.get_output() is None else 201 if self.action == "create" else 200
        return self.statuses.get(self.action, (usual,))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        found = super().finalize_response(request, response, *args, **kwargs)
        if getattr(found, "exception", False) and found.accepted_renderer.format != "json":
            found.content_type = None  # a problem as a page
        return found

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Add ``Cache-Control``: responses depend on the asker."""
        return {**super().default_response_headers, "Cache-Control": PRIVATE}

    def describe_access(self) -> str:
        """Return who may do this, for the OpenAPI document."""
        right = self.rights.get(self.action)
        if right is not None:
            return str(right)
        changes = HasRight in self.permission_classes and self.request.method not in SAFE_METHODS
        return "signed in" if changes or IsSignedIn in self.permission_classes else "anybody"


class EventViewSetBase(ApiViewSet):
    """The base of viewsets whose URL names an event."""

    def get_place(self) -> Place:
        return event_place(selectors.event(self.kwargs["event_id"]))

    @property
    def event(self) -> Event:
        """The event that the URL names."""
        assert isinstance(self.request.place, EventPlace)
        assert self.request.place.event is not None
        return self.request.place.event


class LeagueViewSetBase(ApiViewSet):
    """The base of viewsets whose URL names a league."""

    def get_place(self) -> Place:
        return league_place(self.kwargs["league_id"])

    @property
    def league(self) -> League:
        """The league that the URL names."""
        assert isinstance(self.request.place, LeaguePlace)
        assert self.request.place.league is not None
        return self.request.place.league


class RetrieveModelMixin:
    """One object with its ETag."""

    def retrieve(self, request: ApiRequest, **_ids: Any) -> Response:
        """Show one object."""
        view = cast("ApiViewSet", self)
        return view.answer(view.get_object())
