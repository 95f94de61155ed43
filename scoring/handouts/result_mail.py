"""The result of a night by e-mail, to those of the club who agreed to get it."""

from collections.abc import Sequence

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.translation import gettext as _

from tournaments.models import Club, Event, Person


def find_recipients(club: Club) -> list[str]:
    """Return the addresses of those who want results and have not left the club. One query."""
    people = Person.objects.filter(
        player__club=club,
        player__left_at=None,
        player__merged_into=None,
        player__removed_at=None,
        gets_results=True,
    )
    return sorted(set(people.exclude(email="").values_list("email", flat=True)))


def send_result(event: Event, text: str, recipients: Sequence[str]) -> None:
    """Send the result of an event as one message, in which nobody sees the other addresses.

    Raises OSError (also smtplib.SMTPException) where the mail server does not take it.
    """
    why = _("You get this because you asked %(club)s for it; the director can end it.") % {
        "club": event.club.name
    }
    message = EmailMessage(
        subject=" ".join(event.name.split()),
        body=f"{text}\n\n-- \n{why}\n",
        to=[settings.DEFAULT_FROM_EMAIL],
        bcc=list(recipients),
    )
    message.send()
