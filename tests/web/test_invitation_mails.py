"""Invitations that are sent to an address by e-mail."""

import re
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone

from scoring.jobs.kinds import WORK
from tests.scoring.club import make_club
from tests.web.desk import Director, director_of
from tournaments.models import Invitation, Role
from tournaments.people import invitations

pytestmark = pytest.mark.django_db

EMAIL = "ben@example.org"
PASSWORD = "seven of clubs leads"  # nobody's


@pytest.fixture(autouse=True)
def mail(settings: Any) -> None:
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.club.example", "club@club.example"


def invite(admin: Director, page: str, email: str = EMAIL) -> str:
    answer = admin.fill(page, "", kind="director", email=email)
    return str(answer.content.decode())


def send() -> None:
    for name, _since in WORK["invitation"].due(timezone.now(), 100):
        WORK["invitation"].run(name, timezone.now)


@pytest.fixture
def desk() -> tuple[Director, str]:
    club = make_club()
    return director_of(club, "admin"), f"/desk/clubs/{club.pk}/invitations/"


def test_an_invitation_is_sent_once_and_opens_the_role(
    desk: tuple[Director, str], mailoutbox: list[EmailMessage]
) -> None:
    assert "on its way to ben@example.org" in invite(*desk)
    send()
    send()
    (message,) = mailoutbox
    assert message.to == [EMAIL]
    found = re.search(r"http://testserver(/\S+)", str(message.body))
    assert found is not None
    answer = Director().fill(found[1], "", name="Ben Hill", password=PASSWORD)
    assert answer.status_code == 302
    assert Role.objects.get(account__email=EMAIL).kind == "director"


def test_nothing_is_sent_of_one_that_was_withdrawn_or_has_no_address(
    desk: tuple[Director, str], mailoutbox: list[EmailMessage]
) -> None:
    admin, page = desk
    invite(admin, page)
    admin.fill(page, "", withdraw=str(Invitation.objects.get().pk))
    assert "by whoever comes first" in invite(admin, page, email="")
    send()
    assert not mailoutbox


def test_nothing_is_sent_once_the_host_may_invite_no_longer(
    desk: tuple[Director, str], mailoutbox: list[EmailMessage]
) -> None:
    invite(*desk)
    Role.objects.all().delete()
    send()
    assert not mailoutbox
    assert Invitation.objects.get().due_at is None


@pytest.mark.parametrize("host", ["", "mail.club.example"])
def test_where_no_mail_goes_out_the_link_is_handed_on(
    desk: tuple[Director, str], host: str, settings: Any, mailoutbox: list[EmailMessage]
) -> None:
    settings.EMAIL_HOST = host
    admin, page = desk
    # From an address that only this machine knows, nobody could open the link.
    admin.client.defaults["SERVER_NAME"] = "localhost" if host else "testserver"
    assert "Send ben@example.org this link" in invite(admin, page)
    send()
    assert not mailoutbox


def test_a_club_sends_so_many_within_a_day(
    desk: tuple[Director, str], monkeypatch: pytest.MonkeyPatch, mailoutbox: list[EmailMessage]
) -> None:
    monkeypatch.setattr(invitations, "MAILS_MAX", 2)
    pages = [invite(*desk, f"player{number}@example.org") for number in range(3)]
    assert ["on its way" in page for page in pages] == [True, True, False]
    send()
    assert len(mailoutbox) == 2


def test_it_comes_in_the_language_of_whoever_invites(
    desk: tuple[Director, str], mailoutbox: list[EmailMessage]
) -> None:
    desk[0].client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    invite(*desk)
    send()
    assert mailoutbox[0].subject.startswith("Einladung")
