"""Replies of members to an invitation: whether they come to an event, and whether enough do.

Each member has a secret link for one event, which takes their reply until the event begins and
opens nothing else (DEC-19). Of its token only a digest is stored; it is made of a nonce with the
key of the installation, so that the desk can show it again and replace it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.crypto import salted_hmac

from engine.core.messages import Message
from tournaments import selectors
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.events.events import lock, lock_with_club, note
from tournaments.events.schedule import cancel_event
from tournaments.models import (
    Club,
    Entry,
    Event,
    EventReply,
    Player,
    PlayerKind,
    Presence,
    Quorum,
    Reply,
    Status,
)
from tournaments.models.limits import REASON_MAX
from tournaments.people.api_keys import digest_of
from tournaments.people.bars import barred_players
from tournaments.people.player_devices import player_actor

KEPT_FOR: Final = timedelta(days=30)
"""How long replies stay after their event was to begin."""
ASKED_AGAIN_AFTER: Final = timedelta(hours=20)
"""Somebody without a reply is not asked again by e-mail before."""
QUORUM_MAX: Final = 1000
_TOKEN_LENGTH: Final = 32
"""128 bits in hexadecimal: a code to scan stays coarse."""


def reply_token(row: EventReply) -> str:
    """Return the token of the link of a reply."""
    return _make_token(row.nonce)


def _make_token(nonce: UUID) -> str:
    made = salted_hmac("a reply to an event", str(nonce), algorithm="sha256").hexdigest()
    return made[:_TOKEN_LENGTH]


def find_reply(token: str) -> EventReply:
    """Return the reply that a link opens, with player, person, event and club. One query.

    Raises NotThereError for an unknown or replaced link, and where its owner is no member of the
    club any more; GoneError for an event that is called off or over.
    """
    if len(token) != _TOKEN_LENGTH or not token.isascii():
        raise NotThereError
    rows = _of_members().select_related("player__person", "event__club", "event__rule_set")
    row = rows.filter(digest=digest_of(token)).first()
    if row is None:
        raise NotThereError
    if row.event.status == Status.CANCELLED:
        words = Message("This night is called off: “{why}”", why=row.event.cancel_reason)
        raise GoneError(words)
    if row.event.status not in (Status.PLANNED, Status.RUNNING):
        raise GoneError(Message("This event is over."))
    return row


def is_open(event: Event, at: datetime) -> bool:
    """Whether links still take replies: the event has not begun and is not called off."""
    return event.status == Status.PLANNED and not event.is_results_only and at < event.starts_at


@transaction.atomic
def make_reply_links(*, event_id: UUID, by: Actor, at: datetime) -> int:
    """Make a link for every member of the club who has none; how many were made.

    Raises RefusedError for an event that takes no replies.
    """
    event = lock_with_club(event_id)
    _check_open(event, at)
    members = find_members(event.club).exclude(replies__event=event)
    made = [
        EventReply(event=event, player=player, made_at=at) for player in members.order_by("number")
    ]
    for row in made:
        row.digest = digest_of(reply_token(row))
    if made:
        EventReply.objects.bulk_create(made)
        note(event, AuditRecord(Message("reply links made"), details={"count": len(made)}), by, at)
    return len(made)


@transaction.atomic
def renew_reply_link(*, event_id: UUID, player_id: UUID, by: Actor, at: datetime) -> None:
    """Replace the link of a member; the earlier one stops working, their reply stays.

    Raises NotThereError.
    """
    event = lock(event_id)
    nonce = uuid4()
    changes = {"nonce": nonce, "digest": digest_of(_make_token(nonce)), "made_at": at}
    rows = _of_members().filter(event=event, player=player_id)
    if not rows.update(**changes, due_at=None, asked_at=None):
        raise NotThereError
    details = {"player": player_id}
    note(event, AuditRecord(Message("reply link replaced"), details=details), by, at)


@transaction.atomic
def give_reply(*, row: EventReply, reply: Reply, at: datetime) -> None:
    """Say by a link whether its owner comes; a later reply replaces it.

    Raises NotThereError where the link was replaced meanwhile, and RefusedError once the event has
    begun or is called off, or for somebody who is barred that day.
    """
    event = lock(row.event_id)
    _check_open(event, at)
    if reply != Reply.NOT and row.player_id in barred_players(event.club, event.starts_at):
        raise RefusedError(Message("Please speak to the director about this night."), "reply")
    rows = _of_members().filter(pk=row.pk, nonce=row.nonce)
    _write_reply(rows, event, row.player_id, reply, player_actor(row.player), at)


@transaction.atomic
def note_reply(*, event_id: UUID, player_id: UUID, reply: Reply, by: Actor, at: datetime) -> None:
    """Write down what a member said by word of mouth. Raises NotThereError and RefusedError."""
    event = lock(event_id)
    _check_open(event, at)
    rows = _of_members().filter(event=event, player=player_id)
    _write_reply(rows, event, player_id, reply, by, at)


def _write_reply(
    rows: QuerySet[EventReply],
    event: Event,
    player_id: UUID,
    reply: Reply,
    by: Actor,
    at: datetime,
) -> None:
    if not rows.update(reply=reply, replied_at=at, due_at=None):
        raise NotThereError
    details = {"player": player_id, "reply": reply}
    note(event, AuditRecord(Message("reply given"), details=details), by, at)


@transaction.atomic
def ask_by_mail(*, event_id: UUID, site: str, language: str, by: Actor, at: datetime) -> int:
    """Have the links sent to members without a reply who get mail; to how many. See `find_asked`.

    ``site`` is the address of the pages, ``language`` that of the message. Raises RefusedError.
    """
    event = lock(event_id)
    _check_open(event, at)
    rows = find_asked(event, at)
    count = EventReply.objects.filter(pk__in=rows.values("pk")).update(
        asked_at=at, due_at=at, attempts=0, site=site, language=language
    )
    if count:
        note(event, AuditRecord(Message("replies asked for"), details={"count": count}), by, at)
    return count


def find_asked(event: Event, at: datetime) -> QuerySet[EventReply]:
    """The members who are asked by e-mail: no reply yet, and not asked lately.

    They agreed to mails of the club, and confirmed their address (`result_consent`).
    """
    rows = _of_members().filter(
        Q(asked_at=None) | Q(asked_at__lte=at - ASKED_AGAIN_AFTER), event=event, reply=""
    )
    people = rows.filter(
        player__person__gets_results=True,
        player__person__email=F("player__person__confirmed_email"),
    )
    return people.exclude(player__person__email="")


def find_members(club: Club) -> QuerySet[Player]:
    """The members of a club who are asked whether they come."""
    rows = selectors.players(club, left=False).filter(kind=PlayerKind.MEMBER)
    return rows.exclude(person=None)


def _of_members() -> QuerySet[EventReply]:
    """Replies of those who are members of their club, and were not erased."""
    return EventReply.objects.filter(
        player__kind=PlayerKind.MEMBER,
        player__left_at=None,
        player__merged_into=None,
        player__removed_at=None,
        player__person__isnull=False,
    )


def list_replies(event: Event) -> QuerySet[EventReply]:
    """The replies of an event with their players, also of those who did not say anything."""
    rows = _of_members().filter(event=event).select_related("player__person")
    return rows.order_by("player__person__sought", "player__number")


def list_coming(event: Event, *, perhaps: bool = False) -> list[UUID]:
    """The players who said that they come, and who are entered and did not say otherwise.

    Those who said ``perhaps`` too, if so wanted. Two queries.
    """
    replies = dict(_of_members().filter(event=event).values_list("player", "reply"))
    entries = Entry.objects.filter(event=event, presence__in=(Presence.EXPECTED, Presence.HERE))
    players = entries.values_list("player", "player__merged_into")
    entered = [into or player for player, into in players]
    counted = {Reply.COMES, Reply.PERHAPS} if perhaps else {Reply.COMES}
    coming = dict.fromkeys(who for who, reply in replies.items() if reply in counted)
    return [*(coming | dict.fromkeys(who for who in entered if replies.get(who) != Reply.NOT))]


@transaction.atomic
def set_quorum(
    *,
    event_id: UUID,
    least: int,
    until: datetime,
    cancel_reason: str = "",
    by: Actor,
    at: datetime,
) -> None:
    """Say how many are needed by when; with a reason, the event is called off by itself then.

    Raises RefusedError naming the field.
    """
    event = lock(event_id)
    _check_open(event, at)
    if not 1 <= least <= QUORUM_MAX:
        raise RefusedError(Message("Between 1 and {most}.", most=f"{QUORUM_MAX:,}"), "least")
    if not at < until < event.starts_at:
        raise RefusedError(Message("A time between now and the beginning of the night."), "until")
    Quorum.objects.update_or_create(
        event=event,
        defaults={
            "least": least,
            "until": until,
            "cancel_reason": cancel_reason[:REASON_MAX],
            "due_at": until if cancel_reason else None,
            "attempts": 0,
        },
    )
    details = {"least": least, "until": until.isoformat(), "automatic": bool(cancel_reason)}
    note(event, AuditRecord(Message("least number of players set"), details=details), by, at)


@transaction.atomic
def drop_quorum(*, event_id: UUID, by: Actor, at: datetime) -> None:
    """Let the event take place however many come. Idempotent."""
    event = lock(event_id)
    if Quorum.objects.filter(event=event).delete()[0]:
        note(event, AuditRecord(Message("least number of players withdrawn")), by, at)


@dataclass(frozen=True, slots=True)
class Shortage:
    """An event to which too few come, and the time until which enough were to reply is over."""

    quorum: Quorum
    coming: int


def find_shortages(events: Sequence[Event], at: datetime) -> Mapping[UUID, Shortage]:
    """Return by their ids the events to which too few come; those that have begun are left out.

    One query, and two for each whose time is over.
    """
    rows = Quorum.objects.filter(
        event__in=events, event__status=Status.PLANNED, event__starts_at__gt=at, until__lte=at
    )
    counted = [Shortage(row, len(list_coming(row.event))) for row in rows.select_related("event")]
    return {one.quorum.pk: one for one in counted if one.coming < one.quorum.least}


def call_off_if_short(*, event_id: UUID, clock: Callable[[], datetime]) -> None:
    """Call off an event whose quorum is due, if too few come.

    Only the desk's word before made it due (`set_quorum`).
    """
    quorum = Quorum.objects.claim(event_id, clock())
    if quorum is None:
        return
    with transaction.atomic():
        event, at = lock(event_id), clock()
        if not quorum.update_leased(due_at=None):
            return
        if not find_shortages([event], at):
            return
        by = Actor(ActorKind.SYSTEM, Source.COMMAND)
        # Somebody may play already; then it takes place.
        with suppress(RefusedError):
            cancel_event(event_id=event_id, why=quorum.cancel_reason, version=None, by=by, at=at)


def delete_old(*, at: datetime) -> int:
    """Delete replies to events that were to begin long ago (`KEPT_FOR`); how many there were."""
    return EventReply.objects.filter(event__starts_at__lte=at - KEPT_FOR).delete()[0]


def _check_open(event: Event, at: datetime) -> None:
    """Raise RefusedError for an event that takes no replies: what happened, and what to do."""
    if event.status == Status.CANCELLED:
        words = Message("This night is called off: “{why}”", why=event.cancel_reason)
        raise RefusedError(words, "status")
    if event.is_results_only:
        raise RefusedError(Message("In this night nothing is played."), "status")
    if event.status != Status.PLANNED or at >= event.starts_at:
        words = Message("This night has begun. Whoever comes now, speaks to the director.")
        raise RefusedError(words, "status")
