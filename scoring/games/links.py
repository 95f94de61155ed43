"""Seat links: the addresses behind a table's QR codes, each for one game, and mostly one seat.

Whoever has a link may enter and confirm hands of its game for its seat, and nothing else. A token
is made of the link's id with the key of the installation, and kept only as a digest: the database
alone opens nothing, and a director can print their cards again. The link of a player's phone
speaks for the seat where its player sits at that moment, and for none once they sit elsewhere.
"""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from engine.core.messages import Message
from engine.core.seats import DEFAULT_SEATS
from scoring.games.opening import check_open
from scoring.models import Game, PlayerPhone, SeatLink, Sitting, TableCode
from scoring.settlement.plan import lock
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.ids import AFTER_THE_GAME, LONGEST_LIFE

LINKS_MAX: Final = 200
"""How many links a game can ever have."""
SEEN_EVERY: Final = timedelta(minutes=1)
"""How exactly the last use of a link is known."""

LETTERS_MAX: Final = 64
"""Letters that are looked at in what is shown as a token."""
PHONE_ENDED: Final = Message("The director ended this phone; scan the code of your table again.")

_BYTES: Final = 24


@dataclass(frozen=True, slots=True)
class NewSeatLink:
    """A new link, and the token that opens it: nobody can be shown it again."""

    link: SeatLink
    token: str


def digest_token(token: str) -> str:
    """Return the stored digest of a token; tokens are random, so a slow hash would add nothing."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


@transaction.atomic
def make_links(
    *,
    game_id: UUID,
    seats: Sequence[int | None],
    by: Actor,
    at: datetime,
    expires_at: datetime | None = None,
    phone: PlayerPhone | None = None,
) -> list[NewSeatLink]:
    """Make a link for each of some seats; None is one for the whole table.

    ``phone`` is the one of the player in that seat that they are for, if for one.
    Without ``expires_at`` they live as long as a link can: until the game was closed for
    `AFTER_THE_GAME`, and never longer than `LONGEST_LIFE`. Raises RefusedError.
    """
    game = lock(game_id)
    check_open(game)
    expires_at = at + LONGEST_LIFE if expires_at is None else expires_at
    if not at < expires_at <= at + LONGEST_LIFE:
        words = Message(
            "A link lives for {days} days at most, and not in the past.", days=LONGEST_LIFE.days
        )
        raise RefusedError(words, "expires_at")
    if not seats:
        raise RefusedError(Message("Say for which seats."), "seats")
    if SeatLink.objects.filter(game=game).count() + len(seats) > LINKS_MAX:
        raise RefusedError(Message("A game has {most} links at most.", most=LINKS_MAX), "seats")
    made = []
    for place, seat in enumerate(seats):
        _check_seat(game, seat, f"seats.{place}")
        link = SeatLink(
            game=game,
            seat=seat,
            phone=phone,
            made_by=by.label,
            made_at=at,
            expires_at=expires_at,
        )
        token = make_token(link.pk)
        link.digest = digest_token(token)
        made.append(NewSeatLink(link, token))
    SeatLink.objects.bulk_create(one.link for one in made)
    details = {
        "links": [one.link.pk for one in made],
        "seats": list(seats),
        "until": expires_at.isoformat(),
    }
    audit.note(
        AuditRecord(Message("links made"), details=details),
        chain=game.pk,
        club=game.club_id,
        by=by,
        at=at,
    )
    return made


def make_token(number: UUID) -> str:
    """Return the token of a link or a table's code, made of its id with the installation's key."""
    made = salted_hmac("a link to a seat", str(number), algorithm="sha256").digest()
    return base64.urlsafe_b64encode(made[:_BYTES]).decode()


def token_of(row: SeatLink | TableCode) -> str | None:
    """Return the token of a link or code for printing; None if the installation's key changed."""
    token = make_token(row.pk)
    return token if digest_token(token) == row.digest else None


def _check_seat(game: Game, seat: int | None, field: str) -> None:
    if seat is not None and not 0 <= seat < game.players:
        raise RefusedError(Message("There is no seat {seat} at this table.", seat=seat + 1), field)


@transaction.atomic
def revoke_link(*, game_id: UUID, link_id: UUID, by: Actor, at: datetime) -> SeatLink:
    """Revoke a link of a game; repeating it changes nothing. Raises SeatLink.DoesNotExist."""
    game = lock(game_id)
    link = SeatLink.objects.get(game=game, pk=link_id)
    if link.revoked_at is None:
        link.revoked_at = at
        link.save(update_fields=["revoked_at"])
        action = AuditRecord(Message("link revoked"), details={"link": link.pk, "seat": link.seat})
        audit.note(action, chain=game.pk, club=game.club_id, by=by, at=at)
    return link


def find_link(token: str, *, at: datetime, seen_every: timedelta = SEEN_EVERY) -> SeatLink:
    """The link that a token opens, with its game; its use is noted, once in ``seen_every`` at most.

    That of a player's phone has the seat where its player sits now. Raises NotThereError for a
    token that never was one, GoneError for a link that is closed, or whose player sits elsewhere.
    """
    link = None
    if len(token) <= LETTERS_MAX:
        known = SeatLink.objects.select_related(
            "game__club", "game__table", "game__director_call", "phone"
        )
        link = known.filter(digest=digest_token(token)).first()
    if link is None:
        raise NotThereError
    if link.phone is not None:
        link.seat = _seat_of_phone(link, link.phone)
    if link.revoked_at is not None:
        raise GoneError(Message("This link was revoked; ask the director for another one."))
    if at >= ends_at(link):
        raise GoneError(Message("This link has expired; ask the director for another one."))
    if link.used_at is None or at - link.used_at >= seen_every:
        link.used_at = at
        SeatLink.objects.filter(pk=link.pk).update(used_at=at)
    return link


def _seat_of_phone(link: SeatLink, phone: PlayerPhone) -> int:
    """Return the seat that a player's phone speaks for at a table. Raises GoneError."""
    if phone.revoked_at is not None:
        raise GoneError(PHONE_ENDED)
    sitting = Sitting.objects.filter(game=link.game_id, player=phone.player_id, last=None)
    seat = sitting.values_list("seat", flat=True).first()
    if seat is None:
        raise GoneError(Message("The player whose phone this is sits at this table no longer."))
    return seat


def ends_at(link: SeatLink) -> datetime:
    """Return when a link expires: at its own time, or some hours after its game was closed."""
    closed_at = link.game.closed_at
    if closed_at is None:
        return link.expires_at
    return min(link.expires_at, closed_at + AFTER_THE_GAME)


def is_open(link: SeatLink, at: datetime) -> bool:
    """Whether a link is neither revoked nor expired, nor the phone that it is for was ended."""
    is_ended = link.phone is not None and link.phone.revoked_at is not None
    return link.revoked_at is None and not is_ended and at < ends_at(link)


def list_links(game: Game) -> list[SeatLink]:
    """List all links of a game, revoked ones too, oldest first, with last use. One query."""
    seat_links = SeatLink.objects.filter(game=game).select_related("game", "phone")
    return list(seat_links.order_by("made_at", "id"))


def actor_of(link: SeatLink, seat: int | None = None) -> Actor:
    """Return the actor behind a link; one for the whole table must say for which ``seat``.

    Raises RefusedError for a seat that the link does not speak for.
    """
    if link.seat is None:
        if seat is None:
            raise RefusedError(
                Message("This link is the table's; say which seat it speaks for."), "seat"
            )
        _check_seat(link.game, seat, "seat")
    elif seat not in (None, link.seat):
        name = DEFAULT_SEATS[link.game.players][link.seat]
        raise RefusedError(Message("This link speaks for seat {name} alone.", name=name), "seat")
    own = seat if link.seat is None else link.seat
    return Actor(ActorKind.LINK, Source.TABLE, link.pk, own)
