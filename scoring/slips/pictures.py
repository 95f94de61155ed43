"""Pictures of score slips: files of cameras and scanners, opened in bounded time and memory.

Every page becomes shades of grey, upright; what else a file tells (place, time, camera) is dropped.
"""

import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Final

import pypdfium2
from PIL import Image, ImageOps, UnidentifiedImageError

from engine.core.messages import Message, MessageError

BYTES_MAX: Final = 40 * 1024 * 1024
PAGES_MAX: Final = 200
"""Of a TIFF or PDF file: a scanner's pile of one night."""
PIXELS_MAX: Final = 64_000_000
"""Of a JPEG, which is decoded at a fraction of its size."""
WHOLE_PIXELS_MAX: Final = 26_000_000
"""Of what is decoded whole: other formats, JPEG that comes in several passes, pictures in PDF."""
OBJECTS_MAX: Final = 20_000
"""Of a PDF page: drawings of millions of lines are no slips."""
COARSE_SIDE: Final = 1600
"""Pixels that the longer side has at least, where the file has them, for the first look."""
_FINE_SIDE: Final = 3200
"""The longer side of a PDF page at the second look."""
_FORMATS: Final = ("JPEG", "PNG", "WEBP", "TIFF")
_BROKEN: Final = (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError)
_DAMAGED: Final = Message("The picture is damaged: it cannot be read to its end.")
_PDFIUM: Final = threading.Lock()
"""The library that draws PDF pages works for one thread at a time."""


class UnreadablePictureError(MessageError):
    """A file, or a page of it, that is no picture, is damaged, or is too large."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: in grey as the first look needs it, and again with all its pixels.

    ``look_closer`` gives the page with more pixels, or None where there are no more.
    """

    number: int
    coarse: Image.Image
    look_closer: Callable[[], Image.Image | None]


def open_pages(data: bytes) -> Iterator[Page | tuple[int, UnreadablePictureError]]:
    """Open the pages of a file one by one; a damaged page among others is given as its error.

    Raises UnreadablePictureError where the whole file cannot be read.
    """
    if len(data) > BYTES_MAX:
        raise UnreadablePictureError(
            Message("The file has more than {mib} MiB.", mib=BYTES_MAX // 1024 // 1024)
        )
    if data[4:8] == b"ftyp":
        raise UnreadablePictureError(
            Message(
                "Pictures in the format HEIC cannot be read here. Send it as JPEG: on an iPhone, "
                "Settings, Camera, Formats, Most Compatible."
            )
        )
    pages = _open_pdf(data) if b"%PDF-" in data[:1024] else _open_picture(data)
    yield from pages


def _open_picture(data: bytes) -> Iterator[Page | tuple[int, UnreadablePictureError]]:
    try:
        with _quietly(), Image.open(BytesIO(data), formats=_FORMATS) as picture:
            count = _count_frames(picture) if picture.format == "TIFF" else 1
    except UnreadablePictureError:
        raise
    except UnidentifiedImageError as error:
        raise UnreadablePictureError(
            Message("This is no picture that we can read; save it as JPEG, PNG or PDF.")
        ) from error
    except _BROKEN as error:
        raise UnreadablePictureError(_DAMAGED) from error
    for number in range(count):
        try:
            page = _open_frame(data, number)
        except UnreadablePictureError as error:
            if count == 1:
                raise
            yield number + 1, error
        else:
            yield page


def _quietly() -> "warnings.catch_warnings[None]":
    """Sizes are compared here, before any pixel is decoded."""
    return warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning)


def _count_frames(picture: Image.Image) -> int:
    """The frames of a file, of which no more are looked for than are read."""
    for number in range(PAGES_MAX + 1):
        try:
            picture.seek(number)
        except EOFError:
            return number
    raise UnreadablePictureError(
        Message("The file has more than {most} pages; divide it.", most=PAGES_MAX)
    )


def _open_frame(data: bytes, frame: int) -> Page:
    coarse, is_whole = _decode(data, frame, COARSE_SIDE)
    factor = max(coarse.size) // COARSE_SIDE
    if is_whole and factor > 1:
        return Page(frame + 1, coarse.reduce(factor), lambda: coarse)
    return Page(frame + 1, coarse, lambda: None if is_whole else _decode(data, frame, 1 << 20)[0])


def _decode(data: bytes, frame: int, side: int) -> tuple[Image.Image, bool]:
    """A frame in grey, whose longer side has so many pixels or more; whether these are all."""
    try:
        with _quietly(), Image.open(BytesIO(data), formats=_FORMATS) as picture:
            if frame:
                picture.seek(frame)
            width, height = picture.size
            is_scaled = picture.format in ("JPEG", "MPO") and "progressive" not in picture.info
            _check_size(width, height, PIXELS_MAX if is_scaled else WHOLE_PIXELS_MAX)
            scale = side / max(width, height)
            picture.draft("L", (int(width * scale), int(height * scale)))
            grey = _to_grey(picture)
            orientation = picture.getexif().get(0x0112, 1)
            is_whole = grey.size == (width, height)
    except UnreadablePictureError:
        raise
    except _BROKEN as error:
        raise UnreadablePictureError(_DAMAGED) from error
    turned = Image.new("L", grey.size)
    turned.paste(grey)
    if orientation != 1:
        turned.getexif()[0x0112] = orientation
        turned = ImageOps.exif_transpose(turned)
    return turned, is_whole


def _to_grey(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith("I;16"):
        return picture.point(lambda value: value / 256, "L")
    if picture.has_transparency_data:
        paper = Image.new("LA", picture.size, (255, 255))
        paper.alpha_composite(picture.convert("LA"))
        return paper.convert("L")
    return picture.convert("L")


def _open_pdf(data: bytes) -> Iterator[Page | tuple[int, UnreadablePictureError]]:
    with _PDFIUM:
        try:
            document = pypdfium2.PdfDocument(data)
            count = len(document)
        except pypdfium2.PdfiumError as error:
            raise UnreadablePictureError(
                Message("The PDF file is damaged, or needs a password.")
            ) from error
    try:
        if count > PAGES_MAX:
            raise UnreadablePictureError(
                Message("The file has more than {most} pages; divide it.", most=PAGES_MAX)
            )
        for number in range(count):
            try:
                coarse = _draw_page(document, number, COARSE_SIDE)
            except UnreadablePictureError as error:
                yield number + 1, error
            else:
                yield Page(number + 1, coarse, partial(_draw_page, document, number, _FINE_SIDE))
    finally:
        with _PDFIUM:
            document.close()


def _draw_page(document: pypdfium2.PdfDocument, number: int, side: int) -> Image.Image:
    with _PDFIUM:
        try:
            page = document[number]
            width, height = page.get_size()
            for place, item in enumerate(page.get_objects(max_depth=4)):
                if place >= OBJECTS_MAX:
                    raise UnreadablePictureError(Message("The page is no scan: it has drawings."))
                if isinstance(item, pypdfium2.PdfImage):
                    wide, high = item.get_px_size()
                    _check_size(wide, high, WHOLE_PIXELS_MAX)
            if not 0 < min(width, height) <= max(width, height) < 20 * min(width, height):
                raise UnreadablePictureError(_DAMAGED)
            bitmap = page.render(scale=side / max(width, height), grayscale=True)
            picture: Image.Image = bitmap.to_pil().convert("L").copy()
            bitmap.close()
            page.close()
        except pypdfium2.PdfiumError as error:
            raise UnreadablePictureError(_DAMAGED) from error
    return picture


def _check_size(width: int, height: int, most: int) -> None:
    if width * height > most:
        words = Message(
            "The picture has {width} x {height} pixels; make it smaller first.",
            width=width,
            height=height,
        )
        raise UnreadablePictureError(words)
