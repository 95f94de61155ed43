"""Printed score slips for tests: cut apart, marked with a pencil, photographed with a phone.

It needs no database: the pictures of the help are taken with it, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import pypdfium2
import zxingcpp
from PIL import Image, ImageDraw

from benchmarks.slip_photos import (
    PRINT_SCALE,
    Camera,
    MarkedSlip,
    cross,
    fill,
    photograph,
    tick,
)
from engine.core.seats import DEFAULT_SEATS
from engine.rules.presets import PRESETS
from scoring.slips.codes import Corner, SlipCode, SlipCodeError, read_code, short_digest
from scoring.slips.layout import MARGIN, RADIUS, SlipLayout, lay_out


@dataclass(frozen=True, slots=True)
class PaperSlip:
    """A printed slip, cut out: a picture of `PRINT_SCALE` pixels a millimetre."""

    code: SlipCode
    layout: SlipLayout
    picture: Image.Image


def cut_slips(pdf: bytes) -> Iterator[PaperSlip]:
    """Cut the slips of a printed file apart, page by page: each begins at its first code."""
    with pypdfium2.PdfDocument(pdf) as paper:
        for page in paper:
            sheet = page.render(scale=PRINT_SCALE * 25.4 / 72).to_pil().convert("L")
            for found in zxingcpp.read_barcodes(sheet):
                try:
                    code = read_code(found.text)
                except SlipCodeError:
                    continue
                if code.corner is Corner.FIRST:
                    rules = next(one for one in PRESETS.values() if short_digest(one) == code.rules)
                    layout = lay_out(rules, code.players, is_blank=code.is_blank)
                    corner, edge = found.position.top_left, MARGIN * PRINT_SCALE
                    left, top = round(corner.x - edge), round(corner.y - edge)
                    right = left + round(layout.width * PRINT_SCALE)
                    low = top + round(layout.height * PRINT_SCALE)
                    yield PaperSlip(code, layout, sheet.crop((left, top, right, low)))


def fill_in(slip: PaperSlip, marked: Mapping[str, str], dice: Random) -> MarkedSlip:
    """Mark circles of a slip with a pencil: by row the values, with ``|`` between several."""
    picture, radius = slip.picture.copy(), RADIUS * PRINT_SCALE
    pen = ImageDraw.Draw(picture)
    for row in slip.layout.rows:
        seat = "" if row.seat is None else f" {DEFAULT_SEATS[slip.code.players][row.seat]}"
        said = marked.get(f"{row.key}{seat}", "").split("|")
        for circle in row.circles:
            if circle.value not in said:
                continue
            for stroke in dice.choice((cross, tick, fill))(dice):
                x, y = circle.x * PRINT_SCALE, circle.y * PRINT_SCALE
                line = [(x + dx * radius, y + dy * radius) for dx, dy in stroke]
                pen.line(line, fill=60, width=round(0.6 * PRINT_SCALE), joint="curve")
    return MarkedSlip(slip.code, slip.layout, picture, {}, frozenset())


def photograph_pile(slips: Sequence[MarkedSlip], dice: Random) -> list[bytes]:
    """Photograph slips with a phone, four at a time."""
    photos = []
    for first in range(0, len(slips), 4):
        camera = Camera(
            width=2000 if len(slips) > 1 else 1200,
            height=1500 if len(slips) > 1 else 900,
            turn=dice.uniform(-6, 6),
            tilt=dice.uniform(4, 14),
            axis=dice.uniform(0, 360),
            blur=0.6,
            grain=4,
            quality=82,
        )
        photos.append(photograph(slips[first : first + 4], camera, dice).data)
    return photos
