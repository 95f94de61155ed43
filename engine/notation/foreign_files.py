"""Files that are no records of hands, named by how they begin."""

import re
from typing import Final

from ..core.messages import Message
from .encoding import is_not_text

_HEAD: Final = 8192
_TABLES: Final = Message("Tables are imported as members, opening balances or nights.")
_STARTS: Final = (
    (b"PK\x03\x04", Message("a spreadsheet or another packed file")),
    (b"%PDF", Message("a PDF")),
    (b"\x89PNG", Message("a picture")),
    (b"\xff\xd8\xff", Message("a picture")),
    (b"GIF8", Message("a picture")),
    (b"\xd0\xcf\x11\xe0", Message("an old Excel or Word file")),
    (b"\x1f\x8b", Message("a packed file")),
    (b"{\\rtf", Message("a text document (RTF)")),
)
_TEXTS: Final = (
    (re.compile(r"\s*<(?:!doctype|html|\?xml|table|svg)", re.I), Message("a web page or XML")),
    (re.compile(r"\s*(?:vg|pn|qx|rs|md|st|mn|sv)\|[^\n]*\|"), Message("a bridge file (LIN)")),
    (re.compile(r"(?:0[1-9]2 [^\n]*\s+){2}|001 +\d+ "), Message("a tournament report (TRF)")),
)
_OURS: Final = re.compile(r"^% PHN|^\[(?:Variant|PainSuit|Rules|PenaltySuit) ", re.MULTILINE)
_BRIDGE: Final = re.compile(r'^\[(?:Contract|Vulnerable) "', re.MULTILINE)
_CHESS: Final = re.compile(r'^\[White "[^\n]*\n(?:\[[^\n]*\n)*?\[Black "', re.MULTILINE)
_DELIMITERS: Final = ";\t,|"
_ROWS_LEAST: Final = 2


def describe_foreign(text: str | bytes, *, takes_bridge: bool = False) -> Message | None:
    r"""Return what a file is, in one sentence, if it is surely no file of hand records.

    ``takes_bridge``: PBN of bridge is read as the notation that it is, though it has no hand.

    >>> str(describe_foreign("pn|Ann,Bo,Cy,Di|st||md|3SAKQ"))
    'This is a bridge file (LIN), no record of a hand.'
    >>> describe_foreign('% PHN 1.0\n[Event "x"]\n')
    """
    head = text[:_HEAD]
    raw = head.encode("utf-8", "replace") if isinstance(head, str) else head
    for start, named in _STARTS:
        if raw.startswith(start):
            return _build_sentence(named, tables=start.startswith(b"PK"))
    if is_not_text(raw):
        return Message("This is not a text record.")
    words = head if isinstance(head, str) else head.decode("utf-8", "replace")
    words = words.lstrip("\ufeff").replace("\r", "")
    kind = next((kind for pattern, kind in _TEXTS if pattern.match(words)), None)
    if kind is None and not _OURS.search(words):
        if _CHESS.search(words):
            kind = Message("a file of chess games (PGN)")
        elif not takes_bridge and _BRIDGE.search(words):
            kind = Message("a file of bridge deals (PBN)")
    if kind is None and _is_table(words):
        return _build_sentence(Message("a table (CSV)"), tables=True)
    return None if kind is None else _build_sentence(kind)


def _build_sentence(kind: Message, *, tables: bool = False) -> Message:
    if tables:
        return Message("This is {kind}, no record of a hand. {hint}", kind=kind, hint=_TABLES)
    return Message("This is {kind}, no record of a hand.", kind=kind)


def _is_table(text: str) -> bool:
    """Whether all lines have as many delimiters, and none begins as those of records do."""
    lines = [line for line in text.split("\n")[:-1] if line.strip()] or [text]
    if len(lines) < _ROWS_LEAST or any(line[0] in "[%{;>" for line in lines):
        return False
    return any(
        min(counts := [line.count(sign) for line in lines]) > 0 and len(set(counts)) == 1
        for sign in _DELIMITERS
    )
