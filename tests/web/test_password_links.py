"""A link by e-mail for somebody who forgot their password."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.utils import timezone

from scoring.jobs.kinds import WORK
from tests.web.desk import Director, make_account
from tournaments.models import Account, PasswordLink, SignInCount
from tournaments.people import password_links

pytestmark = pytest.mark.django_db

EMAIL = "nora.adams@example.org"
PASSWORD = "a shuffled pack of cards"  # nobody's
NEW = "a new pack of cards"
PAGE = "/desk/forgotten/"


@pytest.fixture(autouse=True)
def mail(settings: Any) -> None:
    cache.clear()
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.club.example", "club@club.example"


def ask(email: str = EMAIL) -> Any:
    answer = Director().fill(PAGE, "", email=email)
    for name, _since in WORK["password link"].due(timezone.now(), 100):
        WORK["password link"].run(name, timezone.now)
    return answer


def link_in(message: EmailMessage) -> str:
    found = re.search(r"http://testserver(/desk/forgotten/\w+/)", str(message.body))
    assert found is not None
    return found[1]


def sign_in(password: str, director: Director | None = None) -> Any:
    form = {"email": EMAIL, "password": password}
    return (director or Director()).fill("/desk/sign-in/", "sign-in", **form)


def test_a_link_changes_the_password_once_and_ends_all_sessions(
    mailoutbox: list[EmailMessage],
) -> None:
    make_account(password=PASSWORD)
    before = Director()
    sign_in(PASSWORD, before)
    ask("Nora.Adams@Example.org")
    (message,) = mailoutbox
    assert message.to == [EMAIL]
    path = link_in(message)
    assert path.split("/")[3] not in str(list(PasswordLink.objects.values()))
    nora = Director()
    assert nora.fill(path, "", password="short").status_code == 422  # noqa: S106
    assert nora.fill(path, "", password=NEW).headers["Location"] == "/desk/sign-in/"
    assert before.get("/desk/").status_code == 302
    assert sign_in(PASSWORD).status_code == 422
    assert sign_in(NEW).status_code == 302
    assert "has been used or has expired" in nora.get(path).content.decode()
    nora.client.post(path, {"password": PASSWORD})
    assert sign_in(PASSWORD).status_code == 422


def test_a_link_leads_to_the_public_address_whatever_the_request_called_the_service(
    mailoutbox: list[EmailMessage], settings: Any
) -> None:
    settings.PUBLIC_ADDRESS = "https://hearts.example"
    make_account(password=PASSWORD)
    ask()
    assert "https://hearts.example/desk/forgotten/" in str(mailoutbox[0].body)
    assert "testserver" not in str(mailoutbox[0].body)
    evil = Director().client.post(PAGE, {"email": EMAIL}, headers={"host": "testserver:9999"})
    assert evil.status_code == 400
    assert PasswordLink.objects.count() == 1


def test_whoever_opened_a_link_does_not_wait_for_strangers_who_guess(
    mailoutbox: list[EmailMessage],
) -> None:
    make_account(password=PASSWORD)
    SignInCount.objects.create(email=EMAIL, address="*", tries=90, since=timezone.now())
    assert sign_in(PASSWORD).status_code == 429
    ask()
    nora = Director()
    nora.fill(link_in(mailoutbox[0]), "", password=NEW)
    SignInCount.objects.create(email=EMAIL, address="*", tries=90, since=timezone.now())
    assert sign_in(NEW).status_code == 429
    assert sign_in(NEW, nora).status_code == 302


def test_the_answer_tells_nobody_whether_an_address_is_known(
    mailoutbox: list[EmailMessage],
) -> None:
    make_account(password=PASSWORD)
    known, unknown = (
        re.sub(r"value=\S+", "", ask(one).content.decode()) for one in (EMAIL, "x@y.example")
    )
    assert known == unknown
    assert len(mailoutbox) == 1


def test_one_link_is_open_and_few_are_sent_within_a_day(mailoutbox: list[EmailMessage]) -> None:
    make_account(password=PASSWORD)
    for _ in range(password_links.LINKS_MAX + 2):
        ask()
        ask()
        PasswordLink.objects.update(ends_at=timezone.now())
    assert len(mailoutbox) == password_links.LINKS_MAX
    tomorrow = timezone.now() + timedelta(days=1)
    assert password_links.delete_expired(at=tomorrow) == password_links.LINKS_MAX


def test_a_link_ends_after_a_while_and_with_the_account(mailoutbox: list[EmailMessage]) -> None:
    make_account(password=PASSWORD)
    ask()
    path = link_in(mailoutbox[0])
    assert "New password" in Director().get(path).content.decode()
    Account.objects.update(is_active=False)
    assert "has been used or has expired" in Director().get(path).content.decode()
    Account.objects.update(is_active=True)
    PasswordLink.objects.update(ends_at=timezone.now())
    assert "has been used or has expired" in Director().get(path).content.decode()


def test_without_a_mail_server_the_page_says_who_can_help(settings: Any) -> None:
    settings.EMAIL_HOST = ""
    make_account(password=PASSWORD)
    director = Director()
    assert "Whoever runs it" in director.get(PAGE).content.decode()
    director.client.post(PAGE, {"email": EMAIL})
    assert not PasswordLink.objects.exists()
