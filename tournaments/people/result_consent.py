"""Results by e-mail: whoever owns an address says once that they want them, and may end them.

The club or the player notes that somebody wants results; they are sent only to an address whose
owner then opened the link in a first message (double opt-in). Another address asks anew. The links
hold no secret of the player: they are signed with the installation's key and change this alone.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.core import signing
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import get_language

from engine.core.messages import Message
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.errors import NotThereError
from tournaments.core.mail import can_send
from tournaments.core.public_address import public_site
from tournaments.models import MailKind, Person, Player, ResultMail
from tournaments.people import members
from tournaments.people.player_devices import lock, player_actor

_STOP: Final = "no more results by e-mail"
_CONFIRM: Final = "results by e-mail"
_AGAIN: Final = timedelta(days=1)
"""An address is asked once, and not before a day has gone by after another one."""
_TOKEN_MAX: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Letterhead:
    """To which pages links of a message lead, and in which language it is."""

    site: str
    language: str


@transaction.atomic
def ask_for_consent(*, player_id: UUID, letterhead: Letterhead, at: datetime) -> bool:
    """Have a player asked by e-mail whether they want results; whether a message is on its way.

    Nothing happens where none are wanted, the address has confirmed it or was asked already, or no
    mail server is set up. Raises NotThereError for an erased person.
    """
    player = lock(player_id)
    person = player.person
    if not (can_send() and person.gets_results and person.email) or person.is_confirmed:
        return False
    digest = _digest(person)
    asked = ResultMail.objects.filter(kind=MailKind.QUESTION, player=player).first()
    if asked is not None:
        if asked.asked_digest == digest or at < asked.made_at + _AGAIN:
            return False
        asked.delete()
    ResultMail.objects.create(
        kind=MailKind.QUESTION,
        player=player,
        asked_digest=digest,
        site=letterhead.site,
        language=letterhead.language,
        has_money=False,
        made_at=at,
        due_at=at,
    )
    return True


def find_subscribers(club_id: UUID) -> QuerySet[Person]:
    """Those of a club who want its mails and confirmed their address."""
    people = Person.objects.filter(
        player__club=club_id,
        player__left_at=None,
        player__merged_into=None,
        player__removed_at=None,
        gets_results=True,
        email=F("confirmed_email"),
    )
    return people.exclude(email="")


def confirm_token(person: Person) -> str:
    """Return what confirms that the owner of an address wants results."""
    return signing.dumps([person.player_id.hex, _digest(person)], salt=_CONFIRM)


def find_confirming(token: str) -> Player:
    """Return the player whose address a token confirms. Raises NotThereError."""
    try:
        player_id, digest = signing.loads(token[:_TOKEN_MAX], salt=_CONFIRM)
    except signing.BadSignature as error:
        raise NotThereError from error
    player = _find(UUID(player_id))
    if not constant_time_compare(digest, _digest(player.person)):
        raise NotThereError
    return player


@transaction.atomic
def confirm_results(*, token: str, at: datetime) -> None:
    """Send results to the address that a token confirms. Raises NotThereError."""
    player = lock(find_confirming(token).pk)
    find_confirming(token)
    person = player.person
    if person.is_confirmed and person.gets_results:
        return
    person.confirmed_email, person.gets_results = person.email, True
    person.save(update_fields=["confirmed_email", "gets_results"])
    action = AuditRecord(Message("results by e-mail confirmed"), details={"player": player.pk})
    by = player_actor(player)
    audit.note(action, chain=player.club_id, club=player.club_id, by=by, at=at)


def stop_token(player_id: UUID) -> str:
    """Return what ends a player's results by e-mail."""
    return signing.dumps(player_id.hex, salt=_STOP)


def find_stopping(token: str) -> Player:
    """Return the player who asks for no more results. Raises NotThereError."""
    try:
        return _find(UUID(signing.loads(token[:_TOKEN_MAX], salt=_STOP)))
    except signing.BadSignature as error:
        raise NotThereError from error


def stop_results(*, token: str, at: datetime) -> None:
    """Send a player no more results. Raises NotThereError, and StaleError after a change."""
    player = find_stopping(token)
    if player.person.gets_results:
        members.change_player(
            player_id=player.pk,
            changes={"gets_results": False},
            version=player.version,
            by=player_actor(player),
            at=at,
        )


def _find(player_id: UUID) -> Player:
    player = Player.objects.select_related("club", "person").filter(pk=player_id).first()
    if player is None or not hasattr(player, "person"):
        raise NotThereError
    return player


def _digest(person: Person) -> str:
    text = f"{person.player_id} {person.email.lower()}"
    return salted_hmac(_CONFIRM, text, algorithm="sha256").hexdigest()[:32]


def letterhead_of(request: HttpRequest) -> Letterhead:
    """The service as the browser calls it, in the language of the page."""
    return Letterhead(site=public_site(request), language=get_language() or "")
