"""Fields that the columns of a table may hold, and which columns hold them by their headings."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.core.messages import NO_MESSAGE, Message
from tournaments.core.name_folding import fold_text
from tournaments.tables.input_model import Cell, cell_text

NAMES: Final = frozenset(["name", "full", "first", "surname"])
"""The fields of which every table has one."""
TOTALS: Final = frozenset(
    [
        *("total", "totals", "grand total", "sum", "sums", "average", "mean"),
        *("summe", "summen", "gesamt", "gesamtsumme", "insgesamt", "durchschnitt", "mittelwert"),
    ]
)
"""Headings of columns, and first cells of rows, that sum up others."""
_NOT_WORDS: Final = re.compile(r"[\W_]+")


class FieldKind(StrEnum):
    """The kind of the cells of a field; days and numbers may have to be asked about."""

    TEXT = "text"
    DAY = "day"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportField:
    """A field that a column may hold: its key, its name, and what people write above it.

    ``is_repeated``: several columns may hold it, such as the nights of a season. ``matches``:
    whether a heading that is none of ``headings`` is one of this field all the same.
    ``is_check``: it is only compared, so that nothing depends on what cannot be read of it.
    ``fills_down``: it may stand once for the rows below it. ``short``: its name where there is
    little room, if the name is long.
    """

    key: str
    label: Message
    headings: tuple[str, ...] = ()
    kind: FieldKind = FieldKind.TEXT
    is_repeated: bool = False
    matches: Callable[[Cell], bool] | None = None
    is_check: bool = False
    fills_down: bool = False
    short: Message = NO_MESSAGE

    @property
    def badge(self) -> Message:
        """The short name, if there is one, else the name."""
        return self.short or self.label


def fold_heading(cell: Cell) -> str:
    """Fold a heading: without case, accents and signs.

    >>> fold_heading("E-Mail-Adresse"), fold_heading("Mitglieds-Nr."), fold_heading("Straße *")
    ('e mail adresse', 'mitglieds nr', 'strasse')
    """
    return " ".join(_NOT_WORDS.sub(" ", fold_text(cell_text(cell))).split())


def map_columns(
    header: Sequence[Cell], fields: Sequence[ImportField], chosen: Mapping[int, str]
) -> dict[str, tuple[int, ...]]:
    """Return the columns of each field: as chosen, else as the headings say, each field once."""
    known = {name: field for field in fields for name in field.headings}
    found: dict[str, list[int]] = {}
    for column, key in sorted(chosen.items()):
        if key:
            found.setdefault(key, []).append(column)
    open_columns = [
        (column, cell)
        for column, cell in enumerate(header, 1)
        if column not in chosen and cell != ""
    ]
    guessed = [(column, known.get(fold_heading(cell))) for column, cell in open_columns]
    guessed += [
        (column, next((field for field in fields if field.matches and field.matches(cell)), None))
        for (column, cell), (_column, guess) in zip(open_columns, guessed, strict=True)
        if guess is None
    ]
    for column, one in guessed:
        if one is not None and (one.is_repeated or one.key not in found):
            found.setdefault(one.key, []).append(column)
    return {key: tuple(sorted(columns)) for key, columns in found.items()}
