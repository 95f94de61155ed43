"""Recognition of score slips: pictures and layouts in, readings out.

Pure: the same bytes give the same readings. `sheets` finds the slips of a picture and straightens
them, `circles` samples their circles, and `judging` says of each whether it is marked, empty or
unsure. Nothing is guessed: a circle that is neither clearly marked nor clearly empty is unsure.
`interpretation` says what marks mean.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Final, NamedTuple

from PIL import Image

from engine.core.messages import Message
from scoring.slips.circles import FAINT_RING, quantile, sample_circles
from scoring.slips.codes import Corner, SlipCode
from scoring.slips.judging import judge_circles
from scoring.slips.layout import CircleMark, Mark, SlipLayout, SlipRow
from scoring.slips.pictures import PAGES_MAX, Page, open_pages
from scoring.slips.sheets import (
    CODES_MAX,
    TooManyCodesError,
    find_codes,
    known_code,
    pair_codes,
    reading_order,
    straighten,
)

CROP_BYTES_MAX: Final = 60_000
RING_MIN: Final = 0.07
"""The darkness of the line of a circle that is where it should be, and sharp enough."""


class RowReading(NamedTuple):
    """A row with the marks of its circles, by their values."""

    row: SlipRow
    marks: Mapping[str, CircleMark]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipReading:
    """A slip that was read, on a ``page`` (from 1) of a file.

    ``crop`` is a grey JPEG of the straightened slip, `SCALE` pixels a millimetre.
    """

    code: SlipCode
    page: int
    rows: tuple[RowReading, ...]
    crop: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadSlip:
    """A slip, or a whole page, that was not read, and why; the code is None where none was."""

    page: int
    reason: Message
    code: SlipCode | None = None


def read_pictures(
    data: bytes,
    layout_of: Callable[[SlipCode], SlipLayout | None],
    pages_max: int = PAGES_MAX,
) -> Iterator[SlipReading | UnreadSlip]:
    """Read the slips in a file, page by page and from the top; a page without any says so.

    ``layout_of`` gives the layout of a code, or None for a slip of something else, which is given
    back unread. Raises UnreadablePictureError where the file cannot be read at all.
    """
    for page in open_pages(data, pages_max):
        if isinstance(page, Page):
            yield from _read_page(page, layout_of)
        else:
            number, error = page
            yield UnreadSlip(page=number, reason=error.message)


def _read_page(
    page: Page, layout_of: Callable[[SlipCode], SlipLayout | None]
) -> Iterator[SlipReading | UnreadSlip]:
    try:
        picture, codes, refused = find_codes(page, layout_of)
    except TooManyCodesError:
        words = Message("The picture has more than {most} codes.", most=CODES_MAX)
        yield UnreadSlip(page=page.number, reason=words)
        return
    yield from (UnreadSlip(page=page.number, reason=words) for words in sorted(refused))
    if not codes and not refused:
        words = Message("No slip was found here: both its codes must be in the picture, and sharp.")
        yield UnreadSlip(page=page.number, reason=words)
    for pair in sorted(pair_codes(codes, layout_of), key=reading_order):
        first, last = pair
        code = known_code(pair).code.at(Corner.FIRST)
        layout = layout_of(code)
        if layout is None:
            words = Message("This slip is of another night, or of rules that have changed.")
            yield UnreadSlip(page=page.number, reason=words, code=code)
        elif first is None or last is None:
            words = Message("One corner of this slip is missing, or its code cannot be read.")
            yield UnreadSlip(page=page.number, reason=words, code=code)
        else:
            straight = straighten(picture, layout, first.corners, last.corners)
            rows = read_marks(straight, layout)
            if rows is None:
                words = Message("This slip is folded, covered or too blurred to be read.")
                yield UnreadSlip(page=page.number, reason=words, code=code)
            else:
                crop = _compress(straight)
                yield SlipReading(code=code, page=page.number, rows=rows, crop=crop)


def _compress(straight: Image.Image) -> bytes:
    data = BytesIO()
    for quality in (70, 55, 40, 30, 20, 10):
        data = BytesIO()
        straight.save(data, "JPEG", quality=quality)
        if data.tell() <= CROP_BYTES_MAX:
            break
    return data.getvalue()


def read_marks(straight: Image.Image, layout: SlipLayout) -> tuple[RowReading, ...] | None:
    """Read the marks of a straightened slip; None where its circles are not in their places."""
    samples = sample_circles(straight, layout)
    rings = [sample.ring for line in samples for sample in line]
    if quantile(rings, 0.2) < RING_MIN:
        return None
    least = quantile(rings, 0.5) * FAINT_RING
    marks = judge_circles(layout.rows, samples)
    rows = []
    for row, line, found in zip(layout.rows, samples, marks, strict=True):
        circles = {
            circle.value: CircleMark(
                Mark.UNSURE if sample.ring < least else mark,
                max(0, round(1000 * sample.darkness)),
            )
            for circle, sample, mark in zip(row.circles, line, found, strict=True)
        }
        rows.append(RowReading(row, circles))
    return tuple(rows)
