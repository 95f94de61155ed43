"""Reading pictures of slips: by a worker, and by the command; the picture itself is not kept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from PIL import Image, ImageDraw

from benchmarks.slip_photos import PRINT_SCALE, print_blanks
from engine.core.seats import DEFAULT_SEATS
from scoring.jobs import tasks
from scoring.jobs.kinds import WORK
from scoring.management.commands import slips
from scoring.models import Game, Hand, Slip, SlipPicture, SlipState
from scoring.settlement.plan import rules_of
from scoring.slips import intake
from scoring.slips.codes import SlipCode
from scoring.slips.intake import find_progress, take_pictures
from scoring.slips.interpretation import row_name
from scoring.slips.layout import RADIUS
from scoring.slips.printing import PrintedSlip
from scoring.slips.review import list_slips
from tests.scoring.club import DIRECTOR, at
from tests.scoring.slips.marking import code_at
from tests.tournaments.night import draw, make_event, make_night, start
from tournaments.models import ATTEMPTS_MAX, LEASE, Event

SECOND = timedelta(seconds=1)
pytestmark = pytest.mark.django_db

HAND = {
    "bidder": "1",
    "bid": "3",
    "pain": "H",
    "taken N": "5",
    "taken E": "4",
    "taken S": "2",
    "taken W": "2",
}
JACKPOT = {"pain": "C", "taken N": "0", "taken E": "9", "taken S": "2", "taken W": "2"}
Marked = tuple[SlipCode, Mapping[str, str]]


@pytest.fixture
def game() -> Game:
    event = make_night(4)
    draw(event)
    return start(event, 1)[0]


def event_of(game: Game) -> Event:
    assert game.table is not None
    return game.table.round.event


def photo(game: Game, slips: Sequence[Marked]) -> bytes:
    """Slips that lie below each other on a scanner, with filled circles, as JPEG."""
    rules = rules_of(game)
    printed = [PrintedSlip(code=code, rules=rules, game="Auction Hearts") for code, _ in slips]
    seats, pictures = DEFAULT_SEATS[game.players], []
    for slip, blank, (_, marked) in zip(printed, print_blanks(printed), slips, strict=True):
        picture = blank.copy()
        pen = ImageDraw.Draw(picture)
        for row in slip.layout.rows:
            for circle in row.circles:
                if circle.value in marked.get(row_name(row, seats), "").split("|"):
                    x, y, r = (one * PRINT_SCALE for one in (circle.x, circle.y, 0.75 * RADIUS))
                    pen.ellipse((x - r, y - r, x + r, y + r), fill=60)
        pictures.append(picture.reduce(2))
    sheet = Image.new("L", (pictures[0].width + 80, sum(one.height + 40 for one in pictures)), 210)
    for place, picture in enumerate(pictures):
        sheet.paste(picture, (40, place * (picture.height + 40) + 20))
    data = BytesIO()
    sheet.save(data, "JPEG", quality=85)
    return data.getvalue()


def take(game: Game, *files: bytes) -> list[SlipPicture]:
    return take_pictures(event_id=event_of(game).pk, files=files, by=DIRECTOR, at=at())


def work() -> None:
    """Read the pictures that are due."""
    for name, _since in WORK["slip picture"].due(timezone.now() + LEASE, 100):
        tasks.run(kind="slip picture", name=name)


def test_a_worker_reads_the_slips_of_a_photo_and_lets_go_of_it(game: Game) -> None:
    take(game, photo(game, [(code_at(game, 1), HAND), (code_at(game, 2), JACKPOT)]))
    assert WORK["slip picture"].count(timezone.now()) == 1
    work()
    assert WORK["slip picture"].count(timezone.now()) == 0
    picture = SlipPicture.objects.get()
    assert (picture.original, picture.problems) == (None, [])
    assert find_progress(event_of(game)).is_done
    views = list_slips(event_of(game))
    assert [(view.slip.number, view.is_clean) for view in views] == [(1, True), (2, True)]
    assert all(bytes(slip.crop or b"").startswith(b"\xff\xd8") for slip in Slip.objects.all())


def test_two_marks_in_a_photo_are_a_question(game: Game) -> None:
    take(game, photo(game, [(code_at(game, 1), HAND | {"taken W": "2|3"})]))
    work()
    (view,) = list_slips(event_of(game))
    assert [asked.rows for asked in view.questions] == [("taken W",)]


def test_two_slips_of_one_picture_are_never_one_paper(game: Game) -> None:
    blank = replace(code_at(game, 1), table=0, number=0, hand=0)
    data = photo(game, [(blank, HAND | {"table": "1"})] * 2)
    take(game, data)
    work()
    assert Slip.objects.count() == 2
    SlipPicture.objects.update(original=data, read_at=None, due_at=at())
    work()
    assert Slip.objects.count() == 2


def test_a_slip_of_another_night_is_told_apart_in_a_photo(game: Game) -> None:
    other = make_event(game.club, rule_set=event_of(game).rule_set, name="Cup")
    picture = photo(game, [(code_at(game, 1), HAND)])
    take_pictures(event_id=other.pk, files=[picture], by=DIRECTOR, at=at())
    work()
    slip = Slip.objects.get()
    assert (slip.event, slip.state, slip.crop) == (other, SlipState.FOREIGN, None)
    assert "League night" in slip.reason


@pytest.mark.parametrize("data", [b"no picture", b"\x00\x00\x00\x18ftypheic", b"\xff\xd8\xff"])
def test_what_is_no_picture_says_so_and_stops_nothing(game: Game, data: bytes) -> None:
    take(game, data, photo(game, [(code_at(game, 1), HAND)]))
    work()
    problems = [row.problems for row in SlipPicture.objects.order_by("pk")]
    assert [bool(one) for one in problems] == [True, False]
    assert Slip.objects.count() == 1
    assert not SlipPicture.objects.filter(original__isnull=False).exists()


def test_a_picture_that_breaks_every_try_is_put_aside(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(intake, "read_pictures", fail)
    take(game, b"a bomb")
    moments = [timezone.now() + time * (LEASE + SECOND) for time in range(ATTEMPTS_MAX + 1)]
    key = SlipPicture.objects.get().pk
    for _time in range(ATTEMPTS_MAX):
        with pytest.raises(MemoryError):
            intake.read_picture(picture_id=key, clock=partial(moments.pop, 0))
    intake.read_picture(picture_id=key, clock=lambda: moments[0])
    picture = SlipPicture.objects.get()
    assert picture.problems == ["This picture could not be read: every try was broken off."]
    assert (picture.original, picture.due_at) == (None, None)


def command(*arguments: str) -> tuple[int, str]:
    """Run the command; its exit status and its lines."""
    out = StringIO()
    try:
        call_command("slips", *arguments, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def test_the_command_says_what_was_read_and_enters_what_is_clean(
    game: Game, tmp_path: Path
) -> None:
    asked = {**JACKPOT, "taken W": "2|3"}
    path = tmp_path / "pile.jpg"
    path.write_bytes(photo(game, [(code_at(game, 1), HAND), (code_at(game, 2), asked)]))
    event = str(event_of(game).pk)
    status, lines = command(str(path), "--event", event)
    assert status == 1
    assert "round 1, table 1, hand 1: " in lines
    assert "cards taken: 2 and 3 are marked." in lines
    assert not Hand.objects.exists()
    status, lines = command(str(path), "--event", event, "--accept-clean")
    assert status == 1
    assert "hand 1: accepted" in lines
    assert [hand.number for hand in Hand.objects.all()] == [1]


def test_a_picture_has_only_so_many_slips(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "PICTURE_SLIPS_MAX", 1)
    take(game, photo(game, [(code_at(game, 1), HAND), (code_at(game, 2), JACKPOT)]))
    work()
    assert Slip.objects.count() == 1
    assert SlipPicture.objects.get().problems == [
        "Only 1 slips of this picture were read; divide it."
    ]


def test_the_command_waits_for_a_worker_that_reads_the_same_picture(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "slip.jpg"
    path.write_bytes(photo(game, [(code_at(game, 1), HAND)]))
    (picture,) = take(game, path.read_bytes())
    SlipPicture.objects.update(due_at=timezone.now() + LEASE)

    def finish(_seconds: float) -> None:
        SlipPicture.objects.update(due_at=timezone.now())
        assert intake.read_picture(picture_id=picture.pk, clock=timezone.now)

    monkeypatch.setattr(slips, "sleep", finish)
    status, lines = command(str(path), "--event", str(event_of(game).pk), "--accept-clean")
    assert (status, "hand 1: accepted" in lines) == (0, True)


def test_the_command_is_content_where_nothing_is_left_to_ask(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "slip.jpg"
    path.write_bytes(photo(game, [(code_at(game, 1), HAND)]))
    assert command(str(path), "--event", str(event_of(game).pk), "--accept-clean")[0] == 0
    assert Slip.objects.get().state == SlipState.ACCEPTED


def test_the_command_names_the_file_that_it_cannot_read(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "letter.jpg"
    event = str(event_of(game).pk)
    assert command(str(path), "--event", event)[0] == 2
    path.write_bytes(b"no picture")
    status, lines = command(str(path), "--event", event)
    assert (status, lines.partition(":")[0]) == (1, "letter.jpg")
