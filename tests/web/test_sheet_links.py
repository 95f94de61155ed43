"""The pages that the code of a printed sheet opens in a private club: no link leads to nothing."""

import re
from html import unescape
from urllib.parse import urljoin

import pytest
from django.test import Client

from scoring.handouts.properties import sheet_address
from scoring.models import Game
from tests.scoring.handouts.test_result_sheet import SITE, played_night, publish, result_of
from tests.tournaments.night import make_night
from tests.tournaments.printing.paper import pages
from tests.tournaments.publishing.test_leagues import make_league
from tournaments.access.visibility import sheet_token
from tournaments.models import Event, LeagueEvent

pytestmark = pytest.mark.django_db

_LINK = re.compile(r'<a\b[^>]*?\bhref="([^"#]+)')
_OF_A_CLUB = re.compile(r"/(?:api/v1/clubs|[a-z])/[0-9a-f-]{36}/")


@pytest.fixture(scope="module")
def night_of_four(module_db: None) -> Event:
    return played_night(4)


@pytest.fixture
def event(night_of_four: Event, db: None) -> Event:
    return Event.objects.get(pk=night_of_four.pk)


def code_of(data: bytes) -> str:
    (page,) = pages(data, scanned=True)
    return page.codes[0].removeprefix(SITE).partition("#")[0]


def follow(visitor: Client, address: str, most: int = 40) -> set[str]:
    """Open all pages of a club that links lead to, and return the addresses without a page."""
    seen, waiting, missing = {address}, [address], set()
    kinds: dict[str, int] = {}
    while waiting:
        here = waiting.pop(0)
        answer = visitor.get(here)
        if answer.status_code != 200:
            missing.add(here)
            continue
        if "html" not in answer.headers["Content-Type"]:
            continue
        for link in _LINK.findall(answer.content.decode()):
            there = urljoin(here, unescape(link))
            kind = re.sub(r"[0-9a-f-]{36}|=[^&]*", "", there)
            if _OF_A_CLUB.match(there) and there not in seen and kinds.get(kind, 0) < most:
                kinds[kind] = kinds.get(kind, 0) + 1
                seen.add(there)
                waiting.append(there)
    return missing


def test_all_links_from_the_page_of_a_sheet_open_a_page(event: Event) -> None:
    league = make_league(event.club)
    LeagueEvent.objects.create(league=league, event=event, number=1)
    other = make_night(4, club=event.club, rounds=1)
    publish()
    visitor = Client()
    assert follow(visitor, code_of(result_of(event)), most=4) == set()
    game = Game.objects.filter(table__round__event=event).first()
    assert game is not None
    assert visitor.get(f"/g/{game.pk}/").status_code == 200
    closed = (f"/c/{event.club_id}/", f"/e/{other.pk}/", f"/l/{league.pk}/")
    assert [visitor.get(one).status_code for one in closed] == [404, 404, 404]


def test_the_sheet_of_a_league_opens_its_events_but_hidden_ones(event: Event) -> None:
    league = make_league(event.club)
    LeagueEvent.objects.create(league=league, event=event, number=1)
    publish()
    visitor = Client()
    assert visitor.get(f"/e/{event.pk}/").status_code == 404
    address = f"/l/{league.pk}/?sheet={sheet_token(league.pk)}"
    assert follow(visitor, address, most=4) == set()
    assert visitor.get(f"/e/{event.pk}/").status_code == 200
    Event.objects.update(is_hidden=True)
    assert visitor.get(f"/e/{event.pk}/").status_code == 404


def test_a_sheet_of_a_private_club_as_a_whole_has_no_code(event: Event) -> None:
    assert sheet_address(event.club, SITE) == ""
    event.club.is_public = True
    assert sheet_address(event.club, SITE) == f"{SITE}/c/{event.club_id}/"
