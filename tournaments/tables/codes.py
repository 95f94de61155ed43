"""QR codes, drawn as squares, with the white border that readers need."""

from functools import lru_cache

import segno

from tournaments.tables.press import Press

QUIET = 4
"""Squares of white around a code (ISO/IEC 18004)."""


def draw_code(press: Press, at: tuple[float, float], side: float, url: str) -> None:
    """Draw the code of an address into a square, its white border included."""
    matrix = _matrix(url)
    count = len(matrix)
    unit = side / (count + 2 * QUIET)
    press.fill(at, (side, side), 0xFFFFFF)
    press.modules((at[0] + QUIET * unit, at[1] + QUIET * unit), count * unit, matrix)


def squares(url: str) -> tuple[int, str]:
    """The code of an address for a page: its side in squares, and the path of the dark ones (SVG).

    The white border is counted in.
    """
    matrix = _matrix(url)
    path = "".join(
        f"M{column + QUIET} {row + QUIET}h1v1h-1z"
        for row, line in enumerate(matrix)
        for column, is_dark in enumerate(line)
        if is_dark
    )
    return len(matrix) + 2 * QUIET, path


@lru_cache(maxsize=1 << 10)
def _matrix(url: str) -> tuple[bytearray, ...]:
    """Make a code once for card and slip; as sure as may be without smaller squares."""
    return segno.make(url, error="m", micro=False, boost_error=True).matrix
