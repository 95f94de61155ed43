"""Secret addresses of calendars: one for the nights of a club, one for those of each member.

Calendar programs sign in nowhere, so whoever has the address reads the calendar: what strangers may
see of a public club, or a member's own nights with nothing of other people. It is renewed and
revoked at once. A member's own is shown on a device that may act for them (`player_devices`).
"""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from engine.core.messages import Message
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import NotThereError
from tournaments.models import CalendarAddress, Club, Player, PlayerDevice
from tournaments.people.api_keys import digest_of
from tournaments.people.player_devices import lock_own, player_actor

_TOKEN_MAX: Final = 100
"""Characters of a token that are looked at."""


def find_address(token: str) -> CalendarAddress:
    """Return what a token opens, with club and player. One query.

    Raises NotThereError for an unknown token, and for a member whose import was undone.
    """
    rows = CalendarAddress.objects.select_related("club", "player__merged_into", "player__club")
    address = rows.filter(digest=digest_of(token[:_TOKEN_MAX])).first()
    if address is None or (address.player is not None and address.player.removed_at is not None):
        raise NotThereError
    return address


def token_of(address: CalendarAddress) -> str:
    """Return the token, to be shown again; empty if the installation's key changed since."""
    token = _make_token(address.pk)
    return token if constant_time_compare(digest_of(token), address.digest) else ""


def find_club_address(club: Club) -> CalendarAddress | None:
    """Return the address of the nights of a club, if it has one."""
    return CalendarAddress.objects.filter(club=club, player=None).first()


def find_own_address(player: Player) -> CalendarAddress | None:
    """Return the address of a member's own nights, if they have one."""
    return _own_addresses(player).order_by("-made_at", "pk").first()


def _own_addresses(player: Player) -> QuerySet[CalendarAddress]:
    """The addresses of a member's own nights: theirs, and those of their duplicates."""
    return CalendarAddress.objects.filter(Q(player=player) | Q(player__merged_into=player))


@transaction.atomic
def renew_club_address(*, club_id: UUID, by: Actor, at: datetime) -> CalendarAddress:
    """Make an address for the nights of a club; the one before opens nothing any more."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    CalendarAddress.objects.filter(club=club, player=None).delete()
    return _make(club, None, by, at)


@transaction.atomic
def revoke_club_address(*, club_id: UUID, by: Actor, at: datetime) -> None:
    """End the address of the nights of a club; without one nothing changes."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if CalendarAddress.objects.filter(club=club, player=None).delete()[0]:
        _note(Message("calendar address revoked"), club.pk, None, by, at)


@transaction.atomic
def renew_own_address(*, device: PlayerDevice, at: datetime) -> CalendarAddress:
    """Make an address for a member's own nights; the one before opens nothing any more.

    Raises NotThereError for a device that is signed out, NotAllowedError for one that was signed
    in from a phone at the table.
    """
    player = lock_own(device)
    _own_addresses(player).delete()
    return _make(player.club, player, player_actor(player), at)


@transaction.atomic
def revoke_own_address(*, device: PlayerDevice, at: datetime) -> None:
    """End the address of a member's own nights; raises what `renew_own_address` raises."""
    player = lock_own(device)
    if _own_addresses(player).delete()[0]:
        words = Message("calendar address revoked")
        _note(words, player.club_id, player, player_actor(player), at)


def _make(club: Club, player: Player | None, by: Actor, at: datetime) -> CalendarAddress:
    address = CalendarAddress(club=club, player=player, made_by=by.label, made_at=at)
    address.digest = digest_of(_make_token(address.pk))
    address.save(force_insert=True)
    _note(Message("calendar address made"), club.pk, player, by, at)
    return address


def _make_token(number: UUID) -> str:
    return salted_hmac("a secret calendar", str(number), algorithm="sha256").hexdigest()


def _note(what: Message, club: UUID, player: Player | None, by: Actor, at: datetime) -> None:
    details = {} if player is None else {"player": player.pk}
    audit.note(AuditRecord(what, details=details), chain=club, club=club, by=by, at=at)
