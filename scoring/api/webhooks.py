"""Webhooks of a club: added, changed, stopped; what they were told, and what they are sent."""

from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.plumbing import resolve_type_hint
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, OpenApiWebhook, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from scoring.models import Delivery, Webhook
from scoring.selectors import queries
from scoring.webhooks import messages, subscriptions
from scoring.webhooks.subscriptions import WebhookEvent
from tournaments.access.rights import Place, Right
from tournaments.api.filters import ChoiceFilter, FilterSet, MomentFilter
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.parsers import JSON_TYPE
from tournaments.api.serializers import CharField, ChoiceField, ListField, StrictModelSerializer
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.models.limits import max_length

EVENTS = [str(event) for event in WebhookEvent]


class WebhookSerializer(StrictModelSerializer):
    """A webhook; ``secret`` signs what is sent, and is shown once, then null."""

    events = ListField(child=CharField())
    secret = serializers.SerializerMethodField()

    class Meta:
        model = Webhook
        fields = ["id", "url", "events", "version", "created_at", "stopped_at", "secret"]

    def get_secret(self, _webhook: Webhook) -> str | None:
        """Return None: the response that shows the secret adds it."""
        return None


@example(
    {"url": "https://club.example/painsuit", "events": ["hand.entered", "standings.published"]}
)
class NewWebhookSerializer(StrictModelSerializer):
    """A webhook that is added, or what may be changed of it."""

    url = CharField(
        max_length=max_length(Webhook, "url"),
        help_text="An https address that the whole internet can reach, or one on a host that the "
        "operator allows.",
    )
    events = ListField(child=ChoiceField(choices=EVENTS), min_length=1, max_length=len(EVENTS))

    class Meta:
        model = Webhook
        fields = ["url", "events"]


class DeliverySerializer(StrictModelSerializer):
    """One message to a webhook; ``due_at`` is the next try, if there is to be one."""

    class Meta:
        model = Delivery
        fields = ["id", "event", "tries", "due_at", "done_at", "last_answer", "created_at"]


class WebhookFilter(FilterSet):
    """Filters of the list of webhooks."""

    stopped = MomentFilter("stopped_at", help_text="Only stopped ones, or only the others.")


class ClubWebhookViewSet(ListModelMixin, ApiViewSet):
    """List webhooks, stopped ones too."""

    queryset = Webhook.objects.all()
    serializer_class = WebhookSerializer
    filterset_class = WebhookFilter
    version_field = "version"
    inputs = {"create": NewWebhookSerializer}
    rights = {"list": Right.WEBHOOKS_EDIT, "create": Right.WEBHOOKS_EDIT}

    def get_queryset(self) -> QuerySet[Webhook]:
        return subscriptions.webhooks(self.request.club.pk)

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Add a webhook; its secret is shown this once."""
        webhook = subscriptions.add_webhook(
            club_id=club_id, by=request.by, at=request.at, **self.validated_data
        )
        return self.answer(webhook, secrets={"secret": webhook.secret})


class WebhookViewSetBase(ApiViewSet):
    """The base of viewsets whose URL names a webhook."""

    def get_place(self) -> Place:
        webhook = queries.webhook(self.kwargs["webhook_id"])
        return Place(None if webhook is None else webhook.club)


class WebhookViewSet(WebhookViewSetBase):
    """One webhook."""

    queryset = Webhook.objects.all()
    serializer_class = WebhookSerializer
    lookup_url_kwarg = "webhook_id"
    lookup_value_converter = "uuid"
    version_field = "version"
    inputs = {"partial_update": NewWebhookSerializer}
    outputs = {"test": DeliverySerializer}
    statuses = {"secret": (201,), "test": (201,)}
    rights = {
        "partial_update": Right.WEBHOOKS_EDIT,
        "destroy": Right.WEBHOOKS_EDIT,
        "secret": Right.WEBHOOKS_EDIT,
        "test": Right.WEBHOOKS_EDIT,
    }

    @idempotent(if_match=True)
    def partial_update(self, request: ApiRequest, webhook_id: UUID) -> Response:
        """Change the address or the events."""
        webhook = subscriptions.edit_webhook(
            webhook_id=webhook_id,
            changes=self.validated_data,
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(webhook)

    @idempotent(if_match=True)
    def destroy(self, request: ApiRequest, webhook_id: UUID) -> Response:
        """Stop a webhook, for ever."""
        webhook = subscriptions.stop_webhook(
            webhook_id=webhook_id, version=request.if_match, by=request.by, at=request.at
        )
        return self.answer(webhook)

    @action(detail=True, methods=["post"])
    @idempotent
    def secret(self, request: ApiRequest, webhook_id: UUID) -> Response:
        """Make another secret; from now on only that one signs."""
        webhook = subscriptions.renew_secret(webhook_id=webhook_id, by=request.by, at=request.at)
        return self.answer(webhook, secrets={"secret": webhook.secret})

    @action(detail=True, methods=["post"])
    @idempotent
    def test(self, request: ApiRequest, webhook_id: UUID) -> Response:
        """Send a test message; the list of its messages tells what came of it."""
        row = subscriptions.send_test(webhook_id=webhook_id, by=request.by, at=request.at)
        return Response(self.represent(row), 201)


class DeliveryFilter(FilterSet):
    """Filters of the list of messages."""

    event = ChoiceFilter(choices=[(event, event) for event in (*EVENTS, subscriptions.TEST)])
    done = MomentFilter("done_at", help_text="Only those that were taken, or only the others.")


class WebhookDeliveryViewSet(ListModelMixin, WebhookViewSetBase):
    """List what a webhook was told, or still is to be, in order of happening."""

    queryset = Delivery.objects.all()
    serializer_class = DeliverySerializer
    filterset_class = DeliveryFilter
    rights = {"list": Right.WEBHOOKS_EDIT}

    def get_queryset(self) -> QuerySet[Delivery]:
        return subscriptions.deliveries(self.kwargs["webhook_id"])


class DeliveryViewSet(ApiViewSet):
    """A message that was given up."""

    queryset = Delivery.objects.all()
    serializer_class = DeliverySerializer
    lookup_url_kwarg = "delivery_id"
    lookup_value_converter = "uuid"
    rights = {"again": Right.WEBHOOKS_EDIT}

    def get_place(self) -> Place:
        delivery = queries.delivery(self.kwargs["delivery_id"])
        return Place(None if delivery is None else delivery.webhook.club)

    @action(detail=True, methods=["post"])
    @idempotent
    def again(self, request: ApiRequest, delivery_id: UUID) -> Response:
        """Try a message once more."""
        row = subscriptions.send_again(delivery_id=delivery_id, by=request.by, at=request.at)
        return self.answer(row)


_CLUB: Final = "0199a7c2-1111-7000-8000-000000000001"
_ID: Final = "0199a7c2-2222-7000-8000-000000000002"
_GAME: Final = {"id": _ID, "version": 3, "phase": "open", "hands": 1, "booked": 1}
_HAND: Final = {
    "id": "0199a7c2-3333-7000-8000-000000000003",
    "number": 1,
    "version": 1,
    "state": "accepted",
    "certainty": "provisional",
}
_EVENT: Final = {"id": _ID, "version": 9, "status": "finished"}
_ROUND: Final = {"number": 2, "stage": "playing"}
_STANDINGS: Final = {
    "of": "event",
    "id": _ID,
    "version": 7,
    "official": None,
    "digest": "3f0c9a6be1d24788" * 4,
}
_TAKEN: Final = OpenApiResponse(
    description="It was taken: any status from 200 to 299 within 5 seconds. Any other, or none, and"
    " the message comes again, for a day."
)
_HEADERS: Final = {
    "Webhook-Id": "The message; the same in every try.",
    "Idempotency-Key": "The same as Webhook-Id.",
    "Webhook-Timestamp": "Seconds since 1970 of this try.",
    "Webhook-Signature": "v1, and in base64 the HMAC-SHA256 of id.timestamp.body under the secret.",
}


def _describe(kind: str, shape: type, type_: str, data: dict[str, Any]) -> OpenApiWebhook:
    value = {
        "type": type_,
        "timestamp": "2026-11-20T19:31:00Z",
        "data": {"club": _CLUB, **data},
    }
    return OpenApiWebhook(
        kind,
        extend_schema(
            summary=f"Messages of the types {kind}.*",
            description=shape.__doc__,
            request={JSON_TYPE: resolve_type_hint(shape)},  # type: ignore[no-untyped-call]
            responses={200: _TAKEN},
            examples=[OpenApiExample(type_, value=value)],
        ),
    )


HAND: Final = _describe(
    "hand", messages.HandMessage, "hand.entered", {"game": _GAME, "hand": _HAND}
)
GAME: Final = _describe("game", messages.GameMessage, "game.changed", {"game": _GAME})
ROUND: Final = _describe(
    "round",
    messages.RoundMessage,
    "round.started",
    {"event": {**_EVENT, "status": "running"}, "round": _ROUND},
)
TABLE: Final = _describe(
    "table",
    messages.TableMessage,
    "table.adjourned",
    {
        "event": {**_EVENT, "status": "running"},
        "round": _ROUND,
        "table": {"number": 3, "finish_on": "2026-12-03"},
    },
)
EVENT: Final = _describe("event", messages.EventMessage, "event.finished", {"event": _EVENT})
STANDINGS: Final = _describe(
    "standings", messages.StandingsMessage, "standings.published", {"standings": _STANDINGS}
)
TEST: Final = _describe("webhook", messages.TestMessage, "webhook.test", {"webhook": {"id": _ID}})


def add_headers(result: Any, **_generator: object) -> Any:
    """Say which headers messages have, for which drf-spectacular has no place; a hook."""
    for item in result["webhooks"].values():
        item["post"]["parameters"] = [
            {
                "name": name,
                "in": "header",
                "required": True,
                "description": words,
                "schema": {"type": "string"},
            }
            for name, words in _HEADERS.items()
        ]
    return result
