"""The code of the first account: made anew, used once, worth nothing after that."""

import io
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.password_validation import (
    MinimumLengthValidator,
    get_default_password_validators,
)
from django.core.management import CommandError, call_command

from tests.scoring.club import at
from tournaments.access.rights import Asker, RoleInClub
from tournaments.core.actors import Source
from tournaments.core.errors import GoneError, RefusedError, TooOftenError
from tournaments.models import Account, AuditEntry, Club, SetupCode
from tournaments.people import accounts
from tournaments.people.accounts import TRIES, NewAccount
from tournaments.people.setup_code import LIFE, FirstAccount, make_first_account, make_setup_code

pytestmark = pytest.mark.django_db
PASSWORD = "a shuffled pack of cards"
SHORT, COMMON = "short", "password1234"


def make(code: str, **fields: Any) -> tuple[Account, Club]:
    new = {"email": "Pat@club.example", "name": "Pat Reed", "password": PASSWORD} | fields
    when = new.pop("at", at())
    first = FirstAccount(account=NewAccount(**new), club={"name": "Tuesday Hearts"})
    return make_first_account(code=code, first=first, address="10.0.0.7", at=when)


def test_the_code_makes_an_account_that_runs_a_club() -> None:
    account, club = make(make_setup_code(at=at()))
    assert account.email == "pat@club.example"
    assert account.check_password(PASSWORD)
    assert not account.is_superuser
    asker = Asker.of_account(account, Source.PAGE)
    assert asker.roles == {club.pk: frozenset({RoleInClub.ADMIN})}
    assert AuditEntry.objects.get().club_id == club.pk


def test_the_code_is_random_and_only_its_digest_is_kept() -> None:
    first, second = make_setup_code(at=at()), make_setup_code(at=at())
    assert first != second
    row = SetupCode.objects.get()
    assert second not in str(vars(row))
    with pytest.raises(RefusedError, match="not the code"):
        make(first)
    make(second)


def test_a_code_may_be_typed_in_small_letters_and_without_hyphens() -> None:
    code = make_setup_code(at=at())
    make(f" {code.replace('-', ' ').lower()} ")


def test_a_code_is_used_once() -> None:
    code = make_setup_code(at=at())
    make(code)
    assert not SetupCode.objects.exists()
    with pytest.raises(GoneError):
        make(code, email="second@club.example")
    with pytest.raises(GoneError):
        make_setup_code(at=at())
    assert (Account.objects.count(), Club.objects.count()) == (1, 1)


def test_an_account_made_in_another_way_ends_the_code() -> None:
    code = make_setup_code(at=at())
    new = NewAccount(email="nora@club.example", name="Nora", password=PASSWORD)
    accounts.make_account(new=new, at=at())
    assert not SetupCode.objects.exists()
    with pytest.raises(GoneError):
        make(code)


def test_a_code_ends_after_a_day() -> None:
    code = make_setup_code(at=at())
    with pytest.raises(RefusedError, match="expired"):
        make(code, at=at() + LIFE)
    make(code, at=at() + LIFE - timedelta(seconds=1))


def test_wrong_codes_are_counted_and_right_ones_are_not() -> None:
    code = make_setup_code(at=at())
    for _ in range(TRIES + 1):
        with pytest.raises(RefusedError, match="too common"):
            make(code, password=COMMON)
    for _ in range(TRIES):
        with pytest.raises(RefusedError, match="not the code"):
            make("WRONG")
    with pytest.raises(TooOftenError):
        make(code)
    make(code, at=at() + accounts.COOL_OFF)


def test_nothing_is_made_of_a_refused_form() -> None:
    code = make_setup_code(at=at())
    with pytest.raises(RefusedError):
        make(code, password=SHORT)
    assert not Account.objects.exists()
    assert not Club.objects.exists()
    make(code)


def test_pages_say_the_length_of_a_password_that_the_settings_ask_for() -> None:
    found = get_default_password_validators()
    lengths = [one.min_length for one in found if isinstance(one, MinimumLengthValidator)]
    assert lengths == [accounts.PASSWORD_LEAST]


def test_the_command_prints_an_address_until_there_is_an_account() -> None:
    out = io.StringIO()
    call_command("setup_code", site="https://hearts.example", stdout=out)
    address, _, code = out.getvalue().strip().partition("#")
    assert address == "https://hearts.example/desk/set-up/"
    make(code)
    with pytest.raises(CommandError, match="has an account"):
        call_command("setup_code")
