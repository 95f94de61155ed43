"""The trail: what was done, by whom and when, and whether anybody touched it since."""

import pytest

from tests.api.asking import Asking, account_of, check_problem, club_of, signed_in
from tests.unguarded import unguarded
from tournaments.models import AuditEntry, Club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return club_of(account_of("nora@club.example"))


@pytest.fixture
def asking(club: Club) -> Asking:
    found = signed_in(club.roles.get().account)
    for number in range(12):
        found.post(f"/api/v1/clubs/{club.pk}/players", {"name": f"Player {number}"})
    return found


def test_the_trail_says_who_and_what(asking: Asking, club: Club) -> None:
    page = asking.get(f"/api/v1/clubs/{club.pk}/audit?limit=5").json()
    assert [entry["number"] for entry in page["items"]] == [1, 2, 3, 4, 5]
    first = page["items"][0]
    assert (first["what"], first["source"]) == ("player added", "api")
    assert first["by"] == f"person:{club.roles.get().account_id}"
    assert first["details"]["number"] == 1
    assert asking.get(page["next"]).json()["items"][0]["number"] == 6


def test_the_trail_is_filtered(asking: Asking, club: Club) -> None:
    path = f"/api/v1/clubs/{club.pk}"
    asking.patch(path, {"name": "B"}, If_Match='"1"')
    found = asking.get(f"{path}/audit?what=club+changed&chain={club.pk}").json()["items"]
    assert [entry["number"] for entry in found] == [13]


def test_a_whole_chain_is_whole(asking: Asking, club: Club) -> None:
    found = asking.get(f"/api/v1/clubs/{club.pk}/audit/{club.pk}").json()
    assert (found["entries"], found["is_whole"], found["broken"]) == (12, True, [])
    assert found["head"] == AuditEntry.objects.get(number=12).digest


@pytest.mark.parametrize("field", ["what", "by", "why", "details", "digest", "before", "number"])
def test_whatever_is_changed_is_found(asking: Asking, club: Club, field: str) -> None:
    place = len(field)
    with unguarded():
        changed = 99 if field == "number" else "f" * 40
        AuditEntry.objects.filter(number=place).update(**{field: changed})
    found = asking.get(f"/api/v1/clubs/{club.pk}/audit/{club.pk}").json()
    assert not found["is_whole"]
    assert found["broken"]
    if field not in ("number", "digest"):
        assert found["broken"][0] == place


def test_what_is_left_out_is_found(asking: Asking, club: Club) -> None:
    with unguarded():
        AuditEntry.objects.filter(number=5).delete()
    found = asking.get(f"/api/v1/clubs/{club.pk}/audit/{club.pk}").json()
    assert found["broken"] == [6]


def test_the_chain_of_another_club_is_not_there(asking: Asking, club: Club) -> None:
    other = club_of(account_of("victor@club.example"))
    signed_in(other.roles.get().account).post(f"/api/v1/clubs/{other.pk}/players", {"name": "V"})
    check_problem(asking.get(f"/api/v1/clubs/{club.pk}/audit/{other.pk}"), "NOT_FOUND")
    check_problem(asking.get(f"/api/v1/clubs/{other.pk}/audit/{other.pk}"), "NOT_FOUND")
