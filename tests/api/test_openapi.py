"""The description of the API says what the endpoints do."""

from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from django.core.management import call_command
from django.urls import reverse

from tests.api.asking import Asking
from tests.api.test_permissions import ENDPOINTS, address_of, keys_of
from tests.api.world import OWN, World
from tournaments.access.rights import Right, RoleInClub
from tournaments.api.exceptions import KINDS, ProblemError

pytestmark = pytest.mark.django_db

EVERYWHERE = {"400", "401", "403", "404", "405", "406", "409", "410", "422", "429", "503", "507"}
WRITES = EVERYWHERE | {"411", "413", "415"}
EDITS = WRITES | {"412", "428"}


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    found: dict[str, Any] = Asking().get("/api/v1/openapi.json").json()
    return found


def test_the_document_is_valid_and_nothing_is_guessed(tmp_path: Any) -> None:
    file = str(tmp_path / "openapi.json")
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", file)


def operation(described: dict[str, Any], name: str, method: str) -> dict[str, Any]:
    template, keys = address_of(name)
    path = "/" + template % {key: f"{{{key}}}" for key in keys}
    found: dict[str, Any] = described["paths"][path][method.lower()]
    return found


def test_the_check_of_a_record_says_how_it_may_refuse(described: dict[str, Any]) -> None:
    said = set(described["paths"]["/api/v1/check"]["post"]["responses"])
    assert said == {"200", "400", "405", "406", "411", "413", "415", "429", "503", "507"}


@pytest.mark.parametrize(("name", "method"), sorted(ENDPOINTS))
def test_every_endpoint_says_how_it_may_refuse(
    described: dict[str, Any], name: str, method: str
) -> None:
    said = ENDPOINTS[name, method]
    found = operation(described, name, method)
    expected = EDITS if said.if_match else WRITES if said.is_idempotent else EVERYWHERE
    assert expected <= set(found["responses"])
    headers = {one["name"] for one in found.get("parameters", ()) if one["in"] == "header"}
    assert ("Idempotency-Key" in headers) == said.is_idempotent
    assert ("If-Match" in headers) == said.if_match
    assert found["summary"]
    assert any(str(word) in found["description"] for word in (*Right, "anybody", "signed in"))


def test_every_status_of_a_problem_is_one_that_is_described() -> None:
    statuses = {str(kind.status) for kind in KINDS.values()} - {"500"}
    assert statuses <= EDITS


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, method in sorted(ENDPOINTS)
        if method == "GET" and name.startswith("api-") and name != "api-job-file"
    ],
)
def test_an_answer_is_what_the_description_says_and_nothing_else(
    described: dict[str, Any], name: str, world: World
) -> None:
    ids = {key: world.corners[OWN].ids[key] for key in keys_of(name)}
    query = "?hand=1" if name == "api-paper-list" else ""
    answer = world.askers["admin"].get(reverse(name, kwargs=ids) + query)
    assert answer.status_code == 200
    content = operation(described, name, "GET")["responses"]["200"]["content"]
    schema = closed(content["application/json"]["schema"])
    schemas = {key: closed(one) for key, one in described["components"]["schemas"].items()}
    jsonschema.validate(answer.json(), {**schema, "components": {"schemas": schemas}})


def closed(schema: dict[str, Any]) -> dict[str, Any]:
    """The same, allowing no other keys."""
    return {**schema, "additionalProperties": False} if "properties" in schema else schema


def test_a_body_says_what_is_needed_and_what_is_possible(described: dict[str, Any]) -> None:
    body = described["components"]["schemas"]["NewGameRequest"]
    assert body["additionalProperties"] is False
    assert body["required"] == ["name", "players", "rule_set"]
    assert body["properties"]["name"] == {"type": "string", "minLength": 1, "maxLength": 200}
    players = body["properties"]["players"]
    assert (players["minItems"], players["maxItems"]) == (3, 6)
    assert players["description"] == "By seat, clockwise."
    dealer = body["properties"]["dealer"]
    assert (dealer["type"], dealer["minimum"], dealer["maximum"]) == ("integer", 0, 5)


def test_a_problem_is_what_the_description_says(described: dict[str, Any]) -> None:
    schema = described["components"]["schemas"]["Problem"]
    for code in KINDS:
        jsonschema.validate(ProblemError(code, "Why.", where={"key": "name"}).body(), schema)


def test_every_way_in_is_described(described: dict[str, Any]) -> None:
    assert set(described["components"]["securitySchemes"]) == {"key", "seat", "session"}


def test_every_role_has_a_part() -> None:
    assert {"player", "director", "treasurer", "admin", "federation"} < set(RoleInClub)
