"""One record read in one step: it is what a reader makes of the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.cards import RANKS
from engine.notation.fast.cells import INTS, RANKS_HELD, RANKS_SHOWN, NotFastError
from engine.notation.reader import Reader, RecordEntry, read_canonical
from tests.engine.notation.texts import SAMPLES

WHOLE = [sample for sample in SAMPLES if b'[Detail "game"]' not in sample]
ODD = [
    b"", b"\n", b"\n\n", b" ", b"\r", b"\r\n", b"\x1a", b"\0", b"\xff", "\u00e9".encode(),
    b"{", b"}", b'"', b"%", b"[", b"]", b"\\", b"#", b"0", b"-", b"% PHN 1.0\n",
    b"%Content-type: text/plain\n",
]  # fmt: skip


def same(text: bytes, alone: RecordEntry) -> None:
    reader = Reader(text)
    (entry,) = reader
    assert reader.diagnostics == entry.diagnostics == alone.diagnostics == ()
    assert (entry.text, entry.line, entry.number) == (alone.text, alone.line, alone.number)
    assert (entry.record, entry.document) == (alone.record, alone.document)
    assert (entry.canonical, entry.rejected) == (alone.canonical, alone.rejected)
    assert (entry.identity, entry.content) == (alone.identity, alone.content)


@pytest.mark.parametrize("text", WHOLE)
def test_every_hand_is_read_in_one_step(text: bytes) -> None:
    alone = read_canonical(text)
    assert alone is not None
    same(text, alone)


@given(st.sampled_from(WHOLE), st.data())
def test_whatever_is_read_in_one_step_a_reader_reads_the_same(
    text: bytes, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 3)))
    changed = text[:start] + data.draw(st.sampled_from(ODD)) + text[end:]
    alone = read_canonical(changed)
    if alone is not None:
        same(changed, alone)


@pytest.mark.parametrize(
    "text",
    [
        WHOLE[0].removeprefix(b"% PHN 1.0\n"),
        WHOLE[0].replace(b"1.0", b"1.1", 1),
        WHOLE[0] + b"\n" + WHOLE[1],
        WHOLE[0].replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + WHOLE[0],
        WHOLE[0].decode().encode("utf-16"),
        b"% PHN 1.0\n",
        b"",
    ],
)
def test_what_a_reader_has_to_tell_of_is_left_to_it(text: bytes) -> None:
    assert read_canonical(text) is None


def test_a_holding_is_read_from_the_highest_rank_to_the_lowest() -> None:
    assert len(RANKS_HELD) == len(RANKS_SHOWN) == 1 << len(RANKS)
    assert sorted(RANKS_HELD.values()) == list(range(1 << len(RANKS)))
    for text, bits in RANKS_HELD.items():
        assert text == "".join(
            rank for place, rank in reversed([*enumerate(RANKS)]) if bits >> place & 1
        )
        assert RANKS_SHOWN[text or "-"] == bits


@pytest.mark.parametrize("number", [-999, -10, -1, 0, 1, 9, 10, 999, 1000, 9999])
def test_a_whole_number_is_read_as_it_is_written(number: int) -> None:
    assert INTS[str(number)] == number


@pytest.mark.parametrize(
    "text",
    ["", "-", "-0", "+1", "01", "-01", "1_0", " 1", "1\n", "1.0", "\u0661", "10000", "-1000"],
)
def test_any_other_writing_of_a_number_is_left_to_a_reader(text: str) -> None:
    with pytest.raises(NotFastError):
        INTS[text]
