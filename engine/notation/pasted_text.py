r"""Texts that come out of a mail, a chat or a word processor, mended before they are read.

What such programs add is known and harmless: signs of quoting, code fences, blanks that are no
ASCII, curly quotes, signs of suits in a deal. Lines stay where they are (`gaps` joins records that
blank lines cut), and all of it is told as one finding about the file. A text without it goes
through as it is; which of it there is, the first block tells.

>>> mended, notes = mend_text('> [Event\u00a0"x"]\n> [Deal "N:SAK.H2.DQ.C3"]\n')
>>> mended
'[Event "x"]\n[Deal "N:AK.2.Q.3"]\n'
>>> [str(note) for note in notes]
['signs of quoting (>)', 'special spaces', 'signs of suits in a deal']
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ..core.messages import Message

_QUOTE: Final = re.compile(r"^[ \t]*>[> \t\u00a0]*", re.MULTILINE)
_FENCE: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*\w*[ \t]*$", re.MULTILINE)
_BLANKS: Final = "\u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"
_HIDDEN: Final = "\u200b\u2060\ufeff"
_CURLY: Final = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
_BLANK: Final = re.compile(f"[{_BLANKS}]")
_TAG_WITH_BLANK: Final = re.compile(rf"^[{_BLANKS}]*\[\w+[ \t]*[{_BLANKS}]", re.MULTILINE)
_HIDDEN_START: Final = re.compile(f"^[{_HIDDEN}]+", re.MULTILINE)
_CURLY_TAG: Final = re.compile(rf'^(\[\w+[ \t]+)[{_CURLY}"](.*)[{_CURLY}"]([ \t]*\])', re.MULTILINE)
_CURLY_VALUE: Final = re.compile(
    rf'^\[\w+[ \t]+(?:[{_CURLY}].*["{_CURLY}]|".*[{_CURLY}])[ \t]*\]', re.MULTILINE
)
_SUITS: Final = {"S": "\u2660\u2664", "H": "\u2665\u2661", "D": "\u2666\u2662", "C": "\u2663\u2667"}
_SUIT_OF: Final = {sign: suit for suit, signs in _SUITS.items() for sign in (suit, *signs)}
_SUIT: Final = f"[{''.join(_SUIT_OF)}]"
# Not anchored to its line: what begins with a letter is found many times faster.
_DEAL: Final = re.compile(rf'(\[Deal[ \t]+"\w:)([^"\n]*{_SUIT}[^"\n]*)("[ \t]*\])')
_HOLDING: Final = re.compile(rf"({_SUIT})\ufe0f?[ \t:]*((?:10|[AKQJT2-9])*)-?[ \t.,]*")
_BYTES_MAX: Final = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Mending:
    """Something that other programs do to a text: how it is seen, and how it is taken back.

    Only texts with one of the characters of ``signs`` need to be searched for it.
    """

    what: Message
    signs: str
    is_there: Callable[[str], bool]
    mend: Callable[[str], str]


def _strip_suits(text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        before = text[found.start() - 1 : found.start()]  # nothing at the very beginning
        return found[1] + _plain_deal(found[2]) + found[3] if before in ("", "\n") else found[0]

    return _DEAL.sub(plain, text)


def _plain_deal(deal: str) -> str:
    """A deal without the signs of suits; as it is where they do not make whole hands."""
    holdings = _HOLDING.findall(deal)
    suits = [_SUIT_OF[sign] for sign, _ranks in holdings]
    if _HOLDING.sub("", deal) or suits != [*"SHDC"] * (len(suits) // 4):
        return deal
    ranks = [ranks.replace("10", "T") for _sign, ranks in holdings]
    return " ".join(".".join(ranks[at : at + 4]) for at in range(0, len(ranks), 4))


def _is_quoted(text: str) -> bool:
    return any(text[found.end() : found.end() + 1] in ("[", "%") for found in _QUOTE.finditer(text))


_MENDINGS: Final = (
    _Mending(Message("signs of quoting (>)"), ">", _is_quoted, lambda text: _QUOTE.sub("", text)),
    _Mending(
        Message("characters that nobody sees"),
        _HIDDEN,
        lambda text: _HIDDEN_START.search(text) is not None,
        lambda text: _HIDDEN_START.sub("", text),
    ),
    _Mending(
        Message("special spaces"),
        _BLANKS,
        lambda text: _TAG_WITH_BLANK.search(text) is not None,
        lambda text: _BLANK.sub(" ", text),
    ),
    _Mending(
        Message("code fences"),
        "`~",
        lambda text: _FENCE.search(text) is not None,
        lambda text: _FENCE.sub("", text),
    ),
    _Mending(
        Message("curly quotes"),
        _CURLY,
        lambda text: _CURLY_VALUE.search(text) is not None,
        lambda text: _CURLY_TAG.sub(r'\1"\2"\3', text),
    ),
    _Mending(
        Message("signs of suits in a deal"),
        "[",
        lambda text: _strip_suits(text) != text,
        _strip_suits,
    ),
)


def mend_text(text: str) -> tuple[str, tuple[Message, ...]]:
    """Return a text without what other programs added, and what that was."""
    found = []
    for mending in _MENDINGS:
        if any(sign in text for sign in mending.signs) and mending.is_there(text):
            text = mending.mend(text)
            found.append(mending.what)
    return text, tuple(found)


def mend_blocks(
    blocks: Iterable[str], note: Callable[[tuple[Message, ...]], None]
) -> Iterator[str]:
    """Mend a text that comes in blocks; ``note`` is told once what was mended.

    Only a text whose first block needs it is held as a whole and changed, at most
    `_BYTES_MAX` of it.
    """
    rest = iter(blocks)
    text = next(rest, "")
    if not mend_text(text.replace("\r\n", "\n"))[1]:
        yield text
        yield from rest
        return
    for block in rest:
        text += block
        if len(text) > _BYTES_MAX:
            break
    mended, found = mend_text(text.replace("\r\n", "\n"))
    note(found)
    yield mended
    yield from rest
