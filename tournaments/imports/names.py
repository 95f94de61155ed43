"""Cells of an imported table that say who a row is about: whole names, parts of names, numbers.

Clubs keep lists with one column for the whole name or with one for the first name and one for the
surname, and "Name" means the surname where a column of first names stands beside it.
"""

import re
from collections.abc import Collection, Mapping
from typing import Final

from engine.core.messages import Message
from engine.core.player_names import PlayerNameError, clean_name, mend_name
from tournaments.imports.headings import NAME_FIELDS
from tournaments.imports.table import ImportRow

_NUMBER: Final = re.compile(r"0*([1-9][0-9]{0,8})(?:[.,]0+)?", re.ASCII)
_ADDRESS: Final = re.compile(r"<[^<>]*>|\(?[^\s<>()]+@[^\s<>()]+\)?")
_HIDDEN: Final = r"\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
"""Characters that nobody sees; `clean_name` refuses them."""
_LEADING: Final = re.compile(
    r"^(?:\s*(?:#?[0-9]{1,4}\s*[.):\ufe0f\u20e3]+|#?[0-9]{1,4}\s+(?=[^\W\d])|[a-z]\)\s|\[[ xX]?\]"
    rf"|[^\w\s\"'(\u2018\u2019\u201c\u201e\u00ab{_HIDDEN}]))+\s*"
)
_TRAILING: Final = re.compile(rf"[^\w.)\"'\u2019\u201c\u201d\u00bb{_HIDDEN}]+$")
_TELEPHONE: Final = re.compile(r"(?:\s|^)[+(]*[0-9][0-9 ()/-]{5,}$")
_QUOTES: Final = {'"': '"', "'": "'", "\u201c": "\u201d", "\u201e": "\u201c", "\u00ab": "\u00bb"}
PARTICLES: Final = frozenset(
    [
        *("af", "al", "av", "da", "de", "del", "della", "den", "der", "di", "do", "dos", "du"),
        *("el", "la", "le", "st", "st.", "te", "ten", "ter", "van", "vom", "von", "zu", "zum"),
        *("zur", "'t", "mac", "ben", "ibn"),
    ]
)
"""Words that begin surnames of more than one word."""
_APART: Final = re.compile(r"(.*\S) \(([1-9][0-9]{0,8})\)", re.ASCII)


def strip_pasted(text: str) -> tuple[str, str]:
    """Split a name out of a mail or a chat into the name and the address beside it.

    Bullets, numbering, ticks, signs of quoting, quotes, pictures and telephone numbers go.

    >>> strip_pasted('> 3) "Anna Berg" <anna@club.example>')
    ('Anna Berg', 'anna@club.example')
    >>> strip_pasted("- [x] Bo Holm \U0001f44d"), strip_pasted("Cy Dell (7)")
    (('Bo Holm', ''), ('Cy Dell (7)', ''))
    """
    address = _ADDRESS.search(text)
    bare = _LEADING.sub("", _ADDRESS.sub(" ", text), count=1)
    bare = _TRAILING.sub("", _TELEPHONE.sub("", bare).strip()).strip()
    if len(bare) > 1 and _QUOTES.get(bare[0]) == bare[-1]:
        bare = bare[1:-1].strip()
    email = address[0].strip("<>() ,;").removeprefix("mailto:") if address else ""
    return bare, email if "@" in email else ""


def turn_surname(name: str) -> str:
    """Put the first name first in a name that begins with the surname and has no comma.

    >>> turn_surname("Jansen Anna Maria"), turn_surname("van den Berg Anna"), turn_surname("Jansen")
    ('Anna Maria Jansen', 'Anna van den Berg', 'Jansen')
    """
    words = name.split()
    if "," in name or len(words) < 2:
        return name
    at = next((at for at, word in enumerate(words[:-2]) if word.lower() not in PARTICLES), None)
    end = len(words) - 1 if at is None else at + 1
    return " ".join([*words[end:], *words[:end]])


def missing_name(keys: Collection[str]) -> str:
    """Why the columns of a table do not give one whole name, or nothing."""
    if {"name", "full"} <= set(keys) and not {"first", "surname"} & set(keys):
        return Message("Two columns have the whole name; one must go.")
    if {"name", "full", "first", "surname_first"} & set(keys):
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
    if "@" in name or not row.table.header.cells:
        name, _address = strip_pasted(name)
    try:
        return clean_name(name)
    except PlayerNameError as error:
        row.refuse(error.message, keys[0])
        return mend_name(name)


def address_in(row: ImportRow) -> str:
    """The address beside the name in a row, as mails have it; empty for none."""
    texts = (row.text(one.key) for one in NAME_FIELDS if one.key in row.table.columns)
    return next((address for text in texts if (address := strip_pasted(text)[1])), "")


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
    whole = whole or turn_surname(cells.get("surname_first", ""))
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
    match = _NUMBER.fullmatch(text)
    return int(match[1]) if match else None


def split_number(name: str) -> tuple[str, int | None]:
    """Split a name as pages and files tell namesakes apart into the name and the number.

    >>> split_number("Anna Jansen (7)"), split_number("Anna Jansen")
    (('Anna Jansen', 7), ('Anna Jansen', None))
    """
    match = _APART.fullmatch(name)
    return (match[1], int(match[2])) if match else (name, None)
