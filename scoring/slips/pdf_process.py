"""The process that draws the pages of one PDF file; `scoring.slips.pictures` starts and asks it.

A PDF file is a program, and the library that runs it cannot be stopped: here it has so much memory
and so much time of a processor for each page, and knows nothing of the service. It runs by itself
and imports nothing of ours.

In: the length of the file as a line, the file, and for each picture a line with the number of the
page (from 0) and the pixels of its longer side. Out: a line of JSON with ``count``, and for each
picture one with its ``size``, followed by its grey pixels, or with ``problem``.
"""

import contextlib
import json
import resource
import sys
from typing import Any, Final

import pypdfium2

MEMORY_MAX: Final = 768 * 1024 * 1024
"""Bytes of addresses: what a page of `PAGE_PIXELS_MAX` needs, twice."""
PAGE_SECONDS_MAX: Final = 5
FILE_SECONDS_MAX: Final = 25
"""Of a processor; a worker is stopped after 45 seconds."""
OBJECTS_MAX: Final = 20_000
"""Of a page: drawings of millions of lines are no slips."""
PAGE_PIXELS_MAX: Final = 52_000_000
"""Of all pictures on a page, each as often as it is drawn: two layers of a large scan."""
FILE_PIXELS_MAX: Final = 1_600_000_000
"""Of all pages that are drawn: those of a long scan, each looked at twice."""


class _PageError(Exception):
    """A page that is not drawn, and why in one word."""


def _count_pixels(page: pypdfium2.PdfPage, left: int) -> int:
    pixels = 0
    for place, item in enumerate(page.get_objects(max_depth=4)):
        if place >= OBJECTS_MAX:
            raise _PageError("objects")
        if isinstance(item, pypdfium2.PdfImage):
            width, height = item.get_px_size()
            pixels += width * height
    if pixels > min(left, PAGE_PIXELS_MAX):
        raise _PageError("pixels")
    return pixels


def _draw(page: pypdfium2.PdfPage, side: int) -> tuple[tuple[int, int], bytes]:
    width, height = page.get_size()
    if not 0 < min(width, height) <= max(width, height) < 20 * min(width, height):
        raise _PageError("damaged")
    bitmap = page.render(scale=side / max(width, height), grayscale=True)
    picture = bitmap.to_pil().convert("L")
    return picture.size, picture.tobytes()


def _limit_seconds() -> None:
    """Let the process work for so long from now on."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    until = int(usage.ru_utime + usage.ru_stime) + 1 + PAGE_SECONDS_MAX
    resource.setrlimit(resource.RLIMIT_CPU, (min(until, FILE_SECONDS_MAX), FILE_SECONDS_MAX))


def _answer(answer: dict[str, Any], pixels: bytes = b"") -> None:
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n" + pixels)
    sys.stdout.buffer.flush()


def main() -> None:
    """Open the file, and draw pages until nobody asks any more."""
    for limit, most in ((resource.RLIMIT_AS, MEMORY_MAX), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError):  # macOS has no limit of addresses
            resource.setrlimit(limit, (most, most))
    _limit_seconds()
    source = sys.stdin.buffer
    try:
        document = pypdfium2.PdfDocument(source.read(int(source.readline())))
        count = len(document)
    except pypdfium2.PdfiumError:
        _answer({"problem": "document"})
        return
    _answer({"count": count} if count else {"problem": "document"})
    left = FILE_PIXELS_MAX
    for line in source:
        number, side = map(int, line.split())
        _limit_seconds()
        try:
            page = document[number]
            left -= _count_pixels(page, left)
            size, pixels = _draw(page, side)
            page.close()
        except _PageError as error:
            _answer({"problem": str(error)})
        except (pypdfium2.PdfiumError, MemoryError):
            _answer({"problem": "damaged"})
        else:
            _answer({"size": size}, pixels)


if __name__ == "__main__":
    main()
