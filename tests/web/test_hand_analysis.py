"""The last tricks on the page of a hand."""

import re
from html import unescape
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from scoring.games.closing import Closing, close_game
from scoring.jobs import tasks
from scoring.jobs.kinds import WORK
from scoring.models import Game, HandAnalysis, Sitting
from scoring.web.player_cookie import COOKIE
from tests.api.desk import Desk, Night, give_role, make_account
from tests.scoring.club import DIRECTOR, make_players
from tests.tournaments.night import make_event
from tournaments.core.ids import new_id
from tournaments.models import Club, Player, SignInMethod
from tournaments.people import player_devices
from tournaments.people.player_devices import TablePhone

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


def text_of(shown: str) -> str:
    return " ".join(unescape(strip_tags(shown)).split())


def browser_of(player: Player, phone: TablePhone | None = None) -> Client:
    """A browser that is signed in as a player, without an account."""
    method = SignInMethod.CODE if phone is None else SignInMethod.PHONE
    made = player_devices.sign_in_device(
        player_id=player.pk, method=method, phone=phone, at=timezone.now()
    )
    client = Client()
    client.cookies[COOKIE] = made.token
    return client


def sections_of(shown: str) -> str:
    """The last tricks alone."""
    return shown.partition('id="analysis"')[2].partition("</section>")[0]


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
    assert "was sure of +20; after 10♠ only of \N{MINUS SIGN}4." in text_of(shown)
    assert 'aria-label="10 of spades">10♠</span> only of' in shown
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


def test_a_player_whose_browser_is_signed_in_sees_their_own_slips_alone(
    night: Night, page: str
) -> None:
    Club.objects.update(is_public=True)
    east = browser_of(night.players[1])
    assert "Look at the last tricks" in seen(east, page)
    assert east.post(f"{page}analysis/").status_code == 302
    work()
    own, whole = sections_of(seen(east, page)), sections_of(seen(night.desk.client, page))
    assert "You see what concerns yourself" in own
    assert (own.count("<dt>"), whole.count("<dt>")) == (1, 4)
    assert "Result +20." in own
    assert 0 < own.count("slip ") < whole.count("slip ")
    assert own.count('class="analysed') == whole.count('class="analysed')
    assert "You see what concerns yourself" not in whole


def test_who_did_not_play_the_hand_or_only_has_a_phone_of_the_table_sees_no_slips(
    night: Night, page: str
) -> None:
    Club.objects.update(is_public=True)
    night.desk.client.post(f"{page}analysis/")
    work()
    (stranger,) = make_players(night.club, 1)
    assert "The last tricks" not in seen(browser_of(stranger), page)
    phone = TablePhone(new_id(), make_event(night.club), 3)
    assert "The last tricks" not in seen(browser_of(night.players[1], phone), page)
    Sitting.objects.filter(player=night.players[1]).update(first=2)
    assert "The last tricks" not in seen(browser_of(night.players[1]), page)


def test_nobody_sees_their_own_slips_where_the_club_switched_it_off(
    night: Night, page: str
) -> None:
    Club.objects.update(is_public=True, analysis="off")
    east = browser_of(night.players[1])
    assert "The last tricks" not in seen(east, page)
    assert east.post(f"{page}analysis/").status_code == 404


def test_the_account_is_told_in_german_with_cards_as_pages_show_them(
    night: Night, page: str
) -> None:
    night.desk.client.post(f"{page}analysis/")
    work()
    shown = night.desk.client.get(page, headers={"accept-language": "de"}).content.decode()
    words = text_of(sections_of(shown))
    assert "10♠" in words
    assert "\N{MINUS SIGN}4" in words
    assert not re.search(r"\b[SHDC][2-9TJQKA]\b|-[0-9]", words)
