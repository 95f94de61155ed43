"""The last tricks on the page of a hand."""

from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from scoring.games.closing import Closing, close_game
from scoring.jobs import tasks
from scoring.jobs.kinds import WORK
from scoring.models import Game, HandAnalysis
from tests.api.desk import Desk, Night, give_role, make_account
from tests.scoring.club import DIRECTOR
from tournaments.models import Club

pytestmark = pytest.mark.django_db

FULL_HAND = Path(__file__).parents[1] / "engine/analysis/examples/21_hand_bicycle_4.phn"


@pytest.fixture
def night() -> Night:
    return Night()


@pytest.fixture
def page(night: Night) -> str:
    """The address of a hand with all cards, in a game that is closed."""
    body = {"id": str(uuid4()), "number": 1, "text": FULL_HAND.read_text("utf-8")}
    answered = night.desk.post(f"games/{night.game['id']}/hands", body)
    game = Game.objects.get(pk=night.game["id"])
    close_game(game_id=game.pk, closing=Closing(reason="Late."), by=DIRECTOR, at=timezone.now())
    return f"/h/{answered['id']}/"


def work() -> None:
    for name, _since in WORK["analysis"].due(timezone.now(), 10):
        tasks.run(kind="analysis", name=name)


def seen(client: Client, page: str) -> str:
    return client.get(page).content.decode()


def test_the_desk_has_the_last_tricks_looked_at_and_reads_what_they_cost(
    night: Night, page: str
) -> None:
    client = night.desk.client
    assert "Look at the last tricks" in seen(client, page)
    answered = client.post(f"{page}analysis/")
    assert answered.status_code == 302
    assert answered["Location"].endswith(f"{page}#analysis")
    assert "are being looked at" in seen(client, page)
    work()
    shown = seen(client, page)
    assert "The largest slips" in shown
    assert "was sure of +20; after ST only of -4." in shown
    assert "slip 24" in shown
    assert "Result +20." in shown


def test_a_member_sees_it_only_where_the_club_shows_it_to_all(night: Night, page: str) -> None:
    account = make_account("member")
    give_role(account, night.club, "player")
    member = Desk(account).client
    assert "The last tricks" not in seen(member, page)
    Club.objects.update(analysis="table")
    assert "Look at the last tricks" in seen(member, page)


def test_the_page_says_that_a_hand_could_not_be_analysed(night: Night, page: str) -> None:
    client = night.desk.client
    client.post(f"{page}analysis/")
    HandAnalysis.objects.update(attempts=3)
    work()
    shown = seen(client, page)
    assert "every try was broken off" in shown
    assert "Look at the last tricks" not in shown


def test_the_page_says_that_a_claim_left_too_much_to_know_anything(night: Night, page: str) -> None:
    client = night.desk.client
    client.post(f"{page}analysis/")
    work()
    row = HandAnalysis.objects.get()
    nothing = {"exact_from": None, "until": 1, "seats": [], "cards": [], "caveats": ["claim"]}
    HandAnalysis.objects.update(outcome={**(row.outcome or {}), **nothing, "unit": "chip"})
    shown = seen(client, page)
    assert "The hand is analysed up to the claim." in shown
    assert "Too many tricks were left from there on" in shown


def test_a_stranger_sees_it_only_where_the_club_shows_it_to_all(night: Night, page: str) -> None:
    Club.objects.update(is_public=True)
    client = Client()
    assert "Look at the last tricks" not in seen(client, page)
    assert client.post(f"{page}analysis/").status_code == 404
    Club.objects.update(analysis="table")
    assert "Look at the last tricks" not in seen(client, page)
    assert client.post(f"{page}analysis/").status_code == 404
    night.desk.client.post(f"{page}analysis/")
    work()
    assert "The largest slips" in seen(client, page)
    Club.objects.update(analysis="off")
    assert "Look at the last tricks" not in seen(night.desk.client, page)
