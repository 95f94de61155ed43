"""What a hostile or hurried client sends: a clear no each, and nothing changed."""

import json

import pytest
from django.apps import apps
from django.test import Client

from tests.api.asking import Asking, account_of, check_problem, club_of, signed_in
from tournaments.api.permissions import AskerThrottle
from tournaments.models import Account, AnsweredRequest, Club, Player

pytestmark = pytest.mark.django_db

KEY = "0193f000-0000-7000-8000-00000000000a"
CLUBS = "/api/v1/clubs"


@pytest.fixture
def nora() -> Account:
    return account_of("nora@club.example")


@pytest.fixture
def asking(nora: Account) -> Asking:
    return signed_in(nora)


BODIES = [
    ("a truncated object", '{"name": "x', "JSON"),
    ("no JSON", "name=x", "JSON"),
    ("an empty body", "", "OBJECT_EXPECTED"),
    ("null", "null", "OBJECT_EXPECTED"),
    ("a list", "[]", "OBJECT_EXPECTED"),
    ("a string", '"x"', "OBJECT_EXPECTED"),
    ("NaN", '{"name": NaN}', "NUMBER"),
    ("1e400", '{"name": 1e400}', "NUMBER_RANGE"),
    ("5,000 digits", '{"name": ' + "9" * 5000 + "}", "NUMBER_RANGE"),
    ("a key twice", '{"name": "a", "name": "b"}', "KEY_TWICE"),
    ("an unknown key", '{"name": "a", "nmae": "b"}', "KEY_UNKNOWN"),
    ("a key for the code", '{"name": "a", "version": 7}', "KEY_UNKNOWN"),
    ("no name", "{}", "KEY_REQUIRED"),
    ("33 deep", '{"name": ' + "[" * 33, "TOO_DEEP"),
    ("100,000 deep", '{"a":' * 100_000, "TOO_DEEP"),
    ("more than 1 MiB", '{"name": "' + "x" * 1024 * 1024 + '"}', "TOO_LONG"),
    ("a number for a name", '{"name": 7}', "TYPE"),
    ("null for a name", '{"name": null}', "TYPE"),
    ("10,000 characters", '{"name": "' + "x" * 10_000 + '"}', "VALUE"),
    ("no characters", '{"name": ""}', "VALUE"),
    ("only blanks", '{"name": " \\u3000\\t"}', "VALUE"),
    ("NUL", '{"name": "a\\u0000b"}', "VALUE"),
    ("a line break", '{"name": "a\\nb"}', "VALUE"),
    ("reversed writing", '{"name": "a\\u202eb"}', "VALUE"),
    ("a width of nought", '{"name": "a\\u200bb"}', "VALUE"),
    ("half a surrogate", '{"name": "\\ud800"}', "ENCODING"),
    ("a word for yes", '{"name": "a", "is_public": "true"}', "TYPE"),
    ("one for yes", '{"name": "a", "is_public": 1}', "TYPE"),
    ("null for yes", '{"name": "a", "is_public": null}', "TYPE"),
    ("an unknown word", '{"name": "a", "confirming": "Required"}', "VALUE"),
    ("a currency too long", '{"name": "a", "currency": "EURO"}', "VALUE"),
    ("a currency in small", '{"name": "a", "currency": "eur"}', "UNPROCESSABLE"),
    ("a currency in Greek", '{"name": "a", "currency": "\\u0395UR"}', "UNPROCESSABLE"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "code"), [row[1:] for row in BODIES], ids=[row[0] for row in BODIES]
)
def test_a_body_that_is_no_club(asking: Asking, body: str, code: str) -> None:
    check_problem(asking.post(CLUBS, body, Idempotency_Key=KEY), code)
    assert not Club.objects.exists()
    assert not AnsweredRequest.objects.exists()


def test_a_misspelt_key_is_told_the_right_one(asking: Asking) -> None:
    found = check_problem(asking.post(CLUBS, {"name": "A", "curency": "EUR"}), "KEY_UNKNOWN")
    assert found["hint"] == "Did you mean 'currency'?"
    assert found["where"] == {"key": "curency"}


def test_all_that_is_wrong_is_said_at_once(asking: Asking) -> None:
    found = check_problem(asking.post(CLUBS, {"is_public": 1, "currency": "E"}), "KEY_REQUIRED")
    assert [(one["code"], one["where"]["key"]) for one in found["errors"]] == [
        ("KEY_REQUIRED", "name"),
        ("TYPE", "is_public"),
        ("VALUE", "currency"),
    ]


def test_a_thousand_unknown_keys_are_not_all_listed(asking: Asking) -> None:
    values = {f"key{number}": "x" * 100 for number in range(1000)}
    answer = asking.post(CLUBS, values)
    assert len(check_problem(answer, "KEY_UNKNOWN")["errors"]) == 20
    assert len(answer.content) < 10_000


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/json; charset=utf-7", "application/json; charset=bogus",
     "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "nonsense"],
)  # fmt: skip
def test_a_kind_of_body_that_is_not_read(asking: Asking, kind: str) -> None:
    check_problem(asking.post(CLUBS, '{"name": "A"}', Content_Type=kind), "MEDIA_TYPE")


def test_a_body_where_none_is_read(asking: Asking, nora: Account) -> None:
    path = f"{CLUBS}/{club_of(nora).pk}/keys/{KEY}"
    check_problem(asking.delete(path, {"why": "x"}), "BODY")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", "--x\r\n"),
        ("multipart/form-data; boundary=x", "--x\r\nno part"),
        ("application/x-www-form-urlencoded", "&".join(f"a{number}=" for number in range(2000))),
    ],
    ids=["no boundary", "a broken part", "2,000 fields"],
)
def test_a_form_that_breaks_where_a_token_is_looked_for(
    nora: Account, kind: str, body: str
) -> None:
    asking = Asking(client=Client(enforce_csrf_checks=True, raise_request_exception=False))
    asking.client.force_login(nora)
    answer = asking.post(CLUBS, body, Content_Type=kind)
    assert answer.status_code in {400, 403, 415}
    check_problem(answer, answer.json()["code"])


def test_a_machine_that_is_not_ours_is_refused_as_a_problem(asking: Asking) -> None:
    check_problem(asking.get(CLUBS, Host="elsewhere.example"), "BAD_REQUEST")


def test_a_page_of_the_api_refuses_programs_as_a_problem() -> None:
    asking = Asking(client=Client(enforce_csrf_checks=True))
    check_problem(asking.put("/api/v1/problems", {}), "CSRF")


def test_a_key_with_half_a_surrogate_is_refused(asking: Asking, nora: Account) -> None:
    path = f"{CLUBS}/{club_of(nora).pk}/rule-sets"
    body = '{"name": "A", "preset": "bicycle", "overrides": {"\\ud800": "1"}}'
    found = check_problem(asking.post(path, body), "ENCODING")
    assert found["where"] == {"key": "overrides.\\ud800"}


@pytest.mark.parametrize("accept", ["application/xml", "nonsense"])
def test_only_json_is_written(asking: Asking, accept: str) -> None:
    check_problem(asking.get(CLUBS, Accept=accept), "NOT_ACCEPTABLE")


def test_pages_are_written_for_people_who_signed_in_alone(asking: Asking) -> None:
    check_problem(Asking().get(CLUBS, Accept="text/html"), "NOT_ACCEPTABLE")
    assert Asking().get(CLUBS, Accept="text/html, */*")["Content-Type"] == "application/json"
    assert asking.get(CLUBS, Accept="text/html")["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "TRACE", "BREW", "OPTIONS"])
def test_a_method_that_is_not_possible(asking: Asking, method: str) -> None:
    check_problem(asking.ask(method, CLUBS), "METHOD")


def test_the_head_of_an_answer_is_to_be_had(asking: Asking) -> None:
    answer = asking.ask("HEAD", CLUBS)
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(
    "word",
    ["10" * 15, "-1", "abc", "0193F000-0000-7000-8000-00000000000A", "%00", "..", "'--", "null",
     "0193f000000070008000000000000000", "{0193f000-0000-7000-8000-00000000000a}"],
)  # fmt: skip
def test_an_id_that_is_none_is_not_there(asking: Asking, word: str) -> None:
    answers = [
        asking.get(f"{CLUBS}/{word}"),
        asking.get(f"{CLUBS}/{word}/players"),
        asking.patch(f"{CLUBS}/{word}", {}),
    ]
    for answer in answers:
        assert answer.status_code == 404
        assert answer.json()["code"] == "NOT_FOUND"
        assert answer.json()["detail"] == "There is nothing at this address."


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("limit=0", "NUMBER_RANGE"),
        ("limit=101", "NUMBER_RANGE"),
        ("limit=1_0", "VALUE"),
        ("limit=%207%20", "VALUE"),
        ("limit=%D9%A7", "VALUE"),
        ("limit=7.0", "VALUE"),
        ("limit=true", "VALUE"),
        ("limit=" + "9" * 5000, "VALUE"),
        ("limit=5&limit=6", "KEY_TWICE"),
        ("limt=5", "KEY_UNKNOWN"),
        ("mine=1", "VALUE"),
        ("search=a%00b", "VALUE"),
        ("search=" + "x" * 101, "VALUE"),
        ("search=", "VALUE"),
        ("cursor=x", "PAGE"),
        ("cursor=a:b:c", "PAGE"),
        ("cursor=%F0%9F%82%A1", "PAGE"),
        ("%00=1", "KEY_UNKNOWN"),
        ("%ff%fe=1", "KEY_UNKNOWN"),
    ],
)
def test_words_in_the_address_that_cannot_be(asking: Asking, query: str, code: str) -> None:
    check_problem(asking.get(f"{CLUBS}?{query}"), code)


def test_words_in_the_address_of_a_write_are_refused(asking: Asking) -> None:
    check_problem(asking.post(f"{CLUBS}?name=A", {"name": "A"}), "KEY_UNKNOWN")


@pytest.mark.parametrize(
    "header", ["1", "W/1", '"1", "2"', "*", '"-1"', '"1_0"', '"' + "9" * 99 + '"', '""']
)
def test_a_version_is_named_as_its_tag(asking: Asking, nora: Account, header: str) -> None:
    path = f"{CLUBS}/{club_of(nora).pk}"
    check_problem(asking.patch(path, {"name": "B"}, If_Match=header), "VALUE")


def test_an_edit_must_say_which_version_was_seen(asking: Asking, nora: Account) -> None:
    path = f"{CLUBS}/{club_of(nora).pk}"
    check_problem(asking.patch(path, {"name": "B"}), "PRECONDITION_REQUIRED")


@pytest.mark.parametrize(
    "shown",
    ["Bearer", "Bearer ", "Bearer psk_", "Bearer psk_" + "x" * 5000, "Bearer nonsense",
     "Basic bm9yYTpwYXNz", "Seat nonsense", "Bearer psk_\xe9", "nonsense"],
)  # fmt: skip
def test_a_key_that_is_none_is_not_taken_for_a_visitor(shown: str) -> None:
    check_problem(Asking(headers={"Authorization": shown}).get(CLUBS), "UNAUTHENTICATED")


def test_no_field_of_a_model_is_set_that_the_door_does_not_know(
    asking: Asking, nora: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mass assignment: what a form does not list cannot be written."""
    monkeypatch.setattr(AskerThrottle, "THROTTLE_RATES", {"asker": "100000/min"})
    club = club_of(nora)
    names = {
        field.name
        for model in apps.get_app_config("tournaments").get_models()
        for field in model._meta.get_fields()
    }
    for path, known in (
        (
            CLUBS,
            {
                "name",
                "is_public",
                "currency",
                "confirming",
                "analysis",
                "time_zone",
                "venue",
                "about",
                "admins_need_second_factor",
            },
        ),
        (
            f"{CLUBS}/{club.pk}/players",
            {
                *("name", "email", "phone", "note", "kind", "shown"),
                *("gets_results", "shows_statistics"),
            },
        ),
        (f"{CLUBS}/{club.pk}/rule-sets", {"name", "preset", "overrides", "keeps_jackpot"}),
    ):
        for name in names - known:
            answer = asking.post(path, {"name": "A", name: "x"})
            assert answer.status_code == 400, name
            assert b"KEY_UNKNOWN" in answer.content, name
    assert not Player.objects.exists()


def test_a_flood_by_one_asker_is_slowed_down_alone(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AskerThrottle, "THROTTLE_RATES", {"asker": "2/min"})
    answers = [asking.get(CLUBS) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    check_problem(answers[2], "THROTTLED")
    assert 1 <= int(answers[2]["Retry-After"]) <= 60
    assert signed_in(account_of("victor@club.example")).get(CLUBS).status_code == 200


def test_a_forged_forwarding_header_makes_no_other_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AskerThrottle, "THROTTLE_RATES", {"asker": "2/min"})
    statuses = [
        Asking(headers={"X-Forwarded-For": f"192.0.2.{number}"}).get(CLUBS).status_code
        for number in range(4)
    ]
    assert statuses == [200, 200, 429, 429]


def test_what_one_is_shown_is_kept_for_nobody_else(asking: Asking, nora: Account) -> None:
    club = club_of(nora)
    for path in (CLUBS, f"{CLUBS}/{club.pk}", f"{CLUBS}/{club.pk}/players", "/api/v1/me"):
        assert asking.get(path)["Cache-Control"] == "private, no-store"
        assert json.loads(Asking().get(path).content) != asking.get(path).json()
