"""Webhooks of a club: added, changed, stopped; what they were told."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from scoring.models import Delivery, Webhook
from scoring.selectors import queries
from scoring.webhooks import subscriptions
from scoring.webhooks.subscriptions import WebhookEvent
from tournaments.access.rights import Place, Right
from tournaments.api.doors import Answer, Ask, Door, read, write
from tournaments.api.fields import ListOf, OneOf, Text, changes, form

EVENTS = tuple(str(event) for event in WebhookEvent)
WEBHOOK = form(
    url=Text(most=500, words="An https address that the whole internet can reach."),
    events=ListOf(of=OneOf(of=EVENTS), least=1, most=len(EVENTS)),
)


class WebhookOut(TypedDict):
    """A webhook; ``secret`` signs what is sent, and is shown once, then null."""

    id: UUID
    url: str
    events: list[str]
    version: int
    created_at: datetime
    stopped_at: datetime | None
    secret: str | None


class DeliveryOut(TypedDict):
    """One message to a webhook; ``due_at`` is the next try, if there is to be one."""

    id: UUID
    event: str
    tries: int
    due_at: datetime | None
    done_at: datetime | None
    last_answer: str
    created_at: datetime


class Webhooks(Door):
    """The webhooks of a club."""

    @read(Right.WEBHOOKS_EDIT, gives=WebhookOut, pages=True)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List webhooks, stopped ones too."""
        return ask.page(subscriptions.webhooks(club_id), _out)

    @write(Right.WEBHOOKS_EDIT, takes=WEBHOOK, gives=WebhookOut, status=201)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Add a webhook; its secret is shown this once."""
        made = subscriptions.add_webhook(club_id=club_id, by=ask.by, at=ask.at, **ask.values)
        return Answer(
            _out(made.webhook), version=made.webhook.version, once={"secret": made.secret}
        )


class WebhookPlace(Door):
    """Doors at a webhook."""

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        found = queries.webhook(ids["webhook_id"])
        return Place(None if found is None else found.club)


class OneWebhook(WebhookPlace):
    """One webhook."""

    @write(Right.WEBHOOKS_EDIT, takes=changes(WEBHOOK), gives=WebhookOut, edits=True)
    def patch(self, ask: Ask, webhook_id: UUID) -> Answer:
        """Change the address or the events."""
        found = subscriptions.edit_webhook(
            webhook_id=webhook_id,
            changes=ask.values,
            version=ask.version,
            by=ask.by,
            at=ask.at,
        )
        return Answer(_out(found), version=found.version)

    @write(Right.WEBHOOKS_EDIT, gives=WebhookOut)
    def delete(self, ask: Ask, webhook_id: UUID) -> Answer:
        """Stop a webhook, for ever."""
        found = subscriptions.stop_webhook(webhook_id=webhook_id, by=ask.by, at=ask.at)
        return Answer(_out(found), version=found.version)


class Secret(WebhookPlace):
    """The secret of a webhook."""

    @write(Right.WEBHOOKS_EDIT, gives=WebhookOut, status=201)
    def post(self, ask: Ask, webhook_id: UUID) -> Answer:
        """Make another secret; from now on only that one signs."""
        made = subscriptions.renew_secret(webhook_id=webhook_id, by=ask.by, at=ask.at)
        return Answer(
            _out(made.webhook), version=made.webhook.version, once={"secret": made.secret}
        )


class Deliveries(WebhookPlace):
    """What a webhook was told."""

    @read(Right.WEBHOOKS_EDIT, gives=DeliveryOut, pages=True)
    def get(self, ask: Ask, webhook_id: UUID) -> Answer:
        """List what was told, or still is to be, in order of happening."""
        return ask.page(subscriptions.deliveries(webhook_id), _delivery)


class Again(Door):
    """A message that was given up."""

    def find(self, ids: Mapping[str, Any]) -> Place | None:
        found = queries.delivery(ids["delivery_id"])
        return Place(None if found is None else found.webhook.club)

    @write(Right.WEBHOOKS_EDIT, gives=DeliveryOut)
    def post(self, ask: Ask, delivery_id: UUID) -> Answer:
        """Try a message once more."""
        return Answer(
            _delivery(subscriptions.send_again(delivery_id=delivery_id, by=ask.by, at=ask.at))
        )


def _out(webhook: Webhook) -> WebhookOut:
    return {
        "id": webhook.pk,
        "url": webhook.url,
        "events": list(webhook.events),
        "version": webhook.version,
        "created_at": webhook.created_at,
        "stopped_at": webhook.stopped_at,
        "secret": None,
    }


def _delivery(row: Delivery) -> DeliveryOut:
    return {
        "id": row.pk,
        "event": row.event,
        "tries": row.tries,
        "due_at": row.due_at,
        "done_at": row.done_at,
        "last_answer": row.last_answer,
        "created_at": row.created_at,
    }
