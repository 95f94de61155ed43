"""Codes that people read and type, of letters and digits that are not mistaken for each other.

A letter of a code is worth 4.9 bits.
"""

from typing import Final

from django.utils.crypto import get_random_string

ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No 0 and O, no 1, I and L, and no U, which is taken for V."""
_GROUP: Final = 4


def random_code(length: int) -> str:
    """Return a random code."""
    return get_random_string(length, ALPHABET)


def group_code(code: str) -> str:
    """Return a code as it is shown, in groups of four: ``ABCD-EFGH``."""
    return "-".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP))


def normalize_code(typed: str) -> str:
    """Return the code that somebody typed, in whatever case, with blanks and dashes."""
    return "".join(letter for letter in typed.upper() if letter in ALPHABET)
