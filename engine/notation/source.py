"""Source: bytes, text or a file as a stream of records' texts (notation.md 3.5).

Nothing is held but the record at hand. A blank line outside a comment ends a record; so does a
blank line inside one when a tag pair follows it in column 1, because then the comment was never
closed. Lines over 64 KiB and records over 1 MiB are skipped while they are read.
"""

import codecs
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

LINE_MAX: Final = 64 * 1024
"""The longest line, in characters."""
RECORD_MAX: Final = 1024 * 1024
"""The longest record, in characters."""
BLOCK: Final = 64 * 1024
SKIPPED_LINE: Final = "\uffff"
"""Stands for a line that was too long to be read."""
BLANKS: Final = " \t\v\f"
_PLAIN_RECORD: Final = 8192
_HEADER: Final = 4096
_WINDOW: Final = 4096
_END_OF_FILE: Final = "\x1a"
"""Old programs end a file with it."""
_BLANK_LINE: Final = BLANKS + "\r\n" + _END_OF_FILE


class Stream(Protocol):
    """A file open for reading, in bytes or text."""

    def read(self, size: int, /) -> bytes | str:
        """Read at most so much; nothing at the end."""


Source = bytes | bytearray | memoryview | str | Stream


class Chunk(NamedTuple):
    """The text of one record, with the number of its first line in the file."""

    text: str
    line: int
    too_long: bool = False


def blocks(source: Source, encoding: str | None) -> Iterator[str]:
    """The source as blocks of text.

    Without an encoding: by byte order mark, by a declared charset, else UTF-8, with bytes that
    are none kept as lone surrogates (`notation.encoding` settles them record by record).
    """
    raw = raw_blocks(source)
    first = next(raw, "")
    if isinstance(first, str):
        yield first.removeprefix("\ufeff")
        for block in raw:
            assert isinstance(block, str)
            yield block
        return
    decoder = _decoder(encoding or sniff(first))
    yield _decode(decoder, first).removeprefix("\ufeff")
    for block in raw:
        assert not isinstance(block, str)
        yield _decode(decoder, block)
    yield decoder.decode(b"", final=True)


def _decode(decoder: codecs.IncrementalDecoder, block: bytes) -> str:
    return decoder.decode(block)


def _decoder(encoding: str) -> codecs.IncrementalDecoder:
    # In the wide encodings a broken unit is no byte that could be kept.
    wide = codecs.lookup(encoding).name.startswith(("utf-16", "utf-32"))
    errors = "replace" if wide else "surrogateescape"
    return codecs.getincrementaldecoder(encoding)(errors)


def raw_blocks(source: Source) -> Iterator[bytes | str]:
    """The source as it comes, some at a time."""
    if isinstance(source, str):
        for start in range(0, len(source), BLOCK):
            yield source[start : start + BLOCK]
    elif isinstance(source, bytes | bytearray | memoryview):
        for start in range(0, len(source), BLOCK):
            yield bytes(source[start : start + BLOCK])
    else:
        while block := source.read(BLOCK):
            yield block


def sniff(start: bytes) -> str:
    """The encoding that the beginning of a file shows, UTF-8 when it shows none."""
    for mark, name in (
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if start.startswith(mark):
            return name
    if start[:2] in (b"%\0", b"[\0") and start[3:4] == b"\0":
        return "utf-16-le"
    if start[:2] in (b"\0%", b"\0[") and start[2:3] == b"\0":
        return "utf-16-be"
    return declared_charset(start[:_HEADER].decode("latin-1")) or "utf-8"


def declared_charset(header: str) -> str | None:
    """The charset that a ``%Content-type:`` line declares, if Python knows it."""
    if _CONTENT_TYPE not in header.lower():
        return None
    for line in header.replace("\r", "\n").split("\n"):
        name = charset_of(line)
        if name:
            return name
    return None


def charset_of(line: str) -> str | None:
    """The known charset named in one ``%Content-type:`` line."""
    folded = line.lower()
    if not folded.startswith("%") or _CONTENT_TYPE not in folded:
        return None
    at = folded.find("charset=") + len("charset=")
    if at < len("charset=") or len(folded) != len(line):
        return None
    written = line[at:].strip(" \t\"'").partition(";")[0].strip(" \t\"'")
    return written if _is_plain_charset(written) else None


def _is_plain_charset(name: str) -> bool:
    """Whether Python knows a charset in which ASCII text is ASCII text."""
    try:
        decoder = codecs.getincrementaldecoder(name)("surrogateescape")
        return bool(decoder.decode(_ASCII + b"\xff")[:-1] == _ASCII.decode())
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError):
        return False


_CONTENT_TYPE: Final = "content-type"
_ASCII: Final = b'%[A "\\x41+AGE-~{"]'


def string_end(line: str, start: int) -> int:
    """Return the closing quote of the string that begins after ``start - 1``, or -1."""
    at = start
    quote = line.find('"', at)
    while quote >= 0:
        backslash = line.find("\\", at, quote)
        if backslash < 0:
            return quote
        at = backslash + 2
        if quote < at:
            quote = line.find('"', at)
    return -1


def comment_open(line: str, *, inside: bool) -> bool:
    """Whether a brace comment is open at the end of a line, given how the line began."""
    at, size = 0, len(line)
    if not inside and ("{" not in line or line[0] == "%"):
        return False
    while at < size:
        letter = line[at]
        if inside or letter == "{":
            close = line.find("}", at)
            if close < 0:
                return True
            inside, at = False, close + 1
        elif letter == ";":
            return False
        elif letter == '"':
            end = string_end(line, at + 1)
            at = size if end < 0 else end + 1
        else:
            at += 1
    return inside


def begins_tag(line: str) -> bool:
    """Whether a line begins in column 1 with something that is meant as a tag pair."""
    return line[:1] == "[" and line[1:2].isalpha() and '"' in line


class Splitter:
    """Cuts blocks of text into records; feed it every block, then `finish` it."""

    def __init__(self) -> None:
        self._rest = ""
        self._line = 1
        self._held: list[str] = []
        self._size = 0
        self._first = 1
        self._inside = False
        self._gap = False
        self._skipping = False

    def feed(self, block: str) -> Iterator[Chunk]:
        """The records that end within the next block."""
        text = self._rest + self._after_skipped_line(block)
        at = 0
        plain = _is_plain(text)
        while True:
            if not self._held:
                if text[at : at + 1] in _BLANK_STARTS:
                    at = self._after_blank_lines(text, at)
                end = _plain_record(text, at, plain=plain)
                if end:
                    yield Chunk(text[at:end], self._line)
                    self._line += text.count("\n", at, end) + 1
                    at = end + 1
                    continue
                if plain and _is_open(text, at):
                    break
            end = _line_end(text, at)
            if not end:
                break
            yield from self._take(text[at:end])
            at = end
        self._rest = text[at:]
        if len(self._rest) > LINE_MAX:
            self._rest, self._skipping = "", True

    def finish(self) -> Iterator[Chunk]:
        """The record that the end of the text ends."""
        if self._skipping:
            self._rest = SKIPPED_LINE
        last = self._rest.rstrip(_END_OF_FILE)
        if not self._held and is_whole(last):
            yield Chunk(last, self._line)
            return
        at = 0
        while at < len(last):
            end = _line_end(last, at) or len(last)
            yield from self._take(last[at:end])
            at = end
        if self._held:
            yield self._flush()

    def _after_blank_lines(self, text: str, at: int) -> int:
        """Skip whole blank lines, many at once."""
        while text[at : at + 1] in _BLANK_STARTS:
            window = text[at : at + _WINDOW]
            blank = window[: len(window) - len(window.lstrip(_BLANK_LINE))]
            end = blank.rfind("\n") + 1
            if not end:
                break
            self._line += _count_lines(blank[:end])
            at += end
        return at

    def _after_skipped_line(self, block: str) -> str:
        if not self._skipping:
            return block
        ends = [end for end in (block.find("\n"), block.find("\r")) if end >= 0]
        if not ends:
            return ""
        self._skipping = False
        return SKIPPED_LINE + block[min(ends) :]

    def _take(self, lines: str) -> list[Chunk]:
        """Take one line, or several that end in lone carriage returns."""
        if "\r" not in lines:
            ended = self._take_line(lines)
            return [ended] if ended else []
        taken = (self._take_line(line) for line in _lone_returns(lines))
        return [ended for ended in taken if ended]

    def _take_line(self, line: str) -> Chunk | None:
        """Take a line; the record that ends before or with it, if one does."""
        ended = None
        blank = not line.strip(_BLANK_LINE)
        if blank and not self._inside:
            ended = self._flush() if self._held else None
        elif blank:
            self._hold(line)
            self._gap = True
        else:
            if self._gap and begins_tag(line):
                ended = self._flush()
            self._gap = False
            if len(line) > LINE_MAX:
                line = _shorten_line(line)
            self._hold(line)
            if self._inside or "{" in line:
                self._inside = comment_open(line, inside=self._inside)
        self._line += 1
        return ended

    def _hold(self, line: str) -> None:
        if not self._held:
            self._first, self._size = self._line, 0
        self._size += len(line)
        if self._size <= RECORD_MAX or not self._held:
            self._held.append(line)
        else:
            del self._held[1:]

    def _flush(self) -> Chunk:
        chunk = Chunk("".join(self._held), self._first, self._size > RECORD_MAX)
        self._held, self._inside, self._gap = [], False, False
        return chunk


_BLANK_STARTS: Final = frozenset(_BLANK_LINE)
_RECORD_STARTS: Final = frozenset("[{%")
_ODD: Final = ("\r", "\t", "\v", "\f", _END_OF_FILE, "\n ")


def _is_plain(text: str) -> bool:
    """Whether nothing in a text needs care, comments apart."""
    for odd in _ODD:  # noqa: SIM110 - asked of every record, and a generator takes twice as long
        if odd in text:
            return False
    return True


def _plain_record(text: str, at: int, *, plain: bool) -> int:
    """The end of a record in which nothing needs care, or 0; a ``plain`` text has nothing odd."""
    if text[at : at + 1] not in _RECORD_STARTS:
        return 0
    end = text.find("\n\n", at, at + _PLAIN_RECORD) + 1
    if end <= at + 1:
        return 0
    if not plain and not _is_plain(text[at:end]):
        return 0
    return end if text.find("{", at, end) < 0 or split_comments(text[at:end]) else 0


def _is_open(text: str, at: int) -> bool:
    """Whether a record in which nothing needs care begins here and is not all there."""
    is_short = len(text) - at < _PLAIN_RECORD
    return is_short and text[at : at + 1] in _RECORD_STARTS and text.find("\n\n", at) < 0


def is_whole(text: str) -> bool:
    """Whether a text is one record in which nothing needs care."""
    if not (_is_plain(text) and _is_open(text, 0)):
        return False
    return "{" not in text or split_comments(text) is not None


def split_comments(record: str) -> tuple[list[str], list[str]] | None:
    r"""The text between comments, and these; None unless each has lines of its own.

    >>> split_comments("[A]\n{one}\n{two}\n[B]\n")
    (['[A]\n', '', '[B]\n'], ['one', 'two'])
    """
    first, *rest = record.split("{")
    between, comments = [first], list[str]()
    for piece in rest:
        comment, _, after = piece.partition("}")
        if after[:1] != "\n" or "}" in after or between[-1][-1:] not in ("", "\n"):
            return None
        comments.append(comment)
        between.append(after[1:])
    return None if "}" in first else (between, comments)


def _count_lines(text: str) -> int:
    returns = text.count("\r")
    return text.count("\n") + (returns - text.count("\r\n") if returns else 0)


def _shorten_line(line: str) -> str:
    body = line.rstrip("\r\n")
    return SKIPPED_LINE + line[len(body) :] if len(body) > LINE_MAX else line


def _line_end(text: str, at: int) -> int:
    """The end of the next line, its line ending included; 0 when it is not all there."""
    end = text.find("\n", at) + 1
    # Without any line feed, lone carriage returns end the lines; the last may be half of CR LF.
    return end or text.rfind("\r", at, len(text) - 1) + 1


def _lone_returns(line: str) -> Iterator[str]:
    ending = "\r\n" if line.endswith("\r\n") else line[-1:] if line[-1:] in ("\r", "\n") else ""
    body = line[: len(line) - len(ending)]
    if "\r" not in body:
        yield line
        return
    *pieces, last = body.split("\r")
    for piece in pieces:
        yield piece + "\r"
    if last or ending:
        yield last + ending
