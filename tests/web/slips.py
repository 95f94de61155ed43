"""Score slips at the desk for tests of its pages: read without a picture, or by a worker."""

from collections.abc import Mapping
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from scoring.models import Game, Slip
from scoring.settlement.plan import rules_of
from scoring.slips.layout import RADIUS, SlipLayout, lay_out
from tests.scoring.slips.marking import hand_in

AUCTION: Final = {"bidder": "1", "bid": "5", "pain": "D"}
CLEAN: Final = AUCTION | {"taken N": "5", "taken E": "6", "taken S": "2", "taken W": "0"}
"""A hand of Auction Hearts that West wins, having taken no diamond."""
JACKPOT: Final = AUCTION | {"taken N": "5", "taken E": "4", "taken S": "2", "taken W": "2"}
"""One in which everybody took a diamond."""
DOUBTED: Final = JACKPOT | {"taken W": "2?|3"}
"""The same, with two marks for West."""
WON: Final = AUCTION | {
    "bidder": "3",
    "bid": "1",
    "taken N": "5",
    "taken E": "6",
    "taken S": "2",
    "taken W": "0",
}
"""A cheap hand for West, who wins it."""
_PIXELS: Final = 6


def read_slip(game: Game, number: int, marked: Mapping[str, str] = CLEAN) -> Slip:
    """Have a slip of a hand read, with a picture of it."""
    crop = draw_crop(lay_out(rules_of(game), game.players))
    return hand_in(game, number, marked, crop)


def draw_crop(layout: SlipLayout) -> bytes:
    """The picture of an empty slip: its circles alone."""
    picture = Image.new("L", (round(layout.width * _PIXELS), round(layout.height * _PIXELS)), 240)
    pen = ImageDraw.Draw(picture)
    for row in layout.rows:
        for circle in row.circles:
            box = [
                (circle.x - RADIUS) * _PIXELS,
                (circle.y - RADIUS) * _PIXELS,
                (circle.x + RADIUS) * _PIXELS,
                (circle.y + RADIUS) * _PIXELS,
            ]
            pen.ellipse(box, outline=120)
    file = BytesIO()
    picture.save(file, "JPEG")
    return file.getvalue()
