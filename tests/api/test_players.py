"""Players: added, found, changed, merged with who they turned out to be, erased as persons."""

import uuid
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from tests.api.asking import NOW, Asking, account_of, check_problem, club_of, role_of, signed_in
from tournaments import audit
from tournaments.models import Account, AnsweredRequest, Club, Person, Player, Role, RoleKind

pytestmark = pytest.mark.django_db


@pytest.fixture
def nora() -> Account:
    return account_of("nora@club.example")


@pytest.fixture
def club(nora: Account) -> Club:
    return club_of(nora, is_public=True)


@pytest.fixture
def asking(nora: Account, club: Club) -> Asking:
    return signed_in(nora)


@pytest.fixture
def players(club: Club) -> str:
    return f"/api/v1/clubs/{club.pk}/players"


def add(asking: Asking, path: str, name: str = "Nora Adams", **more: str) -> dict[str, Any]:
    answer = asking.post(path, {"name": name, **more})
    assert answer.status_code == 201, answer.content
    assert answer["Location"] == f"{path}/{answer.json()['id']}"
    found: dict[str, Any] = answer.json()
    return found


def names(asking: Asking, path: str) -> list[str]:
    return [player["name"] for player in asking.get(path).json()["items"]]


def test_players_get_numbers_and_two_may_have_one_name(asking: Asking, players: str) -> None:
    found = [add(asking, players), add(asking, players, kind="guest", phone="06 12")]
    assert [one["number"] for one in found] == [1, 2]
    assert found[1]["kind"] == "guest"
    assert found[1]["contact"] == {
        "email": "",
        "phone": "06 12",
        "note": "",
        "gets_results": False,
    }


def test_strangers_see_a_first_name_and_an_initial(asking: Asking, players: str) -> None:
    player = add(asking, players, "Nora Adams", email="n@club.example")
    add(asking, players, "Brown, Victor")
    assert names(Asking(), players) == ["Nora A.", "Victor B."]
    found = Asking().get(f"{players}/{player['id']}")
    assert found.json()["contact"] is None
    assert b"Adams" not in found.content


def test_members_see_full_names_but_not_how_to_reach_each_other(
    asking: Asking, players: str, club: Club
) -> None:
    add(asking, players, "Nora Adams", phone="06 12")
    member = account_of("member@club.example")
    role_of(member, club, RoleKind.PLAYER)
    found = signed_in(member).get(players).json()["items"][0]
    assert (found["name"], found["contact"]) == ("Nora Adams", None)


@pytest.mark.parametrize("search", ["zoe", "ZOË", "grun", "Grün", "oë g"])
def test_a_name_is_found_without_its_case_and_accents(
    asking: Asking, players: str, search: str
) -> None:
    add(asking, players, "Zoë Grün")
    add(asking, players, "Nora Adams")
    assert names(asking, f"{players}?search={search}") == ["Zoë Grün"]


@pytest.mark.parametrize("search", ["%25", "_", "%5C", "'"])
def test_a_search_knows_no_signs_for_anything(asking: Asking, players: str, search: str) -> None:
    add(asking, players)
    assert names(asking, f"{players}?search={search}") == []


def test_strangers_cannot_search_for_names(players: str, club: Club) -> None:
    check_problem(Asking().get(f"{players}?search=nora"), "FORBIDDEN")


def test_a_player_is_changed_leaves_and_comes_back(asking: Asking, players: str) -> None:
    path = f"{players}/{add(asking, players, phone='06 12')['id']}"
    found = asking.patch(path, {"name": "Nora Brown", "left": True}, If_Match='"1"').json()
    assert (found["name"], found["version"], found["contact"]["phone"]) == (
        "Nora Brown",
        2,
        "06 12",
    )
    assert found["left_at"]
    assert names(asking, f"{players}?left=false") == []
    assert names(asking, f"{players}?search=brown&left=true") == ["Nora Brown"]
    assert asking.patch(path, {"left": False}, If_Match='"2"').json()["left_at"] is None
    stale = check_problem(asking.patch(path, {"kind": "guest"}, If_Match='"1"'), "STALE")
    assert stale["difference"] == {"kind": {"yours": "guest", "ours": "member"}}


def test_a_player_of_another_club_is_not_there(asking: Asking, players: str) -> None:
    other = club_of(account_of("victor@club.example"))
    stranger = Player.objects.create(club=other, number=1, created_at=NOW)
    Person.objects.create(player=stranger, name="Secret Person")
    path = f"{players}/{stranger.pk}"
    check_problem(asking.get(path), "NOT_FOUND")
    check_problem(asking.patch(path, {"name": "X"}, If_Match='"1"'), "NOT_FOUND")
    check_problem(asking.delete(f"{path}/person", If_Match='"1"'), "NOT_FOUND")
    own = add(asking, players)["id"]
    answer = asking.post(f"{players}/{own}/merge", {"into": str(stranger.pk)}, If_Match='"1"')
    assert check_problem(answer, "UNPROCESSABLE")["where"] == {"key": "into"}


def test_a_duplicate_leads_to_who_he_turned_out_to_be(
    asking: Asking, players: str, club: Club
) -> None:
    first, second, third = (add(asking, players, f"Nora {word}")["id"] for word in "ABC")
    role = role_of(account_of("a@club.example"), club, RoleKind.PLAYER)
    Role.objects.filter(pk=role.pk).update(player=first)
    answer = asking.post(f"{players}/{first}/merge", {"into": second}, If_Match='"1"')
    assert answer.json()["id"] == second
    asking.post(f"{players}/{second}/merge", {"into": third}, If_Match='"2"')
    assert names(asking, players) == ["Nora C"]
    for duplicate in (first, second):
        assert asking.get(f"{players}/{duplicate}").json()["id"] == third
        assert str(Player.objects.get(pk=duplicate).merged_into_id) == third
    assert str(Role.objects.get(pk=role.pk).player_id) == third


def test_nobody_is_merged_with_himself_or_in_a_circle(asking: Asking, players: str) -> None:
    first, second = (add(asking, players)["id"] for _ in range(2))
    path = f"{players}/{{}}/merge"
    itself = asking.post(path.format(first), {"into": first}, If_Match='"1"')
    check_problem(itself, "UNPROCESSABLE")
    asking.post(path.format(first), {"into": second}, If_Match='"1"')
    circle = asking.post(path.format(second), {"into": first}, If_Match='"2"')
    check_problem(circle, "UNPROCESSABLE")
    nobody = asking.post(path.format(second), {"into": str(uuid.uuid4())}, If_Match='"2"')
    check_problem(nobody, "UNPROCESSABLE")


def test_a_merged_player_is_changed_no_more(asking: Asking, players: str) -> None:
    first, second = (add(asking, players)["id"] for _ in range(2))
    asking.post(f"{players}/{first}/merge", {"into": second}, If_Match='"1"')
    check_problem(asking.patch(f"{players}/{first}", {"name": "X"}, If_Match='"2"'), "CONFLICT")
    again = asking.post(f"{players}/{first}/merge", {"into": second}, If_Match='"2"')
    check_problem(again, "CONFLICT")


def test_an_erased_person_is_nowhere_and_his_player_stays(
    asking: Asking, players: str, club: Club
) -> None:
    add(asking, players, "Victor Brown")
    words = {"name": 'Zoë "Queen" Grün', "email": "zoe@grun.example", "phone": "+31 555 0199"}
    player = asking.post(players, words).json()
    double = add(asking, players, "Zoe Gruen-Double")
    asking.post(f"{players}/{double['id']}/merge", {"into": player["id"]}, If_Match='"1"')
    asking.patch(f"{players}/{player['id']}", {"note": "left-handed"}, If_Match='"2"')
    answer = asking.delete(f"{players}/{player['id']}/person", If_Match='"3"')
    found = answer.json()
    assert (found["name"], found["is_erased"], found["contact"]) == ("Former member 2", True, None)
    everything = dump()
    for trace in ("Grün", "grun", "Gruen", "555 0199", "Queen"):
        assert trace not in everything
    assert "Victor Brown" in everything
    assert not list(audit.find_broken_entries(club.pk))


def dump() -> str:
    """All rows of all tables as one text."""
    rows = []
    for model in apps.get_models(include_auto_created=True):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {model._meta.db_table}")
            for row in cursor.fetchall():
                rows += [
                    bytes(value).decode() if isinstance(value, bytes | memoryview) else str(value)
                    for value in row
                ]
    return "\n".join(rows)


def test_a_request_with_an_erased_name_is_still_not_applied_twice(
    asking: Asking, players: str
) -> None:
    key = "0193f000-0000-7000-8000-00000000000a"
    player = asking.post(players, {"name": "Zoë Grün"}, Idempotency_Key=key).json()
    asking.delete(f"{players}/{player['id']}/person", If_Match='"1"')
    again = asking.post(players, {"name": "Zoë Grün"}, Idempotency_Key=key)
    assert (again.status_code, again.content) == (201, b"{}")
    assert Player.objects.count() == 1
    other = asking.post(players, {"name": "Nora"}, Idempotency_Key=key)
    assert "Grün" not in check_problem(other, "KEY_REUSED")["difference"]
    assert AnsweredRequest.objects.count() == 2


def test_an_erased_person_gets_no_name_again_and_is_erased_once(
    asking: Asking, players: str
) -> None:
    path = f"{players}/{add(asking, players)['id']}"
    asking.delete(f"{path}/person", If_Match='"1"')
    check_problem(asking.patch(path, {"name": "Nora"}, If_Match='"2"'), "UNPROCESSABLE")
    assert asking.delete(f"{path}/person", If_Match='"2"').json()["version"] == 2
    assert asking.patch(path, {"left": True}, If_Match='"2"').status_code == 200


def test_a_director_adds_players_but_erases_none(asking: Asking, players: str, club: Club) -> None:
    director = account_of("director@club.example")
    role_of(director, club, RoleKind.DIRECTOR)
    desk = signed_in(director)
    path = f"{players}/{add(desk, players)['id']}"
    check_problem(desk.delete(f"{path}/person", If_Match='"1"'), "FORBIDDEN")


def test_no_name_stands_in_the_trail(asking: Asking, players: str, club: Club) -> None:
    path = f"{players}/{add(asking, players, 'Zoë Grün')['id']}"
    asking.patch(path, {"name": "Zoë Brown"}, If_Match='"1"')
    found = asking.get(f"/api/v1/clubs/{club.pk}/audit")
    assert [entry["what"] for entry in found.json()["items"]] == ["player added", "player changed"]
    assert "Zoë" not in found.content.decode()


def test_a_list_costs_the_same_however_long(
    asking: Asking, players: str, django_assert_num_queries: Any
) -> None:
    for number in range(12):
        add(asking, players, f"Player {number}")
    with django_assert_num_queries(5):
        asking.get(players)


@pytest.mark.parametrize(
    "name",
    ["=HYPERLINK(1)", "<script>alert(1)</script>", "'; DROP TABLE--", "名前", "O'Neill", "🂡"],
)
def test_a_strange_name_is_a_name(asking: Asking, players: str, name: str) -> None:
    add(asking, players, name)
    assert names(asking, players) == [name]
