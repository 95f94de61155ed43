"""What is sent is compressed, and what names a version goes on naming it."""

import gzip
from typing import Any

import pytest
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory

from config.running.middleware import CompressionMiddleware
from tests.api.asking import Asking, account_of, check_problem, club_of, signed_in

pytestmark = pytest.mark.django_db

GZIP = {"Accept-Encoding": "gzip, br"}


@pytest.fixture
def asking() -> Asking:
    return signed_in(account_of("nora@example.org"))


@pytest.fixture
def club(asking: Asking) -> str:
    made = asking.post("/api/v1/clubs", {"name": "Leiden Hearts", "venue": "The Blue Room " * 8})
    return f"/api/v1/clubs/{made.json()['id']}"


def compress(response: HttpResponseBase) -> HttpResponseBase:
    def answer(_request: HttpRequest) -> HttpResponseBase:
        return response

    found: Any = CompressionMiddleware(answer)(RequestFactory().get("/", headers=GZIP))
    assert isinstance(found, HttpResponseBase)
    return found


def test_pages_and_json_are_compressed_for_whoever_reads_it(asking: Asking) -> None:
    for path in ("/", "/api/v1/switches"):
        plain, packed = asking.get(path), asking.get(path, **GZIP)
        assert "Content-Encoding" not in plain
        assert packed["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in plain["Vary"]
        assert "Accept-Encoding" in packed["Vary"]
        assert len(packed.content) < len(plain.content) / 2


@pytest.mark.parametrize("path", ["/", "/api/v1/switches", "/api/v1/openapi.json"])
@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        ("gzip", True),
        ("br;q=1.0, gzip;q=0.5", True),
        ("gzip;q=0, identity", False),
        ("br, gzip ; q=0.000", False),
        ("not-gzip", False),
    ],
)
def test_nothing_is_packed_for_who_gives_gzip_no_weight(
    asking: Asking, path: str, accepted: str, is_packed: bool
) -> None:
    found = asking.get(path, **{"Accept-Encoding": accepted})
    assert found.status_code == 200
    assert ("Content-Encoding" in found) is is_packed
    assert "Accept-Encoding" in found["Vary"]


def test_a_page_is_confirmed_for_who_takes_nothing_packed(asking: Asking) -> None:
    tag = asking.get("/help/")["ETag"]
    assert asking.get("/help/", **{"If-None-Match": tag}).status_code == 304


def test_the_same_answer_has_another_length_each_time(asking: Asking) -> None:
    sent = [asking.get("/api/v1/switches", **GZIP).content for _time in range(12)]
    assert len({len(one) for one in sent}) > 1
    assert len({gzip.decompress(one) for one in sent}) == 1


@pytest.mark.parametrize("kind", ["image/webp", "application/pdf", "application/zip"])
def test_what_is_packed_already_is_sent_as_it_is(kind: str) -> None:
    assert "Content-Encoding" not in compress(HttpResponse(b"0" * 1000, content_type=kind))


@pytest.mark.parametrize("kind", ["text/calendar; charset=utf-8", "application/atom+xml"])
def test_feeds_are_compressed(kind: str) -> None:
    assert compress(HttpResponse(b"0" * 1000, content_type=kind))["Content-Encoding"] == "gzip"


def test_a_file_keeps_its_length(tmp_path: Any) -> None:
    file = tmp_path / "hands.csv"
    file.write_bytes(b"0" * 1000)
    found = compress(FileResponse(file.open("rb")))
    assert found["Content-Length"] == "1000"
    assert "Content-Encoding" not in found
    found.close()


def test_the_tag_of_a_compressed_answer_says_that_it_is_known(asking: Asking, club: str) -> None:
    tag = asking.get(club, **GZIP)["ETag"]
    assert tag == 'W/"1"'
    for known in (tag, '"1"', f'"0", {tag}', "*"):
        for headers in (GZIP, {}):
            assert asking.get(club, If_None_Match=known, **headers).status_code == 304
    assert asking.get(club, If_None_Match='W/"2"', **GZIP).status_code == 200


@pytest.mark.parametrize("ending", ['W/"1"', '"1-gzip"', 'W/"1-gzip"', '"1-de-zstd"', '"1"'])
def test_the_tag_of_a_compressed_answer_names_the_version_that_was_seen(
    asking: Asking, club: str, ending: str
) -> None:
    changed = asking.patch(club, {"name": "Leiden"}, If_Match=ending, **GZIP)
    assert changed.status_code == 200
    check_problem(asking.patch(club, {"name": "Delft"}, If_Match=ending), "STALE")


def test_a_repeated_request_gets_the_same_answer_compressed_or_not(asking: Asking) -> None:
    key = {"Idempotency-Key": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e"}
    body = {"name": "Leiden Hearts", "venue": "The Blue Room " * 8}
    first = asking.post("/api/v1/clubs", body, **key, **GZIP)
    again = asking.post("/api/v1/clubs", body, **key)
    assert gzip.decompress(first.content) == again.content
    assert again["ETag"] == '"1"'
    assert again["Idempotent-Replay"] == "true"


def test_the_calendar_of_a_club_is_known_by_the_tag_of_either_form() -> None:
    nora = account_of("nora@example.org")
    path = f"/api/v1/clubs/{club_of(nora, is_public=True).pk}/calendar"
    visitor = Asking()
    for headers in (GZIP, {}):
        tag = visitor.get(path, **headers)["ETag"]
        assert visitor.get(path, If_None_Match=tag, **GZIP).status_code == 304
        assert visitor.get(path, If_None_Match=tag).status_code == 304


def test_a_page_that_has_not_changed_is_not_sent_again(asking: Asking) -> None:
    visitor = Client()
    tag = visitor.get("/clubs/", headers=GZIP).headers["ETag"]
    again = visitor.get("/clubs/", headers=GZIP | {"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert visitor.get("/clubs/", headers={"If-None-Match": '"another"'}).status_code == 200
    assert "ETag" not in asking.get("/api/v1/switches").headers, "its tags name versions"
