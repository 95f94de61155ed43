"""Every file of the API is answered to whoever names its type, and to nobody who wants another."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse

from scoring.transfer.exporting.kinds import MEDIA_TYPES
from tests.api.asking import Asking, check_problem
from tests.api.test_permissions import ENDPOINTS, keys_of
from tests.api.world import OWN, World
from tests.web.window import publish_all
from tournaments.api.files import BYTES_TYPE, FileOutput
from tournaments.tables.formats import FORMATS

pytestmark = pytest.mark.django_db
TYPES = {key: form.media_type for key, form in FORMATS.items()} | MEDIA_TYPES


def file_endpoints() -> Iterator[str]:
    for (name, method), endpoint in sorted(ENDPOINTS.items()):
        output = endpoint.view.outputs.get(endpoint.action.__name__)
        if method == "GET" and isinstance(output, FileOutput):
            yield name


def address(world: World, name: str) -> str:
    return reverse(name, kwargs={key: world.corners[OWN].ids[key] for key in keys_of(name)})


def files(world: World) -> Iterator[tuple[str, str]]:
    """The address of every file, and its type."""
    publish_all()
    yield address(world, "calendar"), "text/calendar"
    yield address(world, "feed"), "application/feed+json"
    yield address(world, "atom-feed"), "application/atom+xml"
    yield f"{address(world, 'handouts')}?kind=result", "application/pdf"
    yield address(world, "league-handouts"), "application/pdf"
    yield address(world, "game-handouts"), "application/pdf"
    yield address(world, "api-slip-crop"), "image/jpeg"
    for key, kind in TYPES.items():
        what = "hands" if key == "phn" else "club" if key == "bundle" else "members"
        yield f"{address(world, 'exports')}?what={what}&format={key}", kind.partition(";")[0]
    event = world.corners[OWN].ids["event_id"]
    for key, form in FORMATS.items():
        where = f"{address(world, 'standings-file')}?event={event}&format={key}"
        yield where, form.media_type.partition(";")[0]


def content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_a_client_gets_a_file_by_its_own_type_and_by_no_other(world: World) -> None:
    asking: Asking = world.askers["admin"]
    for path, kind in files(world):
        for accepted in (kind, f"{kind}, */*;q=0.1", f"{kind.partition('/')[0]}/*", "*/*", ""):
            answer = asking.get(path, Accept=accepted)
            assert answer.status_code == 200, (path, accepted, answer.content)
            assert answer["Content-Type"].partition(";")[0] == kind, (path, accepted)
            assert content(answer)
        answer = asking.get(path, Accept=BYTES_TYPE)
        assert (answer.status_code, answer["Content-Type"]) == (200, BYTES_TYPE), path
        for other in ("application/json", "text/calendar", "image/png"):
            if other != kind:
                refusal = check_problem(asking.get(path, Accept=other), "NOT_ACCEPTABLE")
                assert kind in refusal["detail"] or kind in refusal["hint"]


def test_every_kind_of_file_is_tried_here(world: World) -> None:
    tried = {path.partition("?")[0] for path, _kind in files(world)}
    there = {name: address(world, name) for name in file_endpoints()}
    # What jobs make is tried in tests/scoring/transfer.
    assert {name for name, path in there.items() if path not in tried} == {
        "api-job-file",
        "job-signature",
    }


def test_a_problem_in_place_of_a_file_is_json(world: World) -> None:
    path = f"{address(world, 'exports')}?what=nothing&format=xlsx"
    answer = world.askers["admin"].get(path, Accept=TYPES["xlsx"])
    check_problem(answer, "VALIDATION" if answer.json()["code"] == "VALIDATION" else "VALUE")


def test_json_is_answered_to_whoever_asks_for_json_alone(world: World) -> None:
    path = address(world, "api-club-detail")
    assert world.askers["admin"].get(path, Accept="application/json").status_code == 200
    refusal = check_problem(world.askers["admin"].get(path, Accept="text/csv"), "NOT_ACCEPTABLE")
    assert refusal["hint"] == "Accept: application/json"
