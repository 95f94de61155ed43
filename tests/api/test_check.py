"""POST /api/v1/check: the same answer as everywhere, and a clear no to what is not a question."""

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from django.core.cache import cache
from django.test import Client

from engine.verdicts.judge import judge
from engine.verdicts.report import report
from scoring.api.views import CheckThrottle
from tournaments.api.exceptions import KINDS, MEDIA_TYPE

SAMPLES = sorted((Path(__file__).parents[2] / "scoring" / "web" / "examples").glob("*.phn"))
ADDRESS = "/api/v1/check"
ONE = SAMPLES[0].read_text(encoding="utf-8")

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_counters() -> None:
    cache.clear()


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


def ask(client: Client, body: str | bytes, kind: str = "application/json", **more: Any) -> Any:
    more.setdefault("CONTENT_TYPE", kind)  # the client leaves it out for an empty body
    return client.generic("POST", more.pop("path", ADDRESS), body, content_type=kind, **more)


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_the_api_gives_the_engines_own_report(client: Client, sample: Path) -> None:
    answer = ask(client, json.dumps({"text": sample.read_text(encoding="utf-8")}))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert answer.json() == plain(report(judge(sample.read_bytes())))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-phn",
        "TEXT/PLAIN; charset=UTF-8",
        "application/octet-stream",
    ],
)
def test_a_text_may_come_as_it_is(client: Client, sample: Path, kind: str) -> None:
    answer = ask(client, sample.read_bytes(), kind)
    assert answer.status_code == 200
    assert answer.json() == plain(report(judge(sample.read_bytes())))


def closed(schema: Any) -> Any:
    """The same, allowing no other keys in any object within."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inside = {key: closed(one) for key, one in schema.items()}
    return {**inside, "additionalProperties": False} if "properties" in schema else inside


def test_the_answer_is_what_the_schema_says_and_nothing_else(client: Client) -> None:
    described = client.get("/api/v1/openapi.json").json()
    schema = closed(described["components"]["schemas"]["Report"])
    assert schema["properties"]["records"]["items"]["additionalProperties"] is False
    for sample in SAMPLES:
        jsonschema.validate(plain(report(judge(sample.read_bytes()))), schema)


def test_a_date_in_the_future_is_a_warning(client: Client) -> None:
    said = ask(client, json.dumps({"text": ONE.replace("2025.11.14", "2999.11.14")})).json()
    found = [one for one in said["records"][0]["diagnostics"] if one["rule"] == "T20"]
    assert [(one["severity"], one["tag"]) for one in found] == [("warning", "Date")]
    assert said["ok"]


def test_rules_in_the_question_overrule_those_of_the_record(client: Client) -> None:
    mine = {"text": ONE, "rules": "auction-bicycle/1;bid-order=ascending", "mode": "strict"}
    found = ask(client, json.dumps(mine)).json()["records"][0]
    assert found["rules"]["overrides"] == {"bid_order": "ascending"}
    assert "ruling" in [one["severity"] for one in found["diagnostics"]]


def test_rules_and_mode_of_a_text_stand_in_the_address(client: Client) -> None:
    path = f"{ADDRESS}?rules=auction-bicycle/1;bid-order%3Dascending&mode=lenient"
    found = ask(client, ONE, "text/plain", path=path).json()["records"][0]
    assert found["rules"]["overrides"] == {"bid_order": "ascending"}


def test_null_and_nothing_are_the_records_own_rules(client: Client) -> None:
    answers = [
        ask(client, json.dumps({"text": ONE, **more})).json()
        for more in ({}, {"rules": None, "mode": None}, {"rules": "", "mode": ""})
    ]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize(
    "text",
    ["x", "\ufeff%", "[", '[Event "', "{", "not a record", "\u202e", '[A ""]\n' * 500, "🂡" * 99],
    ids=range(9),
)
def test_what_is_wrong_with_a_record_is_an_answer(client: Client, text: str) -> None:
    answer = ask(client, json.dumps({"text": text}))
    assert answer.status_code == 200
    assert set(answer.json()) == {"ok", "diagnostics", "records", "games"}


@pytest.mark.parametrize("body", [b"\xff\xfe\x00", b"\x80[Event"], ids=range(2))
def test_any_bytes_are_a_text(client: Client, body: bytes) -> None:
    assert ask(client, body, "application/x-phn").status_code == 200


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "EMPTY"), (" \n", "EMPTY"), ("\0" * 9, "NOT_TEXT"), ("%PDF-1", "NOT_TEXT")],
)
def test_what_cannot_be_a_record_is_no_question(client: Client, text: str, code: str) -> None:
    check_problem(ask(client, json.dumps({"text": text})), code)
    check_problem(ask(client, text, "text/plain"), code)


def test_latin_1_that_says_so_keeps_its_accents(client: Client) -> None:
    text = ONE.replace("Nora", "Zoë")
    found = ask(client, text.encode("latin-1"), "text/plain; charset=iso-8859-1").json()
    assert found["records"][0]["players"]["N"] == "Adams, Zoë"


DEEP = "[" * 33
HOSTILE = [
    ("a truncated object", '{"text": "x', "JSON", {"line": 1, "col": 10}),
    ("no JSON at all", "text=x", "JSON", {"line": 1, "col": 1}),
    ("a second value", '{"text": "x"} {}', "JSON", {"line": 1, "col": 15}),
    ("single quotes", "{'text': 'x'}", "JSON", {"line": 1, "col": 2}),
    ("a comma too many", '{"text": "x",}', "JSON", None),
    ("a bare NUL", '{"text": "\0"}', "JSON", {"line": 1, "col": 11}),
    ("not UTF-8", b'{"text": "\xff"}', "JSON", {"byte": 10}),
    ("UTF-16", '{"text": "x"}'.encode("utf-16"), "JSON", {"byte": 0}),
    ("an empty body", "", "OBJECT_EXPECTED", None),
    ("only blanks", " \n ", "OBJECT_EXPECTED", None),
    ("null", "null", "OBJECT_EXPECTED", None),
    ("an array", "[]", "OBJECT_EXPECTED", None),
    ("a string", '"x"', "OBJECT_EXPECTED", None),
    ("a number", "7", "OBJECT_EXPECTED", None),
    ("NaN", '{"text": NaN}', "NUMBER", None),
    ("Infinity", '{"text": -Infinity}', "NUMBER", None),
    ("1e400", '{"text": 1e400}', "NUMBER_RANGE", None),
    ("5,000 digits", '{"text": ' + "9" * 5000 + "}", "NUMBER_RANGE", None),
    ("a key twice", '{"text": "a", "text": "b"}', "KEY_TWICE", {"key": "text"}),
    ("a key twice within", '{"text": {"a": 1, "a": 2}}', "KEY_TWICE", {"key": "a"}),
    ("an unknown key", '{"text": "a", "txt": "b"}', "KEY_UNKNOWN", {"key": "txt"}),
    ("no text", "{}", "KEY_REQUIRED", {"key": "text"}),
    ("a number for a text", '{"text": 7}', "TYPE", {"key": "text"}),
    ("null for a text", '{"text": null}', "TYPE", {"key": "text"}),
    ("a list for rules", '{"text": "a", "rules": []}', "TYPE", {"key": "rules"}),
    ("a truth value for a mode", '{"text": "a", "mode": true}', "TYPE", {"key": "mode"}),
    ("an unknown mode", '{"text": "a", "mode": "hard"}', "VALUE", {"key": "mode"}),
    ("33 deep", DEEP, "TOO_DEEP", None),
    ("100,000 deep", '{"a":' * 100_000, "TOO_DEEP", None),
    ("half a surrogate", '{"text": "\\ud800"}', "ENCODING", {"key": "text"}),
    ("half a surrogate in rules", '{"text": "", "rules": "\\udfff"}', "ENCODING", None),
    ("NUL in rules", '{"text": "a", "rules": "\\u0000"}', "VALUE", {"key": "rules"}),
]


@pytest.mark.parametrize(
    ("body", "code", "where"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE]
)
def test_a_body_that_is_no_question(
    client: Client, body: str | bytes, code: str, where: dict[str, Any] | None
) -> None:
    answer = ask(client, body)
    check_problem(answer, code)
    if where is not None:
        assert answer.json()["where"] == where


def check_problem(answer: Any, code: str) -> None:
    assert answer.status_code == KINDS[code].status, answer.content
    assert answer["Content-Type"] == MEDIA_TYPE
    found = answer.json()
    assert found["code"] == code
    assert found["status"] == answer.status_code
    assert found["title"] == KINDS[code].title
    assert found["type"] == f"/api/v1/problems#{code}"
    assert found["detail"]


def test_brackets_inside_a_string_are_not_depth(client: Client) -> None:
    text = '\\"[' * 500 + "\\\\" + "{" * 500
    assert ask(client, json.dumps({"text": text})).status_code == 200


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("nobodys-game/1", "RULESET_UNKNOWN"),
        ("auction-bicycle/2", "RULES"),
        ("auction-bicycle/1;min-bids=2", "RULES"),
        ("auction-bicycle/1;min-bid=many", "RULES"),
        ("auction-bicycle/1;min-bid", "RULES"),
        ("x" * 5000, "RULES"),
        (";" * 5000, "RULES"),
        ("/" * 100, "RULES"),
        ("\u2167/\uff11", "RULES"),
    ],
)
def test_rules_that_cannot_be(client: Client, rules: str, code: str) -> None:
    answer = ask(client, json.dumps({"text": ONE, "rules": rules}))
    assert answer.status_code == 400
    assert answer.json()["code"] in {code, "RULES", "RULESET_UNKNOWN"}
    assert answer.json()["where"]["key"] == "rules"


@pytest.mark.parametrize(
    "kind",
    [
        "application/json; charset=utf-7",
        "application/json; charset=utf-16",
        "application/json; charset=bogus",
        "application/json; charset=iso-8859-1",
        "text/plain; charset=utf-7",
        "text/plain; charset=\x7f",
        "text/html",
        "application/xml",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
        "application/x-python-serialize",
        "nonsense",
        "",
    ],
)
def test_a_kind_of_body_that_is_not_read(client: Client, kind: str) -> None:
    check_problem(ask(client, '{"text": ""}', kind), "MEDIA_TYPE")


def test_a_packed_body_is_not_unpacked(client: Client) -> None:
    answer = ask(client, b"\x1f\x8b", "text/plain", HTTP_CONTENT_ENCODING="gzip")
    check_problem(answer, "MEDIA_TYPE")


@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_more_than_1_mib_is_refused_unread(client: Client, kind: str) -> None:
    check_problem(ask(client, b"x" * (1024 * 1024 + 1), kind), "TOO_LONG")
    check_problem(ask(client, b"{}", kind, CONTENT_LENGTH="9" * 5000), "TOO_LONG")
    check_problem(ask(client, b"{}", kind, CONTENT_LENGTH="-1"), "TOO_LONG")


def test_a_body_in_chunks_must_say_its_length(client: Client) -> None:
    answer = ask(client, b"", HTTP_TRANSFER_ENCODING="chunked", CONTENT_LENGTH="")
    check_problem(answer, "LENGTH_REQUIRED")


def test_a_text_of_too_many_records_is_refused(client: Client) -> None:
    check_problem(ask(client, '[Board "1"]\n\n' * 2001, "text/plain"), "TOO_LONG")


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "TRACE", "BREW"])
def test_only_post_asks(client: Client, method: str) -> None:
    check_problem(client.generic(method, ADDRESS), "METHOD")


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "nonsense", "image/*;q=0.1"])
def test_only_json_is_written(client: Client, accept: str) -> None:
    check_problem(ask(client, '{"text": ""}', HTTP_ACCEPT=accept), "NOT_ACCEPTABLE")


@pytest.mark.parametrize(
    "path",
    ["/api", "/api/", "/api/v1", "/api/v2/check", "/api/v1/check/", "/api/v1/check%00",
     "/api/v1/../x", "/api/v1/" + "9" * 3000, "/api/%ff%fe"],
)  # fmt: skip
def test_an_address_of_the_api_that_is_none(client: Client, path: str) -> None:
    check_problem(client.get(path), "NOT_FOUND")
    check_problem(client.post(path), "NOT_FOUND")
    strict = Client(enforce_csrf_checks=True)
    for method in ("POST", "PUT", "PATCH", "DELETE", "BREW"):
        check_problem(strict.generic(method, path), "NOT_FOUND")


def test_an_address_with_a_stroke_too_many_is_told_the_right_one(client: Client) -> None:
    answer = client.post("/api/v1/check/")
    check_problem(answer, "NOT_FOUND")
    assert answer.json()["hint"] == "Did you mean /api/v1/check?"
    assert client.post("/api/").json()["hint"] is None


@pytest.mark.parametrize("query", ["txt=1", "rules=x&rule=y", "%00=1", "text=x"])
def test_an_unknown_word_in_the_address(client: Client, query: str) -> None:
    check_problem(ask(client, ONE, "text/plain", path=f"{ADDRESS}?{query}"), "KEY_UNKNOWN")


def test_words_in_the_address_do_not_mix_with_json(client: Client) -> None:
    path = f"{ADDRESS}?rules=auction-bicycle/1"
    check_problem(ask(client, '{"text": ""}', path=path), "KEY_UNKNOWN")


def test_a_flood_is_slowed_down_and_told_how_long(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CheckThrottle, "THROTTLE_RATES", {"check": "2/min"})
    answers = [ask(client, '{"text": "x"}') for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    check_problem(answers[-1], "THROTTLED")
    assert 1 <= int(answers[-1]["Retry-After"]) <= 60


def test_a_whole_club_behind_one_address_is_not_slowed_down(client: Client) -> None:
    assert {ask(client, '{"text": "x"}').status_code for _ in range(200)} == {200}


def test_our_own_mistake_says_nothing_of_itself(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr("scoring.presentation.checks.check", fail)
    answer = ask(client, '{"text": "x"}')
    check_problem(answer, "INTERNAL")
    assert b"secret" not in answer.content


def test_the_api_is_described_in_openapi_3_1(client: Client) -> None:
    found = client.get("/api/v1/openapi.json").json()
    assert found["openapi"].startswith("3.1")
    operation = found["paths"][ADDRESS]["post"]
    assert set(operation["requestBody"]["content"]) == {
        "application/json",
        "application/octet-stream",  # a type that generated programs know; so may text/plain come
    }
    assert {"200", "400", "413", "415", "429"} <= set(operation["responses"])
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert answer == {"$ref": "#/components/schemas/Report"}


def test_every_code_is_explained_on_a_page(client: Client) -> None:
    page = client.get("/api/v1/problems").content.decode()
    assert all(f'id="{code}"' in page for code in KINDS)
