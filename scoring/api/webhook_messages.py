"""The messages to webhooks in the OpenAPI document (its ``webhooks``)."""

from typing import Any, Final

from drf_spectacular.plumbing import resolve_type_hint
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiResponse,
    OpenApiWebhook,
    extend_schema,
)

from scoring.webhooks import messages
from tournaments.api.parsers import JSON_TYPE

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
