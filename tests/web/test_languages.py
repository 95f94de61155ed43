"""Which language somebody is answered in, and that everything kept of an answer knows it."""

import json
import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.api.desk import Night
from tests.web.desk import director_of
from tests.web.phones import tokens
from tests.web.window import make_window
from tournaments.api.idempotency import parse_if_match

pytestmark = pytest.mark.django_db
COOKIE = settings.LANGUAGE_COOKIE_NAME
GERMAN = {"accept-language": "de-AT,de;q=0.9,en;q=0.5"}


def language_of(answer: Any) -> str:
    page = answer.content.decode()
    code: str = page.split('<html lang="')[1].split('"')[0]
    assert answer["Content-Language"] == code
    return code


def test_a_page_is_english_until_somebody_wants_another_language(client: Client) -> None:
    assert language_of(client.get("/")) == "en"
    assert language_of(client.get("/", headers={"accept-language": "pt"})) == "en"
    assert language_of(client.get("/", headers=GERMAN)) == "de"


def test_what_a_reader_chose_comes_before_what_his_browser_asks_for(client: Client) -> None:
    answer = client.get("/language/", {"language": "en", "to": "/check/?example=8-insurance-foot"})
    assert answer.status_code == 302
    assert answer["Location"] == "/check/?example=8-insurance-foot"
    assert language_of(client.get("/check/", headers=GERMAN)) == "en"
    client.get("/language/", {"language": "de"})
    assert language_of(client.get("/check/")) == "de"
    assert client.cookies[COOKIE]["httponly"]
    assert client.cookies[COOKIE]["samesite"] == "Lax"


@pytest.mark.parametrize(
    "to", ["", "//evil.example/", "https://evil.example/", "javascript:alert(1)", "/" + "\\" * 3]
)
def test_the_way_back_leads_to_our_own_pages_only(client: Client, to: str) -> None:
    answer = client.get("/language/", {"language": "de", "to": to})
    assert answer["Location"] == "/"


@pytest.mark.parametrize("language", ["", "xx", "de-AT", "DE", "../de", "en\x00", "é" * 300])
def test_a_language_that_is_none_is_not_kept(client: Client, language: str) -> None:
    client.get("/language/", {"language": language, "to": "/check/"})
    assert COOKIE not in client.cookies


def test_a_choice_is_a_question_and_no_form_is_sent(client: Client) -> None:
    assert client.post("/language/", {"language": "de"}).status_code == 405


def test_every_page_offers_the_languages_and_leads_back_to_itself(client: Client) -> None:
    for path in ("/", "/check/", "/clubs/", "/desk/sign-in/", "/t/"):
        page = client.get(path).content.decode()
        assert re.search(rf'name="to"\s+value="{path}"', page), path
        assert 'value="de"' in page
        assert ">Deutsch</button>" in page


def test_no_token_of_a_link_is_led_back_to(client: Client) -> None:
    (token,) = tokens(Night(), "N")
    assert token not in client.get(f"/t/{token}", headers=GERMAN).content.decode()
    gone = client.get(f"/t/{token[:-2]}xx", headers=GERMAN)
    assert gone.status_code == 404
    assert token[:-2] not in gone.content.decode()


def test_caches_tell_the_languages_apart(client: Client) -> None:
    window = make_window()
    for path in ("/", "/check/", window.addresses["event"]):
        vary = client.get(path)["Vary"]
        assert "Accept-Language" in vary
        assert "Cookie" in vary
    live = window.addresses["event"] + "?part=live"
    english, german = client.get(live), client.get(live, headers=GERMAN)
    assert english["ETag"] != german["ETag"]
    again = client.get(live, headers={**GERMAN, "if-none-match": english["ETag"]})
    assert again.status_code == 200
    same = client.get(live, headers={**GERMAN, "if-none-match": german["ETag"]})
    assert same.status_code == 304


def test_the_phones_worker_is_another_one_for_each_language(client: Client) -> None:
    english = client.get("/t/worker.js")
    german = client.get("/t/worker.js", headers=GERMAN)
    assert english.content != german.content
    assert english["Cache-Control"] == "no-cache"
    assert (
        client.get(reverse("phone-manifest"), headers=GERMAN).json()["name"] == "Painsuit am Tisch"
    )


def test_the_phones_words_are_of_one_language(client: Client) -> None:
    page = client.get("/t/", headers=GERMAN).content.decode()
    words = json.loads(page.split('id="words"')[1].split(">", 1)[1].split("</script>")[0])
    assert words["told bid"] == "{seat} bot {bid} und nannte {suit}"
    assert words["suit H"] == "Herz"


# The API


def test_the_api_is_english_unless_it_is_asked_in_another_language(client: Client) -> None:
    client.cookies[COOKIE] = "de"
    english = client.get("/api/v1/clubs/00000000-0000-0000-0000-000000000000")
    assert english.json()["detail"] == "There is nothing at this address."
    german = client.get("/api/v1/clubs/00000000-0000-0000-0000-000000000000", headers=GERMAN)
    assert german.status_code == english.status_code == 404
    assert german.json()["detail"] == "An dieser Adresse ist nichts."
    assert german["Content-Language"] == "de"
    assert "Accept-Language" in german["Vary"]
    assert {**german.json(), "detail": "", "title": ""} == {
        **english.json(),
        "detail": "",
        "title": "",
    }


def test_sentences_of_a_hand_are_told_in_the_language_that_was_asked_for(client: Client) -> None:
    window = make_window()
    path = f"/api/v1/hands/{window.hand.pk}"
    english = client.get(path).json()["settlement"]
    answer = client.get(path, headers=GERMAN)
    german = answer.json()["settlement"]
    assert " took none and " in english["sentence"]
    assert " keine und gewinn" in german["sentence"]
    assert {**german, "sentence": "", "diagnostics": []} == {
        **english,
        "sentence": "",
        "diagnostics": [],
    }


def test_a_tag_knows_its_language_and_still_names_the_version() -> None:
    club = make_window().club
    client = director_of(club, "admin").client
    path = f"/api/v1/clubs/{club.pk}"
    english, german = client.get(path)["ETag"], client.get(path, headers=GERMAN)["ETag"]
    assert english != german
    assert parse_if_match(english) == parse_if_match(german)
    kept = client.get(path, headers={**GERMAN, "if-none-match": german})
    assert kept.status_code == 304
    other = client.get(path, headers={**GERMAN, "if-none-match": english})
    assert other.status_code == 200


def test_after_a_form_one_goes_back_to_where_it_was(client: Client) -> None:
    before = "http://testserver/check/?example=8-insurance-foot"
    page = client.post("/check/", {"text": ""}, headers={"referer": before}).content.decode()
    assert f'value="{before}"' in page
    answer = client.get("/language/", {"language": "de", "to": before})
    assert answer["Location"] == before


def test_a_file_is_the_same_for_everybody(client: Client) -> None:
    name = re.search(r'"(/static/[^"]+\.js)"', client.get("/t/").content.decode())
    assert name is not None
    answer = client.get(name[1], headers=GERMAN)
    answer.close()
    assert answer.status_code == 200
    assert "Content-Language" not in answer
    assert "Cookie" not in answer.get("Vary", "")
