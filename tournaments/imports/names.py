"""Cells of an imported table that say who a row is about: whole names, parts of names, numbers.

Clubs keep lists with one column for the whole name or with one for the first name and one for the
surname, and "Name" means the surname where a column of first names stands beside it.
"""

import re
from collections.abc import Collection, Mapping
from typing import Final

from engine.messages import Message
from engine.player_names import PlayerNameError, clean_name, mend_name
from tournaments.imports.headings import NAME_FIELDS
from tournaments.imports.table import ImportRow

_NUMBER: Final = re.compile(r"0*([1-9][0-9]{0,8})(?:[.,]0+)?", re.ASCII)
_APART: Final = re.compile(r"(.*\S) \(([1-9][0-9]{0,8})\)", re.ASCII)


def missing_name(keys: Collection[str]) -> str:
    """Why the columns of a table do not give one whole name, or nothing."""
    if {"name", "full"} <= set(keys) and not {"first", "surname"} & set(keys):
        return Message("Two columns have the whole name; one must go.")
    if {"name", "full", "first"} & set(keys):
        return ""
    if "surname" in keys:
        return Message("There is a column of surnames, but none of first names or whole names.")
    return Message(
        "No column has the name. Say which one has it, or which two have the first name and the "
        "surname."
    )


def name_in(row: ImportRow) -> str:
    """The whole name in a row; a character that no name may have is noted in the row."""
    keys = [one.key for one in NAME_FIELDS if one.key in row.table.columns]
    name = read_name({key: row.text(key) for key in keys})
    try:
        return clean_name(name)
    except PlayerNameError as error:
        row.refuse(error.message, keys[0])
        return mend_name(name)


def read_name(cells: Mapping[str, str]) -> str:
    """Return the whole name in a row, with the first name first where it stands apart.

    >>> read_name({"name": "Grün", "first": "Zoë"})
    'Zoë Grün'
    >>> read_name({"name": "Zoë Grün", "first": "Zoë"})
    'Zoë Grün'
    >>> read_name({"name": "Grün, Zoë"})
    'Grün, Zoë'
    """
    whole, name = cells.get("full", ""), cells.get("name", "")
    first, surname = cells.get("first", ""), cells.get("surname", "")
    has_parts = ("first" in cells, "surname" in cells)
    if has_parts == (True, False):
        surname = name
    elif has_parts == (False, True):
        first = name
    else:
        whole = whole or name
    if not whole and surname.startswith(f"{first} ") and first:
        whole = surname
    if not whole and "," in surname:
        # "Grün, Zoë" beside "Zoë" is a whole name already.
        last, _, rest = surname.partition(",")
        surname, whole = (last, surname) if rest.strip() == first else (surname, "")
    return whole or f"{first} {surname}".strip()


def read_number(text: str) -> int | None:
    """Return a member number of at most nine digits; None where the text is not one.

    >>> read_number("0017"), read_number("17.0"), read_number("A-17"), read_number("")
    (17, 17, None, None)
    """
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found else None


def split_number(name: str) -> tuple[str, int | None]:
    """Split a name as pages and files tell namesakes apart into the name and the number.

    >>> split_number("Anna Jansen (7)"), split_number("Anna Jansen")
    (('Anna Jansen', 7), ('Anna Jansen', None))
    """
    found = _APART.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, None)
