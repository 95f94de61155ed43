"""Pictures of slips: taken in once, within limits, and not kept longer than they are needed."""

import hashlib
from datetime import timedelta

import pytest

from scoring.erasure import erase_person
from scoring.models import Game, Slip, SlipPicture
from scoring.slips import intake
from scoring.slips.intake import delete_old_crops, find_progress, take_pictures
from tests.scoring.club import DIRECTOR, at
from tests.scoring.slips.marking import hand_in
from tests.tournaments.night import draw, make_event, make_night, start
from tournaments.core.errors import EventCancelledError, RefusedError, TooOftenError
from tournaments.events import events, schedule
from tournaments.models import AuditEntry, Event, Status
from tournaments.people.erasure import Erasure

pytestmark = pytest.mark.django_db

HAND = {"bidder": "1", "bid": "3", "pain": "H", "taken N": "5", "taken E": "4", "taken S": "4"}


@pytest.fixture
def event() -> Event:
    return make_event()


def take(event: Event, *files: bytes, minutes: int = 0) -> list[SlipPicture]:
    return take_pictures(event_id=event.pk, files=files, by=DIRECTOR, at=at(minutes))


def played(event: Event) -> Game:
    """A table of a night at which a hand was marked."""
    draw(event)
    return start(event, 1)[0]


def test_a_picture_waits_for_a_worker(event: Event) -> None:
    (picture,) = take(event, b"one")
    assert (picture.digest, picture.read_at) == (hashlib.sha256(b"one").hexdigest(), None)
    assert bytes(SlipPicture.objects.get().original or b"") == b"one"
    assert [name for name, _ in SlipPicture.objects.due_names(at(1), 9)] == [str(picture.pk)]
    progress = find_progress(event)
    assert (progress.pictures, progress.read, progress.is_done) == (1, 0, False)


def test_the_same_file_again_is_the_same_picture(event: Event) -> None:
    first = take(event, b"one", b"two", b"one")
    assert take(event, b"two", b"one") == [first[1], first[0]]
    assert first[0] == first[2]
    assert SlipPicture.objects.count() == 2
    assert AuditEntry.objects.filter(what="slips taken in").count() == 1
    take(make_event(event.club, rule_set=event.rule_set), b"one")
    assert SlipPicture.objects.count() == 3


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ([], "at least one picture"),
        ([b"one", b""], "at least one picture"),
        ([bytes([n]) for n in range(21)], "At most 20 pictures"),
        ([b"x" * 101], "A picture may have"),
    ],
)
def test_too_much_and_nothing_are_refused_as_a_whole(
    event: Event, files: list[bytes], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "PICTURE_BYTES_MAX", 100)
    with pytest.raises(RefusedError, match=why) as refused:
        take(event, *files)
    assert refused.value.field == "pictures"
    assert not SlipPicture.objects.exists()


def test_only_so_many_pictures_wait_at_once(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "WAITING_MAX", 2)
    take(event, b"one", b"two")
    assert len(take(event, b"one")) == 1
    with pytest.raises(TooOftenError, match="2 pictures wait"):
        take(event, b"three")
    SlipPicture.objects.update(read_at=at())
    take(event, b"three")


def test_a_night_has_so_many_slips_and_no_more(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "SLIPS_MAX", 1)
    Slip.objects.create(event=event, code="", read_at=at())
    with pytest.raises(RefusedError, match="takes no more"):
        take(event, b"one")


def test_a_night_that_is_called_off_takes_no_pictures(event: Event) -> None:
    schedule.cancel_event(event_id=event.pk, why="Snow", version=None, by=DIRECTOR, at=at())
    with pytest.raises(EventCancelledError):
        take(event, b"one")


def test_pictures_of_slips_end_with_the_time_for_corrections() -> None:
    event = make_night(4)
    slip = hand_in(played(event), 1, HAND)
    Event.objects.filter(pk=event.pk).update(status=Status.FINISHED, finished_at=at())
    event.refresh_from_db()
    until = events.corrections_until(event)
    assert until is not None
    assert delete_old_crops(at=until - timedelta(seconds=1)) == 0
    assert Slip.objects.get().crop is not None
    assert delete_old_crops(at=until) == 1
    assert Slip.objects.get() == slip
    assert Slip.objects.get().crop is None
    with pytest.raises(RefusedError, match="cannot be corrected any more"):
        take_pictures(event_id=event.pk, files=[b"one"], by=DIRECTOR, at=until)


def test_the_pictures_of_slips_go_with_a_night_that_is_removed(event: Event) -> None:
    take(event, b"one")
    schedule.remove_event(event_id=event.pk, version=None, by=DIRECTOR, at=at())
    assert not SlipPicture.objects.exists()


def test_erasing_somebody_deletes_the_pictures_that_they_may_have_signed() -> None:
    event = make_night(8)
    draw(event)
    theirs, others = start(event, 1)
    hand_in(theirs, 1, HAND)
    hand_in(others, 1, HAND)
    take(event, b"unread")
    person = theirs.sittings.first()
    assert person is not None
    erase_person(Erasure.of(person.player))
    kept = {slip.table_id: slip.crop is not None for slip in Slip.objects.all()}
    assert kept == {theirs.table_id: False, others.table_id: True}
    picture = SlipPicture.objects.get()
    assert (picture.original, picture.due_at) == (None, None)
    assert picture.problems == [
        "This picture was deleted unread, as somebody's name was erased; take it again."
    ]
