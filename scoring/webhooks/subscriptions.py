"""Webhook subscriptions: which events a club's programs want, and enqueueing messages.

What is told (docs/webhooks.md) is written down in the transaction of what happened, so neither can
be without the other; `scoring.webhooks.queue` takes it there afterwards.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet

from engine.core.messages import Message, message_of
from scoring.models import Certainty, Delivery, Game, Hand, State, Webhook
from scoring.models.states import dumps
from scoring.webhooks import queue
from scoring.webhooks.addresses import UrlError, parse_url
from scoring.webhooks.client import make_secret
from scoring.webhooks.messages import (
    EventData,
    GameData,
    HandData,
    HandMark,
    RoundData,
    StandingsData,
    TableData,
    WebhookData,
)
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError, StaleError
from tournaments.database.sql import uuid_parameter
from tournaments.models import Club, Round, Table
from tournaments.models import Event as Night
from tournaments.publishing import Issue

TEST: Final = "webhook.test"
"""The type of a message that somebody sends to see whether it comes; nobody subscribes to it."""
WEBHOOKS_MAX: Final = 10
"""How many a club may have at once."""


class WebhookEvent(StrEnum):
    """Kinds of messages of a webhook."""

    HAND_ENTERED = "hand.entered"
    HAND_CONFIRMED = "hand.confirmed"
    HAND_DISPUTED = "hand.disputed"
    """It waits for the director: illegal, objected to, or told in two ways."""
    HAND_RULED = "hand.ruled"
    HAND_APPEALED = "hand.appealed"
    HAND_CORRECTED = "hand.corrected"
    HAND_RESETTLED = "hand.resettled"
    """It came out otherwise because of a hand before it."""
    GAME_OPENED = "game.opened"
    GAME_CHANGED = "game.changed"
    GAME_CLOSED = "game.closed"
    GAME_REOPENED = "game.reopened"
    GAME_OFFICIAL = "game.official"
    ROUND_STARTED = "round.started"
    ROUND_CLOSED = "round.closed"
    TABLE_ADJOURNED = "table.adjourned"
    """Its game is finished another day, or on another day than was told before."""
    TABLE_RESUMED = "table.resumed"
    """It plays on in its round after all."""
    EVENT_FINISHED = "event.finished"
    EVENT_OFFICIAL = "event.official"
    EVENT_REOPENED = "event.reopened"
    EVENT_CANCELLED = "event.cancelled"
    EVENT_REINSTATED = "event.reinstated"
    EVENT_MOVED = "event.moved"
    EVENT_REMOVED = "event.removed"
    STANDINGS_PUBLISHED = "standings.published"
    STANDINGS_AMENDMENT = "standings.amendment"
    """A later correction would amend an official table; the director has to decide."""
    STANDINGS_AMENDED = "standings.amended"


_EVENTS: Final = frozenset(map(str, WebhookEvent))

EVENTS_BY_ACTION: Final[Mapping[str, WebhookEvent | None]] = {
    "hand entered": WebhookEvent.HAND_ENTERED,
    "second record": None,  # it confirms or disputes the first one: what the hand then is
    "hand confirmed": WebhookEvent.HAND_CONFIRMED,
    "hand objected to": WebhookEvent.HAND_DISPUTED,
    "ruling": WebhookEvent.HAND_RULED,
    "appeal": WebhookEvent.HAND_APPEALED,
    "director called": WebhookEvent.HAND_DISPUTED,
    "hand corrected": WebhookEvent.HAND_CORRECTED,
    "hand taken back": WebhookEvent.HAND_CORRECTED,
    "hand settled by the table": None,  # the confirmation or the correction that it brought
    "record chosen": WebhookEvent.HAND_CORRECTED,
    "game opened": WebhookEvent.GAME_OPENED,
    "game changed": WebhookEvent.GAME_CHANGED,
    "seat taken": WebhookEvent.GAME_CHANGED,
    "seats permuted": WebhookEvent.GAME_CHANGED,
    "game placed": WebhookEvent.GAME_CHANGED,
    "game taken out": WebhookEvent.GAME_CHANGED,
    "game closed": WebhookEvent.GAME_CLOSED,
    "game reopened": WebhookEvent.GAME_REOPENED,
    "game official": WebhookEvent.GAME_OFFICIAL,
    "table adjourned": WebhookEvent.TABLE_ADJOURNED,
    "table plays on": WebhookEvent.TABLE_RESUMED,
    "table ended": None,  # the closing of its games is told
}
"""The event of each action in a game's audit trail; a test holds that none is missing."""


@transaction.atomic
def add_webhook(
    *, club_id: UUID, url: str, events: Sequence[str], by: Actor, at: datetime
) -> Webhook:
    """Let an address be told of some events; the secret is shown this once. Raises RefusedError."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if webhooks(club.pk).filter(stopped_at=None).count() >= WEBHOOKS_MAX:
        raise RefusedError(
            Message("A club has at most {most} webhooks; stop one first.", most=WEBHOOKS_MAX)
        )
    webhook = Webhook.objects.create(
        club=club, url=_url(url), events=_events(events), secret=make_secret(), created_at=at
    )
    _note(webhook, Message("webhook added"), by, at)
    return webhook


@transaction.atomic
def edit_webhook(
    *, webhook_id: UUID, changes: Mapping[str, Any], version: int, by: Actor, at: datetime
) -> Webhook:
    """Change the address or the events of a webhook. Raises StaleError and RefusedError."""
    webhook = _lock(webhook_id)
    _check_version(webhook, version)
    if "url" in changes:
        webhook.url = _url(changes["url"])
        webhook.failures, webhook.quiet_until = 0, None
    if "events" in changes:
        webhook.events = _events(changes["events"])
    _touch(webhook)
    _note(webhook, Message("webhook changed"), by, at)
    return webhook


def _check_version(webhook: Webhook, version: int) -> None:
    if webhook.version != version:
        current = {"url": webhook.url, "events": webhook.events}
        raise StaleError(
            Message("The webhook has been changed in the meantime."), webhook.version, current
        )


@transaction.atomic
def renew_secret(*, webhook_id: UUID, by: Actor, at: datetime) -> Webhook:
    """Give a webhook another secret; from now on only that one signs. Raises RefusedError."""
    webhook = _lock(webhook_id)
    webhook.secret = make_secret()
    _touch(webhook)
    _note(webhook, Message("webhook secret renewed"), by, at)
    return webhook


@transaction.atomic
def stop_webhook(*, webhook_id: UUID, version: int, by: Actor, at: datetime) -> Webhook:
    """Tell an address nothing more, not even what waits for it. Raises RefusedError, StaleError."""
    webhook = _lock(webhook_id)
    _check_version(webhook, version)
    webhook.stopped_at = at
    webhook.secret = ""
    _touch(webhook)
    waiting = Delivery.objects.filter(webhook=webhook, due_at__isnull=False)
    waiting.update(due_at=None, last_answer="The webhook was stopped.")
    _note(webhook, Message("webhook stopped"), by, at)
    return webhook


@transaction.atomic
def send_again(*, delivery_id: UUID, by: Actor, at: datetime) -> Delivery:
    """Try a message once more that was given up. Raises RefusedError."""
    delivery = Delivery.objects.select_related("webhook").get(pk=delivery_id)
    _note(_lock(delivery.webhook_id), Message("message sent again"), by, at)
    again = Delivery.objects.filter(pk=delivery_id, due_at=None, done_at=None)
    if not again.update(due_at=at, attempts=0):
        raise RefusedError(Message("It was taken, or is still being tried."), "delivery")
    delivery.refresh_from_db()
    return delivery


@transaction.atomic
def send_all_again(*, webhook_id: UUID, by: Actor, at: datetime) -> Webhook:
    """Try everything at once that a webhook did not take: what waits, and what was given up.

    Raises RefusedError.
    """
    webhook = _lock(webhook_id)
    _note(webhook, Message("message sent again"), by, at)
    given_up = queue.given_up().filter(webhook=webhook, created_at__gt=at - queue.KEPT)
    given_up.update(due_at=at, attempts=0)
    Delivery.objects.filter(webhook=webhook, attempts=0, due_at__gt=at).update(due_at=at)
    Webhook.objects.filter(pk=webhook_id).update(quiet_until=None)
    return webhook


@transaction.atomic
def send_test(*, webhook_id: UUID, by: Actor, at: datetime) -> Delivery:
    """Send a message that tells of nothing, at once, even while the webhook rests.

    Raises RefusedError.
    """
    webhook = _lock(webhook_id)
    _note(webhook, Message("test message sent"), by, at)
    Webhook.objects.filter(pk=webhook_id).update(quiet_until=None)
    data: WebhookData = {"club": str(webhook.club_id), "webhook": {"id": str(webhook.pk)}}
    body = _body(TEST, data, at)
    return Delivery.objects.create(webhook=webhook, event=TEST, body=body, due_at=at, created_at=at)


def webhooks(club_id: UUID) -> QuerySet[Webhook]:
    """The webhooks of a club, the first one first."""
    return Webhook.objects.filter(club_id=club_id).order_by("id")


def deliveries(webhook_id: UUID) -> QuerySet[Delivery]:
    """Return the messages sent to a webhook, or still to be sent, the newest first."""
    return Delivery.objects.filter(webhook_id=webhook_id).order_by("-id")


def _lock(webhook_id: UUID) -> Webhook:
    """Lock the club of a webhook, as its trail asks, and see the webhook as it is now."""
    club_id = Webhook.objects.only("club_id").get(pk=webhook_id).club_id
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    webhook = Webhook.objects.get(pk=webhook_id)
    if webhook.stopped_at is not None:
        raise RefusedError(Message("The webhook was stopped; add another one."), "webhook")
    return webhook


def _touch(webhook: Webhook) -> None:
    webhook.version += 1
    webhook.save()


def _note(webhook: Webhook, what: Message, by: Actor, at: datetime) -> None:
    details = {"webhook": webhook.pk, "events": webhook.events}
    club = webhook.club_id
    audit.note(AuditRecord(what, details=details), chain=club, club=club, by=by, at=at)


def _url(url: object) -> str:
    try:
        parse_url(str(url), hosts=settings.WEBHOOK_HOSTS)
    except UrlError as error:
        raise RefusedError(message_of(error), "url") from error
    return str(url)


def _events(names: Sequence[str]) -> list[str]:
    unknown = [str(name)[:40] for name in names if name not in _EVENTS]
    if unknown:
        known = ", ".join(WebhookEvent)
        raise RefusedError(
            Message(
                "There is no event {name}; there are {known}.",
                name=repr(unknown[0]),
                known=known,
            ),
            "events",
        )
    if not names:
        raise RefusedError(Message("Choose which events are to be reported."), "events")
    return [event for event in WebhookEvent if event in names]


def enqueue_event(
    *, club_id: UUID, event: WebhookEvent, data: Mapping[str, Any], at: datetime
) -> None:
    """Enqueue an event for each webhook of a club, in the transaction of the change itself.

    ``data`` are identifiers, versions and numbers, never names. One query where nobody listens.
    """
    enqueue_events(club_id=club_id, event=event, data=[data], at=at)


def has_webhooks(club_id: UUID) -> bool:
    """``Webhook.objects.filter(club=club_id, stopped_at=None).exists()``."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM scoring_webhook WHERE club_id = %s AND stopped_at IS NULL LIMIT 1",
            [uuid_parameter(club_id)],
        )
        return cursor.fetchone() is not None


def enqueue_events(
    *, club_id: UUID, event: WebhookEvent, data: Iterable[Mapping[str, Any]], at: datetime
) -> None:
    """Enqueue one message for each item of ``data``. One query if the club has no webhooks."""
    if not has_webhooks(club_id):
        return
    hooks = [hook for hook in webhooks(club_id).filter(stopped_at=None) if event in hook.events]
    made = [
        Delivery(webhook=hook, event=str(event), body=body, due_at=at, created_at=at)
        for body in ([_body(event, one, at) for one in data] if hooks else ())
        for hook in hooks
    ]
    if made:
        Delivery.objects.bulk_create(made)


def _body(event: str, data: Mapping[str, Any], at: datetime) -> str:
    moment = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return dumps({"type": str(event), "timestamp": moment, "data": data})


def enqueue_game_event(
    game: Game, action: AuditRecord, *, hand: Hand | None = None, at: datetime
) -> None:
    """Enqueue the events for an audited change of a game, or of ``hand`` in its current state."""
    data = _game_data(game) if hand is None else _hand_data(game, hand)
    for event in _events_of(action, hand):
        enqueue_event(club_id=game.club_id, event=event, data=data, at=at)


def enqueue_game_events(
    actions: Mapping[Game, AuditRecord], *, club_id: UUID, at: datetime
) -> None:
    """Enqueue the events for audited changes of games of one club. One query if nobody listens."""
    found: dict[WebhookEvent, list[GameData]] = {}
    for game, action in actions.items():
        for event in _events_of(action, None):
            found.setdefault(event, []).append(_game_data(game))
    for event, data in found.items():
        enqueue_events(club_id=club_id, event=event, data=data, at=at)


def enqueue_resettled_hands(game: Game, hands: Sequence[Hand], *, at: datetime) -> None:
    """Enqueue an event for each hand whose result changed because of an earlier hand."""
    if hands:
        data = (_hand_data(game, hand) for hand in hands)
        enqueue_events(club_id=game.club_id, event=WebhookEvent.HAND_RESETTLED, data=data, at=at)


def enqueue_night_event(
    night: Night,
    event: WebhookEvent,
    *,
    round_: Round | None = None,
    table: Table | None = None,
    at: datetime,
) -> None:
    """Enqueue a change of an event, of one of its rounds, or of a table that was read with it."""
    data: EventData = {
        "club": str(night.club_id),
        "event": {"id": str(night.pk), "version": night.version, "status": str(night.status)},
    }
    round_ = round_ if table is None else table.round
    if round_ is not None:
        of_round: RoundData = {
            **data,
            "round": {"number": round_.number, "stage": str(round_.stage)},
        }
        data = of_round
        if table is not None:
            day = None if table.finish_on is None else table.finish_on.isoformat()
            of_table: TableData = {**of_round, "table": {"number": table.number, "finish_on": day}}
            data = of_table
    enqueue_event(club_id=night.club_id, event=event, data=data, at=at)


def enqueue_published_standings(issue: Issue, at: datetime) -> None:
    """Enqueue the publication of a new version of standings, and what it is to the official one."""
    data: StandingsData = {
        "club": str(issue.club),
        "standings": {
            "of": issue.scope,
            "id": str(issue.subject),
            "version": issue.version,
            "official": issue.official,
            "digest": issue.digest,
        },
    }
    enqueue_event(club_id=issue.club, event=WebhookEvent.STANDINGS_PUBLISHED, data=data, at=at)
    if issue.is_pending:
        enqueue_event(club_id=issue.club, event=WebhookEvent.STANDINGS_AMENDMENT, data=data, at=at)
    if issue.amends is not None:
        enqueue_event(club_id=issue.club, event=WebhookEvent.STANDINGS_AMENDED, data=data, at=at)


def _game_data(game: Game) -> GameData:
    return {
        "club": str(game.club_id),
        "game": {
            "id": str(game.pk),
            "version": game.version,
            "phase": str(game.phase),
            "hands": game.hands,
            "booked": game.booked,
        },
    }


def _hand_data(game: Game, hand: Hand) -> HandData:
    mark: HandMark = {
        "id": str(hand.pk),
        "number": hand.number,
        "version": hand.current,
        "state": str(hand.state),
        "certainty": str(hand.certainty),
    }
    return {**_game_data(game), "hand": mark}


def _events_of(action: AuditRecord, hand: Hand | None) -> Iterator[WebhookEvent]:
    event = EVENTS_BY_ACTION.get(action.what)
    if hand is None:
        if event is not None and event.startswith("game."):
            yield event
        return
    if event is not None:
        yield event
    if event is not WebhookEvent.HAND_DISPUTED and hand.state == State.DISPUTED:
        yield WebhookEvent.HAND_DISPUTED
    if event is None and hand.certainty == Certainty.CONFIRMED:
        yield WebhookEvent.HAND_CONFIRMED
