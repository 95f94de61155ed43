"""Intake of pictures of slips: they are stored, read by a worker, and deleted.

A picture is kept until it is read, and then only the slips that were cut out of it.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from engine.core.seats import DEFAULT_SEATS
from scoring.models import Slip, SlipPicture, SlipState
from scoring.slips.codes import Corner, SlipCode, read_code, write_code
from scoring.slips.interpretation import Marks, row_name
from scoring.slips.layout import Mark, RowKey
from scoring.slips.matching import ForeignSlipError, SlipMatcher
from scoring.slips.pictures import UnreadablePictureError
from scoring.slips.recognition import SlipReading, UnreadSlip, read_pictures
from scoring.slips.review import locate_slip
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError, TooOftenError
from tournaments.events.events import check_not_cancelled, corrections_until, note
from tournaments.events.events import lock as lock_event
from tournaments.models import ATTEMPTS_MAX, Event

PICTURES_MAX: Final = 20
"""At once."""
PICTURE_BYTES_MAX: Final = 12 * 1024 * 1024
"""A photo of 50 megapixels as JPEG, or a scan of 60 pages, is smaller."""
WAITING_MAX: Final = 60
"""Pictures of an event that wait to be read."""
PICTURE_SLIPS_MAX: Final = 240
"""Slips in one picture: four on each page of the longest file."""
CROP_RETENTION: Final = timedelta(days=30)
"""Time from the beginning of a night that is never finished until its crops are deleted."""
SLIPS_MAX: Final = 2000
"""Slips of an event: twice what 64 people fill in on a long night."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The progress of reading the pictures of an event: their number, and those that are read."""

    pictures: int
    read: int

    @property
    def is_done(self) -> bool:
        """Whether none waits to be read."""
        return self.pictures == self.read


@transaction.atomic
def take_pictures(
    *, event_id: UUID, files: Sequence[bytes], by: Actor, at: datetime
) -> list[SlipPicture]:
    """Take in pictures of slips, for a worker to read; the same file again is the same picture.

    It is read again where that may help: not all of it could be read, or as slips of this night.

    All or none. Raises NotThereError, EventCancelledError, RefusedError (none or too many, an empty
    or too large one, the results of the event cannot be corrected any more), TooOftenError where
    too many wait to be read.
    """
    event = lock_event(event_id)
    check_not_cancelled(event)
    _check_files(event, files, at)
    known = {row.digest: row for row in SlipPicture.objects.filter(event=event).defer("original")}
    waiting = sum(row.read_at is None for row in known.values())
    found, new = [], 0
    for data in files:
        digest = hashlib.sha256(data).hexdigest()
        picture = known.get(digest)
        if picture is None or _is_worth_reading_again(picture):
            if waiting + new >= WAITING_MAX:
                words = Message("{count} pictures wait to be read; wait for them.", count=waiting)
                raise TooOftenError(words, 10)
            known[digest] = picture or SlipPicture(event=event, digest=digest, taken_in_at=at)
            _queue(known[digest], data, by, at)
            new += 1
        found.append(known[digest])
    if new:
        note(event, AuditRecord(Message("slips taken in"), details={"pictures": new}), by, at)
    return found


def _is_worth_reading_again(picture: SlipPicture) -> bool:
    """Whether a picture was read, and not all of it was found to be slips of this night."""
    if picture.read_at is None:
        return False
    ours = picture.slips.exclude(state=SlipState.FOREIGN).exclude(marks={})
    return bool(picture.problems) or picture.slips.count() != ours.count() or not ours.exists()


def _queue(picture: SlipPicture, data: bytes, by: Actor, at: datetime) -> None:
    """Have a picture read, for the first time or again."""
    picture.original, picture.by, picture.due_at = data, by.label, at
    picture.read_at, picture.problems, picture.attempts = None, [], 0
    picture.save()


@transaction.atomic
def dismiss_problems(
    *, event_id: UUID, picture_ids: Sequence[UUID], by: Actor, at: datetime
) -> None:
    """Forget pictures of which not all could be read, once somebody has seen to them.

    Their slips stay. The same file is read anew when it comes again. Raises NotThereError.
    """
    event = lock_event(event_id)
    rows = SlipPicture.objects.filter(event=event, pk__in=picture_ids, read_at__isnull=False)
    count = rows.count()
    rows.delete()
    if count:
        record = AuditRecord(Message("pictures of slips dismissed"), details={"pictures": count})
        note(event, record, by, at)


def _check_files(event: Event, files: Sequence[bytes], at: datetime) -> None:
    if not files or not all(files):
        raise RefusedError(Message("Choose at least one picture."), "pictures")
    if len(files) > PICTURES_MAX:
        words = Message("At most {most} pictures at once, please.", most=PICTURES_MAX)
        raise RefusedError(words, "pictures")
    if max(map(len, files)) > PICTURE_BYTES_MAX:
        most = PICTURE_BYTES_MAX // 1024 // 1024
        raise RefusedError(Message("A picture may have {most} MiB.", most=most), "pictures")
    until = corrections_until(event)
    if until is not None and until <= at:
        words = Message("The results of this night cannot be corrected any more.")
        raise RefusedError(words, "pictures")
    if Slip.objects.filter(event=event).count() >= SLIPS_MAX:
        words = Message("This night has {most} slips, and takes no more.", most=SLIPS_MAX)
        raise RefusedError(words, "pictures")


def find_progress(event: Event) -> Progress:
    """The progress of reading an event's pictures. One query."""
    read = SlipPicture.objects.filter(event=event).values_list("read_at", flat=True)
    return Progress(pictures=len(read), read=sum(moment is not None for moment in read))


def save_slip(
    picture: SlipPicture | None,
    matcher: SlipMatcher,
    code: SlipCode,
    marks: Marks,
    crop: bytes | None,
    at: datetime,
    *,
    in_picture: Sequence[Slip] = (),
) -> Slip | None:
    """Save a slip as it was read; the same slip again is the same row, with the surer reading.

    ``in_picture`` are the slips that the same picture has besides: it is none of those. Returns the
    row, None where nothing was new. The event is locked. A slip that is not of this night is saved
    as such, with the reason.
    """
    event = matcher.event
    code = code.at(Corner.FIRST)
    slip = Slip(event=event, picture=picture, code=write_code(code), crop=crop, read_at=at)
    slip.marks = {
        row: {value: [str(circle.mark), circle.darkness] for value, circle in circles.items()}
        for row, circles in marks.items()
    }
    known = list(Slip.objects.filter(event=event, code=slip.code).defer("crop"))
    try:
        slip.table, slip.number = matcher.find_table(code), code.hand or None
        matcher.find_rules(code)
    except ForeignSlipError as error:
        if not known:
            slip.state, slip.reason = SlipState.FOREIGN, error.message
            slip.table, slip.crop, slip.marks = None, None, {}
            slip.save(force_insert=True)
            return slip
        return None
    locate_slip(matcher, slip)
    for earlier in known:
        if not earlier.marks:  # it was not of this night when it was read before
            earlier.delete()
        elif earlier not in in_picture and _is_same_paper(earlier, slip):
            is_surer = _count_unsure(slip) < _count_unsure(earlier)
            if earlier.state == SlipState.READ and not earlier.changes and is_surer:
                earlier.marks, earlier.crop, earlier.picture = slip.marks, slip.crop, picture
                earlier.table, earlier.number = slip.table, slip.number
                earlier.revision += 1
                names = ["marks", "crop", "picture", "table", "number", "revision"]
                earlier.save(update_fields=names)
            return earlier
    slip.save(force_insert=True)
    return slip


def _count_unsure(slip: Slip) -> int:
    """The number of unsure circles of a slip."""
    return sum(mark == Mark.UNSURE for row in slip.marks.values() for mark, _dark in row.values())


def _is_same_paper(known: Slip, read: Slip) -> bool:
    """Whether two readings may be of one paper: no circle is marked in one and empty in another.

    Blank slips on which no table or no hand is marked are told apart by their picture alone.
    """
    is_again = read.picture_id is not None and known.picture_id == read.picture_id
    if not is_again and read_code(read.code).is_blank:
        for keys in ((RowKey.TABLE, RowKey.TABLE_TENS), (RowKey.HAND, RowKey.HAND_TENS)):
            if not all(_has_mark(slip, keys) for slip in (known, read)):
                return False
    for row, circles in read.marks.items():
        for value, (mark, _dark) in circles.items():
            before = known.marks.get(row, {}).get(value, (mark, 0))[0]
            if {before, mark} == {Mark.MARKED, Mark.EMPTY}:
                return False
    return True


def _has_mark(slip: Slip, keys: Iterable[RowKey]) -> bool:
    """Whether some row was marked, or may have been."""
    rows = [slip.marks.get(key, {}).values() for key in keys]
    return any(mark != Mark.EMPTY for row in rows for mark, _dark in row)


def delete_old_crops(*, at: datetime) -> int:
    """Delete the pictures of slips of events whose results cannot be corrected any more.

    Those of a night that nobody finishes go `CROP_RETENTION` after it began. Gives how many slips
    had one.
    """
    rows = Slip.objects.filter(crop__isnull=False)
    over = [
        event.pk
        for event in Event.objects.filter(pk__in=rows.values("event"))
        if (corrections_until(event) or event.starts_at + CROP_RETENTION) <= at
    ]
    return rows.filter(event__in=over).update(crop=None)


def read_picture(*, picture_id: UUID, clock: Callable[[], datetime]) -> bool:
    """Read a picture if it is due and no other worker does; whether it was.

    One that every try of reading breaks off is given up with a sentence.
    """
    row = SlipPicture.objects.claim(picture_id, clock())
    if row is None:
        return False
    event = Event.objects.select_related("club", "rule_set").get(pk=row.event_id)
    matcher = SlipMatcher(event)
    found: list[SlipReading | UnreadSlip] = []
    problems: list[str] = []
    if row.attempts > ATTEMPTS_MAX or row.original is None:
        problems.append(Message("This picture could not be read: every try was broken off."))
    else:
        try:
            readings = read_pictures(bytes(row.original), matcher.find_layout)
            found = list(islice(readings, PICTURE_SLIPS_MAX))
            if next(readings, None) is not None:
                words = Message(
                    "Only {most} slips of this picture were read; divide it.",
                    most=PICTURE_SLIPS_MAX,
                )
                problems.append(words)
        except UnreadablePictureError as error:
            problems.append(error.message)
    save_readings(row, matcher, found, problems, clock())
    return True


@transaction.atomic
def save_readings(
    row: SlipPicture,
    matcher: SlipMatcher,
    found: Sequence[SlipReading | UnreadSlip],
    problems: list[str],
    at: datetime,
) -> None:
    """Save the slips that were read of a picture, and delete the picture itself."""
    lock_event(row.event_id)
    unread = (reading for reading in found if isinstance(reading, UnreadSlip))
    problems += [_describe_unread(slip) for slip in unread if not _is_foreign(slip, matcher)]
    done = {"due_at": None, "attempts": 0, "original": None, "read_at": at, "problems": problems}
    if not row.update_leased(**done):
        return
    saved: list[Slip] = []
    for place, reading in enumerate(found):
        if Slip.objects.filter(event=matcher.event).count() >= SLIPS_MAX:
            words = Message(
                "Slips of this picture that were not kept: {count}; this night has {most}.",
                count=len(found) - place,
                most=SLIPS_MAX,
            )
            row.problems = [*problems, words]
            row.save(update_fields=["problems"])
            return
        code = reading.code
        if isinstance(reading, SlipReading):
            seats = DEFAULT_SEATS[reading.code.players]
            marks = {row_name(read.row, seats): read.marks for read in reading.rows}
            crop = reading.crop
            slip = save_slip(row, matcher, reading.code, marks, crop, at, in_picture=saved)
            saved += [] if slip is None else [slip]
        elif code is not None and _is_foreign(reading, matcher):
            save_slip(row, matcher, code, {}, None, at)


def _is_foreign(unread: UnreadSlip, matcher: SlipMatcher) -> bool:
    """Whether a slip was not read as it is not of this night."""
    return unread.code is not None and matcher.find_layout(unread.code) is None


def _describe_unread(unread: UnreadSlip) -> Message:
    """Say which slip was not read, as far as that is known, and why."""
    code = unread.code
    if code is not None and not code.is_blank:
        return Message(
            "Round {round}, table {table}, hand {hand}: {why}",
            round=code.round,
            table=code.number,
            hand=code.hand,
            why=unread.reason,
        )
    if unread.page > 1:
        return Message("Page {page}: {why}", page=unread.page, why=unread.reason)
    return unread.reason
