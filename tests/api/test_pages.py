"""Lists a page at a time: nothing twice, nothing left out, and no cursor of one's own."""

import pytest

from tests.api.asking import NOW, Asking, account_of, check_problem, club_of, signed_in
from tournaments.models import Club

pytestmark = pytest.mark.django_db
CLUBS = "/api/v1/clubs"


@pytest.fixture
def asking() -> Asking:
    nora = account_of("nora@club.example")
    for number in range(25):
        club_of(nora, name=f"Club {number}", is_public=number % 2 == 0)
    return signed_in(nora)


def walk(asking: Asking, path: str) -> list[str]:
    names: list[str] = []
    while path:
        page = asking.get(path).json()
        names += [club["name"] for club in page["items"]]
        path = page["next"] or ""
    return names


@pytest.mark.parametrize("limit", [1, 7, 24, 25, 26, 100])
def test_every_row_comes_once_in_the_order_of_making(asking: Asking, limit: int) -> None:
    assert walk(asking, f"{CLUBS}?limit={limit}") == [f"Club {number}" for number in range(25)]


def test_a_row_that_comes_in_between_disturbs_nothing(asking: Asking) -> None:
    first = asking.get(f"{CLUBS}?limit=10").json()
    Club.objects.create(name="New", is_public=True, created_at=NOW)
    rest = walk(asking, first["next"])
    assert rest == [*[f"Club {number}" for number in range(10, 25)], "New"]


def test_the_next_page_keeps_the_filters(asking: Asking) -> None:
    found = walk(asking, f"{CLUBS}?limit=2&search=club+1&mine=true")
    assert found == [f"Club {number}" for number in (1, *range(10, 20))]


def test_a_cursor_belongs_to_its_list_and_its_filters(asking: Asking) -> None:
    link = asking.get(f"{CLUBS}?limit=2&mine=true").json()["next"]
    cursor = link.partition("cursor=")[2]
    check_problem(asking.get(f"{CLUBS}?limit=2&cursor={cursor}"), "PAGE")
    club = Club.objects.order_by("pk")[0]
    check_problem(asking.get(f"{CLUBS}/{club.pk}/players?cursor={cursor}"), "PAGE")
    changed = cursor[:-1] + ("A" if cursor[-1] != "A" else "B")
    check_problem(asking.get(f"{CLUBS}?limit=2&mine=true&cursor={changed}"), "PAGE")


def test_a_cursor_says_nothing_plainly(asking: Asking) -> None:
    link = asking.get(f"{CLUBS}?limit=1").json()["next"]
    assert str(Club.objects.order_by("pk")[0].pk) not in link
