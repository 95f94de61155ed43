"""Every write is applied once for its key, and answered alike however often it is sent."""

import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.test import Client
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
from tournaments import audit, idempotency
from tournaments.idempotency import RequestKey
from tournaments.models import Account, AnsweredRequest, ApiKey, AuditEntry, Club, RoleKind
from tournaments.models import SignInCount as Counted
from tournaments.people import accounts
from tournaments.people.accounts import NewAccount

KEY = "0193f000-0000-7000-8000-00000000000a"
CLUBS = "/api/v1/clubs"

db = pytest.mark.django_db


@pytest.fixture
def nora() -> Account:
    return account_of("nora@club.example")


@pytest.fixture
def asking(nora: Account) -> Asking:
    return signed_in(nora)


@db
def test_a_write_without_a_key_is_refused(asking: Asking) -> None:
    found = check_problem(asking.post(CLUBS, {"name": "A"}, Idempotency_Key=""), "KEY_REQUIRED")
    assert found["where"] == {"key": "Idempotency-Key"}
    assert not Club.objects.exists()


@db
@pytest.mark.parametrize("key", ["7", "x" * 36, "{" + KEY + "}", KEY.replace("-", ""), KEY + "\t7"])
def test_a_key_is_a_uuid(asking: Asking, key: str) -> None:
    check_problem(asking.post(CLUBS, {"name": "A"}, Idempotency_Key=key), "VALUE")


@db
def test_the_same_twice_is_applied_once_and_answered_alike(asking: Asking) -> None:
    first = asking.post(CLUBS, {"name": "Zoë's"}, Idempotency_Key=KEY)
    second = asking.post(CLUBS, {"name": "Zoë's"}, Idempotency_Key=KEY.upper())
    assert first.status_code == second.status_code == 201
    assert first.content == second.content
    for header in ("ETag", "Location", "Content-Type", "Cache-Control"):
        assert first[header] == second[header]
    assert "Idempotent-Replay" not in first
    assert second["Idempotent-Replay"] == "true"
    assert Club.objects.count() == AuditEntry.objects.count() == 1


@db
def test_the_order_of_keys_and_the_blanks_between_make_no_other_request(asking: Asking) -> None:
    asking.post(CLUBS, '{"name": "A", "is_public": true}', Idempotency_Key=KEY)
    again = asking.post(CLUBS, '{"is_public":true,\n"name":"A"}', Idempotency_Key=KEY)
    assert again.status_code == 201
    assert again["Idempotent-Replay"] == "true"


@db
def test_the_same_key_with_another_body_is_told_the_difference(asking: Asking) -> None:
    asking.post(CLUBS, {"name": "A", "currency": "EUR"}, Idempotency_Key=KEY)
    answer = asking.post(CLUBS, {"name": "B" * 300, "is_public": None}, Idempotency_Key=KEY)
    found = check_problem(answer, "KEY_REUSED")
    assert found["difference"] == {
        "name": {"before": "A", "now": "B" * 200 + "…"},
        "currency": {"before": "EUR", "now": None},
        "is_public": {"before": None, "now": None},
    }
    assert Club.objects.count() == 1


@db
def test_the_same_key_at_another_address_is_refused(asking: Asking, nora: Account) -> None:
    club = club_of(nora)
    asking.post(CLUBS, {"name": "A"}, Idempotency_Key=KEY)
    answer = asking.patch(f"{CLUBS}/{club.pk}", {"name": "A"}, Idempotency_Key=KEY, If_Match='"1"')
    found = check_problem(answer, "KEY_REUSED")
    assert found["request"]["before"] == f"POST {CLUBS}"
    assert found["request"]["now"] == f"PATCH {CLUBS}/{club.pk}"


@db
def test_a_key_belongs_to_its_asker(asking: Asking) -> None:
    other = signed_in(account_of("victor@club.example"))
    assert asking.post(CLUBS, {"name": "A"}, Idempotency_Key=KEY).status_code == 201
    assert other.post(CLUBS, {"name": "B"}, Idempotency_Key=KEY).status_code == 201


@db
def test_an_error_is_not_kept(asking: Asking) -> None:
    wrong = asking.post(CLUBS, {"name": "A", "currency": "eur"}, Idempotency_Key=KEY)
    check_problem(wrong, "UNPROCESSABLE")
    assert not AnsweredRequest.objects.exists()
    assert asking.post(CLUBS, {"name": "A"}, Idempotency_Key=KEY).status_code == 201


@db
def test_a_failure_in_the_middle_leaves_nothing(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_more: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(audit, "note", fail)
    answer = asking.post(CLUBS, {"name": "A"}, Idempotency_Key=KEY)
    check_problem(answer, "INTERNAL")
    assert b"secret" not in answer.content
    assert not Club.objects.exists()
    assert not AnsweredRequest.objects.exists()


@db
def test_a_busy_database_says_so_and_when_to_come_again(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_args: object, **_more: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(audit, "note", locked)
    answer = asking.post(CLUBS, {"name": "A"})
    check_problem(answer, "BUSY")
    assert answer["Retry-After"] == "1"


@db
def test_a_deadlock_is_tried_again(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    class DeadlockError(Exception):
        sqlstate = "40P01"

    tries, note = [], audit.note

    def deadlock_once(*args: Any, **more: Any) -> Any:
        tries.append(1)
        if len(tries) == 1:
            raise OperationalError("deadlock detected") from DeadlockError()
        return note(*args, **more)

    monkeypatch.setattr(audit, "note", deadlock_once)
    assert asking.post(CLUBS, {"name": "A"}).status_code == 201
    assert len(tries) == 2
    assert Club.objects.count() == 1


@db
def test_a_replay_is_given_to_who_may_no_longer_do_it(asking: Asking, nora: Account) -> None:
    club = club_of(account_of("admin@club.example"), is_public=False)
    role = role_of(nora, club, RoleKind.PLAYER)
    path = f"{CLUBS}/{club.pk}/roles/{role.pk}"
    answers = [asking.delete(path, Idempotency_Key=KEY) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [204, 204]
    check_problem(asking.delete(path), "NOT_FOUND")


@db
def test_a_replay_with_content_asks_again_who_may_know_it(asking: Asking, nora: Account) -> None:
    club = club_of(account_of("admin@club.example"), is_public=False)
    role = role_of(nora, club, RoleKind.ADMIN)
    path = f"{CLUBS}/{club.pk}/players"
    asked = {"name": "Zoë Maes"}
    first = asking.post(path, asked, Idempotency_Key=KEY)
    assert first.status_code == 201
    assert asking.post(path, asked, Idempotency_Key=KEY).content == first.content
    role.delete()
    check_problem(asking.post(path, asked, Idempotency_Key=KEY), "NOT_FOUND")
    club.is_public = True
    club.save()
    check_problem(asking.post(path, asked, Idempotency_Key=KEY), "FORBIDDEN")
    role_of(nora, club, RoleKind.ADMIN)
    again = asking.post(path, asked, Idempotency_Key=KEY)
    assert (again.content, again["Idempotent-Replay"]) == (first.content, "true")


@db
def test_a_secret_is_shown_once_and_kept_nowhere(asking: Asking, nora: Account) -> None:
    path = f"{CLUBS}/{club_of(nora).pk}/keys"
    values = {"name": "Results", "kind": "player", "scopes": ["club.read"]}
    first = asking.post(path, values, Idempotency_Key=KEY).json()
    second = asking.post(path, values, Idempotency_Key=KEY).json()
    assert first["key"].startswith("psk_")
    assert second == {**first, "key": None}
    assert ApiKey.objects.count() == 1
    assert first["key"].encode() not in bytes(AnsweredRequest.objects.get().answer)


@db
def test_answers_are_kept_for_thirty_days(asking: Asking) -> None:
    asking.post(CLUBS, {"name": "A"})
    now = timezone.now()
    assert idempotency.delete_expired(at=now + timedelta(days=29)) == 0
    assert idempotency.delete_expired(at=now + timedelta(days=31)) == 1


@db
def test_a_replay_costs_one_question_more_than_knowing_who_asks(
    asking: Asking, django_assert_num_queries: Any
) -> None:
    asking.post(CLUBS, {"name": "A"}, Idempotency_Key=KEY)
    with django_assert_num_queries(4):
        asking.post(CLUBS, {"name": "A"}, Idempotency_Key=KEY)


def at_once(work: Callable[[int], Any], count: int = 16) -> Sequence[Any]:
    """Do the same from many threads, each with a connection of its own."""

    def closing(number: int) -> Any:
        try:
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(closing, range(count)))


@pytest.fixture
def somebody(shared_database: None) -> Account:
    return account_of(f"{uuid.uuid4()}@club.example")


def test_many_copies_at_once_are_applied_once(somebody: Account) -> None:
    askers = [signed_in(somebody) for _ in range(16)]
    answers = at_once(lambda n: askers[n].post(CLUBS, {"name": "A"}, Idempotency_Key=KEY))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replay" not in answer for answer in answers) == 1
    assert Club.objects.count() == AuditEntry.objects.count() == 1


def test_of_many_bodies_under_one_key_one_stands(somebody: Account) -> None:
    askers = [signed_in(somebody) for _ in range(8)]
    answers = at_once(
        lambda n: askers[n].post(CLUBS, {"name": f"Club {n}"}, Idempotency_Key=KEY), 8
    )
    assert sorted(answer.status_code for answer in answers) == [201, *[409] * 7]
    refused = [answer.json() for answer in answers if answer.status_code == 409]
    assert {found["code"] for found in refused} == {"KEY_REUSED"}
    assert Club.objects.count() == 1


def test_many_editors_of_one_version_and_one_of_them_succeeds(somebody: Account) -> None:
    club = club_of(somebody)
    askers = [signed_in(somebody) for _ in range(16)]
    answers = at_once(
        lambda n: askers[n].patch(f"{CLUBS}/{club.pk}", {"name": f"Name {n}"}, If_Match='"1"')
    )
    assert sorted(answer.status_code for answer in answers) == [200, *[412] * 15]
    club.refresh_from_db()
    assert club.version == 2
    assert not list(audit.find_broken_entries(club.pk))


def test_many_guesses_at_once_are_no_more_guesses(shared_database: None) -> None:
    new = NewAccount(email="nora@club.example", name="Nora", password=PASSWORD)
    accounts.make_account(new=new, at=timezone.now())
    values = {"email": "nora@club.example", "password": "wrong"}
    answers = at_once(lambda _n: Asking().post("/api/v1/session", values))
    statuses = [answer.status_code for answer in answers]
    assert sorted(statuses) == [401] * accounts.TRIES + [429] * (16 - accounts.TRIES)
    assert set(Counted.objects.values_list("tries", flat=True)) == {accounts.TRIES}


def test_many_guesses_at_once_from_everywhere_are_no_more_guesses(shared_database: None) -> None:
    new = NewAccount(email="nora@club.example", name="Nora", password=PASSWORD)
    accounts.make_account(new=new, at=timezone.now())
    values = {"email": "nora@club.example", "password": "wrong"}
    answers = at_once(
        lambda number: Asking(Client(REMOTE_ADDR=f"192.0.2.{number}")).post(
            "/api/v1/session", values
        )
    )
    guessed = accounts.TRIES_ANYWHERE
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [401] * guessed + [429] * (16 - guessed)
    assert Counted.objects.get(address="*").tries == guessed


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite waits before anything is known")
def test_whoever_waits_too_long_for_the_same_request_is_told_so(somebody: Account) -> None:
    asking = signed_in(somebody)
    body = b'{"name":"A"}'
    question = RequestKey(f"person:{somebody.pk}", KEY, "POST", CLUBS, body)
    with transaction.atomic():
        idempotency.claim_key(question, idempotency.IN_PROGRESS, at=timezone.now())
        (answer,) = at_once(lambda _n: asking.post(CLUBS, {"name": "A"}, Idempotency_Key=KEY), 1)
    check_problem(answer, "IN_PROGRESS")
    assert answer["Retry-After"] == "1"
