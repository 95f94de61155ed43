"""Roles of people and keys of programs: given, limited, taken away; a club keeps an admin."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.api.asking import NOW, Asking, account_of, check_problem, club_of, role_of, signed_in
from tournaments.models import Account, ApiKey, Club, Person, Player, Role, RoleKind
from tournaments.people import api_keys

pytestmark = pytest.mark.django_db


@pytest.fixture
def nora() -> Account:
    return account_of("nora@club.example")


@pytest.fixture
def victor() -> Account:
    return account_of("victor@club.example", "Victor Brown")


@pytest.fixture
def club(nora: Account) -> Club:
    return club_of(nora)


@pytest.fixture
def asking(nora: Account, club: Club) -> Asking:
    return signed_in(nora)


@pytest.fixture
def path(club: Club) -> str:
    return f"/api/v1/clubs/{club.pk}"


def test_a_role_opens_the_club_and_its_end_closes_it(
    asking: Asking, victor: Account, path: str
) -> None:
    check_problem(signed_in(victor).get(path), "NOT_FOUND")
    new = {"email": "VICTOR@club.example", "kind": "director"}
    role = asking.post(f"{path}/roles", new).json()
    assert (role["name"], role["kind"], role["account"]) == (
        "Victor Brown", "director", str(victor.pk),
    )  # fmt: skip
    assert signed_in(victor).get(path).status_code == 200
    assert len(asking.get(f"{path}/roles").json()["items"]) == 2
    assert asking.delete(f"{path}/roles/{role['id']}").status_code == 204
    check_problem(signed_in(victor).get(path), "NOT_FOUND")


def test_a_role_is_had_once(asking: Asking, victor: Account, path: str) -> None:
    new = {"email": victor.email, "kind": "player"}
    ids = {asking.post(f"{path}/roles", new).json()["id"] for _ in range(2)}
    assert len(ids) == 1


@pytest.mark.usefixtures("victor")
@pytest.mark.parametrize(
    ("new", "code", "key"),
    [
        ({"email": "nobody@club.example", "kind": "player"}, "UNPROCESSABLE", "email"),
        ({"email": "victor@club.example", "kind": "federation"}, "VALUE", "kind"),
        ({"email": "victor@club.example", "kind": "scorer"}, "VALUE", "kind"),
        ({"email": "victor", "kind": "player"}, "VALUE", "email"),
        (
            {
                "email": "victor@club.example",
                "kind": "player",
                "player": "0193f000-0000-7000-8000-00000000000a",
            },
            "UNPROCESSABLE",
            "player",
        ),
    ],
)
def test_a_role_that_cannot_be(
    asking: Asking, path: str, new: dict[str, str], code: str, key: str
) -> None:
    found = check_problem(asking.post(f"{path}/roles", new), code)
    assert found["where"] == {"key": key}
    assert Role.objects.count() == 1


def test_a_role_says_who_somebody_is_at_the_tables(
    asking: Asking, victor: Account, path: str, club: Club
) -> None:
    survivor = Player.objects.create(club=club, number=1, created_at=NOW)
    double = Player.objects.create(club=club, number=2, merged_into=survivor, created_at=NOW)
    Person.objects.create(player=survivor, name="Victor Brown")
    new = {"email": victor.email, "kind": "player", "player": str(double.pk)}
    assert asking.post(f"{path}/roles", new).json()["player"] == str(survivor.pk)


def test_the_last_admin_cannot_leave(
    asking: Asking, nora: Account, victor: Account, path: str, club: Club
) -> None:
    own = Role.objects.get(account=nora)
    check_problem(asking.delete(f"{path}/roles/{own.pk}"), "CONFLICT")
    other = role_of(victor, club, RoleKind.ADMIN)
    Account.objects.filter(pk=victor.pk).update(is_active=False)
    check_problem(asking.delete(f"{path}/roles/{own.pk}"), "CONFLICT")
    Account.objects.filter(pk=victor.pk).update(is_active=True)
    assert asking.delete(f"{path}/roles/{own.pk}").status_code == 204
    assert list(Role.objects.values_list("pk", flat=True)) == [other.pk]


def test_anybody_gives_up_his_own_role_and_no_other(
    victor: Account, nora: Account, path: str, club: Club
) -> None:
    own = role_of(victor, club, RoleKind.DIRECTOR)
    desk = signed_in(victor)
    others = Role.objects.get(account=nora)
    check_problem(desk.delete(f"{path}/roles/{others.pk}"), "FORBIDDEN")
    check_problem(desk.delete(f"{path}/roles/0193f000-0000-7000-8000-00000000000a"), "FORBIDDEN")
    assert desk.delete(f"{path}/roles/{own.pk}").status_code == 204


def test_a_federation_helps_a_club_that_lost_its_admin(
    victor: Account, path: str, club: Club
) -> None:
    role_of(victor, None, RoleKind.FEDERATION)
    desk = signed_in(victor)
    assert desk.post(f"{path}/roles", {"email": victor.email, "kind": "admin"}).status_code == 201
    assert desk.patch(path, {"name": "Helped"}, If_Match='"1"').status_code == 200


def make(asking: Asking, path: str, **more: Any) -> dict[str, Any]:
    new = {"name": "Results", "kind": "director", "scopes": ["club.read"], **more}
    answer = asking.post(f"{path}/keys", new)
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found


def program(key: dict[str, Any]) -> Asking:
    return Asking(headers={"Authorization": f"Bearer {key['key']}"})


def test_a_program_shows_its_key_and_needs_no_token(asking: Asking, path: str) -> None:
    key = make(asking, path, scopes=["club.read", "players.edit"])
    found = program(key).post(f"{path}/players", {"name": "Nora Adams"})
    assert found.status_code == 201
    me = program(key).get("/api/v1/me").json()
    assert (me["kind"], me["id"], me["scopes"]) == ("key", key["id"], ["club.read", "players.edit"])
    assert me["roles"][0]["rights"] == ["club.read", "players.edit"]


def test_a_key_may_no_more_than_its_scopes(asking: Asking, path: str) -> None:
    reader = program(make(asking, path))
    assert reader.get(path).status_code == 200
    check_problem(reader.post(f"{path}/players", {"name": "Nora"}), "FORBIDDEN")
    writer = program(make(asking, path, scopes=["players.edit"]))
    check_problem(writer.get(path), "FORBIDDEN")


def test_a_key_opens_no_other_club(asking: Asking, path: str, victor: Account) -> None:
    other = club_of(victor)
    check_problem(program(make(asking, path)).get(f"/api/v1/clubs/{other.pk}"), "NOT_FOUND")


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"scopes": []}, "VALUE"),
        ({"scopes": ["club.raed"]}, "VALUE"),
        ({"scopes": ["roles.edit"]}, "VALUE"),
        ({"scopes": ["keys.edit"]}, "VALUE"),
        ({"scopes": ["money.edit"]}, "UNPROCESSABLE"),
        ({"scopes": "club.read"}, "TYPE"),
        ({"kind": "federation"}, "VALUE"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "UNPROCESSABLE"),
        ({"expires_at": "2030-01-01"}, "VALUE"),
        ({"expires_at": "2030-02-30T00:00:00Z"}, "VALUE"),
        ({"expires_at": 7}, "TYPE"),
        ({"expires_at": "9999-12-31T23:59:59-23:59"}, "VALUE"),
    ],
)
def test_a_key_that_cannot_be(asking: Asking, path: str, more: dict[str, Any], code: str) -> None:
    new = {"name": "Results", "kind": "director", "scopes": ["club.read"], **more}
    check_problem(asking.post(f"{path}/keys", new), code)
    assert not ApiKey.objects.exists()


def test_a_key_ends_on_its_day_or_when_it_is_revoked(asking: Asking, path: str) -> None:
    until = timezone.now() + timedelta(days=1)
    key = make(asking, path, expires_at=until.isoformat())
    assert program(key).get(path).status_code == 200
    ApiKey.objects.update(expires_at=timezone.now())
    answer = program(key).get(path)
    check_problem(answer, "UNAUTHENTICATED")
    assert answer["WWW-Authenticate"]
    other = make(asking, path)
    revoked = asking.delete(f"{path}/keys/{other['id']}").json()
    assert revoked["revoked_at"]
    assert asking.delete(f"{path}/keys/{other['id']}").json() == revoked
    check_problem(program(other).get(path), "UNAUTHENTICATED")


def test_of_a_key_only_a_digest_is_kept(asking: Asking, path: str) -> None:
    key = make(asking, path)
    assert ApiKey.objects.get().digest == api_keys.digest_of(key["key"])
    assert len(key["key"]) >= len(api_keys.PREFIX) + 43  # 256 bits
    assert asking.get(f"{path}/keys").json()["items"][0]["key"] is None


def test_knowing_a_program_costs_one_question(
    asking: Asking, path: str, django_assert_num_queries: Any
) -> None:
    who = program(make(asking, path))
    with django_assert_num_queries(2):
        who.get(path)
