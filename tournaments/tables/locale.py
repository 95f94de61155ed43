"""How a reader's language says what writers add to a table: words, and the decimal sign."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLocale:
    """A language: its ``code``, such as "de", and how numbers and `Message`s are said in it."""

    code: str = "en"
    decimal_sign: str = "."
    say: Callable[[str], str] = str


ENGLISH = TableLocale()
