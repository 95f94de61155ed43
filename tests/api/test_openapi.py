"""The description of the API says what the endpoints do."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from django.core.management import call_command
from django.urls import reverse

from scoring.api.response_examples import EXAMPLES_FILE
from scoring.games import nights
from scoring.jobs import tasks
from scoring.models import Delivery
from scoring.webhooks.client import make_secret, signed_headers
from scoring.webhooks.subscriptions import TEST, WebhookEvent, add_webhook, send_test
from tests.api.asking import NOW, Asking
from tests.api.test_permissions import ENDPOINTS, address_of, keys_of
from tests.api.world import OWN, World
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import draw, make_night, play, start
from tournaments.access.rights import Right, RoleInClub
from tournaments.api.document import clear_cache
from tournaments.api.exceptions import KINDS, ProblemError
from tournaments.api.files import BYTES_TYPE
from tournaments.api.parsers import JSON_TYPE, PicturesParser
from tournaments.api.views import ApiViewSet
from tournaments.core.ids import new_id
from tournaments.prizes.settings import Prizes
from tournaments.standings.scoring import ScoringRules
from tournaments.standings.season import SeasonRules

pytestmark = pytest.mark.django_db

EVERYWHERE = {
    *("400", "401", "403", "404", "405", "406", "409", "410", "414", "422", "429", "431", "503"),
    "507",
}
WRITES = EVERYWHERE | {"411", "413", "415"}
EDITS = WRITES | {"412", "428"}
WHOLE_LISTS = {
    "GET /events/{event_id}/apart",
    "GET /events/{event_id}/boards",
    "GET /events/{event_id}/rounds",
    "GET /events/{event_id}/slips",
    "GET /games/{game_id}/drafts",
    "GET /games/{game_id}/links",
    "GET /games/{game_id}/papers",
    "GET /irregularities",
}
"""Lists that come whole: of one event, one table or one hand, or known from the start."""
RECORD_AGAIN = (
    "record the examples again:"
    " .venv/bin/python -m pytest -p tests.api.recording tests/api/test_director_story.py"
)
FORM_TYPE = PicturesParser.media_type
WITHOUT_KEY = {
    "POST /check",
    "POST /invitations",
    "POST /me/password",
    "POST /session",
    "DELETE /session",
}
"""Writes without a key: they store nothing, or a word of theirs holds once."""


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    found: dict[str, Any] = Asking().get("/api/v1/openapi.json").json()
    refusals = found["components"]["responses"]
    for item in found["paths"].values():
        for action in item.values():
            for status, said in action["responses"].items():
                if "$ref" in said:
                    action["responses"][status] = refusals[said["$ref"].rpartition("/")[2]]
    return found


def test_the_document_is_valid_and_nothing_is_guessed(tmp_path: Any) -> None:
    file = str(tmp_path / "openapi.json")
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", file)


def test_sixteen_readers_at_once_get_the_same_document(described: dict[str, Any]) -> None:
    clear_cache()
    with ThreadPoolExecutor(16) as pool:
        asked = [pool.submit(Asking().get, "/api/v1/openapi.json") for _reader in range(16)]
        answers = [one.result() for one in asked]
    assert [answer.status_code for answer in answers] == [200] * 16
    assert len({(answer["ETag"], answer.content) for answer in answers}) == 1
    assert answers[0].json()["paths"].keys() == described["paths"].keys()
    known = Asking().get("/api/v1/openapi.json", If_None_Match=answers[0]["ETag"])
    assert (known.status_code, known.content) == (304, b"")


def test_each_refusal_is_described_once_and_no_media_type_is_left_open() -> None:
    answer = Asking().get("/api/v1/openapi.json")
    assert len(answer.content) < 1_000_000
    assert "*/*" not in answer.content.decode()
    assert answer.content.count(b'"application/problem+json"') < 30


def operation(described: dict[str, Any], name: str, method: str) -> dict[str, Any]:
    template, keys = address_of(name)
    path = "/" + template % {key: f"{{{key}}}" for key in keys}
    found: dict[str, Any] = described["paths"][path][method.lower()]
    return found


def test_the_check_of_a_record_says_how_it_may_refuse(described: dict[str, Any]) -> None:
    said = set(described["paths"]["/api/v1/check"]["post"]["responses"])
    refusals = {"400", "405", "406", "411", "413", "414", "415", "429", "431", "503", "507"}
    assert said == {"200", *refusals}


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


NO_DATA_HERE = {"api-job-file", "api-hand-analysis", "api-slip-crop"}
"""Files; and no round of this world is closed, and its hands are results alone."""


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, method in sorted(ENDPOINTS)
        if method == "GET" and name.startswith("api-") and name not in NO_DATA_HERE
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
    """The same, allowing no other keys, and asking for all of them unless none is required."""
    if "properties" not in schema:
        return schema
    required = list(schema["properties"]) if schema.get("required") else []
    return {**schema, "additionalProperties": False, "required": required}


def operations(described: dict[str, Any], *methods: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the document says of each action of some methods."""
    for path, actions in described["paths"].items():
        for method in methods:
            if method in actions:
                yield f"{method.upper()} {path.removeprefix('/api/v1')}", actions[method]


def parameters(described_action: dict[str, Any], place: str) -> dict[str, Any]:
    """Its parameters in the query or in the headers, by name."""
    found = described_action.get("parameters", ())
    return {one["name"]: one for one in found if one["in"] == place}


def properties(described: dict[str, Any], found: dict[str, Any]) -> set[str]:
    """The members of the answer of an action."""
    content = found["responses"].get("200", {}).get("content", {}).get("application/json", {})
    schema = content.get("schema", {})
    if "$ref" in schema:
        schema = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return set(schema.get("properties", ()))


def test_every_list_that_may_grow_has_the_same_pages(described: dict[str, Any]) -> None:
    lists = {
        name: found
        for name, found in operations(described, "get")
        if found["operationId"].endswith("_list")
    }
    pages = [parameters(found, "query") for found in lists.values()]
    paged = [(one["limit"], one["cursor"]) for one in pages if "cursor" in one]
    assert all(one == paged[0] for one in paged)
    for name, found in lists.items():
        assert ("cursor" in parameters(found, "query")) == (name not in WHOLE_LISTS), name
        assert ("next" in properties(described, found)) == (name not in WHOLE_LISTS), name
    assert lists.keys() >= WHOLE_LISTS


def test_every_write_takes_a_key_so_that_it_can_be_repeated(described: dict[str, Any]) -> None:
    writes = list(operations(described, "post", "put", "patch", "delete"))
    assert len(writes) > 50
    keys = [parameters(found, "header").get("Idempotency-Key") for _, found in writes]
    assert {name for (name, _), key in zip(writes, keys, strict=True) if key is None} == WITHOUT_KEY
    known = [key for key in keys if key is not None]
    assert all(key == known[0] for key in known)


def test_whoever_edits_what_has_a_version_says_which_one_they_saw(
    described: dict[str, Any],
) -> None:
    edits = {
        name: found
        for name, found in operations(described, "put", "patch", "delete")
        if "version" in properties(described, found)
    }
    assert len(edits) > 8
    missing = {name for name, one in edits.items() if "If-Match" not in parameters(one, "header")}
    # A version of house rules never changes: to retire one overwrites nothing.
    assert missing == {"DELETE /clubs/{club_id}/rule-sets/{rule_set_id}"}


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


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and all those that it is made of."""
    if not isinstance(schema, dict):
        return
    yield schema
    inner = [*schema.get("properties", {}).values(), schema.get("items")]
    inner += [schema.get("additionalProperties")]
    for word in ("anyOf", "allOf", "oneOf"):
        inner += schema.get(word, [])
    for one in inner:
        yield from parts(one)


def is_typed(schema: dict[str, Any]) -> bool:
    """Whether a schema says what a value is, and an object or a list what is in it."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if (
        "object" in kinds
        and not schema.get("properties")
        and not schema.get("additionalProperties")
    ):
        return False
    if "array" in kinds and not schema.get("items"):
        return False
    return bool(schema.keys() & {"type", "enum", "anyOf", "allOf", "oneOf", "$ref"})


def contents(described: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every body and every answer but files: where, the media type, and its description."""
    for path, item in described["paths"].items():
        for method, found in item.items():
            said = {"body": found.get("requestBody", {}), **found["responses"]}
            for name, one in said.items():
                is_file = name != "body" and BYTES_TYPE in one.get("content", {})
                for kind, content in one.get("content", {}).items():
                    if kind not in (BYTES_TYPE, FORM_TYPE) and not is_file:
                        yield f"{method} {path} {name}", kind, content


def validate(described: dict[str, Any], value: Any, schema: dict[str, Any]) -> None:
    jsonschema.validate(value, {**schema, "components": described["components"]})


def test_no_body_and_no_answer_is_without_a_type(described: dict[str, Any]) -> None:
    schemas = dict(described["components"]["schemas"])
    schemas |= {f"{where} {kind}": one["schema"] for where, kind, one in contents(described)}
    untyped = [
        (name, part)
        for name, schema in schemas.items()
        for part in parts(schema)
        if not is_typed(part)
    ]
    assert untyped == []


def test_every_body_has_an_example_that_its_schema_allows(described: dict[str, Any]) -> None:
    bodies = [one for one in contents(described) if " body" in one[0]]
    assert len(bodies) > 75
    for where, _kind, content in bodies:
        assert content.get("examples"), where
        for example in content["examples"].values():
            validate(described, example["value"], content["schema"])


def test_every_json_answer_has_an_example_that_its_schema_allows(
    described: dict[str, Any], subtests: pytest.Subtests
) -> None:
    answers = [one for one in contents(described) if one[0][-3] == "2" and one[1] == JSON_TYPE]
    assert len(answers) > 170
    schemas = {key: closed(one) for key, one in described["components"]["schemas"].items()}
    for where, _kind, content in answers:
        with subtests.test(where):
            assert "example" in content, RECORD_AGAIN
            schema = {**closed(content["schema"]), "components": {"schemas": schemas}}
            errors = jsonschema.Draft202012Validator(schema).iter_errors(content["example"])
            assert [(error.json_path, error.message) for error in errors] == [], RECORD_AGAIN


def test_no_example_of_an_answer_is_left_over(described: dict[str, Any]) -> None:
    examples = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    answers = {where for where, _kind, content in contents(described) if "example" in content}
    recorded = {key.replace(key.split()[0], key.split()[0].lower(), 1) for key in examples}
    assert recorded == answers, RECORD_AGAIN


def test_a_body_of_a_delete_is_described(described: dict[str, Any]) -> None:
    found = operation(described, "api-event-game-detail", "DELETE")["requestBody"]
    assert found["content"]["application/json"]["schema"]["$ref"].endswith("/ReasonRequest")


def viewsets(kind: type[ApiViewSet] = ApiViewSet) -> Iterator[type[ApiViewSet]]:
    for one in kind.__subclasses__():
        yield one
        yield from viewsets(one)


def test_every_example_of_a_body_is_read_by_the_endpoint() -> None:
    for viewset in viewsets():
        for action, serializer_class in viewset.inputs.items():
            sent = serializer_class.example
            assert serializer_class.read(sent, partial=action == "partial_update"), sent


def test_the_settings_of_the_document_are_those_that_are_read(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    for name, rules in (("ScoringSettings", ScoringRules), ("SeasonSettings", SeasonRules)):
        assert list(schemas[name]["properties"]) == list(rules.settings())
        jsonschema.validate(rules().to_data(), schemas[name])
    jsonschema.validate(json.loads(Prizes().to_json()), schemas["PrizeSettings"])
    assert set(schemas["PrizeSettings"]["properties"]) == set(json.loads(Prizes().to_json()))


def test_every_message_to_a_webhook_is_described(described: dict[str, Any]) -> None:
    hooks = {name: one["post"] for name, one in described["webhooks"].items()}
    types = []
    for hook in hooks.values():
        content = hook["requestBody"]["content"]["application/json"]
        for example in content["examples"].values():
            validate(described, example["value"], content["schema"])
        types += content["schema"]["properties"]["type"]["enum"]
    assert sorted(types) == sorted([*WebhookEvent, TEST])
    names = {one["name"] for one in hooks["hand"]["parameters"]}
    signed = signed_headers(new_id(), b"", secret=make_secret(), at=NOW)
    assert names == set(signed)


def test_what_webhooks_are_told_is_what_the_description_says(described: dict[str, Any]) -> None:
    event = make_night(4, rounds=1)
    draw(event)
    url = "https://hooks.club.example/painsuit"
    made = add_webhook(
        club_id=event.club_id, url=url, events=list(WebhookEvent), by=DIRECTOR, at=at()
    )
    send_test(webhook_id=made.pk, by=DIRECTOR, at=at())
    (game,) = start(event, 1)
    assert game.table_id is not None
    wanted = nights.Adjournment(why="A train.", finish_on=date(2099, 12, 4))
    nights.adjourn_table(table_id=game.table_id, wanted=wanted, by=DIRECTOR, at=at(2))
    nights.play_on(table_id=game.table_id, by=DIRECTOR, at=at(2))
    play(game, event.hands)
    nights.end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(3))
    nights.finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=at(9))
    for _time in range(3):
        tasks.run(kind="standings", name="")
    sent = Delivery.objects.filter(webhook__club=event.club_id)
    told = [json.loads(body) for body in sent.values_list("body", flat=True)]
    kinds = {message["type"].partition(".")[0] for message in told}
    assert kinds == set(described["webhooks"])
    for message in told:
        hook = described["webhooks"][message["type"].partition(".")[0]]["post"]
        content = hook["requestBody"]["content"]["application/json"]
        validate(described, message, content["schema"])


def test_a_problem_is_what_the_description_says(described: dict[str, Any]) -> None:
    schema = described["components"]["schemas"]["Problem"]
    for code in KINDS:
        jsonschema.validate(ProblemError(code, "Why.", where={"key": "name"}).body(), schema)


def test_every_way_in_is_described(described: dict[str, Any]) -> None:
    assert set(described["components"]["securitySchemes"]) == {"key", "seat", "session"}


def test_every_role_has_a_part() -> None:
    assert {"player", "director", "treasurer", "admin", "federation"} < set(RoleInClub)
