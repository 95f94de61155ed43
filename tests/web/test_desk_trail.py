"""The trail at the desk: what was done, in words, with before beside after."""

import html
import json
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from engine.core.messages import Message
from engine.core.seats import Seat
from engine.record.rulings import Decision, Ruling
from scoring.games import money, opening
from scoring.games.money import NewBooking
from scoring.games.opening import SeatChange
from scoring.hands import corrections, rulings
from scoring.hands.corrections import Correction
from scoring.models import EntryKind, Game
from scoring.settlement.changes import RulingRequest
from tests.scoring.club import (
    DIRECTOR,
    START,
    at,
    chip_hand,
    enter,
    make_club,
    make_game,
    make_players,
    state_of,
)
from tests.tournaments.night import make_night
from tests.web.desk import Director, director_of, make_account
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.events import adjustments
from tournaments.models import Person, Role, RoleKind

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return make_game(make_club(currency="EUR"))


def admin_of(game: Game) -> Director:
    return director_of(game.club, "admin")


def details(admin: Director, game: Game, what: str) -> dict[str, list[str]]:
    """The details of the only action of a kind: by label, what was before and what is since."""
    page = admin.get(f"/desk/clubs/{game.club_id}/trail/?what={what.replace(' ', '+')}")
    assert page.status_code == 200
    (row,) = page.context["rows"]
    shown = html.unescape(page.content.decode())
    found = {}
    for one in row.details():
        words = [[word.text for word in part] for part in (one.before, one.after)]
        assert all(word.splitlines()[0] in shown for part in words for word in part)
        found[one.label] = [" | ".join(part) for part in words if part]
    return found


def test_a_seat_is_told_by_its_name_and_by_who_sat_there_before(game: Game) -> None:
    enter(game, chip_hand(state_of(game), (0, 4, 4, 5)))
    (other,) = make_players(game.club, 1)
    Person.objects.filter(player=other).update(name="Zoë Grün")
    change = SeatChange(seat=1, player=other.pk, first=2, why="He had to go.")
    opening.seat_player(game_id=game.pk, change=change, by=DIRECTOR, at=at(2))
    found = details(admin_of(game), game, "seat taken")
    assert found["Player"] == ["Player 2", "Zoë Grün"]
    assert found["Seat"] == ["East, Zoë Grün"]
    assert found["From"] == ["hand 2"]


def test_a_game_says_who_sits_where_and_by_which_house_rules(game: Game) -> None:
    found = details(admin_of(game), game, "game opened")
    (seats,) = found["Players"]
    assert seats.split(" | ")[:2] == ["North: Player 1", "East: Player 2"]
    assert game.rule_set is not None
    assert found["House rules"] == [game.rule_set.name]


def test_a_correction_shows_the_lines_before_beside_those_after(game: Game) -> None:
    before = state_of(game)
    hand = enter(game, chip_hand(before, (0, 4, 4, 5))).hand
    new = Correction(text=chip_hand(before, (0, 4, 5, 4)), why="Counted again.", revision=1)
    corrections.correct_hand(hand_id=hand.pk, correction=new, by=DIRECTOR, at=at(3))
    admin = admin_of(game)
    found = details(admin, game, "hand corrected")
    assert found["Record"] == ["S 4 0\nW 5 0", "S 5 0\nW 4 0"]
    assert found["Hand"] == ["hand 1"]
    page = admin.get(f"/desk/clubs/{game.club_id}/trail/").content.decode()
    assert f'href="/desk/hands/{hand.pk}/">hand 1</a>' in page


def test_an_identifier_that_somebody_wrote_names_no_account(game: Game) -> None:
    other, admin = make_account("Olga Elsewhere"), admin_of(game)
    for what, key in (("ruling", "text"), ("role granted", "account")):
        action = AuditRecord(Message(what), details={key: other.pk})
        audit.note(action, chain=game.club_id, club=game.club_id, by=DIRECTOR, at=at())
    assert details(admin, game, "ruling") == {"Text": [str(other.pk)]}
    assert details(admin, game, "role granted") == {"Account": ["Olga Elsewhere"]}


@pytest.mark.parametrize(
    "told",
    [
        {"pool": "x", "ruling": "y", "decision": "z"},
        {"pot": {"N": 1}},
        {"record": "a", "hand": 1, "version": []},
        {"chips": {"a": {"b": 1}}},
    ],
    ids=["decision", "pot", "version", "chips"],
)
def test_an_entry_that_somebody_rewrote_stands_as_it_is(game: Game, told: dict[str, Any]) -> None:
    action = AuditRecord(Message("rewritten"), details=told)
    audit.note(action, chain=game.club_id, club=game.club_id, by=DIRECTOR, at=at())
    found = details(admin_of(game), game, "rewritten")
    kept = [one if isinstance(one, str) else json.dumps(one) for one in told.values()]
    assert sorted(found.values()) == sorted([one] for one in kept)


def test_a_ruling_stands_beside_the_one_whose_place_it_took(game: Game) -> None:
    hand = enter(game, chip_hand(state_of(game), (0, 4, 4, 5))).hand
    first = Ruling(decision=Decision.CHIP_ADJUST, chips=(-2, 0, 2, 0))
    ruled = rulings.decide(
        hand_id=hand.pk, decree=RulingRequest(ruling=first), by=DIRECTOR, at=at(2)
    )
    second = Ruling(decision=Decision.REVOKE_LAW, offenders=(Seat(2),))
    decree = RulingRequest(ruling=second, supersedes=ruled.decided.pk)
    rulings.decide(hand_id=hand.pk, decree=decree, by=DIRECTOR, at=at(3))
    page = admin_of(game).get(f"/desk/clubs/{game.club_id}/trail/?what=ruling")
    newest = {one.label: one for one in page.context["rows"][0].details()}
    words = {
        label: [[word.text for word in part] for part in (one.before, one.after)]
        for label, one in newest.items()
    }
    assert words["Decision"] == [
        ["Chips are moved"],
        ["The revoke law: the offender bears the hand"],
    ]
    moved = ["North, Player 1 \N{MINUS SIGN}2", "East, Player 2 0", "South, Player 3 +2"]
    assert words["Chips added"][0][:3] == moved
    assert words["Offenders"][1] == ["South, Player 3"]
    assert words["Takes the place of"] == [[], ["ruling 1"]]


def test_money_has_its_currency_and_its_player(game: Game) -> None:
    (player,) = make_players(game.club, 1)
    entry = NewBooking(kind=EntryKind.FEE, player=player.pk, amount=150, note="Room")
    written = money.enter_money(club_id=game.club_id, entry=entry, by=DIRECTOR, at=at())
    money.reverse_money(club_id=game.club_id, entry=written.pk, why="Twice.", by=DIRECTOR, at=at(1))
    admin = admin_of(game)
    for what in ("money entered", "money taken back"):
        found = details(admin, game, what)
        assert found["Amount"] == ["1.50\N{NO-BREAK SPACE}EUR"]
        assert found["Player"] == ["Player 5"]
        assert found["Kind"] == ["owes the club a fee"]


def test_points_have_their_unit_and_an_entry_its_name() -> None:
    event = make_night(4)
    entry = event.entries.select_related("player__person").first()
    assert entry is not None
    adjustments.adjust_score(
        event_id=event.pk, entry=entry.pk, amount="-3/2", reason="Late.", by=DIRECTOR, at=at(1)
    )
    page = director_of(event.club, "admin").get(
        f"/desk/clubs/{event.club_id}/trail/?what=score+adjusted"
    )
    (row,) = page.context["rows"]
    found = {one.label: one.after[0].text for one in row.details()}
    (amount,) = (words for label, words in found.items() if label.startswith("Amount ("))
    assert amount == "\N{MINUS SIGN}1.5"
    assert found["Entry"] == f"{entry.number} {entry.player.person.name}"


@pytest.mark.parametrize(
    "told",
    [
        {"nobody named": [1, {"x": None}], "player": str(uuid4())},
        {"hand": 10**30, "seat": 99, "seats": [None, "x", -1], "kind": ["x"], "amount": "much"},
        {"decision": {"decision": "ODD", "taken": "x", "then": {"odd": 1}}, "ruling": None},
        {"entry": True, "until": "2026-99-99", "values": [1], "players": {"a": 1}, "first": {}},
        {"record": 1, "version": 2, "hand": [], "fields": {"a": 1}, "pool": "x", "links": 3},
    ],
    ids=["unknown", "out of reach", "odd ruling", "odd values", "odd records"],
)
def test_what_nobody_gave_words_is_shown_as_it_is_kept(game: Game, told: dict[str, Any]) -> None:
    action = AuditRecord(Message("odd"), details=told)
    audit.note(action, chain=game.pk, club=game.club_id, by=DIRECTOR, at=at() + timedelta(days=1))
    page = admin_of(game).get(f"/desk/clubs/{game.club_id}/trail/?what=odd")
    assert page.status_code == 200
    shown = html.unescape(re.sub(r"\s+", " ", page.content.decode()))
    for key in ("nobody named", "odd"):
        if key in told:
            assert json.dumps(told[key]) in shown


def test_a_federation_is_led_to_pages_that_it_may_open(game: Game) -> None:
    hand = enter(game, chip_hand(state_of(game), (0, 4, 4, 5))).hand
    path = f"/desk/clubs/{game.club_id}/trail/"
    assert f"/desk/hands/{hand.pk}/" in admin_of(game).get(path).content.decode()
    account = make_account("Victor Federa")
    Role.objects.create(account=account, kind=RoleKind.FEDERATION, created_at=START)
    page = Director(account).get(path).content.decode()
    assert "Player 1" in page
    assert "/desk/hands/" not in page
    assert "/desk/games/" not in page
    assert f"/h/{hand.pk}/" in page
