"""Circles of a straightened slip: how dark each is inside, on its line and around.

`judging` decides from these samples which circles are marked. Pure.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import mul
from typing import Final, NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from scoring.slips.layout import RADIUS, SCALE, Circle, RowKey, SlipLayout
from scoring.slips.printing import DARK, FAINT, LIGHT, words_of
from scoring.slips.sheets import Point
from tournaments.tables import lettering


class CircleSample(NamedTuple):
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
    def inside(self) -> tuple[float, float, float]:
        """The three numbers of the inside."""
        return self.darkness, self.deep, self.peak


_RADIUS: Final = RADIUS * SCALE
_HALF: Final = int(1.75 * _RADIUS) + 1
"""Half a side of the patch of a straightened slip in which a circle is looked at."""
_INSIDE: Final = 0.76
"""Radii from the middle: what is nearer is inside, and no line of the print."""
_LINE: Final = (0.93, 1.07)
"""Radii between which the line of a circle lies."""
_PAPER: Final = (1.08, 1.7)
"""Radii between which there is paper, mostly."""
_DEEP_BELOW: Final = 0.75
"""Of the brightness of the paper: print is not darker, over more than a few pixels."""
_PEAK_SHARE: Final = 0.12
"""The part of the inside that is darker than its peak: a thin line is not larger."""
_SPOTS: Final = (
    (-0.97, -0.97),
    (0.97, 0.97),
    (-0.97, 0.97),
    (0.97, -0.97),
    (0.0, -1.32),
    (0.0, 1.32),
)
"""In radii, from the middle of a circle; opposite ones follow each other."""
_NARROW: Final = 7
"""Millimetres: filled circles are narrower, and shadows and most stains are wider."""
_WHITE: Final = 230
"""The brightness of flattened paper: its grain has room above."""
FAINT_RING: Final = 0.5
"""Of the darkness that the lines of circles usually have: a fainter one is not in its place."""
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


def sample_circles(straight: Image.Image, layout: SlipLayout) -> list[list[CircleSample]]:
    """Sample the circles of each row, where they are in the picture.

    Where the line of a circle is not where its neighbours have theirs it is looked for by itself.
    """
    straight, paper = flatten_paper(straight)
    soft = straight.filter(ImageFilter.BoxBlur(2))
    brightness, lit, width = soft.tobytes(), paper.tobytes(), soft.width

    def sample(circle: Circle, shift: tuple[int, int]) -> CircleSample:
        x, y = round(circle.x * SCALE) + shift[0], round(circle.y * SCALE) + shift[1]
        spots = [
            brightness[
                _within(y + down * _RADIUS, soft.height) * width
                + _within(x + right * _RADIUS, width)
            ]
            for right, down in _SPOTS
        ]
        patch = straight.crop((x - _HALF, y - _HALF, x + _HALF, y + _HALF))
        bright = lit[_within(y, paper.height) * width + _within(x, width)]
        return _sample_patch(patch, spots, bright)

    shifts = _find_shifts(straight, layout)
    rows = [
        [sample(circle, shifts[circle.x, circle.y]) for circle in row.circles]
        for row in layout.rows
    ]
    least = quantile([found.ring for line in rows for found in line], 0.5) * FAINT_RING
    for row, line in zip(layout.rows, rows, strict=True):
        for place, circle in enumerate(row.circles):
            if line[place].ring < least:
                own = _find_shift(_crop_around(straight, circle.x, circle.y))
                line[place] = max(line[place], sample(circle, own), key=lambda one: one.ring)
    return rows


def flatten_paper(straight: Image.Image) -> tuple[Image.Image, Image.Image]:
    """Make the paper equally bright everywhere; give the picture, and how bright the paper was.

    Shadows go, and whatever is narrower than `_NARROW` stays, such as print and marks: under it the
    paper is as bright as beside it. The edge of a shadow stays where it is.
    """
    paper = straight.reduce(SCALE)
    for rank in (ImageFilter.MaxFilter(3), ImageFilter.MinFilter(3)):
        for _ in range(_NARROW // 2):
            paper = paper.filter(rank)
    paper = paper.resize(straight.size, Image.Resampling.BILINEAR)
    return ImageChops.add(straight, ImageChops.invert(paper), 1, _WHITE - 255), paper


def _sample_patch(
    patch: Image.Image, spots: Sequence[float] = (), bright: float = 255
) -> CircleSample:
    """Sample a circle in the middle of a patch.

    ``spots`` are the brightness of `_SPOTS`, and ``bright`` is that of the paper before it was
    flattened.
    """
    paper = max(1, _level(patch.histogram(_ring(*_PAPER)), 0.7))
    bright = max(bright, 1)
    inside = patch.histogram(_ring(0, _INSIDE))
    return CircleSample(
        darkness=_darkness(inside, paper) / bright,
        deep=_darkness(inside, max(0, int(paper - (1 - _DEEP_BELOW) * bright))) / bright,
        peak=(paper - _level(inside, _PEAK_SHARE)) / bright,
        outside=tuple((paper - spot) / bright for spot in spots),
        ring=_darkness(patch.histogram(_ring(*_LINE)), paper) / bright,
    )


def _within(value: float, size: int) -> int:
    """The pixel of a place, or the nearest at the edge of a picture."""
    return max(0, min(size - 1, round(value)))


def _level(histogram: Sequence[int], share: float) -> int:
    """The brightness that a share of the points does not exceed."""
    left = sum(histogram) * share
    for value, count in enumerate(histogram):
        left -= count
        if left <= 0:
            return value
    return 0


def _darkness(histogram: Sequence[int], limit: int) -> float:
    """The mean by which points are darker than a limit."""
    dark = sum((limit - value) * count for value, count in enumerate(histogram[:limit]) if count)
    return dark / sum(histogram)


def _find_shifts(straight: Image.Image, layout: SlipLayout) -> dict[Point, tuple[int, int]]:
    """Find the distances of circles from their places, by these; neighbours share one."""
    shifts = {}
    for group in _group_neighbours(layout):
        mean: Image.Image | None = None
        for count, (x, y) in enumerate(group, 1):
            patch = _crop_around(straight, x, y)
            mean = patch if mean is None else Image.blend(mean, patch, 1 / count)
        assert mean is not None
        shifts.update(dict.fromkeys(group, _find_shift(mean)))
    return shifts


def _crop_around(straight: Image.Image, x: float, y: float) -> Image.Image:
    """The surroundings of a place in millimetres, in which a circle is looked for."""
    px, py, half = round(x * SCALE), round(y * SCALE), _HALF + _SHIFT_MAX
    return straight.crop((px - half, py - half, px + half, py + half))


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
    """Find where the line of a circle is darkest, first in steps of two pixels, then of one."""
    line = _ring(*_LINE)
    known: dict[tuple[int, int], int] = {}

    def brightness(shift: tuple[int, int]) -> int:
        if shift not in known:
            left, top = _SHIFT_MAX + shift[0], _SHIFT_MAX + shift[1]
            part = mean.crop((left, top, left + 2 * _HALF, top + 2 * _HALF))
            known[shift] = sum(map(mul, part.histogram(line), range(256)))
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


@lru_cache(maxsize=2048)
def sample_print(value: str | None, blur: float) -> CircleSample:
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
    return _sample_patch(seen.filter(ImageFilter.GaussianBlur(blur)) if blur else seen)


_FONT: Final = str(lettering.FOLDER / "DejaVuSansCondensed.ttf")
_BASIC: Final = ImageFont.Layout.BASIC


def quantile(values: Sequence[float], share: float) -> float:
    """The value that a share of some values does not exceed; 0 of none."""
    return sorted(values)[int((len(values) - 1) * share)] if values else 0.0
