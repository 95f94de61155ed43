"""What a printed file shows: its words, and the codes that a camera finds on it."""

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import pypdfium2
import zxingcpp

PICTURES: Final = Path(__file__).parents[3] / "build" / "screenshots"


@dataclass(frozen=True, slots=True)
class Page:
    """One page; ``codes``: the addresses in its QR codes, from the top."""

    text: str
    codes: tuple[str, ...]
    size: tuple[int, int]


def pages(data: bytes, *, scanned: bool = False) -> list[Page]:
    """Open a file with another program's reader, and look for codes if asked to."""
    with pypdfium2.PdfDocument(data) as paper:
        return [_page(page, scanned=scanned) for page in paper]


def keep_pictures(data: bytes, name: str) -> None:
    """Keep the first two pages as pictures for people to look at, in build/screenshots."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with pypdfium2.PdfDocument(data) as paper:
        for number in range(min(2, len(paper))):
            picture = paper[number].render(scale=1.5).to_pil()
            picture.save(PICTURES / f"paper-{name}-{number + 1}.png")


@dataclass(frozen=True, slots=True)
class TextBox:
    """A run of letters on a page, and where it stands, in points from the lower left corner."""

    text: str
    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: "TextBox") -> bool:
        """Whether letters of both are printed over each other; that boxes touch is no harm."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return width > 1 and height > 1


def badly_placed(data: bytes, margin: float = 15) -> list[str]:
    """What of a file is too near to the edge of a page, or printed over something else."""
    found = []
    with pypdfium2.PdfDocument(data) as paper:
        for page in paper:
            width, height = page.get_size()
            boxes = sorted(_boxes(page), key=lambda box: box.left)
            found += [
                f"at the edge: {box.text}"
                for box in boxes
                if min(box.left, box.bottom, width - box.right, height - box.top) < margin
            ]
            found += [
                f"{one.text} over {other.text}"
                for one, other in combinations(boxes, 2)
                if one.overlaps(other)
            ]
    return found


def letter_size(data: bytes, words: str) -> float:
    """The size of the letters in which some words are first printed, in points."""
    with pypdfium2.PdfDocument(data) as paper:
        for page in paper:
            text = page.get_textpage()
            if (found := text.search(words).get_next()) is not None:
                return float(pypdfium2.raw.FPDFText_GetFontSize(text, found[0]))
    raise AssertionError(f"not printed: {words}")


def _boxes(page: pypdfium2.PdfPage) -> list[TextBox]:
    text = page.get_textpage()
    places = [text.get_rect(number) for number in range(text.count_rects())]
    return [TextBox(text.get_text_bounded(*place), *place) for place in places]


def _page(page: pypdfium2.PdfPage, *, scanned: bool) -> Page:
    codes: list[str] = []
    if scanned:
        found = zxingcpp.read_barcodes(page.render(scale=2).to_pil())
        codes = [code.text for code in sorted(found, key=lambda code: code.position.top_left.y)]
    width, height = page.get_size()
    return Page(page.get_textpage().get_text_range(), tuple(codes), (round(width), round(height)))
