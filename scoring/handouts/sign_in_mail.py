"""The link by which a player signs in to My season, by e-mail."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.models import ATTEMPTS_MAX, PlayerSignInCode
from tournaments.people.player_devices import LINK_LIFE, link_token

log = structlog.get_logger(__name__)


def send_link(*, link_id: UUID, clock: Callable[[], datetime]) -> bool:
    """Send a link that was asked for, if it is due and no other worker does; whether it was sent.

    A mail server that does not take it is tried again when the lease ends, `ATTEMPTS_MAX` times.
    """
    link = PlayerSignInCode.objects.claim(link_id, clock())
    if link is None:
        return False
    if link.attempts > ATTEMPTS_MAX or link.ends_at <= clock():
        link.update_leased(due_at=None)
        return False
    try:
        with translation.override(link.language):
            _compose(link).send()
    except OSError as error:  # also smtplib.SMTPException
        log.warning("a sign-in link was not sent", link=link_id, error=type(error).__name__)
        return False
    return link.update_leased(due_at=None)


def _compose(link: PlayerSignInCode) -> EmailMessage:
    person = link.player.person
    words = _(
        "%(name)s, this link opens My season at %(club)s. It works once, within %(minutes)s"
        " minutes.\n\n%(link)s\n\nIf you did not ask for it, leave it: nothing happens."
    )
    return EmailMessage(
        subject=_("My season"),
        body=words
        % {
            "name": person.name,
            "club": link.player.club.name,
            "minutes": LINK_LIFE.seconds // 60,
            "link": link.site + reverse("my-link", args=[link_token(link)]),
        },
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[person.email],
    )
