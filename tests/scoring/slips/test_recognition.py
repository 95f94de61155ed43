"""Slips are read from pictures: rightly, or with a question, or not at all and with the reason."""

import time
from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import count
from random import Random
from typing import Any

import pypdfium2
import pytest
import zxingcpp
from PIL import Image, ImageDraw
from PIL.Image import Transpose

from benchmarks.slip_photos import (
    PRINT_SCALE,
    TABLES,
    Camera,
    MarkedSlip,
    Outcome,
    compare,
    mark_slip,
    photograph,
    print_blanks,
    random_photo,
    read_photo,
)
from engine.rules.presets import PRESETS
from scoring.slips.codes import Corner, SlipCode, short_digest, write_code
from scoring.slips.layout import SCALE, Mark, SlipLayout, lay_out
from scoring.slips.pictures import PAGES_MAX, UnreadablePictureError
from scoring.slips.printing import PrintedSlip
from scoring.slips.recognition import (
    CROP_BYTES_MAX,
    SlipReading,
    UnreadSlip,
    read_pictures,
)
from scoring.slips.sheets import CODES_MAX

RULES = PRESETS["bicycle"]
LAYOUT = lay_out(RULES, 4)
CAMERA = Camera(width=1600, height=1200, turn=5, tilt=8, axis=30, blur=0.5, grain=2, quality=85)


def _code(hand: int = 1) -> SlipCode:
    return SlipCode(
        installation=1,
        event=2,
        players=4,
        rules=short_digest(RULES),
        table=3 if hand else 0,
        number=2 if hand else 0,
        hand=hand,
    )


def _slips(*hands: int, seed: str = "slips") -> list[MarkedSlip]:
    dice = Random(seed)
    printed = [PrintedSlip(code=_code(hand), rules=RULES, game="Auction") for hand in hands]
    return [
        mark_slip(slip.code, slip.layout, blank, dice)
        for slip, blank in zip(printed, print_blanks(printed), strict=True)
    ]


def _picture(slip: MarkedSlip) -> Image.Image:
    """The slip on a scanner."""
    return slip.picture.reduce(PRINT_SCALE // 6)


def _encode(picture: Image.Image, kind: str, **options: object) -> bytes:
    data = BytesIO()
    picture.save(data, kind, **options)
    return data.getvalue()


def _layout_of(code: SlipCode) -> SlipLayout | None:
    return lay_out(RULES, 4, is_blank=code.is_blank) if code.event == 2 else None


def _read(data: bytes) -> list[SlipReading | UnreadSlip]:
    return list(read_pictures(data, _layout_of))


def _reasons(readings: Sequence[SlipReading | UnreadSlip]) -> list[str]:
    return [reading.reason for reading in readings if isinstance(reading, UnreadSlip)]


@pytest.mark.parametrize("seed", range(4))
def test_a_photo_is_read_rightly_or_with_a_question(seed: int) -> None:
    photo = random_photo(seed, table=seed * 5)
    readings = read_photo(photo)
    outcomes = {compare(slip, readings) for slip in photo.slips}
    assert outcomes <= {Outcome.RIGHT, Outcome.ASKED}
    assert Outcome.RIGHT in outcomes


@pytest.mark.slow
def test_nothing_is_read_wrongly_without_a_question() -> None:
    outcomes = []
    for seed in range(80):
        photo = random_photo(f"slow {seed}", table=seed)
        readings = read_photo(photo)
        outcomes += [compare(slip, readings) for slip in photo.slips]
    assert outcomes.count(Outcome.WRONG) == 0
    assert outcomes.count(Outcome.RIGHT) >= 0.97 * len(outcomes)


@pytest.mark.parametrize(("name", "players"), TABLES[::4])
def test_an_empty_slip_has_no_mark(name: str, players: int) -> None:
    rules = PRESETS[name]
    code = SlipCode(installation=1, event=2, players=players, rules=short_digest(rules))
    slip = PrintedSlip(code=code, rules=rules, game=name)
    (blank,) = print_blanks([slip])
    data = _encode(blank.reduce(2), "PNG")
    (reading,) = read_pictures(data, lambda _code: slip.layout)
    assert isinstance(reading, SlipReading)
    marks = {mark.mark for _row, circles in reading.rows for mark in circles.values()}
    assert marks == {Mark.EMPTY}


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF", "JPEG"])
def test_every_format_of_pictures_is_read(kind: str) -> None:
    (slip,) = _slips(1)
    readings = _read(_encode(_picture(slip).convert("RGB"), kind))
    assert compare(slip, readings) is Outcome.RIGHT


@pytest.mark.parametrize("kind", ["TIFF", "PDF"])
def test_a_scan_of_several_pages_tells_the_page_of_each_slip(kind: str) -> None:
    slips = _slips(1, 2, 3)
    first, *others = [_picture(slip) for slip in slips]
    data = _encode(first, kind, save_all=True, append_images=others)
    readings = _read(data)
    assert [reading.page for reading in readings] == [1, 2, 3]
    assert [compare(slip, readings) for slip in slips] == [Outcome.RIGHT] * 3


def test_the_same_bytes_give_the_same_readings() -> None:
    data = random_photo("again", 2).data
    assert _read(data) == _read(data)


HELD = {
    1: (),
    2: (Transpose.FLIP_LEFT_RIGHT,),
    3: (Transpose.ROTATE_180,),
    4: (Transpose.FLIP_TOP_BOTTOM,),
    5: (Transpose.TRANSPOSE,),
    6: (Transpose.ROTATE_90,),
    7: (Transpose.TRANSVERSE,),
    8: (Transpose.ROTATE_270,),
}
"""By the number in the file, the pixels of a picture that is upright when they are turned back."""


@pytest.mark.parametrize("orientation", HELD)
def test_a_photo_is_read_however_the_camera_was_held(orientation: int) -> None:
    (slip,) = _slips(1)
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010F] = "Camera of Fay"
    held = _picture(slip)
    for turn in HELD[orientation]:
        held = held.transpose(turn)
    readings = _read(_encode(held, "JPEG", exif=exif))
    assert compare(slip, readings) is Outcome.RIGHT
    (reading,) = readings
    assert isinstance(reading, SlipReading)
    crop = Image.open(BytesIO(reading.crop))
    assert not crop.getexif()
    assert b"Fay" not in reading.crop


def test_the_crop_is_small_and_grey_and_its_pixels_are_places_of_the_layout() -> None:
    photo = photograph(_slips(1), CAMERA, Random(1))
    (reading,) = _read(photo.data)
    assert isinstance(reading, SlipReading)
    assert len(reading.crop) <= CROP_BYTES_MAX
    crop = Image.open(BytesIO(reading.crop))
    assert crop.mode == "L"
    assert crop.size == (round(LAYOUT.width * SCALE), round(LAYOUT.height * SCALE))
    found = {
        barcode.text: (barcode.position.top_left.x, barcode.position.top_left.y)
        for barcode in zxingcpp.read_barcodes(crop)
    }
    for place in LAYOUT.codes:
        x, y = found[write_code(_code().at(place.corner))]
        assert abs(x - place.x * SCALE) < 4
        assert abs(y - place.y * SCALE) < 4


@pytest.mark.parametrize("corner", Corner)
def test_a_slip_with_one_corner_covered_is_not_read_and_says_so(corner: Corner) -> None:
    (slip,) = _slips(1)
    picture = _picture(slip)
    place = LAYOUT.codes[corner]
    box = [6 * value for value in (place.x, place.y, place.x + place.side, place.y + place.side)]
    ImageDraw.Draw(picture).rectangle(box, fill=120)
    (reading,) = _read(_encode(picture, "PNG"))
    assert isinstance(reading, UnreadSlip)
    assert reading.code == _code()
    assert reading.reason.startswith("One corner of this slip is missing")


def test_a_slip_whose_circles_are_covered_is_not_read() -> None:
    (slip,) = _slips(1)
    picture = _picture(slip)
    ImageDraw.Draw(picture).rectangle((0, 6 * 24, picture.width, 6 * 80), fill=200)
    (reason,) = _reasons(_read(_encode(picture, "PNG")))
    assert reason == "This slip is folded, covered or too blurred to be read."


@pytest.mark.parametrize("shift", [(7, 1), (-7, 2), (2, 7), (9, -9), (14, 0)])
def test_circles_beside_their_places_are_found_or_asked_about(shift: tuple[int, int]) -> None:
    (slip,) = _slips(1)
    picture = _picture(slip)
    middle = picture.width // 2
    part = picture.crop((middle, 150, picture.width, 400))
    picture.paste(part, (middle + shift[0], 150 + shift[1]))
    readings = _read(_encode(picture, "PNG"))
    assert compare(slip, readings) is not Outcome.WRONG


def test_a_slip_of_something_else_is_given_back_with_its_code() -> None:
    photo = random_photo("other", 1)
    (reading,) = read_pictures(photo.data, lambda _code: None)
    assert isinstance(reading, UnreadSlip)
    assert reading.code == photo.slips[0].code


def test_a_picture_without_a_slip_says_so() -> None:
    (reason,) = _reasons(_read(_encode(Image.new("L", (900, 700), 180), "JPEG")))
    assert reason.startswith("No slip was found here")


def test_a_slip_of_another_version_is_told() -> None:
    picture = Image.new("L", (600, 600), 255)
    text = write_code(_code()).replace("PS1", "PS2")
    picture.paste(_draw_code(text, 300), (100, 100))
    (reason,) = _reasons(_read(_encode(picture, "PNG")))
    assert reason.startswith("This slip is of version 2")


def _draw_code(text: str, side: int) -> Image.Image:
    code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode)
    drawn: Any = zxingcpp.write_barcode_to_image(code)
    height, width = drawn.shape
    return Image.frombytes("L", (width, height), bytes(memoryview(drawn))).resize((side, side))


def test_blank_slips_that_are_alike_are_kept_apart() -> None:
    slips = _slips(0, 0, 0, 0)
    photo = photograph(slips, CAMERA, Random(2))
    readings = _read(photo.data)
    assert [type(reading) for reading in readings] == [SlipReading] * 4
    for slip, reading in zip(slips, readings, strict=True):
        assert compare(slip, [reading]) in (Outcome.RIGHT, Outcome.ASKED)


def test_slips_of_a_page_come_from_the_top_and_from_the_left() -> None:
    photo = photograph(_slips(3, 1, 4, 2), CAMERA, Random(3))
    hands = [reading.code and reading.code.hand for reading in _read(photo.data)]
    assert hands == [3, 1, 4, 2]


HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "a text": lambda: b"bid 4, diamonds" * 100,
    "HEIC": lambda: b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100),
    "half a JPEG": lambda: _encode(Image.effect_noise((900, 700), 60), "JPEG")[:20_000],
    "half a PNG": lambda: _encode(Image.effect_noise((900, 700), 60), "PNG")[:20_000],
    "the head of a PDF": lambda: b"%PDF-1.7\n",
    "100 megapixels": lambda: _encode(Image.new("1", (10_000, 10_000)), "PNG"),
    "100 megapixels as JPEG": lambda: _encode(Image.new("L", (10_000, 10_000)), "JPEG"),
    "a bomb": lambda: _encode(Image.new("1", (60_000, 60_000)), "PNG"),
    "too many pages": lambda: _encode(
        Image.new("1", (8, 8)),
        "TIFF",
        save_all=True,
        append_images=[Image.new("1", (8, 8))] * PAGES_MAX,
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_at_once(name: str) -> None:
    data = HOSTILE[name]()
    began = time.process_time()
    with pytest.raises(UnreadablePictureError) as caught:
        _read(data)
    assert caught.value.message
    assert time.process_time() - began < 2


def test_a_pdf_of_a_thousand_pages_is_refused() -> None:
    with pypdfium2.PdfDocument.new() as document:
        for _ in range(1000):
            document.new_page(300, 200)
        data = BytesIO()
        document.save(data)
    with pytest.raises(UnreadablePictureError, match="more than 60 pages"):
        _read(data.getvalue())


def _nested_pdf(levels: int) -> bytes:
    """A PDF of a page that draws one line, eight times more often with each level."""
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 400]/Contents 4 0 R"
        b"/Resources<</XObject<</X 5 0 R>>>>>>",
        b"<</Length 6>>stream\n/X Do \nendstream",
    ]
    for level in range(levels):
        is_last = level == levels - 1
        drawn = b"0 0 m 9 9 l S " if is_last else b"/X Do " * 8
        below = b"" if is_last else b"/Resources<</XObject<</X %d 0 R>>>>" % (level + 6)
        head = b"<</Type/XObject/Subtype/Form/BBox[0 0 600 400]%s/Length %d>>" % (below, len(drawn))
        parts.append(b"%sstream\n%s\nendstream" % (head, drawn))
    numbered = (b"%d 0 obj%s\nendobj\n" % (place, part) for place, part in enumerate(parts, 1))
    return b"%PDF-1.4\n" + b"".join(numbered) + b"trailer<</Root 1 0 R>>\n%%EOF"


def test_a_pdf_that_would_be_drawn_for_hours_is_broken_off() -> None:
    began = time.monotonic()
    (reason,) = _reasons(_read(_nested_pdf(12)))
    assert "takes too long" in str(reason)
    assert time.monotonic() - began < 30


def test_the_pictures_of_a_pdf_page_are_limited_in_sum() -> None:
    with pypdfium2.PdfDocument.new() as document:
        page = document.new_page(600, 400)
        picture = pypdfium2.PdfImage.new(document)
        picture.load_jpeg(BytesIO(_encode(Image.new("L", (4000, 3000), 255), "JPEG")))
        for place in range(5):
            copy = picture if place == 0 else pypdfium2.PdfImage.new(document)
            copy.set_bitmap(picture.get_bitmap()) if place else None
            copy.set_matrix(pypdfium2.PdfMatrix().scale(600, 400))
            page.insert_obj(copy)
        page.gen_content()
        data = BytesIO()
        document.save(data)
    (reason,) = _reasons(_read(data.getvalue()))
    assert "too many pixels" in str(reason)


def test_a_damaged_page_does_not_keep_the_others_from_being_read() -> None:
    slips = _slips(1, 2)
    pages = [_picture(slip) for slip in slips]
    pages.insert(1, Image.new("1", (9000, 9000)))
    readings = _read(_encode(pages[0], "TIFF", save_all=True, append_images=pages[1:]))
    assert [reading.page for reading in readings] == [1, 2, 3]
    assert "9000 x 9000 pixels" in str(_reasons(readings)[0])


def test_a_picture_full_of_codes_is_refused() -> None:
    picture = Image.new("L", (2400, 2600), 255)
    numbers = count()
    for left in range(0, 2400, 75):
        for top in range(0, 2400, 75):
            picture.paste(_draw_code(f"{next(numbers)}", 70), (left, top))
    began = time.process_time()
    (reason,) = _reasons(_read(_encode(picture, "PNG")))
    assert reason == f"The picture has more than {CODES_MAX} codes."
    assert time.process_time() - began < 10
