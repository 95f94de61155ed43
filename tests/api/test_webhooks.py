"""Webhooks through the API: their secrets are shown once, and change with a word."""

import pytest

from scoring.models import Webhook
from tests.api.asking import Asking, account_of, check_problem, club_of, signed_in
from tournaments.models import Account, AnsweredRequest

pytestmark = pytest.mark.django_db

KEY = "0193f000-0000-7000-8000-00000000000a"
HOOK = {"url": "https://club.example/told", "events": ["hand.entered"]}


@pytest.fixture
def nora() -> Account:
    return account_of("nora@club.example")


@pytest.fixture
def path(nora: Account) -> str:
    return f"/api/v1/clubs/{club_of(nora).pk}/webhooks"


@pytest.fixture
def asking(nora: Account) -> Asking:
    return signed_in(nora)


def test_a_secret_is_shown_once_and_in_no_other_answer(asking: Asking, path: str) -> None:
    first, again = (asking.post(path, HOOK, Idempotency_Key=KEY) for _ in range(2))
    assert first.status_code == again.status_code == 201
    made, secret = first.json(), first.json()["secret"]
    assert secret == Webhook.objects.get().secret
    assert again.json() == {**made, "secret": None}
    assert asking.get(path).json()["items"] == [{**made, "secret": None}]
    one = f"/api/v1/webhooks/{made['id']}"
    renewed = asking.post(f"{one}/secret").json()
    assert renewed["secret"] not in (secret, None)
    changed = asking.patch(one, {"events": ["game.closed"]}, If_Match=f'"{renewed["version"]}"')
    assert (changed.status_code, changed.json()["secret"]) == (200, None)
    assert asking.delete(one, If_Match=changed["ETag"]).json()["secret"] is None
    stored = b"".join(bytes(row.answer) for row in AnsweredRequest.objects.all())
    assert secret.encode() not in stored
    assert renewed["secret"].encode() not in stored


def test_a_webhook_needs_events_that_there_are(asking: Asking, path: str) -> None:
    for events in ([], ["hand.burnt"], ["hand.entered"] * 100):
        check_problem(asking.post(path, {**HOOK, "events": events}), "VALUE")
    check_problem(asking.post(path, {**HOOK, "url": "http://club.example"}), "UNPROCESSABLE")
    assert not Webhook.objects.exists()
