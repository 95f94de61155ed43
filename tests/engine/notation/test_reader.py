"""Recovery, encodings, limits: what a file may look like, and what it may cost."""

import io
import tracemalloc
from collections.abc import Iterator
from itertools import pairwise
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation import Mode, Reader, RecordEntry, read, read_text, source, write
from engine.notation.source import BLOCK, Splitter, blocks
from tests.engine.notation.texts import SAMPLES

GOOD = '[Event "x"]\n[Board "7"]\n[Dealer "N"]\n[Variant "insurance"]\n'
PIECES = ('[A "b"]\n', "{", "}", "}\n", "\n", "\n\n", " ", "\r", "SA\n", "\x1a", "%x")


def rules(entry: RecordEntry) -> list[str]:
    return [one.rule for one in entry.diagnostics]


def test_an_unclosed_comment_costs_no_neighbour() -> None:
    first, second = read(GOOD + "{ never closed\n\n" + GOOD)
    assert "L04" in rules(first)
    assert second.record is not None
    assert second.record.number == 7
    assert "L04" not in rules(second)


def test_a_comment_may_hold_blank_lines() -> None:
    (entry,) = read(GOOD + "{ one\n\ntwo\n[not a tag\n\n three }\n")
    assert entry.document.tags[-1].remarks[0].text == " one\n\ntwo\n[not a tag\n\n three "


def test_an_unclosed_string_ends_at_its_line() -> None:
    (entry,) = read('[Event "Club]\n[Board "7"]\n[Site "The "Old" Inn"]\n')
    assert [tag.value for tag in entry.document.tags] == ["Club", "7", 'The "Old" Inn']
    assert rules(entry) == ["L05", "L06"]


def test_a_truncated_file_keeps_what_is_there() -> None:
    (entry,) = read(GOOD + '[PlayTable "N;E;S;W"]\nS2 S3 S4 S5\nH2 H')
    assert entry.record is not None
    assert entry.record.play is not None
    assert entry.record.play[4:] == (26, None, None, None)
    assert {"S14", "T27"} <= set(rules(entry))


def test_a_forgotten_blank_line_still_makes_two_records() -> None:
    table = '[ScoreTable "Seat;Points"]\nN 3\n'
    first, second = read(GOOD + table + GOOD.replace("7", "8") + table)
    assert (first.number, second.number) == (1, 2)
    assert "S16" in rules(second)
    assert second.record is not None
    assert second.record.number == 8
    assert second.diagnostics[0].record == 2


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending_gives_the_same_documents(ending: str) -> None:
    text = GOOD + "{a\n\nb}\n\n" + GOOD
    first, second = read(text.replace("\n", ending).encode())
    assert [first.document, second.document] == [one.document for one in read(text)]
    assert second.line == 9


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_an_encoding_is_recognised(encoding: str) -> None:
    text = GOOD.replace('"x"', '"Novák"')
    (entry,) = read(text.encode(encoding))
    assert entry.document.value("Event") == "Novák"
    assert not [rule for rule in rules(entry) if rule[0] == "L"]


def test_latin_1_is_the_fallback_for_one_record_alone() -> None:
    latin = GOOD.replace('"x"', '"Novák"').encode("latin-1")
    utf = GOOD.replace('"x"', '"Dvořák"').encode()
    first, second = read(latin + b"\n" + utf)
    assert first.document.value("Event") == "Novák"
    assert "L02" in rules(first)
    assert second.document.value("Event") == "Dvořák"
    assert "L02" not in rules(second)


def test_a_given_encoding_is_not_guessed_about() -> None:
    (entry,) = read(GOOD.replace('"x"', '"Łódź"').encode("cp1250"), encoding="cp1250")
    assert entry.document.value("Event") == "Łódź"


@pytest.mark.parametrize("charset", ["zlib", "rot13", "no-such", "undefined", "idna", "\u0661"])
def test_a_strange_charset_is_ignored(charset: str) -> None:
    (entry,) = read(f'%Content-type: text; charset={charset}\n[Event "x"]\n'.encode())
    assert entry.document.value("Event") == "x"


def test_an_unknown_major_keeps_everything_and_understands_nothing() -> None:
    reader = Reader("% PHN 9.9\n" + GOOD)
    (entry,) = reader
    assert [one.rule for one in reader.diagnostics] == ["S11"]
    assert entry.record is None
    assert entry.document.value("Variant") == "insurance"


def test_nothing_is_no_record() -> None:
    for nothing in ("", " \n\t\n", b"", "\n\n\n", "% PHN 1.0\n"):
        assert list(read(nothing)) == []


def test_remarks_alone_are_kept() -> None:
    text = "% PHN 1.0\n{one}\n\n" + GOOD
    remarks, entry = read_text(text)
    assert remarks.document.tags == ()
    assert remarks.record is None
    assert (remarks.number, entry.number) == (0, 1)
    assert write(read(write(read(text)))) == write(read(text))


def test_canonical_files_have_one_blank_line_between_records() -> None:
    text = write([next(read(GOOD))])
    twice = f"{text}\n\n{text.removeprefix('% PHN 1.0')}"
    reader = Reader(twice, mode=Mode.CANONICAL)
    entries = list(reader)
    assert [entry.rejected for entry in entries] == [False, False]
    assert [one.rule for one in reader.diagnostics] == ["S19"]


class _LongLine(io.RawIOBase):
    """A file with a line of so many blocks between two records."""

    def __init__(self, size: int) -> None:
        self.parts = self._parts(size)

    def _parts(self, size: int) -> Iterator[bytes]:
        yield GOOD.encode()
        yield b'[Site "'
        for _ in range(size):
            yield b"x" * BLOCK
        yield b'"]\n\n'
        yield GOOD.encode()

    def read(self, size: int = -1, /) -> bytes:
        del size
        return next(self.parts, b"")


def peak(size: int) -> int:
    tracemalloc.start()
    first, second = read(_LongLine(size))
    assert "S19" in rules(first)
    assert first.document.value("Board") == "7"
    assert second.record is not None
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return used


def test_a_line_of_any_length_costs_no_memory() -> None:
    assert peak(200) < 1.5 * peak(20)
    assert peak(200) < 4 * 1024 * 1024


def test_a_record_over_a_mebibyte_is_left_out_and_its_neighbour_kept() -> None:
    first, second = read(GOOD + "{ x }\n" * 200_000 + "\n" + GOOD)
    assert rules(first) == ["S19"]
    assert first.record is None
    assert second.record is not None


def test_a_record_of_too_many_words_is_kept_as_a_comment() -> None:
    (entry,) = read('[A "x"]' * 5000)
    assert "S19" in rules(entry)
    text = write([entry])
    assert '[A "x"][A "x"]' in text
    assert write(read(text)) == text


@pytest.mark.parametrize(
    "unit",
    [
        "\n",
        "\r",
        "x\r",
        "a\n",
        "a\n \n",
        "{\n\n",
        '{\n\n[A "x"]\n',
        "\r\n",
        "{}\n",
        " \n\t\r\n",
        "\x1a\n",
        "\n\r",
    ],
)
def test_a_record_is_cut_the_same_whatever_the_blocks_are(unit: str) -> None:
    text = (unit * 60 + GOOD + "\n") * 2
    whole = list(_chunks([text]))
    for size in (1, 7, 100):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        assert list(_chunks(pieces)) == whole


@given(st.data())
def test_odd_text_is_cut_the_same_whatever_the_blocks_are(data: st.DataObject) -> None:
    text = "".join(data.draw(st.lists(st.sampled_from(PIECES), max_size=25)))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    pieces = [text[one:other] for one, other in pairwise([0, *cuts, len(text)])]
    with patch.multiple(source, _plain_record=lambda *_, **__: 0, _is_open=lambda *_: False):
        line_by_line = list(_chunks([text]))
    assert list(_chunks(pieces)) == line_by_line


def _chunks(pieces: list[str]) -> Iterator[tuple[str, int]]:
    splitter = Splitter()
    for piece in pieces:
        for chunk in splitter.feed(piece):
            yield chunk.text, chunk.line
    for chunk in splitter.finish():
        yield chunk.text, chunk.line


def test_a_text_and_its_bytes_make_the_same_blocks() -> None:
    text = GOOD * 5000
    assert "".join(blocks(text, None)) == "".join(blocks(text.encode(), None)) == text


@pytest.mark.parametrize("number", [2, 50, 200])
def test_records_without_blank_lines_are_all_found(number: int) -> None:
    body = SAMPLES[0].decode().partition("\n")[2]
    (one,) = read("% PHN 1.0\n" + body)
    entries = list(read("% PHN 1.0\n" + body * number))
    assert [entry.number for entry in entries] == list(range(1, number + 1))
    size = body.count("\n")
    for at, entry in enumerate(entries):
        assert entry.record == one.record
        assert entry.document == one.document
        assert (entry.text, entry.line) == (body, 2 + at * size)
        found = [(found.rule, found.line, found.record) for found in entry.diagnostics]
        assert found == [("S16", entry.line, at + 1)] * (at > 0)
