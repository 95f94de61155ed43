"""Analyses of hands: who sees what of them and when, and that they follow the hand."""

from pathlib import Path
from uuid import uuid4

import pytest
from django.utils import timezone

from scoring.games.closing import Closing, close_game
from scoring.hands import analyses
from scoring.jobs import tasks
from scoring.jobs.kinds import WORK
from scoring.models import Game, Hand, HandAnalysis
from tests.api.desk import Answered, Desk, Night, give_role, make_account
from tests.api.test_table_phones import phones
from tests.scoring.club import DIRECTOR
from tournaments.models import Club

pytestmark = pytest.mark.django_db

FULL_HAND = Path(__file__).parents[2] / "engine/analysis/examples/21_hand_bicycle_4.phn"
TEXT = FULL_HAND.read_bytes()


def work() -> None:
    """Do the analyses that are due."""
    for name, _since in WORK["analysis"].due(timezone.now(), 100):
        tasks.run(kind="analysis", name=name)


def ask(who: Desk, hand: Hand) -> Answered:
    return who.get(f"hands/{hand.pk}/analysis")


def enter(night: Night, text: bytes = TEXT) -> Hand:
    body = {"id": str(uuid4()), "number": 1, "text": text.decode()}
    answered = night.desk.post(f"games/{night.game['id']}/hands", body)
    assert answered.status == 201, answered
    return Hand.objects.get(pk=answered["id"])


def close(night: Night) -> None:
    game = Game.objects.get(pk=night.game["id"])
    close_game(game_id=game.pk, closing=Closing(reason="Late."), by=DIRECTOR, at=timezone.now())


@pytest.fixture
def night() -> Night:
    return Night()


@pytest.fixture
def hand(night: Night) -> Hand:
    found = enter(night)
    close(night)
    return found


def test_an_analysis_is_made_by_a_worker_and_kept(night: Night, hand: Hand) -> None:
    first = ask(night.desk, hand)
    assert (first.status, first["analysis"]) == (202, None)
    again = ask(night.desk, hand)
    assert again.status == 202
    assert HandAnalysis.objects.count() == 1
    work()
    made = ask(night.desk, hand)
    assert made.status == 200
    assert made["analysis"]["exact_from"] <= 10
    seats = {row["seat"]: row for row in made["analysis"]["seats"]}
    assert seats["E"]["result"] == seats["E"]["sure"] + seats["E"]["slips"] - seats["E"]["gifts"]
    assert seats["E"]["result"] == -20 * 60
    assert WORK["analysis"].count(timezone.now()) == 0


def test_a_hand_is_not_analysed_before_its_game_is_closed(night: Night) -> None:
    hand = enter(night)
    refused = ask(night.desk, hand)
    assert refused.status == 409
    assert "once its round is closed" in refused["detail"]
    close(night)
    assert ask(night.desk, hand).status == 202


def test_a_hand_without_all_cards_says_so(night: Night) -> None:
    entered = night.enter(
        {"bidder": "S", "bid": 7, "pain": "S", "taken": {"N": 1, "E": 0, "S": 8, "W": 4}}
    )
    close(night)
    refused = ask(night.desk, Hand.objects.get(pk=entered["id"]))
    assert refused.status == 409
    assert "not all cards of this hand are written" in refused["detail"]


def test_a_correction_makes_the_analysis_anew(night: Night, hand: Hand) -> None:
    ask(night.desk, hand)
    work()
    before = HandAnalysis.objects.get().digest
    # West's two low clubs, the other way round.
    text = TEXT.replace(b"C7 C6 C8 C9", b"C7 C4 C8 C9").replace(b"C3 C4 CK C2", b"C3 C6 CK C2")
    body = {"text": text.decode(), "why": "West played them the other way round."}
    hand.refresh_from_db()
    corrected = night.desk.post(f"hands/{hand.pk}/versions", body, version=str(hand.revision))
    assert corrected.status in (200, 201), corrected
    assert ask(night.desk, hand).status == 202
    work()
    assert ask(night.desk, hand).status == 200
    assert HandAnalysis.objects.get().digest != before


def show(club: Club, to: str) -> None:
    Club.objects.filter(pk=club.pk).update(analysis=to)


def test_a_seat_sees_only_what_concerns_it_unless_the_club_shows_all(night: Night) -> None:
    hand = enter(night)
    (north,) = phones(night, "N")
    close(night)
    assert ask(night.desk, hand).status == 202
    work()
    own = ask(north, hand)["analysis"]
    assert [row["seat"] for row in own["seats"]] == ["N"]
    assert {row["seat"] for row in own["cards"] if row["slip"]} <= {"N"}
    of_others = [row for row in own["cards"] if row["seat"] != "N"]
    assert {(row["sure"], len(row["legal"])) for row in of_others} == {(None, 0)}
    assert {gift["to"] for row in own["cards"] for gift in row["gifts"]} <= {"N"}
    show(night.club, "table")
    assert len(ask(north, hand)["analysis"]["seats"]) == 4
    show(night.club, "off")
    assert ask(north, hand).status == 403
    assert ask(night.desk, hand).status == 403


def test_members_see_others_cards_only_where_the_club_shows_them(night: Night, hand: Hand) -> None:
    account = make_account("member")
    give_role(account, night.club, "player")
    member = Desk(account)
    assert ask(member, hand).status == 403
    show(night.club, "table")
    assert ask(member, hand).status == 202


def test_strangers_see_what_is_there_and_have_nothing_made(night: Night, hand: Hand) -> None:
    Club.objects.update(is_public=True, analysis="table")
    stranger = Desk()
    refused = ask(stranger, hand)
    assert refused.status == 403
    assert "Nobody of the club" in refused["detail"]
    assert not HandAnalysis.objects.exists()
    ask(night.desk, hand)
    assert ask(stranger, hand).status == 202
    work()
    assert ask(stranger, hand).status == 200


def test_a_link_of_the_whole_table_says_which_seat_asks(night: Night) -> None:
    hand = enter(night)
    made = night.desk.post(f"games/{night.game['id']}/links", {"seats": ["table"]})
    close(night)
    assert ask(Desk(authorization=f"Seat {made['tokens']}"), hand).status == 422
    assert ask(Desk(authorization=f"Seat {made['tokens']} N"), hand).status == 202


def test_a_worker_that_dies_again_and_again_is_not_tried_for_ever(night: Night, hand: Hand) -> None:
    ask(night.desk, hand)
    HandAnalysis.objects.update(attempts=3)
    work()
    row = HandAnalysis.objects.get()
    assert row.due_at is None
    refused = ask(night.desk, hand)
    assert refused.status == 409
    assert "every try was broken off" in refused["detail"]
    row.refresh_from_db()
    assert row.due_at is None


def test_a_stranger_sees_an_analysis_only_where_the_club_shows_it_to_all() -> None:
    assert not analyses.may_see("own", is_at_the_table=False, is_staff=False)
    assert analyses.may_see("table", is_at_the_table=False, is_staff=False)
