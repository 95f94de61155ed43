"""Encoding: bytes that were not UTF-8, settled record by record (notation.md 3.5)."""

from collections.abc import Iterator
from typing import Final

from ..core.messages import Message
from .diagnostics import DiagnosticCollector, NotationRule, Spot

_KEPT: Final = "\ufffd"
# Latin-1 has no letters in these places; the files that use them were written under Windows, and
# those with a letter where Windows-1252 has none (a Polish Z with an acute) in Central Europe.
_WINDOWS_ONLY: Final = frozenset(range(0x80, 0xA0))
_GUESSES: Final = {"Windows-1252": "cp1252", "Windows-1250": "cp1250"}


_HEAD: Final = 1024
_TEXT_CONTROLS: Final = frozenset(b"\t\n\r\v\f")
_BINARY: Final = (b"\x89PNG", b"PK\x03\x04", b"%PDF-")
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


def is_not_text(text: str | bytes) -> bool:
    r"""Whether a file of another kind was given: a picture, an archive, a document.

    >>> is_not_text(b"PK\x03\x04"), is_not_text("% PHN 1.0"), is_not_text("x".encode("utf-16"))
    (True, False, False)
    """
    head = text[:_HEAD].encode("utf-8", "replace") if isinstance(text, str) else text[:_HEAD]
    if head.startswith(_BINARY):
        return True
    if head.startswith(_UTF_16):
        return False
    controls = sum(byte < 0x20 and byte not in _TEXT_CONTROLS for byte in head)
    return controls * 10 > len(head)


def settle(text: str, first_line: int, report: DiagnosticCollector, *, guess: bool) -> str:
    """The text without lone surrogates: Latin-1 for the whole record, or marked as bad bytes.

    ``guess`` allows the fallback; without it (an encoding was given or declared) a byte that
    has no meaning is a defect.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        fallback = _latin(text, first_line, report) if guess else None
        if fallback is not None:
            return fallback
        text = "".join(_KEPT if "\ud800" <= letter <= "\udfff" else letter for letter in text)
    for spot in _spots(text, first_line, _KEPT):
        report.add(
            NotationRule.BAD_BYTE, spot, Message("this byte is no character in the file's encoding")
        )
    return text


def _latin(text: str, first_line: int, report: DiagnosticCollector) -> str | None:
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        decoded, name = _guess_encoding(raw)
        spot = spot_of(decoded, error.start, first_line)
        message = Message("this record is not UTF-8; it was read as {encoding}", encoding=name)
        report.add(NotationRule.ENCODING_FALLBACK, spot, message)
        return decoded
    return None


def _guess_encoding(raw: bytes) -> tuple[str, str]:
    """Bytes as letters, one each, and the name of the code page that was taken for it."""
    if not _WINDOWS_ONLY.isdisjoint(raw):
        for name, codec in _GUESSES.items():
            try:
                return raw.decode(codec), name
            except UnicodeDecodeError:
                continue
    return raw.decode("latin-1"), "Latin-1"


def spot_of(text: str, index: int, first_line: int) -> Spot:
    """The line and column of one character of a record's text."""
    before = text[:index].replace("\r\n", "\n").replace("\r", "\n")
    col = len(before) - before.rfind("\n")
    return Spot(first_line + before.count("\n"), col, col + 1)


def _spots(text: str, first_line: int, wanted: str) -> Iterator[Spot]:
    if wanted in text:
        for number, line in enumerate(_lines(text), first_line):
            if wanted in line:
                col = line.index(wanted) + 1
                yield Spot(number, col, col + line.count(wanted))


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
