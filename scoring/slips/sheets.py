"""Sheets in a picture: slips are found by their two codes and straightened.

Two codes at opposite corners tell which slip it is and how it lies: the eight corners of the codes
give the projection from the paper to the picture. Pure.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final

import zxingcpp
from PIL import Image, ImageFilter

from engine.core.messages import Message
from scoring.slips.codes import Corner, OtherCodeError, SlipCode, SlipCodeError, read_code
from scoring.slips.layout import SCALE, CodePlace, SlipLayout
from scoring.slips.pictures import Page

CODES_MAX: Final = 60
"""In one picture; of a hundred slips none is large enough to be read."""
_CODE_SIDE_MIN: Final = 95
"""Pixels of a code's side below which a picture may have codes that the first look misses."""
_SHARPENED_MAX: Final = 6_000_000
"""Pixels of a picture that is enlarged for the last look."""

Point = tuple[float, float]
Projection = Sequence[float]
"""Eight numbers: what `PIL.Image.Image.transform` calls the data of a perspective."""


@dataclass(frozen=True, slots=True)
class PicturedCode:
    """A code in a picture: its corners from the upper left one clockwise, in pixels."""

    code: SlipCode
    corners: tuple[Point, ...]

    @property
    def middle(self) -> Point:
        """The middle of the code."""
        return (
            sum(x for x, _ in self.corners) / 4,
            sum(y for _, y in self.corners) / 4,
        )

    @property
    def side(self) -> float:
        """The length of a side."""
        first, _, opposite, _ = self.corners
        return hypot(first[0] - opposite[0], first[1] - opposite[1]) / 2**0.5


class TooManyCodesError(Exception):
    """A picture full of codes."""


def find_codes(
    page: Page, layout_of: Callable[[SlipCode], SlipLayout | None]
) -> tuple[Image.Image, list[PicturedCode], set[Message]]:
    """Find the codes of slips; give them with the picture that they are in, and what is refused.

    The first look is at few pixels. Where a code is alone or small, or there is none, the second is
    at all pixels, the third at twice as many, sharpened.
    """
    picture = page.coarse
    refused: set[Message] = set()
    codes = _decode(picture, 1, refused)
    if _are_complete(codes, layout_of):
        return picture, codes, refused
    finer = page.look_closer()
    if finer is not None:
        scale = finer.width / picture.width
        codes = [
            PicturedCode(each.code, tuple((x * scale, y * scale) for x, y in each.corners))
            for each in codes
        ]
        picture = finer
        _add(codes, _decode(picture, 1, refused))
        if _are_complete(codes, layout_of):
            return picture, codes, refused
    if picture.width * picture.height <= _SHARPENED_MAX:
        sharp = picture.filter(_SHARPEN).resize((picture.width * 2, picture.height * 2), _SMOOTH)
        _add(codes, _decode(sharp, 2, refused))
    for pair in pair_codes(codes, layout_of):
        known = known_code(pair)
        layout = layout_of(known.code)
        if layout is not None and None in pair:
            _add(codes, _look_beside(picture, known, layout, refused))
    return picture, codes, refused


_QR_CODES: Final = zxingcpp.barcode_formats_from_str("QRCode")
_SHARPEN: Final = ImageFilter.UnsharpMask(1.5, 200, 0)
_SMOOTH: Final = Image.Resampling.BICUBIC


def _decode(
    picture: Image.Image, scale: float, refused: set[Message], at: Point = (0, 0)
) -> list[PicturedCode]:
    """The codes of slips in a picture that is ``scale`` times as large as the page, from ``at``."""
    found: list[PicturedCode] = []
    barcodes = zxingcpp.read_barcodes(picture, formats=_QR_CODES, try_invert=False)
    if len(barcodes) > CODES_MAX:
        raise TooManyCodesError
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
        _add(found, [PicturedCode(code, corners)])
    return found


def _add(codes: list[PicturedCode], more: Sequence[PicturedCode]) -> None:
    """Add codes to others, unless they are there already."""
    for new in more:
        if not any(
            old.code == new.code and distance(old.middle, new.middle) < new.side / 2
            for old in codes
        ):
            codes.append(new)


def distance(one: Point, other: Point) -> float:
    """The distance of two points."""
    return hypot(one[0] - other[0], one[1] - other[1])


def _are_complete(
    codes: Sequence[PicturedCode], layout_of: Callable[[SlipCode], SlipLayout | None]
) -> bool:
    """Whether a look at more pixels would hardly find another code."""
    is_large = all(each.side >= _CODE_SIDE_MIN for each in codes)
    return bool(codes) and is_large and all(map(all, pair_codes(codes, layout_of)))


CodePair = tuple[PicturedCode | None, PicturedCode | None]
"""The codes of one slip, of which one may be missing."""


def pair_codes(
    codes: Sequence[PicturedCode], layout_of: Callable[[SlipCode], SlipLayout | None]
) -> list[CodePair]:
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
    pairs: list[CodePair] = []
    for *_order, first, last in sorted(near, key=lambda each: each[:3]):
        if first in alone and last in alone:
            alone = [each for each in alone if each is not first and each is not last]
            pairs.append((first, last))
    pairs += [(each, None) if each.code.corner is Corner.FIRST else (None, each) for each in alone]
    return pairs


_MISS_MAX: Final = 0.3
"""As a part of the distance between two codes: what a tilted slip makes of it."""


def _miss(first: PicturedCode, last: PicturedCode, layout: SlipLayout) -> float:
    """The error of the places where two codes expect each other, as a part of their distance."""
    misses = (
        distance(_expected(first, layout), last.middle),
        distance(_expected(last, layout), first.middle),
    )
    return sum(misses) / 2 / distance(first.middle, last.middle)


def _expected(known: PicturedCode, layout: SlipLayout) -> Point:
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
    picture: Image.Image, known: PicturedCode, layout: SlipLayout, refused: set[Message]
) -> list[PicturedCode]:
    """Look for the other code of a slip where it should be, enlarged and sharpened."""
    x, y = _expected(known, layout)
    reach = known.side + _MISS_MAX / 2 * distance((x, y), known.middle)
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


def known_code(pair: CodePair) -> PicturedCode:
    """A code of a pair that was found."""
    known = pair[0] or pair[1]
    assert known is not None
    return known


def reading_order(pair: CodePair) -> tuple[int, float, int]:
    """Order slips as they are read on a page: in lines, from the left."""
    code = known_code(pair)
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
    printed_length = distance(printed[0], printed[6])
    factor = int(distance(seen[0], seen[6]) / printed_length)
    if factor > 1:
        picture = picture.reduce(factor)
        seen = [(x / factor, y / factor) for x, y in seen]
    projection = solve_projection(printed, seen)
    return picture.transform(layout.pixels, Image.Transform.PERSPECTIVE, projection, _SMOOTH)


def _corners_of(place: CodePlace) -> list[Point]:
    left, top = place.x * SCALE, place.y * SCALE
    right, bottom = (place.x + place.side) * SCALE, (place.y + place.side) * SCALE
    return [(left, top), (right, top), (right, bottom), (left, bottom)]
