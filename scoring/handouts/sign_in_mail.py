"""Links by e-mail: to My season, another password, an invitation, and whether somebody comes."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar
from uuid import UUID

import structlog
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.core.errors import GoneError, NotThereError
from tournaments.core.mail import compose_mail
from tournaments.core.time_zones import format_moment, local
from tournaments.events.replies import find_reply, is_open, reply_token
from tournaments.models import (
    ATTEMPTS_MAX,
    EventReply,
    Invitation,
    PasswordLink,
    PlayerSignInCode,
)
from tournaments.people import password_links
from tournaments.people.invitations import find_invitation, invitation_token
from tournaments.people.password_links import password_token
from tournaments.people.player_devices import LINK_LIFE, link_token
from tournaments.people.result_consent import stop_token
from tournaments.selectors import first_name
from tournaments.tables.cells import isolate_name

log = structlog.get_logger(__name__)

Clock = Callable[[], datetime]
LinkT = TypeVar("LinkT", PlayerSignInCode, PasswordLink, Invitation, EventReply)


def send_link(*, link_id: UUID, clock: Clock) -> bool:
    """Send a link to My season, if it is due and no other worker does; whether it was sent."""
    return _send(PlayerSignInCode.objects.claim(link_id, clock()), _compose_sign_in, clock)


def send_password_link(*, link_id: UUID, clock: Clock) -> bool:
    """Send a link to another password, if it is due and no other worker does; whether it was."""
    return _send(PasswordLink.objects.claim(link_id, clock()), _compose_password, clock)


def send_invitation(*, invitation_id: UUID, clock: Clock) -> bool:
    """Send an invitation, if it is due and no other worker does; whether it was sent.

    One that opens nothing any more is not sent.
    """
    invitation = Invitation.objects.claim(invitation_id, clock())
    if invitation is not None:
        try:
            find_invitation(invitation_token(invitation), at=clock())
        except (NotThereError, GoneError):
            invitation.update_leased(due_at=None)
            return False
    return _send(invitation, _compose_invitation, clock)


def send_reply_link(*, reply_id: UUID, clock: Clock) -> None:
    """Ask a member by e-mail whether they come, if it is due and no other worker does.

    Who wants no more mails of the club gets none, nor who replied meanwhile.
    """
    row = EventReply.objects.claim(reply_id, clock())
    if row is not None:
        try:
            row = find_reply(reply_token(row))
        except (NotThereError, GoneError):
            row.update_leased(due_at=None)
            return
        person = row.player.person
        is_wanted = person.gets_results and person.is_confirmed and not row.reply
        if not (is_wanted and is_open(row.event, clock())):
            row.update_leased(due_at=None)
            return
    _send(row, _compose_reply_link, clock)


def _send(link: LinkT | None, compose: Callable[[LinkT], EmailMessage], clock: Clock) -> bool:
    """Send a link that was claimed; whether it was sent.

    A mail server that does not take it is tried again when the lease ends, `ATTEMPTS_MAX` times.
    """
    if link is None:
        return False
    if link.attempts > ATTEMPTS_MAX or link.ends_at <= clock():
        link.update_leased(due_at=None)
        return False
    try:
        with translation.override(link.language):
            compose(link).send()
    except OSError as error:  # also smtplib.SMTPException
        log.warning("a link was not sent", link=str(link.pk), error=type(error).__name__)
        return False
    return link.update_leased(due_at=None)


def _compose_sign_in(link: PlayerSignInCode) -> EmailMessage:
    person = link.player.person
    words = _(
        "%(name)s, this link opens My season at %(club)s. It works once, within %(minutes)s"
        " minutes.\n\n%(link)s\n\nIf you did not ask for it, ignore this message: nothing will"
        " happen."
    )
    return compose_mail(
        subject=_("My season"),
        body=words
        % {
            "name": isolate_name(person.name),
            "club": isolate_name(link.player.club.name),
            "minutes": LINK_LIFE.seconds // 60,
            "link": link.site + reverse("my-link", args=[link_token(link)]),
        },
        to=[person.email],
    )


def _compose_password(link: PasswordLink) -> EmailMessage:
    words = _(
        "%(name)s, choose a new password for Painsuit here. The link works once, within"
        " %(minutes)s minutes.\n\n%(link)s\n\nIf you did not ask for it, ignore this message: your"
        " password stays as it is."
    )
    return compose_mail(
        subject=_("New password"),
        body=words
        % {
            "name": isolate_name(link.account.name),
            "minutes": password_links.LIFE.seconds // 60,
            "link": link.site + reverse("password-link", args=[password_token(link)]),
        },
        to=[link.account.email],
    )


def _compose_invitation(invitation: Invitation) -> EmailMessage:
    club = isolate_name(invitation.club.name)
    words = _(
        "%(name)s invites you to %(club)s, where hands and tournaments are scored with Painsuit."
        "\n\n%(link)s\n\nThe link works once, until %(until)s. If you do not"
        " know %(name)s, ignore this message: nothing will happen."
    )
    return compose_mail(
        subject=_("Invitation to %(club)s") % {"club": club},
        body=words
        % {
            "name": isolate_name(invitation.made_by.name),
            "club": club,
            "link": invitation.site + reverse("invitation", args=[invitation_token(invitation)]),
            "until": format_moment(invitation.ends_at, invitation.club.time_zone),
        },
        to=[invitation.email],
    )


def _compose_reply_link(row: EventReply) -> EmailMessage:
    event, person = row.event, row.player.person
    club = isolate_name(event.club.name)
    stop = row.site + reverse("my-no-results", args=[stop_token(row.player_id)])
    words = _(
        "%(name)s, do you come to %(event)s?\n\n%(when)s\n%(place)s\n\n%(link)s\n\nOne press"
        " is enough, and the same link changes it until the night begins. It is yours; please do"
        " not pass it on."
    )
    why = _("You get this because %(club)s may write to you. To stop these e-mails:")
    when = date_format(local(event.starts_at, event.club.time_zone), _("l j F Y, H:i"))
    body = words % {
        "name": isolate_name(first_name(person.name)),
        "event": isolate_name(event.name),
        "when": when,
        "place": isolate_name(event.place or event.club.name),
        "link": row.site + reverse("reply", args=[reply_token(row)]),
    }
    return compose_mail(
        subject=_("Do you come? %(event)s, %(when)s")
        % {"event": isolate_name(" ".join(event.name.split())), "when": when},
        body=f"{body}\n\n-- \n{why % {'club': club}}\n{stop}\n",
        to=[person.email],
        headers={
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
