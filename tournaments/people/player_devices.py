"""Devices of players: browsers that are signed in as somebody who plays, without an account.

The first comes in by the player's own phone at the table, by a code or by a link in an e-mail.
Codes and links work once and for a time; a device stays signed in while it is used. Of tokens and
codes only digests are stored. A device opens its player's own page and nothing else: it has no
role in the club. One that was signed in from a phone at the table, where anybody can say who they
are, is a weak proof (DEC-19): it ends with that phone, and 12 hours after the event at the latest;
it can neither make codes nor change what others see, and shows nobody whose results are hidden.
"""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from engine.core.messages import Message
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import NotAllowedError, NotThereError
from tournaments.core.ids import (
    AFTER_THE_GAME,
    LONGEST_LIFE,
    group_code,
    normalize_code,
    random_code,
)
from tournaments.models import (
    CalendarAddress,
    Club,
    Event,
    Person,
    Player,
    PlayerDevice,
    PlayerSignInCode,
    Shown,
    SignInMethod,
)
from tournaments.people import members
from tournaments.people.api_keys import digest_of

UNUSED_LIFE: Final = timedelta(days=180)
"""A device that was not used for so long is signed out."""
OWN_CODE_LIFE: Final = timedelta(minutes=15)
GIVEN_CODE_LIFE: Final = timedelta(days=7)
LINK_LIFE: Final = timedelta(minutes=30)
LINKS_MAX: Final = 5
"""How many links a player is sent within a day, and none while one is open."""
_DAY: Final = timedelta(days=1)
CODE_LENGTH: Final = 8
"""39 bits: at sixty guesses a minute from one address, the limit of the page, and a thousand open
codes, a hit takes about 21 years."""
DEVICES_MAX: Final = 20
"""How many devices a player has; a further one signs out the one that was used longest ago."""
TOKEN_MAX: Final = 100
"""Characters of a token that are looked at."""
FROM_PHONE: Final = Message(
    "This device was signed in from a phone at the table, where anybody can say who they are. Sign"
    " in with a code or by e-mail to change what others see or to sign in another device."
)
NOT_FROM_PHONE: Final = Message(
    "Your results are hidden, so a phone at the table does not open My season. Sign in with a code"
    " or by e-mail."
)
_SEEN_EVERY: Final = timedelta(hours=1)
"""How exactly the last use of a device is known."""
_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class TablePhone:
    """The phone from which a device is signed in, and where it began to follow the player."""

    id: UUID
    event: Event
    table: int | None


@dataclass(frozen=True, slots=True)
class SignedInDevice:
    """A device that was just signed in, and its token, which is shown this once."""

    device: PlayerDevice
    token: str


def player_actor(player: Player) -> Actor:
    """Return the actor for what a player does on their own page."""
    return Actor(ActorKind.PLAYER, Source.PAGE, player.pk)


def find_device(token: str, *, at: datetime) -> PlayerDevice | None:
    """Return the device that a token signs in, with player, person and club; its use is noted.

    None for an unknown token and for a device that has ended (`_is_open`). One query, seldom two.
    """
    if not token or len(token) > TOKEN_MAX or not token.isascii():
        return None
    rows = PlayerDevice.objects.select_related("player__club", "player__person", "event")
    device = rows.filter(_is_open(at), digest=digest_of(token)).first()
    if device is not None and at - device.used_at >= _SEEN_EVERY:
        PlayerDevice.objects.filter(pk=device.pk).update(used_at=at)
    return device


def _is_open(at: datetime) -> Q:
    """Devices that still show their page: they were used within `UNUSED_LIFE`.

    Those from a phone at the table do so until `AFTER_THE_GAME` after its event, `LONGEST_LIFE` at
    most, and for nobody whose results are hidden (DEC-19).
    """
    is_at_table = Q(made_at__gt=at - LONGEST_LIFE) & (
        Q(event__finished_at=None) | Q(event__finished_at__gt=at - AFTER_THE_GAME)
    )
    is_weak_and_open = is_at_table & ~Q(player__person__shown=Shown.HIDDEN)
    return Q(used_at__gt=at - UNUSED_LIFE) & (Q(event=None) | is_weak_and_open)


def list_devices(player: Player, *, at: datetime) -> QuerySet[PlayerDevice]:
    """The devices that show a player's page, with their events; the one used last first."""
    rows = PlayerDevice.objects.filter(_is_open(at), player=player).select_related("event")
    return rows.order_by("-used_at", "pk")


@transaction.atomic
def sign_in_device(
    *,
    player_id: UUID,
    method: SignInMethod,
    phone: TablePhone | None = None,
    at: datetime,
) -> SignedInDevice:
    """Sign a device in as a player; of a duplicate as whom they turned out to be.

    ``phone`` is the one at the table from which it comes in, if it does; the caller has seen
    under the lock of the club that this phone still follows the player. A phone has one device, so
    that it cannot push out all others. Raises NotThereError for an erased person, NotAllowedError
    where a phone would open the page of somebody whose results are hidden.
    """
    player = lock(player_id)
    devices = PlayerDevice.objects.filter(player=player)
    by, newer = player_actor(player), Message("device signed out for a newer one")
    if phone is not None:
        if Person.objects.filter(player=player, shown=Shown.HIDDEN).exists():
            raise NotAllowedError(NOT_FROM_PHONE)
        _sign_out(devices.filter(phone_id=phone.id), newer, by, at)
    newest = devices.order_by("-used_at", "pk").values_list("pk", flat=True)
    kept = newest[: DEVICES_MAX - 1]
    _sign_out(devices.exclude(pk__in=list(kept)), newer, by, at)
    token = secrets.token_urlsafe(_BYTES)
    device = PlayerDevice.objects.create(
        player=player,
        digest=digest_of(token),
        method=method,
        phone_id=None if phone is None else phone.id,
        event=None if phone is None else phone.event,
        table=None if phone is None else phone.table,
        made_at=at,
        used_at=at,
    )
    place = {} if phone is None or phone.table is None else {"table": phone.table}
    _note(Message("device signed in"), player, by, at, method=str(method), **place)
    return SignedInDevice(device, token)


@transaction.atomic
def sign_out_device(*, player: Player, device_id: UUID, at: datetime) -> None:
    """Sign one of a player's devices out; one that is not there changes nothing."""
    player = lock(player.pk)
    devices = PlayerDevice.objects.filter(player=player, pk=device_id)
    _sign_out(devices, Message("device signed out"), player_actor(player), at)


@transaction.atomic
def sign_out_everywhere(*, player_id: UUID, by: Actor, at: datetime) -> None:
    """Sign all devices of a player out; end their open codes and links, and their calendar.

    Raises NotThereError for an erased person.
    """
    player = lock(player_id)
    PlayerSignInCode.objects.filter(player=player).update(ends_at=at, due_at=None)
    mine = Q(player=player) | Q(player__merged_into=player)
    CalendarAddress.objects.filter(mine).delete()
    devices = PlayerDevice.objects.filter(player=player)
    _sign_out(devices, Message("device signed out"), by, at)


def sign_out_phones(phone_ids: Collection[UUID], *, by: Actor, at: datetime) -> None:
    """Sign out what came in from phones that end; the caller holds the lock of their club."""
    devices = PlayerDevice.objects.filter(phone_id__in=phone_ids)
    _sign_out(devices, Message("device signed out with its phone"), by, at)


def _sign_out(devices: QuerySet[PlayerDevice], what: Message, by: Actor, at: datetime) -> None:
    """Delete devices, with an entry in the trail for each."""
    for device in devices.select_related("player").order_by("pk"):
        device.delete()
        _note(what, device.player, by, at, method=device.method)


@transaction.atomic
def make_code(*, player_id: UUID, life: timedelta, by: Actor, at: datetime) -> str:
    """Make a code that signs one device in as a player, ``ABCD-EFGH``; earlier ones end.

    Raises NotThereError for an erased person.
    """
    player = lock(player_id)
    code = random_code(CODE_LENGTH)
    PlayerSignInCode.objects.filter(player=player, method=SignInMethod.CODE).delete()
    PlayerSignInCode.objects.create(
        player=player, digest=_digest(code), method=SignInMethod.CODE, made_at=at, ends_at=at + life
    )
    _note(Message("sign-in code made"), player, by, at)
    return group_code(code)


@transaction.atomic
def make_own_code(*, device: PlayerDevice, at: datetime) -> str:
    """Make a code on a player's own device, for another one.

    Raises NotThereError for a device that is signed out, NotAllowedError for one that was signed
    in from a phone at the table.
    """
    player = lock_own(device)
    return make_code(player_id=player.pk, life=OWN_CODE_LIFE, by=player_actor(player), at=at)


@transaction.atomic
def change_privacy(*, device: PlayerDevice, changes: Mapping[str, Any], at: datetime) -> None:
    """Change on a player's own device what others see of them, and what they are sent.

    Raises what `make_own_code` raises, and StaleError if somebody changed the player meanwhile.
    """
    player = lock_own(device)
    members.change_player(
        player_id=player.pk,
        changes=changes,
        version=device.player.version,
        by=player_actor(player),
        at=at,
    )


def lock_own(device: PlayerDevice) -> Player:
    """Lock the club of a device's player, and return them if the device may act for them."""
    player = lock(device.player_id)
    if not PlayerDevice.objects.filter(pk=device.pk, player=player).exists():
        raise NotThereError
    if device.phone_id is not None:
        raise NotAllowedError(FROM_PHONE)
    return player


def request_links(*, email: str, site: str, language: str, at: datetime) -> None:
    """Have links sent to whoever has this address; to nobody where nobody has.

    What comes back is the same, so that nobody learns whose address is known. ``site`` is the
    address of the page that takes the token.
    """
    people = Person.objects.filter(
        email__iexact=email, player__merged_into=None, player__removed_at=None
    )
    for player_id in people.order_by("pk").values_list("pk", flat=True):
        request_link(player_id=player_id, site=site, language=language, at=at)


@transaction.atomic
def request_link(*, player_id: UUID, site: str, language: str, at: datetime) -> None:
    """Have a link sent to a player, unless one is open or `LINKS_MAX` were sent within a day."""
    player = lock(player_id)
    links = PlayerSignInCode.objects.filter(player=player, method=SignInMethod.EMAIL)
    if links.filter(ends_at__gt=at).exists():
        return
    if links.filter(made_at__gt=at - _DAY).count() >= LINKS_MAX:
        return
    link = PlayerSignInCode(
        player=player,
        method=SignInMethod.EMAIL,
        language=language,
        site=site,
        made_at=at,
        ends_at=at + LINK_LIFE,
        due_at=at,
    )
    link.digest = _digest(link_token(link))
    link.save()


def link_token(link: PlayerSignInCode) -> str:
    """Return the token of a link, made of its id with the key of the installation."""
    return salted_hmac("a link to My season", str(link.pk), algorithm="sha256").hexdigest()


def find_code(secret: str, *, method: SignInMethod, at: datetime) -> PlayerSignInCode:
    """Return the code or the link that holds, with its player. One query.

    A code may be typed in any case, with blanks and dashes. Raises NotThereError for one that is
    unknown, used or expired.
    """
    if method == SignInMethod.CODE:
        secret = normalize_code(secret)
    rows = PlayerSignInCode.objects.select_related("player__person", "player__club")
    found = rows.filter(digest=_digest(secret), method=method, ends_at__gt=at).first()
    if found is None:
        raise NotThereError
    return found


@transaction.atomic
def use_code(*, secret: str, method: SignInMethod, at: datetime) -> SignedInDevice:
    """Sign a device in by a code or a link, and use that up. Raises NotThereError."""
    code = find_code(secret, method=method, at=at)
    lock(code.player_id)
    still_open = PlayerSignInCode.objects.filter(pk=code.pk, ends_at__gt=at)
    if not still_open.update(ends_at=at, due_at=None):
        raise NotThereError
    return sign_in_device(player_id=code.player_id, method=method, at=at)


def delete_expired(*, at: datetime) -> int:
    """Delete devices that show their page no longer, and codes that ended; how many there were.

    Links are kept for a day, as they are counted.
    """
    devices = PlayerDevice.objects.exclude(_is_open(at)).delete()[0]
    ended = PlayerSignInCode.objects.filter(ends_at__lte=at)
    return devices + ended.exclude(method=SignInMethod.EMAIL, made_at__gt=at - _DAY).delete()[0]


def lock(player_id: UUID) -> Player:
    """Lock the club of a player; return them, or whom they turned out to be, with their person."""
    found = Player.objects.only("club_id").filter(pk=player_id).first()
    if found is None:
        raise NotThereError
    Club.objects.select_for_update(no_key=True).get(pk=found.club_id)
    player = Player.objects.select_related("merged_into").get(pk=player_id)
    player = player.merged_into or player
    if not Person.objects.filter(player=player).exists():
        raise NotThereError
    return player


def _digest(secret: str) -> str:
    """Return the stored digest; with the installation's key, as so few letters are soon tried."""
    return salted_hmac("a sign-in of a player", secret[:TOKEN_MAX], algorithm="sha256").hexdigest()


def _note(what: Message, player: Player, by: Actor, at: datetime, **details: str | int) -> None:
    action = AuditRecord(what, details={"player": player.pk, **details})
    audit.note(action, chain=player.club_id, club=player.club_id, by=by, at=at)
