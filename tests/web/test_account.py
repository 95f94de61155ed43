"""The page of one's own account: where one is signed in, and what ends that."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.db.models import QuerySet
from django.utils import timezone

from tests.web.desk import Director, make_account
from tournaments.models import AccountSession
from tournaments.people import accounts, sessions

pytestmark = pytest.mark.django_db

PASSWORD = "a shuffled pack of cards"  # nobody's
ANOTHER = "a new pack of cards"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"
PAGE = "/desk/account/"


@pytest.fixture(autouse=True)
def _no_throttle() -> None:
    cache.clear()


def signed_in(agent: str = "Firefox/140.0 (Windows)", email: str = "") -> Director:
    director = Director()
    director.client.defaults["HTTP_USER_AGENT"] = agent
    values = {"email": email or "nora.adams@example.org", "password": PASSWORD}
    director.fill("/desk/sign-in/", "sign-in", **values)
    return director


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_somebody_sees_where_they_are_signed_in_and_ends_one() -> None:
    make_account(password=PASSWORD)
    here, phone = signed_in(), signed_in(PHONE)
    page = text(here.get(PAGE))
    assert "Firefox, Windows" in page
    assert "Safari, iPhone" in page
    assert page.count("this device") == 1
    assert "127.0.0.*" in page
    assert "127.0.0.1" not in page
    there = AccountSession.objects.get(user_agent=PHONE)
    here.fill(PAGE, "account", device=there.session_key)
    assert phone.get(PAGE).status_code == 302
    assert "Safari, iPhone" not in text(here.get(PAGE))


def test_all_others_are_signed_out_at_once() -> None:
    make_account(password=PASSWORD)
    here, *others = [signed_in() for _ in range(3)]
    here.client.post(PAGE, {"others": "1", "key": "01890000-0000-7000-8000-000000000000"})
    assert "2 other devices are signed out." in text(here.get(PAGE))
    assert [one.get(PAGE).status_code for one in others] == [302, 302]


def test_signing_out_this_device_leads_to_the_sign_in_page() -> None:
    make_account(password=PASSWORD)
    here = signed_in()
    key = AccountSession.objects.get().session_key
    answer: Any = here.client.post(PAGE, {"device": key})
    assert answer.headers["Location"] == "/desk/sign-in/"
    assert here.get(PAGE).status_code == 302


def test_nobody_ends_the_session_of_somebody_else() -> None:
    make_account(password=PASSWORD)
    make_account("Victor", password=PASSWORD)
    nora, victor = signed_in(), signed_in(email="victor@example.org")
    key = AccountSession.objects.get(account__email="nora.adams@example.org").session_key
    victor.fill(PAGE, "account", device=key)
    assert nora.get(PAGE).status_code == 200


def test_another_password_ends_all_sessions_but_this_one() -> None:
    make_account(password=PASSWORD)
    here, other = signed_in(), signed_in()
    form = {"password": PASSWORD, "new_password": ANOTHER}
    here.fill("/desk/password/", "", **form)
    assert AccountSession.objects.count() == 1
    assert here.get(PAGE).status_code == 200
    assert other.get(PAGE).status_code == 302
    accounts.change_password(email="nora.adams@example.org", password=PASSWORD)
    assert not AccountSession.objects.exists()
    assert here.get(PAGE).status_code == 302


def test_the_database_holds_no_key_that_signs_anybody_in() -> None:
    make_account(password=PASSWORD)
    here = signed_in()
    key = here.client.cookies["sessionid"].value
    with connection.cursor() as cursor:
        cursor.execute("SELECT session_key, session_data FROM tournaments_accountsession")
        ((stored, data),) = cursor.fetchall()
    assert key not in (stored, data)
    thief = Director()
    thief.client.cookies["sessionid"] = stored
    assert thief.get(PAGE).status_code == 302


def test_a_page_is_read_while_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    make_account(password=PASSWORD)
    here = signed_in()
    AccountSession.objects.update(used_at=timezone.now() - timedelta(days=1))

    def fail(*_args: object, **_fields: object) -> int:
        raise OperationalError("database or disk is full")

    with monkeypatch.context() as full:
        full.setattr(QuerySet, "update", fail)
        assert here.get("/desk/").status_code == 200


def test_when_a_session_was_used_is_known_to_an_hour() -> None:
    make_account(password=PASSWORD)
    here = signed_in()
    rows = AccountSession.objects.all()
    before = timezone.now() - timedelta(minutes=50)
    rows.update(used_at=before)
    here.get("/desk/")
    assert rows.get().used_at == before
    rows.update(used_at=before - timedelta(hours=1))
    here.get("/desk/")
    used_at = rows.get().used_at
    assert used_at is not None
    assert used_at > before
    assert not sessions.delete_expired(at=timezone.now())
