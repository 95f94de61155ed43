"""How a reader's language says what writers add to a table: words, and the decimal sign."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime


def _iso_moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M %Z}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLocale:
    """A language: its ``code``, such as "de", and how numbers and `Message`s are said in it.

    ``say_moment`` writes a moment by its own clock, as people of that language do.
    """

    code: str = "en"
    decimal_sign: str = "."
    say: Callable[[str], str] = str
    say_moment: Callable[[datetime], str] = _iso_moment


ENGLISH = TableLocale()
