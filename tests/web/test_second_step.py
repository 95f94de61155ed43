"""The second step of signing in: set up, asked for on every way in, recovered, removed."""

import json
import re
from datetime import datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.core import signing
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.api.asking import Asking, check_problem
from tests.scoring.club import DIRECTOR, at, make_club
from tests.web.desk import Director, Form, give_role, make_account
from tournaments.models import Account, AccountSession, AuditEntry, RecoveryCode, SecondFactor
from tournaments.people import accounts, second_factors
from tournaments.people.second_factors import app_address

pytestmark = pytest.mark.django_db

EMAIL = "nora.adams@example.org"
PASSWORD = "a shuffled pack of cards"  # nobody's
START = datetime.fromisoformat("2026-11-23T20:00:00+00:00")


class Clock:
    """The time of the service, and the app on Nora's phone, which has the same."""

    def __init__(self) -> None:
        self.now = START
        self.secret = ""

    def wait(self, seconds: float = 30) -> None:
        self.now += timedelta(seconds=seconds)

    def code(self, shift: int = 0) -> str:
        """The code that the app shows, or showed some periods before."""
        at = int(self.now.timestamp()) + 30 * shift
        return second_factors._totp(self.secret).generate(at).decode()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    cache.clear()
    clock = Clock()
    monkeypatch.setattr("django.utils.timezone.now", lambda: clock.now)
    return clock


def password_step(director: Director | None = None) -> Director:
    director = director or Director()
    director.fill("/desk/sign-in/?next=/desk/account/", "sign-in", email=EMAIL, password=PASSWORD)
    return director


def text(answer: Any) -> str:
    return " ".join(unescape(answer.content.decode()).split())


def secret_of(form: Form) -> str:
    """The secret on the page on which an app is set up, as signed there."""
    found: str = json.loads(signing.b64_decode(form.values["signed"][0].split(":")[0].encode()))
    return found


def set_up(clock: Clock) -> tuple[Director, list[str]]:
    """Nora, who has set up an app, and her recovery codes."""
    make_account(password=PASSWORD)
    director = password_step()
    form = director.form("/desk/account/app/")
    clock.secret = secret_of(form)
    answer = director.send(form, code=clock.code(), password=PASSWORD)
    assert answer.status_code == 200
    codes = re.findall(r"<li>([2-9A-Z-]{14})</li>", text(answer))
    clock.wait()
    return director, codes


def test_an_app_is_set_up_by_its_first_code(clock: Clock) -> None:
    director, codes = set_up(clock)
    assert len(set(codes)) == 10
    page = text(director.get("/desk/account/"))
    assert "Code from an app" in page
    assert "10 are left" in page
    assert codes[0] not in page


def test_a_wrong_first_code_sets_nothing_up_and_keeps_what_was_scanned(clock: Clock) -> None:
    make_account(password=PASSWORD)
    director = password_step()
    form = director.form("/desk/account/app/")
    clock.secret = secret_of(form)
    refused = director.send(form, code="000000", password=PASSWORD)
    assert refused.status_code == 422
    assert app_address(clock.secret, email=EMAIL, issuer="Painsuit testserver") in text(refused)
    assert not SecondFactor.objects.exists()
    assert director.send(form, code=clock.code(), password=PASSWORD).status_code == 200
    assert director.client.post(form.action, {"signed": "x", "code": "1"}).status_code == 404


def test_whoever_finds_a_desk_open_cannot_set_a_second_step_up(clock: Clock) -> None:
    make_account(password=PASSWORD)
    stranger = password_step()
    form = stranger.form("/desk/account/app/")
    clock.secret = secret_of(form)
    for password in ("", "a guess"):
        assert stranger.send(form, code=clock.code(), password=password).status_code == 422
    passkey = stranger.client.post("/desk/account/passkey/", {"name": "Mine", "passkey": "{}"})
    assert passkey.status_code == 422
    assert not SecondFactor.objects.exists()


def test_the_page_tells_no_secret_that_the_database_holds(clock: Clock) -> None:
    director, _ = set_up(clock)
    stored = SecondFactor.objects.get().secret
    for name in ("signed", "encrypted"):
        answer = director.client.post("/desk/account/app/", {name: stored, "code": "1"})
        assert answer.status_code == 404
    other = Director(make_account("Victor", password=PASSWORD))
    theirs = other.form("/desk/account/app/").values["signed"][0]
    answer = director.client.post("/desk/account/app/", {"signed": theirs, "code": "1"})
    assert answer.status_code == 404


def test_the_code_is_asked_for_after_the_password(clock: Clock) -> None:
    set_up(clock)
    new = password_step()
    assert new.get("/desk/").status_code == 302
    refused = new.fill("/desk/sign-in/code/", "", code="000000")
    assert refused.status_code == 422
    assert new.get("/desk/").status_code == 302
    inside = new.fill("/desk/sign-in/code/", "", code=f" {clock.code()[:3]} {clock.code()[3:]} ")
    assert inside.headers["Location"] == "/desk/account/"
    assert new.get("/desk/").status_code == 200
    assert new.get("/desk/sign-in/code/").status_code == 302


def test_a_code_holds_once_and_for_about_a_minute(clock: Clock) -> None:
    set_up(clock)
    first, second = password_step(), password_step()
    code = clock.code()
    assert first.fill("/desk/sign-in/code/", "", code=code).status_code == 302
    assert second.fill("/desk/sign-in/code/", "", code=code).status_code == 422
    clock.wait(90)
    assert second.fill("/desk/sign-in/code/", "", code=clock.code(-2)).status_code == 422
    assert second.fill("/desk/sign-in/code/", "", code=clock.code(-1)).status_code == 302


def test_the_password_holds_for_ten_minutes_and_until_it_changes(clock: Clock) -> None:
    set_up(clock)
    slow = password_step()
    clock.wait(11 * 60)
    assert slow.get("/desk/sign-in/code/").headers["Location"] == "/desk/sign-in/"
    other = password_step()
    accounts.change_password(email=EMAIL, password="another pack of cards")  # noqa: S106
    assert other.get("/desk/sign-in/code/").headers["Location"] == "/desk/sign-in/"


def test_a_recovery_code_lets_in_once(clock: Clock) -> None:
    _, codes = set_up(clock)
    typed = codes[3].lower().replace("-", " ")
    assert password_step().fill("/desk/sign-in/code/", "", code=typed).status_code == 302
    assert password_step().fill("/desk/sign-in/code/", "", code=typed).status_code == 422
    assert RecoveryCode.objects.count() == 9


def test_guesses_at_the_code_are_slowed_and_the_owner_is_not_kept_out(clock: Clock) -> None:
    owner, _ = set_up(clock)
    owner.fill("/desk/", "sign-out")
    thief = password_step(Director())
    form = thief.form("/desk/sign-in/code/")
    answers = [thief.send(form, code="000000").status_code for _ in range(6)]
    assert answers == [422] * 5 + [429]
    last = 0
    for number in range(20):
        elsewhere = Director()
        elsewhere.client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        cache.clear()
        password_step(elsewhere)
        last = elsewhere.send(form, code="000000").status_code
    assert last == 429
    password_step(owner)
    assert owner.fill("/desk/sign-in/code/", "", code=clock.code()).status_code == 302


def test_the_api_asks_for_the_code_too(clock: Clock) -> None:
    _, codes = set_up(clock)
    sent = {"email": EMAIL, "password": PASSWORD}
    check_problem(Asking().post("/api/v1/session", sent), "SECOND_FACTOR")
    check_problem(Asking().post("/api/v1/session", sent | {"code": "000000"}), "SECOND_FACTOR")
    wrong = {"email": EMAIL, "password": "wrong", "code": clock.code()}
    check_problem(Asking().post("/api/v1/session", wrong), "SIGN_IN")
    asking = Asking()
    assert asking.post("/api/v1/session", sent | {"code": clock.code()}).status_code == 200
    assert asking.get("/api/v1/me").status_code == 200
    assert Asking().post("/api/v1/session", sent | {"code": codes[0]}).status_code == 200


def test_the_admin_asks_for_the_code_too(clock: Clock) -> None:
    set_up(clock)
    accounts.set_superuser(email=EMAIL, is_superuser=True, by=DIRECTOR, at=at())
    director = password_step()
    assert director.get(reverse("admin:index")).status_code == 302
    director.fill("/desk/sign-in/code/", "", code=clock.code())
    assert director.get(reverse("admin:index")).status_code == 200


def test_another_second_step_ends_the_other_sessions(clock: Clock) -> None:
    make_account(password=PASSWORD)
    other = password_step()
    here = password_step()
    form = here.form("/desk/account/app/")
    clock.secret = secret_of(form)
    here.send(form, code=clock.code(), password=PASSWORD)
    assert other.get("/desk/").status_code == 302
    assert here.get("/desk/").status_code == 200


def test_taking_it_off_asks_for_the_password(clock: Clock) -> None:
    director, _ = set_up(clock)
    path = f"/desk/account/second-step/{SecondFactor.objects.get().pk}/"
    assert director.fill(path, "", password="wrong").status_code == 422  # noqa: S106
    assert SecondFactor.objects.exists()
    assert "This is your last one" in text(director.get(path))
    director.fill(path, "", password=PASSWORD)
    assert not SecondFactor.objects.exists()
    assert not RecoveryCode.objects.exists()
    assert password_step().get("/desk/").status_code == 200


def test_nobody_takes_off_what_is_somebody_elses(clock: Clock) -> None:
    set_up(clock)
    stranger = Director(make_account("Victor", password=PASSWORD))
    path = f"/desk/account/second-step/{SecondFactor.objects.get().pk}/"
    assert stranger.get(path).status_code == 404
    assert stranger.client.post(path, {"password": PASSWORD}).status_code == 302
    assert SecondFactor.objects.exists()


def test_new_recovery_codes_end_the_old_ones(clock: Clock) -> None:
    director, old = set_up(clock)
    assert director.fill("/desk/account/codes/", "", password="x").status_code == 422  # noqa: S106
    answer = director.fill("/desk/account/codes/", "", password=PASSWORD)
    new = re.findall(r"<li>([2-9A-Z-]{14})</li>", text(answer))
    assert len(new) == 10
    assert "no-store" in answer.headers["Cache-Control"]
    assert password_step().fill("/desk/sign-in/code/", "", code=old[0]).status_code == 422
    assert password_step().fill("/desk/sign-in/code/", "", code=new[0]).status_code == 302


def test_the_database_shows_no_secret_and_no_recovery_code(clock: Clock) -> None:
    director, codes = set_up(clock)
    director.get("/desk/account/app/")
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM tournaments_secondfactor")
        stored = str(cursor.fetchall())
        cursor.execute("SELECT digest FROM tournaments_recoverycode")
        stored += str(cursor.fetchall())
        cursor.execute("SELECT session_data FROM tournaments_accountsession")
        stored += str(cursor.fetchall())
    assert clock.secret not in stored
    assert not [code for code in codes if code in stored]


def test_an_operator_takes_a_lost_second_step_off(clock: Clock) -> None:
    director, _ = set_up(clock)
    club = make_club()
    give_role(Account.objects.get(), club, "admin")
    call_command("account", EMAIL, "--no-second-step")
    assert not SecondFactor.objects.exists()
    assert not AccountSession.objects.filter(account__isnull=False).exists()
    assert director.get("/desk/").status_code == 302
    noted = AuditEntry.objects.get(club_id=club.pk, what="second step taken off")
    assert noted.by == "system"
    assert password_step().get("/desk/").status_code == 200
    with pytest.raises(CommandError, match="Nothing but the password"):
        call_command("account", EMAIL, "--no-second-step")


def test_a_club_can_ask_its_admins_for_a_second_step(clock: Clock) -> None:
    make_account(password=PASSWORD)
    club = make_club()
    give_role(Account.objects.get(), club, "admin")
    give_role(make_account("Victor"), club, "director")
    club.admins_need_second_factor = True
    club.save()
    admin, director = password_step(), Director(Account.objects.get(name="Victor"))
    path = f"/desk/clubs/{club.pk}/"
    assert director.get(path).status_code == 200
    led = admin.get(f"{path}members/")
    assert led.headers["Location"] == "/desk/account/"
    assert "This club asks its admins for a second step" in text(admin.get("/desk/account/"))
    asking = Asking(admin.client)
    check_problem(asking.get(f"/api/v1/clubs/{club.pk}/players"), "SECOND_FACTOR_NEEDED")
    form = admin.form("/desk/account/app/")
    clock.secret = secret_of(form)
    admin.send(form, code=clock.code(), password=PASSWORD)
    assert admin.get(f"{path}members/").status_code == 200


def test_a_made_up_answer_of_a_passkey_lets_nobody_in(clock: Clock) -> None:
    set_up(clock)
    thief = password_step()
    for answer in ("x", "{}", "[" * 5000, '{"id": 1}', '{"id":"YQ","rawId":"YQ","response":{}}'):
        assert thief.fill("/desk/sign-in/code/", "", passkey=answer).status_code == 422
    assert thief.get("/desk/").status_code == 302


def test_after_a_restore_without_the_key_an_operator_lets_somebody_in(
    clock: Clock, settings: Any
) -> None:
    set_up(clock)
    row = SecondFactor.objects.get()
    SecondFactor.objects.create(
        account=row.account, kind="passkey", name="x", secret=row.secret, made_at=clock.now
    )
    settings.SECRET_KEY = "another key, as a restored backup finds it"
    nora = password_step()
    assert nora.fill("/desk/sign-in/code/", "", code=clock.code()).status_code == 422
    call_command("account", EMAIL, "--no-second-step")
    nora = password_step()
    assert nora.get("/desk/account/").status_code == 200
