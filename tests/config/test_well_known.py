"""What every site is asked for without a link that leads to it."""

from datetime import datetime

import pytest
from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from config.env import env_uri


def test_search_engines_are_kept_from_desk_phones_own_pages_and_api(client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    closed = {line.removeprefix("Disallow: ") for line in lines[1:]}
    assert closed == {
        *("/api/", "/desk/", "/t/", "/table", "/in/", "/come/", "/my/", "/calendar/"),
    }
    for name in ("type-code", "phone", "door", "my-season", "my-sign-in", "sign-in"):
        assert reverse(name).startswith(tuple(closed)), name
    for name in ("landing", "clubs-page", "help", "check", "signature-page"):
        assert not reverse(name).startswith(tuple(closed)), name


def test_the_icon_is_found_without_being_told(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer["Location"]) == (302, "/static/favicon.svg")
    assert finders.find("favicon.svg") is not None


def test_who_is_told_about_holes_stands_where_one_looks(client: Client, settings: Settings) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:it@club.example"
    lines = client.get("/.well-known/security.txt").content.decode().splitlines()
    fields = dict(line.split(": ", 1) for line in lines)
    assert fields["Contact"] == "mailto:it@club.example"
    assert timezone.now() < datetime.fromisoformat(fields["Expires"])


@pytest.mark.parametrize("wrong", ["it@club.example", "http://club.example", "https://a\nb"])
def test_a_contact_that_is_no_address_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setenv("PAINSUIT_SECURITY_CONTACT", wrong)
    with pytest.raises(ImproperlyConfigured, match="mailto"):
        env_uri("PAINSUIT_SECURITY_CONTACT")
