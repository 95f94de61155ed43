"""The page without JavaScript: everything is there, by forms and links alone."""

import gzip
import html
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache, caches
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from rest_framework.throttling import SimpleRateThrottle

from benchmarks.hands import TABLES, texts
from engine.analysis.account import Analysis, analyse_hand
from engine.replay.replay import Replay
from scoring.models import SharedRecord
from tests.web.texts import (
    BICYCLE,
    BRIDGE,
    DISPUTED,
    FOLDER,
    GAME,
    LONG_NAMES,
    REVOKE,
    SEVERAL,
    SLUGS,
    example,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_counters() -> None:
    cache.clear()


def words(content: bytes) -> str:
    """What a reader sees, in one line."""
    text = re.sub(r"<[^>]*>", " ", content.decode())
    return re.sub(r"\s+", " ", html.unescape(text))


def check(client: Client, text: str, **more: str) -> str:
    return words(client.post("/check/", {"text": text, **more}).content)


def test_the_front_page_leads_to_the_check(client: Client) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert 'href="/check/"' in answer.content.decode()


def test_the_empty_page_offers_all_examples(client: Client) -> None:
    page = client.get("/check/").content.decode()
    assert all(f"?example={slug}" in page for slug in SLUGS)
    assert "Nothing on the table yet" in page


EXPECTED = {
    "1-bicycle-auction-full": [
        "East took none and wins 17",
        "East pass",
        "+17",
        "Every chip that moved",
    ],
    "2-hoyle-hearts-5p-play": ["South-West scores 11", "Novák, Ján", "Trick 1 of 10"],
    "3-hoyle-auction-6p-jackpot": ["the pot of 17 is a jackpot", "North-East names the suit"],
    "4-insurance-centre-full": ["Insurance papers", "Passed to the left", "Auction for the centre"],
    "5-sahara-3p-claim-ruling": [
        "South claimed the rest",
        "East, who gets 15.00 EUR",
        "is over",
    ],
    "6-bicycle-score-only-split": ["win 15 each; 1 stays in the pot", "Pot after 1"],
    "7-hoyle-game-settlement": ["The end of the game", "Adams, Nora"],
    "8-insurance-foot": ["East called a foot", "Foot already used by East"],
}


@pytest.mark.parametrize("slug", SLUGS)
def test_an_example_shows_what_matters_in_it(client: Client, slug: str) -> None:
    answer = client.get(f"/check/?example={slug}")
    assert answer.status_code == 200
    seen = words(answer.content)
    # What a card says stands in attributes.
    seen += " ".join(re.findall(r'data-said="([^"]*)"', answer.content.decode()))
    for expected in EXPECTED[slug]:
        assert expected in seen
    assert html.escape(example(slug)) in answer.content.decode().replace("&#x27;", "&#x27;")


def test_a_ruling_of_a_record_is_told_in_words(client: Client) -> None:
    table = '\n[RulingTable "Trick;Seat;Code;Points"]\n3 W {} 0\n'
    for written, told in (("revoke", "did not follow suit though able"), ("odd-one", "odd-one")):
        page = client.post("/check/", {"text": REVOKE.rstrip() + table.format(written)})
        assert re.search(rf"West[^:]*, trick 3: {told}", words(page.content))


def test_an_address_typed_without_its_last_stroke_is_understood(client: Client) -> None:
    answer = client.get("/check?example=8-insurance-foot", follow=True)
    assert answer.redirect_chain == [("/check/?example=8-insurance-foot", 302)]
    assert client.head("/").status_code == 200


def test_an_unknown_example_is_the_empty_page(client: Client) -> None:
    assert "Nothing on the table yet" in words(client.get("/check/?example=../x").content)


def test_a_finding_says_all_it_knows(client: Client) -> None:
    page = client.post("/check/", {"text": REVOKE}).content.decode()
    seen = words(page.encode())
    assert "The director has to rule" in seen
    assert "Ruling P51 rule K5 line 29 trick 3, West" in seen
    assert re.search(r"Legal would have been\s+K♣\s+6♣\s+5♣", seen)
    assert 'href="#line-29"' in page
    assert 'id="line-29" class="is-ruling"' in page
    assert '<mark class="is-ruling">S4</mark>' in page
    assert re.search(r'class="played from-W[^"]*fault"', page)


def test_a_dozen_findings_are_all_there(client: Client) -> None:
    page = client.post("/check/", {"text": DISPUTED}).content.decode()
    assert page.count('<li class="finding ') >= 9
    assert "more" in words(page.encode())


def test_the_rules_can_be_chosen(client: Client) -> None:
    assert "Auction Hearts (Hoyle)" in check(client, BICYCLE, rules="auction-hoyle")
    seen = check(client, BICYCLE, house="auction-bicycle/1;bid-order=ascending")
    assert "with house rules" in seen


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("house", "auction-bicycle/1;min-bids=2", "did you mean min_bid?"),
        ("rules", "nobodys-game", "is not one of"),
        ("mode", "hard", "hard"),
    ],
)
def test_nonsense_in_the_form_is_said_and_the_text_is_kept(
    client: Client, field: str, value: str, said: str
) -> None:
    answer = client.post("/check/", {"text": BICYCLE, field: value})
    assert answer.status_code == 400
    assert said in words(answer.content)
    assert "Adams, Nora" in answer.content.decode()


@pytest.mark.parametrize("number", ["2026.01.9999999999", "9" * 5_000])
def test_a_number_beyond_all_bounds_is_judged_like_any_other(client: Client, number: str) -> None:
    for value in ('"2025.11.14"', '"7"', '"S"', " 43\n"):
        assert value in BICYCLE
        text = BICYCLE.replace(value, value[0] + number + value[-1], 1)
        assert client.post("/check/", {"text": text}).status_code == 200


def test_an_empty_form_is_told_so(client: Client) -> None:
    answer = client.post("/check/", {"text": " \n"})
    assert answer.status_code == 400
    assert "Nothing to read yet" in words(answer.content)


def test_a_picture_is_told_so_in_one_sentence(client: Client) -> None:
    file = SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 99)
    answer = client.post("/check/", {"file": file})
    assert answer.status_code == 400
    assert "This is a picture, no record of a hand." in words(answer.content)


def test_a_file_is_read_in_its_own_encoding(client: Client) -> None:
    content = example("2-hoyle-hearts-5p-play").encode("latin-1")
    file = SimpleUploadedFile("../../hand.phn", content)
    answer = client.post("/check/", {"file": file, "text": "ignored"})
    assert "Novák, Ján" in words(answer.content)


@pytest.mark.parametrize("address", ["/check/", "/check/share/"])
def test_more_than_1_mib_is_refused_kindly(client: Client, address: str) -> None:
    long = "x" * (1024 * 1024 + 1)
    for sent in ({"file": SimpleUploadedFile("a", long.encode())}, {"text": long}):
        answer = client.post(address, sent)
        assert answer.status_code == 413
        assert "Check it in parts" in words(answer.content)
    unread = client.generic("POST", address, b"", CONTENT_LENGTH="9" * 12)
    assert unread.status_code == 413
    assert not SharedRecord.objects.exists()


def test_too_long_a_text_is_refused_before_its_secret_is_looked_for() -> None:
    long = {"text": "x" * (1024 * 1024 + 1)}
    strict = Client(enforce_csrf_checks=True)
    strict.get("/check/")
    assert strict.post("/check/share/", long).status_code == 413


def test_too_many_records_are_refused_kindly(client: Client) -> None:
    assert "this text has more" in check(client, '[Board "1"]\n\n' * 2001)


def test_a_script_gets_only_the_answer(client: Client) -> None:
    page = client.post("/check/", {"text": BICYCLE, "part": "answer"}).content.decode()
    assert "<html" not in page
    assert "East took none" in page


@pytest.mark.parametrize(
    ("at", "trick", "shown"),
    [
        ("1.7.0", "7", 4),
        ("1.7.2", "7", 2),
        ("1.0.0", "", 0),
        ("1.99.0", "13", 4),
        ("1.7.9", "7", 4),
    ],
)
def test_buttons_step_through_the_play(client: Client, at: str, trick: str, shown: int) -> None:
    page = client.post("/check/", {"text": BICYCLE, "at": at}).content.decode()
    cards = re.findall(r'<div class="played[^>]*data-trick="(\d+)"[^>]*>', page)
    open_cards = [
        number
        for tag in re.findall(r'<div class="played[^>]*>', page)
        if " hidden" not in tag
        for number in re.findall(r'data-trick="(\d+)"', tag)
    ]
    assert len(cards) == 52
    assert open_cards == [trick] * shown


@pytest.mark.parametrize("at", ["", "x", "1", "-1.2.3", "9" * 5000, "1.²", "0.0.0", "1.1.1.1.1"])
def test_nonsense_for_a_place_does_no_harm(client: Client, at: str) -> None:
    assert "East took none" in check(client, BICYCLE, at=at)


def test_the_verdict_claims_no_more_than_was_looked_at(client: Client) -> None:
    insurance = next(table for table in TABLES if table.system == "insurance")
    assert "Legal card by card" in check(client, f"% PHN 1.0\n{texts(insurance, 1)[0]}")
    assert "Legal card by card" not in check(client, example("4-insurance-centre-full"))
    assert "Legal card by card" not in check(client, example("6-bicycle-score-only-split"))
    seen = check(client, BRIDGE)
    assert "there is no hand of Hearts in it" in seen
    assert "In order" not in seen


def test_a_game_is_shown_hand_by_hand(client: Client) -> None:
    seen = check(client, GAME)
    assert "The game hand by hand: chips after each hand" in seen
    assert "All 2 records are in order" not in seen  # both have a warning
    assert "43 58 50 49 0" in seen
    assert "36 75 41 48 0" in seen


def test_another_record_of_the_text_can_be_opened(client: Client) -> None:
    assert "the pot of 17 is a jackpot" in check(client, SEVERAL, at="3.0.0")
    assert "the pot of 17 is a jackpot" in check(client, SEVERAL, at="99.0.0")


def share(client: Client, **sent: object) -> str:
    answer = client.post("/check/share/", sent)
    assert answer.status_code == 302
    return str(answer["Location"])


@pytest.mark.parametrize(
    "content",
    [BICYCLE.encode(), BICYCLE.replace("\n", "\r\n").encode(), b"\xff\xfe\x00x", b"\xef\xbb\xbf[",
     b"[Event \"\x00\"]", "ä".encode("latin-1")],
    ids=["lf", "crlf", "utf-16", "bom", "nul", "latin-1"],
)  # fmt: skip
def test_a_shared_file_is_kept_byte_for_byte(client: Client, content: bytes) -> None:
    link = share(client, file=SimpleUploadedFile("hand.phn", content))
    assert client.get(link).status_code == 200
    assert client.get(f"{link}record.phn").content == content


def test_a_shared_text_is_what_stood_in_the_box(client: Client) -> None:
    # Browsers send the line ends of a text box as CR LF.
    link = share(client, text=BICYCLE.replace("\n", "\r\n"))
    assert client.get(f"{link}record.phn").content == BICYCLE.encode()
    assert re.fullmatch(r"/check/[A-Za-z0-9_-]{24}/", link)
    assert client.get(f"/check/?copy={link.split('/')[2]}").status_code == 200


def test_a_link_leads_to_a_record_and_a_trick(client: Client) -> None:
    link = share(client, text=SEVERAL)
    page = client.get(f"{link}?record=3&trick=2").content.decode()
    assert "the pot of 17 is a jackpot" in words(page.encode())
    assert 'data-record="3"' in page
    assert "Trick 2 of 8" in words(page.encode())
    assert '<meta name="robots" content="noindex">' in page


def test_the_chosen_rules_are_shared_too(client: Client) -> None:
    link = share(client, text=BICYCLE, rules="auction-hoyle")
    assert "Auction Hearts (Hoyle)" in words(client.get(link).content)


def test_two_shares_of_one_text_have_two_names(client: Client) -> None:
    assert share(client, text=BICYCLE) != share(client, text=BICYCLE)


@pytest.mark.parametrize(
    "field", [{"text": ""}, {"text": "x", "rules": "no"}, {"text": "x", "mode": "no"}]
)
def test_what_cannot_be_shared_is_not_kept(client: Client, field: dict[str, str]) -> None:
    assert client.post("/check/share/", field).status_code == 400
    assert not SharedRecord.objects.exists()


@pytest.mark.parametrize(
    "path",
    ["/check/" + "a" * 24 + "/", "/check/" + "a" * 24 + "/record.phn", "/check/1/", "/check/%00/",
     "/check/?copy=" + "a" * 24, "/check/?copy=%00", "/nowhere", "/check/" + "é" * 24 + "/"],
)  # fmt: skip
def test_a_link_that_leads_nowhere(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "Page not found" in words(answer.content)


def test_sharing_needs_our_own_form() -> None:
    strict = Client(enforce_csrf_checks=True)
    refused = strict.post("/check/share/", {"text": BICYCLE})
    assert refused.status_code == 403
    assert "could not be accepted" in words(refused.content)
    page = strict.get("/check/").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token is not None
    sent = {"text": BICYCLE, "csrfmiddlewaretoken": token.group(1)}
    assert strict.post("/check/share/", sent).status_code == 302


def test_checking_needs_no_cookie() -> None:
    assert Client(enforce_csrf_checks=True).post("/check/", {"text": "x"}).status_code == 200


def test_a_flood_of_links_is_stopped(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"share": "2/hour"})
    seen = [client.post("/check/share/", {"text": "x"}).status_code for _ in range(3)]
    assert seen == [302, 302, 429]


def test_a_shared_page_costs_one_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    link = share(client, text=SEVERAL)
    with django_assert_num_queries(1):
        client.get(link)


XSS = [
    "<script>alert(1)</script>",
    '\\"><img src=x onerror=alert(1)>',
    "{{ 7|add:7 }}{% now 'Y' %}",
    "javascript:alert(1)",
    "' autofocus onfocus='alert(1)",
    "</textarea><svg onload=alert(1)>",
    "<!--",
]


@pytest.mark.parametrize("attack", XSS)
def test_names_and_events_are_only_text(client: Client, attack: str) -> None:
    text = BICYCLE.replace("Adams, Nora", attack).replace("Leiden Hearts League", attack)
    text += f'\n{{{attack}}}\n[RulingTable "Trick;Seat;Code;Points;Text"]\n1 N x 1 "{attack}"\n'
    link = share(client, text=text)
    for page in (client.post("/check/", {"text": text}), client.get(link)):
        content = page.content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)", content)
        assert not re.search(r"<[^>]*\son\w+\s*=", re.sub(r'"[^"]*"', '""', content))
        assert "<img" not in content


def pages(client: Client) -> list[str]:
    link = share(client, text=DISPUTED)
    asked = ["/", "/check/", link, "/nowhere", *(f"/check/?example={slug}" for slug in SLUGS)]
    return [client.get(path).content.decode() for path in asked]


def test_no_page_has_script_or_style_within(client: Client) -> None:
    for page in pages(client):
        assert not re.search(r"<style|\sstyle=|<script(?![^>]*\bsrc=)|\son[a-z]+=", page)
        assert page.count("<h1") <= 1


def test_every_page_carries_the_strict_policy(client: Client) -> None:
    answer = client.get("/check/?example=4-insurance-centre-full")
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("text", [*map(example, SLUGS), LONG_NAMES, DISPUTED], ids=range(10))
def test_a_page_weighs_less_than_122_kb_and_its_fonts_45(client: Client, text: str) -> None:
    page = client.post("/check/", {"text": text}).content
    loaded = set(re.findall(r'(?:href|src)="/static/([^"#]+)', page.decode()))
    files = [Path(settings.BASE_DIR, "static", name) for name in loaded]
    assert len(files) >= 6
    # Static files go out compressed; pages with a form's secret in them do not.
    fonts = [path for path in files if path.suffix == ".woff2"]
    total = len(page) + sum(
        len(gzip.compress(path.read_bytes())) for path in files if path not in fonts
    )
    assert total < 122_000
    assert 0 < sum(path.stat().st_size for path in fonts) < 45_000


def test_a_long_text_is_not_drawn_whole(client: Client) -> None:
    page = client.post(
        "/check/", {"text": BICYCLE + "\n" + "% a line\n" * 50_000, "part": "answer"}
    )
    assert len(page.content) < 400_000
    assert "are not shown" in words(page.content)


def test_the_examples_are_the_ones_in_the_folder() -> None:
    assert len(SLUGS) == 8
    assert all((FOLDER / f"{slug}.phn").read_bytes().startswith(b"% PHN 1.0") for slug in SLUGS)


def test_the_last_tricks_of_a_hand_with_all_cards_are_looked_at(client: Client) -> None:
    page = client.post("/check/", {"text": BICYCLE}).content
    told = words(page)
    assert "The last tricks From trick 9 on, with all cards open" in told
    assert "Sure at trick 9: " in told
    places = re.findall(r'name="at"\s+value="(1\.\d+\.\d+)"\s+data-goto="(\d+)"', page.decode())
    assert places
    for at, play in places:
        _record, trick, place = map(int, at.split("."))
        assert (trick - 1) * 4 + place - 1 == int(play)


def test_the_last_tricks_are_worked_out_once_for_each_record_of_a_text(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    caches["pages"].clear()
    looked: list[Replay] = []

    def look(hand: Replay, *, nodes: int) -> Analysis:
        looked.append(hand)
        return analyse_hand(hand, nodes=nodes)

    monkeypatch.setattr("scoring.web.check_views.analyse_hand", look)
    path = share(client, text=f"{BICYCLE}\n{BICYCLE}")
    first, again = (client.get(f"{path}?record=2&at={at}") for at in ("2.9.1", "2.10.1"))
    assert len(looked) == 1
    assert first.context["analysis"] == again.context["analysis"]
    assert client.get(f"{path}?record=1").context["analysis"] != first.context["analysis"]
    assert len(looked) == 2


def test_of_a_result_without_its_cards_no_tricks_are_looked_at(client: Client) -> None:
    assert "The last tricks" not in words(
        client.get("/check/?example=6-bicycle-score-only-split").content
    )


def test_a_shared_record_leads_to_the_cards_that_lost_something(client: Client) -> None:
    page = client.get(share(client, text=f"{BICYCLE}\n{BICYCLE}") + "?record=2").content.decode()
    assert re.search(r'href="\?at=2\.\d+\.\d#board"', page.split('id="analysis"')[1])
