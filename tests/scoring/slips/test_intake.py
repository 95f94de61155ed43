"""Pictures of slips: taken in once, within limits, and not kept longer than they are needed."""

import hashlib
from datetime import timedelta

import pytest

from scoring.erasure import erase_person
from scoring.models import Game, Slip, SlipPicture, SlipState
from scoring.slips import intake
from scoring.slips.intake import (
    CROP_RETENTION,
    delete_old_crops,
    dismiss_problems,
    find_progress,
    take_pictures,
)
from scoring.slips.matching import SlipMatcher, code_of
from scoring.slips.recognition import SlipReading
from tests.scoring.club import DIRECTOR, at
from tests.scoring.slips.marking import code_at, hand_in, read_in
from tests.tournaments.night import draw, make_event, make_night, start
from tournaments.core.errors import EventCancelledError, RefusedError, TooOftenError
from tournaments.events import events, schedule
from tournaments.models import AuditEntry, Event, Status, Table, TableSeat
from tournaments.people import rule_sets
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


def test_a_picture_that_was_deleted_unread_can_be_taken_again(event: Event) -> None:
    (picture,) = take(event, b"one")
    SlipPicture.objects.update(original=None, due_at=None, read_at=at(1), problems=["Deleted."])
    assert take(event, b"one", minutes=2) == [picture]
    picture = SlipPicture.objects.get()
    assert (bytes(picture.original or b""), picture.due_at) == (b"one", at(2))
    assert (picture.read_at, picture.problems, picture.attempts) == (None, [], 0)


@pytest.mark.parametrize(
    ("state", "is_read_again"), [(SlipState.FOREIGN, True), (SlipState.READ, False)]
)
def test_a_picture_is_read_again_while_it_has_slips_of_another_night(
    event: Event, state: SlipState, *, is_read_again: bool
) -> None:
    (picture,) = take(event, b"one")
    SlipPicture.objects.update(original=None, due_at=None, read_at=at(1))
    marks = {} if is_read_again else {"bid": {"1": ["marked", 400]}}
    Slip.objects.create(
        event=event, picture=picture, code="", state=state, marks=marks, read_at=at(1)
    )
    take(event, b"one")
    assert (SlipPicture.objects.get().read_at is None) == is_read_again


def test_slips_beyond_the_limit_of_a_night_are_said_not_to_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = make_night(4)
    game = played(event)
    (picture,) = take(event, b"one")
    monkeypatch.setattr(intake, "SLIPS_MAX", 2)
    matcher = SlipMatcher(event)
    found = [
        SlipReading(code=code_at(game, number), page=1, rows=(), crop=b"crop")
        for number in (1, 2, 3)
    ]
    intake.save_readings(picture, matcher, found, [], at(1))
    assert Slip.objects.count() == 2
    (words,) = SlipPicture.objects.get().problems
    assert words == "Slips of this picture that were not kept: 1; this night has 2."


def test_problems_are_dismissed_and_the_same_file_is_read_anew(event: Event) -> None:
    unread, waiting = take(event, b"one", b"two")
    SlipPicture.objects.filter(pk=unread.pk).update(read_at=at(1), problems=["Too blurred."])
    ids = [unread.pk, waiting.pk]
    dismiss_problems(event_id=event.pk, picture_ids=ids, by=DIRECTOR, at=at(2))
    assert SlipPicture.objects.get() == waiting
    assert AuditEntry.objects.filter(what="pictures of slips dismissed").count() == 1
    take(event, b"one")
    assert find_progress(event).pictures == 2


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


def test_pictures_of_slips_of_a_night_that_nobody_finishes_end_too() -> None:
    event = make_night(4)
    hand_in(played(event), 1, HAND)
    until = event.starts_at + CROP_RETENTION
    assert delete_old_crops(at=until - timedelta(seconds=1)) == 0
    assert delete_old_crops(at=until) == 1


def test_erasing_somebody_deletes_the_pictures_of_a_round_that_has_not_begun() -> None:
    event = make_night(8)
    draw(event)
    slips = []
    for table in Table.objects.filter(round__event=event, round__number=1):
        code = code_of(event, rule_sets.rules_of(event.rule_set), 4, table=table, hand=1)
        slips.append(read_in(event, code, HAND))
    assert [slip.crop is not None for slip in slips] == [True, True]
    seat = TableSeat.objects.filter(table=slips[0].table).first()
    assert seat is not None
    erase_person(Erasure.of(seat.entry.player))
    kept = {slip.table_id: slip.crop is not None for slip in Slip.objects.all()}
    assert kept == {slips[0].table_id: False, slips[1].table_id: True}


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
