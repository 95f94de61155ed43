"""What a printed file shows: its words, and the codes that a camera finds on it."""

from dataclasses import dataclass

import pypdfium2
import zxingcpp


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


def _page(page: pypdfium2.PdfPage, *, scanned: bool) -> Page:
    codes: list[str] = []
    if scanned:
        found = zxingcpp.read_barcodes(page.render(scale=2).to_pil())
        codes = [code.text for code in sorted(found, key=lambda code: code.position.top_left.y)]
    width, height = page.get_size()
    return Page(page.get_textpage().get_text_range(), tuple(codes), (round(width), round(height)))
