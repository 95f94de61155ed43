"""What a phone that waits asks for: whether anything changed, and seldom where nothing does."""

from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from playwright.sync_api import Request
from pytest_django import DjangoAssertNumQueries

from scoring.models import SeatLink
from tests.api.desk import Desk, Night, taken
from tests.web.phones import Phone, Pockets, pockets, tokens

__all__ = ["pockets"]

MARKS = {"game", "drafts", "papers", "clock"}
HAND = {"bidder": "E", "bid": 6, "pain": "H", "taken": taken("3/2/4/4")}


class Watching:
    """A phone that waits at a table."""

    def __init__(self, night: Night, client: Client, seat: str = "N") -> None:
        (self.token,) = tokens(night, seat)
        self.client = client
        self.night = night
        self.tag = ""
        self.marks: dict[str, Any] = {}
        self.door = Desk(authorization=f"Seat {self.token}")

    def ask(self) -> Any:
        headers = {"authorization": f"Seat {self.token}", "if-none-match": self.tag}
        return self.client.get("/t/news", headers=headers)

    def changed(self) -> set[str]:
        """What changed since it was asked last."""
        answer = self.ask()
        if answer.status_code == 304:
            assert (answer.content, answer["ETag"]) == (b"", self.tag)
            return set()
        before, self.marks, self.tag = self.marks, answer.json(), answer["ETag"]
        return {mark for mark in MARKS if self.marks[mark] != before.get(mark, "unknown")}

    def tell(self, draft: str, change: int, answers: dict[str, Any]) -> None:
        path = f"games/{self.night.game['id']}/drafts/{draft}"
        told = {"number": 1, "change": change, "answers": answers}
        assert self.door.send("PUT", path, told).status == 200


@pytest.mark.django_db
def test_every_change_is_told_once_and_then_nothing(client: Client) -> None:
    night = Night()
    watching = Watching(night, client)
    assert watching.changed() == MARKS
    assert watching.changed() == set()
    draft, other = str(uuid4()), str(uuid4())
    for number, (name, change, answers) in enumerate(
        [(draft, 1, {"bid E": 4}), (draft, 2, {"bid E": 5}), (other, 1, {"bid E": 3})]
    ):
        watching.tell(name, change, answers)
        assert watching.changed() == {"drafts"}, number
        assert watching.changed() == set()
    watching.tell(draft, 1, {"bid E": 4})  # a late copy of an older state
    assert watching.changed() == set()
    night.enter(HAND)
    assert watching.changed() == {"game"}
    assert watching.changed() == set()


@pytest.mark.django_db
def test_sealed_and_opened_papers_are_news(client: Client) -> None:
    night = Night("insurance", centre_auction="off", passing="none")
    watching = Watching(night, client)
    watching.changed()
    path = f"games/{night.game['id']}/papers"
    for seat in "NESW":
        seal = sha256(f"the salt of seat {seat}:4".encode()).hexdigest()
        body = {"hand": 1, "seat": seat, "kind": "insurance", "seal": seal}
        assert night.desk.post(path, body).status == 201
        assert watching.changed() == {"papers"}
    opening = {
        "hand": 1,
        "seat": "N",
        "kind": "insurance",
        "value": "4",
        "salt": "the salt of seat N",
    }
    assert night.desk.post(f"{path}/opening", opening).status == 200
    assert watching.changed() == {"papers"}
    assert watching.changed() == set()


@pytest.mark.django_db
def test_nothing_of_another_table_is_news(client: Client) -> None:
    night = Night()
    watching = Watching(night, client)
    watching.changed()
    night.game = night.open(night.rules)
    night.enter(HAND)
    assert watching.changed() == set()


@pytest.mark.django_db
def test_who_waits_costs_three_queries(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    watching = Watching(Night(), client)
    watching.changed()
    with django_assert_num_queries(3):
        assert watching.changed() == set()


@pytest.mark.django_db
def test_news_are_for_a_link_that_is_open(client: Client) -> None:
    night = Night()
    watching = Watching(night, client)
    assert watching.ask()["Cache-Control"] == "private, no-store"
    assert client.get("/t/news").status_code == 404
    assert client.post("/t/news").status_code == 405
    watching.night.desk.send(
        "DELETE", f"games/{night.game['id']}/links/{SeatLink.objects.get().pk}"
    )
    answer = watching.ask()
    assert (answer.status_code, answer.json()["code"]) == (410, "GONE")


HIDDEN = """(isHidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


class Listening:
    """What a phone asks the server for, while its clock is turned by hand."""

    def __init__(self, phone: Phone) -> None:
        self.page = phone.page
        self.paths: list[str] = []
        self.unanswered: set[Request] = set()
        self.page.clock.install()
        self.page.on("request", self._begun)
        self.page.on("requestfinished", self._ended)
        self.page.on("requestfailed", self._ended)

    def _begun(self, request: Request) -> None:
        self.paths.append(request.url)
        self.unanswered.add(request)

    def _ended(self, request: Request) -> None:
        self.unanswered.discard(request)

    def settle(self, pause: int = 1_000) -> None:
        """Wait until nothing was asked for so many milliseconds, and all is answered."""
        heard = -1
        while self.unanswered or heard != len(self.paths):
            heard = len(self.paths)
            self.page.wait_for_timeout(pause)

    def hear(self, seconds: int) -> None:
        """Let so many seconds go by on the phone, and every answer come."""
        self.settle()
        self.paths.clear()
        for _ in range(0, seconds, 4):
            self.page.clock.run_for(4_000)
            self.page.wait_for_timeout(100)
            self.settle(20)

    def asked(self, word: str) -> int:
        return sum(word in path for path in self.paths)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_phone_that_waits_asks_for_news_alone_and_seldom(pockets: Pockets) -> None:
    night = Night()
    (token,) = tokens(night, "N")
    phone = pockets.phone()
    heard = Listening(phone)
    phone.scan(token).sees("Who bid highest?")
    heard.hear(8)
    heard.hear(40)
    assert 5 <= heard.asked("/t/news") <= 11
    assert heard.asked("/api/") == 0
    heard.hear(60)
    heard.hear(60)
    assert 3 <= heard.asked("/t/news") <= 6
    night.enter(HAND)
    heard.hear(16)
    phone.sees("Is hand 1 right?")
    assert heard.asked("/api/") > 0
    pockets.put_away()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_phone_that_is_put_away_asks_for_nothing(pockets: Pockets) -> None:
    night = Night()
    (token,) = tokens(night, "N")
    phone = pockets.phone()
    heard = Listening(phone)
    phone.scan(token).sees("Who bid highest?")
    heard.hear(8)
    phone.page.evaluate(HIDDEN, True)
    heard.hear(40)
    assert heard.paths == []
    night.enter(HAND)
    phone.page.evaluate(HIDDEN, False)
    phone.sees("Is hand 1 right?")
    pockets.put_away()
