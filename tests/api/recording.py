"""Records the examples of answers in the OpenAPI document: a pytest plugin, used by hand.

It keeps the first successful JSON answer to each operation and writes them into
scoring/api/response_examples.json. Time, ids and secrets are the same at each recording, so that
only what a change of the code changes is different afterwards. docs/development/testing.md has the
command.
"""

import json
import os
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, Final

import pytest
from django.test import Client
from django.utils import timezone

from scoring.api.response_examples import EXAMPLES_FILE
from tournaments.core import ids

HOST: Final = "painsuit.example"
START: Final = datetime(2026, 11, 24, 18, 0, tzinfo=UTC)
LIST_MAX: Final = 4
"""Longer lists of objects are cut to the first two."""

_ARGUMENT: Final = re.compile(r"<(?:\w+:)?(\w+)>")
_SECRETS: Final = {"csrf_token", "invitation", "key", "secret", "tokens"}
_SECRET: Final = re.compile(r"^(psk_|whsec_|)(?![0-9a-f]+$)[\w/+=-]{24,}$", re.MULTILINE)

_request: Final = Client.request


class RecordingClock:
    """The time during one test: each request takes a second, each id a microsecond."""

    def __init__(self) -> None:
        self.requests = self.ids = 0

    def now(self) -> datetime:
        """The time in UTC."""
        return START + timedelta(seconds=self.requests)

    def time_ns(self) -> int:
        """The time in nanoseconds since 1970, later at each call."""
        self.ids += 1
        return int(self.now().timestamp()) * 10**9 + self.ids * 1000


@pytest.fixture(scope="session")
def recorded() -> Iterator[dict[str, Any]]:
    """The answers so far by operation; written to the file in the end."""
    answers: dict[str, Any] = {}
    yield answers
    text = json.dumps(dict(sorted(answers.items())), ensure_ascii=False, indent=1)
    EXAMPLES_FILE.write_text(f"{text}\n", encoding="utf-8")


@pytest.fixture(autouse=True)
def _recording(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    recorded: dict[str, Any],
) -> None:
    settings.ALLOWED_HOSTS = [HOST]
    clock = RecordingClock()
    lots = random.Random(request.node.name)

    def recorded_request(client: Client, **environment: Any) -> Any:
        clock.requests += 1
        response = _request(client, **environment, SERVER_NAME=HOST)
        if key := _operation(environment["REQUEST_METHOD"], response):
            recorded.setdefault(key, _shortened(response.json()))
        return response

    monkeypatch.setattr(Client, "request", recorded_request)
    monkeypatch.setattr(timezone, "now", clock.now)
    monkeypatch.setattr(ids, "time", SimpleNamespace(time_ns=clock.time_ns))
    monkeypatch.setattr(os, "urandom", lots.randbytes)
    monkeypatch.setattr(random, "_urandom", lots.randbytes)  # what `secrets` draws from


def _operation(method: str, response: Any) -> str:
    """The operation and status of an answer that is an example, otherwise an empty text."""
    is_json = response.headers.get("Content-Type") == "application/json"
    if method == "HEAD" or not is_json or not 200 <= response.status_code < 300:
        return ""
    path = _ARGUMENT.sub(r"{\1}", response.resolver_match.route)
    return f"{method} /{path} {response.status_code}" if path.startswith("api/v1/") else ""


def _shortened(value: Any, name: str = "") -> Any:
    """The same without the ends of long lists, and with secrets that nobody takes for real."""
    match value:
        case dict():
            return {key: _shortened(one, key) for key, one in value.items()}
        case [{}, *_] if len(value) > LIST_MAX:
            return [_shortened(one, name) for one in value[:2]]
        case list():
            return [_shortened(one, name) for one in value]
        case str() if name in _SECRETS:
            return _SECRET.sub(r"\1example", value)
        case _:
            return value
