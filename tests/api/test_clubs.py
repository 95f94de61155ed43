"""/api/v1/clubs: founded by anybody with an account, seen by who may, changed by one at a time."""

from typing import Any

import pytest

from tests.api.asking import Asking, account_of, check_problem, club_of, role_of, signed_in
from tournaments.models import Account, AuditEntry, Club, Role, RoleKind

pytestmark = pytest.mark.django_db
CLUBS = "/api/v1/clubs"


@pytest.fixture
def nora() -> Account:
    return account_of("nora@club.example")


@pytest.fixture
def asking(nora: Account) -> Asking:
    return signed_in(nora)


def test_who_founds_a_club_is_its_admin(asking: Asking, nora: Account) -> None:
    answer = asking.post(CLUBS, {"name": " Leiden Hearts ", "confirming": "required"})
    assert answer.status_code == 201
    found = answer.json()
    assert answer["Location"] == f"{CLUBS}/{found['id']}"
    assert answer["ETag"] == '"1"'
    assert (found["name"], found["is_public"], found["currency"], found["confirming"]) == (
        "Leiden Hearts", False, "EUR", "required",
    )  # fmt: skip
    role = Role.objects.get()
    assert (role.account, str(role.club_id), role.kind) == (nora, found["id"], "admin")
    assert asking.get(answer["Location"]).json() == found


def test_a_club_can_ask_its_admins_for_a_second_step_from_its_first_day(asking: Asking) -> None:
    answer = asking.post(CLUBS, {"name": "Leiden Hearts", "admins_need_second_factor": True})
    assert answer.status_code == 201
    assert answer.json()["admins_need_second_factor"] is True
    check_problem(asking.get(answer["Location"]), "SECOND_FACTOR_NEEDED")


def test_a_visitor_founds_no_club_and_neither_does_a_program(nora: Account) -> None:
    check_problem(Asking().post(CLUBS, {"name": "A"}), "UNAUTHENTICATED")
    club = club_of(nora)
    new = {"name": "All", "kind": "admin", "scopes": ["club.edit"]}
    key = signed_in(nora).post(f"{CLUBS}/{club.pk}/keys", new).json()["key"]
    program = Asking(headers={"Authorization": f"Bearer {key}"})
    check_problem(program.post(CLUBS, {"name": "A"}), "FORBIDDEN")


def test_one_sees_his_own_clubs_and_the_public_ones(asking: Asking, nora: Account) -> None:
    other = account_of("victor@club.example")
    club_of(nora, name="Mine")
    club_of(other, name="Theirs, public", is_public=True)
    club_of(other, name="Theirs, private")

    def names(who: Asking, query: str = "") -> list[str]:
        return [club["name"] for club in who.get(CLUBS + query).json()["items"]]

    assert names(asking) == ["Mine", "Theirs, public"]
    assert names(asking, "?mine=true") == ["Mine"]
    assert names(asking, "?mine=false") == ["Theirs, public"]
    assert names(asking, "?search=PUBL") == ["Theirs, public"]
    assert names(asking, "?search=private") == []
    assert names(Asking()) == ["Theirs, public"]
    role_of(nora, None, RoleKind.FEDERATION)
    assert names(asking, "?search=private") == ["Theirs, private"]


def test_a_club_is_changed_by_who_saw_it_last(asking: Asking, nora: Account) -> None:
    path = f"{CLUBS}/{club_of(nora).pk}"
    first = asking.patch(path, {"name": "Second"}, If_Match='"1"')
    assert first.status_code == 200
    assert (first["ETag"], first.json()["name"]) == ('"2"', "Second")
    answer = asking.patch(path, {"name": "Third", "is_public": False}, If_Match='"1"')
    found = check_problem(answer, "STALE")
    assert (found["yours"], found["ours"], answer["ETag"]) == (1, 2, '"2"')
    assert found["difference"] == {"name": {"yours": "Third", "ours": "Second"}}
    assert found["current"]["name"] == "Second"
    assert Club.objects.get().name == "Second"


def test_what_is_known_already_is_not_sent_again(asking: Asking, nora: Account) -> None:
    path = f"{CLUBS}/{club_of(nora).pk}"
    answer = asking.get(path, If_None_Match='"1"')
    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", '"1"')
    assert asking.get(path, If_None_Match='"2"').status_code == 200


def test_the_currency_of_the_books_stays(asking: Asking, nora: Account) -> None:
    path = f"{CLUBS}/{club_of(nora).pk}"
    check_problem(asking.patch(path, {"currency": "USD"}, If_Match='"1"'), "KEY_UNKNOWN")


def test_what_was_done_stands_in_the_trail_without_names(asking: Asking) -> None:
    path = asking.post(CLUBS, {"name": "Leiden Hearts"})["Location"]
    asking.patch(path, {"name": "Delft Hearts"}, If_Match='"1"')
    entries = AuditEntry.objects.order_by("number")
    assert [entry.what for entry in entries] == ["club founded", "club changed"]
    assert not any("Hearts" in entry.details for entry in entries)


def test_reading_costs_the_same_however_many_there_are(
    asking: Asking, nora: Account, django_assert_num_queries: Any
) -> None:
    for number in range(60):
        club_of(nora, name=f"Club {number}")
    with django_assert_num_queries(4):
        assert len(asking.get(CLUBS).json()["items"]) == 50
