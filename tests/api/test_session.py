"""/api/v1/session and /api/v1/me: signing in and out, and who one is."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from config import settings as product
from tests.api.asking import NOW, PASSWORD, Asking, account_of, check_problem, club_of, signed_in
from tournaments.core.errors import ConflictError, RefusedError
from tournaments.models import Account, AnsweredRequest, SignInCount
from tournaments.people import accounts
from tournaments.people.accounts import NewAccount
from tournaments.people.known_devices import ACCOUNTS_MAX, COOKIE

pytestmark = pytest.mark.django_db


@pytest.fixture
def nora() -> Account:
    new = NewAccount(email="Nora@club.example", name="Nora Adams", password=PASSWORD)
    return accounts.make_account(new=new, at=NOW)


def sign_in(asking: Asking, password: str = PASSWORD, email: str = "nora@club.example") -> Any:
    return asking.post("/api/v1/session", {"email": email, "password": password})


def test_somebody_signs_in_and_is_known(nora: Account) -> None:
    asking = Asking()
    club = club_of(nora)
    answer = sign_in(asking, email="NORA@club.example")
    assert answer.status_code == 200
    found = asking.get("/api/v1/me").json()
    assert (found["name"], found["email"]) == ("Nora Adams", "nora@club.example")
    assert [(role["club"], role["roles"]) for role in found["roles"]] == [(str(club.pk), ["admin"])]
    assert answer.json()["csrf_token"]


def test_the_cookie_is_for_us_alone(nora: Account) -> None:
    cookie = sign_in(Asking()).cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_signing_out_ends_it(nora: Account) -> None:
    asking = Asking()
    sign_in(asking)
    assert asking.delete("/api/v1/session").status_code == 204
    check_problem(asking.get("/api/v1/me"), "UNAUTHENTICATED")


def test_signing_out_without_a_session_is_no_mistake() -> None:
    assert Asking().delete("/api/v1/session").status_code == 204


@pytest.mark.parametrize("email", ["nora@club.example", "nobody@club.example"])
def test_a_wrong_password_and_an_unknown_address_look_the_same(nora: Account, email: str) -> None:
    answer = sign_in(Asking(), "wrong", email)
    assert check_problem(answer, "SIGN_IN")["where"] is None
    assert "sessionid" not in answer.cookies


def test_an_account_that_was_put_aside_cannot_sign_in_and_is_signed_out(nora: Account) -> None:
    asking = Asking()
    sign_in(asking)
    Account.objects.update(is_active=False)
    check_problem(asking.get("/api/v1/me"), "UNAUTHENTICATED")
    check_problem(sign_in(Asking()), "SIGN_IN")


def test_a_new_password_ends_the_old_sessions(nora: Account) -> None:
    asking = Asking()
    sign_in(asking)
    nora.set_password("another long password")
    nora.save()
    check_problem(asking.get("/api/v1/me"), "UNAUTHENTICATED")


def test_a_pair_is_locked_after_five_failures_even_with_the_right_password(nora: Account) -> None:
    for _ in range(accounts.TRIES):
        check_problem(sign_in(Asking(), "wrong"), "SIGN_IN")
    answer = sign_in(Asking())
    check_problem(answer, "THROTTLED")
    assert 1 <= int(answer["Retry-After"]) <= 15 * 60


def test_others_behind_the_same_address_still_sign_in(nora: Account) -> None:
    for _ in range(accounts.TRIES + 1):
        sign_in(Asking(), "wrong", "victor@club.example")
    assert sign_in(Asking()).status_code == 200


def test_the_account_is_open_from_another_address(nora: Account) -> None:
    for _ in range(accounts.TRIES):
        sign_in(Asking(), "wrong")
    elsewhere = Asking(Client(REMOTE_ADDR="192.0.2.7"))
    assert sign_in(elsewhere).status_code == 200


def test_a_forged_forwarding_header_is_no_other_address(nora: Account) -> None:
    for number in range(accounts.TRIES):
        forged = Asking(headers={"X-Forwarded-For": f"192.0.2.{number}"})
        check_problem(sign_in(forged, "wrong"), "SIGN_IN")
    check_problem(sign_in(Asking(headers={"X-Forwarded-For": "192.0.2.99"})), "THROTTLED")


def test_a_success_forgets_the_failures(nora: Account) -> None:
    for _ in range(3):
        for _ in range(accounts.TRIES - 1):
            sign_in(Asking(), "wrong")
        assert sign_in(Asking()).status_code == 200
    assert not SignInCount.objects.exists()


def from_address(address: str) -> Asking:
    return Asking(Client(REMOTE_ADDR=address))


def guess(addresses: Iterable[str]) -> str | None:
    """Guess once from each address; the first from which one has to wait."""
    for address in addresses:
        answer = sign_in(from_address(address), "wrong")
        if answer.status_code != 401:
            check_problem(answer, "THROTTLED")
            return address
    return None


FAR_AND_WIDE = [f"192.0.2.{number}" for number in range(1, 100)]


def test_guesses_from_many_addresses_wait_longer_and_longer(nora: Account) -> None:
    assert guess(FAR_AND_WIDE) == FAR_AND_WIDE[accounts.TRIES_ANYWHERE]
    waits = []
    for address in FAR_AND_WIDE[20:28]:
        answer = sign_in(from_address(address), "wrong")
        check_problem(answer, "THROTTLED")
        waits.append(int(answer["Retry-After"]))
        whole = SignInCount.objects.get(address="*")
        SignInCount.objects.filter(pk=whole.pk).update(
            since=whole.since - timedelta(seconds=waits[-1])
        )
        check_problem(sign_in(from_address(address), "wrong"), "SIGN_IN")
    assert waits == [15, 30, 60, 120, 240, 480, 900, 900]


def test_what_is_refused_is_not_counted_and_looks_at_no_password(nora: Account) -> None:
    guess(FAR_AND_WIDE)
    count = SignInCount.objects.get(address="*").tries
    for address in FAR_AND_WIDE[20:40]:
        check_problem(sign_in(from_address(address)), "THROTTLED")
    assert SignInCount.objects.get(address="*").tries == count


def test_one_network_of_ipv6_counts_as_one_address(nora: Account) -> None:
    near = [f"2001:db8:0:1::{number:x}" for number in range(1, 20)]
    assert guess(near) == near[accounts.TRIES]
    check_problem(sign_in(from_address("2001:db8:0:2::1"), "wrong"), "SIGN_IN")


def test_the_owner_signs_in_on_a_device_they_used_before_while_strangers_guess(
    nora: Account,
) -> None:
    at_home, new = from_address("198.51.100.1"), from_address("198.51.100.1")
    assert sign_in(at_home).status_code == 200
    guess(FAR_AND_WIDE)
    check_problem(sign_in(new), "THROTTLED")
    at_home.delete("/api/v1/session")
    assert sign_in(at_home).status_code == 200
    # Somebody in the same room cannot keep them out either.
    guess(["198.51.100.1"] * accounts.TRIES)
    assert sign_in(at_home).status_code == 200


def test_a_known_device_has_a_few_tries_of_its_own(nora: Account) -> None:
    device = Asking()
    sign_in(device)
    for _ in range(accounts.TRIES):
        check_problem(sign_in(device, "wrong"), "SIGN_IN")
    check_problem(sign_in(device), "THROTTLED")
    assert sign_in(from_address("192.0.2.7")).status_code == 200


def test_a_device_is_known_to_no_other_account_and_cannot_be_made_up(nora: Account) -> None:
    device = Asking()
    sign_in(device)
    guess(FAR_AND_WIDE)
    forged = from_address("198.51.100.1")
    forged.client.cookies[COOKIE] = device.client.cookies[COOKIE].value[:-2] + "xx"
    check_problem(sign_in(forged), "THROTTLED")
    new = NewAccount(email="victor@club.example", name="Victor", password=PASSWORD)
    accounts.make_account(new=new, at=NOW)
    for address in FAR_AND_WIDE[: accounts.TRIES_ANYWHERE]:
        sign_in(from_address(address), "wrong", "victor@club.example")
    check_problem(sign_in(device, PASSWORD, "victor@club.example"), "THROTTLED")


def test_the_cookie_of_a_device_tells_nobody_whose_it_is(nora: Account) -> None:
    cookie = sign_in(Asking()).cookies[COOKIE]
    assert "nora" not in cookie.value
    assert cookie["httponly"]
    shared = Asking()
    for number in range(ACCOUNTS_MAX + 1):
        new = NewAccount(email=f"{number}@club.example", name="Nora", password=PASSWORD)
        accounts.make_account(new=new, at=NOW)
        sign_in(shared, email=f"{number}@club.example")
    assert len(shared.client.cookies[COOKIE].value) < 600


def test_an_owners_own_mistakes_are_forgiven_and_those_of_strangers_are_not(nora: Account) -> None:
    guess(FAR_AND_WIDE[:6])
    for _ in range(3):
        sign_in(Asking(), "wrong")
    assert sign_in(Asking()).status_code == 200
    assert SignInCount.objects.get(address="*").tries == 6


def test_a_lock_opens_by_itself_and_by_hand(nora: Account) -> None:
    for _ in range(accounts.TRIES):
        sign_in(Asking(), "wrong")
    SignInCount.objects.update(since=F("since") - accounts.COOL_OFF)
    assert sign_in(Asking()).status_code == 200
    for _ in range(accounts.TRIES):
        sign_in(Asking(), "wrong")
    assert accounts.unlock(email="Nora@club.example") == 2
    assert sign_in(Asking()).status_code == 200


def test_addresses_of_the_network_and_old_sessions_are_forgotten(nora: Account) -> None:
    sign_in(Asking())
    sign_in(Asking(), "wrong")
    since = SignInCount.objects.get(address="127.0.0.1").since
    assert accounts.delete_expired(at=since + timedelta(minutes=14)) == 0
    assert accounts.delete_expired(at=since + timedelta(minutes=16)) == 1
    assert accounts.delete_expired(at=since + timedelta(hours=25)) == 1
    assert accounts.delete_expired(at=since + timedelta(days=13)) == 0
    assert accounts.delete_expired(at=since + timedelta(days=15)) == 1


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({}, "KEY_REQUIRED"),
        ({"email": "a@b.example"}, "KEY_REQUIRED"),
        ({"email": 7, "password": "x"}, "TYPE"),
        ({"email": "a\0b", "password": "x"}, "VALUE"),
        ({"email": "a", "password": "x" * 201}, "VALUE"),
        ({"email": "a", "password": "x", "admin": True}, "KEY_UNKNOWN"),
        ([], "OBJECT_EXPECTED"),
    ],
)
def test_what_is_no_signing_in(values: Any, code: str) -> None:
    check_problem(Asking().post("/api/v1/session", values), code)


def test_a_form_of_another_site_is_not_read(nora: Account) -> None:
    kind = "application/x-www-form-urlencoded"
    answer = Asking().post("/api/v1/session", "email=a&password=b", Content_Type=kind)
    check_problem(answer, "MEDIA_TYPE")


def test_a_change_by_a_session_needs_its_token(nora: Account) -> None:
    asking = Asking(Client(enforce_csrf_checks=True))
    token = sign_in(asking).json()["csrf_token"]
    check_problem(asking.delete("/api/v1/session"), "CSRF")
    check_problem(asking.delete("/api/v1/session", X_CSRFToken="x" * 64), "CSRF")
    assert asking.delete("/api/v1/session", X_CSRFToken=token).status_code == 204


def test_a_visitor_is_told_to_sign_in() -> None:
    answer = Asking().get("/api/v1/me")
    check_problem(answer, "UNAUTHENTICATED")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_who_one_is_costs_three_questions(nora: Account, django_assert_num_queries: Any) -> None:
    asking = signed_in(nora)
    with django_assert_num_queries(3):
        asking.get("/api/v1/me")


@pytest.mark.parametrize(
    "password", ["short", "elevenchars", "password1234", "nora@club.example", "x" * 201]
)
def test_a_password_that_is_easily_guessed_is_refused(password: str) -> None:
    new = NewAccount(email="nora@club.example", name="Nora Adams", password=password)
    with pytest.raises(RefusedError):
        accounts.make_account(new=new, at=NOW)


def test_two_accounts_with_one_address_are_refused(nora: Account) -> None:
    new = NewAccount(email="NORA@club.example", name="Other", password=PASSWORD)
    with pytest.raises(ConflictError):
        accounts.make_account(new=new, at=NOW)


def test_passwords_are_stored_as_argon2(settings: Any) -> None:
    settings.PASSWORD_HASHERS = product.PASSWORD_HASHERS
    new = NewAccount(email="nora@club.example", name="Nora Adams", password=PASSWORD)
    account = accounts.make_account(new=new, at=NOW)
    assert account.password.startswith("argon2$argon2id")
    assert sign_in(Asking()).status_code == 200
    check_problem(sign_in(Asking(), "wrong"), "SIGN_IN")


def test_account_of_has_no_password() -> None:
    account_of("x@club.example")
    check_problem(sign_in(Asking(), "", "x@club.example"), "VALUE")


NEW = "twelve clubs and a lonely queen"


def change(asking: Asking, old: str = PASSWORD, new: str = NEW) -> Any:
    return asking.post("/api/v1/me/password", {"password": old, "new_password": new})


def test_one_gives_oneself_another_password_and_all_other_sessions_end(nora: Account) -> None:
    here, elsewhere = Asking(), Asking()
    sign_in(here)
    sign_in(elsewhere)
    assert change(here).status_code == 204
    assert here.get("/api/v1/me").status_code == 200
    check_problem(elsewhere.get("/api/v1/me"), "UNAUTHENTICATED")
    check_problem(sign_in(Asking()), "SIGN_IN")
    assert sign_in(Asking(), NEW).status_code == 200
    assert not AnsweredRequest.objects.exists()


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("not this one", NEW, "password"),
        (PASSWORD, PASSWORD, "new_password"),
        (PASSWORD, "short", "new_password"),
        (PASSWORD, "nora adams", "new_password"),
    ],
)
def test_a_wrong_or_a_poor_password_changes_nothing(
    nora: Account, old: str, new: str, key: str
) -> None:
    asking = Asking()
    sign_in(asking)
    found = check_problem(change(asking, old, new), "UNPROCESSABLE")
    assert found["where"]["key"] == key
    assert sign_in(Asking()).status_code == 200


def test_guessing_the_old_password_locks_as_signing_in_does(nora: Account) -> None:
    asking = Asking()
    sign_in(asking)
    answers = [change(asking, f"guess {number}") for number in range(accounts.TRIES + 1)]
    assert [one.status_code for one in answers] == [422] * accounts.TRIES + [429]
    check_problem(change(asking), "THROTTLED")


def test_programs_and_visitors_have_no_password(nora: Account) -> None:
    check_problem(change(Asking()), "UNAUTHENTICATED")
