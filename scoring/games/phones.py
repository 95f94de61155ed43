"""Phones that follow their player from table to table of one event.

Somebody at a table says with a phone who they are; the proof is the link of that table. From then
on the phone gets a link at each table where its player sits, for their seat alone, until the night
is over, the director ends it, or another phone says that it is this player's.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from engine.core.seats import Seat
from scoring.games.links import (
    LETTERS_MAX,
    PHONE_ENDED,
    SEEN_EVERY,
    NewSeatLink,
    digest_token,
    is_open,
    make_links,
    token_of,
)
from scoring.games.opening import lock_with_club
from scoring.games.table_codes import current_round, is_over
from scoring.models import Game, PlayerPhone, SeatLink, Sitting
from scoring.settlement.plan import lock
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.ids import LONGEST_LIFE
from tournaments.database.name_order import order_by_name
from tournaments.events import events
from tournaments.models import Event, SignInMethod, Stage
from tournaments.people import player_devices
from tournaments.people.player_devices import SignedInDevice, TablePhone

_BYTES: Final = 24
PHONES_MAX: Final = 30
"""How many phones a player can have had in one event."""


@dataclass(frozen=True, slots=True)
class NewPhone:
    """A phone that follows its player, its token, and the link of the seat where they sit now.

    The token is shown this once.
    """

    phone: PlayerPhone
    token: str
    link: NewSeatLink


@transaction.atomic
def follow_player(*, link: SeatLink, seat: Seat, at: datetime) -> NewPhone:
    """Let a phone at a table follow whoever sits in a seat there.

    ``link`` is what the phone has shown: one of the whole table, or of this seat. The phone that
    followed this player before does so no longer, and devices that were signed in from it are
    signed out; its links at tables where it was stay open.
    Raises RefusedError: the game is of no event, nobody sits there, or too many phones did so.
    """
    game = lock_with_club(link.game_id)
    if link.seat not in (None, seat):
        raise RefusedError(Message("This link speaks for another seat."), "seat")
    if game.table is None:
        raise RefusedError(Message("This game is part of no event."), "seat")
    event, now = game.table.round.event, current_round(game.table.round.event)
    if now is None or now.pk != game.table.round_id:
        words = Message("This table's round is over; scan the code where you sit now.")
        raise RefusedError(words, "seat")
    sittings = Sitting.objects.filter(game=game, seat=seat, last=None)
    player = sittings.values_list("player_id", flat=True).first()
    if player is None:
        raise RefusedError(Message("Nobody sits there."), "seat")
    earlier = PlayerPhone.objects.filter(event=event, player=player)
    if earlier.count() >= PHONES_MAX:
        raise RefusedError(Message("Too many phones have followed this player tonight."), "seat")
    replaced = list(earlier.filter(replaced_at=None).values_list("pk", flat=True))
    earlier.filter(pk__in=replaced).update(replaced_at=at)
    token = secrets.token_urlsafe(_BYTES)
    phone = PlayerPhone.objects.create(
        event=event, player_id=player, digest=digest_token(token), made_at=at, used_at=at
    )
    by = Actor(ActorKind.LINK, Source.TABLE, link.pk, seat)
    player_devices.sign_out_phones(replaced, by=by, at=at)
    details = {"phone": phone.pk, "player": player, "seat": seat}
    action = AuditRecord(Message("phone follows its player"), details=details)
    audit.note(action, chain=game.pk, club=game.club_id, by=by, at=at)
    made = make_links(game_id=game.pk, seats=[seat], phone=phone, by=by, at=at)
    return NewPhone(phone, token, made[0])


def find_phone(token: str, *, at: datetime) -> PlayerPhone:
    """Return the phone that a token belongs to, with event and player; its use is noted.

    Raises NotThereError for a token that never was one, GoneError for a phone that follows nobody
    any more.
    """
    phone = None
    if len(token) <= LETTERS_MAX:
        known = PlayerPhone.objects.select_related("event__club", "player__person")
        phone = known.filter(digest=digest_token(token)).first()
    if phone is None:
        raise NotThereError
    check_following(phone, at)
    if at - phone.used_at >= SEEN_EVERY:
        PlayerPhone.objects.filter(pk=phone.pk).update(used_at=at)
    return phone


def check_following(phone: PlayerPhone, at: datetime) -> None:
    """Raise GoneError if a phone follows its player no longer."""
    if phone.revoked_at is not None:
        raise GoneError(PHONE_ENDED)
    if phone.replaced_at is not None:
        words = Message(
            "Another phone follows this player now; scan the code of your table to change that."
        )
        raise GoneError(words)
    if at >= phone.made_at + LONGEST_LIFE or is_over(phone.event, at):
        raise GoneError(Message("The night is over."))


@transaction.atomic
def sign_in_from_phone(*, phone: PlayerPhone, at: datetime) -> SignedInDevice:
    """Sign a browser in to the own page of the player whom a phone follows.

    It is signed in as long as the phone follows the player, at most. Raises NotThereError for an
    erased person, NotAllowedError for one whose results are hidden, GoneError for a phone that
    follows nobody any more.
    """
    player_devices.lock(phone.player_id)
    phone = PlayerPhone.objects.select_related("event").get(pk=phone.pk)
    check_following(phone, at)
    return player_devices.sign_in_device(
        player_id=phone.player_id,
        method=SignInMethod.PHONE,
        phone=TablePhone(phone.pk, phone.event, _table_of(phone)),
        at=at,
    )


def _table_of(phone: PlayerPhone) -> int | None:
    """The number of the table where a phone began to follow its player. Two queries at most."""
    links = SeatLink.objects.filter(phone=phone).order_by("made_at", "pk")
    number = links.values_list("game__table__number", flat=True).first()
    if number is not None:
        return number
    games = Game.objects.filter(
        table__round__event=phone.event_id, sittings__player=phone.player_id
    )
    return games.order_by("-opened_at", "-pk").values_list("table__number", flat=True).first()


@transaction.atomic
def link_phone(*, phone: PlayerPhone, game_id: UUID, at: datetime) -> tuple[SeatLink, str]:
    """Return the link of a player's phone at a table, made when it comes there first.

    Raises NotThereError where its player does not sit, or in another event; GoneError where the
    director ended it.
    """
    game = lock(game_id)
    phone = PlayerPhone.objects.select_related("event").get(pk=phone.pk)
    check_following(phone, at)
    if game.table is None or game.table.round.event_id != phone.event_id:
        raise NotThereError
    sitting = Sitting.objects.filter(game=game, player=phone.player_id, last=None).first()
    if sitting is None:
        raise NotThereError
    known = SeatLink.objects.filter(game=game, phone=phone).select_related("game__club", "phone")
    link = known.order_by("-made_at").first()
    token = None if link is None else token_of(link)
    if link is None or (token is None and is_open(link, at)):
        by = Actor(ActorKind.LINK, Source.TABLE, phone.pk, sitting.seat)
        made = make_links(game_id=game.pk, seats=[sitting.seat], phone=phone, by=by, at=at)[0]
        link, token = made.link, made.token
    if token is None or not is_open(link, at):
        raise GoneError(PHONE_ENDED)
    link.seat = sitting.seat
    return link, token


def game_of_player(event: Event, player: UUID) -> Game | None:
    """Return the game in which somebody sits in the round that is played. One query."""
    games = Game.objects.filter(
        table__round__event=event,
        table__round__stage=Stage.PLAYING,
        sittings__player=player,
        sittings__last=None,
    )
    return games.select_related("club", "table").order_by("-opened_at", "-pk").first()


@transaction.atomic
def end_phone(*, event_id: UUID, phone_id: UUID, by: Actor, at: datetime) -> PlayerPhone:
    """End a phone at all tables of the event, for ever, and sign out what was signed in from it.

    Again changes nothing. Raises NotThereError.
    """
    event = events.lock_with_club(event_id)
    phone = PlayerPhone.objects.filter(event=event, pk=phone_id).first()
    if phone is None:
        raise NotThereError
    if phone.revoked_at is None:
        phone.revoked_at = at
        phone.save(update_fields=["revoked_at"])
        player_devices.sign_out_phones([phone.pk], by=by, at=at)
        details = {"phone": phone.pk, "player": phone.player_id}
        events.note(event, AuditRecord(Message("phone ended"), details=details), by, at)
    return phone


def seats_with_phones(game: Game) -> set[int]:
    """Return the seats of a game whose players have phones of their own there. One query."""
    sitting = Sitting.objects.filter(
        game=game,
        last=None,
        player__phones__links__game=game,
        player__phones__links__revoked_at=None,
        player__phones__replaced_at=None,
        player__phones__revoked_at=None,
    )
    return set(sitting.values_list("seat", flat=True))


def following_phones(event: Event) -> list[PlayerPhone]:
    """Return the phones that follow their players now, by name. One query."""
    rows = PlayerPhone.objects.filter(event=event, revoked_at=None, replaced_at=None)
    return list(
        rows.select_related("player__person").order_by(*order_by_name("player__person"), "pk")
    )
