"""Pictures of score slips: files of cameras and scanners, opened in bounded time and memory.

Every page becomes shades of grey, upright; what else a file tells (place, time, camera) is dropped.
"""

import json
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageOps, UnidentifiedImageError

from engine.core.messages import Message, MessageError

BYTES_MAX: Final = 40 * 1024 * 1024
PAGES_MAX: Final = 60
"""Of a TIFF or PDF file: what a worker reads in a third of the time that it has."""
PIXELS_MAX: Final = 64_000_000
"""Of a JPEG, which is decoded at a fraction of its size."""
WHOLE_PIXELS_MAX: Final = 26_000_000
"""Of what is decoded whole: other formats, and JPEG that comes in several passes."""
COARSE_SIDE: Final = 1600
"""Pixels that the longer side has at least, where the file has them, for the first look."""
_FINE_SIDE: Final = 3200
"""The longer side of a PDF page at the second look."""
_FORMATS: Final = ("JPEG", "PNG", "WEBP", "TIFF")
_BROKEN: Final = (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError)
_DAMAGED: Final = Message("The picture is damaged: it cannot be read to its end.")
_PDF_PROBLEMS: Final = {
    "document": Message("The PDF file is damaged, or needs a password."),
    "damaged": _DAMAGED,
    "objects": Message("The page is no scan: it has drawings."),
    "pixels": Message("The pictures on this page have too many pixels; scan it with fewer."),
}


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


def open_pages(
    data: bytes, pages_max: int = PAGES_MAX
) -> Iterator[Page | tuple[int, UnreadablePictureError]]:
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
    open_file = _open_pdf if b"%PDF-" in data[:1024] else _open_picture
    yield from open_file(data, pages_max)


def _open_picture(
    data: bytes, pages_max: int
) -> Iterator[Page | tuple[int, UnreadablePictureError]]:
    try:
        with _quietly(), Image.open(BytesIO(data), formats=_FORMATS) as picture:
            count = _count_frames(picture, pages_max) if picture.format == "TIFF" else 1
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


def _count_frames(picture: Image.Image, most: int) -> int:
    """The frames of a file, of which no more are looked for than are read."""
    for number in range(most + 1):
        try:
            picture.seek(number)
        except EOFError:
            return number
    raise _too_many_pages(most)


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


def _open_pdf(data: bytes, pages_max: int) -> Iterator[Page | tuple[int, UnreadablePictureError]]:
    with _PdfProcess(data) as process:
        if process.count > pages_max:
            raise _too_many_pages(pages_max)
        for number in range(process.count):
            try:
                coarse = process.draw(number, COARSE_SIDE)
            except UnreadablePictureError as error:
                yield number + 1, error
                if process.is_over:
                    return
            else:
                yield Page(number + 1, coarse, partial(_look_closer, process, number))


def _look_closer(process: "_PdfProcess", number: int) -> Image.Image | None:
    """A page again with more pixels; None where drawing so many of them takes too much."""
    try:
        return process.draw(number, _FINE_SIDE)
    except UnreadablePictureError:
        return None


class _PdfProcess:
    """A process of its own that draws the pages of a PDF file (`scoring.slips.pdf_process`).

    ``count`` pages; ``is_over`` once it was ended, as it needed too much time or memory.
    """

    def __init__(self, data: bytes) -> None:
        self.is_over = False
        self._process = subprocess.Popen(  # noqa: S603 (our own command, no shell)
            [sys.executable, "-P", str(Path(__file__).with_name("pdf_process.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
        )
        try:
            self.count: int = self._ask(b"%d\n" % len(data) + data)["count"]
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> "_PdfProcess":
        return self

    def __exit__(self, *_error: object) -> None:
        self._close()

    def draw(self, number: int, side: int) -> Image.Image:
        """Draw a page (from 0), ``side`` pixels long. Raises UnreadablePictureError."""
        width, height = self._ask(b"%d %d\n" % (number, side))["size"]
        assert self._process.stdout is not None
        pixels = self._process.stdout.read(width * height)
        if len(pixels) < width * height:
            raise self._end()
        return Image.frombytes("L", (width, height), pixels)

    def _ask(self, question: bytes) -> dict[str, Any]:
        source, target = self._process.stdout, self._process.stdin
        assert source is not None
        assert target is not None
        if self.is_over:
            raise self._end()
        try:
            target.write(question)
            target.flush()
            line = source.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            raise self._end()
        answer: dict[str, Any] = json.loads(line)
        if "problem" in answer:
            raise UnreadablePictureError(_PDF_PROBLEMS[answer["problem"]])
        return answer

    def _end(self) -> UnreadablePictureError:
        self.is_over = True
        return UnreadablePictureError(
            Message(
                "Drawing this page takes too long or too much memory; it and those after it were "
                "not read. Send them as JPEG or PNG."
            )
        )

    def _close(self) -> None:
        self._process.kill()
        self._process.communicate()


def _too_many_pages(most: int) -> UnreadablePictureError:
    return UnreadablePictureError(
        Message("The file has more than {most} pages; divide it.", most=most)
    )


def _check_size(width: int, height: int, most: int) -> None:
    if width * height > most:
        words = Message(
            "The picture has {width} x {height} pixels; make it smaller first.",
            width=width,
            height=height,
        )
        raise UnreadablePictureError(words)
