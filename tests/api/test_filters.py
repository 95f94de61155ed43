"""Filters of lists: each parts a list into those that it names and the others."""

from typing import Any

import pytest
from django.urls import reverse

from tests.api.asking import Asking, check_problem
from tests.api.test_permissions import ENDPOINTS, keys_of
from tests.api.world import OWN, World
from tournaments.api.filters import BooleanFilter

pytestmark = pytest.mark.django_db


def filtered_lists() -> list[tuple[str, str]]:
    """Every filter that is true or false, and the name of its list."""
    return [
        (name, key)
        for (name, method), endpoint in sorted(ENDPOINTS.items())
        if method == "GET" and name.endswith("-list")
        for key, one in getattr(
            getattr(endpoint.view, "filterset_class", None), "base_filters", {}
        ).items()
        if isinstance(one, BooleanFilter)
    ]


def ids(asking: Asking, path: str) -> list[Any]:
    return [str(row) for row in asking.get(path).json()["items"]]


def test_true_and_false_part_every_list(world: World) -> None:
    found = filtered_lists()
    assert len(found) > 8
    for name, key in found:
        path = reverse(name, kwargs={one: world.corners[OWN].ids[one] for one in keys_of(name)})
        asking = world.askers["admin"]
        everything = ids(asking, f"{path}?limit=100")
        parts = [ids(asking, f"{path}?limit=100&{key}={word}") for word in ("true", "false")]
        if key not in ("mine", "dry_run"):
            assert sorted([*parts[0], *parts[1]]) == sorted(everything), (name, key)
        check_problem(asking.get(f"{path}?{key}=1"), "VALUE")


def test_a_revoked_key_is_found_among_the_revoked(world: World) -> None:
    path = reverse("api-key-list", kwargs={"club_id": world.corners[OWN].ids["club_id"]})
    asking = world.askers["admin"]
    one = asking.get(path).json()["items"][0]["id"]
    assert asking.delete(f"{path}/{one}").status_code == 200
    assert [row["id"] for row in asking.get(f"{path}?revoked=true").json()["items"]] == [one]
    left = [row["id"] for row in asking.get(f"{path}?revoked=false").json()["items"]]
    assert one not in left


def test_the_limits_are_readable_by_anybody() -> None:
    limits = Asking().get("/api/v1/limits").json()
    assert limits["page_rows_most"] == 100
    assert limits["repeat_days"] == 30
    assert all(isinstance(value, int) and value > 0 for value in limits.values())
