"""Name folding: names and titles reduced to plain letters for search and matching.

Search, the check-in list and the matching of imported names compare folded texts, so that case,
accents and special letters (ł, ø, ß ...) make no difference. No database is asked to do it.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from engine.core.player_names import name_key

_STORED: Final = 800
"""Characters that are stored of a folded name."""

# Letters that Unicode does not decompose, as people type them on a keyboard without them.
_SPELLED: Final = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i", "ȷ": "j", "ŋ": "n", "ĸ": "k",
    "ə": "e", "ǝ": "e", "ɛ": "e", "ɔ": "o", "ɣ": "g", "ɩ": "i", "ʊ": "u", "ʃ": "s", "ʒ": "z",
    "ƿ": "w", "ȝ": "gh", "ꜳ": "aa", "ꜵ": "ao", "ꜷ": "au", "ꜹ": "av", "ꜽ": "ay", "ꝏ": "oo",
    "ȣ": "ou", "ꝛ": "r", "ƕ": "hv", "ς": "σ", "·": "",
    **dict.fromkeys("ʻʼʹ’‘‛`´′", "'"),
    **dict.fromkeys("‐–—−", "-"),
}  # fmt: skip
# "LATIN SMALL LETTER L WITH STROKE" is an l, "... B WITH HOOK" a b.
_MARKED: Final = re.compile(r"LATIN (?:SMALL|CAPITAL) LETTER ([A-Z]{1,2}) WITH ")
_LATIN: Final = (
    (0xC0, 0x250),
    (0x250, 0x2B0),
    (0x1E00, 0x1F00),
    (0x2C60, 0x2C80),
    (0xA720, 0xA800),
)


def _marked_letters() -> Iterator[tuple[str, str]]:
    """Latin letters whose mark is a part of the letter, with the letter beneath."""
    for first, end in _LATIN:
        for letter in map(chr, range(first, end)):
            match = _MARKED.match(unicodedata.name(letter, ""))
            if match and _without_marks(letter.casefold()) == letter:
                yield letter, match[1].lower()


def _without_marks(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


LETTERS: Final = dict(_marked_letters()) | _SPELLED
"""What is typed for a lower-case letter that Unicode does not decompose; pages use it as well."""
_TABLE: Final = str.maketrans(LETTERS)


def fold_text(text: str) -> str:
    """Return the text without case, accents and special letters, blanks collapsed.

    >>> fold_text("Zoë GRÜN"), fold_text("Łukasik"), fold_text("Ødegård"), fold_text("Groß")
    ('zoe grun', 'lukasik', 'odegard', 'gross')
    """
    if text.isascii() and "`" not in text:
        return " ".join(text.lower().split())
    plain = _without_marks(_without_marks(text).casefold()).translate(_TABLE)
    return " ".join(plain.split())


def fold_orders(name: str) -> set[str]:
    """Return the folded forms under which names with the key of this one may be stored.

    >>> sorted(fold_orders("Nora ADAMS"))
    ['adams, nora', 'nora adams']
    """
    key = name_key(name)
    words = key.split()
    turned = (" ".join(words[at:]) + ", " + " ".join(words[:at]) for at in range(1, len(words)))
    return {fold_name(form) for form in (key, *turned)}


def fold_name(name: str) -> str:
    """Return the folded name as it is stored beside the name of a person."""
    return fold_text(name)[:_STORED]
