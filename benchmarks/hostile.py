"""Texts that nobody writes by accident, each in any size: what makes a careless reader slow."""

from collections.abc import Callable, Mapping
from typing import Final

from benchmarks.hands import Table, texts

_RECORD: Final = texts(Table("bicycle", 4), 1)[0]
_PLAY: Final = "[PlayTable "


def _of(piece: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """A text of one piece over and over, so many characters in all."""

    def text(size: int) -> str:
        room = max(size - len(before) - len(after), 0)
        return before + (piece * (room // len(piece) + 1))[:room] + after

    return text


def _numbered(pattern: str) -> Callable[[int], str]:
    """A text of numbered pieces."""

    def text(size: int) -> str:
        return "".join(pattern.format(at) for at in range(size // len(pattern)))[:size]

    return text


def _in_record(piece: str, where: str) -> Callable[[int], str]:
    """A good record with one piece over and over before one of its tags."""
    head, tail = _RECORD.split(where, 1)
    return _of(piece, head, where + tail)


def _after_record(piece: str) -> Callable[[int], str]:
    return _of(piece, _RECORD)


SHAPES: Final[Mapping[str, Callable[[int], str]]] = {
    "letters without a line end": _of("a"),
    "opening brackets": _of("["),
    "closing brackets": _of("]"),
    "brackets on lines": _of("[\n"),
    "quotes": _of('"'),
    "quotes on lines": _of('"\n'),
    "backslashes": _of("\\"),
    "backslashes in a string": _of("\\", '[Event "'),
    "escaped quotes in a string": _of('\\"', '[Event "', '"]\n'),
    "opening braces": _of("{"),
    "opening braces on lines": _of("{\n"),
    "comments closed at once": _of("{}"),
    "comments on lines": _of("{}\n"),
    "an unclosed comment": _of("words ", _RECORD + "{"),
    "an unclosed comment on lines": _of("words\n", _RECORD + "{"),
    "an unclosed comment and blank lines": _of("words\n\n", _RECORD + "{"),
    "semicolons": _of(";"),
    "semicolons on lines": _of(";\n"),
    "percent signs": _of("%"),
    "escapes": _of("%\n"),
    "spaces": _of(" "),
    "tabs": _of("\t"),
    "line feeds": _of("\n"),
    "blank lines with spaces": _of("  \n"),
    "carriage returns": _of("\r"),
    "carriage returns and line feeds": _of("\r\n"),
    "NULs": _of("\0"),
    "control characters": _of("\x01\x02\x1b"),
    "form feeds": _of("\f"),
    "letters beyond ASCII": _of("é€\U0001f0b1"),
    "combining marks": _of("\u0301", '[Event "e'),
    "suit signs": _of("♥♠", '[PlayTable "N;E;S;W"]\n'),
    "notes": _of("=1="),
    "notes on a card": _of("=1=", f"{_RECORD}SA"),
    "numbers of NAGs": _of("$1 "),
    "equals signs": _of("="),
    "digits": _of("9"),
    "digits in a tag": _of("9", '[Board "', '"]\n'),
    "digits in a pot": _of("9", '[PotTable "Before;Bid;Paid;Won;After"]\n', " 0 0 0 0\n"),
    "circumflexes": _of("^"),
    "plus and minus": _of("+-"),
    "stars": _of("* "),
    "many tags": _numbered('[Tag{} "x"]\n'),
    "many tags on one line": _numbered('[T{} "x"] '),
    "one tag over and over": _of('[Event "x"]\n'),
    "one tag over and over on one line": _of('[Event "x"] '),
    "tags without a value": _of("[Event]\n"),
    "tags without an end": _of('[Event "x"\n'),
    "a tag over many lines": _of("\n", "[Event"),
    "tags in tags": _of('[Event "[Site '),
    "long tag names": _of("A", "[", ' "x"]\n'),
    "many tables": _numbered('[X{}Table "A;B"]\n1 2\n'),
    "one table over and over": _of('[PlayTable "N;E;S;W"]\nS2 S3 S4 S5\n'),
    "many columns": _of("A;", '[PlayTable "', '"]\n'),
    "many seats": _of("N ", '[Seats "', '"]\n'),
    "a long play": _after_record("S2 S3 S4 S5\n"),
    "a long row": _after_record("S2 "),
    "a long cell": _after_record("S2"),
    "a long score table": _after_record("N 9 51 0 9 0 42\n"),
    "long cards": _of("SAKQ", '[Stripped "', '"]\n'),
    "a long deal": _of("AK.", '[Deal "N:', '"]\n'),
    "many switches": _of("moon=none;", '[Rules "', '"]\n'),
    "inheritance": _of('[Event "#"]\n[Site "##x"]\n\n'),
    "records of one tag": _of('[Event "x"]\n\n'),
    "records of one letter": _of("a\n\n"),
    "spaces in a record": _in_record(" ", _PLAY),
    "blank rows in a record": _in_record(" \t\n", _PLAY),
    "comments in a record": _in_record("{x}\n", _PLAY),
    "tags in a record": _in_record('[Note "1:x"]\n', _PLAY),
    "escapes in a record": _in_record("%x\n", _PLAY),
}
"""Texts by name, each a function of its size in characters."""

MANY_RECORDS: Final = frozenset(("inheritance", "records of one tag", "records of one letter"))
"""Shapes that are not one record but thousands."""
