"""The tutorial of the API runs as it is written, against a server."""

import doctest
import time
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from scoring.jobs import tasks
from tests.api.asking import PASSWORD
from tournaments.models import Account

PAGE = Path(__file__).parents[2] / "docs" / "use" / "api-tutorial.md"


@pytest.mark.django_db(transaction=True)
def test_every_request_of_the_tutorial_is_answered_as_it_says(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = Account(email="nora@club.example", name="Nora Adams", created_at="2026-11-21T20:00Z")
    account.set_password(PASSWORD)
    account.save()
    # Whoever waits a second finds that the worker has computed the standings.
    monkeypatch.setattr(time, "sleep", lambda _seconds: tasks.run(kind="standings", name=""))
    text = PAGE.read_text(encoding="utf-8").replace("http://localhost:8000", live_server.url)
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted > 20
    assert not result.failed
