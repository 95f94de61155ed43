"""Whether e-mail can be sent."""

from django.conf import settings


def can_send() -> bool:
    """Whether a mail server is configured."""
    return bool(settings.EMAIL_HOST)
