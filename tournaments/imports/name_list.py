"""Lists of names as people paste or bring them: a name a line, with commas, or a table.

A text is read generously, since a director has it from a mail, a chat or a spreadsheet. Whom the
names mean is asked of the members' roll; nothing is written here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.core.messages import Message
from engine.core.player_names import PlayerNameError, clean_name, name_key
from tournaments.core.errors import RefusedError
from tournaments.core.name_folding import fold_text
from tournaments.imports.headings import NAME_FIELDS
from tournaments.imports.names import (
    PARTICLES,
    missing_name,
    name_in,
    read_number,
    split_number,
    strip_pasted,
)
from tournaments.imports.roll import ImportedMember, MemberRoll
from tournaments.imports.table import ImportTable, TableSettings, open_import
from tournaments.models import Person
from tournaments.models.limits import max_length
from tournaments.tables.csv_reader import decode_text
from tournaments.tables.input_model import CellRemark, FileFormat, TableError, cell_text, sniff

NAMES_MAX: Final = 500
"""How many names are read at a time."""
_NAME_MAX: Final = max_length(Person, "name")
_NOT_A_NAME: Final = re.compile(r"[^\w]*|[\W\d]+|\S+@\S+")
_QUOTED: Final = re.compile(r'"([^",;<>]+),\s*([^",;<>]+)"')
"""A name as mail programs write it: "Berg, Anna" <anna@club.example>."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedName:
    """A name in a list: the line where it stands, from 1, and the member number beside it."""

    line: int
    name: str
    number: int | None = None

    @property
    def text(self) -> str:
        """The name as a list has it that is read again."""
        return self.name if self.number is None else f"{self.name} ({self.number})"


@dataclass(frozen=True, slots=True, kw_only=True)
class NameList:
    """The names of a list in their order, and what could not be read as one."""

    names: tuple[ListedName, ...]
    remarks: tuple[CellRemark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NameMatch:
    """The people whom a listed name may mean.

    ``members``: those of just this name; ``similar``: those of nearly this name, where nobody has
    just this one. ``repeats``: the line of the same name further up, else 0.
    """

    listed: ListedName
    members: tuple[ImportedMember, ...] = ()
    similar: tuple[ImportedMember, ...] = ()
    repeats: int = 0

    @property
    def is_clear(self) -> bool:
        """Whether nobody has to be asked who is meant."""
        return len(self.members) <= 1 and not self.similar and not self.repeats


def read_name_list(data: bytes, file_name: str = "") -> NameList:
    r"""Read a list of names from a text or a table in a file. Raises RefusedError.

    A table has a heading that names a column; any other text has names with line breaks, commas
    or semicolons between them, and "Adler; Ada" is Ada Adler.

    >>> [one.name for one in read_name_list("Ada Adler, Bob Baker\nCohen; Carl".encode()).names]
    ['Ada Adler', 'Bob Baker', 'Carl Cohen']
    """
    try:
        found = _read(data, file_name)
    except TableError as error:
        raise RefusedError(error.message, "names") from error
    if not found.names:
        raise RefusedError(Message("There is no name in the list."), "names")
    if len(found.names) > NAMES_MAX:
        words = Message("The list has more than {most} names.", most=NAMES_MAX)
        raise RefusedError(words, "names")
    return found


def _read(data: bytes, file_name: str) -> NameList:
    if not data.strip():
        return NameList(names=())
    is_packed = sniff(data) is FileFormat.PACKED
    heading = 0
    try:
        table = open_import(data, NAME_FIELDS, TableSettings(), file_name)
    except RefusedError:
        if is_packed:
            raise
    else:
        headings = sum(cell != "" for cell in table.header.cells)
        if table.columns and (is_packed or headings > 1):
            missing = missing_name(table.columns.keys())
            if not missing:
                return _read_table(table)
            # Somebody's surname may be "Last"; then the other word beside it is no heading.
            if is_packed or sum(map(len, table.columns.values())) == headings:
                raise RefusedError(missing, "names")
        # One column: the commas in it stand between names as well.
        heading = table.header.line if table.columns and headings == 1 else 0
    if is_packed:
        table = open_import(data, NAME_FIELDS, TableSettings(header_row=0), file_name)
        rows = [(row.line, "\t".join(map(cell_text, row.cells))) for row in table.rows()]
    else:
        rows = list(enumerate(decode_text(data).text.splitlines(), 1))
    return _read_lines([row for row in rows if row[0] != heading])


def _read_table(table: ImportTable) -> NameList:
    names: list[ListedName] = []
    remarks: list[CellRemark] = []
    key = next(one.key for one in NAME_FIELDS if one.key in table.columns)
    for row in table.rows():
        if row.is_total:
            continue
        whole, number = split_number(_turn_name(name_in(row)))
        if not whole:
            row.refuse(Message("there is no name"), key)
        elif len(whole) > _NAME_MAX:
            row.refuse(_too_long(), key)
        if row.problems:
            remarks += row.problems
            continue
        number = read_number(row.text("number")) or number
        names.append(ListedName(line=row.line, name=whole, number=number))
    return NameList(names=tuple(names), remarks=tuple(remarks))


def _turn_name(name: str) -> str:
    """Put the first name first.

    >>> _turn_name("Grün, Zoë"), _turn_name("Zoë Grün")
    ('Zoë Grün', 'Zoë Grün')
    """
    last, _comma, first = name.partition(",")
    return " ".join(f"{first} {last}".split())


def _too_long() -> Message:
    return Message("the name has more than {most} letters", most=_NAME_MAX)


def _read_lines(rows: Sequence[tuple[int, str]]) -> NameList:
    names: list[ListedName] = []
    remarks: list[CellRemark] = []
    lines = [(number, _strip_line(text)) for number, text in rows]
    is_turned = {sign: _has_surnames_first([text for _, text in lines], sign) for sign in ";,"}
    for number, text in lines:
        for name in _names_in(text, is_turned):
            try:
                whole, member = split_number(clean_name(name))
            except PlayerNameError as error:
                remarks.append(CellRemark(number, 0, error.message))
                continue
            if len(whole) > _NAME_MAX:
                remarks.append(CellRemark(number, 0, _too_long()))
            else:
                names.append(ListedName(line=number, name=whole, number=member))
    return NameList(names=tuple(names), remarks=tuple(remarks))


def _strip_line(text: str) -> str:
    """A line without what a mail or a chat puts around each of its names."""
    text = _QUOTED.sub(r"\2 \1", text)
    parts = re.split(r"([;,\t])", text)
    return "".join(
        [strip_pasted(part)[0] if at % 2 == 0 else part for at, part in enumerate(parts)]
    )


def _parts(text: str, sign: str) -> list[str]:
    parts = (" ".join(part.split()) for part in text.split(sign))
    return [part for part in parts if part and not _NOT_A_NAME.fullmatch(part)]


def _has_surnames_first(lines: Sequence[str], sign: str) -> bool:
    """Whether a sign stands between surname and first name in most lines that have it."""
    pairs = [parts for line in lines if len(parts := _parts(line, sign)) > 1]
    turned = [
        parts for parts in pairs if len(parts) == 2 and not all(" " in part for part in parts)
    ]
    return len(pairs) > 1 and len(turned) * 2 > len(pairs) and len(turned) > 1


def _names_in(text: str, is_turned: dict[str, bool]) -> Iterator[str]:
    cells = _parts(text, "\t")
    if not cells:
        return
    # A row out of a spreadsheet has the whole name in one cell, or its parts in two.
    is_whole = len(cells) == 1 or any(sign in cells[0] for sign in " ,;")
    text = cells[0] if is_whole else f"{cells[0]} {cells[1]}"
    sign = ";" if ";" in text else ","
    parts = _parts(text, sign)
    if len(parts) == 2 and _is_surname_first(parts, is_turned=is_turned[sign]):
        yield f"{parts[1]} {parts[0]}"
    else:
        for part in parts:
            yield from _names_in(part, is_turned) if sign == ";" and "," in part else [part]


def _is_surname_first(parts: Sequence[str], *, is_turned: bool) -> bool:
    """Whether two parts of a line are a surname and a first name, and not two people."""
    last, first = parts
    if " " in last and " " in first:
        return is_turned and last.split()[0].lower() in PARTICLES
    return is_turned or " " not in last or last.split()[0].lower() in PARTICLES


def match_names(names: Sequence[ListedName], roll: MemberRoll) -> list[NameMatch]:
    """Find whom each name may mean, in the order of the list."""
    lines: dict[tuple[str, int | None], int] = {}
    found = []
    for name in names:
        key = (fold_text(name_key(name.name)), name.number)
        members = roll.members_named(name.name)
        numbered = [each for each in members if name.number in each.numbers]
        members = numbered or members
        found.append(
            NameMatch(
                listed=name,
                members=tuple(members),
                similar=() if members else tuple(roll.members_like(name.name)),
                repeats=lines.setdefault(key, name.line) if key in lines else 0,
            )
        )
        lines.setdefault(key, name.line)
    return found
