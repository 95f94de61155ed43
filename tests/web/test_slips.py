"""Score slips at the desk without scripts: the pile, a question, the record, and who may look."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from scoring.models import Game, Hand, Slip, SlipPicture, SlipState, State
from scoring.slips.review import answer_slip
from scoring.web.desk import slips as slip_pages
from tests.scoring.club import at, chip_hand, enter, make_club, make_rules, state_of
from tests.tournaments.night import draw, make_night, play, start
from tests.web.desk import Director, director_of
from tests.web.slips import CLEAN, DOUBTED, JACKPOT, read_slip
from tournaments.api.permissions import AskerThrottle
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def games() -> list[Game]:
    """The games of a round for eight players."""
    event = make_night(8, hands=4)
    draw(event)
    return start(event, 1)


@pytest.fixture
def desk(games: list[Game]) -> Director:
    return director_of(games[0].club)


def event_of(game: Game) -> Event:
    assert game.table is not None
    return game.table.round.event


def pile(game: Game) -> str:
    return f"/desk/events/{event_of(game).pk}/slips/"


def page(slip: Slip) -> str:
    return f"/desk/events/{slip.event_id}/slips/{slip.pk}/"


def words(response: Any) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(text.split())


def press(desk: Director, slip: Slip, **button: str) -> Any:
    """Press a button of a slip's page."""
    return desk.send(desk.form(page(slip)), **button)


def test_the_night_leads_to_its_slips(desk: Director, games: list[Game]) -> None:
    night = desk.get(f"/desk/events/{event_of(games[0]).pk}/").content.decode()
    assert f'href="{pile(games[0])}"' in night
    assert "No slips yet" in words(desk.get(pile(games[0])))


def test_where_most_tricks_win_the_desk_says_why_no_slips_are_printed(
    desk: Director, games: list[Game]
) -> None:
    event = event_of(games[0])
    night = f"/desk/events/{event.pk}/"
    assert "kind=slips" in desk.get(pile(games[0])).content.decode()
    assert "kind=slips" in desk.get(night).content.decode()
    event.rule_set.overrides = {"winner": "tricks"}
    event.rule_set.save()
    slips = desk.get(pile(games[0]))
    assert "whoever takes most tricks wins" in words(slips)
    for shown in (slips, desk.get(night)):
        assert "kind=slips" not in shown.content.decode()
        assert "kind=blank-slips" not in shown.content.decode()


def test_an_address_of_printing_that_refuses_is_a_page_in_a_browser(
    desk: Director, games: list[Game]
) -> None:
    event = event_of(games[0])
    address, browser = f"/api/v1/events/{event.pk}/handouts?kind=slips", {"Accept": "text/html,*/*"}
    assert desk.client.get(address, headers=browser)["Content-Type"] == "application/pdf"
    event.rule_set.overrides = {"winner": "tricks"}
    event.rule_set.save()
    refused = desk.client.get(address, headers=browser)
    assert (refused.status_code, refused["Content-Type"]) == (422, "text/html; charset=utf-8")
    assert "This file cannot be made" in words(refused)
    assert "whoever takes most tricks wins" in words(refused)
    assert f'href="/desk/events/{event.pk}/"' in refused.content.decode()
    stranger = Client().get(address, headers=browser)
    assert stranger.status_code in (401, 404)
    assert f"/desk/sign-in/?next=/desk/events/{event.pk}/" in stranger.content.decode()
    assert Client().get(address).json()["status"] == stranger.status_code
    player = director_of(event.club, "player", "Paul Poe").client.get(address, headers=browser)
    assert player.status_code == 403
    assert "You have no access to this file" in words(player)
    assert 'class="go" href="/desk/"' in player.content.decode()
    assert f"/desk/events/{event.pk}/" not in player.content.decode()


def test_a_file_that_anybody_may_have_offers_to_sign_in_only_where_that_may_help(
    games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    club, browser = games[0].club, {"Accept": "text/html,*/*"}
    type(club).objects.filter(pk=club.pk).update(is_public=True)
    feed = f"/api/v1/clubs/{club.pk}/feed.atom"
    missing = Client().get(feed.replace(str(club.pk), str(uuid4())), headers=browser)
    assert (missing.status_code, "File not found" in words(missing)) == (404, True)
    assert "/desk/sign-in/" in missing.content.decode()
    monkeypatch.setattr(AskerThrottle, "THROTTLE_RATES", {"asker": "1/min"})
    caches["default"].clear()
    statuses = [Client().get(feed, headers=browser) for _ in range(2)]
    assert [one.status_code for one in statuses] == [200, 429]
    assert "Too many requests" in words(statuses[1])
    assert "cannot be made" not in words(statuses[1])
    assert 'class="go" href="/desk/sign-in/' not in statuses[1].content.decode()


def test_a_clean_slip_says_what_comes_of_it_and_is_recorded_with_one_button(
    desk: Director, games: list[Game]
) -> None:
    first, second = read_slip(games[0], 1, JACKPOT), read_slip(games[1], 1)
    said = words(desk.get(page(first)))
    assert "Nobody was clean: the pot of 18 is a jackpot." in said
    assert "Record hand 1, next slip" in said
    assert "2 clean" in said
    answer = press(desk, first, accept="1")
    assert answer["Location"] == page(second)
    hand = Hand.objects.get()
    first.refresh_from_db()
    assert (hand.state, first.hand, first.state) == (State.ACCEPTED, hand, SlipState.ACCEPTED)
    assert hand.versions.get().source == "slip"


def test_a_question_is_the_headline_and_each_answer_a_button_with_its_key(
    desk: Director, games: list[Game]
) -> None:
    slip = read_slip(games[0], 1, DOUBTED)
    answer = desk.get(page(slip))
    html, said = answer.content.decode(), words(answer)
    assert re.search(r"<h1[^>]*>2 or 3 diamonds for Player \d", html)
    assert 'data-key="2"' in html
    assert 'data-key="3"' in html
    assert "data-enter" not in html
    assert "With it the cards add up." in said
    assert "Nobody was clean: the pot of 18 is a jackpot." in said
    assert not Hand.objects.exists()
    press(desk, slip, answer_and_accept="taken W=2")
    assert Hand.objects.get().state == State.ACCEPTED


def test_an_answer_records_nothing_that_somebody_changes_at_the_same_time(
    desk: Director, games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer_and_change(**answer: Any) -> Slip:
        slip = answer_slip(**answer)
        answer_slip(**answer | {"changes": {"bid": "4"}, "revision": None})
        return slip

    monkeypatch.setattr(slip_pages, "answer_slip", answer_and_change)
    answer = press(desk, read_slip(games[0], 1, DOUBTED), answer_and_accept="taken W=2")
    assert answer.status_code == 422
    assert "changed in the meantime" in words(answer)
    assert not Hand.objects.exists()


def test_problems_of_pictures_are_hidden_with_a_button(desk: Director, games: list[Game]) -> None:
    event = event_of(games[0])
    SlipPicture.objects.create(
        event=event, digest="1", problems=["Too blurred."], taken_in_at=at(), read_at=at()
    )
    page = desk.get(pile(games[0]))
    assert "Picture 1: Too blurred." in words(page)
    (button,) = re.findall(r'name="dismiss"\s+value="([^"]+)"', page.content.decode())
    desk.send(desk.form(pile(games[0])), dismiss=button)
    assert "Too blurred." not in words(desk.get(pile(games[0])))


def test_a_slip_of_another_night_can_be_put_aside(desk: Director, games: list[Game]) -> None:
    slip = read_slip(games[0], 1)
    Slip.objects.update(state=SlipState.FOREIGN, marks={}, crop=None, reason="Another night.")
    press(desk, slip, set_aside="1")
    assert "1 set aside" in words(desk.get(pile(games[0])))
    assert 'name="put_back"' in desk.get(page(slip)).content.decode()


def test_an_answer_that_leaves_a_question_stays_on_the_slip(
    desk: Director, games: list[Game]
) -> None:
    slip = read_slip(games[0], 1, DOUBTED | {"pain": "D|C"})
    answer = press(desk, slip, answer="pain=D")
    assert answer["Location"] == page(slip)
    slip.refresh_from_db()
    assert slip.changes == {"pain": "D"}
    assert not Hand.objects.exists()


def test_a_row_about_which_a_later_question_is_open_is_not_said_to_be_read(
    desk: Director, games: list[Game]
) -> None:
    sure = desk.get(page(read_slip(games[1], 1))).content.decode()
    doubted = read_slip(games[0], 1, CLEAN | {"pain": "H|D", "bid": ""})
    html = desk.get(page(doubted)).content.decode()
    assert "2 questions" in html
    row = re.search(r'<span class="label">The bid</span>.*?</summary>', html, re.DOTALL)
    assert row is not None
    assert "#ok" not in row.group()
    row = re.search(r'<span class="label">The bid</span>.*?</summary>', sure, re.DOTALL)
    assert row is not None
    assert "#ok" in row.group()


def test_a_wrong_row_is_put_right_and_says_so(desk: Director, games: list[Game]) -> None:
    slip = read_slip(games[0], 1)
    press(desk, slip, answer="taken N=6")
    said = words(desk.get(page(slip)))
    assert "put right" in said
    assert "14 cards of the suit are marked; the pack has 13" in said
    press(desk, slip, answer="taken S=1")
    press(desk, slip, accept="1")
    assert Hand.objects.get().state == State.ACCEPTED


def test_a_form_that_somebody_else_overtook_records_nothing(
    desk: Director, games: list[Game]
) -> None:
    slip = read_slip(games[0], 1)
    form = desk.form(page(slip))
    press(desk, slip, answer="bid=4")
    answer = desk.send(form, accept="1")
    assert answer.status_code == 422
    assert "changed in the meantime" in words(answer)
    assert not Hand.objects.exists()


def test_a_slip_is_put_aside_and_comes_back(desk: Director, games: list[Game]) -> None:
    slip = read_slip(games[0], 1)
    assert press(desk, slip, set_aside="1")["Location"] == pile(games[0])
    assert "1 set aside" in words(desk.get(pile(games[0])))
    press(desk, slip, put_back="1")
    slip.refresh_from_db()
    assert slip.state == SlipState.READ


def test_a_slip_that_says_what_a_phone_said_changes_nothing(
    desk: Director, games: list[Game]
) -> None:
    told = chip_hand(state_of(games[0]), (5, 6, 2, 0), bid=5, pain="D")
    enter(games[0], told)
    slip = read_slip(games[0], 1)
    assert "Both say the same" in words(desk.get(page(slip)))
    press(desk, slip, accept="1")
    assert Hand.objects.filter(rival=None).get().state == State.ACCEPTED
    assert Hand.objects.get(rival__isnull=False).state == State.VOID


def test_a_slip_that_contradicts_the_record_leads_to_both_beside_each_other(
    desk: Director, games: list[Game]
) -> None:
    play(games[0], 1)
    slip = read_slip(games[0], 1)
    said = words(desk.get(page(slip)))
    assert "on record already, and says otherwise" in said
    assert "Set it beside the other record" in said
    answer = press(desk, slip, force="1")
    rival = Hand.objects.get(rival__isnull=False)
    assert answer["Location"] == f"/desk/hands/{rival.pk}/dispute/"
    assert "beside each other" in words(desk.get(answer["Location"]))


def test_a_slip_of_another_night_says_so_and_what_to_do(desk: Director, games: list[Game]) -> None:
    slip = read_slip(games[0], 1)
    other = make_night(8, club=games[0].club)
    Slip.objects.filter(pk=slip.pk).update(
        event=other,
        table=None,
        state=SlipState.FOREIGN,
        reason="This slip is of another night.",
    )
    slip.refresh_from_db()
    said = words(desk.get(page(slip)))
    assert "This slip is of another night." in said
    assert "Open that night" in said
    assert "1 for another night" in said
    assert 'name="accept"' not in desk.get(page(slip)).content.decode()


def test_the_crop_is_for_those_who_run_the_night_and_is_never_stored(
    desk: Director, games: list[Game]
) -> None:
    slip = read_slip(games[0], 1)
    address = f"{page(slip)}picture/"
    answer = desk.get(address)
    assert answer["Content-Type"] == "image/jpeg"
    assert "no-store" in answer["Cache-Control"]
    assert Client().get(address).status_code == 302
    member = director_of(games[0].club, "player", "Otto Other")
    assert member.get(address).status_code == 403


def test_the_hand_shows_the_crop_of_its_slip(desk: Director, games: list[Game]) -> None:
    slip = read_slip(games[0], 1)
    press(desk, slip, accept="1")
    hand = Hand.objects.get()
    assert f"{page(slip)}picture/" in desk.get(f"/desk/hands/{hand.pk}/").content.decode()
    assert "picture/" not in Client().get(f"/hands/{hand.pk}/").content.decode()


def test_a_large_slip_has_its_own_room_beside_its_hand() -> None:
    club = make_club()
    event = make_night(8, club=club, rule_set=make_rules(club, overrides={"insolvency": "rebuy"}))
    draw(event)
    game = start(event, 1)[0]
    play(game, 1)
    read_slip(game, 1, {})
    hand = Hand.objects.get()
    Slip.objects.update(hand=hand)
    html = director_of(game.club).get(f"/desk/hands/{hand.pk}/").content.decode()
    assert re.search(r'width="1254"\s+height="834"', html)


def test_pictures_are_taken_in_once(desk: Director, games: list[Game]) -> None:
    for _ in range(2):
        picture = SimpleUploadedFile("slips.jpg", b"\xff\xd8 a picture", "image/jpeg")
        answer = desk.fill(pile(games[0]), take="1", pictures=picture)
        assert answer.status_code == 302
    assert SlipPicture.objects.count() == 1
    assert "One picture is being read." in words(desk.get(pile(games[0])))
    answer = desk.fill(pile(games[0]), take="1")
    assert answer.status_code == 422
    assert "Choose at least one picture." in words(answer)


def test_the_pile_costs_few_queries(
    desk: Director, games: list[Game], django_assert_max_num_queries: Any
) -> None:
    for number in range(1, 5):
        for game in games:
            read_slip(game, number, CLEAN if number % 2 else DOUBTED)
    with django_assert_max_num_queries(20):
        desk.get(pile(games[0]))
