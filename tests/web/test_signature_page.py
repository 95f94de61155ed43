"""The page of signatures: what anybody is told of a file that somebody gave them."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import given
from hypothesis import settings as trying
from hypothesis import strategies as st
from playwright.sync_api import expect

from scoring.transfer import signatures
from scoring.transfer.exporting import SignatureVerdict, judge
from scoring.transfer.signatures import Signature, find_signature
from scoring.web.public import signature_page
from scoring.web.rate_limit import SignatureThrottle
from tests.api.asking import Asking
from tests.examples import examples
from tests.scoring.club import at, make_club
from tests.web.conftest import DESK, PHONE, Open
from tests.web.test_browser import overflow, take_picture, violations
from tests.web.test_window import text_of
from tests.web.window import member_of
from tournaments.access.rights import VISITOR
from tournaments.models import Club, Job, JobState

pytestmark = pytest.mark.django_db
OURS = "QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI"
THEIRS = "Q0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0NDQ0M"
TABLE = b"Rank,Player\r\n1,Nora A.\r\n"
PAGE = "/signature/"


@pytest.fixture(autouse=True)
def keys(settings: Any, tmp_path: Path) -> None:
    settings.SIGNING_KEY = OURS
    settings.SIGNERS = tmp_path / "signers"
    cache.clear()


def signature_of(text: bytes) -> str:
    found = find_signature(hashlib.sha256(text).digest())
    assert found is not None
    return found.text()


def sent(client: Client, file: bytes | None, signature: str | bytes = "", **fields: Any) -> str:
    if file is not None:
        fields["file"] = SimpleUploadedFile("standings.csv", file)
    if isinstance(signature, bytes):
        fields["signature_file"] = SimpleUploadedFile("standings.csv.sig", signature)
    else:
        fields["signature"] = signature
    return text_of(client.post(PAGE, fields).content)


def made_for(club: Club, text: bytes) -> Job:
    return Job.objects.create(
        club=club,
        kind="export",
        state=JobState.DONE,
        outcome={"signature": signature_of(text)},
        created_at=at(),
        finished_at=at(5),
    )


def test_a_file_that_was_signed_here_is_said_to_be(client: Client) -> None:
    beside = signature_of(TABLE)
    for signature in (beside, f"{beside}\n", f"{beside}\n".encode()):
        page = sent(client, TABLE, signature)
        assert "Signed by this server, and unchanged" in page
        assert "standings.csv" in page
        assert hashlib.sha256(TABLE).hexdigest() in page
    # The browser may have digested the file itself.
    page = sent(client, None, beside, digest=hashlib.sha256(TABLE).hexdigest(), name="a.csv")
    assert "Signed by this server, and unchanged" in page


def test_club_and_moment_are_told_to_whoever_may_know_of_the_club(client: Client) -> None:
    beside = signature_of(TABLE)
    for name, is_public in (("Leiden Hearts", True), ("Secret Spades", False)):
        Job.objects.all().delete()
        club = make_club(name, is_public=is_public)
        job = made_for(club, TABLE)
        assert job.finished_at is not None
        year = str(job.finished_at.year)
        assert (name in sent(client, TABLE, beside)) is is_public
        page = sent(member_of(club, "admin" if is_public else "player"), TABLE, beside)
        assert name in page
        assert year in page
        assert name not in sent(client, TABLE + b" ", beside)


def test_a_changed_file_another_key_and_nonsense_are_told_apart(
    client: Client, settings: Any
) -> None:
    beside = signature_of(TABLE)
    assert "not the file that was signed" in sent(client, TABLE + b" ", beside)
    data = json.loads(beside)
    other = hashlib.sha256(b"other").hexdigest()
    forged = json.dumps(data | {"digest": other}, sort_keys=True, separators=(",", ":"))
    assert "The signature is false" in sent(client, b"other", forged)
    for nonsense in ("{}", "signed, Nora", beside.replace(":", " :"), b"\xff" * 5000, "9" * 5000):
        assert "This is no signature" in sent(client, TABLE, nonsense)
    ours = str(signatures.own_key())
    settings.SIGNING_KEY = THEIRS
    assert "nobody here knows who signed it" in sent(client, TABLE, beside)
    signatures.trust(ours, "Leiden <b>Hearts</b>")
    assert "Signed by Leiden <b>Hearts</b> , and unchanged" in sent(client, TABLE, beside)
    settings.SIGNING_KEY = None
    assert "Signed by Leiden" in sent(client, TABLE, beside)


@given(at_byte=st.integers(0, len(TABLE) - 1), bit=st.integers(0, 7))
@trying(max_examples=examples(50), deadline=None)
def test_no_bit_of_a_file_changes_unseen(at_byte: int, bit: int) -> None:
    changed = bytearray(TABLE)
    changed[at_byte] ^= 1 << bit
    beside = signature_of(TABLE).encode()
    digest = hashlib.sha256(changed).digest()
    assert judge(digest, beside, VISITOR).verdict is SignatureVerdict.CHANGED
    assert judge(hashlib.sha256(TABLE).digest(), beside, VISITOR).verdict is SignatureVerdict.HERE


def test_what_is_missing_is_asked_for(client: Client) -> None:
    assert "Choose the file first" in sent(client, None, signature_of(TABLE))
    assert "Nothing says who signed it" in sent(client, TABLE)
    for digest in ("", "12", "x" * 64, " " * 64, "0" * 63):
        assert "Choose the file first" in sent(client, None, "{}", digest=digest)
    assert client.get(PAGE).status_code == 200
    assert client.put(PAGE).status_code == 405


def test_a_file_is_digested_in_pieces_and_an_empty_one_too(client: Client) -> None:
    long = bytes(range(256)) * 2000
    assert "and unchanged" in sent(client, long, signature_of(long))
    assert "and unchanged" in sent(client, b"", signature_of(b""))


def test_what_is_too_long_is_refused_before_it_is_read(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signature_page, "BYTES_MAX", 1000)
    monkeypatch.setattr(signature_page, "_FIELDS_BYTES", 1000)
    answer = client.post(PAGE, {"file": SimpleUploadedFile("a", os.urandom(3000))})
    assert answer.status_code == 413
    assert "longer than 64 MiB" in text_of(answer.content)


def test_who_asks_too_often_has_to_wait(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SignatureThrottle, "rate", "2/hour", raising=False)
    beside = signature_of(TABLE)
    for _ in range(2):
        assert "and unchanged" in sent(client, TABLE, beside)
    answer = client.post(PAGE, {"signature": beside})
    assert answer.status_code == 429
    assert "Too many files at once" in text_of(answer.content)


def test_programs_ask_by_the_digest() -> None:
    club = make_club(is_public=True)
    job = made_for(club, TABLE)
    asking = Asking()
    digest = hashlib.sha256(TABLE).hexdigest()
    address = "/api/v1/signature"

    def asked(**query: str) -> Any:
        return asking.client.get(address, query)

    told = asked(digest=digest, signature=signature_of(TABLE)).json()
    assert job.finished_at is not None
    key = Signature.read(signature_of(TABLE).encode()).key
    assert told["verdict"] == "here"
    assert (told["club"], told["key"]) == (str(club.pk), key)
    assert told["made_at"]
    assert asked(digest="0" * 64, signature=signature_of(TABLE)).json()["verdict"] == "changed"
    assert asked(digest=digest, signature="{}").json()["verdict"] == "none"
    assert asked(digest="0" * 62 + "  ", signature="{}").status_code == 422
    assert asked(digest="x" * 64, signature="{}").status_code == 422
    assert asked(digest=digest).status_code == 400


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_browser_keeps_the_file_and_sends_its_digest(visit: Open, tmp_path: Path) -> None:
    path, beside = tmp_path / "standings.csv", tmp_path / "standings.csv.sig"
    path.write_bytes(TABLE)
    beside.write_text(signature_of(TABLE))
    page = visit("/")
    page.get_by_role("link", name="Check a signed file").click()
    sizes = []
    page.on("request", lambda one: sizes.append(len(one.post_data_buffer or b"")))
    for number, (text, words) in enumerate(
        ((TABLE, "Signed by this server"), (TABLE * 50_000, "not the file that was signed"))
    ):
        path.write_bytes(text)
        page.get_by_label("The file").set_input_files(path)
        page.get_by_label("Its signature").set_input_files(beside)
        page.get_by_role("button", name="Check it").click()
        expect(page.locator("#verdict-title")).to_contain_text(words)
        expect(page.locator("#verdict")).to_contain_text("standings.csv")
        assert violations(page, only_colours=False) == []
        for size, viewport in (("phone", PHONE), ("desk", DESK)):
            page.set_viewport_size(viewport)
            assert overflow(page) <= 0
            take_picture(page, f"signature-{number}-{size}")
    assert max(sizes) < 3000
