"""Names written from the right in mails, in texts to send round and in previews of links."""

import re
from email.utils import parseaddr
from typing import Any
from uuid import UUID

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone

from scoring.handouts.properties import SheetOrder
from scoring.handouts.result_mail import MailOrder, enqueue_result_mails, write_result_text
from scoring.jobs.kinds import WORK
from scoring.ledger.netting import Payment
from scoring.models import Game
from scoring.presentation.payments import payment_sentences
from tests.scoring.club import DIRECTOR
from tests.web.desk import Director, director_of
from tests.web.test_link_previews import preview_of
from tests.web.window import Window, publish_all
from tournaments.models import Account, Club, Event, League, Person, RuleSet
from tournaments.people import player_devices

pytestmark = pytest.mark.django_db
NAME = "שלום כהן"
ISOLATED = re.compile("\u2068[^\u2068\u2069]*\u2069")


def check(text: str) -> None:
    """Fail where a name from the right stands in a text without being isolated, or none does."""
    assert ISOLATED.search(text), text
    assert not re.search("[\u0590-\u05ff]", ISOLATED.sub("", text)), text


@pytest.fixture
def window(window: Window) -> Window:
    found = window
    Club.objects.update(name=NAME, venue=NAME)
    Event.objects.update(name=NAME)
    for game in Game.objects.all():
        Game.objects.filter(pk=game.pk).update(name=game.name.replace(found.event.name, NAME))
    League.objects.update(name=NAME)
    RuleSet.objects.update(name=NAME)
    Person.objects.update(name=NAME)
    publish_all()
    found.event.refresh_from_db()
    return found


@pytest.fixture
def mails(window: Window, settings: Any, mailoutbox: list[EmailMessage]) -> list[EmailMessage]:
    """One of each kind that the service sends to people."""
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.club.example", "a@club.example"
    at, site = timezone.now(), "https://hearts.example"
    first, second = Person.objects.order_by("player__number")[:2]
    for person, email in ((first, "a@x.example"), (second, "b@x.example")):
        confirmed = email if person is first else ""
        Person.objects.filter(pk=person.pk).update(
            email=email, confirmed_email=confirmed, gets_results=True
        )
    player_devices.request_link(player_id=first.player_id, site=site, language="en", at=at)
    order = MailOrder(site=site, language="en", has_money=True)
    enqueue_result_mails(event_id=window.event.pk, order=order, by=DIRECTOR, at=at)
    admin = director_of(window.club, "admin")
    Account.objects.update(name=NAME)
    page = f"/desk/clubs/{window.club.pk}/invitations/"
    admin.fill(page, "", kind="director", email="c@x.example")
    Director().fill("/desk/forgotten/", "", email=Account.objects.get().email)
    for kind in ("sign-in link", "password link", "invitation", "result mail"):
        for name, _since in WORK[kind].due(timezone.now(), 100):
            WORK[kind].run(name, timezone.now)
    assert len(mailoutbox) == 5
    return mailoutbox


def test_mails_keep_their_order_around_a_name(mails: list[EmailMessage]) -> None:
    for mail in mails:
        check(str(mail.body))
        subject = str(mail.subject)
        if re.search("[\u0590-\u05ff]", subject):
            check(subject)


def test_mails_say_that_no_person_typed_them(mails: list[EmailMessage]) -> None:
    for mail in mails:
        headers = mail.message()
        assert headers["Auto-Submitted"] == "auto-generated"
        assert parseaddr(headers["Message-ID"])[1].endswith("@testserver")
    assert len({mail.message()["Message-ID"] for mail in mails}) == len(mails)


def test_a_text_to_send_round_keeps_its_order_around_a_name(window: Window) -> None:
    order = SheetOrder(at=timezone.now(), site="https://hearts.example")
    check(write_result_text(window.event, order))
    first, second = window.players[:2]
    names = {str(first.pk): NAME, str(second.pk): f"{NAME} (2)"}
    payment: Payment[UUID | None] = Payment(payer=first.pk, payee=second.pk, amount=150)
    (sentence,) = payment_sentences([payment], names, "EUR")
    assert sentence.startswith(f"\u2068{NAME}\u2069 pays \u2068{NAME} (2)\u2069 1.50")


@pytest.mark.parametrize("page", ["club", "event", "league", "player", "game", "hand"])
def test_a_preview_keeps_its_order_around_a_name(window: Window, page: str) -> None:
    found = preview_of(window, page)
    check(found["og:title"])
    for text in (found["og:title"], found["og:description"]):
        assert not re.search("[\u0590-\u05ff]", ISOLATED.sub("", text)), text
