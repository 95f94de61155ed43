"""Games that end before a hand of theirs counts: closed, official and printed like any other."""

from collections.abc import Mapping
from typing import Any

import pytest

from scoring.models import Game
from tests.api.asking import Asking, account_of, check_problem, role_of, signed_in
from tests.scoring.club import chip_hand, enter, make_club, make_game, make_rules, state_of
from tests.tournaments.night import draw, make_night, start
from tournaments.models import Club, RoleKind

pytestmark = pytest.mark.django_db

READS = ("", "/hands", "/books", "/links", "/papers?hand=1")
EVENT_READS = ("", "/standings", "/awards", "/fees", "/rounds", "/handouts?kind=result")


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def desk(club: Club) -> Asking:
    account = account_of("director@club.example")
    role_of(account, club, RoleKind.DIRECTOR)
    return signed_in(account)


@pytest.fixture
def game(club: Club) -> Game:
    """A game that can be official as soon as it is closed."""
    return make_game(club, make_rules(club, overrides={"correction_period": "PT0H"}))


def post(desk: Asking, path: str, body: Mapping[str, Any]) -> Any:
    """Write what is at ``path``, in the version that it has now."""
    version = desk.get(path.rpartition("/")[0])["ETag"]
    answer = desk.post(path, body, If_Match=version)
    assert answer.status_code == 200, answer.content
    return answer.json()


def make_official(desk: Asking, game: Game) -> None:
    path = f"/api/v1/games/{game.pk}"
    post(desk, f"{path}/closing", {"reason": "Nobody came.", "leave_out": True})
    assert post(desk, f"{path}/official", {})["phase"] == "official"


def read_all(desk: Asking, path: str, parts: tuple[str, ...]) -> None:
    for part in parts:
        answer = desk.get(f"{path}{part}")
        assert answer.status_code == 200, (part, answer.content)


def test_a_game_without_a_hand_becomes_official_and_opens_again(desk: Asking, game: Game) -> None:
    make_official(desk, game)
    path = f"/api/v1/games/{game.pk}"
    read_all(desk, path, READS)
    check_problem(desk.get(f"{path}/handouts"), "UNPROCESSABLE")
    assert post(desk, f"{path}/reopening", {"why": "They came."})["phase"] == "open"


def test_a_game_whose_only_hand_waits_for_another_becomes_official(
    desk: Asking, game: Game
) -> None:
    record = chip_hand(state_of(game), (13, 0, 0, 0))
    enter(game, record, number=3)
    make_official(desk, game)
    read_all(desk, f"/api/v1/games/{game.pk}", READS)


def test_a_night_ends_with_a_table_that_never_played(club: Club, desk: Asking) -> None:
    event = make_night(8, club=club, rounds=1)
    draw(event)
    games = start(event, 1)
    path = f"/api/v1/events/{event.pk}"
    answer = desk.post(f"{path}/rounds/1/close", {"why": "The bar closes."})
    assert answer.status_code == 200, answer.content
    assert post(desk, f"{path}/end", {"why": "Nobody objects."})["status"] == "official"
    read_all(desk, path, EVENT_READS)
    for game in games:
        assert desk.post(f"/api/v1/games/{game.pk}/official").status_code == 200
