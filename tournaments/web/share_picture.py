"""Pictures that chats show of shared pages, in the letters of printed sheets.

They are for everybody who may see the link: whoever makes one asks as a stranger.
"""

from collections.abc import Callable, Sequence
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse

from tournaments.core.entity_tags import tag_of
from tournaments.tables import lettering

if TYPE_CHECKING:
    from PIL import ImageFont

WIDTH: Final = 1200
HEIGHT: Final = 630
_MARGIN: Final = 60
_FELT, _INK, _SOFT, _GOLD, _SHEET = "#143f33", "#ffffff", "#b9d3c8", "#f4c352", "#1f5e4b"
_CARD, _BLACK, _RED = "#fffdf7", "#1d2526", "#b00d24"
_LEAST: Final = 22
"""Pixels of the smallest letters; what is longer is cut."""
_SECONDS: Final = 60
"""So long may others keep a picture: what is hidden is hidden a minute later."""


class Step(NamedTuple):
    """A place of a podium: ``place`` is 1 to 3, ``label`` as it is written."""

    place: int
    label: str
    name: str
    total: str


class Holding(NamedTuple):
    """The cards of somebody, such as ``SA`` and ``HT``, in their order."""

    name: str
    cards: Sequence[str]


def picture_response(
    request: HttpRequest, facts: object, draw: Callable[[], bytes | None]
) -> HttpResponse:
    """Return a picture, drawn once for the same facts. Raises Http404 where none can be drawn."""
    tag = tag_of(facts)
    if request.headers.get("If-None-Match") == tag:
        return HttpResponse(status=304, headers={"ETag": tag})
    image = caches["pages"].get_or_set(f"share-{tag}", lambda: draw() or b"")
    if not image:
        raise Http404
    kept = f"public, max-age={_SECONDS}"
    return HttpResponse(
        image, content_type="image/png", headers={"ETag": tag, "Cache-Control": kept}
    )


def draw_podium(title: str, about: str, steps: Sequence[Step]) -> bytes | None:
    """Draw the first three of a night as PNG; None for letters that only a browser can shape.

    Where more than three share these places, the first three of them stand there.
    """
    shown = sorted(steps, key=lambda step: step.place)[:3]
    if not _can_draw(title, about, *(part for step in shown for part in (step.name, step.total))):
        return None
    picture = _Picture(title, about)
    width, gap = 340, 30
    for step, column in zip(shown, (1, 0, 2), strict=False):
        height = {1: 300, 2: 240}.get(step.place, 200)
        left = _MARGIN + column * (width + gap)
        top = HEIGHT - height
        is_first = step.place == 1
        ink = _BLACK if is_first else _INK
        picture.box((left, top, left + width, HEIGHT + 20), _GOLD if is_first else _SHEET)
        middle, room = left + width // 2, width - 30
        picture.write((middle, top + 20), step.label, 80, ink, room, bold=True, is_centred=True)
        picture.write((middle, top + 115), step.name, 44, ink, room, bold=True, is_centred=True)
        picture.write((middle, top + 170), step.total, 34, ink, room, is_centred=True)
    return picture.png()


def draw_deal(title: str, about: str, hands: Sequence[Holding]) -> bytes | None:
    """Draw who held which cards as PNG; None for letters that only a browser can shape."""
    if not _can_draw(title, about, *(hand.name for hand in hands)):
        return None
    picture = _Picture(title, about)
    most = max((len(hand.cards) for hand in hands), default=1)
    row = min(100, (HEIGHT - 190) // max(len(hands), 1))
    step = min(62, (WIDTH - 2 * _MARGIN - 300) // most)
    for number, hand in enumerate(hands):
        top = 180 + number * row
        picture.write((_MARGIN, top + row // 2 - 24), hand.name, 36, _INK, 280, bold=True)
        for place, card in enumerate(hand.cards):
            left = _MARGIN + 300 + place * step
            picture.card((left, top, left + step - 4, top + row - 10), card)
    return picture.png()


def _can_draw(*texts: str) -> bool:
    """Tell whether each piece of the texts has letters that need no shaping of their own."""
    used = {piece.font for text in texts for piece in lettering.pieces(text)}
    return used <= {lettering.REGULAR, lettering.BOLD, lettering.LAST}


@cache
def _font(name: str, size: int) -> "ImageFont.FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415 (1 MB, for the few who share a page)

    basic = ImageFont.Layout.BASIC  # the runs are in the order of drawing already
    return ImageFont.truetype(lettering.FOLDER / f"{name}.ttf", size, layout_engine=basic)


class _Picture:
    """A felt with two lines at its top."""

    def __init__(self, title: str, about: str) -> None:
        from PIL import Image, ImageDraw  # noqa: PLC0415 (as above)

        self._image = Image.new("RGB", (WIDTH, HEIGHT), _FELT)
        self._draw = ImageDraw.Draw(self._image)
        room = WIDTH - 2 * _MARGIN
        self.write((_MARGIN, 45), title, 60, _INK, room, bold=True)
        self.write((_MARGIN, 122), about, 34, _SOFT, room)

    def box(self, edges: tuple[int, int, int, int], colour: str) -> None:
        self._draw.rounded_rectangle(edges, radius=14, fill=colour)

    def card(self, edges: tuple[int, int, int, int], code: str) -> None:
        """Draw a card: its rank above its suit."""
        self.box(edges, _CARD)
        left, top, right, bottom = edges
        ink = _RED if code[0] in "HD" else _BLACK
        size = min(36, (bottom - top) * 2 // 5, (right - left) * 3 // 4)
        sign = dict(zip("SHDC", "♠♥♦♣", strict=True))[code[0]]
        middle, room = (left + right) // 2, right - left
        for text, at in ((code[1].replace("T", "10"), top + 4), (sign, (top + bottom) // 2)):
            self.write((middle, at), text, size, ink, room, bold=True, is_centred=True)

    def write(
        self,
        at: tuple[int, int],
        text: str,
        size: int,
        colour: str,
        room: int,
        *,
        bold: bool = False,
        is_centred: bool = False,
    ) -> None:
        """Write a line below a point; smaller where there is no room, and cut at last."""
        while lettering.width_of(text, size, bold=bold) > room and size > _LEAST:
            size -= 1
        while lettering.width_of(text, size, bold=bold) > room and len(text) > 1:
            text = f"{text.rstrip('…')[:-1]}…"
        x = float(at[0])
        if is_centred:
            x -= lettering.width_of(text, size, bold=bold) / 2
        for piece in lettering.pieces(text, bold=bold):
            self._draw.text((x, at[1]), piece.text, font=_font(piece.font, size), fill=colour)
            x += piece.width * size

    def png(self) -> bytes:
        made = BytesIO()
        self._image.save(made, "PNG", optimize=True)
        return made.getvalue()
