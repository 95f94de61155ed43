"""Figures: tables of ratios with their goals, as they stand in docs/performance.md."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest


@dataclass(frozen=True)
class Figure:
    """One table: a title, what its columns say, and its rows."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    def __str__(self) -> str:
        """The table as Markdown, aligned to be read as it is."""
        lines = [self.columns, *self.rows]
        widths = [max(map(len, column)) for column in zip_longest(*lines, fillvalue="")]
        header, *rows = [_line(line, widths) for line in lines]
        rule = _line(["-" * width for width in widths], widths)
        note = [self.note, ""] if self.note else []
        return "\n".join([f"### {self.title}", "", *note, header, rule, *rows])


def _line(cells: Sequence[str], widths: Iterable[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"


def times(ratio: float) -> str:
    """A ratio: ``2.31 x``, and ``23 x`` where more digits would say nothing."""
    return f"{ratio:.2f} x" if ratio < 10 else f"{ratio:.0f} x"


def verdict(*, reached: bool) -> str:
    """Whether a goal is reached."""
    return "yes" if reached else "**no**"


def page(figures: Iterable[Figure], heading: Sequence[str]) -> str:
    """All tables below what was measured, when and where."""
    return "\n\n".join(chain(["\n".join(heading)], map(str, figures)))
