"""Figures: tables of ratios with their goals, as they stand in docs/performance.md."""

import os
import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, zip_longest
from pathlib import Path
from typing import Final

END: Final = "<!-- figures of the service: end -->"
"""Above this line of the page new tables are added."""
_TABLE: Final = re.compile(r"(^\|.*\n)+", re.MULTILINE)
_HEADING: Final = re.compile("^(#|<!--)", re.MULTILINE)


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


def write_into(path: Path, figure: Figure, command: str) -> None:
    """Put a figure into a page of the documentation, with the command that measured it."""
    words = [
        f"`{command}`, {datetime.now(tz=UTC).date().isoformat()}",
        f"{os.cpu_count()} cores, {processor()}",
        f"{platform.python_implementation()} {platform.python_version()}",
    ]
    text = put_into_page(path.read_text(encoding="utf-8"), figure, f"({'; '.join(words)}.)")
    path.write_text(text, encoding="utf-8")


def processor() -> str:
    """Return the class of machine."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def put_into_page(page: str, figure: Figure, told: str) -> str:
    """Replace the table with a figure's title by the figure, or add it before `END`.

    What stands below a table stays; ``told`` says above it when it was measured.
    """
    head, note_and_table = str(figure).split("\n", 1)
    new = f"{head}\n\n{told}\n{note_and_table}\n"
    start = page.find(f"{head}\n")
    if start < 0:
        return page.replace(END, f"{new}\n{END}", 1)
    following = _HEADING.search(page, start + len(head))
    end = following.start() if following else len(page)
    table = _TABLE.search(page, start, end)
    below = table.end() if table else start + len(head) + 1
    return f"{page[:start]}{new}{page[below:]}"


def page(figures: Iterable[Figure], heading: Sequence[str]) -> str:
    """All tables below what was measured, when and where."""
    return "\n\n".join(chain(["\n".join(heading)], map(str, figures)))
