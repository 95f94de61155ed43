"""Pages for what went wrong: they say so, and lead on."""

import re
from typing import Any

import pytest
from django.test import Client, RequestFactory

from scoring.web.errors import bad_request, csrf_failure, failure, forbidden
from tests.scoring.club import make_club
from tests.web.desk import director_of

pytestmark = pytest.mark.django_db


def ways_on(response: Any) -> list[str]:
    """Where the buttons of a page lead."""
    found: list[str] = re.findall(
        r'<a class="(?:go|alt)" href="([^"]+)"', response.content.decode()
    )
    return found


def test_what_is_not_there_leads_strangers_to_the_clubs_and_directors_to_the_desk() -> None:
    lost = Client().get("/c/nothing/")
    assert (lost.status_code, ways_on(lost)) == (404, ["/clubs/", "/check/"])
    director = director_of(make_club())
    at_desk = director.get("/desk/nothing/")
    assert (at_desk.status_code, ways_on(at_desk)) == (404, ["/desk/"])


@pytest.mark.parametrize(
    ("path", "ways"), [("/desk/x/", ["/desk/"]), ("/x/", ["/clubs/", "/check/"])]
)
def test_every_page_that_went_wrong_leads_on(path: str, ways: list[str]) -> None:
    request = RequestFactory().get(path)
    pages = {
        400: bad_request(request, ValueError()),
        403: forbidden(request, PermissionError()),
        500: failure(request),
    }
    for status, page in pages.items():
        assert (page.status_code, ways_on(page)) == (status, ways)
    assert ways_on(csrf_failure(request)) == ways


def test_a_text_that_is_too_long_is_told_above_the_field_for_it() -> None:
    page = Client().post("/check/", {"text": "x" * 1_100_000}).content.decode()
    assert page.index("This is longer than 1 MiB. Check it in parts.</p>") < page.index(
        'for="text"'
    )
