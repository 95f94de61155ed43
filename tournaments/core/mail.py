"""E-mails that the service sends by itself, and whether it can."""

from collections.abc import Mapping, Sequence
from email.utils import make_msgid, parseaddr
from types import MappingProxyType

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.encoding import punycode

from tournaments.core.public_address import public_host


def can_send() -> bool:
    """Whether a mail server is configured."""
    return bool(settings.EMAIL_HOST)


def compose_mail(
    *,
    subject: str,
    body: str,
    to: Sequence[str],
    headers: Mapping[str, str] = MappingProxyType({}),
) -> EmailMessage:
    """Compose a message that nobody typed, which programs do not answer (RFC 3834).

    Its identifier is of the public address of the service, not of the machine that sends it.
    """
    sender = settings.DEFAULT_FROM_EMAIL
    host = public_host() or parseaddr(sender)[1].rpartition("@")[2]
    own = {
        "Message-ID": make_msgid(domain=punycode(host) if host else None),
        "Auto-Submitted": "auto-generated",
    }
    return EmailMessage(
        subject=subject, body=body, from_email=sender, to=to, headers={**own, **headers}
    )
