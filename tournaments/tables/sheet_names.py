"""Names of worksheets as every spreadsheet takes them."""

from collections.abc import Container

from tournaments.tables.cells import readable

MOST = 31
"""Characters in the name of a worksheet, counted as Excel does, in halves of UTF-16."""
_FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\", " "))


def sheet_name(title: str, taken: Container[str]) -> str:
    """Make a name of a title; ``taken``: names that the file has already, in small letters."""
    words = " ".join(readable(title).translate(_FORBIDDEN).split()).strip("' ") or "Sheet"
    number, name = 1, _cut(words, MOST)
    while name.lower() in taken or name.lower() == "history":
        number += 1
        ending = f" ({number})"
        name = _cut(words, MOST - len(ending)) + ending
    return name


def _cut(words: str, most: int) -> str:
    while len(words.encode("utf-16-le")) > 2 * most:
        words = words[:-1]
    return words.rstrip("' ")
