"""Names of people: their one written form, and the key by which they are compared (DEC-18)."""

from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

from .messages import Message, MessageError

_JOINERS: Final = "\u200c\u200d"
"""Characters without a width that some scripts need inside a word."""
_BREAKS: Final = "\t\n\r"
"""White space that spreadsheets and mails put into a name; every other control is refused."""
_REFUSED: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


class PlayerNameError(MessageError):
    """A name with a character that no name may have."""


def clean_name(name: str) -> str:
    r"""Return a name as it is stored: NFC, with single blanks. Raises PlayerNameError.

    >>> clean_name(" Nora\u00a0\u2009Adams\n"), clean_name("Adams ,Nora")
    ('Nora Adams', 'Adams, Nora')
    """
    if name.isascii() and name.isprintable():
        return _fold_blanks(name)
    for place, sign in enumerate(name):
        if category(sign) in _REFUSED and sign not in _BREAKS and not _is_joiner(name, place):
            raise PlayerNameError(
                Message(
                    "the name has a character that nobody sees (U+{code}, at place {place})",
                    code=format(ord(sign), "04X"),
                    place=place + 1,
                )
            )
    return _fold_blanks(normalize("NFC", name))


def mend_name(name: str) -> str:
    """Return a name without the characters that `clean_name` refuses; perhaps nothing is left.

    >>> mend_name("Nora\u202e Adams\u200b")
    'Nora Adams'
    """
    mended = ""
    for place, sign in enumerate(name):
        kind = category(sign)
        if sign in _BREAKS or kind in ("Zl", "Zp"):
            mended += " "
        elif kind not in _REFUSED or _is_joiner(name, place):
            mended += sign
    return clean_name(mended)


def _fold_blanks(name: str) -> str:
    last, comma, first = name.partition(",")
    return " ".join(f"{last.rstrip()}{comma} {first}".split())


def _is_joiner(name: str, place: int) -> bool:
    """Whether a character joins the two letters or marks beside it, as scripts need it."""
    beside = (name[place - 1 : place], name[place + 1 : place + 2])
    return name[place] in _JOINERS and all(sign and category(sign)[0] in "LM" for sign in beside)


@lru_cache(maxsize=1 << 12)
def name_key(name: str) -> str:
    r"""Return what is compared of a name: two names with one key are one name.

    NFC, white space and case are folded, and "Last, First" is "First Last".

    >>> name_key("ADAMS,  Nora") == name_key("Nora\u00a0Adams"), name_key("Zoe") == name_key("Zoë")
    (True, False)
    """
    last, _comma, first = normalize("NFC", name).casefold().partition(",")
    # Case folding can take a text out of NFC.
    return normalize("NFC", " ".join(f"{first} {last}".split()))
