"""The roll and the sessions of a league, changed through the API."""

from typing import Any

import pytest

from tests.api.asking import NOW, Asking, account_of, check_problem, role_of, signed_in
from tests.scoring.club import DIRECTOR, make_club, make_players
from tests.tournaments.night import make_event
from tournaments.events.leagues import create_league
from tournaments.models import Club, League, LeagueEvent, RoleKind

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def desk(club: Club) -> Asking:
    account = account_of("director@club.example")
    role_of(account, club, RoleKind.DIRECTOR)
    return signed_in(account)


@pytest.fixture
def league(club: Club) -> League:
    return create_league(club_id=club.pk, new={"name": "Autumn"}, by=DIRECTOR, at=NOW)


@pytest.fixture
def member(club: Club, desk: Asking, league: League) -> str:
    """The address of somebody on the roll."""
    (player, *_) = make_players(club, 1)
    roll = f"/api/v1/leagues/{league.pk}/members"
    made = desk.post(roll, {"player": str(player.pk), "opening": "5"})
    assert (made.status_code, made["ETag"]) == (201, '"1"')
    return str(made["Location"])


@pytest.fixture
def session(club: Club, desk: Asking, league: League) -> str:
    """The address of an event that counts."""
    event = make_event(club)
    made = desk.post(f"/api/v1/leagues/{league.pk}/sessions", {"event": str(event.pk)})
    assert (made.status_code, made["ETag"]) == (201, '"1"')
    return str(made["Location"])


def check_second_editor(desk: Asking, address: str, first: Any, second: Any) -> Any:
    """Two change version 1: the first is heard, the second is told what differs."""
    check_problem(desk.patch(address, first), "PRECONDITION_REQUIRED")
    changed = desk.patch(address, first, If_Match='"1"')
    assert (changed.status_code, changed["ETag"], changed.json()["version"]) == (200, '"2"', 2)
    return check_problem(desk.patch(address, second, If_Match='"1"'), "STALE")["difference"]


def test_of_two_who_change_a_member_the_second_is_told_what_stands(
    desk: Asking, member: str
) -> None:
    told = check_second_editor(desk, member, {"opening": "7"}, {"opening": "6", "withdrawn": True})
    assert told == {
        "opening": {"yours": "6", "ours": "7"},
        "withdrawn": {"yours": True, "ours": False},
    }
    (row,) = desk.get(member.rpartition("/")[0]).json()["items"]
    assert (row["opening"], row["withdrawn_at"], row["version"]) == ("7", None, 2)


def test_of_two_who_change_a_session_the_second_is_told_what_stands(
    desk: Asking, session: str
) -> None:
    told = check_second_editor(desk, session, {"weight": "3/2"}, {"weight": "2", "number": 1})
    assert told == {"weight": {"yours": "2", "ours": "3/2"}}


def test_a_session_that_was_changed_meanwhile_is_not_removed(desk: Asking, session: str) -> None:
    desk.patch(session, {"weight": "3/2"}, If_Match='"1"')
    check_problem(desk.delete(session, If_Match='"1"'), "STALE")
    assert LeagueEvent.objects.count() == 1
    assert desk.delete(session, If_Match='"2"').status_code == 200
    assert not LeagueEvent.objects.exists()
