"""Synthetic photographs of score slips: marked by many hands, taken by bad cameras.

The same seed marks the same circles and takes the same picture. Lengths on paper are millimetres.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from io import BytesIO
from math import ceil, cos, hypot, pi, radians, sin
from random import Random
from typing import Final

import pypdfium2
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from engine.core.seats import DEFAULT_SEATS
from engine.rules.presets import PRESETS
from scoring.slips.codes import Corner, SlipCode, short_digest
from scoring.slips.layout import RADIUS, Circle, Mark, SlipLayout, SlipRow
from scoring.slips.printing import PrintedSlip, print_slips
from scoring.slips.recognition import SlipReading, UnreadSlip, read_pictures
from scoring.slips.sheets import Point, solve_projection
from tournaments.printing.seating import PrintedSitter, PrintHeading

PRINT_SCALE: Final = 12
"""Pixels a millimetre of a slip before it is photographed."""
WIDTHS: Final = (700, 4000)
"""Pixels of the longer side of a photograph."""
TILT_MAX: Final = 25
"""Degrees between the paper and the picture."""
BLUR_MAX: Final = 1.6
"""Pixels, the standard deviation."""
LEAST_MODULE: Final = 2.6
"""Pixels a module of a code: nobody photographs four slips with the smallest camera."""
_MODULES: Final = 25
_STAIN, _ERASED, _STRUCK, _BLANK = 0.1, 0.02, 0.02, 0.05
"""Shares: of slips with a stain, and of rows where a mark was erased or struck out, or is none."""

Answer = tuple[str, int | None]
"""A row by its key and its seat."""


TABLES: Final = tuple(
    (name, players)
    for name, rules in PRESETS.items()
    for players in range(rules.players.least, rules.players.most + 1)
)
"""All rule sets at all sizes of tables for which they are."""


@dataclass(frozen=True, slots=True)
class Pencil:
    """Something to write with: how dark (0 to 1), how wide (mm), and whether it leaves grain."""

    darkness: float
    width: float
    is_grainy: bool


@dataclass(frozen=True, slots=True)
class MarkedSlip:
    """A slip after the hand: its picture, the values meant in each row, and the spoilt rows.

    In a spoilt row something was struck out, erased or spilt: a reader may ask, and may not be
    wrong.
    """

    code: SlipCode
    layout: SlipLayout
    picture: Image.Image
    meant: dict[Answer, frozenset[str]]
    spoilt: frozenset[Answer]


def print_blanks(slips: Sequence[PrintedSlip]) -> list[Image.Image]:
    """Slips of one size as they come out of the printer and are cut, `PRINT_SCALE` pixels a mm."""
    heading = PrintHeading(title="Thursday League", about="26 November 2026")
    pictures: dict[int, Image.Image] = {}
    layout = slips[0].layout
    with pypdfium2.PdfDocument(print_slips(heading, slips)) as document:
        for sheet in range(len(document)):
            page = document[sheet]
            paper = page.render(scale=PRINT_SCALE * 25.4 / 72, grayscale=True).to_pil()
            across = 2 if paper.width > paper.height else 1
            cell = paper.width / across, paper.height / 2
            size = round(layout.width * PRINT_SCALE), round(layout.height * PRINT_SCALE)
            for place, number in enumerate(range(sheet, len(slips), len(document))):
                left = round(place % across * cell[0] + (cell[0] - size[0]) / 2)
                top = round(place // across * cell[1] + (cell[1] - size[1]) / 2)
                cut = paper.crop((left, top, left + size[0], top + size[1]))
                pictures[number] = cut.convert("L")
    return [pictures[number] for number in range(len(slips))]


def answer_of(row: SlipRow) -> Answer:
    """The key of a row among the answers of a slip."""
    return row.key, row.seat


def mark_slip(code: SlipCode, layout: SlipLayout, blank: Image.Image, dice: Random) -> MarkedSlip:
    """Mark circles of a printed slip (a picture of `PRINT_SCALE`) the way people do."""
    picture = blank.copy()
    pencil = _some_pencil(dice)
    meant: dict[Answer, frozenset[str]] = {}
    spoilt = set()
    manner = dice.choice(MANNERS)
    for row in layout.rows:
        chosen: list[Circle] = []
        share = 1 - _BLANK if len(row.circles) > 1 else 0.2
        if dice.random() < share:
            chosen = [dice.choice(row.circles)]
        others = [circle for circle in row.circles if circle not in chosen]
        if chosen and others and dice.random() < _ERASED + _STRUCK:
            spoilt.add(answer_of(row))
            if dice.random() < _ERASED / (_ERASED + _STRUCK):
                _erase(picture, layout, dice.choice(others), pencil, dice)
            else:
                circle = dice.choice(others)
                _draw(picture, layout, circle, dice.choice(MANNERS), pencil, dice)
                _draw(picture, layout, circle, strike_out, pencil, dice)
        for circle in chosen:
            how = manner if dice.random() < 0.9 else dice.choice(MANNERS)
            _draw(picture, layout, circle, how, pencil, dice)
        meant[answer_of(row)] = frozenset(circle.value for circle in chosen)
    if dice.random() < _STAIN:
        spoilt |= _spill_coffee(picture, layout, dice)
    return MarkedSlip(code, layout, picture, meant, frozenset(spoilt))


def _some_pencil(dice: Random) -> Pencil:
    if dice.random() < 0.6:
        return Pencil(dice.uniform(0.5, 0.8), dice.uniform(0.45, 0.8), is_grainy=True)
    return Pencil(dice.uniform(0.65, 0.9), dice.uniform(0.35, 0.6), is_grainy=False)


Stroke = list[tuple[float, float]]
"""Points of a line, in radii of the circle, from its middle."""


def cross(dice: Random) -> list[Stroke]:
    """Two lines across a circle."""
    reach = dice.uniform(0.6, 1.1)
    return [
        _shaken([(-reach, -reach), (reach, reach)], dice),
        _shaken([(-reach, reach), (reach, -reach)], dice),
    ]


def tick(dice: Random) -> list[Stroke]:
    """A tick, whose end leaves the circle."""
    end = dice.uniform(0.6, 1.4)
    return [_shaken([(-0.7, -0.1), (-0.15, 0.7), (end, -end)], dice)]


def fill(dice: Random) -> list[Stroke]:
    """A circle filled by going to and fro."""
    lines = dice.randint(5, 9)
    reach = dice.uniform(0.6, 0.85)
    points: Stroke = []
    for line in range(lines):
        y = -reach + 2 * reach * line / (lines - 1)
        half = (max(0.0, 0.9 - y * y)) ** 0.5 * 0.9
        points += [(-half, y), (half, y)] if line % 2 else [(half, y), (-half, y)]
    return [_shaken(points, dice, 0.08)]


def slash(dice: Random) -> list[Stroke]:
    """One line across a circle."""
    turn = dice.uniform(0, pi)
    reach = dice.uniform(0.8, 1.2)
    x, y = cos(turn) * reach, sin(turn) * reach
    return [_shaken([(-x, -y), (0, 0), (x, y)], dice)]


def strike_out(dice: Random) -> list[Stroke]:
    """A mark that was taken back: lines through the whole circle and beyond."""
    return [_shaken([(-1.4, y), (1.4, y + 0.1)], dice, 0.12) for y in (-0.4, -0.1, 0.2, 0.45)]


MANNERS: Final = (cross, cross, tick, tick, fill, fill, slash)


def _shaken(points: Stroke, dice: Random, by: float = 0.15) -> Stroke:
    return [(x + dice.uniform(-by, by), y + dice.uniform(-by, by)) for x, y in points]


def _strokes(
    layout: SlipLayout, manner: Callable[[Random], list[Stroke]], pencil: Pencil, dice: Random
) -> Image.Image:
    """How dark the strokes are, on a square of four radii around a circle."""
    radius = RADIUS * PRINT_SCALE
    side = ceil(4 * radius)
    darkness = Image.new("L", (side, side))
    pen = ImageDraw.Draw(darkness)
    miss_x, miss_y = (dice.gauss(0, 0.12) for _ in range(2))
    pressed = round(255 * pencil.darkness * dice.uniform(0.85, 1.1))
    for stroke in manner(dice):
        line = [
            (side / 2 + (x + miss_x) * radius, side / 2 + (y + miss_y) * radius) for x, y in stroke
        ]
        width = max(1, round(pencil.width * PRINT_SCALE * dice.uniform(0.85, 1.15)))
        pen.line(line, fill=min(255, pressed), width=width, joint="curve")
    if pencil.is_grainy:
        at = dice.randrange(200), dice.randrange(200)
        grain = noise().crop((*at, at[0] + side, at[1] + side))
        darkness = ImageChops.multiply(darkness, grain.point(lambda v: max(90, min(255, 60 + v))))
    return darkness.filter(ImageFilter.GaussianBlur(0.6))


def _draw(
    picture: Image.Image,
    layout: SlipLayout,
    circle: Circle,
    manner: Callable[[Random], list[Stroke]],
    pencil: Pencil,
    dice: Random,
) -> None:
    _darken(picture, _strokes(layout, manner, pencil, dice), circle)


def _erase(
    picture: Image.Image, layout: SlipLayout, circle: Circle, pencil: Pencil, dice: Random
) -> None:
    """Draw what is left of a mark under a rubber: a trace, and a smear."""
    left = dice.uniform(0.08, 0.3)
    strokes = _strokes(layout, dice.choice(MANNERS), pencil, dice)
    trace = strokes.point(lambda v: round(v * left))
    smear = strokes.filter(ImageFilter.GaussianBlur(8)).point(lambda v: round(v * 0.15))
    _darken(picture, ImageChops.lighter(trace, smear), circle)


def _darken(picture: Image.Image, darkness: Image.Image, circle: Circle) -> None:
    at = (
        round(circle.x * PRINT_SCALE) - darkness.width // 2,
        round(circle.y * PRINT_SCALE) - darkness.height // 2,
    )
    box = (*at, at[0] + darkness.width, at[1] + darkness.height)
    picture.paste(ImageChops.multiply(picture.crop(box), ImageChops.invert(darkness)), at)


def _spill_coffee(picture: Image.Image, layout: SlipLayout, dice: Random) -> set[Answer]:
    """Leave the ring of a cup or a blot, somewhere on the slip; the rows that it is on."""
    darkness = Image.new("L", (picture.width // 4, picture.height // 4))
    pen = ImageDraw.Draw(darkness)
    scale = PRINT_SCALE / 4
    x, y = dice.uniform(0, darkness.width), dice.uniform(0, darkness.height)
    radius = dice.uniform(8, 40) * scale
    edge, inside = dice.randint(25, 80), dice.randint(0, 45)
    box = (x - radius, y - radius * 0.9, x + radius, y + radius * 0.9)
    pen.ellipse(box, fill=inside, outline=max(edge, inside), width=ceil(dice.uniform(1, 3) * scale))
    darkness = darkness.filter(ImageFilter.GaussianBlur(dice.uniform(0.8, 3)))
    stain = ImageChops.invert(darkness.resize(picture.size, Image.Resampling.BILINEAR))
    picture.paste(ImageChops.multiply(picture, stain))
    reach = 1.8 * RADIUS * scale
    spoilt = set()
    for row in layout.rows:
        for circle in row.circles:
            x, y = circle.x * scale, circle.y * scale
            near = darkness.crop((int(x - reach), int(y - reach), int(x + reach), int(y + reach)))
            if max(near.tobytes()) > _VISIBLE:
                spoilt.add(answer_of(row))
    return spoilt


_VISIBLE: Final = 4
"""Of 255, the darkness of a stain that may be taken for a mark."""


@cache
def noise(side: int = 512) -> Image.Image:
    """A square of noise around 128 whose standard deviation is 64 or so; always the same."""
    dice = Random("noise")
    first, second = (Image.frombytes("L", (side, side), dice.randbytes(side * side)) for _ in "ab")
    return ImageChops.add(first, second, 1.63, -28)


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera and whoever holds it; lengths in pixels, angles in degrees."""

    width: int
    height: int
    turn: float
    tilt: float
    axis: float
    blur: float
    grain: float
    quality: int


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture of some slips, encoded as JPEG."""

    data: bytes
    slips: Sequence[MarkedSlip]
    camera: Camera


def some_camera(dice: Random, slips: Sequence[MarkedSlip], width: int | None = None) -> Camera:
    """A camera for so many slips: it has the pixels that their codes need."""
    least = 1.0
    layout = slips[0].layout
    columns, rows = _grid(slips)
    long = max(columns * layout.width, rows * layout.height)
    # Three quarters of the picture show slips, tilted away and turned.
    least = LEAST_MODULE * _MODULES / layout.codes[0].side * long / 0.62
    low = max(WIDTHS[0], least)
    side = (
        width or round(low * (WIDTHS[1] / low) ** dice.random()) if low < WIDTHS[1] else WIDTHS[1]
    )
    quarter = dice.choice((0, 90, 180, 270))
    wide = (quarter % 180 == 0) == (columns * layout.width > rows * layout.height)
    other = side * 3 // 4
    is_free = side > 1.6 * least
    return Camera(
        width=side if wide else other,
        height=other if wide else side,
        turn=dice.uniform(0, 360) if is_free else quarter + dice.uniform(-8, 8),
        tilt=dice.uniform(0, TILT_MAX),
        axis=dice.uniform(0, 360),
        blur=dice.uniform(0.2, BLUR_MAX),
        grain=dice.uniform(1, 9),
        quality=dice.randint(40, 90),
    )


def _grid(slips: Sequence[MarkedSlip]) -> tuple[int, int]:
    return (1, len(slips)) if len(slips) < 3 else (2, 2)


def photograph(slips: Sequence[MarkedSlip], camera: Camera, dice: Random) -> Photo:
    """Lay slips on a table and photograph them."""
    placed = list(_placed(slips, dice))
    sheets = [[_seen(point, camera) for point in corners] for corners in placed]
    points = [point for sheet in sheets for point in sheet]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    wide, high = max(x for x, _ in points) - left, max(y for _, y in points) - top
    scale = min(camera.width / wide, camera.height / high) * dice.uniform(0.86, 0.97)
    shift_x = (camera.width - wide * scale) * dice.uniform(0.3, 0.7) - left * scale
    shift_y = (camera.height - high * scale) * dice.uniform(0.3, 0.7) - top * scale
    picture = _table((camera.width, camera.height), dice)
    for slip, sheet in zip(slips, sheets, strict=True):
        corners = [(x * scale + shift_x, y * scale + shift_y) for x, y in sheet]
        _lay(picture, slip.picture, corners)
    picture = ImageChops.multiply(picture, _light(picture.size, dice))
    picture = picture.filter(ImageFilter.GaussianBlur(camera.blur))
    picture = _with_grain(picture, camera.grain, dice)
    data = BytesIO()
    picture.convert("RGB").save(data, "JPEG", quality=camera.quality)
    return Photo(data.getvalue(), slips, camera)


def _placed(slips: Sequence[MarkedSlip], dice: Random) -> Iterator[list[Point]]:
    """Corners of the slips on the table, laid out in a grid and none quite straight."""
    columns, _rows = _grid(slips)
    gap = 12 if len(slips) > 1 else 0
    for number, slip in enumerate(slips):
        layout = slip.layout
        x = number % columns * (layout.width + gap) + layout.width / 2
        y = number // columns * (layout.height + gap) + layout.height / 2
        turn = radians(dice.uniform(-4, 4) if len(slips) > 1 else 0)
        yield [
            (x + dx * cos(turn) - dy * sin(turn), y + dx * sin(turn) + dy * cos(turn))
            for dx, dy in _corners(layout.width, layout.height, centred=True)
        ]


def _corners(width: float, height: float, *, centred: bool = False) -> list[Point]:
    x, y = (width / 2, height / 2) if centred else (0.0, 0.0)
    return [(-x, -y), (width - x, -y), (width - x, height - y), (-x, height - y)]


def _seen(point: Point, camera: Camera) -> Point:
    """A point of the table, seen from above through a camera that is turned and tilted."""
    x, y = point
    distance = 420.0
    axis, tilt, turn = radians(camera.axis), radians(camera.tilt), radians(camera.turn)
    along, across = x * cos(axis) + y * sin(axis), -x * sin(axis) + y * cos(axis)
    depth = distance + across * sin(tilt)
    u, v = along * distance / depth, across * cos(tilt) * distance / depth
    x, y = u * cos(axis) - v * sin(axis), u * sin(axis) + v * cos(axis)
    return x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)


def _table(size: tuple[int, int], dice: Random) -> Image.Image:
    """The top of a table: plain, grainy or striped, dark or nearly as light as paper."""
    base = dice.randint(30, 210)
    small = noise().resize((size[0] // dice.choice((4, 40)), size[1] // 4))
    texture = small.resize(size, Image.Resampling.BILINEAR)
    strength = dice.uniform(0.02, 0.2)
    return texture.point(lambda v: max(0, min(255, round(base + (v - 128) * strength))))


def _lay(picture: Image.Image, slip: Image.Image, corners: Sequence[Point]) -> None:
    left, top = (max(0, int(min(p[axis] for p in corners)) - 2) for axis in (0, 1))
    right, bottom = (int(max(p[axis] for p in corners)) + 3 for axis in (0, 1))
    size = min(right, picture.width) - left, min(bottom, picture.height) - top
    scale = max(
        hypot(corners[0][0] - corners[1][0], corners[0][1] - corners[1][1]) / slip.width, 1e-3
    )
    if scale < 0.7:
        slip = slip.reduce(max(1, round(1 / scale)))
    shifted = [(x - left, y - top) for x, y in corners]
    data = solve_projection(shifted, _corners(slip.width, slip.height))
    how = Image.Transform.PERSPECTIVE
    sheet = slip.transform(size, how, data, Image.Resampling.BICUBIC)
    mask = Image.new("L", slip.size, 255).transform(size, how, data, Image.Resampling.BILINEAR)
    picture.paste(sheet, (left, top), mask)


def _light(size: tuple[int, int], dice: Random) -> Image.Image:
    """How much light falls on each point: a lamp at one side, and often somebody's shadow."""
    small = (max(8, size[0] // 16), max(8, size[1] // 16))
    low = dice.uniform(0.45, 0.95)
    high = dice.uniform(max(0.7, low), 1)
    lamp = Image.linear_gradient("L").rotate(dice.choice((0, 90, 180, 270)))
    lamp = lamp.rotate(dice.uniform(0, 40)).crop((50, 50, 206, 206)).resize(small)
    lamp = lamp.point(lambda v: round(255 * (low + (high - low) * v / 255)))
    if dice.random() < 0.5:
        shade = Image.new("L", small, 255)
        points = [
            (dice.uniform(-0.2, 1.2) * small[0], dice.uniform(-0.2, 1.2) * small[1])
            for _ in range(4)
        ]
        ImageDraw.Draw(shade).polygon(points, fill=dice.randint(130, 220))
        # The edge of a shadow is blurred by 2 mm and more on paper: lamps are no points.
        edge = ImageFilter.GaussianBlur(max(small) / 128 * dice.uniform(1.2, 6))
        lamp = ImageChops.multiply(lamp, shade.filter(edge))
    return lamp.resize(size, Image.Resampling.BILINEAR)


def _with_grain(picture: Image.Image, grain: float, dice: Random) -> Image.Image:
    tile = noise().point(lambda v: max(0, min(255, round(128 + (v - 128) * grain / 55))))
    spread = Image.new("L", picture.size)
    at = -dice.randrange(tile.width), -dice.randrange(tile.height)
    for left in range(at[0], picture.width, tile.width):
        for top in range(at[1], picture.height, tile.height):
            spread.paste(tile, (left, top))
    return ImageChops.add(picture, spread, 1, -128)


class Outcome(StrEnum):
    """How well a slip was read."""

    RIGHT = "right"
    """All rows as they were meant, or asked about where one is spoilt."""
    ASKED = "asked"
    """Asked about a row that is not spoilt."""
    WRONG = "wrong"
    """A row that is not as it was meant, and not asked about."""
    UNREAD = "unread"


def random_photo(seed: int | str, slips: int | None = None, table: int | None = None) -> Photo:
    """One to four slips of a random table, marked and photographed at random."""
    dice = Random(f"photo {seed}")
    name, players = TABLES[table % len(TABLES)] if table is not None else dice.choice(TABLES)
    rules = PRESETS[name]
    first = dice.randint(1, 40)
    printed = [
        PrintedSlip(
            code=SlipCode(
                installation=dice.randrange(1 << 16),
                event=dice.randrange(1 << 40),
                table=dice.randrange(1 << 40),
                players=players,
                rules=short_digest(rules),
                round=dice.randint(1, 9),
                number=dice.randint(1, 40),
                hand=first + place,
            ),
            rules=rules,
            game=name,
            sitters=[
                PrintedSitter(seat, called)
                for seat, called in zip(
                    DEFAULT_SEATS[players], dice.sample(_NAMES, 6), strict=False
                )
            ],
        )
        for place in range(slips or dice.randint(1, 4))
    ]
    marked = [
        mark_slip(slip.code, slip.layout, blank, dice)
        for slip, blank in zip(printed, print_blanks(printed), strict=True)
    ]
    return photograph(marked, some_camera(dice, marked), dice)


_NAMES: Final = ("Fay", "Dora", "Jo", "Ann", "Bartholomew", "Wim", "Xi", "Marie-Louise", "Ole")


def read_photo(photo: Photo) -> list[SlipReading | UnreadSlip]:
    """Read a photo whose slips are all known."""
    layouts = {slip.code: slip.layout for slip in photo.slips}
    return list(read_pictures(photo.data, lambda code: layouts.get(code.at(Corner.FIRST))))


def compare(slip: MarkedSlip, readings: Iterable[SlipReading | UnreadSlip]) -> Outcome:
    """Compare a slip with what was read of its photo."""
    for reading in readings:
        if isinstance(reading, SlipReading) and reading.code == slip.code:
            break
    else:
        return Outcome.UNREAD
    outcome = Outcome.RIGHT
    for row, marks in reading.rows:
        found = {value for value, mark in marks.items() if mark.mark is Mark.MARKED}
        is_asked = len(found) > 1 or any(mark.mark is Mark.UNSURE for mark in marks.values())
        if not is_asked and found != slip.meant[answer_of(row)]:
            return Outcome.WRONG
        if is_asked and answer_of(row) not in slip.spoilt:
            outcome = Outcome.ASKED
    return outcome


def is_clean(reading: SlipReading) -> bool:
    """Whether no row of a reading has two marks or an unsure one."""
    return all(
        [mark.mark for mark in marks.values()].count(Mark.MARKED) < 2
        and all(mark.mark is not Mark.UNSURE for mark in marks.values())
        for _row, marks in reading.rows
    )
