"""Score slips by API: pictures come once, and a slip is answered, accepted and set aside."""

import hashlib
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from scoring.models import Game, Hand, Slip, SlipPicture
from tests.api.desk import Answered, Desk, give_role, make_account
from tests.scoring.slips.marking import hand_in
from tests.tournaments.night import draw, make_night, start

pytestmark = pytest.mark.django_db

HAND = {
    "bidder": "1",
    "bid": "3",
    "pain": "H",
    "taken N": "5",
    "taken E": "4",
    "taken S": "2",
    "taken W": "2|3",
}


class SlipDesk:
    """A director at the desk of a night that is played."""

    def __init__(self) -> None:
        self.event = make_night(4)
        draw(self.event)
        self.game: Game = start(self.event, 1)[0]
        director = make_account("director")
        give_role(director, self.event.club, "director")
        self.desk = Desk(director)
        self.path = f"events/{self.event.pk}/slips"

    def send(self, *files: bytes, name: str = "pictures", key: str = "") -> Answered:
        """Send pictures as a form."""
        pictures = [SimpleUploadedFile("photo.jpg", data, "image/jpeg") for data in files]
        headers = {"Idempotency-Key": key or str(uuid4())}
        found: Any = self.desk.client.post(
            f"/api/v1/{self.path}", {name: pictures}, headers=headers
        )
        return Answered(found)

    def decide(self, slip: Slip, what: str, revision: int, body: Any = None) -> Answered:
        path = f"{self.path}/{slip.pk}/{what}"
        return self.desk.post(path, body, version=str(revision))


@pytest.fixture
def desk() -> SlipDesk:
    return SlipDesk()


def test_pictures_come_once_each(desk: SlipDesk) -> None:
    key = str(uuid4())
    answered = desk.send(b"one", b"two", b"one", key=key)
    assert answered.status == 202, answered
    assert [row["digest"] for row in answered["pictures"]] == [
        hashlib.sha256(data).hexdigest() for data in (b"one", b"two")
    ]
    assert desk.send(b"one", b"two", b"one", key=key).data == answered.data
    assert desk.send(b"one", b"three", key=key).status == 409
    assert desk.send(b"two").status == 202
    assert SlipPicture.objects.count() == 2
    listed = desk.desk.get(desk.path)["pictures"]
    assert [row["read_at"] for row in listed] == [None, None]


def test_a_form_without_pictures_is_refused(desk: SlipDesk) -> None:
    for answered, status in (
        (desk.send(), 422),
        (desk.send(b""), 422),
        (desk.send(b"one", name="files"), 400),
        (desk.send(*[bytes([n]) for n in range(21)]), 400),
        (desk.desk.post(desk.path, {"pictures": []}), 415),
    ):
        assert answered.status == status, answered
    assert not SlipPicture.objects.exists()


@pytest.mark.parametrize(
    "body",
    [b"", b"--x\r\n", b"--x\r\nContent-Disposition: form-data; name=pictures\r\n\r\n1\r\n--x--"],
)
def test_a_broken_form_is_refused(desk: SlipDesk, body: bytes) -> None:
    answered = desk.desk.client.generic(
        "POST",
        f"/api/v1/{desk.path}",
        body,
        content_type="multipart/form-data; boundary=x",
        headers={"Idempotency-Key": str(uuid4())},
    )
    assert answered.status_code in (400, 422), answered.content
    assert not SlipPicture.objects.exists()


def test_too_large_a_form_is_refused_before_it_is_read(desk: SlipDesk) -> None:
    answered = desk.desk.client.generic(
        "POST",
        f"/api/v1/{desk.path}",
        b"--x",
        content_type="multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(16 * 1024 * 1024 + 1),
        headers={"Idempotency-Key": str(uuid4())},
    )
    assert answered.status_code == 413


def test_a_slip_is_read_answered_and_accepted(desk: SlipDesk) -> None:
    slip = hand_in(desk.game, 1, HAND)
    shown = desk.desk.get(f"{desk.path}/{slip.pk}")
    assert (shown["round"], shown["table"], shown["hand"]) == (1, 1, 1)
    assert shown.headers["ETag"] == '"1"'
    (question,) = shown["questions"]
    assert question["rows"] == ["taken W"]
    assert {one["value"]: one["reasons"] for one in question["answers"]} == {
        "2": ["With it the cards add up."],
        "3": [],
    }
    marks = {row["row"]: row["marks"] for row in shown["rows"]}
    assert marks["taken W"] == {"2": "marked", "3": "marked"}
    refused = desk.decide(slip, "accept", 1, {})
    assert (refused.status, refused["where"]) == (422, {"key": "taken W"})
    answered = desk.decide(slip, "answer", 1, {"changes": {"taken W": "2"}})
    assert (answered.status, answered["revision"], answered["is_clean"]) == (200, 2, True)
    assert answered["result"]["taken"] == {"N": 5, "E": 4, "S": 2, "W": 2}
    assert answered["chips"] == {"N": 45, "E": 43, "S": 48, "W": 48}
    assert desk.decide(slip, "accept", 1, {}).status == 412
    accepted = desk.decide(slip, "accept", 2, {})
    assert accepted["hand_id"] == str(Hand.objects.get().pk)
    listed = desk.desk.get(desk.path)["slips"]
    assert [(row["id"], row["state"]) for row in listed] == [(str(slip.pk), "accepted")]


def test_a_slip_is_set_aside_and_put_back(desk: SlipDesk) -> None:
    slip = hand_in(desk.game, 1, HAND)
    aside = desk.decide(slip, "set-aside", 1, {"why": "Spilt coffee."})
    assert (aside["state"], aside["reason"]) == ("set aside", "Spilt coffee.")
    assert desk.decide(slip, "accept", 2, {"force": True}).status == 422
    assert desk.decide(slip, "put-back", 2)["state"] == "read"


def test_only_what_stands_on_a_slip_can_be_answered(desk: SlipDesk) -> None:
    slip = hand_in(desk.game, 1, HAND)
    for changes, status in (({"taken W": "14"}, 422), ({"queen": "1"}, 422), ({"taken W": 2}, 400)):
        assert desk.decide(slip, "answer", 1, {"changes": changes}).status == status


def test_the_picture_of_a_slip_is_for_the_desk_alone(desk: SlipDesk) -> None:
    slip = hand_in(desk.game, 1, HAND)
    address = f"/api/v1/{desk.path}/{slip.pk}/crop"
    found = desk.desk.client.get(address)
    assert (found.status_code, found["Content-Type"]) == (200, "image/jpeg")
    assert b"".join(found) == b"crop"
    assert Desk().get(f"{desk.path}/{slip.pk}/crop").status == 404
    Slip.objects.update(crop=None)
    assert desk.desk.client.get(address).status_code == 404


def test_a_slip_of_another_night_is_not_there(desk: SlipDesk) -> None:
    slip, other = hand_in(desk.game, 1, HAND), SlipDesk.__new__(SlipDesk)
    other.event = make_night(4, club=desk.event.club, rule_set=desk.event.rule_set)
    assert desk.desk.get(f"events/{other.event.pk}/slips/{slip.pk}").status == 404
