"""The laws of the canonical form (notation.md 3.4), and that nothing raises."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.cards import PACK, CardSet, show
from engine.core.seats import Seat
from engine.notation import (
    Document,
    canonical,
    content_id,
    read,
    read_json,
    to_document,
    write,
    write_csv,
    write_json,
    write_pbn,
)
from engine.record.record import CapturedCards, HandRecord
from tests.engine.notation.texts import (
    SAMPLES,
    documents,
    fragment_texts,
    mutated_samples,
    read_slowly,
    records,
)

patient = settings(deadline=None)
anything = st.one_of(st.binary(max_size=300), mutated_samples(), fragment_texts.map(str.encode))


@patient
@given(anything)
def test_nothing_raises_and_writing_comes_to_rest(source: bytes) -> None:
    entries = list(read(source))
    once = write(entries)
    assert write(read(once)) == once
    write_csv(entries)
    write_pbn(entries, as_notrump=True)
    assert read_json(write_json(entries)) == [entry.document for entry in entries]


@patient
@given(anything)
def test_what_is_written_reads_as_the_same_documents(source: bytes) -> None:
    entries = [entry for entry in read(source) if entry.ok]
    again = list(read(write(entries)))
    expected = [canonical(entry.document) for entry in entries]
    assert [entry.document for entry in again] == [one for one in expected if one != Document()]


@patient
@given(st.one_of(mutated_samples(), fragment_texts.map(str.encode)))
def test_the_quick_way_and_the_complete_way_agree(source: bytes) -> None:
    for quickly, slowly in zip(read(source), read_slowly(source), strict=True):
        assert quickly.record == slowly.record
        assert quickly.diagnostics == slowly.diagnostics
        assert quickly.document == slowly.document
        assert (quickly.text, quickly.line) == (slowly.text, slowly.line)
        if quickly.canonical:
            assert write([slowly.document]) == "% PHN 1.0\n" + quickly.text


@patient
@given(documents())
def test_a_document_survives(document: Document) -> None:
    text = write([document])
    (entry,) = read(text) if document.tags else [None]
    if entry is not None:
        assert entry.document == canonical(document)
        assert write([entry]) == text
        assert content_id(entry) == content_id(document)


@patient
@given(records())
def test_a_record_survives(record: HandRecord) -> None:
    first = record.first_caller
    if record.auction is not None and record.columns is not None:
        first = record.columns[0]
    record = replace(record, first_caller=first)
    text = write([record])
    (entry,) = read(text)
    (slowly,) = read_slowly(text)
    assert entry.record == record
    assert slowly.record == record
    assert entry.document == slowly.document == to_document(record)
    assert canonical(entry.document) == entry.document


@patient
@given(st.integers(0, PACK).map(CardSet), st.integers(0, PACK).map(CardSet))
def test_a_set_of_cards_is_written_as_everywhere_else(centre: CardSet, taken: CardSet) -> None:
    record = HandRecord(seats=("N", "E"), centre=centre, captures=(CapturedCards(Seat(0), taken),))
    document = to_document(record)
    assert document.value("Centre") == (show(centre) if centre else None)
    assert [tag.rows for tag in document.tags if tag.is_table] == [(("N", show(taken)),)]


def test_one_wrong_byte_anywhere_is_seen_by_the_quick_way() -> None:
    for sample in SAMPLES:
        text = sample.decode()
        for at in range(0, len(text), 2):
            damaged = text[:at] + ("\0" if at % 4 else "~") + text[at + 1 :]
            for entry in read(damaged):
                if entry.canonical:
                    (slowly,) = read_slowly(damaged)
                    assert slowly.diagnostics == ()
                    assert slowly.record == entry.record
