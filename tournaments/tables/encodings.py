"""Encodings of texts that do not say theirs: candidates, previews, and what is in doubt."""

import re
from collections.abc import Mapping
from enum import StrEnum
from itertools import islice
from typing import Final

_WORDS_SHOWN: Final = 4
_BEYOND_ASCII: Final = re.compile(rb"[\x80-\xff]")
_WORD: Final = re.compile(rb"[^\s;,|\"]*[\x80-\xff][^\s;,|\"]*(?: [^\s;,|\"]+)?")


class TextEncoding(StrEnum):
    """Encodings that programs write which do not write Unicode."""

    WINDOWS_1252 = "windows-1252"
    WINDOWS_1250 = "windows-1250"
    MAC_ROMAN = "mac-roman"
    IBM_850 = "ibm850"


def _is_shared(byte: int) -> bool:
    """Whether a byte is the same letter in Western and Central Europe, and none on other systems.

    Lower bytes are letters on a Macintosh or under DOS.
    """
    western, central = (
        bytes([byte]).decode(encoding, "replace")
        for encoding in (TextEncoding.WINDOWS_1252, TextEncoding.WINDOWS_1250)
    )
    return byte >= 0xC0 and western == central and western.isalpha()


_SHARED: Final = frozenset(filter(_is_shared, range(0x80, 0x100)))
_SIGNS: Final = frozenset("\u20ac\u2026\u2013\u2014\u2022\u00a0\u00a7\u00b0")
"""Signs of Windows-1252 that stand in lists; beside a letter they may be one elsewhere."""


def preview_encodings(data: bytes) -> dict[str, str]:
    """Return some words with letters beyond ASCII as each encoding has them that may be right."""
    words = dict.fromkeys(islice(_WORD.findall(data), 100 * _WORDS_SHOWN))
    sample = b", ".join(islice(words, _WORDS_SHOWN))
    found: dict[str, str] = {}
    for encoding in TextEncoding:
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        found[encoding] = sample.decode(encoding)
    return found


def is_surely_western(data: bytes) -> bool:
    """Whether a text that is no Unicode can only be Windows-1252, as far as its letters tell."""
    try:
        text = data.decode(TextEncoding.WINDOWS_1252)
    except UnicodeDecodeError:
        return False
    for found in _BEYOND_ASCII.finditer(data):
        place = found.start()
        if data[place] in _SHARED:
            continue
        beside = text[place - 1 : place] + text[place + 1 : place + 2]
        if text[place] not in _SIGNS or any(map(str.isalpha, beside)):
            return False
    return all(_has_usual_case(word) for word in text.split() if not word.isascii())


def _has_usual_case(word: str) -> bool:
    """Whether no small letter stands among capitals, as that of another system would."""
    letters = "".join(filter(str.isalpha, word))
    return not letters[1:].isupper() or letters.isupper()


def choose_encoding(previews: Mapping[str, str], wanted: str) -> str:
    """Return the encoding that somebody wants if it can be right, else the likeliest."""
    return next((one for one in previews if one == wanted), next(iter(previews)))
