"""Invitations: an account and a role for who was asked, once, in time, and by who may ask."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.api.asking import (
    PASSWORD,
    Asking,
    account_of,
    check_problem,
    club_of,
    role_of,
    signed_in,
)
from tournaments import audit
from tournaments.core.errors import GoneError
from tournaments.models import Account, AnsweredRequest, AuditEntry, Club, Role, RoleKind
from tournaments.people import invitations
from tournaments.people.invitations import LIFE, Acceptance

pytestmark = pytest.mark.django_db
KEY = "0193f000-0000-7000-8000-00000000000b"
GUEST = {"email": "Guest@club.example", "kind": "director"}


@pytest.fixture
def nora() -> Account:
    return account_of("nora@club.example")


@pytest.fixture
def club(nora: Account) -> Club:
    return club_of(nora)


def invited(club: Club, by: Account, **values: str) -> Any:
    path = f"/api/v1/clubs/{club.pk}/invitations"
    return signed_in(by).post(path, {**GUEST, **values}, Idempotency_Key=KEY)


def accept(invitation: str, **values: str) -> Any:
    body = {"invitation": invitation, "name": "A Guest", "password": PASSWORD, **values}
    return Asking().post("/api/v1/invitations", body)


def test_a_guest_makes_an_account_and_has_the_role(club: Club, nora: Account) -> None:
    made = invited(club, nora)
    assert made.status_code == 201
    token = made.json()["invitation"]
    assert invited(club, nora).json() == {**made.json(), "invitation": None}
    assert token.encode() not in bytes(AnsweredRequest.objects.get().answer)
    accepted = accept(token)
    assert accepted.status_code == 201
    assert accepted.json()["kind"] == "director"
    guest = Account.objects.get(email="guest@club.example")
    assert guest.check_password(PASSWORD)
    assert list(Role.objects.filter(account=guest).values_list("club", "kind")) == [
        (club.pk, "director")
    ]
    assert AnsweredRequest.objects.count() == 1
    told = str(list(AuditEntry.objects.values_list("what", "details")))
    assert "guest@club.example" not in told.lower()
    assert not list(audit.find_broken_entries(club.pk))
    check_problem(accept(token), "GONE")


def test_a_federation_invites_too(club: Club) -> None:
    federal = account_of("federal@club.example")
    role_of(federal, None, RoleKind.FEDERATION)
    assert accept(invited(club, federal).json()["invitation"]).status_code == 201


def test_an_invitation_is_worth_nothing_once_its_host_may_invite_no_longer(
    club: Club, nora: Account
) -> None:
    token = invited(club, nora).json()["invitation"]
    Role.objects.filter(account=nora).delete()
    check_problem(accept(token), "GONE")
    assert not Account.objects.filter(email="guest@club.example").exists()


def test_an_invitation_holds_for_a_week(club: Club, nora: Account) -> None:
    token = invited(club, nora).json()["invitation"]
    acceptance = Acceptance(invitation=token, name="A Guest", password=PASSWORD)
    with pytest.raises(GoneError):
        invitations.accept(acceptance=acceptance, at=timezone.now() + LIFE + timedelta(seconds=1))
    late = timezone.now() + LIFE - timedelta(minutes=1)
    assert invitations.accept(acceptance=acceptance, at=late).kind == RoleKind.DIRECTOR


@pytest.mark.parametrize("change", ["", "x", "{}", "eyJjbHViIjoiMSJ9:AAAA", "\u2660", "a:b:c"])
def test_what_nobody_signed_is_no_invitation(change: str) -> None:
    assert accept(change).status_code in (400, 404, 422)
    assert not Account.objects.exists()


def test_a_letter_changed_spoils_it(club: Club, nora: Account) -> None:
    token = invited(club, nora).json()["invitation"]
    for at in (0, len(token) // 2, len(token) - 2):
        other = "A" if token[at] != "A" else "B"
        check_problem(accept(token[:at] + other + token[at + 1 :]), "NOT_FOUND")


def test_a_poor_password_uses_nothing_up(club: Club, nora: Account) -> None:
    token = invited(club, nora).json()["invitation"]
    short = "short"
    found = check_problem(accept(token, password=short), "UNPROCESSABLE")
    assert found["where"]["key"] == "password"
    assert accept(token).status_code == 201


def test_who_has_an_account_is_given_the_role_instead(club: Club, nora: Account) -> None:
    found = check_problem(invited(club, nora, email="NORA@club.example"), "UNPROCESSABLE")
    assert found["where"]["key"] == "email"
