"""Pictures of clubs: what is served is made from the pixels of what was uploaded, and small."""

from io import BytesIO

import pytest
from PIL import Image

from tests.scoring.club import DIRECTOR, at, make_club
from tournaments.core.errors import RefusedError
from tournaments.models import AuditEntry, ClubPicture
from tournaments.people import club_pictures

EXIF_ORIENTATION, EXIF_MAKER = 0x0112, 0x010F
TURNED_RIGHT = 6


def picture_file(
    size: tuple[int, int] = (640, 480), form: str = "JPEG", **options: object
) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, (30, 90, 73)).save(file, form, **options)
    return file.getvalue()


def read(data: bytes) -> Image.Image:
    return club_pictures.read_picture(BytesIO(data), len(data))


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_pictures_of_usual_formats_are_read(form: str) -> None:
    assert read(picture_file(form=form)).size == (640, 480)


def test_a_large_picture_becomes_smaller_and_keeps_its_shape() -> None:
    assert read(picture_file((4000, 3000))).size == (1067, 800)


def test_a_picture_that_a_camera_turned_stands_upright() -> None:
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = TURNED_RIGHT
    assert read(picture_file(exif=exif)).size == (480, 640)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "no picture"),
        (b"GIF89a" + bytes(100), "no picture"),
        (picture_file()[:300], "no picture"),
        (picture_file((150, 640)), "at least 200 pixels"),
        (picture_file((10_000, 4_001), "PNG"), "make it smaller"),
    ],
    ids=["empty", "svg", "gif", "cut off", "narrow", "too many pixels"],
)
def test_what_is_no_fitting_picture_is_refused_with_a_reason(data: bytes, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        read(data)


def test_a_file_that_is_too_long_is_not_even_read() -> None:
    with pytest.raises(RefusedError, match="MiB"):
        club_pictures.read_picture(BytesIO(), club_pictures.BYTES_MAX + 1)


@pytest.mark.django_db
def test_what_is_stored_has_the_pixels_alone_and_replaces_what_was_there() -> None:
    club = make_club()
    exif = Image.Exif()
    exif[EXIF_MAKER] = "Camera of Nora Adams"
    for size in ((640, 480), (300, 300)):
        club_pictures.change_picture(
            club_id=club.pk, picture=read(picture_file(size, exif=exif)), by=DIRECTOR, at=at()
        )
    row = ClubPicture.objects.get()
    image = bytes(row.image)
    assert (row.width, row.height) == (300, 300)
    assert image[:4] + image[8:12] == b"RIFFWEBP"
    assert b"Nora" not in image
    assert not Image.open(BytesIO(image)).getexif()
    club_pictures.remove_picture(club_id=club.pk, by=DIRECTOR, at=at())
    assert not ClubPicture.objects.exists()
    told = AuditEntry.objects.filter(club_id=club.pk, what__startswith="picture of the club")
    assert told.count() == 3
