"""The eight sample records: read, understood and written back byte for byte."""

from pathlib import Path

import pytest

from engine.core.cards import NAMES, show
from engine.core.seats import Seat
from engine.notation import (
    Mode,
    Reader,
    content_id,
    read,
    read_json,
    to_document,
    write,
    write_csv,
    write_json,
    write_pbn,
)
from engine.record.record import PASS_CALL, Claim, Detail, Ending, HandRecord

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.phn"))
every_sample = pytest.mark.parametrize("path", SAMPLES, ids=[path.stem for path in SAMPLES])


def record(number: int) -> HandRecord:
    (entry,) = read(SAMPLES[number - 1].read_bytes())
    assert entry.record is not None
    return entry.record


@every_sample
def test_a_sample_is_written_back_byte_for_byte(path: Path) -> None:
    reader = Reader(path.read_bytes())
    entries = list(reader)
    assert [entry.diagnostics for entry in entries] == [()]
    assert reader.diagnostics == ()
    assert write(entries).encode() == path.read_bytes()
    assert write(entry.document for entry in entries).encode() == path.read_bytes()


@every_sample
def test_a_sample_is_canonical(path: Path) -> None:
    (entry,) = Reader(path.read_bytes(), mode=Mode.CANONICAL)
    assert not entry.rejected


@every_sample
def test_a_hand_record_survives_being_built_written_and_read(path: Path) -> None:
    (entry,) = read(path.read_bytes())
    assert entry.record is not None
    text = write([entry.record])
    (again,) = read(text)
    assert again.record == entry.record
    assert again.diagnostics == ()
    assert write([again.document]) == text


@every_sample
def test_a_file_object_reads_like_its_bytes(path: Path) -> None:
    with path.open("rb") as file:
        (from_file,) = read(file)
    (from_text,) = read(path.read_text(encoding="utf-8"))
    assert from_file.document == from_text.document
    assert from_file.record == from_text.record


@every_sample
def test_json_loses_nothing(path: Path) -> None:
    (entry,) = read(path.read_bytes())
    assert read_json(write_json([entry])) == [entry.document]


@every_sample
def test_a_pbn_export_of_four_players_is_the_same_hand(path: Path) -> None:
    (entry,) = read(path.read_bytes())
    assert entry.record is not None
    exported = write_pbn([entry])
    again = list(read(exported.data))
    if entry.record.players == 4:
        assert [one.record for one in again] == [entry.record]
        assert exported.data.count(b"\r\n") == exported.data.count(b"\n")
    else:
        assert [one.rule for one in exported.diagnostics] == ["W93"]


def test_the_bicycle_hand_says_what_was_written() -> None:
    hand = record(1)
    assert hand.deal is not None
    assert hand.play is not None
    assert hand.scores is not None
    assert show(hand.deal[Seat(2)]) == "SK32HA6DJ9843CJT2"
    assert hand.auction == (2, PASS_CALL, 4, 3)
    assert [NAMES[card] for card in hand.play[:4] if card is not None] == ["S2", "S5", "S6", "SA"]
    assert hand.columns == (2, 3, 0, 1)
    assert hand.scores[1].values["Won"] == 17
    assert hand.detail is Detail.FULL


def test_the_sahara_hand_has_a_claim_a_ruling_and_an_ante() -> None:
    hand = record(5)
    assert hand.claim == Claim(Seat(1), 13)
    assert hand.ending is Ending.CLAIM
    assert hand.ante == 500
    assert hand.currency == "EUR"
    assert hand.rulings[0].text == "2 points for repeated slow play"


def test_a_game_record_has_no_dealer() -> None:
    game = record(7)
    assert game.dealer is None
    assert game.totals is not None
    assert [row.settlement for row in game.totals] == ["5", "-1", "-4"]


def test_further_tags_go_into_a_built_document() -> None:
    document = to_document(record(1), {"Event": "Club night", "X_Mood": "good"})
    assert document.value("Event") == "Club night"
    assert write([document]).startswith('% PHN 1.0\n[Event "Club night"]\n')


def test_the_content_id_is_the_hash_of_the_canonical_bytes() -> None:
    (entry,) = read(SAMPLES[0].read_bytes())
    loose = SAMPLES[0].read_bytes().replace(b"\n", b"\r\n").replace(b"[Event", b"[ Event")
    (again,) = read(loose)
    assert content_id(entry) == content_id(again)
    assert len(content_id(entry)) == 64


def test_a_csv_cell_cannot_be_a_formula() -> None:
    (entry,) = read(SAMPLES[7].read_text().replace("Adams, Nora", "=cmd()"))
    table = write_csv([entry])
    assert "'=cmd()" in table
    assert len(table.splitlines()) == 5


def test_a_bridge_viewer_gets_one_notrump_by_the_leaders_right_hand_neighbour() -> None:
    (entry,) = read(SAMPLES[0].read_bytes())
    text = write_pbn([entry], as_notrump=True).data.decode("latin-1")
    assert '[Contract "1NT"]' in text
    assert '[Declarer "E"]' in text
    assert '[X_Declarer "S"]' in text
    assert '[Play "S"]\r\nS2 S5 S6 SA\r\n' in text
