"""Calls for the director: from a phone at a table of an event, until the director takes them."""

from datetime import datetime, timedelta
from typing import Final, TypedDict
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from engine.core.messages import Message
from engine.core.seats import Seat
from scoring.models import CallReason, DirectorCall, Game, SeatLink
from scoring.settlement.plan import lock
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import RefusedError
from tournaments.events.events import OVER
from tournaments.models import Event, Stage, Status

_SHOWN_WHEN_TAKEN: Final = timedelta(minutes=10)
"""How long phones of a table read that the director knows of their call."""
_KEPT_FOR: Final = timedelta(days=7)


class CallData(TypedDict):
    """A call as the phones of its table see it; ``is_taken``: the director knows of it."""

    reason: CallReason
    at: datetime
    is_taken: bool


def call_data(game: Game, at: datetime) -> CallData | None:
    """Return the call of a table; None where there is none, or it was taken some time ago."""
    call: DirectorCall | None = getattr(game, "director_call", None)
    if call is None or (call.taken_at is not None and call.taken_at < at - _SHOWN_WHEN_TAKEN):
        return None
    return {
        "reason": CallReason(call.reason),
        "at": call.called_at,
        "is_taken": call.taken_at is not None,
    }


@transaction.atomic
def call_director(
    *, link: SeatLink, seat: Seat | None, reason: CallReason, at: datetime
) -> CallData | None:
    """Call the director to the table of a link; it takes the place of another call of the table.

    Raises RefusedError for a table of no event, or of one that is over.
    """
    game = lock(link.game_id)
    if game.table is None:
        raise RefusedError(Message("This game is part of no event."), "reason")
    if game.table.round.event.status in (*OVER, Status.CANCELLED):
        raise RefusedError(Message("This event is over."), "reason")
    same = DirectorCall.objects.filter(game=game, seat=seat, reason=reason, taken_at=None)
    if (known := same.first()) is not None:
        game.director_call = known
        return call_data(game, at)
    values = {"seat": seat, "reason": reason, "called_at": at, "taken_at": None}
    game.director_call, _made = DirectorCall.objects.update_or_create(game=game, defaults=values)
    by = Actor(ActorKind.LINK, Source.TABLE, link.pk, seat)
    _note(Message("director called"), game, by, at, reason=reason)
    return call_data(game, at)


@transaction.atomic
def withdraw_call(*, link: SeatLink, seat: Seat | None, at: datetime) -> None:
    """Withdraw the call of a table; without one nothing changes."""
    game = lock(link.game_id)
    if DirectorCall.objects.filter(game=game).delete()[0]:
        by = Actor(ActorKind.LINK, Source.TABLE, link.pk, seat)
        _note(Message("call for the director withdrawn"), game, by, at)


@transaction.atomic
def take_call(*, event_id: UUID, game_id: UUID, by: Actor, at: datetime) -> None:
    """Say that the director knows of a call, and goes there; one that is gone changes nothing."""
    game = lock(game_id)
    calls = find_calls(event_id).filter(game=game)
    if DirectorCall.objects.filter(pk__in=calls.values("pk")).update(taken_at=at):
        _note(Message("call for the director taken"), game, by, at)


def find_calls(event: Event | UUID) -> QuerySet[DirectorCall]:
    """The calls of an event that nobody took, with their tables and rounds, the oldest first."""
    calls = DirectorCall.objects.filter(game__table__round__event=event, taken_at=None)
    return calls.select_related("game__table__round").order_by("called_at", "pk")


def name_calling_table(call: DirectorCall) -> str:
    """Return the number of a table that calls, with its round unless that is being played.

    The number of an adjourned table of an earlier round is also that of a table of now.
    """
    table = call.game.table
    assert table is not None
    if table.round.stage == Stage.PLAYING:
        return str(table.number)
    numbers = {"table": table.number, "round": table.round.number}
    return _("%(table)s (round %(round)s)") % numbers


def delete_old_calls(*, at: datetime) -> int:
    """Delete calls that were made long ago; how many there were."""
    return DirectorCall.objects.filter(called_at__lte=at - _KEPT_FOR).delete()[0]


def _note(what: Message, game: Game, by: Actor, at: datetime, **details: str) -> None:
    action = AuditRecord(what, details=details)
    audit.note(action, chain=game.pk, club=game.club_id, by=by, at=at)
