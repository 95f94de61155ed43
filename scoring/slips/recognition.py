"""Recognition of score slips: pictures and layouts in, readings out.

Pure: the same bytes give the same readings. Two codes at opposite corners tell which slip it is and
how it lies; the slip is straightened, and each circle is marked, empty or unsure by how dark it is
against the paper around it and against the circles that look alike. Nothing is guessed: a circle
that is neither clearly marked nor clearly empty is unsure. `interpretation` says what marks mean.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from math import hypot
from typing import Final, NamedTuple

import zxingcpp
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from engine.core.messages import Message
from scoring.slips.codes import Corner, OtherCodeError, SlipCode, SlipCodeError, read_code
from scoring.slips.layout import (
    RADIUS,
    SCALE,
    CircleMark,
    CodePlace,
    Mark,
    RowKey,
    SlipLayout,
    SlipRow,
)
from scoring.slips.pictures import PAGES_MAX, Page, open_pages
from scoring.slips.printing import DARK, FAINT, LIGHT, WORDED, words_of
from tournaments.tables import lettering

CROP_BYTES_MAX: Final = 60_000
CODES_MAX: Final = 60
"""In one picture; of a hundred slips none is large enough to be read."""
_CODE_SIDE_MIN: Final = 95
"""Pixels of a code's side below which a picture may have codes that the first look misses."""
_SHARPENED_MAX: Final = 6_000_000
"""Pixels of a picture that is enlarged for the last look."""

Point = tuple[float, float]
Projection = Sequence[float]
"""Eight numbers: what `PIL.Image.Image.transform` calls the data of a perspective."""


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


@dataclass(frozen=True, slots=True)
class _FoundCode:
    """A code in a picture: its corners from the upper left one clockwise, in pixels."""

    code: SlipCode
    corners: tuple[Point, ...]

    @property
    def middle(self) -> Point:
        return (
            sum(x for x, _ in self.corners) / 4,
            sum(y for _, y in self.corners) / 4,
        )

    @property
    def side(self) -> float:
        first, _, opposite, _ = self.corners
        return hypot(first[0] - opposite[0], first[1] - opposite[1]) / 2**0.5


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
        picture, codes, refused = _find_codes(page, layout_of)
    except _TooManyCodesError:
        words = Message("The picture has more than {most} codes.", most=CODES_MAX)
        yield UnreadSlip(page=page.number, reason=words)
        return
    yield from (UnreadSlip(page=page.number, reason=words) for words in sorted(refused))
    if not codes and not refused:
        words = Message("No slip was found here: both its codes must be in the picture, and sharp.")
        yield UnreadSlip(page=page.number, reason=words)
    for pair in sorted(_pair(codes, layout_of), key=_place_of):
        first, last = pair
        code = _known(pair).code.at(Corner.FIRST)
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


class _TooManyCodesError(Exception):
    """A picture full of codes."""


def _find_codes(
    page: Page, layout_of: Callable[[SlipCode], SlipLayout | None]
) -> tuple[Image.Image, list[_FoundCode], set[Message]]:
    """Find the codes of slips; give them with the picture that they are in, and what is refused.

    The first look is at few pixels. Where a code is alone or small, or there is none, the second is
    at all pixels, the third at twice as many, sharpened.
    """
    picture = page.coarse
    refused: set[Message] = set()
    codes = _decode(picture, 1, refused)
    if _are_all(codes, layout_of):
        return picture, codes, refused
    finer = page.look_closer()
    if finer is not None:
        scale = finer.width / picture.width
        codes = [
            _FoundCode(each.code, tuple((x * scale, y * scale) for x, y in each.corners))
            for each in codes
        ]
        picture = finer
        _add(codes, _decode(picture, 1, refused))
        if _are_all(codes, layout_of):
            return picture, codes, refused
    if picture.width * picture.height <= _SHARPENED_MAX:
        sharp = picture.filter(_SHARPEN).resize((picture.width * 2, picture.height * 2), _SMOOTH)
        _add(codes, _decode(sharp, 2, refused))
    for pair in _pair(codes, layout_of):
        known = _known(pair)
        layout = layout_of(known.code)
        if layout is not None and None in pair:
            _add(codes, _look_beside(picture, known, layout, refused))
    return picture, codes, refused


_QR_CODES: Final = zxingcpp.barcode_formats_from_str("QRCode")
_SHARPEN: Final = ImageFilter.UnsharpMask(1.5, 200, 0)
_SMOOTH: Final = Image.Resampling.BICUBIC


def _decode(
    picture: Image.Image, scale: float, refused: set[Message], at: Point = (0, 0)
) -> list[_FoundCode]:
    """The codes of slips in a picture that is ``scale`` times as large as the page, from ``at``."""
    found: list[_FoundCode] = []
    barcodes = zxingcpp.read_barcodes(picture, formats=_QR_CODES, try_invert=False)
    if len(barcodes) > CODES_MAX:
        raise _TooManyCodesError
    for barcode in barcodes:
        try:
            code = read_code(barcode.text)
        except OtherCodeError:
            continue
        except SlipCodeError as error:
            refused.add(error.message)
            continue
        place = barcode.position
        points = place.top_left, place.top_right, place.bottom_right, place.bottom_left
        corners = tuple((p.x / scale + at[0], p.y / scale + at[1]) for p in points)
        _add(found, [_FoundCode(code, corners)])
    return found


def _add(codes: list[_FoundCode], more: Sequence[_FoundCode]) -> None:
    """Add codes to others, unless they are there already."""
    for new in more:
        if not any(
            old.code == new.code and _distance(old.middle, new.middle) < new.side / 2
            for old in codes
        ):
            codes.append(new)


def _distance(one: Point, other: Point) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def _are_all(
    codes: Sequence[_FoundCode], layout_of: Callable[[SlipCode], SlipLayout | None]
) -> bool:
    """Whether a look at more pixels would hardly find another code."""
    is_large = all(each.side >= _CODE_SIDE_MIN for each in codes)
    return bool(codes) and is_large and all(map(all, _pair(codes, layout_of)))


_Pair = tuple[_FoundCode | None, _FoundCode | None]
"""The codes of one slip, of which one may be missing."""


def _pair(
    codes: Sequence[_FoundCode], layout_of: Callable[[SlipCode], SlipLayout | None]
) -> list[_Pair]:
    """Put the codes of each slip together; several copies of a slip may lie in one picture."""
    alone = list(codes)
    near = []
    for first in codes:
        layout = layout_of(first.code)
        for last in codes if first.code.corner is Corner.FIRST else ():
            if last.code == first.code.at(Corner.LAST):
                error = _MISS_MAX if layout is None else _miss(first, last, layout)
                if error <= _MISS_MAX:
                    near.append((error, first.middle, last.middle, first, last))
    pairs: list[_Pair] = []
    for *_order, first, last in sorted(near, key=lambda each: each[:3]):
        if first in alone and last in alone:
            alone = [each for each in alone if each is not first and each is not last]
            pairs.append((first, last))
    pairs += [(each, None) if each.code.corner is Corner.FIRST else (None, each) for each in alone]
    return pairs


_MISS_MAX: Final = 0.3
"""As a part of the distance between two codes: what a tilted slip makes of it."""


def _miss(first: _FoundCode, last: _FoundCode, layout: SlipLayout) -> float:
    """The error of the places where two codes expect each other, as a part of their distance."""
    misses = (
        _distance(_expected(first, layout), last.middle),
        _distance(_expected(last, layout), first.middle),
    )
    return sum(misses) / 2 / _distance(first.middle, last.middle)


def _expected(known: _FoundCode, layout: SlipLayout) -> Point:
    """The place of the other code of a slip in a picture taken from straight above."""
    here, there = layout.codes if known.code.corner is Corner.FIRST else layout.codes[::-1]
    upper_left, upper_right, lower_right, lower_left = known.corners
    right, down = (there.x - here.x) / here.side, (there.y - here.y) / here.side
    x, y = (
        middle
        + right * (upper_right[axis] + lower_right[axis] - upper_left[axis] - lower_left[axis]) / 2
        + down * (lower_left[axis] + lower_right[axis] - upper_left[axis] - upper_right[axis]) / 2
        for axis, middle in enumerate(known.middle)
    )
    return x, y


def _look_beside(
    picture: Image.Image, known: _FoundCode, layout: SlipLayout, refused: set[Message]
) -> list[_FoundCode]:
    """Look for the other code of a slip where it should be, enlarged and sharpened."""
    x, y = _expected(known, layout)
    reach = known.side + _MISS_MAX / 2 * _distance((x, y), known.middle)
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    right, bottom = min(picture.width, int(x + reach)), min(picture.height, int(y + reach))
    if right - left < known.side or bottom - top < known.side:
        return []
    scale = min(4.0, 3 * _CODE_SIDE_MIN / known.side)
    size = round((right - left) * scale), round((bottom - top) * scale)
    part = picture.resize(size, _SMOOTH, (left, top, right, bottom))
    wanted = known.code.at(Corner(1 - known.code.corner))
    for radius in (0.8 * scale, 1.6 * scale):
        sharp = part.filter(ImageFilter.UnsharpMask(radius, 200, 0))
        for found in _decode(sharp, scale, refused, (left, top)):
            if found.code == wanted:
                return [found]
    return []


def _known(pair: _Pair) -> _FoundCode:
    """A code of a pair that was found."""
    known = pair[0] or pair[1]
    assert known is not None
    return known


def _place_of(pair: _Pair) -> tuple[int, float, int]:
    """Order slips as they are read on a page: in lines, from the left."""
    code = _known(pair)
    x, y = code.middle
    return round(y / (4 * code.side)), x, code.code.corner


def solve_projection(source: Sequence[Point], target: Sequence[Point]) -> Projection:
    """The projection that takes points of one plane to those of another.

    Four points or more, no three of them on a line; of more than four, the least squares.
    """
    size = 8
    sums = [[0.0] * (size + 1) for _ in range(size)]
    for (x, y), (u, v) in zip(source, target, strict=True):
        for row in ((x, y, 1, 0, 0, 0, -u * x, -u * y, u), (0, 0, 0, x, y, 1, -v * x, -v * y, v)):
            for line, factor in zip(sums, row[:size], strict=True):
                if factor:
                    for place, value in enumerate(row):
                        line[place] += factor * value
    for column in range(size):
        pivot = max(range(column, size), key=lambda number: abs(sums[number][column]))
        sums[column], sums[pivot] = sums[pivot], sums[column]
        for number, line in enumerate(sums):
            factor = line[column] / sums[column][column]
            if number != column and factor:
                for place in range(column, size + 1):
                    line[place] -= factor * sums[column][place]
    return [line[size] / line[number] for number, line in enumerate(sums)]


def straighten(
    picture: Image.Image, layout: SlipLayout, first: Sequence[Point], last: Sequence[Point]
) -> Image.Image:
    """The slip as it would lie on a scanner of `SCALE`, by the corners of its two codes."""
    printed = [point for place in layout.codes for point in _corners_of(place)]
    seen = [*first, *last]
    printed_length = _distance(printed[0], printed[6])
    factor = int(_distance(seen[0], seen[6]) / printed_length)
    if factor > 1:
        picture = picture.reduce(factor)
        seen = [(x / factor, y / factor) for x, y in seen]
    projection = solve_projection(printed, seen)
    return picture.transform(layout.pixels, Image.Transform.PERSPECTIVE, projection, _SMOOTH)


def _corners_of(place: CodePlace) -> list[Point]:
    left, top = place.x * SCALE, place.y * SCALE
    right, bottom = (place.x + place.side) * SCALE, (place.y + place.side) * SCALE
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


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
    looks = look_at_circles(straight, layout)
    rings = [look.ring for line in looks for look in line]
    if _middle(rings, 0.2) < _RING_MIN:
        return None
    least = _middle(rings, 0.5) / 2
    marks = judge_circles(layout.rows, looks)
    rows = []
    for row, line, found in zip(layout.rows, looks, marks, strict=True):
        circles = {
            circle.value: CircleMark(
                Mark.UNSURE if look.ring < least else mark,
                max(0, round(1000 * look.darkness)),
            )
            for circle, look, mark in zip(row.circles, line, found, strict=True)
        }
        rows.append(RowReading(row, circles))
    return tuple(rows)


_RING_MIN: Final = 0.07
"""The darkness of the line of a circle that is where it should be, and sharp enough."""


class _Look(NamedTuple):
    """A circle as it looks: each number is a part of the brightness of the paper around it.

    ``darkness`` and ``deep`` are of its inside, the mean and that of all that no print is dark
    enough for; ``peak`` is the darkness that an eighth of the inside exceeds; ``outside`` is that
    of six spots around the circle where nothing is printed, ``ring`` that of its line.
    """

    darkness: float
    deep: float
    peak: float
    outside: tuple[float, ...]
    ring: float

    @property
    def ink(self) -> tuple[float, float, float]:
        """The three numbers of the inside."""
        return self.darkness, self.deep, self.peak


_RADIUS: Final = RADIUS * SCALE
_HALF: Final = int(1.75 * _RADIUS) + 1
_SPOTS: Final = (
    (-0.97, -0.97),
    (0.97, 0.97),
    (-0.97, 0.97),
    (0.97, -0.97),
    (0.0, -1.32),
    (0.0, 1.32),
)
"""In radii, from the middle of a circle; opposite ones follow each other."""
_SHIFT_MAX: Final = 9
"""Pixels by which print may be beside its place: paper is never quite flat."""


@lru_cache
def _ring(inner: float, outer: float) -> Image.Image:
    """A mask of the points between two distances, in radii, from the middle of a patch."""
    side, fine = 2 * _HALF, 4
    mask = Image.new("L", (side * fine, side * fine))
    pen = ImageDraw.Draw(mask)
    for distance, value in ((outer, 255), (inner, 0)):
        near, far = (fine * (_HALF + sign * distance * _RADIUS) for sign in (-1, 1))
        pen.ellipse((near, near, far, far), fill=value)
    return mask.reduce(fine).point([255 * (value > 127) for value in range(256)])


def look_at_circles(straight: Image.Image, layout: SlipLayout) -> list[list[_Look]]:
    """Look at the circles of each row."""
    soft = straight.filter(ImageFilter.BoxBlur(2))
    brightness, width = soft.tobytes(), soft.width
    shifts = _find_shifts(straight, layout)
    rows = []
    for row in layout.rows:
        looks = []
        for circle in row.circles:
            dx, dy = shifts[circle.x, circle.y]
            x, y = round(circle.x * SCALE) + dx, round(circle.y * SCALE) + dy
            spots = [
                brightness[
                    _within(y + down * _RADIUS, soft.height) * width
                    + _within(x + right * _RADIUS, width)
                ]
                for right, down in _SPOTS
            ]
            patch = straight.crop((x - _HALF, y - _HALF, x + _HALF, y + _HALF))
            looks.append(_look_at(patch, spots))
        rows.append(looks)
    return rows


def _look_at(patch: Image.Image, spots: Sequence[float]) -> _Look:
    """Look at a circle in the middle of a patch; ``spots``: the brightness of `_SPOTS`."""
    paper = max(1, _level(patch.histogram(_ring(1.08, 1.7)), 0.7))
    if spots:
        # At the edge of a shadow the paper under a circle is as bright as opposite spots together.
        pairs = zip(spots[::2], spots[1::2], strict=True)
        brightest = int(max(sum(pair) for pair in pairs) / 2)
        paper = min(paper, max(brightest, 3 * paper // 4))
    inside = patch.histogram(_ring(0, 0.76))
    return _Look(
        darkness=_darkness(inside, paper),
        deep=_darkness(inside, paper, 0.75),
        peak=1 - _level(inside, 0.12) / paper,
        outside=tuple(1 - spot / paper for spot in spots),
        ring=_darkness(patch.histogram(_ring(0.93, 1.07)), paper),
    )


def _within(value: float, size: int) -> int:
    return max(0, min(size - 1, round(value)))


def _level(histogram: Sequence[int], share: float) -> int:
    """The brightness that a share of the points does not exceed."""
    left = sum(histogram) * share
    for value, count in enumerate(histogram):
        left -= count
        if left <= 0:
            return value
    return 0


def _darkness(histogram: Sequence[int], paper: int, share: float = 1) -> float:
    """The mean by which points are darker than a share of the brightness of paper."""
    limit = int(paper * share)
    dark = sum((limit - value) * count for value, count in enumerate(histogram[:limit]) if count)
    return dark / paper / sum(histogram)


def _find_shifts(straight: Image.Image, layout: SlipLayout) -> dict[Point, tuple[int, int]]:
    """Find the distances of circles from their places, by these; neighbours share one."""
    shifts = {}
    half = _HALF + _SHIFT_MAX
    for group in _group_neighbours(layout):
        mean: Image.Image | None = None
        for count, (x, y) in enumerate(group, 1):
            px, py = round(x * SCALE), round(y * SCALE)
            patch = straight.crop((px - half, py - half, px + half, py + half))
            mean = patch if mean is None else Image.blend(mean, patch, 1 / count)
        assert mean is not None
        shifts.update(dict.fromkeys(group, _find_shift(mean)))
    return shifts


def _group_neighbours(layout: SlipLayout) -> Iterator[list[Point]]:
    """Group about six circles that are near each other: of a line, or of a column of a list."""
    lines: dict[float, list[Point]] = {}
    for row in layout.rows:
        for circle in row.circles:
            line = circle.x if row.key is RowKey.HERE else circle.y
            lines.setdefault(line, []).append((circle.x, circle.y))
    for _line, places in sorted(lines.items()):
        places.sort()
        parts = max(1, round(len(places) / 6))
        for part in range(parts):
            yield places[part * len(places) // parts : (part + 1) * len(places) // parts]


def _find_shift(mean: Image.Image) -> tuple[int, int]:
    line = _ring(0.93, 1.07)
    known: dict[tuple[int, int], int] = {}

    def brightness(shift: tuple[int, int]) -> int:
        if shift not in known:
            left, top = _SHIFT_MAX + shift[0], _SHIFT_MAX + shift[1]
            part = mean.crop((left, top, left + 2 * _HALF, top + 2 * _HALF))
            known[shift] = sum(v * n for v, n in enumerate(part.histogram(line)) if n)
        return known[shift]

    steps = range(1 - _SHIFT_MAX, _SHIFT_MAX, 2)
    best = min(((dx, dy) for dx in steps for dy in steps), key=brightness)
    near = range(-1, 2)
    for _ in range(2):
        x, y = best
        best = min(
            (
                (x + dx, y + dy)
                for dx in near
                for dy in near
                if abs(x + dx) <= _SHIFT_MAX and abs(y + dy) <= _SHIFT_MAX
            ),
            key=brightness,
        )
    return best


_DEEP: Final = 0.035
"""No print is so dark over so much of a circle, and no coffee."""


class _Excess(NamedTuple):
    """A circle less the print of an empty one; ``noise`` is the spread of empty ones."""

    darkness: float
    peak: float
    deep: float
    noise: float


def judge_circles(rows: Sequence[SlipRow], looks: Sequence[Sequence[_Look]]) -> list[list[Mark]]:
    """Say of each circle whether it is marked."""
    excesses = _find_excesses(rows, looks)
    sure = [
        excess
        for line, seen in zip(excesses, looks, strict=True)
        for excess, look in zip(line, seen, strict=True)
        if excess.deep >= _DEEP and excess.darkness >= _SURE
    ]
    few = len(sure) < _SURE_MIN
    usual_peak = 0.0 if few else _middle([excess.peak for excess in sure], 0.5)
    usual_darkness = 1.0 if few else _middle([excess.darkness for excess in sure], 0.5)
    marks = []
    for line, seen in zip(excesses, looks, strict=True):
        found = [
            _judge_circle(excess, look, usual_peak) for excess, look in zip(line, seen, strict=True)
        ]
        if found.count(Mark.MARKED) == 1:
            mark = line[found.index(Mark.MARKED)]
            # What is darker than all others may be struck out: then a trace may be the answer.
            room = 1.0 if mark.darkness < 1.6 * usual_darkness else 0.035
            for place, (excess, look) in enumerate(zip(line, seen, strict=True)):
                if (
                    found[place] is Mark.UNSURE
                    and excess.darkness < room
                    and _is_trace(excess, look, mark)
                ):
                    found[place] = Mark.EMPTY
        marks.append(found)
    return marks


_SURE: Final = 0.06
_SURE_MIN: Final = 3
"""Sure marks of a slip, from which on they tell how dark its pencil is."""


def _is_trace(excess: _Excess, look: _Look, mark: _Excess) -> bool:
    """Whether a circle has only what a cup left, or next to nothing, beside a mark in its row."""
    is_coffee = _is_stained(look) and (
        excess.peak < 1.5 * excess.darkness or excess.peak < 0.25 * mark.peak
    )
    return (
        excess.deep < _DEEP / 2
        and excess.peak < min(0.13, 0.5 * mark.peak)
        and (excess.darkness < 0.035 or is_coffee)
    )


def _is_stained(look: _Look) -> bool:
    """Whether the paper around a circle is dark here and there, as at the edge of a stain."""
    spots = sorted(look.outside)
    return spots[0] < -0.035 or spots[3] > 0.045


def _judge_circle(excess: _Excess, look: _Look, usual_peak: float) -> Mark:
    """Judge a circle by itself; ``usual_peak`` is that of the sure marks, 0 where there are few."""
    darkness, peak, deep, noise = excess
    if darkness < max(0.022, 3.5 * noise):
        faint = min(0.11, max(0.05, 0.25 * usual_peak)) if usual_peak else 0.08
        is_even = darkness < 0.012 and deep < 0.004 and peak < 0.15
        return Mark.EMPTY if peak < faint or is_even else Mark.UNSURE
    spots = sorted(look.outside)
    is_clean = spots[0] > -0.025 and spots[5] < max(0.045, 0.4 * darkness)
    is_tidy = spots[0] > -0.025 and spots[4] < 0.045
    is_usual = peak >= 0.55 * usual_peak
    # Strokes are narrow and dark; coffee is wide and light, and goes beyond the circle.
    is_stroke = (
        (peak > 0.24 and darkness > 0.055 and deep > 0.006)
        or (deep >= _DEEP and peak > 0.12)
        or (deep >= 1.3 * _DEEP and peak > 0.06)
        or (peak > 0.13 and peak > 1.6 * darkness and deep > 0.006)
        or (peak > 0.2 and peak > 1.5 * darkness and deep > 0.02)
        or (peak > 0.08 and peak > 1.5 * darkness and deep > 0.015 and spots[4] < 0.08)
        or (peak > 0.1 and peak > 2 * darkness and is_tidy)
        or (peak > 1.45 * darkness and darkness > 0.07 and is_tidy)
        or (peak > 0.14 and peak > (1.9 if spots[0] > -0.02 else 2.2) * darkness)
        or (peak > 0.1 and peak > 1.45 * darkness and deep > 0.0075 and spots[0] > -0.02)
        or (deep > 0.0095 and darkness > 0.05 and is_tidy)
    )
    is_spot = is_clean and (
        (darkness > 0.045 and (deep > 0.012 or is_usual or peak > 2 * darkness))
        or darkness > 0.13
        or (darkness > 0.035 and usual_peak > 0 and is_usual)
    )
    is_spread = _is_stained(look) or spots[4] > 0.3 * darkness + 0.03
    is_dark = darkness > (0.045 if peak > 1.5 * darkness else 0.09)
    flat = (1.3 if darkness < 0.05 else 1.15) * darkness
    if _is_stained(look) and peak < flat and deep < 0.006 and darkness < 0.1:
        return Mark.EMPTY
    if darkness < max(0.03, (3.5 if is_stroke else 5) * noise):
        return Mark.UNSURE
    is_coffee = peak < 1.4 * darkness and spots[4] > 0.4 * peak
    if _is_stained(look) and is_coffee and deep < 1.6 * _DEEP:
        return Mark.UNSURE
    if is_stroke and (is_usual or deep >= _DEEP or is_tidy or spots[5] < 0.1):
        return Mark.MARKED
    if peak >= max(0.05, 0.4 * usual_peak) or (is_clean and deep > 0.012):
        is_plain = is_usual and is_dark and is_tidy and not is_spread
        return Mark.MARKED if is_spot or is_plain else Mark.UNSURE
    return Mark.UNSURE


def _find_excesses(
    rows: Sequence[SlipRow], looks: Sequence[Sequence[_Look]]
) -> list[list[_Excess]]:
    """Compare circles with print as it would look through the same lens, and with each other."""
    circles = [
        (None if row.key in WORDED else circle.value, look)
        for row, line in zip(rows, looks, strict=True)
        for circle, look in zip(row.circles, line, strict=True)
    ]
    # Of a list all may be marked, and nothing is printed in its circles.
    is_list = all(row.key is RowKey.HERE for row in rows)
    fits = []
    for blur in _BLURS:
        gaps = []
        for value, look in circles:
            gaps.append([x - y for x, y in zip(look.ink, _print(value, blur).ink, strict=True)])
        usual = [0.0] * 3
        if not is_list:
            usual = [_middle([gap[axis] for gap in gaps], 0.45) for axis in range(3)]
        # Half of the circles and more are empty: those that are nearest to the usual.
        misfit = sum(
            _middle([abs(gap[axis] - usual[axis]) for gap in gaps], 0.6) for axis in range(3)
        )
        fits.append((misfit, blur, usual, gaps))
    _misfit, _blur, usual, gaps = min(fits, key=lambda fit: fit[0])
    noise = 0.005
    if not is_list:
        noise = _middle([abs(gap[0] - usual[0]) for gap in gaps], 0.5) / 0.67 + 0.002
    left = iter(gaps)
    return [
        [
            _Excess(
                darkness=(gap := next(left))[0] - usual[0],
                deep=gap[1] - usual[1],
                peak=gap[2] - usual[2],
                noise=noise,
            )
            for _circle in row.circles
        ]
        for row in rows
    ]


_BLURS: Final = (0.0, 0.6, 0.9, 1.2, 1.6, 2.0, 2.5, 3.2, 4.0)
"""Pixels of a straightened slip, the standard deviation."""


@lru_cache(maxsize=2048)
def _print(value: str | None, blur: float) -> _Look:
    """An empty circle with the value that is printed in it, seen through a lens that blurs."""
    fine = 4
    side, middle, radius = 2 * _HALF * fine, _HALF * fine, _RADIUS * fine
    drawn = Image.new("L", (side, side), 255)
    pen = ImageDraw.Draw(drawn)
    tone = (DARK if value is None else LIGHT) & 0xFF
    width = 0.25 * SCALE * fine
    outer = (middle - radius - width / 2, middle + radius + width / 2)
    inner = (middle - radius + width / 2, middle + radius - width / 2)
    pen.ellipse((outer[0], outer[0], outer[1], outer[1]), fill=tone)
    pen.ellipse((inner[0], inner[0], inner[1], inner[1]), fill=255)
    if value is not None:
        words, size = words_of(value)
        font = ImageFont.truetype(_FONT, size / 72 * 25.4 * SCALE * fine, layout_engine=_BASIC)
        base = middle + size * 0.125 * SCALE * fine
        pen.text((middle, base), words, fill=FAINT & 0xFF, font=font, anchor="ms")
    seen = drawn.reduce(fine)
    return _look_at(seen.filter(ImageFilter.GaussianBlur(blur)) if blur else seen, ())


_FONT: Final = str(lettering.FOLDER / "DejaVuSansCondensed.ttf")
_BASIC: Final = ImageFont.Layout.BASIC


def _middle(values: Sequence[float], share: float) -> float:
    return sorted(values)[int((len(values) - 1) * share)] if values else 0.0
