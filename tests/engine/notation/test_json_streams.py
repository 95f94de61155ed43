"""JSON read as a stream: the same records and the same words as read whole, in flat memory."""

import json
import random
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.notation import JsonError, json_records, read, read_json, write_json
from engine.notation.json_text import VALUE_MAX, JsonText
from tests.cli.calling import NAMES, SAMPLES
from tests.examples import examples

ALL = [entry for name in sorted(NAMES.values()) for entry in read((SAMPLES / name).read_bytes())]
TEXT = write_json(ALL)
DOCUMENTS = [entry.document for entry in ALL]


class Dripping:
    """A file that comes in pieces of the sizes that are told, over and over."""

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        self.data, self.sizes, self.at, self.turn = data, sizes, 0, 0

    def read(self, size: int, /) -> bytes:
        step = min(size, self.sizes[self.turn % len(self.sizes)])
        self.turn += 1
        self.at += step
        return self.data[self.at - step : self.at]


def said(text: str | bytes | Dripping) -> str:
    """The error that a text gives; nothing if it has none."""
    try:
        list(json_records(text))
    except JsonError as error:
        return str(error)
    return ""


def refused(text: str) -> str:
    """What the standard library says of a text that it reads whole."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"the text: not JSON: {error}"
    return ""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32-le"])
@given(sizes=st.lists(st.integers(1, 5000), min_size=1, max_size=4))
@settings(max_examples=examples(15), deadline=None)
def test_it_does_not_matter_in_what_pieces_a_file_comes(encoding: str, sizes: list[int]) -> None:
    assert list(json_records(Dripping(TEXT.encode(encoding), sizes))) == DOCUMENTS


@given(
    st.integers(4, len(TEXT) - 1),
    st.sampled_from(["", "x", "}", "]", ",", ":", '"', "\\", "\n\n", "[", "7", "\x00", "ß"]),
    st.integers(0, 3),
)
@settings(max_examples=examples(300), deadline=None)
def test_damage_is_told_where_the_standard_library_tells_it(at: int, put: str, cut: int) -> None:
    damaged = TEXT[:at] + put + TEXT[at + cut :]
    words = said(damaged)
    assert said(Dripping(damaged.encode(), [997])) == words
    # What is wrong with a record's shape is told before a later part of the text is seen.
    assert words.startswith(("records", "phn")) or words == refused(damaged)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the text: not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("[]", "phn: the version 1.0 is needed"),
        ('{"records": []}', "phn: the version 1.0 is needed"),
        ('{"records": [], "phn": "2.0"}', "phn: the version 1.0 is needed"),
        ('{"phn": "1.0"}', "records: a list is needed"),
        ('{"phn": "1.0", "records": {}}', "records: a list is needed"),
        ('{"phn": "1.0", "records": [], "records": []}', "records: it stands twice"),
        ('{"phn": "1.0", "records": []}\n\n x', "Extra data: line 3 column 2 (char 32)"),
        ('{"phn": "1.0", "records": [{}, 1]}', "records[1]: an object is needed"),
        ('{"phn": "1.0",\n"records": [' + "[" * 99999, "line 2 column 13 (char 27)"),
        ('{"phn": "1.0", "n": ' + "7" * 5000 + "}", "line 1 column 21 (char 20)"),
    ],
    ids=lambda value: value[:44].replace("\n", " "),
)
def test_a_text_of_another_shape(text: str, words: str) -> None:
    assert said(text).endswith(words)


def test_what_is_not_ours_is_read_over_wherever_it_stands() -> None:
    more = '{"by": [1, {"a": null}], "records": [{"tags": []}], "at": 12.5e3, "phn": "1.0"}'
    assert len(read_json(more)) == 1
    assert len(list(json_records(Dripping(more.encode(), [1])))) == 1


def test_bytes_that_are_no_letters_are_told_where_they_stand() -> None:
    head = '{"phn": "1.0",\n "Łódź": "'.encode()
    words = "the text: not JSON: not UTF-8: line 2 column 11 (char 25)"
    assert said(head + b'\xff"}') == words
    assert said(Dripping(head + b'\xff"}', [3])) == words
    assert said(head + b"\xc5").startswith("the text: not JSON: not UTF-8: line 2 column 11")


def test_a_value_that_no_record_could_have_is_not_read_to_its_end() -> None:
    read_so_far = 0

    def endless() -> Iterator[str]:
        nonlocal read_so_far
        yield '{"phn": "1.0", "records": [{"tags": "'
        while True:
            read_so_far += 1 << 20
            yield "x" * (1 << 20)

    class Endless:
        pieces = endless()

        def read(self, _size: int, /) -> str:
            return next(self.pieces)

    with pytest.raises(JsonError, match=r"longer than 16 MiB: line 1 column 28 \(char 27\)"):
        list(json_records(Endless()))
    assert read_so_far < 3 * VALUE_MAX


def test_numbers_and_words_at_the_edge_of_what_has_come() -> None:
    for text in ("12.5e3", "true", "-Infinity", '"\\u00e9"', "[1,2]"):
        for size in range(1, len(text) + 1):
            assert JsonText(Dripping(text.encode(), [size])).value() == json.loads(text)


def test_memory_does_not_grow_with_the_number_of_records() -> None:
    body = write_json(ALL[:1])
    head, foot = body.index("[") + 1, body.rindex("]")

    def peak(records: int) -> int:
        class File:
            left = records

            def read(self, _size: int, /) -> str:
                self.left -= 1
                if self.left >= 0:
                    return (body[:head] if self.left == records - 1 else ",") + body[head:foot]
                return body[foot:] if self.left == -1 else ""

        tracemalloc.start()
        try:
            assert sum(1 for _ in json_records(File())) == records
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    less, more = peak(50), peak(350)
    assert more - less < 50 * len(body)
    assert more < 1 << 20


def test_hostile_texts_take_their_time_once() -> None:
    """A value is parsed again only when twice as much of it is there."""
    parsed = 0

    class Counting(json.JSONDecoder):
        def raw_decode(self, s: str, idx: int = 0) -> tuple[object, int]:
            nonlocal parsed
            parsed += len(s) - idx
            return super().raw_decode(s, idx)

    data = json.dumps({"a": [random.Random(7).random() for _ in range(20_000)]})
    text = JsonText(Dripping(data.encode(), [5000]))
    text._json = Counting()
    text.value()
    assert parsed < 4 * len(data)
